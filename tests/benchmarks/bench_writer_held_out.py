"""Whether written strings beat the topic's name on core publications that nobody who wrote knew, over many splits.

python -m tests.benchmarks.bench_writer_held_out [--folder WORKSPACE] [--litqeval FOLDER]

The three demo topics, written from corpus statistics and with the demo model. With a copy of LitQEval's repository that
has vectors (`vectors_minilm384.npz`) also its 21 topics, each searched for among the publications of all of them; from
corpus statistics. Constants of the search were chosen while looking at splits 0 to 4; these are others.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from core.query.match import rows_of
from core.settings import EvaluationSettings
from core.stats import LEVEL, Interval
from core.types import CoreSet
from core.writer.gains import SplitStakes, split
from core.writer.keywords import proposals_from_corpus
from core.writer.sheet_search import KeywordLookup, best_sheet, sort
from core.writer.sheets import Brief, Gain, WriterBudget, baseline_sheet
from data.demo.loading import bring_demo, bring_litqeval
from data.explore.desk import stakes_of
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.query.index import CorpusIndex
from data.writer.runs import Recipe, WriterRequest
from data.writer.writing import write

FIRST_SPLIT = 100
N_SPLITS, N_SPLITS_LITQEVAL = 10, 5
NOTHING_BEFORE = 0.0
"""F-beta of a topic's name that retrieves nothing that can be scored, in this table alone."""


@dataclass(frozen=True)
class Scored:
    """One string of one split."""

    baseline: float
    """F-beta of the topic's name on the held-out half."""
    used: float
    held_out: float
    n_retrieved: int
    n_keywords: int


def demo_scores(workspace: Workspace, topic: str, seed: int) -> Iterator[tuple[str, Scored]]:
    """All candidates of one writing, as the app and the command write."""
    brief = Brief(topic.replace(" (made up)", ""), seed=seed)
    writing = write(workspace, WriterRequest(topic, brief, recipes=(Recipe("statistics"), Recipe("demo"))))
    before = writing.steps[0].judged.held_out
    for step in writing.steps[1:]:
        after = step.judged.held_out
        if before is not None and after is not None:
            yield (
                step.made_by,
                Scored(
                    before.f_beta or NOTHING_BEFORE,
                    step.judged.used.f_beta or 0.0,
                    after.f_beta or 0.0,
                    step.judged.n_retrieved,
                    step.sheet.n_in_string,
                ),
            )


def litqeval_score(workspace: Workspace, corpus: CorpusIndex, topic: str, seed: int) -> Scored | None:
    """From corpus statistics, in a corpus of all topics together; None: a half that has no region."""
    core, embedding = workspace.store.load_core(topic), workspace.embedding(topic, "minilm")
    halves, settings = split(core.ids, seed=seed), EvaluationSettings().resolved("minilm")
    used, held_out = (
        stakes_of(workspace, corpus.ids, CoreSet(topic, ids), embedding, settings)[0]
        for ids in (halves.used, halves.held_out)
    )
    if not used.accepted.any() or not held_out.accepted.any():
        return None
    sides, brief, look_up = SplitStakes(used, held_out, used), Brief(topic, seed=seed), KeywordLookup(corpus, "literal")
    rows, near = corpus.rows_of_ids(halves.used), rows_of(used.accepted)
    proposals = proposals_from_corpus(corpus.texts, np.asarray(rows), brief=brief, near=near)
    first = sort([each.keyword for each in proposals], look_up, used, brief)
    sheet = best_sheet(first, look_up, used, budget=WriterBudget(), brief=brief).sheet
    before, after = look_up.retrieved(baseline_sheet(topic)), look_up.retrieved(sheet)
    return Scored(
        held_out.f_beta(before) or NOTHING_BEFORE,
        sides.used.f_beta(after) or 0.0,
        held_out.f_beta(after) or 0.0,
        len(rows_of(after)),
        sheet.n_in_string,
    )


def print_row(what: str, scores: list[Scored]) -> None:
    """One line of the table."""
    found = gain_over_splits([each.held_out - each.baseline for each in scores])
    mean = {name: float(np.mean([getattr(each, name) for each in scores])) for name in Scored.__dataclass_fields__}
    if found.value is None or found.interval is None:
        return
    verdict = "not clear" if not found.is_clear else "better" if found.value > 0 else "worse"
    print(
        f"| {what} | {len(scores)} | {mean['baseline']:.2f} | {mean['used']:.2f} | {mean['held_out']:.2f} "
        f"| {found.value:+.2f} ({found.interval.low:+.2f} to {found.interval.high:+.2f}) | {verdict} "
        f"| {mean['n_retrieved']:,.0f} | {mean['n_keywords']:.1f} |"
    )


def demo_table(folder: Path) -> None:
    """Three topics, three kinds of candidates."""
    with Workspace.open(folder) as workspace:
        for topic in bring_demo(workspace):
            scores: dict[str, list[Scored]] = defaultdict(list)
            begun = time.perf_counter()
            for seed in range(FIRST_SPLIT, FIRST_SPLIT + N_SPLITS):
                for made_by, scored in demo_scores(workspace, topic, seed):
                    scores[made_by].append(scored)
            for made_by, found in scores.items():
                print_row(f"{topic}, {made_by}", found)
            print(f"one writing: {(time.perf_counter() - begun) / N_SPLITS:.1f} s")


def litqeval_table(source: Path, folder: Path) -> None:
    """All topics, and how many are clear."""
    with Workspace.open(folder / "workspace") as workspace:
        bring_litqeval(workspace, str(source))
        workspace.add_vectors(source / "vectors_minilm384.npz", "minilm")
        topics = [each.topic_id for each in workspace.topics()]
        ids = sorted({i for topic in topics for i in workspace.corpora.of(topic).ids})
        corpus = CorpusIndex.open(WorkspacePaths(folder / "all"), workspace.publications(ids))
        for topic in topics:
            seeds = range(FIRST_SPLIT, FIRST_SPLIT + N_SPLITS_LITQEVAL)
            found = [litqeval_score(workspace, corpus, topic, seed) for seed in seeds]
            print_row(topic, [each for each in found if each is not None])


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--folder", type=Path)
    asked.add_argument("--litqeval", type=Path)
    wanted = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        demo_table(wanted.folder or Path(folder) / "demo")
        if wanted.litqeval is not None:
            litqeval_table(wanted.litqeval, Path(folder))


def gain_over_splits(values: Sequence[float | None]) -> Gain:
    """The mean of the gains that several splits of one core set gave; those that are undefined are left out.

    Interval: mean ± t · s · √(1/J + 1) for J splits into halves with standard deviation s, t with J - 1 degrees of
    freedom. The splits share their core publications, so their gains are no independent trials: the 1 (held out over
    used) allows for that, and the interval does not shrink to nothing however many splits are tried. Without an
    interval: fewer than 3 splits. Reference: Nadeau and Bengio (2003), doi 10.1023/A:1024068626366.
    """
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    if not len(known):
        return Gain(None, None)
    mean = float(known.mean())
    if len(known) < 3:
        return Gain(mean, None)
    half = float(student.ppf((1 + LEVEL) / 2, len(known) - 1) * known.std(ddof=1) * np.sqrt(1 / len(known) + 1))
    return Gain(mean, Interval(mean - half, mean + half))


if __name__ == "__main__":
    main()
