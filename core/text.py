"""The one place that joins title and abstract, and the one tokenizer."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")


def publication_text(title: str, abstract: str | None) -> str:
    """Title and abstract as one text, for embedding and matching.

    >>> publication_text("Green warehouses", None)
    'Green warehouses'
    >>> publication_text("Green warehouses", "We review them.")
    'Green warehouses\\nWe review them.'
    """
    return "\n".join(part for part in (title.strip(), (abstract or "").strip()) if part)


def tokens(text: str) -> list[str]:
    """Lower-case words; hyphens and apostrophes inside a word stay.

    >>> tokens("Meta-models of Petri nets (2019)")
    ['meta-models', 'of', 'petri', 'nets', '2019']
    """
    return _TOKEN.findall(text.lower())
