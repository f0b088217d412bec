"""Grades as judgments: how relevant a publication is to a query, for programs that score rankings by such truth."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.errors import InputError, SettingsError
from core.judging.types import Judged, Rubric
from core.ranking.types import Judgment


@dataclass(frozen=True, slots=True)
class GradeMap:
    """What each grade becomes, and how that is said."""

    relevances: tuple[tuple[int, int], ...]
    """Points and the relevance that stands for them, in ascending order of points."""
    sentence: str
    """For whoever reads the file."""
    name: str
    """For the name of a file: letters, digits and hyphens."""

    def relevance(self, points: int) -> int:
        """What a grade becomes."""
        for own, relevance in self.relevances:
            if own == points:
                return relevance
        raise InputError(f"grade {points} is none of those that are mapped: {self.table}")

    @property
    def table(self) -> str:
        """Every grade with what it becomes."""
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
    """Judgments made of grades, and what became of the rest."""

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
