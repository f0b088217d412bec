"""How like what a question says is to a title."""

from __future__ import annotations

from collections.abc import Sequence

from core.text import STOP_WORDS

SHORT, LONG = 5, 8
"""Characters of a key below which no typo is forgiven, and from which two are."""
FEWER_WORDS, OTHER_ORDER, INITIALS = 0.95, 0.9, 0.8


def edits(a: str, b: str, most: int) -> int | None:
    """Characters to change, add, take away or swap with their neighbour to make b of a; None: more than `most`.

    >>> edits("haruka", "hraukaa", 2), edits("ito", "roy", 1)
    (2, None)
    """
    if a == b:
        return 0
    if abs(len(a) - len(b)) > most:
        return None
    far = most + 1
    before_last: list[int] = []
    last = [min(j, far) for j in range(len(b) + 1)]
    for i, char in enumerate(a, start=1):
        row = [far] * (len(b) + 1)
        row[0] = min(i, far)
        for j in range(max(1, i - most), min(len(b), i + most) + 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != b[j - 1]))
            if i > 1 and j > 1 and char == b[j - 2] and a[i - 2] == b[j - 1]:
                cost = min(cost, before_last[j - 2] + 1)
            row[j] = min(cost, far)
        if min(row) > most:
            return None
        before_last, last = last, row
    return last[-1] if last[-1] <= most else None


def forgiven(key: str) -> int:
    """How many typos what is written may hold."""
    return 0 if len(key) < SHORT else 1 if len(key) < LONG else 2


def likeness(asked: str, title: str) -> float:
    """Of two keys, 0 to 1. 1: the same; 0: they can't be meant to be the same.

    >>> likeness("haruka ito", "haruka m ito"), likeness("h ito", "haruka ito"), likeness("ito", "roy")
    (0.95, 0.8, 0.0)
    """
    if asked == title:
        return 1.0
    mine, its = asked.split(" "), title.split(" ")
    rigid, others = _rigid(mine), _rigid(its)
    if rigid == others or not rigid or not others:
        if len(mine_lean := lean(mine)) > 1:
            if mine_lean == (its_lean := lean(its)):
                return FEWER_WORDS
            if sorted(mine_lean) == sorted(its_lean):
                return OTHER_ORDER
        found = edits(asked, title, forgiven(asked)) if rigid == others else None
        if found is not None:
            return 1 - found / max(len(asked), len(title))
    return INITIALS if shortened(mine, its) else 0.0


def _rigid(words: Sequence[str]) -> list[str]:
    """What makes another name of it when it is mistyped: initials and numbers."""
    return [word for word in words if (len(word) == 1 and word not in STOP_WORDS) or word.isdigit()]


def lean(words: Sequence[str]) -> list[str]:
    """Without initials and words that say nothing."""
    return [word for word in words if len(word) > 1 and word not in STOP_WORDS]


def shortened(asked: Sequence[str], title: Sequence[str]) -> bool:
    """Whether these are the title's words with given names as initials; the title's own initials may be left out.

    >>> shortened(["h", "ito"], ["haruka", "m", "ito"]), shortened(["h", "m"], ["haruka", "ito"])
    (True, False)
    """
    if len(asked) < 2 or len(asked[-1]) < 2 or asked[-1] != title[-1] or len(asked[0]) > 1:
        return False
    left = list(asked[:-1])
    for place, word in enumerate(title[:-1]):
        if left and (word == left[0] or (len(left[0]) == 1 and word.startswith(left[0]))):
            left.pop(0)
        elif len(word) > 1 or place == 0:
            return False
    return not left
