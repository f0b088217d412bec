"""What a judge is asked, what it says, and what becomes of that.

A judge grades one triple at a time: a query, a title and an abstract. What can't be read is never turned into a grade.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import MisalignedError, SettingsError
from core.ranking.types import Query
from core.types import Ids

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
    """One level of a rubric."""

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
        """What counts as a grade."""
        return tuple(grade.points for grade in self.grades)

    @property
    def shown_max(self) -> int:
        """The highest score that is shown."""
        return self.grades[-1].points * self.shown_factor

    def shown(self, points: float) -> float:
        """Points as people see them."""
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

    @property
    def engines(self) -> Ids:
        """In the order in which they come."""
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
    """A candidate with what came of it."""

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
