"""Queries that people write for entities of a knowledge base: given, drafted, skipped, confirmed, taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Literal

from core.errors import InputError, NotFoundError
from core.knowledge.people.ratings import Leak, drawn, find_leaks, identifiers
from core.text import listed
from core.types import Ids, unique_ids
from data.clock import Clock, utc_now
from data.collections.parts import clean_text
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.persons import check_is_kept, checked_person
from data.store import Store, content_hash

State = Literal["drafted", "confirmed", "skipped"]
MOST_QUERY_CHARACTERS = 2_000
"""Of a query."""
MOST_ANSWERS = 2_000
KEPT = "queries are written"
QUERY_COLUMNS = "query_id, base, entity_id, writer, text, document::VARCHAR, state, made_at"


@dataclass(frozen=True, slots=True)
class HumanQuery:
    """What one person made of one entity."""

    query_id: str
    base: str
    entity_id: str
    writer: str
    text: str
    """Empty: nothing was written yet."""
    state: State
    made_at: str
    answers: Ids = ()
    """Entities that the writer says satisfy it, its own first."""
    type: str = ""
    """Of its entity."""
    reason: str = ""
    """Why it was skipped; empty: not said."""
    template: str = ""
    """The template whose blanks the writer filled; empty: none."""
    given: Mapping[str, Ids] = field(default_factory=dict)
    """What fills the blanks."""


def give_entity(
    store: Store, base: KnowledgeBase, writer: str, *, type: str | None = None, clock: Clock = utc_now
) -> HumanQuery:
    """What this person writes for now: the draft that is open, else an entity that nobody was given before.

    `type`: of the entities that questions ask for; without one any of them. A draft of another type that holds a text
    is finished first; an empty one makes way. Once all were given to somebody, those that others only looked at or
    skipped come again.
    """
    writer, types = checked_person(writer), _wanted(base, type)
    draft = open_draft(store, base, writer)
    if draft is not None and (type is None or draft.type == type or draft.text):
        return draft
    check_is_kept(store, KEPT)
    with store.transaction():
        if draft is not None:
            store.execute("DELETE FROM human_queries WHERE query_id = ?", [draft.query_id])
        entity = base.entities([_free_row(store, base, writer, types)])[0]
        # One per writer and entity; the name outlasts a restart, so that ratings still fit.
        query_id = content_hash([base.about.name, entity.entity_id, writer])
        made = HumanQuery(query_id, base.about.name, entity.entity_id, writer, "", "drafted", clock(), type=entity.type)
        _save(store, made)
    return made


def _wanted(base: KnowledgeBase, type: str | None) -> Ids:
    if type is not None and type not in base.answer_types:
        raise InputError(
            f'knowledge base "{base.about.name}" has no questions for "{type[:80]}"; for {listed(base.answer_types)}'
        )
    return base.answer_types if type is None else (type,)


def _free_row(store: Store, base: KnowledgeBase, writer: str, types: Ids) -> int:
    """The first in this person's order that nobody has; else the first that nobody wrote for."""
    states = store.rows(
        "SELECT entity_id, writer = $writer, text <> '' AND state <> 'skipped' FROM human_queries WHERE base = $base",
        {"writer": writer, "base": base.about.name},
    )
    row_of = base.rows_of([entity_id for entity_id, _, _ in states])
    taken = {row_of[entity_id] for entity_id, _, _ in states if entity_id in row_of}
    barred = {row_of[entity_id] for entity_id, own, is_written in states if (own or is_written) and entity_id in row_of}
    for out in (taken, barred):
        row = next((row for row in _in_own_order(base, writer, types) if row not in out), None)
        if row is not None:
            return row
    raise NotFoundError(
        f'every {listed(types)} of "{base.about.name}" was written for or skipped: take one back, or change the type'
    )


def _in_own_order(base: KnowledgeBase, writer: str, types: Ids) -> Iterator[int]:
    kinds = [base.types[name] for name in types]
    starts = [0, *accumulate(kind.n for kind in kinds)]
    seed = int(content_hash([base.about.key, writer, *types]), 16)
    for place in drawn(starts[-1], seed=seed):
        at = next(at for at in range(len(kinds)) if place < starts[at + 1])
        yield kinds[at].first + place - starts[at]


def open_draft(store: Store, base: KnowledgeBase, writer: str) -> HumanQuery | None:
    """What this person has begun, the newest; drafts for entities that are gone are left alone."""
    drafts = queries_of(store, base.about.name, writer=writer, state="drafted")
    there = base.rows_of([draft.entity_id for draft in drafts])
    return next((draft for draft in reversed(drafts) if draft.entity_id in there), None)


def leaks_of(base: KnowledgeBase, entity_id: str, text: str) -> tuple[Leak, ...]:
    """What in a text gives the entity away; a text that is too long is refused."""
    if len(text) > MOST_QUERY_CHARACTERS:
        raise InputError(f"a query has up to {MOST_QUERY_CHARACTERS:,} characters; this one has {len(text):,}")
    entity = base.entity(entity_id)
    ids = identifiers(entity_id, base.text(entity.row).attributes)
    return find_leaks(text, title=entity.title, ids=ids)


def keep_draft(
    store: Store,
    query_id: str,
    text: str | None = None,
    *,
    answers: Sequence[str] | None = None,
    template: str | None = None,
    given: Mapping[str, Sequence[str]] | None = None,
) -> HumanQuery:
    """Keep what is written so far, whatever it says. What is not handed in stays as it is."""
    check_is_kept(store, KEPT)
    if text is not None and len(text) > MOST_QUERY_CHARACTERS:
        raise InputError(f"a query has up to {MOST_QUERY_CHARACTERS:,} characters; this one has {len(text):,}")
    with store.transaction():
        draft = _drafted(store, query_id)
        changed = replace(
            draft,
            text=draft.text if text is None else tidy(text),
            answers=draft.answers if answers is None else unique_ids(answers),
            template=draft.template if template is None else template,
            given=draft.given if given is None else {slot: tuple(ids) for slot, ids in given.items()},
        )
        _save(store, changed)
    return changed


def skip(store: Store, query_id: str, reason: str = "") -> None:
    """This person writes nothing for this entity."""
    check_is_kept(store, KEPT)
    with store.transaction():
        said = clean_text(" ".join(reason.split()))[:MOST_QUERY_CHARACTERS]
        _save(store, replace(_drafted(store, query_id), state="skipped", reason=said))


def confirm(store: Store, base: KnowledgeBase, query_id: str, answers: Sequence[str]) -> HumanQuery:
    """The query is done, and these entities satisfy it, among them its own."""
    check_is_kept(store, KEPT)
    draft = _drafted(store, query_id)
    if not draft.text:
        raise InputError("there is no query yet: write one first")
    if leaks := leaks_of(base, draft.entity_id, draft.text):
        raise InputError(f"this query can't be taken: {listed([leak.sentence for leak in leaks])}")
    chosen = unique_ids(answers)
    if draft.entity_id not in chosen:
        raise InputError("the entity that the query was written for has to satisfy it: tick it, or change the query")
    if len(chosen) > MOST_ANSWERS:
        raise InputError(f"{len(chosen):,} answers are too many to confirm by hand: up to {MOST_ANSWERS:,}")
    there = base.rows_of(chosen)
    if missing := [one for one in chosen if one not in there]:
        raise NotFoundError(f'knowledge base "{base.about.name}" has no entity "{missing[0][:80]}"')
    with store.transaction():
        ordered = (draft.entity_id, *(one for one in chosen if one != draft.entity_id))
        if _drafted(store, query_id).text != draft.text:
            raise InputError("this query was changed meanwhile, perhaps in another tab: read it again")
        made = replace(_drafted(store, query_id), state="confirmed", answers=ordered)
        _save(store, made)
    return made


def take_back(store: Store, query_id: str, *, clock: Clock = utc_now) -> HumanQuery:
    """A query that was confirmed or skipped is a draft again, in the place of one that has no text yet."""
    check_is_kept(store, KEPT)
    with store.transaction():
        made = replace(find_query(store, query_id), state="drafted", reason="", made_at=clock())
        store.execute(
            "DELETE FROM human_queries WHERE base = ? AND writer = ? AND state = 'drafted' AND text = ''",
            [made.base, made.writer],
        )
        _save(store, made)
    return made


# The table


def tidy(text: str) -> str:
    """A query in one line, of what a file can hold."""
    return " ".join(clean_text(text).split())


def find_query(store: Store, query_id: str) -> HumanQuery:
    """One by its id."""
    found = store.rows(f"SELECT {QUERY_COLUMNS} FROM human_queries WHERE query_id = ?", [query_id])
    if not found:
        raise NotFoundError("this query is not here any more: reload the page")
    return _query(found[0])


def queries_of(
    store: Store, base: str, *, writer: str | None = None, state: State | None = None
) -> tuple[HumanQuery, ...]:
    """What was written for a knowledge base, the oldest first."""
    found = store.rows(
        f"""
        SELECT {QUERY_COLUMNS} FROM human_queries
        WHERE base = $base AND ($writer IS NULL OR writer = $writer) AND ($state IS NULL OR state = $state)
        ORDER BY made_at, query_id
        """,
        {"base": base, "writer": writer, "state": state},
    )
    return tuple(_query(row) for row in found)


def _drafted(store: Store, query_id: str) -> HumanQuery:
    found = find_query(store, query_id)
    if found.state != "drafted":
        raise InputError(f"this query was {found.state} meanwhile, perhaps in another tab: take it back to change it")
    return found


def _query(row: tuple[Any, ...]) -> HumanQuery:
    query_id, base, entity_id, writer, text, document, state, made_at = row
    said = json.loads(document)
    return HumanQuery(
        *(query_id, base, entity_id, writer, text, state, made_at),
        answers=tuple(said["answers"]),
        type=said["type"],
        reason=said["reason"],
        template=said["template"],
        given={slot: tuple(ids) for slot, ids in said["given"].items()},
    )


def _save(store: Store, query: HumanQuery) -> None:
    document = {
        "answers": list(query.answers),
        "type": query.type,
        "reason": query.reason,
        "template": query.template,
        "given": {slot: list(ids) for slot, ids in query.given.items()},
    }
    store.execute(
        "INSERT OR REPLACE INTO human_queries VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            *(query.query_id, query.base, query.entity_id, query.writer, query.text),
            *(json.dumps(document), query.state, query.made_at),
        ],
    )
