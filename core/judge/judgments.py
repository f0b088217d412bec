"""Judge settings, requests, and judgments, and the fields of candidates to be judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from core.collections import Judgment, Query
from core.errors import InputError, MisalignedError, SettingsError
from core.types import Ids

# A judge's requests, its answers, and the grades that result.
#
# A judge grades one triple at a time: a query, a title and an abstract. An unreadable answer is never turned into a
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
    "repaired": "graded on the second request",
    "no_abstract": "no abstract: graded by the title alone, or not judged",
    "invalid_json": "unreadable answer",
    "invalid_scale": "a grade outside the rubric",
    "refused": "the model refused",
    "truncated": "answer cut off at the token limit",
    "filtered": "blocked by the service's filter",
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
    """The definition of the grade, for the judge and for readers."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """The definition of a grading scale. Points rise by one from the first grade."""

    rubric_id: str
    name: str
    task: str
    """The task of the judge, in a sentence or two."""
    weigh: tuple[str, ...]
    """Rules for the judge to weigh."""
    grades: tuple[Grade, ...]
    """In ascending order."""
    shown_factor: int = 1
    """Displayed grades are points times this factor."""

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
    """A judge, with all settings that change its answers."""

    model: str
    """The model's name at the service, or "demo"."""
    rubric_id: str
    order: Order = "score_first"
    temperature: float = 0.01
    max_tokens: int = 4096
    without_abstract: WithoutAbstract = "grade"
    """Treatment of a publication without an abstract: graded by its title, or skipped."""
    repeat: int = 0
    """Repeat index; another number asks the same again, to measure the judge's consistency."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise SettingsError('choose a judge model: its name at the service, or "demo"')
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
    """The texts to grade. The same texts are the same triple, regardless of the engine."""

    query: str
    title: str
    abstract: str
    """Empty if there is none."""


@dataclass(frozen=True, slots=True)
class TripleVerdict:
    """The outcome for one triple."""

    status: Status
    points: int | None = None
    """None: there is no grade and no substitute for it."""
    confidence: int | None = None
    """0 to 10, as stated by the judge; None if not stated."""
    reason: str = ""
    """The judge's sentence, or the problem."""

    def __post_init__(self) -> None:
        graded = self.points is not None
        if graded and self.status not in ("ok", "repaired", "no_abstract"):
            raise MisalignedError(f"points {self.points} but status {self.status}")
        if not graded and self.status in ("ok", "repaired"):
            raise MisalignedError(f"no points but status {self.status}")

    @property
    def is_valid(self) -> bool:
        """True if it has a grade: only grades that were actually given count."""
        return self.points is not None


@dataclass(frozen=True, slots=True)
class JudgeCandidate:
    """A publication at a rank of an engine's answer to a query."""

    engine: str
    """A retriever, a query version or a search engine, by its displayed name."""
    query_id: str
    rank: int
    """From 1."""
    doc_id: str
    title: str
    abstract: str


@dataclass(frozen=True, eq=False)
class JudgeField:
    """Everything to be judged: queries, and the answers of every engine."""

    name: str
    queries: tuple[Query, ...]
    """A query's labels are its dimensions."""
    candidates: tuple[JudgeCandidate, ...]
    """By engine, then query in order, then rank."""
    notes: tuple[str, ...] = ()
    """Notes for readers of the results: samples, arbitrary orders, unanswered queries."""
    not_asked: Mapping[str, Ids] = field(default_factory=dict)
    """Queries that each engine was never asked; a query that was asked without a result is unanswered instead."""
    not_run: Mapping[str, str] = field(default_factory=dict)
    """Engines that could not run, with the reason: "needs ..." or "stopped: ..."."""

    @property
    def engines(self) -> Ids:
        return tuple(dict.fromkeys(candidate.engine for candidate in self.candidates))


@dataclass(frozen=True, slots=True)
class GradeOverride:
    """A person's grade that replaces a judge's."""

    triple_key: str
    points: int | None
    """None: the overruling is withdrawn, and the judge's grade counts again."""
    who: str
    why: str
    made_at: str


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    candidate: JudgeCandidate
    triple_key: str
    verdict: TripleVerdict | None
    """None: not requested yet."""
    overruled: GradeOverride | None = None
    """The overruling that currently counts."""

    @property
    def points(self) -> int | None:
        """The grade that counts: a person's grade before the judge's."""
        if self.overruled is not None and self.overruled.points is not None:
            return self.overruled.points
        return None if self.verdict is None else self.verdict.points


# Combination of fields to be judged.

USUAL_K = 10
"""The default number of publications per answer."""
MOST_ENGINES = 100
"""About 5,000 pairs."""


def checked_k(k: int) -> int:
    if not 1 <= k <= 10_000:
        raise InputError(f"k must be from 1 to 10,000 publications for each answer, got {k:,}")
    return k


def joined(fields: Sequence[JudgeField]) -> JudgeField:
    """Combine several fields into one: a query that occurs in two of them is one query.

    If engines with the same name answer the same query in two fields, the later engine's name gets its field's name
    added. One id for two wordings is an error, and so are more engines than can be compared.
    """
    if not fields:
        raise InputError("nothing to combine: choose at least one thing to judge")
    for each in fields:
        _check_engines(each.engines)
    if len(fields) == 1:
        return fields[0]
    queries: dict[str, Query] = {}
    taken: set[tuple[str, str]] = set()
    candidates: list[JudgeCandidate] = []
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
    made = JudgeField(
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
            f"can't compare {len(engines):,} engines (at most {MOST_ENGINES}): choose fewer, or check whether "
            "each row of the results file names its own engine"
        )


def _same(known: Query | None, query: Query) -> Query:
    if known is None:
        return query
    if known.text != query.text:
        raise InputError(
            f'the id "{query.query_id[:60]}" is used for two queries, "{known.text[:60]}" and '
            f'"{query.text[:60]}": give one of them another id'
        )
    return replace(known, labels=tuple(dict.fromkeys((*known.labels, *query.labels))))


def _names(field: JudgeField, taken: set[tuple[str, str]]) -> Mapping[str, str]:
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


def _ordered(candidates: Iterable[JudgeCandidate], queries: Iterable[str]) -> tuple[JudgeCandidate, ...]:
    """Sort by engine in order of appearance, then query, then rank."""
    found = list(candidates)
    engine_place = {engine: place for place, engine in enumerate(dict.fromkeys(each.engine for each in found))}
    query_place = {query_id: place for place, query_id in enumerate(queries)}
    return tuple(sorted(found, key=lambda c: (engine_place[c.engine], query_place[c.query_id], c.rank)))


# Grades as relevance judgments, for programs that score rankings with such judgments.


@dataclass(frozen=True, slots=True)
class GradeMap:
    relevances: tuple[tuple[int, int], ...]
    """Points and their relevance, in ascending order of points."""
    sentence: str
    """A description for readers of the file."""
    name: str
    """For a file name: letters, digits and hyphens."""

    def relevance(self, points: int) -> int:
        for own, relevance in self.relevances:
            if own == points:
                return relevance
        raise InputError(f"grade {points} is not in the mapping: {self.table}")

    @property
    def table(self) -> str:
        return ", ".join(f"{points} becomes {relevance}" for points, relevance in self.relevances)


def as_they_are(rubric: Rubric) -> GradeMap:
    """Map each grade to its points; the lowest grade is not relevant.

    A rubric that does not begin at 0 is shifted, because programs that read judgments treat 0 and below as not
    relevant.
    """
    lowest = rubric.points[0]
    pairs = tuple((points, points - lowest) for points in rubric.points)
    moved = f" minus {lowest}" if lowest else ""
    return GradeMap(pairs, f"relevance is the grade{moved}; 0 is not relevant", "grades")


def from_grade(rubric: Rubric, points: int) -> GradeMap:
    """Map grades from this one up to 1, and the others to 0."""
    if points not in rubric.points[1:]:
        above = ", ".join(map(str, rubric.points[1:]))
        raise SettingsError(f"the lowest relevant grade must be one of {above}, got {points}")
    pairs = tuple((own, int(own >= points)) for own in rubric.points)
    return GradeMap(pairs, f"relevance is 1 from grade {points} up, else 0", f"relevant-from-{points}")


@dataclass(frozen=True, slots=True)
class Relevances:
    judgments: tuple[Judgment, ...]
    """One for each pair of query and publication, in the order of the run."""
    n_without_grade: int
    """Pairs left out because they have no grade; never counted as not relevant."""
    n_of_people: int
    """Judgments based on a person's grade."""
    n_differing: int
    """Pairs with different texts at different engines and different grades; the first engine's grade is used."""


def relevances(
    judged: Sequence[JudgedCandidate], grade_map: GradeMap, *, engines: Collection[str] | None = None
) -> Relevances:
    """Return the judgment of each pair of query and publication. `engines`: only from these engines.

    A pair without a grade has no judgment. The same id with two titles means two publications, which one line can't
    distinguish: that is an error.
    """
    pairs: dict[tuple[str, str], dict[str, JudgedCandidate]] = {}
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


def _check_is_one(several: Sequence[JudgedCandidate]) -> None:
    first = several[0].candidate
    for other in (each.candidate for each in several[1:]):
        if first.title.casefold().split() != other.title.casefold().split():
            raise InputError(
                f'id "{first.doc_id[:60]}" of query "{first.query_id[:60]}" is "{first.title[:60]}" for '
                f'{first.engine[:60]} and "{other.title[:60]}" for {other.engine[:60]}: choose one '
                "engine, or give the publications different ids"
            )
