"""Whether a text names something: its words stand there one after the other."""

from __future__ import annotations

from core.text import words


def holds_name(text: str, name: str) -> bool:
    """Whether all words of a name stand in a text, in their order and beside one another; a name without words: never.

    >>> holds_name("Cool roofs: a trial", "cool roofs"), holds_name("roofs that cool", "cool roofs")
    (True, False)
    """
    named = words(name)
    return bool(named) and f" {' '.join(named)} " in f" {' '.join(words(text))} "
