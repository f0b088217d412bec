"""Notes and reasons, compared by the facts that stand in them."""

from __future__ import annotations

from collections.abc import Iterable


def assert_notes(notes: Iterable[object], *facts: tuple[str, ...]) -> None:
    """Compare notes one by one, each with the facts that it has to hold."""
    said = [str(note) for note in notes]
    assert len(said) == len(facts), said
    assert [[fact for fact in of if fact not in note] for of, note in zip(facts, said, strict=True)] == [[]] * len(
        said
    ), said


def is_noted(notes: Iterable[object], *facts: str) -> bool:
    """Return whether one note holds all these facts."""
    return any(all(fact in str(note) for fact in facts) for note in notes)
