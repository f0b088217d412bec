"""Prepare a search string for a source: the requests, the losses, and the clauses to test one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import product

from core.errors import InputError
from core.query.adaptation import Loss
from core.query.leaf_texts import Fields
from core.query.lexer import LONGEST
from core.query.translation import reading_losses, with_replaced
from core.query.tree import (
    TEXT_FIELDS,
    Group,
    Node,
    Not,
    ParsedQuery,
    Range,
    Span,
    all_joined,
    group_of,
    in_fields,
    walk,
)
from core.sources import dimensions, europepmc, openalex, pubmed, semanticscholar
from core.sources.source_forms import (
    BOTH,
    LABELS,
    Form,
    PreparedSearch,
    SourceId,
    SourceOptions,
    SourceTree,
    by_number,
    is_negative,
    places,
    years_in,
)

_DAY = re.compile(r"\b\d{4}[/-]\d{1,2}(?!\d)|\b(19|20)\d{2}[01]\d([0-3]\d)?\b")
"""A year with a month. With separators, any year matches; without them, only a plausible one."""


def dates_of(parsed: ParsedQuery, label: str) -> Iterator[Loss]:
    """Yield a loss for each year range that is written with months or days.

    >>> from core.query.parser import parse
    >>> [loss.message for loss in dates_of(parse("heat[tiab] AND 2018/03:2019/04[dp]"), "OpenAlex")]
    ['OpenAlex searches whole years, without months and days.']
    """
    for number, node in enumerate(parsed.nodes):
        if isinstance(node, Range) and _DAY.search(node.span.of(parsed.text)):
            message = f"{label} searches whole years, without months and days."
            yield Loss(number, node.span.start, node.span.end, "widened", message)


# The tree with each word in the field that the source searches, which may differ from the requested one.


def as_searched(root: Node, source: SourceId) -> Node:
    """Return the tree of a whole search, since one field may apply to all of it. Its nodes keep their numbers.

    >>> from core.query.parser import parse
    >>> tree = as_searched(parse("TI=heat AND TS=shade").root, "dimensions")
    >>> [part.fields for part in tree.parts]
    [('title', 'abstract'), ('title', 'abstract')]
    """
    if source == "openalex":
        known: Collection[Fields] = tuple(openalex.SEARCHED)
        where = places(root, known)
    elif source == "dimensions":
        known = tuple(dimensions.INDEXES)
        where = places(root, known, whole=True)
    elif source == "semanticscholar":
        known = (BOTH,)
        where = places(root, known, whole=True)
    else:
        return root
    placed = {
        number: in_fields(node, place.fields)
        for number, node in enumerate(walk(root))
        if (place := where.get(number)) and (place.wanted in known or set(place.wanted) & set(TEXT_FIELDS))
    }
    return with_replaced(root, placed) or root


# Splitting a search that is too long for one request into several whose results are united.
#
# X AND (a OR b OR c) finds the same as X AND (a OR b) together with X AND c, so the longest list of alternatives is cut
# into pieces, then the next one if that is not enough. A list after a NOT can't be cut this way: X NOT (a OR b) is the
# intersection of X NOT a and X NOT b.

MOST_FORMS = 200
"""Maximum number of requests; a search that needs more is of no practical use."""
MOST_LISTS = 4
"""Maximum number of lists to cut at once."""
FEW = 4
"""Accept this many pieces without searching for fewer, or up to 1.5 times what the length requires."""
_TRIES = 4
_FREE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
_BETWEEN = len("%20OR%20")
_BRACKETS = len("%28%29")
Path = tuple[int, ...]
"""Indexes of nested parts, outermost first."""


@dataclass(frozen=True, slots=True)
class SearchPiece:
    root: Node
    text: str


def encoded_size(text: str) -> int:
    """Return the size of a text in a URL: each byte except plain letters, digits and - . _ counts three.

    >>> encoded_size("heat"), encoded_size("a OR ö")
    (4, 15)
    """
    return sum(1 if byte in _FREE else 3 for byte in text.encode())


def split(
    root: Node, write: Callable[[Node], str], room: int | None, *, label: str = "The source", most: int = MOST_FORMS
) -> tuple[SearchPiece, ...]:
    """Split a search into pieces that each fit into `room` bytes and together find what the whole finds.

    The pieces are as few as can be found, and of similar length. InputError: no list is left to cut, or the search
    would need more than `most` pieces.

    >>> from core.query.parser import parse
    >>> from core.query.translation import write
    >>> root = parse("shade AND (heat OR warmth OR sun OR summer)").root
    >>> [piece.text for piece in split(root, lambda node: write(node, "plain").text, 45)]
    ['shade AND (heat OR warmth)', 'shade AND (sun OR summer)']
    """
    text = write(root)
    if room is None or encoded_size(text) <= room:
        return (SearchPiece(root, text),)
    splitter = _Splitter(write, room, label, most)
    return tuple(splitter.pieces(root, text))


@dataclass(slots=True)
class _Splitter:
    write: Callable[[Node], str]
    room: int
    label: str
    most: int

    def pieces(self, root: Node, text: str) -> list[SearchPiece]:
        size = encoded_size(text)
        if size <= self.room:
            return [SearchPiece(root, text)]
        lists = self.longest_first(root, _open_lists(root))
        if not lists:
            raise self.too_long(root, size)
        ways = [self.at_once(root, some, size) for some in (lists, self.deeper(root, lists)) if some]
        best = min((way for way in ways if way), key=len, default=None)
        if best is not None and len(best) <= max(FEW, 1.5 * size / self.room):
            return best
        try:
            halved = [piece for each in self.halves(root, lists[0]) for piece in self.pieces(each.root, each.text)]
        except InputError:
            if best is None:
                raise
            return best
        if len(halved) > self.most and best is None:
            raise self.too_many(root)
        return halved if best is None or len(halved) < len(best) else best

    def longest_first(self, root: Node, paths: Iterable[Path]) -> list[_List]:
        return sorted((self.measured(root, path) for path in paths), key=lambda each: -each.total)[:MOST_LISTS]

    def deeper(self, root: Node, lists: Sequence[_List]) -> list[_List]:
        longest = lists[0]
        k = max(range(len(longest.sizes)), key=longest.sizes.__getitem__)
        paths = [(*longest.path, k, *path) for path in _open_lists(longest.parts[k])]
        return self.longest_first(root, [*paths, *(each.path for each in lists[1:])]) if paths else []

    def at_once(self, root: Node, lists: Sequence[_List], size: int) -> list[SearchPiece] | None:
        """Return pieces that all fit, if cutting these lists is enough; no list may be inside another."""
        room = self.room
        for _ in range(_TRIES):
            counts = _counts(lists, size - sum(each.total for each in lists), room, self.most)
            if counts is None:
                return None
            chunks = [each.chunks(n) for each, n in zip(lists, counts, strict=True)]
            made = [self.piece(root, lists, chosen) for chosen in product(*chunks)]
            excess = max(encoded_size(each.text) for each in made) - self.room
            if excess <= 0:
                return made
            room -= excess
        return None

    def halves(self, root: Node, longest: _List) -> list[SearchPiece]:
        return [self.piece(root, [longest], [chunk]) for chunk in longest.chunks(2)]

    def piece(self, root: Node, lists: Sequence[_List], chosen: Sequence[tuple[Node, ...]]) -> SearchPiece:
        for each, parts in zip(lists, chosen, strict=True):
            root = _put(root, each.path, group_of("OR", parts))
        return SearchPiece(root, self.write(root))

    def measured(self, root: Node, path: Path) -> _List:
        parts = _at(root, path).parts
        alone = [encoded_size(self.write(part)) for part in parts]
        pair = encoded_size(self.write(Group("OR", parts[:2])))
        around = max(0, alone[0] + alone[1] + _BETWEEN - pair)
        sizes = [max(1, n - around) + _BRACKETS * isinstance(p, Group) for n, p in zip(alone, parts, strict=True)]
        return _List(path, parts, tuple(sizes))

    def too_long(self, root: Node, size: int) -> InputError:
        parts = root.parts if isinstance(root, Group) else (root,)
        longest = max(parts, key=lambda part: encoded_size(self.write(part.part if isinstance(part, Not) else part)))
        negated = isinstance(longest, Not)
        shown = self.write(longest.part if isinstance(longest, Not) else longest)
        shown = shown if len(shown) <= 80 else f"{shown[:79]}…"
        what = "the part behind NOT, which can't be split" if negated else "the longest part"
        return InputError(
            f"{self.label} accepts {self.room:,} bytes at once, and this has {size:,} even when its ORs are split "
            f"up. Shorten {what}: {shown}"
        )

    def too_many(self, root: Node) -> InputError:
        lists = sorted((_at(root, path).parts for path in _open_lists(root)), key=len, reverse=True)
        longest = f" The longest has {len(lists[0]):,} terms." if lists else ""
        return InputError(
            f"This would take more than {self.most:,} searches of {self.room:,} bytes in {self.label}: shorten its "
            f"lists of terms joined by OR.{longest}"
        )


@dataclass(frozen=True, slots=True)
class _List:
    path: Path
    parts: tuple[Node, ...]
    sizes: tuple[int, ...]
    """Sizes in bytes."""

    @property
    def total(self) -> int:
        return sum(self.sizes) + _BETWEEN * (len(self.sizes) - 1)

    def chunks(self, n: int) -> list[tuple[Node, ...]]:
        most = _smallest(self.sizes, n)
        out: list[tuple[Node, ...]] = []
        start = 0
        for end in _cuts(self.sizes, most):
            out.append(self.parts[start:end])
            start = end
        return out


def _counts(lists: Sequence[_List], around: int, room: int, most: int) -> tuple[int, ...] | None:
    """Choose the number of chunks per list that gives the fewest pieces; None: no choice fits."""
    best: tuple[int, int, tuple[int, ...]] | None = None
    for counts in _with_product(len(lists), most):
        if any(n > len(each.parts) for n, each in zip(counts, lists, strict=True)):
            continue
        n_pieces = 1
        for n in counts:
            n_pieces *= n
        if best is not None and n_pieces > best[0]:
            continue
        longest = around + sum(_smallest(each.sizes, n) for n, each in zip(counts, lists, strict=True))
        if longest <= room and (best is None or (n_pieces, longest) < best[:2]):
            best = n_pieces, longest, counts
    return None if best is None else best[2]


@cache
def _with_product(n: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return all tuples of n positive integers whose product is at most `most`."""
    if n == 0:
        return ((),)
    return tuple((first, *rest) for first in range(1, most + 1) for rest in _with_product(n - 1, most // first))


@lru_cache(maxsize=4096)
def _smallest(sizes: tuple[int, ...], n: int) -> int:
    low, high = max(sizes), sum(sizes) + _BETWEEN * (len(sizes) - 1)
    while low < high:
        middle = (low + high) // 2
        if len(_cuts(sizes, middle)) <= n:
            high = middle
        else:
            low = middle + 1
    return low


def _cuts(sizes: tuple[int, ...], most: int) -> list[int]:
    """Return the ends of the chunks when each is filled as far as possible."""
    ends: list[int] = []
    length = -_BETWEEN
    for i, size in enumerate(sizes):
        length += _BETWEEN + size
        if length > most and length > size:
            ends.append(i)
            length = size
    return [*ends, len(sizes)]


# Positions of lists


def _open_lists(node: Node, path: Path = ()) -> Iterator[Path]:
    if isinstance(node, Group):
        if node.operator == "OR":
            yield path
            return
        for i, part in enumerate(node.parts):
            yield from _open_lists(part, (*path, i))


def _at(node: Node, path: Path) -> Group:
    for i in path:
        assert isinstance(node, Group)
        node = node.parts[i]
    assert isinstance(node, Group)
    return node


def _put(node: Node, path: Path, new: Node) -> Node:
    if not path:
        return new
    assert isinstance(node, Group)
    parts = list(node.parts)
    parts[path[0]] = _put(parts[path[0]], path[1:], new)
    return replace(node, parts=tuple(parts))


# The search string in each source's own syntax, with the losses.

_USUAL = SourceOptions()
_SAY: dict[SourceId, Callable[[ParsedQuery, Node, SourceOptions], SourceTree]] = {
    "openalex": openalex.openalex_form,
    "europepmc": europepmc.europepmc_form,
    "semanticscholar": semanticscholar.semanticscholar_form,
    "dimensions": dimensions.dimensions_form,
}


def prepare(
    parsed: ParsedQuery, source: SourceId, choices: SourceOptions = _USUAL, *, room: int | None = None
) -> PreparedSearch:
    """Prepare the text, or the texts, to send to a source.

    `room`: the bytes that one text may take when percent-encoded; None: no limit. A string written for PubMed is sent
    to PubMed unchanged. InputError: the search is empty, or no part of it can be sent.

    >>> from core.query.parser import parse
    >>> made = prepare(parse("(adapt* OR shade) AND PY=2018-2020"), "openalex")
    >>> made.forms[0].text
    'title_and_abstract.search:(adapt OR shade),publication_year:2018-2020'
    >>> made.losses[1].message
    'OpenAlex allows no * in this filter, so it is left out: only adapt and, with stemming, its usual forms are found.'
    """
    root = _checked(parsed, source)
    if source == "pubmed":
        return _for_pubmed(parsed, choices, room)
    made = _SAY[source](parsed, root, choices)
    if made.root is None or isinstance(made.root, Not):
        raise InputError(_why_nothing(made, source))
    pieces = split(made.root, made.write, room, label=LABELS[source])
    forms = tuple(Form(i, piece.text) for i, piece in enumerate(pieces))
    whole = pieces[0].text if len(pieces) == 1 else made.write(made.root)
    return _prepared(parsed, source, whole, forms, made.losses, choices)


def _prepared(
    parsed: ParsedQuery,
    source: SourceId,
    text: str,
    forms: tuple[Form, ...],
    losses: tuple[Loss, ...],
    choices: SourceOptions,
) -> PreparedSearch:
    is_same = len(forms) == 1 and forms[0].text == parsed.text
    if not (source == parsed.dialect == "pubmed" and is_same):  # PubMed reads even what this parser can't
        told = {loss.number for loss in losses}
        dates = [loss for loss in dates_of(parsed, LABELS[source]) if loss.number not in told]
        losses = by_number(list(dict.fromkeys([*losses, *dates, *reading_losses(parsed)])))
    return PreparedSearch(source, parsed.dialect, text, forms, losses, is_same and not losses, choices)


def _checked(parsed: ParsedQuery, source: SourceId) -> Node:
    label = LABELS[source]
    if len(parsed.text) > LONGEST:
        n = len(parsed.text)
        raise InputError(
            f"This has {n:,} characters; at most {LONGEST:,} can be sent. Check that it is a search string."
        )
    if parsed.kind == "question":
        raise InputError(f"{label} can't answer a plain-language question: write words with AND and OR.")
    if parsed.root is None:
        raise InputError(f"There is nothing to search for in {label}: enter at least one word.")
    return parsed.root


def _for_pubmed(parsed: ParsedQuery, choices: SourceOptions, room: int | None) -> PreparedSearch:
    if parsed.dialect != "pubmed" and parsed.root is not None and is_negative(parsed.root):
        raise InputError(_needs_something("pubmed"))
    text, losses = pubmed.pubmed_text(parsed)
    if not text.strip():
        why = losses[0].message if losses else "no word is left."
        raise InputError(f"Nothing here can be sent to PubMed: {why}")
    if room is not None and (size := encoded_size(text)) > room:
        raise InputError(f"PubMed accepts {room:,} bytes at once, and this has {size:,}: shorten it.")
    return _prepared(parsed, "pubmed", text, (Form(0, text),), losses, choices)


def _why_nothing(made: SourceTree, source: SourceId) -> str:
    if made.root is not None:
        return _needs_something(source)
    why = made.losses[0].message if made.losses else "no word is left."
    return f"Nothing here can be sent to {LABELS[source]}: {why}"


def _needs_something(source: SourceId) -> str:
    label = LABELS[source]
    return f"{label} needs a search term before the NOT: add one."


# The parts of a search that must all hold, each prepared alone, so that a source can be asked which of them fails.

_YEARS_BESIDE: tuple[SourceId, ...] = ("openalex", "dimensions")
"""Sources that accept a year limit alone, but can't exclude one."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the top-level AND, or the whole search if it is no AND."""

    span: Span
    """The position in the user's text."""
    text: str
    """The text at that position; for a NOT, the excluded part."""
    is_excluded: bool
    """The search excludes the matches of this part."""
    forms: tuple[Form, ...]
    """The requests for this part alone; empty: the source can't search it alone, or it was left out of the search."""
    node: Node | None = field(default=None, compare=False, repr=False)
    """The part as parsed in its context, since its text alone may be read differently. None: loaded from storage."""


def clauses(
    parsed: ParsedQuery, source: SourceId, choices: SourceOptions, room: int | None = None
) -> tuple[Clause, ...]:
    """Return the parts in the order of the text.

    >>> from core.query.parser import parse
    >>> for each in clauses(parse("(heat OR sun) AND TI=shade NOT TS=tree"), "openalex", SourceOptions()):
    ...     print(each.text, each.is_excluded, [form.text for form in each.forms])
    (heat OR sun) False ['title_and_abstract.search:(heat OR sun)']
    TI=shade False ['title.search:(shade)']
    TS=tree True ['title_and_abstract.search:(tree)']
    """
    if parsed.root is None:
        return ()
    searched_parts = all_joined(as_searched(parsed.root, source), "AND")
    parts = zip(all_joined(parsed.root, "AND"), searched_parts, strict=True)
    return tuple(_clause(parsed, part, searched, source, choices, room) for part, searched in parts)


def _clause(
    parsed: ParsedQuery, part: Node, searched: Node, source: SourceId, choices: SourceOptions, room: int | None
) -> Clause:
    is_excluded = isinstance(part, Not)
    node = part.part if isinstance(part, Not) else part
    asked = searched.part if isinstance(searched, Not) else searched
    span = node.extent
    if is_excluded and source in _YEARS_BESIDE and (isinstance(node, Range) or years_in(node) is not None):
        return Clause(span, span.of(parsed.text), is_excluded, (), node)
    try:
        forms = prepare(_alone(parsed, asked, source), source, choices, room=room).forms
    except InputError:
        forms = ()
    return Clause(span, span.of(parsed.text), is_excluded, forms, node)


def _alone(parsed: ParsedQuery, node: Node, source: SourceId) -> ParsedQuery:
    if source == "pubmed" and parsed.dialect == "pubmed":
        return parsed if node is parsed.root and not parsed.lines else pubmed.pubmed_part(parsed, node)
    return replace(parsed, root=node)
