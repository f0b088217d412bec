"""Search for the sheet with the best search string, starting from unsorted keywords."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.metrics import decay, f_beta
from core.query.contributions import Stakes, counts
from core.query.match import Bits, Corpus, Semantics, count, none_of, rows_of
from core.text import STOP_WORDS, words
from core.types import Floats, Mask
from core.writer.sheets import Brief, Joined, Keyword, ListName, Mode, Sheet, WriterBudget, term_of


@dataclass(frozen=True, eq=False)
class KeywordLookup:
    """A cached lookup of the publications that match a keyword; one that can't be tested in the corpus matches none."""

    corpus: Corpus
    semantics: Semantics
    _known: dict[Keyword, Bits] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return len(self.corpus.ids)

    def __call__(self, keyword: Keyword) -> Bits:
        if keyword not in self._known:
            found = self.corpus.look_up(term_of(keyword), self.semantics)
            self._known[keyword] = none_of(self.n) if found is None else found
        return self._known[keyword]

    def any_of(self, keywords: Iterable[Keyword], joined: Joined = "OR") -> Bits:
        """Return the publications that match any of the keywords, or all; none if there is no keyword."""
        sets = [self(keyword) for keyword in keywords]
        if not sets:
            return none_of(self.n)
        together: Bits = (np.bitwise_or if joined == "OR" else np.bitwise_and).reduce(sets)
        return together

    def retrieved(self, sheet: Sheet) -> Bits:
        general = self.any_of(sheet.general) & self.any_of(sheet.overarching, sheet.joined)
        return (self.any_of(sheet.specific) | general) & ~self.any_of(sheet.excluded)


# The value of a string in a search: F-beta that depends on more than a few core publications.
#
# A search that can choose among thousands of strings finds one that fits the core publications it can see and no
# others. So recall here combines the core publications in use with the share of the region that is found, a keyword
# needs the support of more than one core publication, and every keyword has a price: a low one if it is related to the
# topic's name, a higher one if only this corpus supports it, because elsewhere it may retrieve anything.

PRIOR = 10.0
"""The weight, in core publications, of the prior belief that a string finds the same share of unknown core publications
as of those that the region accepts."""
FEWEST_CORE = 2
"""The minimum number of core publications in use with a keyword, unless it meets FEWEST_ACCEPTED."""
FEWEST_ACCEPTED = 5
"""The minimum number of accepted publications with a keyword, which must also exceed chance."""
PRICE = 0.005
"""The minimum contribution of a keyword to F-beta."""
ALONE_PRICE = 0.02
"""The extra contribution needed for a single word outside the topic's name to retrieve by itself."""
OVERARCHING_PRICE = 0.01
"""The extra contribution needed for a keyword without a word of the topic's name to be overarching."""
SHORTEST_KIN = 4
LONGEST_ENDING = 3
"""Related words share at least this many first letters, and differ in at most this many last ones."""


def to_search_by(stakes: Stakes) -> Stakes | None:
    """Return stakes for a search, with the core publications in place of an empty region; None: neither exists."""
    if (stakes.accepted & stakes.scorable).any():
        return stakes
    if not stakes.core.any():
        return None
    return replace(stakes, accepted=stakes.core, scorable=stakes.scorable | stakes.core)


def worths(stakes: Stakes, stack: Bits) -> Floats:
    """Compute F-beta with a recall that leans on the region, one value for each row of a stack.

    0: none of it is accepted. Formula: F-beta with recall (a + 10·c) / (n + 10), where a of n core publications in use
    are retrieved and accepted, and c is the share of all accepted publications that is retrieved.
    """
    relevant = stack & (stakes.accepted & stakes.scorable)
    n_relevant, n_scorable = counts(relevant), counts(stack & stakes.scorable)
    precision = n_relevant / np.maximum(n_scorable, 1) * decay(n_relevant, **stakes.settings.decay_curve)
    covered = n_relevant / max(count(stakes.accepted & stakes.scorable), 1)
    found = (counts(relevant & stakes.core) + PRIOR * covered) / (stakes.n_core + PRIOR)
    return f_beta(precision, found, beta=stakes.settings.beta)


def supported(stakes: Stakes, stack: Bits) -> Mask:
    """Check which keywords have the support of more than one core publication, one for each row of a stack."""
    scorable, accepted = counts(stack & stakes.scorable), counts(stack & stakes.scorable & stakes.accepted)
    by_chance = count(stakes.accepted & stakes.scorable) / max(count(stakes.scorable), 1) * scorable
    has_core = counts(stack & stakes.core) >= FEWEST_CORE
    return np.asarray(has_core | ((accepted >= FEWEST_ACCEPTED) & (accepted > by_chance)), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Prices:
    specific: float = PRICE
    general: float = PRICE
    overarching: float = PRICE

    def of(self, name: ListName) -> float:
        found: float = getattr(self, name, 0.0)
        return found


def prices(keyword: Keyword, topic: Sequence[str]) -> Prices:
    """Return the prices of a keyword, given the words of the topic's name; without such words, all are alike.

    >>> prices(Keyword("urban trees"), ("trees",)).overarching, prices(Keyword("days"), ("trees",)).specific
    (0.005, 0.025)
    """
    own = words(keyword.text)
    if not topic or any(akin(word, other) for word in own for other in topic):
        return Prices()
    return Prices(specific=PRICE + ALONE_PRICE * (len(own) < 2), overarching=PRICE + OVERARCHING_PRICE)


def topic_words(topic: str) -> tuple[str, ...]:
    """Return the content words of a topic's name.

    >>> topic_words("Resilience in business and management")
    ('resilience', 'business', 'management')
    """
    return tuple(word for word in dict.fromkeys(words(topic)) if word not in STOP_WORDS)


def akin(one: str, other: str) -> bool:
    """Return True if two words differ only in their endings.

    >>> akin("biofuels", "biofuel"), akin("study", "studies"), akin("car", "cars"), akin("cars", "care")
    (True, True, True, False)
    """
    short, long = sorted((one, other), key=len)
    if long in (short, f"{short}s"):
        return True
    shared = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return shared >= max(SHORTEST_KIN, len(short) - 1) and len(long) - shared <= LONGEST_ENDING


# Core publications that negative keywords would remove.


@dataclass(frozen=True, slots=True)
class ExcludedCore:
    keyword: Keyword
    core_rows: tuple[int, ...]
    """Rows of the core publications in the corpus that contain it."""


def excluded_core(negative: Sequence[Keyword], look_up: KeywordLookup, core: Bits) -> tuple[ExcludedCore, ...]:
    """Find the core publications that each negative keyword removes; keywords that remove none are included."""
    return tuple(ExcludedCore(keyword, tuple(rows_of(look_up(keyword) & core).tolist())) for keyword in negative)


# Keywords as sets, and all strings that differ by one move of a keyword.

Places = npt.NDArray[np.int8]
"""The list of each keyword, as an index in `PLACES`."""
PLACES: tuple[ListName, ...] = ("aside", "specific", "general", "overarching")
ASIDE, SPECIFIC, GENERAL, OVERARCHING = range(4)


class SheetArrangements(NamedTuple):
    places: Places
    """Shape (strings, keywords)."""
    is_and: Mask
    """True if several overarching keywords are joined by AND, one value for each string."""
    retrieved: Bits


@dataclass(frozen=True, eq=False)
class KeywordSpace:
    """The keywords that a string can contain, without excluded ones."""

    keywords: tuple[Keyword, ...]
    bits: Bits
    """One row for each keyword."""
    prices: Floats
    """The minimum contribution of each keyword by list; shape (keywords, places)."""

    @classmethod
    def of(cls, keywords: Sequence[Keyword], bits: Bits, topic: Sequence[str]) -> KeywordSpace:
        costs = [[prices(keyword, topic).of(name) for name in PLACES] for keyword in keywords]
        return cls(tuple(keywords), bits, np.array(costs, dtype=np.float64).reshape(len(keywords), len(PLACES)))

    def places_in(self, sheet: Sheet) -> Places:
        found = [PLACES.index(name) if (name := sheet.list_of(k.key)) in PLACES else ASIDE for k in self.keywords]
        return np.array(found, dtype=np.int8)

    def sheet(self, places: Places, is_and: bool, like: Sheet) -> Sheet:
        """Build a sheet with these places; all other keywords that are not excluded go aside."""
        lists: dict[str, list[Keyword]] = {name: [] for name in PLACES}
        for keyword, place in zip(self.keywords, places.tolist(), strict=True):
            lists[PLACES[place]].append(keyword)
        here = {keyword.key for keyword in self.keywords}
        lists["aside"] += [k for name in PLACES for k in like.of(name) if k.key not in here]
        moved = {name: tuple(found) for name, found in lists.items()}
        return Sheet(**moved, excluded=like.excluded, joined="AND" if is_and else "OR")

    def price_of(self, places: Places) -> Floats:
        total: Floats = self.prices[np.arange(len(self.keywords)), places].sum(axis=-1)
        return total

    def arranged(self, places: Places, is_and: Mask) -> SheetArrangements:
        found = [_Parts.of(self.bits, p, a) for p, a in zip(places, is_and.tolist(), strict=True)]
        return SheetArrangements(
            places, is_and, np.stack([part.specific | (part.general & part.over) for part in found])
        )

    def moves(self, places: Places, is_and: bool, likely: npt.NDArray[np.intp]) -> Iterator[SheetArrangements]:
        """Yield all strings that are one move away.

        One keyword moves to another list; several overarching keywords switch between AND and OR; and if nothing is
        combined by AND yet, two of the `likely` keywords are, as general and overarching.
        """
        parts = _Parts.of(self.bits, places, is_and)
        for to, retrieved in parts.moved(self.bits, is_and):
            rows = np.flatnonzero(places != to)
            moved = np.repeat(places[None], len(rows), axis=0)
            moved[np.arange(len(rows)), rows] = to
            yield SheetArrangements(moved, np.full(len(rows), is_and), retrieved[rows])
        n_over = int((places == OVERARCHING).sum())
        if n_over > 1:
            yield self.arranged(places[None], np.array([not is_and]))
        if not n_over and not (places == GENERAL).any():
            yield self._pairs(places, parts.specific, likely[places[likely] == ASIDE])

    def _pairs(self, places: Places, specific: Bits, free: npt.NDArray[np.intp]) -> SheetArrangements:
        one, other = (part.ravel() for part in np.meshgrid(free, free))
        one, other = one[one != other], other[one != other]
        moved = np.repeat(places[None], len(one), axis=0)
        at = np.arange(len(one))
        moved[at, one], moved[at, other] = GENERAL, OVERARCHING
        return SheetArrangements(
            moved, np.zeros(len(one), dtype=np.bool_), specific | (self.bits[one] & self.bits[other])
        )


@dataclass(frozen=True, eq=False)
class _Parts:
    specific: Bits
    general: Bits
    over: Bits
    specific_without: Bits
    general_without: Bits
    over_without: Bits
    has_over_without: Mask

    @classmethod
    def of(cls, bits: Bits, places: Places, is_and: bool) -> _Parts:
        here = places == OVERARCHING
        specific, specific_without = _together(bits, places == SPECIFIC, np.bitwise_or)
        general, general_without = _together(bits, places == GENERAL, np.bitwise_or)
        over, over_without = _together(bits, here, np.bitwise_and if is_and else np.bitwise_or)
        has_over = int(here.sum()) - here > 0
        return cls(specific, general, over, specific_without, general_without, over_without, has_over)

    def moved(self, bits: Bits, is_and: bool) -> tuple[tuple[int, Bits], ...]:
        rest, general, over = self.specific_without, self.general_without, self.over_without
        wider = np.where(self.has_over_without[:, None], over & bits if is_and else over | bits, bits)
        return (
            (ASIDE, rest | (general & over)),
            (SPECIFIC, rest | bits | (general & over)),
            (GENERAL, rest | ((general | bits) & over)),
            (OVERARCHING, rest | (general & wider)),
        )


def _together(bits: Bits, here: Mask, combine: np.ufunc) -> tuple[Bits, Bits]:
    """Combine the sets of a list, in total and without each keyword; empty if no other keyword is left."""
    rows = np.flatnonzero(here)
    if not len(rows):
        return np.zeros(bits.shape[1], dtype=np.uint64), np.zeros_like(bits)
    before = combine.accumulate(bits[rows], axis=0)
    after = combine.accumulate(bits[rows[::-1]], axis=0)[::-1]
    without = np.repeat(before[-1:], len(bits), axis=0)
    without[rows] = 0
    without[rows[1:]] = before[:-1]
    without[rows[1:-1]] = combine(without[rows[1:-1]], after[2:])
    if len(rows) > 1:
        without[rows[0]] = after[1]
    return before[-1], without


def layout(sheet: Sheet, look_up: KeywordLookup, topic: Sequence[str]) -> KeywordSpace:
    keywords = [keyword for name in PLACES for keyword in sheet.of(name)]
    kept = ~look_up.any_of(sheet.excluded)
    bits = np.stack([look_up(k) & kept for k in keywords]) if keywords else np.zeros((0, len(kept)), dtype=np.uint64)
    return KeywordSpace.of(keywords, bits, topic)


# The initial lists of keywords, by the results of each alone.

PRECISE: dict[Mode, float] = {"strict": 0.7, "moderate": 0.5, "creative": 0.3}
"""The minimum semantic precision of a keyword that may retrieve by itself, by mode."""


def sort(keywords: Sequence[Keyword], look_up: KeywordLookup, stakes: Stakes, brief: Brief) -> Sheet:
    """Sort keywords into a first sheet, as a start for the search or a person.

    Overarching: the topic's own words, individually. Specific: a phrase, or a word related to the topic's name, if the
    region accepts most of its publications. General: all others with the support of more than one core publication.
    Aside: the rest. Excluded: negative keywords of the brief, even if proposed. `stakes`: of the core publications in
    use only.
    """
    sheet = Sheet()
    for text in brief.negative:
        sheet = _with(sheet, Keyword(text.strip()), "excluded")
    topic = topic_words(brief.topic)
    for word in topic:
        keyword = Keyword(word)
        sheet = _with(sheet, keyword, "overarching" if count(look_up(keyword)) else "aside")
    for keyword in keywords:
        sheet = _with(sheet, keyword, _list_for(keyword, topic, look_up, stakes, brief.mode))
    return sheet


def _with(sheet: Sheet, keyword: Keyword, to: ListName) -> Sheet:
    """Add a keyword to a list, unless it is already in one."""
    return sheet.added(keyword, to) if keyword.key and sheet.list_of(keyword.key) is None else sheet


def _list_for(keyword: Keyword, topic: Sequence[str], look_up: KeywordLookup, stakes: Stakes, mode: Mode) -> ListName:
    bits = look_up(keyword)
    if not bits.any():
        return "aside"
    by = to_search_by(stakes)
    if by is None:
        return "general"
    if not supported(by, np.stack([bits]))[0]:
        return "aside"
    own = words(keyword.text)
    says_enough = len(own) > 1 or any(akin(word, other) for word in own for other in topic)
    return "specific" if says_enough and (by.semantic_precision(bits) or 0.0) >= PRECISE[mode] else "general"


# The list of every keyword: a beam search for the string with the highest value.

OnStep = Callable[[int], None]
"""A callback with the number of strings scored so far, which can raise an exception to stop the search."""
BEAM = 8
MOST_STEPS = 60
MOST_TRIED = 60_000
"""The number of strings after which no further step begins."""
PATIENCE = 4
"""Steps without improvement after which the search ends."""
MOST_IN_PAIRS = 48
"""Keywords that are tried in pairs as the first general and the first overarching one."""


@dataclass(frozen=True, slots=True)
class SheetSearchResult:
    sheet: Sheet
    """All keywords of the initial sheet; those not in the string are aside."""
    n_tried: int
    """Strings that were scored; 0: there was nothing to score them by, and the sheet is unchanged."""
    keeps_recall: bool
    """True if the string finds as many of the core publications in use as the budget requires."""
    keeps_size: bool
    """True if the string retrieves no more than the budget allows."""


def best_sheet(
    sheet: Sheet,
    look_up: KeywordLookup,
    stakes: Stakes,
    *,
    budget: WriterBudget,
    brief: Brief | None = None,
    on_step: OnStep | None = None,
) -> SheetSearchResult:
    """Find the best string of a sheet's keywords, whatever their current lists; excluded ones stay excluded.

    Minimum recall comes first, then the size limit, then the value, then the fewest keywords. `stakes`: of the core
    publications in use only. `brief`: words related to its topic can be in any list, others must contribute more.
    """
    by = to_search_by(stakes)
    board = layout(sheet, look_up, topic_words(brief.topic) if brief else ())
    if by is not None:
        board = _only(board, supported(by, board.bits))
    if by is None or not board.keywords:
        kept = keeps_budget(sheet, look_up, stakes, budget)
        return SheetSearchResult(sheet, 0, *kept)
    search = _Search(board, by, budget, on_step)
    best = search.run(board.places_in(sheet), sheet.joined == "AND")
    found = board.sheet(best.places, best.is_and, sheet)
    return SheetSearchResult(found, search.n_tried, *keeps_budget(found, look_up, stakes, budget))


def _only(board: KeywordSpace, kept: npt.NDArray[np.bool_]) -> KeywordSpace:
    keywords = tuple(k for k, is_kept in zip(board.keywords, kept.tolist(), strict=True) if is_kept)
    return KeywordSpace(keywords, board.bits[kept], board.prices[kept])


def keeps_budget(sheet: Sheet, look_up: KeywordLookup, stakes: Stakes, budget: WriterBudget) -> tuple[bool, bool]:
    """Check whether the string finds enough for the budget, and whether it retrieves no more than allowed."""
    retrieved = look_up.retrieved(sheet)
    most = budget.most_publications
    size = int(counts(retrieved))
    return stakes.recall(retrieved) >= budget.min_recall - 1e-12, most is None or size <= most


class Rank(NamedTuple):
    """The criteria for comparing strings: less is better, and the first difference decides."""

    is_empty: bool
    missing: float
    """The shortfall of recall from its minimum."""
    too_many: float
    """Publications beyond the limit."""
    worth: float
    """Negated."""
    n_keywords: int


@dataclass(frozen=True, eq=False)
class _State:
    places: Places
    is_and: bool
    rank: Rank

    @property
    def order(self) -> tuple[Rank, bytes, bool]:
        """A sort key that is unique for each string."""
        return self.rank, self.places.tobytes(), self.is_and


def ranks(board: KeywordSpace, stakes: Stakes, budget: WriterBudget, strings: SheetArrangements) -> list[Rank]:
    missing, too_many = stakes.beyond_limits(
        strings.retrieved, min_recall=budget.min_recall, most=budget.most_publications
    )
    n = (strings.places != PLACES.index("aside")).sum(axis=1).tolist()
    worth = (worths(stakes, strings.retrieved) - board.price_of(strings.places)).round(12).tolist()
    is_empty = (counts(strings.retrieved) == 0).tolist()
    return [Rank(*each) for each in zip(is_empty, missing, too_many, [-w for w in worth], n, strict=True)]


@dataclass(eq=False)
class _Search:
    board: KeywordSpace
    stakes: Stakes
    budget: WriterBudget
    on_step: OnStep | None
    n_tried: int = 0
    seen: set[bytes] = field(default_factory=set)

    def run(self, start: Places, is_and: bool) -> _State:
        alone = np.argsort(-worths(self.stakes, self.board.bits), kind="stable")[:MOST_IN_PAIRS]
        beam = self._fresh(self.board.arranged(np.stack([np.zeros_like(start), start]), np.array([False, is_and])))
        best, stale = min(beam, key=lambda state: state.order), 0
        for _ in range(MOST_STEPS):
            moves = (each for state in beam for each in self.board.moves(state.places, state.is_and, alone))
            beam = sorted((state for each in moves for state in self._fresh(each)), key=lambda s: s.order)[:BEAM]
            if self.on_step is not None:
                self.on_step(self.n_tried)
            if not beam:
                break
            stale = 0 if beam[0].rank < best.rank else stale + 1
            best = min(best, beam[0], key=lambda state: state.order)
            if stale >= PATIENCE or self.n_tried >= MOST_TRIED:
                break
        return best

    def _fresh(self, strings: SheetArrangements) -> list[_State]:
        keys = [p.tobytes() + bytes([a]) for p, a in zip(strings.places, strings.is_and.tolist(), strict=True)]
        new = [i for i, key in enumerate(keys) if key not in self.seen]
        self.seen.update(keys)
        self.n_tried += len(new)
        if not new:
            return []
        fresh = SheetArrangements(strings.places[new], strings.is_and[new], strings.retrieved[new])
        standing = ranks(self.board, self.stakes, self.budget, fresh)
        return [_State(fresh.places[i], bool(fresh.is_and[i]), standing[i]) for i in range(len(new))]
