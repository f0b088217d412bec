"""What people wrote, as a collection and in the form in which STaRK publishes such questions."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping, Set
from dataclasses import replace as altered

from core.errors import InputError
from core.knowledge.templates import Requirement
from core.ranking.check import Collection, Judgment, Query
from data.collections.stark import HUMAN, answer_list
from data.collections.stored import CollectionRow, find_collection, is_stored, save_collection
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.persons import check_is_kept
from data.knowledge.people.writing import HumanQuery, queries_of
from data.knowledge.templates import templates_of
from data.store import Store

TABLE = "stark_qa_human_generated_eval.csv"
SPLIT = "split/human_generated_eval.index"
WRITER = "writer"
"""Name of the label that says who wrote a query."""


def human_collection(store: Store, base: KnowledgeBase, name: str) -> Collection:
    """Confirmed queries with their confirmed answers, over the texts of the entities that questions ask for."""
    return altered(human_questions(store, base, name), documents=tuple(base.documents()))


def human_questions(store: Store, base: KnowledgeBase, name: str) -> Collection:
    """The same without documents."""
    confirmed = queries_of(store, base.about.name, state="confirmed")
    if not confirmed:
        raise InputError(f'nobody has confirmed a query for "{base.about.name}" yet: write one first')
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
    """Who wrote it, for what, and what it demands of relations: if the template is there and no blank is left."""
    labels: tuple[tuple[str, str], ...] = ((WRITER, query.writer), ("type", query.type))
    filled = {slot for slot, ids in query.given.items() if ids}
    if query.template not in slots or not slots[query.template] <= filled:
        return labels
    return *labels, *Requirement(query.template, query.given).labels


def save_human_collection(store: Store, base: KnowledgeBase, name: str, *, replace: bool = False) -> CollectionRow:
    """Keep it for the page Retrievers. `replace`: in the place of one that was made of such queries before."""
    check_is_kept(store, "collections are kept")
    if is_stored(store, name) and not is_replaceable(store, base, name):
        raise InputError(f'there is a collection "{name}" already, of something else: choose another name')
    made = human_collection(store, base, name)
    return save_collection(store, made, origin=_origin(base), replace=replace)


def is_replaceable(store: Store, base: KnowledgeBase, name: str) -> bool:
    """Whether there is such a collection, made of what people wrote for this base."""
    return is_stored(store, name) and find_collection(store, name).origin == _origin(base)


def _origin(base: KnowledgeBase) -> str:
    return f"people, for {base.about.name}"


def human_files(collection: Collection) -> Mapping[str, str]:
    """The files that say the same, by their name in a folder: questions with their answers, and the split's queries.

    Labels and documents are not in them.
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
    """The files in one."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in human_files(collection).items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return file.getvalue()
