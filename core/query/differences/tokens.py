"""Two texts as one run of pieces, each kept, gone or new, cut where a reader of queries would cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.query.dialects import DIALECTS
from core.query.differences.alignment import aligned
from core.query.reading.lexer import LONGEST, Token, cleaned, lex
from core.query.reading.report import Report
from core.query.tree import ParsedQuery

Fate = Literal["kept", "gone", "new"]
Key = tuple[str, str]

_RUN = re.compile(r"\S+")
_LIGHT = {("op", "or"), ("(", "("), (")", ")")}
"""What alone holds no two texts together: any two lists of terms have ORs and brackets in common."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one of the texts, or of both, with the white space before it."""

    fate: Fate
    before: str
    """As it stands in the first text; empty for what is new, and for blanks at the end of the second alone."""
    after: str
    """The same of the second text."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A token with its white space, and what it is compared by."""

    text: str
    key: Key


def token_difference(a: ParsedQuery, b: ParsedQuery) -> tuple[Piece, ...]:
    """The kept and gone pieces make up the first text, the kept and new ones the second.

    Case and white space are no difference, since no dialect looks at them. What stands in one place of both texts
    comes as gone, then new.

    >>> from core.query.reading.parse import parse
    >>> pieces = token_difference(parse("heat AND tree"), parse('heat and (tree* OR "shade")'))
    >>> [(piece.fate, (piece.before or piece.after).strip()) for piece in pieces][:4]
    [('kept', 'heat'), ('kept', 'AND'), ('gone', 'tree'), ('new', '(')]
    """
    first, second = _cuts(a), _cuts(b)
    keys, others = [cut.key for cut in first], [cut.key for cut in second]
    # One order for any two texts: the difference of the second and the first is then the same, mirrored.
    swapped = keys > others
    pairs = aligned(others, keys, _is_heavy) if swapped else aligned(keys, others, _is_heavy)
    kept = [(j, i) for i, j in pairs] if swapped else pairs
    return tuple(_pieces(first, second, _without_crumbs(kept, first, second)))


def _is_heavy(key: Key) -> bool:
    return key not in _LIGHT


def _pieces(first: Sequence[_Cut], second: Sequence[_Cut], kept: Sequence[tuple[int, int]]) -> list[Piece]:
    pieces: list[Piece] = []
    at, to = 0, 0
    for i, j in [*kept, (len(first), len(second))]:
        pieces += [Piece("gone", cut.text, "") for cut in first[at:i] if cut.text]
        pieces += [Piece("new", "", cut.text) for cut in second[to:j] if cut.text]
        if i < len(first) and (first[i].text or second[j].text):
            pieces.append(Piece("kept", first[i].text, second[j].text))
        at, to = i + 1, j + 1
    return pieces


def _without_crumbs(
    kept: list[tuple[int, int]], first: Sequence[_Cut], second: Sequence[_Cut]
) -> list[tuple[int, int]]:
    """Without the ORs and brackets that stay between two replaced terms: people read one replaced stretch."""
    runs = _runs(kept)
    ends = [(-1, -1), *(run[-1] for run in runs)]
    starts = [*(run[0] for run in runs), (len(first), len(second))]
    replaced = [i - e > 1 and j - f > 1 for (e, f), (i, j) in zip(ends, starts, strict=True)]
    return [
        pair
        for at, run in enumerate(runs)
        if not (replaced[at] and replaced[at + 1]) or any(_is_heavy(first[i].key) for i, _ in run)
        for pair in run
    ]


def _runs(kept: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Pairs that follow each other in both texts, together."""
    runs: list[list[tuple[int, int]]] = []
    for i, j in kept:
        if runs and runs[-1][-1] == (i - 1, j - 1):
            runs[-1].append((i, j))
        else:
            runs.append([(i, j)])
    return runs


def _cuts(parsed: ParsedQuery) -> list[_Cut]:
    """The whole text in order. What the reader skips, such as a remark, is a piece of its own."""
    text = parsed.text
    cuts: list[_Cut] = []
    at = 0
    space = 0
    for start, end, key in [*_keyed(parsed), (len(text), len(text), ("end", ""))]:
        if text[at:start].strip():
            skipped = at + len(text[at:start].rstrip())
            cuts.append(_Cut(text[space:skipped], ("skipped", _plain(text[at:skipped]))))
            space = skipped
        cuts.append(_Cut(text[space:end], key))
        at = space = end
    return cuts


def _keyed(parsed: ParsedQuery) -> list[tuple[int, int, Key]]:
    if len(parsed.text) > LONGEST or parsed.kind == "question":
        return [(m.start(), m.end(), ("word", _plain(m.group()))) for m in _RUN.finditer(parsed.text)]
    dialect = DIALECTS[parsed.dialect]
    spans = [(line.span.start, line.span.end) for line in parsed.lines] or [(0, len(parsed.text))]
    found = []
    for start, end in sorted(spans):
        for token in lex(parsed.text[start:end], dialect, Report()):
            found.append((start + token.start, start + token.end, _key(token)))
    return found


def _key(token: Token) -> Key:
    return token.kind, f"{_plain(token.value)}{token.suffix}"


def _plain(text: str) -> str:
    return " ".join(cleaned(text).casefold().split())
