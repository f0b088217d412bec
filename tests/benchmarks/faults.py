"""Faults played on a workspace: kills, flipped bytes, a torn store, a full disk, a clock that is set back.

python -m tests.benchmarks.faults [--kills 4] [--flips 8] [--only kills] [--seed 1]

Each fault starts from a copy of the demo workspace. Printed as rows of a table: tries, what was lost, wrong answers,
and sound workspaces that were called damaged. After a kill the same command runs again, and every row that an
undisturbed run writes must be there; columns that differ between two undisturbed runs (times, random ids) are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.errors import QueryscapeError, StoreInUseError
from dashboard.cli import main
from data.explore.workspace import Workspace
from data.log import log_of
from data.store import Store
from data.upkeep import check_workspace

TOP = Path(__file__).parents[2]
TOPIC = "Urban heat and street trees (made up)"
READY = "ready"
CHILD = """
import sys
from dashboard.cli import main
print("ready", flush=True)
main(sys.argv[1:])
"""
CLOCK = """
import sys, data.store
data.store.utc_now = lambda: "2001-01-01T00:00:00+00:00"
from dashboard.cli import main
print("ready", flush=True)
main(sys.argv[1:])
"""
FULL = """
import resource, signal, sys
from dashboard.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
print("ready", flush=True)
main(sys.argv[2:])
"""
WRITE = """
import os, signal, sys
from pathlib import Path
from data.store import Store
store = Store.open(Path(sys.argv[1]))
store.execute("CHECKPOINT")
for n in range(12):
    store.save_topic(f"topic {n}", ("p1",))
os.kill(os.getpid(), signal.SIGKILL)
"""
COLUMNS = "SELECT column_name FROM duckdb_columns() WHERE table_name = ?"
Table = Mapping[str, Counter[Any]]
"""Rows by column: how often each value is there."""


@dataclass
class FaultRow:
    """A line of the printed table."""

    fault: str
    n: int = 0
    n_struck: int = 0
    """Tries in which the fault had an effect: a process that was killed at work, a byte that was noticed."""
    n_lost: int = 0
    n_wrong: int = 0
    n_called_damaged: int = 0

    def line(self) -> str:
        cells = (self.fault, self.n, self.n_struck, self.n_lost, self.n_wrong, self.n_called_damaged)
        return "| " + " | ".join(map(str, cells)) + " |"

    @property
    def is_good(self) -> bool:
        return not (self.n_lost or self.n_wrong or self.n_called_damaged)


HEAD = "| fault | tries | struck | lost | wrong | sound, but called damaged |\n|---|---|---|---|---|---|"


def commands(folder: Path) -> dict[str, list[str]]:
    """The work that is killed, by name."""
    file = folder / "found.csv"
    lines = [
        f"Street trees and heat no. {n},Shade cools street {n} by {n % 7} degrees,{1990 + n % 30}" for n in range(600)
    ]
    file.write_text("title,abstract,year\n" + "\n".join(lines), encoding="utf-8")
    retrievers = ["--collection", "demo", "--retrievers", "bm25", "dense:lsa"]
    return {
        "import": ["import", str(file), "--topic", "New", "--as", "corpus"],
        "embed": ["embed", "--topic", "Imported", "--embedder", "lsa"],
        "evaluate": ["evaluate", "--topic", TOPIC, "--version", "baseline"],
        "benchmark": ["benchmark", *retrievers],
        "judge": ["judge", *retrievers, "--model", "demo"],
        "writer": ["query", "write", "--topic", TOPIC, "--model", "demo"],
        "report": ["report", "--topic", TOPIC, "--out", "report.html", "--force"],
    }


def build(folder: Path) -> Path:
    """The demo workspace, with an imported topic and without cached results."""
    base = folder / "base"
    run_child(["demo"], base)
    file = folder / "imported.csv"
    file.write_text("title,abstract\n" + "\n".join(f"Cool roofs {n},Roofs of kind {n} stay cool" for n in range(300)))
    run_child(["import", str(file), "--topic", "Imported", "--as", "corpus"], base)
    with Workspace.open(base) as workspace:
        workspace.store.execute("DELETE FROM remembered")
    return base


def run_child(arguments: list[str], root: Path, code: str = CHILD, *first: str) -> int:
    command = [sys.executable, "-c", code, *first, *arguments, "--data-dir", str(root)]
    with (root.parent / "said.txt").open("wb") as said:
        return subprocess.run(command, cwd=TOP, env=_environment(), stdout=said, stderr=said, check=False).returncode


def _environment() -> dict[str, str]:
    return {**os.environ, "QUERYSCAPE_OFFLINE": "1", "QUERYSCAPE_CONFIG": "", "PYTHONPATH": str(TOP)}


def killed_after(arguments: list[str], root: Path, seconds: float) -> bool:
    """Start a command, and kill it this long after its modules are loaded. False: it had ended before."""
    command = [sys.executable, "-c", CHILD, *arguments, "--data-dir", str(root)]
    with subprocess.Popen(
        command, cwd=TOP, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == READY
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        was_running = process.poll() is None
        process.kill()
    return was_running


def contents(root: Path) -> dict[str, Table]:
    """All tables, column by column, and the vectors of every publication."""
    with Workspace.open(root) as workspace:
        store = workspace.store
        found: dict[str, Table] = {}
        for (table,) in store.rows("SELECT table_name FROM duckdb_tables() ORDER BY table_name"):
            columns = [name for (name,) in store.rows(COLUMNS, [table])]
            found[table] = {
                name: Counter(str(value) for (value,) in store.rows(f'SELECT "{name}" FROM "{table}"'))
                for name in columns
            }
        vectors: Counter[Any] = Counter()
        for coverage in workspace.catalogue.coverage():
            ids = store.topic_publication_ids(coverage.topic_id)
            embedded = workspace.catalogue.load(coverage.embedding, ids)
            vectors.update(zip(embedded.ids, (row.tobytes() for row in embedded.vectors), strict=True))
        return found | {"(vectors)": {"vector": vectors}}


def n_missing(expected: Mapping[str, Table], again: Mapping[str, Table], found: Mapping[str, Table]) -> int:
    """Count values that two undisturbed runs have and this one has not."""
    return sum(
        (values - found[table][name]).total()
        for table, columns in expected.items()
        for name, values in columns.items()
        if values == again[table][name]
    )


def n_called_damaged(root: Path) -> int:
    return len([problem for problem in check_workspace(root).problems if problem.area != "orphans"])


def kills(base: Path, folder: Path, n: int, rng: random.Random) -> Iterator[FaultRow]:
    for name, arguments in commands(folder).items():
        row = FaultRow(f"kill of {name}")
        whole, seconds = [], 0.0
        for number in range(2):
            root = _copy(base, folder / f"whole{number}")
            start = time.monotonic()
            assert run_child(arguments, root) == 0, (folder / "said.txt").read_text()
            seconds = time.monotonic() - start
            whole.append(contents(root))
        for _ in range(n):
            root = _copy(base, folder / "killed")
            row.n += 1
            row.n_struck += killed_after(arguments, root, rng.uniform(0, seconds))
            try:
                row.n_called_damaged += n_called_damaged(root)
                row.n_wrong += run_child(arguments, root) != 0
                row.n_lost += n_missing(whole[0], whole[1], contents(root))
            except QueryscapeError as e:
                print(e)
                row.n_called_damaged += 1
        yield row


def _copy(base: Path, root: Path) -> Path:
    shutil.rmtree(root, ignore_errors=True)
    return Path(shutil.copytree(base, root))


# Flipped bytes

KINDS: dict[str, str] = {
    "store": "queryscape.duckdb",
    "log": "queryscape.duckdb.wal",
    "vectors": "vectors/*/*.npy",
    "digests": "vectors/*/*.digests",
    "model": "models/*.npz",
    "index": "retrieval/*/bm25*/**/*",
    "collection's vectors": "retrieval/*/vectors*/*",
    "knowledge base": "knowledge/*/base.duckdb",
    "title index": "knowledge/*/titles/**/*",
}


def answers(root: Path) -> str | None:
    """What commands print about a workspace, without times; None if one of them refuses."""
    asked = (
        ["topics"],
        ["evaluate", "--topic", TOPIC, "--version", "baseline", "--regions", "cosine"],
        ["search", "shade of trees", "--collection", "demo", "--retriever", "bm25"],
        ["search", "shade of trees", "--collection", "demo", "--retriever", "dense:lsa"],
        ["knowledge", "entity", "demo", "Elm Street"],
        ["knowledge", "statistics", "demo"],
    )
    return said(root, *asked)


def said(root: Path, *asked: list[str]) -> str | None:
    out = []
    for arguments in asked:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            try:
                main([*arguments, "--json", "--data-dir", str(root)])
            except SystemExit as e:
                if e.code == 2 and not printed.getvalue():
                    return None
                out.append(str(e.code))
        out.append(_timeless(printed.getvalue()))
    return "\n".join(out)


def _timeless(text: str) -> str:
    try:
        document = json.loads(text)
    except ValueError:
        return text
    return json.dumps(
        {name: value for name, value in document.items() if name not in ("elapsed_ms", "seconds", "timing")}
    )


def flips(
    base: Path, folder: Path, n: int, rng: random.Random, ask: Callable[[Path], str | None] = answers
) -> Iterator[FaultRow]:
    """Change one bit of one file, and compare what commands answer."""
    root = _copy(base, folder / "sound")
    ask(root)  # builds what is missing
    with Workspace.open(root) as workspace:
        workspace.store.execute("DELETE FROM remembered")
    subprocess.run(
        [sys.executable, "-c", WRITE, str(root / "queryscape.duckdb")], cwd=TOP, env=_environment(), check=False
    )
    expected = ask(_copy(root, folder / "asked"))
    assert expected is not None
    for kind, pattern in KINDS.items():
        row = FaultRow(f"flipped byte: {kind}")
        files = sorted(path.relative_to(root) for path in root.glob(pattern) if path.is_file() and path.stat().st_size)
        for _ in range(n if files else 0):
            flipped = _copy(root, folder / "flipped")
            file = flipped / rng.choice(files)
            flip(file, rng)
            row.n += 1
            found = ask(flipped)
            row.n_struck += found is None
            row.n_wrong += found not in (None, expected)
        yield row


def flip(file: Path, rng: random.Random) -> None:
    with file.open("r+b") as opened:
        at = rng.randrange(file.stat().st_size)
        opened.seek(at)
        byte = opened.read(1)[0]
        opened.seek(at)
        opened.write(bytes([byte ^ 1 << rng.randrange(8)]))


# A torn store, a full disk, a clock that is set back, a folder without permission


def torn(base: Path, folder: Path, n: int, rng: random.Random) -> Iterator[FaultRow]:
    row = FaultRow("torn store")
    expected = said(_copy(base, folder / "asked"), ["topics"])
    for _ in range(n):
        root = _copy(base, folder / "torn")
        store = root / "queryscape.duckdb"
        os.truncate(store, rng.randrange(1, store.stat().st_size))
        row.n += 1
        found = said(root, ["topics"])
        row.n_struck += found is None
        row.n_wrong += found not in (None, expected)
    yield row
    row = FaultRow("torn log (no damage)")
    root = _copy(base, folder / "logged")
    subprocess.run(
        [sys.executable, "-c", WRITE, str(root / "queryscape.duckdb")], cwd=TOP, env=_environment(), check=False
    )
    for _ in range(n):
        cut = _copy(root, folder / "cut")
        log = log_of(cut / "queryscape.duckdb")
        os.truncate(log, rng.randrange(log.stat().st_size))
        row.n += 1
        row.n_struck += 1
        row.n_called_damaged += said(cut, ["topics"]) is None
    yield row


def full(base: Path, folder: Path, n: int, rng: random.Random) -> Iterator[FaultRow]:
    before = contents(_copy(base, folder / "before"))
    for name, arguments in commands(folder).items():
        row = FaultRow(f"full disk: {name}")
        for _ in range(max(1, n // 4)):
            root = _copy(base, folder / "full")
            size = (root / "queryscape.duckdb").stat().st_size
            row.n += 1
            status = run_child(arguments, root, FULL, str(size + rng.randrange(200_000)))
            row.n_struck += status != 0
            row.n_wrong += status not in (0, 1, 2)
            row.n_called_damaged += n_called_damaged(root)
            row.n_lost += n_missing(before, before, contents(root)) if name not in ("embed",) else 0
            row.n_wrong += run_child(arguments, root) != 0
        yield row


def clock(base: Path, folder: Path, n: int, rng: random.Random) -> Iterator[FaultRow]:
    row = FaultRow("clock set back")
    for name, arguments in commands(folder).items():
        whole = [contents(_run_on(base, folder / "now", arguments, CHILD)) for _ in range(2)]
        row.n += 1
        row.n_struck += 1
        found = contents(_run_on(base, folder / "earlier", arguments, CLOCK))
        row.n_wrong += (missing := n_missing(whole[0], whole[1], found)) > 0
        if missing:
            print(f"clock, {name}: {missing} values differ", file=sys.stderr)
    yield row


def _run_on(base: Path, root: Path, arguments: list[str], code: str) -> Path:
    _copy(base, root)
    assert run_child(arguments, root, code) == 0, (root.parent / "said.txt").read_text()
    return root


def forbidden(base: Path, folder: Path, n: int, rng: random.Random) -> Iterator[FaultRow]:
    row = FaultRow("read-only folder" if os.geteuid() else "read-only folder (skipped: root may write anywhere)")
    if os.geteuid():
        root = _copy(base, folder / "forbidden")
        for path in (root, *root.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        row.n += 1
        row.n_struck += said(root, ["topics"]) is None
        for path in (root, *root.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        row.n_wrong += said(root, ["topics"]) != said(_copy(base, folder / "asked"), ["topics"])
    yield row


def opens(base: Path, folder: Path, n: int, rng: random.Random) -> Iterator[FaultRow]:
    """Open a store again and again while another process writes to it and closes it in turn."""
    code = (
        "import sys; from pathlib import Path; from data.store import Store; from core.errors import StoreInUseError\n"
        "for n in range(100_000):\n"
        "    try:\n"
        "        with Store.open(Path(sys.argv[1])) as store:\n"
        "            for i in range(3): store.save_topic(f't{n} {i}', ('p1',))\n"
        "    except StoreInUseError: pass\n"
    )
    row = FaultRow("opens under writes")
    root = _copy(base, folder / "written")
    with subprocess.Popen(
        [sys.executable, "-c", code, str(root / "queryscape.duckdb")], cwd=TOP, env=_environment()
    ) as writer:
        for _ in range(10 * n):
            row.n += 1
            try:
                Store.open(root / "queryscape.duckdb").close()
            except StoreInUseError:
                row.n_struck += 1
            except QueryscapeError as e:
                print(e, file=sys.stderr)
                row.n_called_damaged += 1
        writer.kill()
    yield row


FAULTS = {
    "kills": kills,
    "flips": flips,
    "torn": torn,
    "full": full,
    "clock": clock,
    "forbidden": forbidden,
    "opens": opens,
}


def run(arguments: argparse.Namespace) -> bool:
    """Play the faults and print the table. Return True if nothing was lost or wrong."""
    is_good = True
    with TemporaryDirectory() as made:
        folder = Path(made)
        os.environ |= {"QUERYSCAPE_OFFLINE": "1", "QUERYSCAPE_CONFIG": ""}
        base = build(folder)
        print(HEAD)
        for name, play in FAULTS.items():
            if name in arguments.only:
                n = arguments.kills if name == "kills" else arguments.flips
                for row in play(base, folder, n, random.Random(arguments.seed)):
                    print(row.line(), flush=True)
                    is_good = is_good and row.is_good
    return is_good


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=2, help="kills of each kind of work")
    parser.add_argument("--flips", type=int, default=8, help="tries of every other fault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=FAULTS, nargs="+", default=[*FAULTS])
    sys.exit(not run(parser.parse_args()))
