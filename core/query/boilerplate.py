"""Find publishers' boilerplate in abstracts, such as "© 2019 Elsevier Ltd. All rights reserved."."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from core.query.match import CorpusTexts
from core.types import Mask

_PUBLISHERS = """
    elsevier wiley springer lippincott kluwer wolters karger thieme mdpi hindawi
"""
PUBLISHER_WORDS = frozenset(_PUBLISHERS.split())
"""Names that are hardly ever a subject, so they are never suggested."""
TAIL = 60
"""Words at the end of an abstract among which a copyright sentence may begin."""
LONGEST_SENTENCE = 14
"""Maximum number of words of a notice between two punctuation marks."""
_EARLIEST, _LATEST = 1950, 2100
_OTHER_OWNERS = """
    the c by author authors blackwell sage taylor oxford bmj plos dove
"""
_OWNERS = PUBLISHER_WORDS | frozenset(_OTHER_OWNERS.split())
"""Words that follow a year or the word copyright in a notice."""
_FORMS = frozenset({"ltd", "inc", "llc", "gmbh", "bv"})


def boilerplate_mask(texts: CorpusTexts, rows: npt.NDArray[np.integer]) -> Mask:
    """Return a mask of the words of these publications that belong to a copyright notice."""
    found = np.zeros(len(texts.tokens), dtype=np.bool_)
    if "abstract" not in texts.fields:
        return found
    place = texts.fields.index("abstract")
    for row in rows.tolist():
        k = row * len(texts.fields) + place
        start, end = int(texts.starts[k]), int(texts.starts[k + 1])
        for first, last in _notices(texts, start, end):
            found[first:last] = True
    return found


def _notices(texts: CorpusTexts, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of a notice in a field. From its first part on, all short parts up to the end belong to it."""
    tail = max(start, end - TAIL)
    low, high = np.searchsorted(texts.pauses, [tail, end], side="right")
    bounds = [tail, *texts.pauses[low:high].tolist(), end]
    is_begun = False
    for first, last in pairwise(bounds):
        part = [texts.vocabulary[i] for i in texts.tokens[first:last].tolist()]
        if not part:
            continue
        begins = _notice_begins(part)
        if begins is not None and len(part) - begins <= LONGEST_SENTENCE:
            yield first + begins, last
            is_begun = True
        elif is_begun and len(part) <= LONGEST_SENTENCE:
            yield first, last


def _notice_begins(part: Sequence[str]) -> int | None:
    """Return the place in a part where a notice begins; None: it is none.

    >>> _notice_begins("2019 elsevier ltd".split()), _notice_begins("we published by hand".split())
    (0, None)
    """
    if _is_year(part[0]) and (set(part[1:2]) & _OWNERS or set(part) & (PUBLISHER_WORDS | _FORMS)):
        return 0
    for i, word in enumerate(part):
        behind = part[i + 1] if i + 1 < len(part) else ""
        if word == "rights" and behind == "reserved":
            return max(0, i - 1)
        if word == "copyright" and (_is_year(behind) or behind in _OWNERS):
            return i
        if word == "published" and behind == "by" and set(part[i + 2 :]) & {*_OWNERS, *_FORMS, "press"} - {"the"}:
            return i
    return None


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and _EARLIEST <= int(word) <= _LATEST
