"""Made-up documents and questions for benchmarks: words as often as in texts, after Zipf and Mandelbrot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.collections import Document, Query

N_WORDS = 120
"""Words of a document, none of them a stop word."""
VOCABULARY = 60_000
ENDINGS = ("", "s", "ing", "ed", "ation")
EVERY = 10_000


def vocabulary() -> np.ndarray:
    """Words with English endings, so that there is something to stem; the most frequent first."""
    letters = "bcdfghjklmnpqrstvwxz"
    stems = [f"{letters[i % 20]}a{letters[i // 20 % 20]}o{letters[i // 400 % 20]}" for i in range(8_000)]
    stems += [f"{stem}i{letter}" for letter in letters[:2] for stem in stems[:2_000]]
    return np.array([f"{stem}{ending}" for stem in stems for ending in ENDINGS][:VOCABULARY])


def frequencies() -> np.ndarray:
    """How likely each word is."""
    weights = 1 / (np.arange(VOCABULARY) + 10)
    return np.asarray(weights / weights.sum())


def documents(n: int, seed: int = 0) -> Iterator[Document]:
    """As many documents, one by one."""
    rng, known = np.random.default_rng(seed), vocabulary()
    cumulated = np.cumsum(frequencies())
    for start in range(0, n, EVERY):
        size = (min(EVERY, n - start), N_WORDS)
        chosen = np.minimum(np.searchsorted(cumulated, rng.random(size)), VOCABULARY - 1)
        for i, row in enumerate(known[chosen].tolist(), start):
            yield Document(f"d{i:07}", " ".join(row[:10]), " ".join(row[10:]))


def queries(n: int, n_words: int = 8, seed: int = 1) -> list[Query]:
    """Words that stand together in a document of another seed, so frequent ones among them."""
    rng = np.random.default_rng(seed)
    found = []
    for i, document in enumerate(documents(n, seed + 1)):
        words = document.text.split()
        found.append(Query(f"q{i}", " ".join(words[at] for at in rng.choice(len(words), n_words, replace=False))))
    return found
