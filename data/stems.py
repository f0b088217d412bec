"""English stems of words, each worked out once."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from data.indexing import stemmer


class Stems:
    """Threads may share one: the stemmer serves one at a time."""

    def __init__(self) -> None:
        self._stemmer = stemmer()
        self._lock = Lock()
        self._stem_of: dict[str, str] = {}

    def of(self, words: Iterable[str]) -> list[str]:
        """In the order of the words.

        >>> Stems().of(["trees", "shading"])
        ['tree', 'shade']
        """
        kept, known = list(words), self._stem_of
        with self._lock:
            for word in kept:
                if word not in known:
                    known[word] = (self._stemmer.analyze(word) or [word])[0]
        return [known[word] for word in kept]
