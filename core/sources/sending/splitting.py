"""A search that is too long for one request, as several whose finds are united.

What is found by X AND (a OR b OR c) is what X AND (a OR b) finds together with what X AND c finds: so the longest list
of alternatives is cut into pieces, and the next one where that is not enough. A list behind a NOT can't be cut like
this: X NOT (a OR b) is what both X NOT a and X NOT b find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

from core.errors import InputError
from core.query.tree import Group, Node, Not

MOST_FORMS = 200
"""More requests than that for one page of everything are no use to anybody."""
MOST_LISTS = 4
"""Lists that are cut at once."""
FEW = 4
"""Pieces that are taken without looking for a way with fewer, if not half as many again as the length needs."""
_TRIES = 4
_FREE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
_BETWEEN = len("%20OR%20")
_BRACKETS = len("%28%29")
Path = tuple[int, ...]
"""Which part of which part."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the searches."""

    root: Node
    text: str


def encoded_size(text: str) -> int:
    """Bytes of a text in an address, where all but plain letters, digits and - . _ takes three.

    >>> encoded_size("heat"), encoded_size("a OR ö")
    (4, 15)
    """
    return sum(1 if byte in _FREE else 3 for byte in text.encode())


def split(
    root: Node, write: Callable[[Node], str], room: int | None, *, label: str = "The source", most: int = MOST_FORMS
) -> tuple[Piece, ...]:
    """Searches that each fit into `room` bytes, and together find what the whole finds.

    As few as can be found, and about as long as each other. InputError: there is nothing left to cut, or it would take
    more than `most`.

    >>> from core.query.reading.parse import parse
    >>> from core.query.writing.printing import write
    >>> root = parse("shade AND (heat OR warmth OR sun OR summer)").root
    >>> [piece.text for piece in split(root, lambda node: write(node, "plain").text, 45)]
    ['shade AND (heat OR warmth)', 'shade AND (sun OR summer)']
    """
    text = write(root)
    if room is None or encoded_size(text) <= room:
        return (Piece(root, text),)
    splitter = _Splitter(write, room, label, most)
    return tuple(splitter.pieces(root, text))


@dataclass(slots=True)
class _Splitter:
    write: Callable[[Node], str]
    room: int
    label: str
    most: int

    def pieces(self, root: Node, text: str) -> list[Piece]:
        size = encoded_size(text)
        if size <= self.room:
            return [Piece(root, text)]
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
        """Those inside the longest alternative of the longest list, in place of it; the others are said each time."""
        longest = lists[0]
        k = max(range(len(longest.sizes)), key=longest.sizes.__getitem__)
        paths = [(*longest.path, k, *path) for path in _open_lists(longest.parts[k])]
        return self.longest_first(root, [*paths, *(each.path for each in lists[1:])]) if paths else []

    def at_once(self, root: Node, lists: Sequence[_List], size: int) -> list[Piece] | None:
        """Pieces that all fit, if cutting these lists is enough: none of them inside another."""
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

    def halves(self, root: Node, longest: _List) -> list[Piece]:
        return [self.piece(root, [longest], [chunk]) for chunk in longest.chunks(2)]

    def piece(self, root: Node, lists: Sequence[_List], chosen: Sequence[tuple[Node, ...]]) -> Piece:
        for each, parts in zip(lists, chosen, strict=True):
            root = _put(root, each.path, _either(parts))
        return Piece(root, self.write(root))

    def measured(self, root: Node, path: Path) -> _List:
        """A list with what each of its alternatives adds to the text."""
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
        what = "what stands behind NOT, which can't be split" if negated else "what takes most"
        return InputError(
            f"{self.label} takes {self.room:,} bytes at once, and this has {size:,} even when its ORs are split up. "
            f"Shorten {what}: {shown}"
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
    """Alternatives, of which each piece gets some."""

    path: Path
    parts: tuple[Node, ...]
    sizes: tuple[int, ...]
    """Bytes."""

    @property
    def total(self) -> int:
        """All of them with what stands between."""
        return sum(self.sizes) + _BETWEEN * (len(self.sizes) - 1)

    def chunks(self, n: int) -> list[tuple[Node, ...]]:
        """At most so many, about as long as each other, in order."""
        most = _smallest(self.sizes, n)
        out: list[tuple[Node, ...]] = []
        start = 0
        for end in _cuts(self.sizes, most):
            out.append(self.parts[start:end])
            start = end
        return out


def _counts(lists: Sequence[_List], around: int, room: int, most: int) -> tuple[int, ...] | None:
    """Into how many chunks to cut each list, so that the fewest pieces come out; None: no way fits."""
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
    """All ways of choosing n numbers whose product is at most that."""
    if n == 0:
        return ((),)
    return tuple((first, *rest) for first in range(1, most + 1) for rest in _with_product(n - 1, most // first))


@lru_cache(maxsize=4096)
def _smallest(sizes: tuple[int, ...], n: int) -> int:
    """The length of the longest of n chunks, as short as it can be."""
    low, high = max(sizes), sum(sizes) + _BETWEEN * (len(sizes) - 1)
    while low < high:
        middle = (low + high) // 2
        if len(_cuts(sizes, middle)) <= n:
            high = middle
        else:
            low = middle + 1
    return low


def _cuts(sizes: tuple[int, ...], most: int) -> list[int]:
    """Where the chunks end if each takes as much as it may."""
    ends: list[int] = []
    length = -_BETWEEN
    for i, size in enumerate(sizes):
        length += _BETWEEN + size
        if length > most and length > size:
            ends.append(i)
            length = size
    return [*ends, len(sizes)]


# Where lists stand


def _open_lists(node: Node, path: Path = ()) -> Iterator[Path]:
    """ORs with nothing but ANDs above them."""
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


def _either(parts: tuple[Node, ...]) -> Node:
    return parts[0] if len(parts) == 1 else Group("OR", parts)
