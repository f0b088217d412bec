"""CPU seconds of readers for files of one, two and four times a length: `python -m tests.benchmarks.bench_readers`.

Prints a table of the inputs that were once slow, and every reader whose time grows faster than its file.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.errors import QueryscapeError
from core.query.parser import parse
from data.importers.reading import read_data
from tests.data.readers import READERS, cell, row, workbook_parts, zipped

TIMES = (1, 2, 4)
TRIES = 3
STEEP = 5.0
"""Growth of the time, for four times as much, from which a reader is listed."""


def sparse_rows(n: int) -> bytes:
    """A sheet whose rows have a cell in the first column and one in the last."""
    rows = (
        f'<row r="{i}">{cell(f"A{i}", str(i))}{cell(f"B{i}", f"Soup {i}")}{cell(f"XFD{i}", "x")}</row>'
        for i in range(2, n + 1)
    )
    return zipped(workbook_parts(row(1, "id", "title") + "".join(rows)).items())


def blank_lines(n: int) -> bytes:
    return b"TY  - JOUR\nTI  - Soup\n" + b"\n" * n + b"ER  - \n"


SLOW_ONCE: tuple[tuple[str, int, Callable[[int], object]], ...] = (
    ("sparse rows of a workbook", 750, lambda n: read_data(sparse_rows(n), "sparse.xlsx")),
    ("bytes of blank lines in RIS", 1_000_000, lambda n: read_data(blank_lines(n), "blank.ris")),
    ("blank lines in a search string", 2_000, lambda n: parse(f"(heat{n}\n" + "\n" * n + "OR tree)", "pubmed")),
)


def seconds(read: Callable[..., object], *given: object) -> float:
    """The least CPU seconds of a few tries."""
    tries = []
    for _ in range(TRIES):
        begun = time.process_time()
        with suppress(QueryscapeError):
            read(*given)
        tries.append(time.process_time() - begun)
    return min(tries)


def main() -> None:
    for name, n, read in SLOW_ONCE:
        found = [seconds(read, n * times) for times in TIMES]
        print(f"| {n * TIMES[-1]:,} {name} | {found[-1]:.2f} | {found[1] / found[0]:.1f}, {found[2] / found[0]:.1f} |")
    with tempfile.TemporaryDirectory() as folder:
        rates = []
        for reader in READERS:
            found = []
            for times in TIMES:
                data = reader.sample(reader.unit * 5 * times)
                found.append(seconds(reader.read, data, Path(folder)))
            rates.append((found[-1] / len(data) * 1e6, reader.name))
            if found[-1] > 0.05 and found[-1] / found[0] > STEEP:
                print(f"steep: {reader.name}, {found[-1] / found[0]:.1f} times as long for four times as much")
        for rate, name in sorted(rates, reverse=True)[:5]:
            print(f"{name}: {rate:.2f} CPU seconds per MB")


if __name__ == "__main__":
    main()
