"""Grades of people in the place of a judge's, in the store: all that was ever said is kept, the last word counts."""

from __future__ import annotations

from core.errors import InputError
from core.judging.types import Overrule, Rubric
from data.clock import Clock, utc_now
from data.judging.keeping.keys import rubric_key, sound
from data.store import Store


def overrule(
    store: Store, rubric: Rubric, key: str, points: int | None, *, who: str, why: str, clock: Clock = utc_now
) -> Overrule:
    """A person's grade for a triple; None takes it back. All that was ever said is kept."""
    if points is not None and points not in rubric.points:
        raise InputError(f"a grade of this rubric is from {rubric.points[0]} to {rubric.points[-1]}, got {points}")
    if not who.strip():
        raise InputError("say who overrules: a name or initials")
    if points is not None and not why.strip():
        raise InputError("say why: one sentence is enough")
    made = Overrule(key, points, sound(who.strip()), sound(why.strip()), clock())
    store.execute(
        "INSERT INTO judge_overrules SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ? FROM judge_overrules",
        [rubric_key(rubric), key, points, made.who, made.why, made.made_at],
    )
    return made


def overrules(store: Store, rubric_key: str) -> dict[str, Overrule]:
    """Those that count under a rubric, by triple; what was taken back is not among them."""
    found = store.rows(
        """
        SELECT triple_key, points, who, why, made_at FROM judge_overrules WHERE rubric_key = ?
        QUALIFY number = max(number) OVER (PARTITION BY triple_key)
        """,
        [rubric_key],
    )
    return {row[0]: Overrule(*row) for row in found if row[1] is not None}


def overrules_of(store: Store, rubric_key: str, key: str) -> tuple[Overrule, ...]:
    """All that people ever said of one triple, the first first."""
    found = store.rows(
        """
        SELECT triple_key, points, who, why, made_at FROM judge_overrules
        WHERE rubric_key = ? AND triple_key = ? ORDER BY number
        """,
        [rubric_key, key],
    )
    return tuple(Overrule(*row) for row in found)
