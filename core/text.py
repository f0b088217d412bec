"""The one place that joins title and abstract, and that cuts text into words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile(r"[\u0300-\u036f]+")


def publication_text(title: str, abstract: str | None) -> str:
    """Title and abstract as one text, for embedding and matching.

    >>> publication_text("Green warehouses", None)
    'Green warehouses'
    >>> publication_text("Green warehouses", "We review them.")
    'Green warehouses\\nWe review them.'
    """
    return "\n".join(part for part in (title.strip(), (abstract or "").strip()) if part)


def tokens(text: str) -> list[str]:
    """Lower-case words for embedding; hyphens and apostrophes inside a word stay.

    >>> tokens("Meta-models of Petri nets (2019)")
    ['meta-models', 'of', 'petri', 'nets', '2019']
    """
    return _TOKEN.findall(text.lower())


def words(text: str) -> list[str]:
    """Words for searching: runs of letters and digits, lower case, without accents; a hyphen separates.

    >>> words("Meta-models: naïve β-lactams")
    ['meta', 'models', 'naive', 'β', 'lactams']
    """
    return _WORD.findall(folded(text))


def folded(text: str) -> str:
    """Lower case, compatibility forms and accents taken away.

    >>> folded("Ménière’s ﬁeld")
    'meniere’s field'
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text.lower())))


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> listed(["1", "2", "3"])
    '1, 2 and 3'
    """
    *front, last = names
    return f"{', '.join(front)} and {last}" if front else last


STOP_WORDS = frozenset(
    words("""
    a about above across after against all along also although am among an and any are as at be because been
    before being below between both but by can could did do does doing during each either few for from further
    had has have having he her here him his how i if in into is it its itself just may me might more most much
    must my near no nor not of off on once only or other our out over own per same she should since so some such
    than that the their them then there these they this those through thus to too toward towards under until up
    upon us use used using very via was we were what when where whether which while who whom whose why will with
    within without would yet you your
    """)
)
"""Words that say nothing of what a text is about."""


def are_near(some: Sequence[int], others: Sequence[int], *, within: int) -> bool:
    """Whether any of these places is at most so far from any of those; both rise."""
    i = j = 0
    while i < len(some) and j < len(others):
        if abs(some[i] - others[j]) <= within:
            return True
        if some[i] < others[j]:
            i += 1
        else:
            j += 1
    return False
