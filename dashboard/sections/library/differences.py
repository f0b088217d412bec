"""Two titles side by side, with the words that differ marked."""

from __future__ import annotations

from difflib import SequenceMatcher

from dashboard.words import plain

MOST_WORDS = 120
"""Beyond that a title is no title, and comparing it takes long."""


def marked(one: str, other: str) -> tuple[str, str]:
    """Both as Markdown. Another case is no difference.

    >>> marked("Heat and trees", "Heat or trees")
    ('Heat :gray-background[**and**] trees', 'Heat :gray-background[**or**] trees')
    """
    a, b = one.split()[:MOST_WORDS], other.split()[:MOST_WORDS]
    left: list[str] = []
    right: list[str] = []
    for what, i, j, k, m in SequenceMatcher(
        None, [w.casefold() for w in a], [w.casefold() for w in b], autojunk=False
    ).get_opcodes():
        left += _shown(a[i:j], what != "equal")
        right += _shown(b[k:m], what != "equal")
    return " ".join(left), " ".join(right)


def _shown(words: list[str], differ: bool) -> list[str]:
    text = plain(" ".join(words))
    if not text:
        return []
    return [f":gray-background[**{text}**]" if differ else text]
