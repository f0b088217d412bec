"""What people say of a search that is not recorded, or that they confirm."""

from __future__ import annotations

from core.audit.types import Answer, AnswerState
from data.clock import Clock, utc_now
from data.store import Store


def answers(store: Store, topic_id: str) -> dict[str, Answer]:
    """By item."""
    found = store.rows(
        "SELECT item, state, text, said_by, said_at FROM audit_answers WHERE topic_id = ? ORDER BY item", [topic_id]
    )
    return {row[0]: Answer(*row) for row in found}


def say(
    store: Store,
    topic_id: str,
    item: str,
    *,
    state: AnswerState,
    text: str,
    said_by: str = "",
    clock: Clock = utc_now,
) -> Answer:
    """Keep an answer in the place of the one before. `item`: "prisma-s:5", "flow:screened"."""
    answer = Answer(item, state, text, said_by, clock())
    with store.transaction():
        store.execute(
            "INSERT OR REPLACE INTO audit_answers VALUES (?, ?, ?, ?, ?, ?)",
            [topic_id, item, state, text, said_by, answer.said_at],
        )
    return answer


def unsay(store: Store, topic_id: str, item: str) -> None:
    """Take an answer back; nothing happens where there is none."""
    with store.transaction():
        store.execute("DELETE FROM audit_answers WHERE topic_id = ? AND item = ?", [topic_id, item])
