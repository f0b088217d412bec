"""What the query writer works with. Ids and texts only: nothing here knows where they come from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from core.errors import InputError, SettingsError
from core.query.matching.matched import Semantics
from core.ranking.significance import Interval
from core.text import words
from core.types import Ids, Publication

ListName = Literal["specific", "general", "overarching", "excluded", "aside"]
"""specific: retrieves by itself. general: only together with what is overarching. excluded: stands behind a NOT.
aside: not in the string."""
LISTS: tuple[ListName, ...] = get_args(ListName)
IN_STRING: tuple[ListName, ...] = LISTS[:-1]
Joined = Literal["AND", "OR"]
Mode = Literal["strict", "moderate", "creative"]
"""How far from the topic keywords may go."""
Depth = Literal["quick", "usual", "deep"]
"""How much is read before keywords are proposed."""
Intent = Literal["bibliometric", "review"]
"""bibliometric: a whole field. review: what answers research questions."""
ReadingKind = Literal["core", "most_cited", "newest", "nearest", "supporting", "live"]
STATISTICS = "statistics"
"""In place of a reading and a model: counted in the corpus."""
MOST_TOPIC_WORDS = 60
MOST_DESCRIPTION_WORDS = 2_000
MOST_NEGATIVE = 50
MOST_QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or some words to look for."""

    text: str
    """As the string has it without quotes; wildcards are * and ?."""
    phrase: bool = True
    """Its words stand side by side; else all must occur, anywhere."""
    fields: tuple[str, ...] = ()
    """Where to look, as in `core.query.tree`; empty: in title, abstract and keywords."""

    @property
    def key(self) -> str:
        """The same for two spellings that ask for the same words: no list has two keywords with one key.

        >>> Keyword("Meta-Model").key == Keyword("meta model").key
        True
        """
        return " ".join(words(self.text)) or self.text.casefold()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Keywords in their lists; from it the string is made. No keyword stands in two lists."""

    specific: tuple[Keyword, ...] = ()
    general: tuple[Keyword, ...] = ()
    overarching: tuple[Keyword, ...] = ()
    excluded: tuple[Keyword, ...] = ()
    aside: tuple[Keyword, ...] = ()
    joined: Joined = "OR"
    """How several overarching keywords are joined."""

    def __post_init__(self) -> None:
        keys = [keyword.key for name in LISTS for keyword in self.of(name)]
        if len(set(keys)) != len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f'"{twice}" stands in the lists twice: keep one of them')

    def of(self, name: ListName) -> tuple[Keyword, ...]:
        """The keywords of one list."""
        found: tuple[Keyword, ...] = getattr(self, name)
        return found

    def list_of(self, key: str) -> ListName | None:
        """Where a keyword stands; None: nowhere."""
        return next((name for name in LISTS if any(k.key == key for k in self.of(name))), None)

    def moved(self, key: str, to: ListName, place: int | None = None) -> Sheet:
        """The same with a keyword in another list, at a place of it or at its end."""
        here = self.list_of(key)
        if here is None:
            raise InputError(f'"{key}" stands in no list')
        keyword = next(k for k in self.of(here) if k.key == key)
        return self.without(key).added(keyword, to, place)

    def added(self, keyword: Keyword, to: ListName, place: int | None = None) -> Sheet:
        """The same with one more keyword."""
        there = list(self.of(to))
        there.insert(len(there) if place is None else place, keyword)
        changed: dict[str, Any] = {to: tuple(there)}
        return replace(self, **changed)

    def without(self, key: str) -> Sheet:
        """The same without a keyword."""
        left: dict[str, Any] = {name: tuple(k for k in self.of(name) if k.key != key) for name in LISTS}
        return replace(self, **left)

    @property
    def n_in_string(self) -> int:
        """Keywords that the string has, if there is something to AND the general ones with."""
        return sum(len(self.of(name)) for name in IN_STRING)


@dataclass(frozen=True, slots=True)
class Brief:
    """What a string is wanted for."""

    topic: str
    """In words, as one would say it."""
    description: str = ""
    questions: tuple[str, ...] = ()
    """The research questions of a review."""
    negative: tuple[str, ...] = ()
    """Keywords of what is not wanted."""
    mode: Mode = "moderate"
    depth: Depth = "usual"
    intent: Intent = "bibliometric"
    semantics: Semantics = "literal"
    seed: int = 0
    """Of the choice which core publications are held out, and of whatever else is left to chance."""
    hold_out: bool = True
    """Half of the core publications is not told to whoever writes, and shows what was fitted to the other half."""

    def __post_init__(self) -> None:
        for name, kind in (("mode", Mode), ("depth", Depth), ("intent", Intent), ("semantics", Semantics)):
            if getattr(self, name) not in get_args(kind):
                raise SettingsError(f"{name} must be one of {', '.join(get_args(kind))}, got {getattr(self, name)}")
        n_words = len(words(self.topic))
        if not n_words:
            raise InputError("the topic is empty: say in a few words what you are looking for")
        if n_words > MOST_TOPIC_WORDS:
            raise InputError(
                f"the topic has {n_words:,} words: name it in {MOST_TOPIC_WORDS} at most and put the rest in the "
                "description"
            )
        if (n := len(words(self.description))) > MOST_DESCRIPTION_WORDS:
            raise InputError(f"the description has {n:,} words: {MOST_DESCRIPTION_WORDS:,} are read at most")
        if len(self.questions) > MOST_QUESTIONS:
            raise InputError(f"there are {len(self.questions)} research questions: {MOST_QUESTIONS} at most")
        if len(self.negative) > MOST_NEGATIVE:
            raise InputError(f"there are {len(self.negative)} negative keywords: {MOST_NEGATIVE} at most")


@dataclass(frozen=True, slots=True)
class Budget:
    """What writing may cost, and what a string must reach."""

    most_calls: int = 60
    """Questions to models. 0: none is asked, and the keywords come from the corpus."""
    most_publications: int | None = None
    """Size of what a string retrieves; None: as large as its score allows."""
    most_rounds: int = 5
    """Rounds of refinement. 0: none."""
    min_recall: float = 0.0
    """Share of the core publications in use that a string has to find, if any string does."""

    def __post_init__(self) -> None:
        for name in ("most_calls", "most_rounds"):
            if not isinstance(value := getattr(self, name), int) or value < 0:
                raise SettingsError(f"{name} must be 0 or more, a whole number, got {value}")
        if self.most_publications is not None and self.most_publications < 1:
            raise SettingsError(
                f"most_publications must be 1 or more, got {self.most_publications}: "
                "a string that may retrieve nothing finds nothing"
            )
        if not 0 <= self.min_recall <= 1:
            raise SettingsError(f"min_recall must be in [0, 1], got {self.min_recall:g}")


@dataclass(frozen=True, slots=True)
class Reading:
    """Publications that keywords are taken from, asked about by themselves so that no other reading drowns them."""

    kind: ReadingKind
    publications: tuple[Publication, ...]
    source: str = ""
    """Of a live one: the source's id."""
    note: str = ""
    """What has to be known of it, such as why it is shorter than wanted."""

    @property
    def reading_id(self) -> str:
        """What it is called wherever it is kept: "core", "live:openalex"."""
        return f"{self.kind}:{self.source}" if self.source else self.kind


@dataclass(frozen=True, slots=True)
class Proposal:
    """A keyword that somebody proposed."""

    keyword: Keyword
    reason: str
    """One sentence: the model's, or what was counted."""
    reading: str
    """`reading_id`, or STATISTICS."""
    model: str = ""
    """Who proposed it; empty: counted in the corpus."""
    to: Literal["specific", "general"] | None = None
    """Where the proposer would put it; None: it did not say."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Something that was proposed and is not taken unless a person asks for it."""

    text: str
    """As it came, cut if it is long."""
    why: str
    """One sentence."""
    reading: str
    model: str = ""
    keyword: Keyword | None = None
    """What of it can be taken; None: nothing."""


@dataclass(frozen=True, slots=True)
class Split:
    """Which core publications whoever writes may see."""

    used: Ids
    held_out: Ids
    """Empty: there are too few to hold any out, or nobody wanted it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A string against some core publications."""

    n_core: int
    n_found: int
    recall: float
    recall_interval: Interval
    semantic_precision: float | None
    """Under the region of these core publications; None: nothing retrieved can be scored, or there is no region."""
    f_beta: float | None


@dataclass(frozen=True, slots=True)
class Judged:
    """How one string stands."""

    n_retrieved: int
    used: Standing
    """Against the core publications that whoever wrote it has seen."""
    held_out: Standing | None
    """Against those that nobody who writes knows, with a region of their own; None: none were held out."""
    whole: Standing
    """Against all: the scores that every other page shows."""


@dataclass(frozen=True, slots=True)
class Gain:
    """One number of a string minus that of another."""

    value: float | None
    """None: one of the two is undefined."""
    interval: Interval | None
    """What fits if other core publications had been held out; None: too few for that."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval does not hold 0."""
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)


@dataclass(frozen=True, slots=True)
class Step:
    """One sheet on the way, with the string that it makes; each but the first comes from an earlier one."""

    number: int
    """From 0: the topic's name alone."""
    parent: int | None
    made_by: str
    """One phrase: "the topic's name", "corpus statistics", "demo (strict)", "adding street tree*", "by hand"."""
    sheet: Sheet
    text: str
    """In the plain dialect; empty where a sheet makes no string yet."""
    judged: Judged
    gain: Gain | None = None
    """F-beta on the held-out half against the topic's name; None: it is the topic's name, or none is held out."""
    label: str | None = None
    """The version it was saved as."""
    model: str = ""
    mode: Mode | None = None
    seed: int | None = None
    round: int | None = None
    """Of refinement; None: it is a candidate, or made by hand."""
    notes: tuple[str, ...] = field(default=())
    predicted: float | None = None
    """Of refinement: the change of F-beta on the used half that was expected of this change; None: nothing was."""
