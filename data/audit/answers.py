"""What people say of a search that is not recorded, or that they confirm."""

from __future__ import annotations

from core.audit.reporting.saying import LONGEST_NAME, checked_text
from core.audit.types import Answer, AnswerState
from core.errors import InputError, StoreInUseError
from data.clock import Clock, utc_now
from data.lookup import check_topic
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
    """Keep an answer in the place of the one before. `item`: "prisma-s:5", or "flow:screened" with a whole number.

    `text` of state "confirmed" is what was prefilled, word for word: later it is told whether the record still says so.
    """
    _check_writable(store)
    check_topic(store, topic_id)
    if state not in ("confirmed", "own", "not done"):
        raise InputError(f'an answer is "confirmed", "own" or "not done", got "{state}"')
    name = " ".join(said_by.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"a name is plain text of up to {LONGEST_NAME} characters")
    answer = Answer(item, state, checked_text(item, state, text), name, clock())
    with store.transaction():
        store.execute(
            "INSERT OR REPLACE INTO audit_answers VALUES (?, ?, ?, ?, ?, ?)",
            [topic_id, item, answer.state, answer.text, answer.said_by, answer.said_at],
        )
    return answer


def unsay(store: Store, topic_id: str, item: str) -> None:
    """Take an answer back; nothing happens where there is none."""
    _check_writable(store)
    with store.transaction():
        store.execute("DELETE FROM audit_answers WHERE topic_id = ? AND item = ?", [topic_id, item])


def _check_writable(store: Store) -> None:
    if store.is_copy:
        raise StoreInUseError(f"{store.path} is open in another Queryscape: close that one to say something")
