"""Documents cut into overlapping chunks of words: what `multi_vector` embeds."""

from __future__ import annotations

import re

from core.text import publication_text

SIZE = 64
"""Words of a chunk: short enough for any model, and an abstract has three or four."""
OVERLAP = 16
"""Words that two neighbours share, so that a sentence on the border is whole in one of them."""
_WORD = re.compile(r"\S+")


def n_chunks(n_words: int, *, size: int = SIZE, overlap: int = OVERLAP) -> int:
    """How many chunks a text of so many words has; one without words has one, which is its title alone.

    >>> [n_chunks(n) for n in (0, 64, 65, 112, 113)]
    [1, 1, 2, 2, 3]
    """
    return 1 + max(0, -(-(n_words - size) // (size - overlap)))


def chunks(title: str, text: str, *, size: int = SIZE, overlap: int = OVERLAP) -> tuple[str, ...]:
    """The title with each part of the text. Nothing at all has no chunk.

    A chunk has `size` words, each begins `size - overlap` words after the one before, and the last one ends with the
    text. Words are what stands between white space.

    >>> chunks("Heat", "a b c d e", size=3, overlap=1)
    ('Heat\\na b c', 'Heat\\nc d e')
    >>> chunks("", "")
    ()
    """
    spans = [match.span() for match in _WORD.finditer(text)]
    if not spans:
        return (title.strip(),) if title.strip() else ()
    out = []
    for number in range(n_chunks(len(spans), size=size, overlap=overlap)):
        first = number * (size - overlap)
        last = min(first + size, len(spans)) - 1
        out.append(publication_text(title, text[spans[first][0] : spans[last][1]]))
    return tuple(out)
