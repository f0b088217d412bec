"""Questions of one's own as queries of a collection: documents of a knowledge base, its answers as judgments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from core.errors import InputError
from core.knowledge.templates import Requirement, Template
from core.protocols import OnStage, silent
from core.ranking.check import Collection, Judgment, Query, check
from core.types import Ids
from data.collections.stored import checked_name, find_collection, is_stored, load_collection, save_collection
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import delete_template, save_template, templates_of
from data.store import Store

MOST_TEXT = 5_000
"""Characters of a query."""


@dataclass(frozen=True, slots=True)
class OwnQuery:
    """A question that is to be kept."""

    text: str
    template: Template
    given: dict[str, Ids]
    """For each blank, the entities that fill it."""
    answers: Ids
    """Entities that are relevant to it."""


@dataclass(frozen=True, slots=True)
class KeptQuery:
    """Where it is now."""

    collection: str
    query_id: str
    n_queries: int
    """Of the collection."""
    is_new: bool
    """Whether the collection was begun with it."""


def origin_of(base: KnowledgeBase) -> str:
    """What a collection of one's own says of where it came from; only to such a one queries are added."""
    return f'questions to the knowledge base "{base.about.name}"'


def own_collections(store: Store, base: KnowledgeBase) -> Ids:
    """Collections that queries over this knowledge base can be added to."""
    found = store.rows("SELECT name FROM collections WHERE origin = ? ORDER BY name", [origin_of(base)])
    return tuple(name for (name,) in found)


def keep_query(
    store: Store, base: KnowledgeBase, name: str, query: OwnQuery, *, on_stage: OnStage = silent
) -> KeptQuery:
    """Add it to the collection of this name; where there is none, one is begun with the knowledge base's documents.

    A template that nobody else could look up is kept too. All of it or nothing.
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
            "another name, so that a new collection is begun"
        )
    on_stage("saving the query")
    query_id = _free_id(before)
    after = _with(before, query_id, text, query)
    with _template_kept(store, base, query.template):
        save_collection(store, after, origin=origin_of(base), notes=NOTES, oddities=check(after), replace=not is_new)
    return KeptQuery(name, query_id, len(after.queries), is_new)


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
    """With its template kept if nobody else could look it up; not any more if what follows fails."""
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
