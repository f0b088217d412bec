"""The scripted demo model: it counts words and is not a language model.

It shows the LLM reranker at work without a key. It reads the same prompt as a chat model and answers in words. It knows
no collection and no query: the prompt is its only input.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

from core.protocols import Answer
from core.text import STOP_WORDS, are_near, words
from data.query.index import Stems

MODEL = "demo"
LABEL = "demo (not a language model)"
NOTE = "demo is not a language model: it counts the words that query and document share"
DEMO_VERSION = "demo-1"
_PARTS = re.compile(
    r"\[query (?P<code>[0-9a-f]{16})\]\n(?P<query>.*)\n\[end of query (?P=code)\]\n"
    r"\[document (?P=code)\]\n(?P<document>.*)\n\[end of document (?P=code)\]",
    re.DOTALL,
)
_FORMS = ("{:.2f}", "{:.2f}", "{:.2f}.", "Score: {:.2f}", '{{"score": {:.2f}}}', "**{:.2f}**")
"""Several wordings of a score, since models differ."""
K1, B, USUAL_LENGTH = 1.2, 0.75, 100
"""As in BM25, without stop words."""
WINDOW = 5
"""Maximum distance in words between two query words that count as adjacent."""


class DemoModel:
    """A model that scores the query words in a document by presence, frequency and proximity."""

    model_id = MODEL
    fingerprint = DEMO_VERSION

    def __init__(self) -> None:
        self._stem = Stems()

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        parts = _PARTS.search(user)
        if parts is None:
            text = "This is a scripted demo model. It can only score one document for one query."
        else:
            form = _FORMS[sha256(user.encode()).digest()[0] % len(_FORMS)]
            text = form.format(self.satisfaction(parts["query"], parts["document"]))
        return Answer(text, LABEL, len(words(system)) + len(words(user)), len(words(text)))

    def satisfaction(self, query: str, document: str) -> float:
        """Return 0 if no word is shared, and up to 1 if every word of the query occurs often and near the others.

        The rarity of a word is unknown from one document, so longer words count slightly more.
        """
        wanted = {stem: math.sqrt(len(stem)) for stem in self._stems(words(query))}
        there = self._stems(words(document))
        if not wanted:
            return 0.0
        places: dict[str, list[int]] = {stem: [] for stem in wanted}
        for place, stem in enumerate(there):
            if stem in places:
                places[stem].append(place)
        full = K1 * (1 - B + B * len(there) / USUAL_LENGTH)
        total = sum(weight * _gain(len(places[stem]), full) for stem, weight in wanted.items())
        return 0.7 * total / sum(wanted.values()) + 0.3 * _together(wanted, places)

    def _stems(self, found: Sequence[str]) -> list[str]:
        return self._stem.of(word for word in found if word not in STOP_WORDS)


def _gain(n: int, full: float) -> float:
    return n / (n + full) if n else 0.0


def _together(wanted: Mapping[str, float], places: Mapping[str, Sequence[int]]) -> float:
    """Return the share of adjacent query words that are also near each other in the document."""
    if len(wanted) == 1:
        return float(any(map(bool, places.values())))
    pairs = [(a, b, wanted[a] + wanted[b]) for a, b in pairwise(wanted)]
    near = sum(weight for a, b, weight in pairs if are_near(places[a], places[b], within=WINDOW))
    return near / sum(weight for _, _, weight in pairs)
