"""Keyword sheets, briefs, budgets, and proposals, the search string of a sheet, and their JSON form."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, get_args

from core.documents import DocumentReader, as_document
from core.errors import InputError, SettingsError
from core.query.match import Semantics
from core.query.translation import WrittenQuery, write
from core.query.tree import ANY_ENDING, DialectId, Gap, Group, Node, Not, Pieces, Term, group_of
from core.stats import Interval
from core.text import HYPHENATED_WORD, STOP_WORDS, folded, words
from core.types import Ids, Publication

ListName = Literal["specific", "general", "overarching", "excluded", "aside"]
"""specific: retrieves by itself. general: only together with an overarching keyword. excluded: after a NOT.
aside: not in the string."""
LISTS: tuple[ListName, ...] = get_args(ListName)
IN_STRING: tuple[ListName, ...] = LISTS[:-1]
Joined = Literal["AND", "OR"]
Mode = Literal["strict", "moderate", "creative"]
"""The permitted breadth of keywords around the topic."""
Depth = Literal["quick", "usual", "deep"]
"""The amount of reading before keywords are proposed."""
Intent = Literal["bibliometric", "review"]
"""bibliometric: a whole field. review: answers to research questions."""
ReadingKind = Literal["core", "most_cited", "newest", "nearest", "supporting", "live"]
STATISTICS = "statistics"
"""In place of a reading and a model: counted in the corpus."""
MOST_TOPIC_WORDS = 60
MOST_DESCRIPTION_WORDS = 2_000
MOST_NEGATIVE = 50
MOST_QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class Keyword:
    text: str
    """As in the string, without quotes; wildcards are * and ?."""
    phrase: bool = True
    """Its words must be adjacent; otherwise all must occur, anywhere."""
    fields: tuple[str, ...] = ()
    """The fields to search, as in `core.query.tree`; empty: title, abstract and keywords."""

    @property
    def key(self) -> str:
        """A key shared by spellings of the same words: no list has two keywords with the same key.

        >>> Keyword("Meta-Model").key == Keyword("meta model").key
        True
        """
        return " ".join(words(self.text)) or self.text.casefold()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Lists of keywords, the source of a search string. No keyword is in two lists."""

    specific: tuple[Keyword, ...] = ()
    general: tuple[Keyword, ...] = ()
    overarching: tuple[Keyword, ...] = ()
    excluded: tuple[Keyword, ...] = ()
    aside: tuple[Keyword, ...] = ()
    joined: Joined = "OR"
    """The operator between several overarching keywords."""

    def __post_init__(self) -> None:
        keys = [keyword.key for name in LISTS for keyword in self.of(name)]
        if len(set(keys)) != len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f'"{twice}" is in the lists twice: keep one of them')

    def of(self, name: ListName) -> tuple[Keyword, ...]:
        found: tuple[Keyword, ...] = getattr(self, name)
        return found

    def list_of(self, key: str) -> ListName | None:
        return next((name for name in LISTS if any(k.key == key for k in self.of(name))), None)

    def moved(self, key: str, to: ListName, place: int | None = None) -> Sheet:
        here = self.list_of(key)
        if here is None:
            raise InputError(f'"{key}" is not in any list')
        keyword = next(k for k in self.of(here) if k.key == key)
        return self.without(key).added(keyword, to, place)

    def added(self, keyword: Keyword, to: ListName, place: int | None = None) -> Sheet:
        there = list(self.of(to))
        there.insert(len(there) if place is None else place, keyword)
        changed: dict[str, Any] = {to: tuple(there)}
        return replace(self, **changed)

    def without(self, key: str) -> Sheet:
        left: dict[str, Any] = {name: tuple(k for k in self.of(name) if k.key != key) for name in LISTS}
        return replace(self, **left)

    @property
    def n_in_string(self) -> int:
        """Keywords in the string, provided there is something to AND the general ones with."""
        return sum(len(self.of(name)) for name in IN_STRING)


@dataclass(frozen=True, slots=True)
class Brief:
    topic: str
    """In plain words."""
    description: str = ""
    questions: tuple[str, ...] = ()
    """The research questions of a review."""
    negative: tuple[str, ...] = ()
    """Keywords of unwanted subjects."""
    mode: Mode = "moderate"
    depth: Depth = "usual"
    intent: Intent = "bibliometric"
    semantics: Semantics = "literal"
    seed: int = 0
    """The seed for the choice of held-out core publications, and for all other random choices."""
    hold_out: bool = True
    """Hide half of the core publications from the writer, to reveal overfitting to the other half."""

    def __post_init__(self) -> None:
        for name, kind in (("mode", Mode), ("depth", Depth), ("intent", Intent), ("semantics", Semantics)):
            if getattr(self, name) not in get_args(kind):
                raise SettingsError(f"{name} must be one of {', '.join(get_args(kind))}, got {getattr(self, name)}")
        n_words = len(words(self.topic))
        if not n_words:
            raise InputError("the topic is empty: describe it in a few words")
        if n_words > MOST_TOPIC_WORDS:
            raise InputError(
                f"the topic has {n_words:,} words: use at most {MOST_TOPIC_WORDS} and put the rest in the description"
            )
        if (n := len(words(self.description))) > MOST_DESCRIPTION_WORDS:
            raise InputError(f"the description has {n:,} words: at most {MOST_DESCRIPTION_WORDS:,} are allowed")
        if len(self.questions) > MOST_QUESTIONS:
            raise InputError(
                f"there are {len(self.questions)} research questions: at most {MOST_QUESTIONS} are allowed"
            )
        if len(self.negative) > MOST_NEGATIVE:
            raise InputError(f"there are {len(self.negative)} keywords to exclude: at most {MOST_NEGATIVE} are allowed")


@dataclass(frozen=True, slots=True)
class WriterBudget:
    most_calls: int = 60
    """Requests to models. 0: none, and the keywords come from the corpus."""
    most_publications: int | None = None
    """The maximum number of retrieved publications; None: as many as the score allows."""
    most_rounds: int = 5
    """Rounds of refinement. 0: none."""
    min_recall: float = 0.0
    """The share of the core publications in use that a string must find, if any string does."""

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
class WriterReading:
    """Publications that keywords are taken from, in a request of their own, so that no other reading dominates."""

    kind: ReadingKind
    publications: tuple[Publication, ...]
    source: str = ""
    """The source's id, for a live reading."""
    note: str = ""
    """A note on the reading, such as the reason why it is shorter than requested."""

    @property
    def reading_id(self) -> str:
        """The id in storage: "core", "live:openalex"."""
        return f"{self.kind}:{self.source}" if self.source else self.kind


@dataclass(frozen=True, slots=True)
class KeywordProposal:
    keyword: Keyword
    reason: str
    """One sentence: the model's, or a description of the counts."""
    reading: str
    """`reading_id`, or STATISTICS."""
    model: str = ""
    """The model that proposed it; empty: counted in the corpus."""
    to: Literal["specific", "general"] | None = None
    """The list that the model suggested; None: not stated."""


@dataclass(frozen=True, slots=True)
class HeldBackProposal:
    """A proposal that is only accepted at a person's request."""

    text: str
    """As received, shortened if it is long."""
    why: str
    """One sentence."""
    reading: str
    model: str = ""
    keyword: Keyword | None = None
    """The keyword that can be accepted; None: none."""


@dataclass(frozen=True, slots=True)
class CoreSplit:
    """A division of core publications into those that the writer may see and those held out."""

    used: Ids
    held_out: Ids
    """Empty: there are too few to hold any out, or it was not requested."""


@dataclass(frozen=True, slots=True)
class CoreScores:
    n_core: int
    n_found: int
    recall: float
    recall_interval: Interval
    semantic_precision: float | None
    """By the region of these core publications; None: nothing retrieved can be scored, or there is no region."""
    f_beta: float | None


@dataclass(frozen=True, slots=True)
class StringScores:
    n_retrieved: int
    used: CoreScores
    """Against the core publications that the writer has seen."""
    held_out: CoreScores | None
    """Against those unknown to the writer, with a region of their own; None: none were held out."""
    whole: CoreScores
    """Against all: the scores that every other page shows."""


@dataclass(frozen=True, slots=True)
class Gain:
    """The difference of a number between two strings."""

    value: float | None
    """None: one of the two is undefined."""
    interval: Interval | None
    """Plausible values if other core publications had been held out; None: too few for an interval."""

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0."""
        return self.interval is not None and self.interval.excludes_zero


@dataclass(frozen=True, slots=True)
class SheetStep:
    """One sheet in a session, with its string; each but the first is derived from an earlier one."""

    number: int
    """From 0: the topic's name alone."""
    parent: int | None
    made_by: str
    """One phrase: "the topic's name", "corpus statistics", "demo (strict)", "adding street tree*", "by hand"."""
    sheet: Sheet
    text: str
    """In the plain dialect; empty if the sheet has no string yet."""
    judged: StringScores
    gain: Gain | None = None
    """F-beta on the held-out half against the topic's name; None: it is the topic's name, or none is held out."""
    label: str | None = None
    """The label of the version that it was saved as."""
    model: str = ""
    mode: Mode | None = None
    seed: int | None = None
    round: int | None = None
    """Of refinement; None: it is a candidate, or made by hand."""
    notes: tuple[str, ...] = field(default=())
    predicted: float | None = None
    """For refinement: the expected change of F-beta on the used half; None: no expectation."""


# The search string of a sheet: specific OR (general AND overarching), without excluded keywords.

_WILDCARD = re.compile(r"([*?])")
OPERATORS = frozenset({"and", "or", "not", "near", "adj", "pre", "w", "xor", "same"})
"""In lower case: words that some dialect reads as an operator."""


def term_of(keyword: Keyword) -> Term:
    """Convert a keyword to a term of the query language.

    >>> term_of(Keyword("street tree*")).pieces
    ('street tree', Gap(least=0, most=None))
    """
    signs = {"*": ANY_ENDING, "?": Gap(1, 1)}
    pieces: Pieces = tuple(signs.get(part, part) for part in _WILDCARD.split(keyword.text) if part)
    return Term(pieces, quoted=keyword.phrase and " " in keyword.text, fields=keyword.fields)


def tree_of(sheet: Sheet) -> Node | None:
    """Build the query of a sheet; None: it is empty. General keywords wait for an overarching one.

    >>> sheet = Sheet(specific=(Keyword("urban forest"),), general=(Keyword("shade"),), overarching=(Keyword("tree"),))
    >>> write(tree_of(sheet), "plain").text
    '"urban forest" OR (shade AND tree)'
    """
    alternatives: list[Node] = [term_of(keyword) for keyword in sheet.specific]
    if sheet.general and sheet.overarching:
        general = group_of("OR", [term_of(keyword) for keyword in sheet.general])
        over = group_of(sheet.joined, [term_of(keyword) for keyword in sheet.overarching])
        alternatives.append(Group("AND", (general, over)))
    if not alternatives:
        return None
    wanted = group_of("OR", alternatives)
    if not sheet.excluded:
        return wanted
    return Group("AND", (wanted, Not(group_of("OR", [term_of(keyword) for keyword in sheet.excluded]))))


def text_of(sheet: Sheet, dialect: DialectId = "plain") -> WrittenQuery:
    """Write the string in a dialect, with notes on inexact translations; the text of an empty sheet is empty."""
    tree = tree_of(sheet)
    return WrittenQuery("") if tree is None else write(tree, dialect)


def topic_keyword(topic: str) -> Keyword:
    """Turn a topic's name into a keyword whose words must all occur, without stop words and operators if possible.

    >>> topic_keyword("Urban heat and street trees").text
    'Urban heat street trees'
    """
    first: dict[str, str] = {}
    for word in HYPHENATED_WORD.findall(unicodedata.normalize("NFKC", topic)):
        first.setdefault(folded(word), word)
    found = list(first.values())
    telling = [word for word in found if folded(word) not in STOP_WORDS | OPERATORS]
    return Keyword(" ".join(telling or found) or " ".join(topic.split()), phrase=len(telling or found) < 2)


def baseline_sheet(topic: str) -> Sheet:
    """Build the sheet of the topic's name alone, the baseline for every other string."""
    return Sheet(specific=(topic_keyword(topic),))


# JSON documents of the query writer's data, for the store and for readers of `--json`.
#
# A document has one key for each field, with the field's name.

T = TypeVar("T")
MOST_IN_LIST = 10_000
"""The maximum number of values in a list."""
LONGEST_TEXT = 200_000
"""The maximum number of characters in a text."""


def read_brief(document: object) -> Brief:
    return _read(document, Brief, "brief")


def read_budget(document: object) -> WriterBudget:
    return _read(document, WriterBudget, "budget")


def read_proposal(document: object) -> KeywordProposal:
    return _read(document, KeywordProposal, "proposal")


def read_held_back(document: object) -> HeldBackProposal:
    return _read(document, HeldBackProposal, "held back")


def gain_document(gain: Gain) -> dict[str, Any]:
    """Convert a gain, with `is_clear`: true if its interval excludes 0."""
    return {**as_document(gain), "is_clear": gain.is_clear}


def step_document(step: SheetStep) -> dict[str, Any]:
    return {**as_document(step), "gain": None if step.gain is None else gain_document(step.gain)}


def read_step(document: object) -> SheetStep:
    if isinstance(document, dict) and "gain" in document:
        document = {**document, "gain": _without_clear(document["gain"])}
    return _read(document, SheetStep, "step")


def _without_clear(document: object) -> object:
    """Drop `is_clear`, which follows from the interval, so it is written but not read."""
    return {k: v for k, v in document.items() if k != "is_clear"} if isinstance(document, dict) else document


def _read(document: object, cls: type[T], name: str) -> T:
    return DocumentReader(name, most_items=MOST_IN_LIST, longest_text=LONGEST_TEXT).read(document, cls)
