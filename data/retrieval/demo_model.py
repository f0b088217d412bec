"""The scripted demo model: it counts words and is not a language model.

It is there so that the LLM reranker can be seen at work without a key. It reads the same prompt as a chat model and
answers in words. It knows no collection and no query: all that it goes by stands in the prompt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from threading import Lock

from core.protocols import Answer
from core.text import STOP_WORDS, words
from data.indexing import stemmer

MODEL = "demo"
LABEL = "demo (not a language model)"
NOTE = "demo is not a language model: it counts the words that query and document share"
VERSION = "demo-1"
_PARTS = re.compile(
    r"\[query (?P<code>[0-9a-f]{16})\]\n(?P<query>.*)\n\[end of query (?P=code)\]\n"
    r"\[document (?P=code)\]\n(?P<document>.*)\n\[end of document (?P=code)\]",
    re.DOTALL,
)
_FORMS = ("{:.2f}", "{:.2f}", "{:.2f}.", "Score: {:.2f}", '{{"score": {:.2f}}}', "**{:.2f}**")
"""How it words a score, since models differ in that."""
ENOUGH = 1.5
"""Mentions of a word that say half of what any number of them would."""
WINDOW = 12
"""Words within which two of the query belong together."""


class DemoModel:
    """Says how many of a query's words a document holds, how often, and how near to one another."""

    model_id = MODEL
    fingerprint = VERSION

    def __init__(self) -> None:
        self._stemmer = stemmer()
        self._lock = Lock()
        self._stem_of: dict[str, str] = {}

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """A score in words, or that there is nothing to score."""
        parts = _PARTS.search(user)
        if parts is None:
            text = "This is a scripted demo model. It can only score one document for one query."
        else:
            form = _FORMS[sha256(user.encode()).digest()[0] % len(_FORMS)]
            text = form.format(self.satisfaction(parts["query"], parts["document"]))
        return Answer(text, LABEL, len(words(system)) + len(words(user)), len(words(text)))

    def satisfaction(self, query: str, document: str) -> float:
        """0: no word in common; 1: every word of the query, often, beside one another."""
        wanted = Counter(self._stems(words(query)))
        there = self._stems(words(document))
        if not wanted or not there:
            return 0.0
        places: dict[str, list[int]] = {stem: [] for stem in wanted}
        for place, stem in enumerate(there):
            if stem in places:
                places[stem].append(place)
        total = sum(wanted.values())
        covered = sum(n for stem, n in wanted.items() if places[stem]) / total
        said = sum(n * _enough(len(places[stem])) for stem, n in wanted.items()) / total
        return 0.5 * covered + 0.2 * said + 0.3 * _together(list(wanted), places)

    def _stems(self, found: Sequence[str]) -> list[str]:
        """Stems of the words that say something, in their order."""
        kept = [word for word in found if word not in STOP_WORDS]
        known = self._stem_of
        with self._lock:  # the stemmer serves one thread at a time
            for word in kept:
                if word not in known:
                    known[word] = (self._stemmer.analyze(word) or [word])[0]
        return [known[word] for word in kept]


def _enough(n: int) -> float:
    return n / (n + ENOUGH)


def _together(wanted: Sequence[str], places: dict[str, list[int]]) -> float:
    """The share of neighbouring words of the query that also stand near one another in the document."""
    pairs = list(pairwise(wanted))
    if not pairs:
        return 1.0 if places[wanted[0]] else 0.0
    near = sum(any(abs(i - j) <= WINDOW for i in places[a] for j in places[b]) for a, b in pairs)
    return near / len(pairs)
