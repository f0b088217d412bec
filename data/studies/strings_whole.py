"""A comparison of strings over topics, whole: rows, differences, what was published, and the file of all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.audit.whole import MADE_WITH, Document, Table
from core.studies.core_sets import Column, TopicScores
from core.studies.strings import (
    Paired,
    TopicStrings,
    gain_sentence,
    paired_over,
    pairs_of,
    pairs_table,
    published_table,
    result_columns,
    result_table,
    sentence_of,
    strings_report,
)
from core.types import Origin, RegionKind
from data.clock import Clock, utc_now
from data.studies.published import load_published_scores
from data.studies.scores import Wanted, without_origin
from data.studies.strings import beware, rows_of
from data.studies.strings_published import PublishedPair, published_pairs
from data.workspace import Workspace

PUBLISHED_BETA = 2.0


@dataclass(frozen=True, eq=False)
class StringStudy:
    """Strings of some origins over the topics that have one of each."""

    origins: tuple[Origin, ...]
    regions: tuple[RegionKind, ...]
    rows: tuple[TopicStrings, ...]
    pairs: tuple[Paired, ...]
    """Every number of every two origins."""
    published: tuple[PublishedPair, ...]
    left_out: tuple[tuple[str, str], ...]
    """Topics that take no part, each with the reason."""
    beware: tuple[tuple[str, str], ...]
    """Topics whose numbers are to be read with care, each with the reason."""
    made_up: bool
    """All or some of it is for demonstration."""
    beta: float = 2.0

    def pair(self, a: Origin, b: Origin, what: Column) -> Paired:
        """One comparison."""
        return next(p for p in self.pairs if (p.a, p.b, p.column) == (a, b, what))

    def sentences(self, whats: Sequence[Column]) -> tuple[str, ...]:
        """What it says about these numbers, and about the held-out halves."""
        said = [sentence_of(self.pair(a, b, what), beta=self.beta) for what in whats for a, b in pairs_of(self.origins)]
        gain = gain_sentence(self.rows) if "generated" in self.origins else None
        return (*said, *self.published_sentences(whats), *([gain] if gain else ()))

    def published_sentences(self, whats: Sequence[Column]) -> tuple[str, ...]:
        """What was published about these numbers, and in how many topics it is the same here."""
        return tuple(
            f"As published, {sentence_of(p.paired, beta=PUBLISHED_BETA)} {_beside(p)}"
            for p in self.published
            if p.paired.column in whats
        )

    @property
    def tables(self) -> tuple[Table, ...]:
        """Results, differences, and what was published if anything was."""
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
    wanted: Sequence[Wanted],
    scores: Mapping[Wanted, TopicScores],
    regions: Sequence[RegionKind],
    *,
    beta: float = 2.0,
) -> StringStudy:
    """From the scores of what is compared."""
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


def _beside(published: PublishedPair) -> str:
    """How often it is the same here.

    Of what can't be compared here nothing is said to agree.
    """
    if not published.n_here:
        return "None of these topics can be compared here."
    if published.n_here == 1:
        return f"1 of these topics can be compared here; it goes {'the same' if published.n_same else 'another'} way."
    goes = "goes" if published.n_same == 1 else "go"
    return f"Of {published.n_here} of these topics that can be compared here, {published.n_same} {goes} the same way."


def report_of(study: StringStudy, whats: Sequence[Column], *, clock: Clock = utc_now) -> Document:
    """The same as a document, with what is said about these numbers at its head."""
    said = [*study.sentences(whats), *(f"Read with care: {topic}, {why}." for topic, why in study.beware)]
    return strings_report(
        study.tables, said, study.left_out, made_at=clock(), made_with=MADE_WITH, made_up=study.made_up
    )
