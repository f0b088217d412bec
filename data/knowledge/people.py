"""Queries that people write for a knowledge base, their ratings, and both as a collection."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from dataclasses import replace as altered
from itertools import accumulate
from typing import Any, Literal

from core.collections import Collection, Judgment, Query, check
from core.errors import InputError, NotFoundError
from core.knowledge.query_quality import POINTS, QUALITIES, Leak, Rating, drawn, find_leaks, identifiers
from core.knowledge.templates import Requirement, Template
from core.protocols import OnStage, silent
from core.text import harmless, listed
from core.types import Ids, unique_ids
from data.collections import (
    CollectionRow,
    checked_name,
    find_collection,
    is_stored,
    load_collection,
    not_found,
    save_collection,
)
from data.importers.collection_files import HUMAN, answer_list
from data.importers.collection_parts import clean_text
from data.importers.tables import written_rows
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import delete_template, save_template, templates_of
from data.store import Clock, Store, content_hash, utc_now

# A user's own questions as queries of a collection: documents of a knowledge base, its answers as judgments.

MOST_TEXT = 5_000
"""Largest length of a query in characters."""


@dataclass(frozen=True, slots=True)
class OwnQuery:
    text: str
    template: Template
    given: dict[str, Ids]
    """For each blank, the entities that fill it."""
    answers: Ids
    """Entities that are relevant to it."""


@dataclass(frozen=True, slots=True)
class SavedQuery:
    collection: str
    query_id: str
    n_queries: int
    """The collection's number of queries."""
    is_new: bool
    """True: the collection was created for it."""


def origin_of(base: KnowledgeBase) -> str:
    """Return the origin that marks a collection of own queries; queries are added only to such a collection."""
    return f'questions to the knowledge base "{base.about.name}"'


def own_collections(store: Store, base: KnowledgeBase) -> Ids:
    """Return the collections that queries over this knowledge base can be added to."""
    found = store.rows("SELECT name FROM collections WHERE origin = ? ORDER BY name", [origin_of(base)])
    return tuple(name for (name,) in found)


def keep_query(
    store: Store, base: KnowledgeBase, name: str, query: OwnQuery, *, on_stage: OnStage = silent
) -> SavedQuery:
    """Add a query to the collection of this name, or create one with the knowledge base's documents.

    A template that would otherwise be unknown is saved too. All of it or nothing.
    """
    name, text = checked_name(name), " ".join(query.text.split())
    if not text:
        raise InputError("the query has no words: write it first")
    if len(text) > MOST_TEXT:
        raise InputError(f"the query has {len(text):,} characters, more than {MOST_TEXT:,}: make it shorter")
    if not query.answers:
        raise InputError("the query has no answer: choose at least one, else no retriever can be scored by it")
    is_new = not is_stored(store, name)
    if not is_new and find_collection(store, name).origin != origin_of(base):
        raise InputError(
            f'the collection "{name}" does not hold questions to this knowledge base only: give another name'
        )
    on_stage("reading the documents")
    before = _begun(base, name) if is_new else load_collection(store, name)
    if missing := [doc_id for doc_id in query.answers if doc_id not in before.row_of]:
        raise InputError(
            f'{len(missing):,} answers are not among the documents of "{name}" (such as "{missing[0][:60]}"): give '
            "another name, to start a new collection"
        )
    on_stage("saving the query")
    query_id = _free_id(before)
    after = _with(before, query_id, text, query)
    with _template_kept(store, base, query.template):
        save_collection(store, after, origin=origin_of(base), notes=NOTES, oddities=check(after), replace=not is_new)
    return SavedQuery(name, query_id, len(after.queries), is_new)


NOTES = ("written by hand; only the answers that the writer chose count as relevant",)


def _begun(base: KnowledgeBase, name: str) -> Collection:
    return Collection(name, tuple(base.documents()), (), (), {}, base.about.made_up)


def _free_id(collection: Collection) -> str:
    taken = set(collection.query_ids)
    return next(number for n in range(1, len(taken) + 2) if (number := str(n)) not in taken)


def _with(before: Collection, query_id: str, text: str, query: OwnQuery) -> Collection:
    labels = Requirement(query.template.template_id, query.given).labels
    return replace(
        before,
        queries=(*before.queries, Query(query_id, text, labels)),
        judgments=(*before.judgments, *(Judgment(query_id, doc_id, 1) for doc_id in dict.fromkeys(query.answers))),
    )


@contextmanager
def _template_kept(store: Store, base: KnowledgeBase, template: Template) -> Iterator[None]:
    """Save an unknown template for the duration; delete it again if the body fails."""
    known = {each.template_id for each in templates_of(base, store)}
    is_known = template.template_id in known or known.issuperset(template.template_id.split("+"))
    if not is_known:
        save_template(store, base, template)
    try:
        yield
    except BaseException:
        if not is_known:
            delete_template(store, base.about.name, template.template_id)
        raise


# People who write and rate: the name that a person types, and a check that their work can be saved.

MOST_NAME_CHARACTERS = 60


def checked_person(name: str) -> str:
    """Strip a name or initials and check that it can be stored.

    >>> checked_person("  Ada   L. ")
    'Ada L.'
    """
    person = " ".join(name.split())
    if not person:
        raise InputError("enter your name or initials first")
    if len(person) > MOST_NAME_CHARACTERS or not person.isprintable():
        raise InputError(f"a name has up to {MOST_NAME_CHARACTERS} printable characters; this one has {len(person):,}")
    return person


# Queries that people write for entities of a knowledge base: assigned, drafted, skipped, confirmed, withdrawn.

State = Literal["drafted", "confirmed", "skipped"]
MOST_QUERY_CHARACTERS = 2_000
"""Largest length of a query in characters."""
MOST_ANSWERS = 2_000
KEPT = "queries are written"
QUERY_COLUMNS = "query_id, base, entity_id, writer, text, document::VARCHAR, state, made_at"


@dataclass(frozen=True, slots=True)
class HumanQuery:
    query_id: str
    base: str
    entity_id: str
    writer: str
    text: str
    """Empty: nothing written yet."""
    state: State
    made_at: str
    answers: Ids = ()
    """Entities that satisfy it according to the writer, its own first."""
    type: str = ""
    """The type of its entity."""
    reason: str = ""
    """The reason for skipping it; empty: none given."""
    template: str = ""
    """The template whose blanks the writer filled; empty: none."""
    given: Mapping[str, Ids] = field(default_factory=dict)
    """The entities that fill the blanks."""


def give_entity(
    store: Store, base: KnowledgeBase, writer: str, *, type: str | None = None, clock: Clock = utc_now
) -> HumanQuery:
    """Return this person's open draft, or assign an entity that no one has had yet.

    `type`: one of the types that questions ask for; by default any of them. A draft of another type is finished first
    if it has a text, and replaced if empty. Once every entity was assigned, those without a query by anyone are reused.
    """
    writer, types = checked_person(writer), _wanted(base, type)
    draft = open_draft(store, base, writer)
    if draft is not None and (type is None or draft.type == type or draft.text):
        return draft
    store.check_writable()
    with store.transaction():
        if draft is not None:
            store.execute("DELETE FROM human_queries WHERE query_id = ?", [draft.query_id])
        entity = base.entities([_free_row(store, base, writer, types)])[0]
        # One per writer and entity; the id survives a restart, so that ratings still match.
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
    """Return the first row in this person's order that was not assigned, else the first without a query by anyone."""
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
        f'every {listed(types)} of "{base.about.name}" was written for or skipped: withdraw one, or change the type'
    )


def _in_own_order(base: KnowledgeBase, writer: str, types: Ids) -> Iterator[int]:
    kinds = [base.types[name] for name in types]
    starts = [0, *accumulate(kind.n for kind in kinds)]
    seed = int(content_hash([base.about.key, writer, *types]), 16)
    for place in drawn(starts[-1], seed=seed):
        at = next(at for at in range(len(kinds)) if place < starts[at + 1])
        yield kinds[at].first + place - starts[at]


def open_draft(store: Store, base: KnowledgeBase, writer: str) -> HumanQuery | None:
    """Return this person's newest draft; drafts for entities that are gone are ignored."""
    drafts = queries_of(store, base.about.name, writer=writer, state="drafted")
    there = base.rows_of([draft.entity_id for draft in drafts])
    return next((draft for draft in reversed(drafts) if draft.entity_id in there), None)


def leaks_of(base: KnowledgeBase, entity_id: str, text: str) -> tuple[Leak, ...]:
    """Find the parts of a text that give the entity away; a text that is too long is an error."""
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
    """Save a draft in its current state, unchecked. Arguments that are None leave their field unchanged."""
    store.check_writable()
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
    store.check_writable()
    with store.transaction():
        text = clean_text(" ".join(reason.split()))[:MOST_QUERY_CHARACTERS]
        _save(store, replace(_drafted(store, query_id), state="skipped", reason=text))


def confirm(store: Store, base: KnowledgeBase, query_id: str, answers: Sequence[str]) -> HumanQuery:
    """Confirm the query with the entities that satisfy it, including its own."""
    store.check_writable()
    draft = _drafted(store, query_id)
    if not draft.text:
        raise InputError("there is no query yet: write one first")
    if leaks := leaks_of(base, draft.entity_id, draft.text):
        raise InputError(f"this query can't be accepted: {listed([leak.sentence for leak in leaks])}")
    chosen = unique_ids(answers)
    if draft.entity_id not in chosen:
        raise InputError("the entity that the query was written for has to satisfy it: select it, or change the query")
    if len(chosen) > MOST_ANSWERS:
        raise InputError(f"{len(chosen):,} answers are too many to confirm by hand: up to {MOST_ANSWERS:,}")
    there = base.rows_of(chosen)
    if missing := [one for one in chosen if one not in there]:
        raise NotFoundError(f'knowledge base "{base.about.name}" has no entity "{missing[0][:80]}"')
    with store.transaction():
        ordered = (draft.entity_id, *(one for one in chosen if one != draft.entity_id))
        if _drafted(store, query_id).text != draft.text:
            raise InputError("this query was changed in the meantime, perhaps in another tab: reload the page")
        made = replace(_drafted(store, query_id), state="confirmed", answers=ordered)
        _save(store, made)
    return made


def take_back(store: Store, query_id: str, *, clock: Clock = utc_now) -> HumanQuery:
    """Turn a confirmed or skipped query into a draft again; it replaces an empty draft."""
    store.check_writable()
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
    """Return a query on one line, with only characters that a file can hold."""
    return " ".join(clean_text(text).split())


def find_query(store: Store, query_id: str) -> HumanQuery:
    found = store.rows(f"SELECT {QUERY_COLUMNS} FROM human_queries WHERE query_id = ?", [query_id])
    if not found:
        raise NotFoundError("this query no longer exists: reload the page")
    return _query(found[0])


def queries_of(
    store: Store, base: str, *, writer: str | None = None, state: State | None = None
) -> tuple[HumanQuery, ...]:
    """Return the queries written for a knowledge base, oldest first."""
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
        raise InputError(
            f"this query was {found.state} in the meantime, perhaps in another tab: withdraw it to change it"
        )
    return found


def _query(row: tuple[Any, ...]) -> HumanQuery:
    query_id, base, entity_id, writer, text, document, state, made_at = row
    stored = json.loads(document)
    return HumanQuery(
        *(query_id, base, entity_id, writer, text, state, made_at),
        answers=tuple(stored["answers"]),
        type=stored["type"],
        reason=stored["reason"],
        template=stored["template"],
        given={slot: tuple(ids) for slot, ids in stored["given"].items()},
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


# People's ratings of the queries of a collection.

RATING_COLUMNS = ("collection", "query_id", "query_text", "rater", "quality", "points", "made_at", "counts")


@dataclass(frozen=True, slots=True)
class SavedRating:
    rating: Rating
    query_text: str
    """The query's text at the time of the rating."""
    made_at: str
    counts: bool
    """True: the collection still has the query with this text."""


def queries_to_rate(store: Store, collection: str) -> tuple[Query, ...]:
    """Load the queries of a collection, without its documents."""
    if not is_stored(store, collection):
        raise not_found(store, collection)
    found = store.rows(
        "SELECT query_id, text FROM collection_queries WHERE collection = ? ORDER BY position", [collection]
    )
    return tuple(Query(*row) for row in found)


def rate(store: Store, collection: str, rating: Rating, *, clock: Clock = utc_now) -> None:
    """Save a rating with the text that was rated; it replaces an earlier one by the same person."""
    store.check_writable()
    rater = checked_person(rating.rater)
    if rating.quality not in QUALITIES:
        raise InputError(f'queries are rated for {listed(list(QUALITIES))}, not for "{rating.quality[:80]}"')
    if rating.points not in POINTS:
        raise InputError(f"a rating has 1 to 5 points, got {rating.points}")
    with store.transaction():
        text = _text(store, collection, rating.query_id)
        store.execute(
            "INSERT OR REPLACE INTO query_ratings VALUES (?, ?, ?, ?, ?, ?, ?)",
            [collection, rating.query_id, text, rater, rating.quality, rating.points, clock()],
        )


def _text(store: Store, collection: str, query_id: str) -> str:
    found = store.rows(
        "SELECT text FROM collection_queries WHERE collection = ? AND query_id = ?", [collection, query_id]
    )
    if found:
        return str(found[0][0])
    if not is_stored(store, collection):
        raise not_found(store, collection)
    raise NotFoundError(f'collection "{collection}" no longer has this query: reload the page')


def ratings_of(store: Store, collection: str) -> tuple[SavedRating, ...]:
    """Return all ratings of a collection; ratings of a changed or deleted query are marked."""
    found = store.rows(
        """
        SELECT r.query_id, r.rater, r.quality, r.points, r.query_text, r.made_at, q.query_id IS NOT NULL
        FROM query_ratings AS r
        LEFT JOIN collection_queries AS q
            ON q.collection = r.collection AND q.query_id = r.query_id AND q.text = r.query_text
        WHERE r.collection = ? ORDER BY r.query_id, r.rater, r.quality
        """,
        [collection],
    )
    return tuple(SavedRating(Rating(*row[:4]), *row[4:]) for row in found)


def ratings_csv(collection: str, ratings: Sequence[SavedRating]) -> bytes:
    """Write every rating as a line of a table that a spreadsheet can open safely, without running formulas."""
    file = io.StringIO(newline="")
    lines = csv.writer(file, lineterminator="\r\n")
    lines.writerow(RATING_COLUMNS)
    for kept in ratings:
        one = kept.rating
        texts = map(harmless, (collection, one.query_id, kept.query_text, one.rater))
        lines.writerow([*texts, one.quality, one.points, kept.made_at, "yes" if kept.counts else "no"])
    return file.getvalue().encode("utf-8-sig")


def import_ratings(
    store: Store, collection: str, content: bytes, name: str, *, clock: Clock = utc_now
) -> tuple[int, tuple[str, ...]]:
    """Import ratings from such a table; return the number of new or changed ones, and the reasons for rejecting others.

    A later rating by the same person in this workspace stays.
    """
    texts = {query.query_id: query.text for query in queries_to_rate(store, collection)}
    here = {_about_rating(kept.rating): kept for kept in ratings_of(store, collection)}
    n, problems = 0, []
    for line, cells in written_rows(content, name, ("query_id", "rater", "quality", "points")):
        query_id, text, made_at = cells["query_id"], cells.get("query_text", ""), cells.get("made_at", "") or clock()
        try:
            if query_id not in texts:
                raise InputError(f'collection "{collection}" has no query "{query_id[:80]}"')
            if text and text != texts[query_id]:
                raise InputError(f'query "{query_id[:80]}" has changed since it was rated')
            if not cells["points"].isdecimal():
                raise InputError(f'a rating has 1 to 5 points, got "{cells["points"][:80]}"')
            rating = Rating(query_id, checked_person(cells["rater"]), cells["quality"], int(cells["points"]))
            before = here.get(_about_rating(rating))
            if before and before.counts and (before.rating == rating or before.made_at > made_at):
                continue
            rate(store, collection, rating, clock=lambda made_at=made_at: made_at)  # type: ignore[misc]
            n += 1
        except InputError as e:
            problems.append(f"line {line:,}: {e}")
    return n, tuple(problems)


def _about_rating(rating: Rating) -> tuple[str, str, str]:
    return rating.query_id, rating.rater, rating.quality


# People's queries as a collection, and in STaRK's format for such questions.

TABLE = "stark_qa_human_generated_eval.csv"
SPLIT = "split/human_generated_eval.index"
WRITER = "writer"
"""Name of the label for a query's writer."""


def human_collection(store: Store, base: KnowledgeBase, name: str) -> Collection:
    """Combine confirmed queries and their answers with the entities that questions ask for, as documents."""
    return altered(human_questions(store, base, name), documents=tuple(base.documents()))


def human_questions(store: Store, base: KnowledgeBase, name: str) -> Collection:
    """Return the same collection without documents."""
    confirmed = queries_of(store, base.about.name, state="confirmed")
    if not confirmed:
        raise InputError(f'no query is confirmed for "{base.about.name}" yet: write one first')
    slots = {template.template_id: template.slots.keys() for template in templates_of(base, store)}
    return Collection(
        name,
        (),
        tuple(Query(one.query_id, one.text, _labels(one, slots)) for one in confirmed),
        tuple(Judgment(one.query_id, answer, 1) for one in confirmed for answer in one.answers),
        {HUMAN: tuple(one.query_id for one in confirmed)},
        base.about.made_up,
    )


def _labels(query: HumanQuery, slots: Mapping[str, Set[str]]) -> tuple[tuple[str, str], ...]:
    labels: tuple[tuple[str, str], ...] = ((WRITER, query.writer), ("type", query.type))
    filled = {slot for slot, ids in query.given.items() if ids}
    if query.template not in slots or not slots[query.template] <= filled:
        return labels
    return *labels, *Requirement(query.template, query.given).labels


def save_human_collection(store: Store, base: KnowledgeBase, name: str, *, replace: bool = False) -> CollectionRow:
    """Save the collection for the page Retrievers. `replace`: overwrite an earlier collection of such queries."""
    store.check_writable()
    if is_stored(store, name) and not is_replaceable(store, base, name):
        raise InputError(f'another collection "{name}" already exists: choose another name')
    made = human_collection(store, base, name)
    return save_collection(store, made, origin=_origin(base), replace=replace)


def is_replaceable(store: Store, base: KnowledgeBase, name: str) -> bool:
    """Return True if there is such a collection, made of people's queries for this base."""
    return is_stored(store, name) and find_collection(store, name).origin == _origin(base)


def _origin(base: KnowledgeBase) -> str:
    return f"people, for {base.about.name}"


def human_files(collection: Collection) -> Mapping[str, str]:
    """Return the same content as files, by their name in a folder: questions with answers, and the split's queries.

    Labels and documents are left out.
    """
    answers: dict[str, list[str]] = {query_id: [] for query_id in collection.query_ids}
    for judgment in collection.judgments:
        if judgment.relevance > 0 and judgment.query_id in answers:
            answers[judgment.query_id].append(judgment.doc_id)
    table = io.StringIO(newline="")
    lines = csv.writer(table, lineterminator="\n")
    lines.writerow(["id", "query", "answer_ids"])
    for query in collection.queries:
        lines.writerow([query.query_id, query.text, answer_list(answers[query.query_id])])
    return {TABLE: table.getvalue(), SPLIT: "".join(f"{one}\n" for one in collection.splits.get(HUMAN, ()))}


def human_archive(collection: Collection) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in human_files(collection).items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return file.getvalue()
