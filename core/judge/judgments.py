"""Judge settings, requests, and judgments, and the fields of candidates to be judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from core.collections import Judgment, Query
from core.errors import InputError, MisalignedError, SettingsError
from core.types import Ids

# What a judge is asked, what it says, and what becomes of that.
#
# A judge grades one triple at a time: a query, a title and an abstract. What can't be read is never turned into a
# grade.

Status = Literal[
    "ok",
    "repaired",
    "no_abstract",
    "invalid_json",
    "invalid_scale",
    "refused",
    "truncated",
    "filtered",
    "http_error",
]
STATUSES: tuple[Status, ...] = get_args(Status)
STATUS_WORDS: Mapping[Status, str] = {
    "ok": "graded",
    "repaired": "graded when asked again",
    "no_abstract": "no abstract: graded by the title alone, or not asked",
    "invalid_json": "an answer that can't be read",
    "invalid_scale": "a grade that the rubric does not have",
    "refused": "the model refused",
    "truncated": "the answer broke off at the token limit",
    "filtered": "held back by the service's filter",
    "http_error": "the service failed",
}
Order = Literal["score_first", "reason_first"]
ORDERS: tuple[Order, ...] = get_args(Order)
WithoutAbstract = Literal["grade", "skip"]
HIGHEST_CONFIDENCE = 10


@dataclass(frozen=True, slots=True)
class Grade:
    points: int
    name: str
    text: str
    """When it is given, for the judge and for readers."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """What grades mean. Points rise by one from the first grade."""

    rubric_id: str
    name: str
    task: str
    """What the judge is to do, in a sentence or two."""
    weigh: tuple[str, ...]
    """What it has to weigh, one rule each."""
    grades: tuple[Grade, ...]
    """In ascending order."""
    shown_factor: int = 1
    """Points are shown times this."""

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(grade.points for grade in self.grades)

    @property
    def shown_max(self) -> int:
        return self.grades[-1].points * self.shown_factor

    def shown(self, points: float) -> float:
        return points * self.shown_factor


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """A judge, and all that changes what it says."""

    model: str
    """Its name at the service, or "demo"."""
    rubric_id: str
    order: Order = "score_first"
    temperature: float = 0.01
    max_tokens: int = 4096
    without_abstract: WithoutAbstract = "grade"
    """What becomes of a publication without an abstract: graded by its title, or not asked."""
    repeat: int = 0
    """Another number asks the same again, to see how steady the judge is."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise SettingsError('a judge needs a model: its name at the service, or "demo"')
        if self.order not in ORDERS:
            raise SettingsError(f'order must be one of {", ".join(ORDERS)}, got "{self.order}"')
        if not 0 <= self.temperature <= 2:
            raise SettingsError(f"temperature must be in [0, 2], got {self.temperature}")
        if not 16 <= self.max_tokens <= 1_000_000:
            raise SettingsError(f"max_tokens must be in [16, 1000000], got {self.max_tokens}")
        if self.repeat < 0:
            raise SettingsError(f"repeat must be 0 or more, got {self.repeat}")


@dataclass(frozen=True, slots=True)
class Triple:
    """What is graded. The same texts are the same triple, whoever found it."""

    query: str
    title: str
    abstract: str
    """Empty where there is none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one triple."""

    status: Status
    points: int | None = None
    """None: there is no grade, and nothing stands for it."""
    confidence: int | None = None
    """0 to 10, as the judge says; None where it does not say."""
    reason: str = ""
    """The judge's sentence, or what went wrong."""

    def __post_init__(self) -> None:
        graded = self.points is not None
        if graded and self.status not in ("ok", "repaired", "no_abstract"):
            raise MisalignedError(f"points {self.points} but status {self.status}")
        if not graded and self.status in ("ok", "repaired"):
            raise MisalignedError(f"no points but status {self.status}")

    @property
    def is_valid(self) -> bool:
        """Whether it counts: only grades that were really given do."""
        return self.points is not None


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an engine put at a rank of its answer to a query."""

    engine: str
    """A retriever, a query version or a search engine, by the name that is shown."""
    query_id: str
    rank: int
    """From 1."""
    doc_id: str
    title: str
    abstract: str


@dataclass(frozen=True, eq=False)
class Field:
    """Everything that is to be judged: queries, and what every engine answered to them."""

    name: str
    queries: tuple[Query, ...]
    """A query's labels are its dimensions."""
    candidates: tuple[Candidate, ...]
    """By engine, then query in their order, then rank."""
    notes: tuple[str, ...] = ()
    """What a reader of the results has to know: samples, orders that mean nothing, queries without an answer."""
    not_asked: Mapping[str, Ids] = field(default_factory=dict)
    """By engine, queries that it was never asked; one that it was asked and has nothing for is unanswered."""
    not_run: Mapping[str, str] = field(default_factory=dict)
    """Engines that could not run, and why: "needs ..." or "stopped: ..."."""

    @property
    def engines(self) -> Ids:
        return tuple(dict.fromkeys(candidate.engine for candidate in self.candidates))


@dataclass(frozen=True, slots=True)
class Overrule:
    """A person's grade in the place of a judge's."""

    triple_key: str
    points: int | None
    """None: the overruling is taken back, and the judge's grade counts again."""
    who: str
    why: str
    made_at: str


@dataclass(frozen=True, slots=True)
class Judged:
    candidate: Candidate
    triple_key: str
    verdict: Verdict | None
    """None: not asked yet."""
    overruled: Overrule | None = None
    """The one that counts now."""

    @property
    def points(self) -> int | None:
        """What counts: a person's grade before the judge's."""
        if self.overruled is not None and self.overruled.points is not None:
            return self.overruled.points
        return None if self.verdict is None else self.verdict.points


# Fields to be judged, put together.

USUAL_K = 10
"""Of each answer, where nobody says how many."""
MOST_ENGINES = 100
"""Some 5,000 pairs."""


def checked_k(k: int) -> int:
    if not 1 <= k <= 10_000:
        raise InputError(f"from 1 to 10,000 of each answer can be judged, got {k:,}")
    return k


def joined(fields: Sequence[Field]) -> Field:
    """Several fields as one: the same query in two of them is one query.

    Where an engine of the same name answers the same query in two of them, that of the later one is called by its field
    too. One id for two wordings is an error, and so are more engines than can be compared.
    """
    if not fields:
        raise InputError("there is nothing to put together: choose at least one thing to judge")
    for each in fields:
        _check_engines(each.engines)
    if len(fields) == 1:
        return fields[0]
    queries: dict[str, Query] = {}
    taken: set[tuple[str, str]] = set()
    candidates: list[Candidate] = []
    asked: dict[str, set[str]] = {}
    for part in fields:
        for query in part.queries:
            queries[query.query_id] = _same(queries.get(query.query_id), query)
        names = _names(part, taken)
        candidates += [replace(each, engine=names[each.engine]) for each in part.candidates]
        taken |= {(names[each.engine], each.query_id) for each in part.candidates}
        for engine, name in names.items():
            asked.setdefault(name, set()).update(
                {query.query_id for query in part.queries} - set(part.not_asked.get(engine, ()))
            )
    made = Field(
        " and ".join(dict.fromkeys(each.name for each in fields)),
        tuple(queries.values()),
        _ordered(candidates, queries),
        tuple(dict.fromkeys(note for each in fields for note in each.notes)),
        {
            name: left_out
            for name, known in asked.items()
            if (left_out := tuple(query_id for query_id in queries if query_id not in known))
        },
        {engine: why for each in fields for engine, why in each.not_run.items()},
    )
    _check_engines(made.engines)
    return made


def _check_engines(engines: Ids) -> None:
    if len(engines) > MOST_ENGINES:
        raise InputError(
            f"{len(engines):,} engines can't be compared, up to {MOST_ENGINES} can: choose fewer, or see whether each "
            "row of a file of results names its own"
        )


def _same(known: Query | None, query: Query) -> Query:
    if known is None:
        return query
    if known.text != query.text:
        raise InputError(
            f'the id "{query.query_id[:60]}" stands for two queries, "{known.text[:60]}" and "{query.text[:60]}": '
            "give one of them another id"
        )
    return replace(known, labels=tuple(dict.fromkeys((*known.labels, *query.labels))))


def _names(field: Field, taken: set[tuple[str, str]]) -> Mapping[str, str]:
    answered: dict[str, set[str]] = {}
    for each in field.candidates:
        answered.setdefault(each.engine, set()).add(each.query_id)
    names: dict[str, str] = {}
    for engine, query_ids in answered.items():
        name, number = engine, 1
        while any((name, query_id) in taken for query_id in query_ids) or name in names.values():
            name = f"{engine} ({field.name})" if number == 1 else f"{engine} ({field.name}, {number})"
            number += 1
        names[engine] = name
    return names


def _ordered(candidates: Iterable[Candidate], queries: Iterable[str]) -> tuple[Candidate, ...]:
    """By engine as they came, then query, then rank."""
    found = list(candidates)
    engine_place = {engine: place for place, engine in enumerate(dict.fromkeys(each.engine for each in found))}
    query_place = {query_id: place for place, query_id in enumerate(queries)}
    return tuple(sorted(found, key=lambda c: (engine_place[c.engine], query_place[c.query_id], c.rank)))


# Grades as judgments: how relevant a publication is to a query, for programs that score rankings by such truth.


@dataclass(frozen=True, slots=True)
class GradeMap:
    relevances: tuple[tuple[int, int], ...]
    """Points and the relevance that stands for them, in ascending order of points."""
    sentence: str
    """For whoever reads the file."""
    name: str
    """For the name of a file: letters, digits and hyphens."""

    def relevance(self, points: int) -> int:
        for own, relevance in self.relevances:
            if own == points:
                return relevance
        raise InputError(f"grade {points} is none of those that are mapped: {self.table}")

    @property
    def table(self) -> str:
        return ", ".join(f"{points} becomes {relevance}" for points, relevance in self.relevances)


def as_they_are(rubric: Rubric) -> GradeMap:
    """Relevance is the points; the lowest grade is not relevant.

    A rubric that does not begin at 0 is moved, because programs that read judgments take 0 and below for not relevant.
    """
    lowest = rubric.points[0]
    pairs = tuple((points, points - lowest) for points in rubric.points)
    moved = f", less {lowest}" if lowest else ""
    return GradeMap(pairs, f"relevance is the grade{moved}; 0 is not relevant", "grades")


def from_grade(rubric: Rubric, points: int) -> GradeMap:
    """1 from this grade up, else 0."""
    if points not in rubric.points[1:]:
        above = ", ".join(map(str, rubric.points[1:]))
        raise SettingsError(f"relevant from a grade up: that grade must be one of {above}, got {points}")
    pairs = tuple((own, int(own >= points)) for own in rubric.points)
    return GradeMap(pairs, f"relevance is 1 from grade {points} up, else 0", f"relevant-from-{points}")


@dataclass(frozen=True, slots=True)
class Relevances:
    judgments: tuple[Judgment, ...]
    """One for each pair of query and publication, in the order of the run."""
    n_without_grade: int
    """Pairs left out because nobody graded them; never counted as not relevant."""
    n_of_people: int
    """Judgments that a person's grade made."""
    n_differing: int
    """Pairs that engines give with other texts and that were graded differently; the first engine's grade was taken."""


def relevances(judged: Sequence[Judged], grade_map: GradeMap, *, engines: Collection[str] | None = None) -> Relevances:
    """What counts of each pair of query and publication. `engines`: of these alone.

    A pair without a grade has no judgment. The same id with two titles is two publications, which one line can't tell
    apart: that is refused.
    """
    pairs: dict[tuple[str, str], dict[str, Judged]] = {}
    for each in judged:
        if engines is None or each.candidate.engine in engines:
            pair = (each.candidate.query_id, each.candidate.doc_id)
            pairs.setdefault(pair, {}).setdefault(each.triple_key, each)
    made: list[Judgment] = []
    n_without = n_people = n_differing = 0
    for (query_id, doc_id), several in pairs.items():
        _check_is_one(list(several.values()))
        graded = [(each, each.points) for each in several.values() if each.points is not None]
        if not graded:
            n_without += 1
            continue
        first, points = graded[0]
        made.append(Judgment(query_id, doc_id, grade_map.relevance(points)))
        n_people += first.overruled is not None and first.overruled.points is not None
        n_differing += len({points for _, points in graded}) > 1
    return Relevances(tuple(made), n_without, n_people, n_differing)


def _check_is_one(several: Sequence[Judged]) -> None:
    first = several[0].candidate
    for other in (each.candidate for each in several[1:]):
        if first.title.casefold().split() != other.title.casefold().split():
            raise InputError(
                f'id "{first.doc_id[:60]}" of query "{first.query_id[:60]}" is "{first.title[:60]}" at '
                f'{first.engine[:60]} and "{other.title[:60]}" at {other.engine[:60]}: choose one engine, or give '
                "publications ids of their own"
            )
