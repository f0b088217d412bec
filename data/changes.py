"""The person who changes the workspace, and the last change of each thing that several people can change.

A change that is based on an older state is refused: its caller passes the value that the person saw, and gets a
`ConflictError` with who changed it, when, and to what.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Final

from core.errors import ConflictError, InputError
from data.config import NAME_VARIABLE
from data.database import Database

LONGEST_NAME = 60
_acting: ContextVar[str | None] = ContextVar("acting", default=None)
_finders: list[Callable[[], str | None]] = []


def author() -> str:
    """Return the name of the person at work, empty if unknown: given with `acting_as`, by a finder, or the variable."""
    if (name := _acting.get()) is not None:
        return name
    for finder in _finders:
        if (name := finder()) is not None:
            return name
    return person_name(os.environ.get(NAME_VARIABLE, ""))


@contextmanager
def acting_as(name: str | None) -> Iterator[None]:
    """Make changes in this person's name. None: whoever is found."""
    token = _acting.set(None if name is None else person_name(name))
    try:
        yield
    finally:
        _acting.reset(token)


def find_author_with(finder: Callable[[], str | None]) -> None:
    """Ask this first for the person at work; None: it can't tell. Used by the app, whose threads serve many people."""
    if finder not in _finders:
        _finders.append(finder)


def person_name(text: str) -> str:
    """Return a name on one line.

    >>> person_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"a name has up to {LONGEST_NAME} printable characters; this one has {len(name):,}")
    return name


class Unseen(Enum):
    """Stands for a value that the caller did not look at before changing it."""

    UNSEEN = "unseen"


UNSEEN: Final = Unseen.UNSEEN


@dataclass(frozen=True, slots=True)
class Change:
    changed_by: str
    """Empty: unnamed."""
    changed_at: str


def last_change(database: Database, topic_id: str, subject: str) -> Change | None:
    """Return who last changed this, and when; None: not known."""
    found = database.rows(
        "SELECT changed_by, changed_at FROM changes WHERE topic_id = ? AND subject = ?", [topic_id, subject]
    )
    return Change(*found[0]) if found else None


def record_change(
    database: Database, topic_id: str, subject: str, *, now: object, seen: object = UNSEEN, at: str
) -> None:
    """Record who changes this; call it in the transaction of the change, before it.

    `now`: its value before the change. `seen`: the value that the person saw; a `ConflictError` if it is another one.
    """
    check_seen(database, topic_id, subject, now=now, seen=seen)
    record_changes(database, topic_id, [subject], at=at)


def record_changes(database: Database, topic_id: str, subjects: Sequence[str], *, at: str) -> None:
    database.execute(
        "INSERT OR REPLACE INTO changes SELECT $topic, unnest($subjects::VARCHAR[]), $by, $at",
        {"topic": topic_id, "subjects": sorted(set(subjects)), "by": author(), "at": at},
    )


_STATE = """
    SELECT concat_ws(
        ' ',
        (SELECT bit_xor(hash(t.topic_id)) FROM topics AS t),
        (SELECT bit_xor(hash(t.core_hash, t.corpus_hash)) FROM topics AS t WHERE topic_id = $topic),
        (SELECT bit_xor(hash(v.label, v.text, v.name, v.note, v.retrieved_hash, v.deleted_at))
            FROM query_versions AS v WHERE topic_id = $topic),
        (SELECT bit_xor(hash(s.source_id, s.label, s.priority)) FROM sources AS s WHERE topic_id = $topic),
        (SELECT bit_xor(hash(s)) FROM searches AS s WHERE topic_id = $topic),
        (SELECT bit_xor(hash(k)) FROM kept_apart AS k WHERE topic_id = $topic),
        (SELECT bit_xor(hash(a)) FROM audit_answers AS a WHERE topic_id = $topic),
        (SELECT bit_xor(hash(p.review_id, p.changed_at)) FROM press_reviews AS p WHERE topic_id IN ($topic, '')),
        (SELECT bit_xor(hash(r.run_id, r.state, r.label)) FROM live_runs AS r WHERE topic_id = $topic),
        (SELECT bit_xor(hash(w.writing_id, w.state)) FROM writings AS w WHERE topic_id = $topic),
        (SELECT bit_xor(hash(c)) FROM changes AS c WHERE topic_id = $topic),
        (SELECT bit_xor(hash(j.run_id, j.name, j.state)) FROM judge_runs AS j),
        (SELECT max(number) FROM judge_overrules),
        (SELECT bit_xor(hash(q.query_id, q.text, q.state)) FROM human_queries AS q),
        (SELECT bit_xor(hash(q)) FROM query_ratings AS q),
        (SELECT bit_xor(hash(k)) FROM knowledge_templates AS k),
        (SELECT bit_xor(hash(s.synthesis_id, s.state)) FROM syntheses AS s)
    )
"""


def shared_state(database: Database, topic_id: str | None) -> str:
    """Return a key of everything that people add or change and pages of this topic show. Cached until a change."""
    return str(database.rows(_STATE, {"topic": topic_id or ""})[0][0])


def check_seen(database: Database, topic_id: str, subject: str, *, now: object, seen: object) -> None:
    """Raise a `ConflictError` if this is no longer what the person saw."""
    if seen is UNSEEN or seen == now:
        return
    last = last_change(database, topic_id, subject)
    who = (last.changed_by if last else "") or "someone else"
    when = f" at {last.changed_at[11:16]} UTC on {last.changed_at[:10]}" if last else ""
    raise ConflictError(
        f"{who} changed the {subject}{when}: keep theirs, or make your change again",
        changed_by=last.changed_by if last else "",
        changed_at=last.changed_at if last else "",
        theirs=now,
    )
