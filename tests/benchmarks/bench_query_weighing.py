"""What a search of a hundred terms over 50,000 publications costs to weigh, switch, explain and repair.

python -m tests.benchmarks.bench_query_weighing
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import numpy as np

from core.query.contributions import MatchedQuery, Stakes, contributions
from core.query.explanations import Rescuer, explain
from core.query.match import combine, mask_of, match, of_mask, of_rows, rows_of
from core.query.parser import parse
from core.query.suggestions import Limits, priced, slim_down, suggest, worth_a_look
from core.query.translation import DialectWriter, write
from core.query.tree import Group
from core.settings import EvaluationSettings
from data.files import WorkspacePaths
from data.query.index import CorpusIndex
from tests.benchmarks.bench_query_matching import N, publications, search
from tests.benchmarks.timing import median_seconds

ROUNDS = 7
N_CORE, N_FOUND = 60, 25


def scene(index: CorpusIndex, text: str) -> MatchedQuery:
    """The search as it is written, with a core set of which it misses more than half."""
    rng = random.Random(3)
    parsed = parse(text, "plain")
    assert parsed.root is not None
    matched = match(parsed.root, index, "literal")
    retrieved = mask_of(matched.root if matched.root is not None else of_rows([], N), N)
    found, missed = np.flatnonzero(retrieved).tolist(), np.flatnonzero(~retrieved).tolist()
    core = rng.sample(found, N_FOUND) + rng.sample(missed, N_CORE - N_FOUND)
    near = np.array([rng.random() < (0.6 if hit else 0.05) for hit in retrieved])
    near[core] = True
    stakes = Stakes(
        of_rows(core, N), N_CORE, of_mask(np.ones(N, bool)), of_mask(near), EvaluationSettings().resolved("lsa")
    )
    return MatchedQuery(text, matched, index, index.texts, "literal", stakes, DialectWriter("plain"))


def ms(what: str, seconds: float, aim: str = "") -> None:
    """One line of the table."""
    print(f"{what}: {seconds * 1e3:,.1f} ms{f' (aim {aim})' if aim else ''}")


def main() -> None:
    text = write(search(), "plain").text
    with tempfile.TemporaryDirectory() as folder:
        index = CorpusIndex.open(WorkspacePaths(Path(folder)), publications())
        asked = scene(index, text)
        matched, stakes = asked.matched, asked.stakes
        core_ids = [index.ids[row] for row in rows_of(stakes.core)]
        print(f"{N:,} publications, {len(matched.nodes)} nodes, {len(rows_of(asked.retrieved)):,} retrieved")

        ms("every figure of every node", median_seconds(lambda: figures(asked), rounds=ROUNDS)[0], "200")
        leaves = {i: matched.sets[i] for i, node in enumerate(matched.nodes) if not isinstance(node, Group)}
        switched = median_seconds(lambda: combine(matched.nodes, leaves, N, off=(5,)), rounds=ROUNDS)[0]
        ms("one node switched: what is retrieved", switched, "30")
        ms("  and every figure again", median_seconds(lambda: switch(asked, leaves), rounds=ROUNDS)[0], "30")
        ms("a reason for each core publication", median_seconds(lambda: explain(again(asked), core_ids), rounds=3)[0])
        seconds, rescued = median_seconds(lambda: explain(again(asked), core_ids, with_rescues=core_ids), rounds=3)
        n_missed = sum(e.verdict != "found" for e in rescued)
        n_edits = sum(len(e.rescues) for e in rescued)
        ms(f"{n_edits} rescues for {n_missed} missed core publications", seconds, "1,000")
        target = rows_of(worth_a_look(asked))
        seconds, found = median_seconds(lambda: suggest(index.texts, target, query=matched.nodes[0]), rounds=3)
        ms(f"{len(found)} suggestions from {len(target):,} publications", seconds)
        ms("  priced", median_seconds(lambda: priced(found, Rescuer(again(asked)), 1), rounds=3)[0])
        ms("slim down", median_seconds(lambda: slim_down(again(asked), Limits(0.3)), rounds=1)[0])


def again(asked: MatchedQuery) -> MatchedQuery:
    """With nothing remembered."""
    return MatchedQuery(
        asked.text, asked.matched, asked.corpus, asked.texts, asked.semantics, asked.stakes, asked.writer
    )


def figures(asked: MatchedQuery) -> int:
    """Nothing remembered of what each node does for the whole."""
    asked.matched.__dict__.pop("contexts", None)
    return len(contributions(asked.matched, asked.stakes))


def switch(asked: MatchedQuery, leaves: dict[int, np.ndarray | None]) -> int:
    """What a switch of one node costs before anything is drawn."""
    return len(contributions(combine(asked.matched.nodes, leaves, N, off=(5,)), asked.stakes))


if __name__ == "__main__":
    main()
