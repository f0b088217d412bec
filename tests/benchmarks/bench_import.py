"""100,000 records of RIS (about 130 MB) read and imported, beside rispy, which only parses them.

Each runs in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

N_RECORDS = 100_000
SYLLABLES = ("ka", "lo", "mi", "ren", "tu", "shi", "bra", "ne", "vol", "pa", "dri", "és", "mün", "so", "ti", "gra")

MEASURE = """
import json, resource, sys, time
start = time.perf_counter()
{work}
seconds = time.perf_counter() - start
print(json.dumps([n, seconds, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6]))
"""
OURS = "from pathlib import Path\nfrom data.importers.reading import read_file\n"
OURS += "reading = read_file(Path(sys.argv[1]))\nn = len(reading.records)"
WHOLE = """from pathlib import Path
from data.library.imports import bring_files
from data.library.records import SourceRole
from data.explore.workspace import Workspace
path = Path(sys.argv[1])
with Workspace.open(path.with_name("workspace")) as workspace:
    first = bring_files(workspace, "large", SourceRole("corpus"), [path])
    n = first.n_new + first.n_merged
"""
SIXTH = """from pathlib import Path
from data.library.imports import bring_files
from data.library.records import SourceRole
from data.explore.workspace import Workspace
path = Path(sys.argv[1])
with Workspace.open(path.with_name("workspace")) as workspace:
    n = bring_files(workspace, "large", SourceRole("corpus"), [path.with_name("small.ris")]).n_merged
"""
THEIRS = "import rispy\nfrom pathlib import Path\n"
THEIRS += "with Path(sys.argv[1]).open(encoding='utf-8') as file:\n    records = rispy.load(file)\nn = len(records)"


def write_ris(path: Path, n_records: int) -> None:
    """Made-up records of about 1,300 bytes, with the fields that databases export."""
    rng = random.Random(20261121)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(20_000)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(n_records):
            abstract = " ".join(rng.choices(words, k=125)) + (" – α = 0.05" if number % 3 == 0 else "")
            authors = "".join(f"AU  - {rng.choice(words).title()}, {rng.choice('ABC')}.\n" for _ in range(5))
            keywords = "".join(f"KW  - {rng.choice(words)}\n" for _ in range(6))
            head = f"TY  - JOUR\n{authors}TI  - {' '.join(rng.choices(words, k=12)).capitalize()}\n"
            where = f"JO  - {words[number % 99]}\nVL  - {number % 80}\nIS  - {number % 12}\nSP  - {number % 900}\n"
            when = f"EP  - {number % 900 + 9}\nPY  - {1990 + number % 35}\nDO  - 10.1234/made.up.{number}\n"
            rest = f"UR  - https://example.org/{number}\nAB  - {abstract}\n{keywords}SN  - 1234-5678\nER  - \n\n"
            file.write(head + where + when + rest)


def measured(work: str, path: Path) -> tuple[int, float, float, float]:
    """Records, seconds, processor seconds and the peak of memory in GB of a process that does this work."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE.format(work=work), str(path)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    n, seconds, processor, gigabytes = json.loads(done.stdout)
    return n, seconds, processor, gigabytes


@pytest.mark.parametrize("n_records", [N_RECORDS])
def test_reading_ris(tmp_path: Path, n_records: int) -> None:
    path = tmp_path / "large.ris"
    write_ris(path, n_records)
    write_ris(tmp_path / "small.ris", 100)
    works = {
        "read and cleaned": OURS,
        "rispy, read only": THEIRS,
        "imported: read, recognised, kept": WHOLE,
        "100 records more, all known": SIXTH,
    }
    done = {what: measured(work, path) for what, work in works.items()}
    assert [n for n, *_ in done.values()] == [n_records, n_records, n_records, 100]
    print(f"\n{n_records:,} RIS records, {path.stat().st_size / 1e6:,.0f} MB")
    theirs = done["rispy, read only"][2]
    for what, (_, seconds, processor, gigabytes) in done.items():
        ratio = f"{processor / theirs:.2f} of rispy's"
        print(f"{what}: {seconds:.1f} s ({processor:.1f} s of a processor, {ratio}), peak {gigabytes:.2f} GB")
