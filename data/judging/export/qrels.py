"""Grades as judgments for other programs, and as a collection on the page Retrievers."""

from __future__ import annotations

from core.errors import InputError
from core.judging.types import GradeMap, Relevances, relevances
from core.ranking.check import Collection, Document
from data.collections.parts import clean_text
from data.collections.stored import CollectionRow, find_collection, is_stored, load_collection, save_collection
from data.judging.demo_judge import DEMO_MODEL
from data.judging.export.judged_run import JudgedRun
from data.store import Store

HEADER = "query-id\tcorpus-id\tscore\n"
ORIGIN = "judged run: "


def trec_bytes(run: JudgedRun, grade_map: GradeMap) -> bytes:
    """Query, 0, publication, relevance. What has no grade has no line."""
    lines = []
    for judgment in relevances(run.judged, grade_map).judgments:
        for own_id in (judgment.query_id, judgment.doc_id):
            if own_id.split() != [own_id] or not _fits(own_id):
                raise InputError(
                    f'a TREC file separates by spaces, so the id "{own_id[:60]}" can\'t stand in one: take the form '
                    "with tabs (BEIR)"
                )
        lines.append(f"{judgment.query_id} 0 {judgment.doc_id} {judgment.relevance}\n")
    return "".join(lines).encode()


def beir_bytes(run: JudgedRun, grade_map: GradeMap) -> bytes:
    """The same in three columns with tabs between them, under a line of names."""
    lines = [HEADER]
    for judgment in relevances(run.judged, grade_map).judgments:
        for own_id in (judgment.query_id, judgment.doc_id):
            if not own_id or not _fits(own_id) or " ".join(own_id.split()) != own_id:
                raise InputError(f'the id "{own_id[:60]}" holds signs that can\'t stand in a file of judgments')
        lines.append(f"{judgment.query_id}\t{judgment.doc_id}\t{judgment.relevance}\n")
    return "".join(lines).encode()


def _fits(own_id: str) -> bool:
    return clean_text(own_id) == own_id and "\ufeff" not in own_id


def counts_in_words(found: Relevances) -> str:
    """What a reader of such judgments has to know."""
    n = len(found.judgments)
    parts = [f"{n:,} {'judgment' if n == 1 else 'judgments'}"]
    if found.n_of_people:
        parts.append(f"{found.n_of_people:,} of them by people")
    if found.n_without_grade:
        parts.append(f"{found.n_without_grade:,} without a grade left out")
    if found.n_differing:
        parts.append(f"{found.n_differing:,} given twice with other texts and grades, of which the first was taken")
    return ", ".join(parts)


def judged_collection(run: JudgedRun, name: str, grade_map: GradeMap, documents: Collection | None) -> Collection:
    """Queries with grades as judgments, over what was judged or over the documents of a collection."""
    found = relevances(run.judged, grade_map)
    if not found.judgments:
        raise InputError("nothing has a grade yet: judge first")
    if documents is None:
        texts = {each.candidate.doc_id: each.candidate for each in reversed(run.judged)}
        given = dict.fromkeys(each.candidate.doc_id for each in run.judged)
        own = tuple(Document(doc_id, texts[doc_id].title, texts[doc_id].abstract) for doc_id in given)
    else:
        own = documents.documents
        lost = [judgment.doc_id for judgment in found.judgments if judgment.doc_id not in documents.row_of]
        if lost:
            raise InputError(
                f'"{documents.name}" does not hold {len(lost):,} of the judged publications, such as '
                f'"{lost[0][:60]}": choose the collection that was searched, or take what was judged alone'
            )
    made_up = run.judge.settings.model == DEMO_MODEL or (documents is not None and documents.made_up)
    return Collection(name, own, run.field.queries, found.judgments, {}, made_up)


def save_judged_collection(
    store: Store,
    run: JudgedRun,
    name: str,
    grade_map: GradeMap,
    *,
    documents: str | None = None,
    replace: bool = False,
) -> CollectionRow:
    """Keep them for the page Retrievers. `documents`: the collection that was searched, if all of it shall be in.

    `replace`: in the place of one that was made of judged runs before.
    """
    if is_stored(store, name) and not is_replaceable(store, name):
        raise InputError(f'there is a collection "{name}" already, of something else: choose another name')
    searched = None if documents is None else load_collection(store, documents)
    made = judged_collection(run, name, grade_map, searched)
    settings = run.judge.settings
    notes = (
        f"judgments are grades by {settings.model} under the rubric {settings.rubric_id} (prompt {run.prompt_hash}), "
        f"not human ones: {grade_map.sentence}",
        counts_in_words(relevances(run.judged, grade_map)),
        "only what the judged engines gave has judgments: a retriever that was not judged finds what nobody looked at",
        *run.field.notes,
    )
    return save_collection(store, made, origin=f"{ORIGIN}{run.row.name}", notes=notes, replace=replace)


def is_replaceable(store: Store, name: str) -> bool:
    """Whether there is such a collection, made of a judged run."""
    return is_stored(store, name) and find_collection(store, name).origin.startswith(ORIGIN)
