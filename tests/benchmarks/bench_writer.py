"""What a move of a keyword costs the query writer: the new string, its scores on every side, and every figure.

python -m tests.benchmarks.bench_writer
"""

from __future__ import annotations

import random
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from core.query.contributions import Stakes
from core.query.match import count, mask_of, of_mask, of_rows, rows_of
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.writer.decomposition import take_apart
from core.writer.gains import SplitStakes, judged
from core.writer.keyword_effects import SheetEvaluator
from core.writer.sheets import LISTS, Keyword, ListName, Sheet, text_of
from data.files import WorkspacePaths
from data.query.index import CorpusIndex
from tests.benchmarks.bench_query_matching import BLOCKS, publications

N = 17_573
N_KEYWORDS = 60
N_CORE = 47
_PART = re.compile(r'NEAR\([^)]*\)|"([^"]+)"|(\S+)')


def keywords(n: int) -> list[Keyword]:
    """So many of the terms that the benchmarks of matching search for."""
    found = [Keyword(phrase or word) for block in BLOCKS for phrase, word in _PART.findall(block) if phrase or word]
    return random.Random(1).sample(list({keyword.key: keyword for keyword in found}.values()), n)


def sheet_of(found: list[Keyword]) -> Sheet:
    """Sorted as a person would: a third each specific and general, four overarching, a few excluded, the rest aside."""
    third = len(found) // 3
    return Sheet(
        specific=tuple(found[:third]),
        general=tuple(found[third : 2 * third]),
        overarching=tuple(found[2 * third : 2 * third + 4]),
        excluded=tuple(found[2 * third + 4 : 2 * third + 7]),
        aside=tuple(found[2 * third + 7 :]),
    )


def sides_of(index: CorpusIndex, sheet: Sheet) -> SplitStakes:
    """A core set of which half is held out, and regions that accept one in twenty, more of what is retrieved."""
    rng = random.Random(3)
    whole = _stakes(rng, range(N), N_CORE)
    retrieved = mask_of(SheetEvaluator(index, "literal", whole).retrieved(sheet), N)
    found, missed = (np.flatnonzero(mask).tolist() for mask in (retrieved, ~retrieved))
    core = rng.sample(found, min(len(found), N_CORE // 2)) + rng.sample(missed, N_CORE - min(len(found), N_CORE // 2))
    near = np.array([rng.random() < (0.4 if hit else 0.05) for hit in retrieved])
    near[core] = True
    whole = Stakes(of_rows(core, N), len(core), of_mask(np.ones(N, bool)), of_mask(near), whole.settings)
    rows = np.array(rng.sample(core, len(core)))
    used, held_out = (whole.with_core(part, len(part), N) for part in (rows[::2], rows[1::2]))
    return SplitStakes(used, held_out, whole)


def _stakes(rng: random.Random, rows: range, n_core: int) -> Stakes:
    everything = of_mask(np.ones(N, bool))
    core = of_rows(rng.sample(rows, n_core), N)
    return Stakes(core, n_core, everything, everything, EvaluationSettings().resolved("lsa"))


def shown(what: str, times: list[float], aim: str = "") -> None:
    """One line of the table."""
    ordered = sorted(times)
    most = f"95 % within {ordered[int(0.95 * (len(ordered) - 1))] * 1e3:,.2f} ms" if len(times) > 1 else ""
    print(f"{what}: {median(times) * 1e3:,.2f} ms {most} {f'(aim {aim})' if aim else ''}".rstrip())


def moves(sheet: Sheet) -> list[tuple[str, ListName]]:
    """Every keyword to every other list."""
    return [(k.key, to) for name in LISTS for k in sheet.of(name) for to in LISTS if to != name]


def main() -> None:
    """Build the index, then time what follows every move."""
    with tempfile.TemporaryDirectory() as folder:
        index = CorpusIndex.open(WorkspacePaths(Path(folder)), publications()[:N])
        found = keywords(N_KEYWORDS)
        sheet = sheet_of(found)
        sides = sides_of(index, sheet)
        n = count(SheetEvaluator(index, "literal", sides.whole).retrieved(sheet))
        print(f"{N:,} publications, {len(found)} keywords, {n:,} retrieved, {len(rows_of(sides.whole.core))} core")
        fresh = CorpusIndex.open(WorkspacePaths(Path(folder)), publications()[:N])
        board = SheetEvaluator(fresh, "literal", sides.used)
        shown("a sheet for the first time", [_timed(lambda: board.seen(sheet))])
        time_moves(sheet, board, sides)
        text = text_of(sheet).text
        shown("taking the string apart again", [_timed(lambda: take_apart(parse(text))) for _ in range(7)])


def time_moves(sheet: Sheet, board: SheetEvaluator, sides: SplitStakes) -> None:
    """The string, what it retrieves with every figure, and the scores of each side, one move after the other."""
    parts: dict[str, list[float]] = {name: [] for name in ("string", "figures", "sides", "whole")}
    for key, to in moves(sheet):
        start = time.perf_counter()
        moved = sheet.moved(key, to)
        text_of(moved)
        said = time.perf_counter()
        seen = board.seen(moved)
        weighed = time.perf_counter()
        judged(sides, seen.retrieved)
        end = time.perf_counter()
        steps = (said - start, weighed - said, end - weighed, end - start)
        for times, seconds in zip(parts.values(), steps, strict=True):
            times.append(seconds)
    shown(f"the new string, {len(parts['whole'])} moves", parts["string"])
    shown("  what it retrieves and every figure", parts["figures"])
    shown("  its scores used, held out and in all", parts["sides"])
    shown("  a whole move", parts["whole"], "60 ms")


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
