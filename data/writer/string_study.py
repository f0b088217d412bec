"""Compare baseline, generated and review strings over many topics, and write the missing ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import InputError, QueryscapeError, StoreError
from core.explore.reproduction import BESIDE_REVIEW, PUBLISHED_REGIONS, PublishedScore
from core.explore.studies import TopicScoreColumn, TopicScores
from core.protocols import JsonModel, OnStage, silent
from core.report import MADE_WITH, ReportDocument, Table
from core.types import Origin, RegionKind
from core.writer.gains import best_by_used
from core.writer.sheets import STATISTICS, Brief, Gain
from core.writer.string_study import (
    TIE,
    PairedComparison,
    TopicStrings,
    by_topic,
    gain_sentence,
    paired,
    paired_over,
    pairs_of,
    pairs_table,
    published_table,
    result_columns,
    result_table,
    sentence_of,
    strings_report,
)
from data.explore.studies import (
    StudyVersion,
    load_published_scores,
    named_stages,
    runs_by_origin,
    without_origin,
)
from data.explore.workspace import Workspace
from data.store import Clock, utc_now
from data.writer.runs import Recipe, WriterRequest, find_writing
from data.writer.steps import save_step
from data.writer.writing import write

PUBLISHED_PAIRS: Mapping[tuple[Origin, Origin], tuple[str, str]] = {
    ("baseline", "generated"): ("baseline", "predicted"),
    ("baseline", "review"): (BESIDE_REVIEW, "slr"),
}
"""Labels scored together, on one landscape, so that their difference is meaningful."""
METRICS = ("semantic_precision", "f_beta")
"""The published recall is a different number: it counts core publications inside the cosine region."""


@dataclass(frozen=True, slots=True)
class PublishedPair:
    paired: PairedComparison
    n_here: int
    """Topics with both strings published and both scored here."""
    n_same: int
    """Topics among these with the same outcome: the same string is higher, or neither is."""


def published_pairs(
    scores: Sequence[PublishedScore], rows: Sequence[TopicStrings], pairs: Sequence[tuple[Origin, Origin]]
) -> tuple[PublishedPair, ...]:
    """Compare these pairs of origins, where published, for each metric in each region."""
    values = {(s.topic_id, s.label, s.region): s for s in scores}
    topics = sorted({s.topic_id for s in scores})
    here = {row.topic_id: row for row in rows}
    found = []
    for a, b in pairs:
        labels = PUBLISHED_PAIRS.get((a, b))
        if labels is None:
            continue
        for metric in METRICS:
            for region in PUBLISHED_REGIONS:
                of = {
                    topic: (
                        getattr(values[topic, labels[0], region], metric),
                        getattr(values[topic, labels[1], region], metric),
                    )
                    for topic in topics
                    if (topic, labels[0], region) in values and (topic, labels[1], region) in values
                }
                if of:
                    found.append(_beside(paired(a, b, TopicScoreColumn(metric, region), of), (a, b), of, here))
    return tuple(found)


def _beside(
    published: PairedComparison,
    origins: tuple[Origin, Origin],
    values: Mapping[str, tuple[float, float]],
    here: Mapping[str, TopicStrings],
) -> PublishedPair:
    what = published.column
    n_here = n_same = 0
    for topic, (theirs_a, theirs_b) in values.items():
        if topic not in here:
            continue
        a, b = (here[topic].counted(origin, what) for origin in origins)
        if a is not None and b is not None:
            n_here += 1
            n_same += _direction(b - a) == _direction(theirs_b - theirs_a)
    return PublishedPair(published, n_here, n_same)


def _direction(difference: float) -> int:
    return (difference >= TIE) - (difference <= -TIE)


# Baseline, generated and review strings of many topics: those that exist, and making the missing ones.

Way = Literal["statistics", "demo"]
"""Method for making missing strings; both work offline and without a key."""
WAYS: tuple[Way, ...] = get_args(Way)
Lack = Literal["string", "run", "corpus", "core"]
"""string: none was generated. run: the text exists, but not its results.

corpus, core: without publications outside the core, or without core publications, a string can be neither written nor
scored.
"""
OUTSIDE = (
    "imported lists and lists that were run here are mixed, over the topic's publications in the workspace: "
    "neither sizes nor scores compare fairly"
)
_MADE_UP = re.compile(r"\s*\(made up\)\s*$", re.IGNORECASE)


def about(topic_id: str) -> str:
    """Return the subject of a topic, from its name.

    >>> about("Sleep and shift work (made up)")
    'Sleep and shift work'
    """
    return _MADE_UP.sub("", topic_id) or topic_id


# Existing strings


def rows_of(
    workspace: Workspace, wanted: Sequence[StudyVersion], scores: Mapping[StudyVersion, TopicScores]
) -> tuple[TopicStrings, ...]:
    """Return a row per topic: the scores of its strings, and the gain of a generated one that was written here."""
    return by_topic(((w.origin, scores[w]) for w in wanted), gains_of(workspace, wanted))


def gains_of(workspace: Workspace, wanted: Iterable[StudyVersion]) -> dict[str, Gain]:
    """Return the gain of each topic's generated string on the held-out half, if it was written here."""
    found = {}
    for w in wanted:
        if w.origin != "generated":
            continue
        steps = workspace.store.rows(
            """
            SELECT writing_id, number FROM writer_steps JOIN writings USING (writing_id)
            WHERE topic_id = ? AND label = ? ORDER BY writings.made_at DESC, number LIMIT 1
            """,
            [w.topic_id, w.row.version.label],
        )
        for writing_id, number in steps:
            step = next(s for s in find_writing(workspace.store, writing_id).steps if s.number == number)
            if step.gain is not None:
                found[w.topic_id] = step.gain
    return found


def beware(wanted: Sequence[StudyVersion]) -> tuple[tuple[str, str], ...]:
    """Return the topics whose lists may come from different publications, each with the reason."""
    found = []
    for topic_id in dict.fromkeys(w.topic_id for w in wanted):
        of = [w.row for w in wanted if w.topic_id == topic_id]
        states = {row.corpus_state for row in of}
        if len(states - {None}) > 1:
            found.append((topic_id, "its strings were run on different states of its corpus"))
        elif None in states and len(states) > 1:
            found.append((topic_id, OUTSIDE))
    return tuple(found)


# Missing strings


@dataclass(frozen=True, slots=True)
class MissingString:
    """A topic without a generated string that was run."""

    topic_id: str
    lack: Lack
    label: str | None = None
    """Version whose text was never run."""
    text: str = ""
    has_baseline: bool = False

    @property
    def can_be_made(self) -> bool:
        return self.lack in ("string", "run")


def lacking(workspace: Workspace, topics: Sequence[str], *, again: bool = False) -> tuple[MissingString, ...]:
    """Return the topics without a generated string that was run. `again`: treat all of them as having none."""
    runs = runs_by_origin(workspace, topics)
    n_core = {topic.topic_id: topic.n_core for topic in workspace.store.topics()}
    texts: dict[str, tuple[str, str]] = {}
    for row in workspace.store.versions():
        version = row.version
        if version.origin == "generated" and version.text.strip() and row.retrieved_hash is None:
            texts[version.topic_id] = (version.label, version.text)
    found = []
    for topic_id in topics:
        if "generated" in runs[topic_id] and not again:
            continue
        label, text = (None, "") if again else texts.get(topic_id, (None, ""))
        lack: Lack = "run" if label else "string"
        if not n_core.get(topic_id):
            lack = "core"
        elif set(workspace.store.searchable_ids(topic_id)) <= set(workspace.store.load_core(topic_id).ids):
            lack = "corpus"  # every publication a string could retrieve is a core publication
        found.append(MissingString(topic_id, lack, label, text, "baseline" in runs[topic_id]))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class StringMakingSettings:
    way: Way = "statistics"
    embedder: str | None = None
    """None: the topic's only one."""
    seed: int = 0
    """Seed that chooses the held-out core publications."""
    models: Mapping[str, JsonModel] | None = None
    """Models by name, used instead of those of the method."""
    clock: Clock = utc_now


@dataclass(frozen=True, slots=True)
class StringMakingResult:
    topic_id: str
    label: str
    writing_id: str | None = None
    """None: the text was only run, not written."""
    problem: str | None = None
    """Problem met on the way."""


def make_missing(
    workspace: Workspace, missing: Sequence[MissingString], making: StringMakingSettings, *, on_stage: OnStage = silent
) -> tuple[StringMakingResult, ...]:
    """Write or run the missing strings, topic by topic. If stopped, finished ones stay and are not repeated."""
    if making.way not in WAYS:
        raise InputError(f'unknown way of writing "{making.way}": choose one of {", ".join(WAYS)}')
    waiting = [each for each in missing if each.can_be_made]
    made, failed = [], []
    for number, each in enumerate(waiting, start=1):
        stages = named_stages(on_stage, f"{number} of {len(waiting)}: {each.topic_id}")
        try:
            made.append(
                _run(workspace, each, making) if each.lack == "run" else _write(workspace, each, making, stages)
            )
        except StoreError:
            raise
        except QueryscapeError as e:
            failed.append(f"{each.topic_id}: {e}")
    if failed:
        raise InputError(f"{len(failed)} of {len(waiting)} could not be written: {'; '.join(failed)}")
    return tuple(made)


def _run(workspace: Workspace, each: MissingString, making: StringMakingSettings) -> StringMakingResult:
    row = workspace.run_query(each.topic_id, each.text, origin="generated", parent=each.label, clock=making.clock)
    return StringMakingResult(each.topic_id, row.version.label)


def _write(
    workspace: Workspace, each: MissingString, making: StringMakingSettings, on_stage: OnStage
) -> StringMakingResult:
    recipes = () if making.way == STATISTICS else (Recipe(making.way, seed=making.seed),)
    brief = Brief(about(each.topic_id), seed=making.seed)
    wanted = WriterRequest(each.topic_id, brief, recipes=recipes, embedder=making.embedder)
    writing = write(workspace, wanted, models=making.models, clock=making.clock, on_stage=on_stage)
    best = best_by_used(writing.steps, writing.budget)
    if best is None or not best.text:
        raise InputError(writing.problem or "its publications give no keyword for a string")
    if not each.has_baseline and writing.baseline is not None and writing.baseline.text:
        save_step(workspace, writing.writing_id, 0, origin="baseline", clock=making.clock)
    row = save_step(workspace, writing.writing_id, best.number, origin="generated", clock=making.clock)
    problem = writing.problem
    if row.version.origin != "generated":  # a text that was run before is an existing version
        problem = f'the result is the same as version "{row.version.label}", of origin {row.version.origin}'
    return StringMakingResult(each.topic_id, row.version.label, writing.writing_id, problem)


# A whole comparison of strings over topics: rows, differences, published results, and the exported file.

PUBLISHED_BETA = 2.0


@dataclass(frozen=True, eq=False)
class StringStudy:
    """Strings of some origins, over the topics with one of each."""

    origins: tuple[Origin, ...]
    regions: tuple[RegionKind, ...]
    rows: tuple[TopicStrings, ...]
    pairs: tuple[PairedComparison, ...]
    """Every metric for every two origins."""
    published: tuple[PublishedPair, ...]
    left_out: tuple[tuple[str, str], ...]
    """Topics left out, each with the reason."""
    beware: tuple[tuple[str, str], ...]
    """Topics to read with care, each with the reason."""
    made_up: bool
    """True: at least part of it is demo data."""
    beta: float = 2.0

    def pair(self, a: Origin, b: Origin, what: TopicScoreColumn) -> PairedComparison:
        return next(p for p in self.pairs if (p.a, p.b, p.column) == (a, b, what))

    def sentences(self, whats: Sequence[TopicScoreColumn]) -> tuple[str, ...]:
        parts = [
            sentence_of(self.pair(a, b, what), beta=self.beta) for what in whats for a, b in pairs_of(self.origins)
        ]
        gain = gain_sentence(self.rows) if "generated" in self.origins else None
        return (*parts, *self.published_sentences(whats), *([gain] if gain else ()))

    def published_sentences(self, whats: Sequence[TopicScoreColumn]) -> tuple[str, ...]:
        return tuple(
            f"As published, {sentence_of(p.paired, beta=PUBLISHED_BETA)} {_strings_whole_beside(p)}"
            for p in self.published
            if p.paired.column in whats
        )

    @property
    def tables(self) -> tuple[Table, ...]:
        tables = [
            result_table(self.rows, self.origins, self.regions, beta=self.beta),
            pairs_table(self.pairs, beta=self.beta),
        ]
        if self.published:
            tables.append(published_table([(p.paired, p.n_here, p.n_same) for p in self.published], beta=self.beta))
        return tuple(tables)


def whole(
    workspace: Workspace,
    topics: Sequence[str],
    origins: Sequence[Origin],
    wanted: Sequence[StudyVersion],
    scores: Mapping[StudyVersion, TopicScores],
    regions: Sequence[RegionKind],
    *,
    beta: float = 2.0,
) -> StringStudy:
    rows = rows_of(workspace, wanted, scores)
    made_up = {topic.topic_id for topic in workspace.store.topics() if topic.made_up}
    return StringStudy(
        origins=tuple(origins),
        regions=tuple(regions),
        rows=rows,
        pairs=tuple(
            paired_over(rows, a, b, what) for a, b in pairs_of(origins) for what in result_columns(tuple(regions))
        ),
        published=published_pairs(load_published_scores(workspace.store, topics), rows, pairs_of(origins)),
        left_out=without_origin(workspace, topics, origins),
        beware=beware(wanted),
        made_up=any(row.topic_id in made_up for row in rows),
        beta=beta,
    )


def _strings_whole_beside(published: PublishedPair) -> str:
    """Describe the agreement with our scores.

    Results that can't be compared are not counted as agreeing.
    """
    if not published.n_here:
        return "None of these topics can be compared here."
    if published.n_here == 1:
        return (
            f"1 of these topics can be compared here; it shows {'the same' if published.n_same else 'another'} "
            "direction."
        )
    shows = "shows" if published.n_same == 1 else "show"
    return (
        f"Of {published.n_here} of these topics that can be compared here, {published.n_same} {shows} the same "
        "direction."
    )


def report_of(study: StringStudy, whats: Sequence[TopicScoreColumn], *, clock: Clock = utc_now) -> ReportDocument:
    """Convert the study to a document, with remarks on the numbers first."""
    parts = [*study.sentences(whats), *(f"Caution: {topic}, {why}." for topic, why in study.beware)]
    return strings_report(
        study.tables, parts, study.left_out, made_at=clock(), made_with=MADE_WITH, made_up=study.made_up
    )
