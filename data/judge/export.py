"""Export a judged run as JSON Lines, CSV or judgments for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as AbstractCollection
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any

from core.collections import Collection, Document, Query
from core.errors import InputError, NotFoundError
from core.judge.judgments import (
    STATUS_WORDS,
    GradeMap,
    GradeOverride,
    JudgedCandidate,
    JudgeField,
    Relevances,
    as_they_are,
    relevances,
)
from core.text import harmless, many
from data.collections import CollectionRow, find_collection, is_stored, load_collection, save_collection
from data.files import written_aside
from data.judge.demo_judge import DEMO_MODEL
from data.judge.runs import (
    Judge,
    JudgeRunRow,
    StoredAnswer,
    answers_to,
    load_field,
    load_judge,
    load_judged,
    overrules_of,
)
from data.retrieval.evaluation_files import beir_qrels, trec_qrels
from data.store import Store, content_hash

# A judged run with everything known about it, as it is exported.


@dataclass(frozen=True, eq=False)
class JudgedRun:
    row: JudgeRunRow
    judge: Judge
    field: JudgeField
    judged: tuple[JudgedCandidate, ...]
    """Every candidate, in the field's order."""
    answers: Mapping[str, tuple[StoredAnswer, ...]]
    """All answers of the judge, by triple, oldest first."""
    overrules: Mapping[str, tuple[GradeOverride, ...]]
    """All grades given by people, by triple, oldest first, including withdrawn ones."""

    @property
    def prompt_hash(self) -> str:
        return prompt_hash(self.judge.prompt)

    def of_engines(self, engines: AbstractCollection[str]) -> JudgedRun:
        if odd := [name for name in engines if name not in self.field.engines]:
            there = ", ".join(self.field.engines)
            raise NotFoundError(f'no judgments for "{odd[0][:60]}"; available: {there or "nothing"}')
        judged = tuple(each for each in self.judged if each.candidate.engine in engines)
        return replace(
            self, judged=judged, field=replace(self.field, candidates=tuple(each.candidate for each in judged))
        )


def prompt_hash(prompt: str) -> str:
    return content_hash([prompt])


def load_judged_run(store: Store, row: JudgeRunRow) -> JudgedRun:
    field, judge = load_field(store, row), load_judge(store, row.judge_key)
    judged = load_judged(store, row, field)
    keys = tuple(dict.fromkeys(each.triple_key for each in judged))
    return JudgedRun(
        row,
        judge,
        field,
        judged,
        answers_to(store, row.judge_key, keys),
        overrules_of(store, judge.rubric_key, keys),
    )


# A judged run as JSON Lines: the first line describes the judge and its settings, each other line is one judgment.

LAYOUT = 1
ROW_KEYS = tuple(field.name for field in fields(JudgeRunRow) if field.name != "settings")


def jsonl_bytes(run: JudgedRun) -> bytes:
    """Return the run as JSON Lines. Every line has every key, null where a value is unknown."""
    query_of = {query.query_id: query for query in run.field.queries}
    documents = [_head(run), *(_judgment(run, each, query_of[each.candidate.query_id]) for each in run.judged)]
    lines = (json.dumps(document, ensure_ascii=False, allow_nan=False) for document in documents)
    # Half a surrogate pair has no encoding: it is written as JSON writes it.
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _head(run: JudgedRun) -> dict[str, Any]:
    row = {key: getattr(run.row, key) for key in ROW_KEYS}
    return {
        "kind": "run",
        "layout": LAYOUT,
        **row,
        "field": run.field.name,
        "field_notes": run.field.notes,
        "queries": [{"query_id": q.query_id, "query": q.text, "labels": q.labels} for q in run.field.queries],
        "settings": asdict(run.judge.settings),
        "rubric": asdict(run.judge.rubric),
        "prompt": run.judge.prompt,
        "prompt_hash": run.prompt_hash,
        "fingerprint": run.judge.fingerprint,
    }


def _judgment(run: JudgedRun, judged: JudgedCandidate, query: Query) -> dict[str, Any]:
    verdict, rubric = judged.verdict, run.judge.rubric
    return {
        "kind": "judgment",
        **asdict(judged.candidate),
        "query": query.text,
        "labels": query.labels,
        "triple_key": judged.triple_key,
        "points": judged.points,
        "shown": None if judged.points is None else rubric.shown(judged.points),
        "status": None if verdict is None else verdict.status,
        "judge_points": None if verdict is None else verdict.points,
        "confidence": None if verdict is None else verdict.confidence,
        "reason": None if verdict is None else verdict.reason,
        "model": run.judge.settings.model,
        "prompt_hash": run.prompt_hash,
        "overruled": None if judged.overruled is None else _document(judged.overruled),
        "overrulings": [_document(each) for each in run.overrules.get(judged.triple_key, ())],
        "answers": [_document(each) for each in run.answers.get(judged.triple_key, ())],
    }


def _document(of_triple: GradeOverride | StoredAnswer) -> dict[str, Any]:
    return {name: value for name, value in asdict(of_triple).items() if name != "triple_key"}


# A judged run as a table: one line per judgment, safe in spreadsheets.

DIMENSION = "dimension: "
"""Prefix of the columns that hold the labels of a query."""
MARK = b"\xef\xbb\xbf"
FIRST = ("engine", "query_id", "query")
LAST = (
    *("rank", "doc_id", "title", "abstract", "grade", "shown", "grade_name", "graded_by", "status", "status_words"),
    *("judge_grade", "confidence", "reason", "overruled_grade", "overruled_by", "overruled_why", "overruled_at"),
    *("n_answers", "triple_key", "run_id", "run", "model", "rubric", "prompt_hash", "judge_key"),
)


def csv_bytes(run: JudgedRun) -> bytes:
    """Return a CSV file with a line per judgment. A cell that a spreadsheet would run starts with an apostrophe."""
    dimensions = _dimensions(run.field.queries)
    cells_of = {query.query_id: _labels_in(query, dimensions) for query in run.field.queries}
    text_of = {query.query_id: query.text for query in run.field.queries}
    about = _about(run)
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow([*FIRST, *(harmless(column) for column in dimensions), *LAST])
    for each in run.judged:
        query_id = each.candidate.query_id
        front = [harmless(each.candidate.engine), harmless(query_id), harmless(text_of[query_id])]
        known = _cells(run, each) | about
        lines.writerow([*front, *cells_of[query_id], *(known[name] for name in LAST)])
    # Without the mark, Excel reads a file as cp1252. Half a surrogate pair has no encoding.
    return MARK + out.getvalue().encode("utf-8", "replace")


def _dimensions(queries: Sequence[Query]) -> tuple[str, ...]:
    """Return a column for each label name; a name that a query has several times gets as many columns."""
    most: dict[str, int] = {}
    for query in queries:
        for name, n in Counter(name for name, _ in query.labels).items():
            most[name] = max(n, most.get(name, 0))
    return tuple(_column(name, number) for name, n in most.items() for number in range(n))


def _column(name: str, number: int) -> str:
    return f"{DIMENSION}{name}" + (f" ({number + 1})" if number else "")


def _labels_in(query: Query, dimensions: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for name, value in query.labels:
        found[_column(name, seen[name])] = harmless(value)
        seen[name] += 1
    return [found.get(column, "") for column in dimensions]


def _about(run: JudgedRun) -> dict[str, str]:
    return {
        "run_id": run.row.run_id,
        "run": harmless(run.row.name),
        "model": harmless(run.judge.settings.model),
        "rubric": harmless(run.judge.rubric.rubric_id),
        "prompt_hash": run.prompt_hash,
        "judge_key": run.row.judge_key,
    }


def _cells(run: JudgedRun, judged: JudgedCandidate) -> dict[str, str]:
    candidate, verdict, overrule, points = judged.candidate, judged.verdict, judged.overruled, judged.points
    rubric = run.judge.rubric
    by = "" if points is None else "judge" if overrule is None or overrule.points is None else "person"
    name = next((grade.name for grade in rubric.grades if grade.points == points), "")
    return {
        "rank": str(candidate.rank),
        "doc_id": harmless(candidate.doc_id),
        "title": harmless(candidate.title),
        "abstract": harmless(candidate.abstract),
        "grade": _number(points),
        "shown": "" if points is None else f"{rubric.shown(points):g}",
        "grade_name": harmless(name),
        "graded_by": by,
        "status": "" if verdict is None else verdict.status,
        "status_words": "not judged yet" if verdict is None else STATUS_WORDS[verdict.status],
        "judge_grade": _number(None if verdict is None else verdict.points),
        "confidence": _number(None if verdict is None else verdict.confidence),
        "reason": "" if verdict is None else harmless(verdict.reason),
        "overruled_grade": _number(None if overrule is None else overrule.points),
        "overruled_by": "" if overrule is None else harmless(overrule.who),
        "overruled_why": "" if overrule is None else harmless(overrule.why),
        "overruled_at": "" if overrule is None else harmless(overrule.made_at),
        "n_answers": str(sum(len(kept.answers) for kept in run.answers.get(judged.triple_key, ()))),
        "triple_key": judged.triple_key,
    }


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


# Grades as judgments for other programs, and as a collection on the page Retrievers.

ORIGIN = "judged run: "


def trec_bytes(run: JudgedRun, grade_map: GradeMap) -> bytes:
    """Return lines with query, 0, publication and relevance. Publications without a grade are left out."""
    return trec_qrels(relevances(run.judged, grade_map).judgments).content


def beir_bytes(run: JudgedRun, grade_map: GradeMap) -> bytes:
    """Return the judgments in three columns separated by tabs, with a header."""
    return beir_qrels(relevances(run.judged, grade_map).judgments)


def counts_in_words(found: Relevances) -> str:
    parts = [many(len(found.judgments), "judgment")]
    if found.n_of_people:
        parts.append(f"{found.n_of_people:,} of them by people")
    if found.n_without_grade:
        parts.append(f"{found.n_without_grade:,} without a grade left out")
    if found.n_differing:
        parts.append(f"{found.n_differing:,} graded twice with different texts and grades (first one used)")
    return ", ".join(parts)


def judged_collection(run: JudgedRun, name: str, grade_map: GradeMap, documents: Collection | None) -> Collection:
    """Build a collection with grades as judgments, over the judged documents or those of a collection."""
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
                f'"{documents.name}" lacks {len(lost):,} of the judged publications, such as "{lost[0][:60]}": '
                "choose the collection that was searched, or export only the judged documents"
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
    """Save the judgments as a collection for the page Retrievers.

    `documents`: the collection that was searched, to include all of it. `replace`: overwrite a collection of that name
    that was made of a judged run.
    """
    if is_stored(store, name) and not is_replaceable(store, name):
        raise InputError(f'a different collection "{name}" already exists: choose another name')
    searched = None if documents is None else load_collection(store, documents)
    made = judged_collection(run, name, grade_map, searched)
    settings = run.judge.settings
    notes = (
        f"judgments are grades by {settings.model} under the rubric {settings.rubric_id} (prompt "
        f"{run.prompt_hash}), not by people: {grade_map.sentence}",
        counts_in_words(relevances(run.judged, grade_map)),
        "only results of the judged engines have judgments: another retriever also finds unjudged publications",
        *run.field.notes,
    )
    return save_collection(store, made, origin=f"{ORIGIN}{run.row.name}", notes=notes, replace=replace)


def is_replaceable(store: Store, name: str) -> bool:
    """Return True if the collection exists and was made of a judged run."""
    return is_stored(store, name) and find_collection(store, name).origin.startswith(ORIGIN)


# A judged run as files: all requests, answers and overruled grades, and judgments for other programs.
#
# FORMS: id -> format. Tables and lines are read back by the modules that write them.


@dataclass(frozen=True, slots=True)
class JudgedForm:
    form_id: str
    """Value for `--format`."""
    label: str
    """Name on screen."""
    sentence: str
    """One sentence on the contents."""
    suffix: str
    """File name extension, with its dot."""
    mime: str
    write: Callable[[JudgedRun, GradeMap], bytes]
    """Function that returns the whole file. Only qrels use the mapping of grades."""
    maps_grades: bool = False


FORMS: Mapping[str, JudgedForm] = MappingProxyType(
    {
        form.form_id: form
        for form in (
            JudgedForm(
                "csv",
                "CSV",
                "One line for each judgment, for spreadsheets and R.",
                ".csv",
                "text/csv",
                lambda run, _: csv_bytes(run),
            ),
            JudgedForm(
                "jsonl",
                "JSON Lines",
                "Everything: judge, rubric, prompt, every raw answer, every overruling.",
                ".jsonl",
                "application/jsonl",
                lambda run, _: jsonl_bytes(run),
            ),
            JudgedForm(
                "qrels",
                "Qrels (TREC)",
                "Judgments in four columns for trec_eval; a space in an id is written as %20.",
                ".qrels",
                "text/plain",
                trec_bytes,
                maps_grades=True,
            ),
            JudgedForm(
                "tsv",
                "Qrels (BEIR)",
                "Judgments in three columns separated by tabs; ids may contain spaces.",
                ".tsv",
                "text/tab-separated-values",
                beir_bytes,
                maps_grades=True,
            ),
        )
    }
)


def form_named(form_id: str | None, file_name: str = "") -> JudgedForm:
    """Return the format with this id; without an id, the format of the file name's extension.

    >>> form_named(None, "grades.QRELS").form_id
    'qrels'
    """
    if form_id is not None:
        if form_id not in FORMS:
            raise NotFoundError(f'no format "{form_id[:40]}"; available: {", ".join(FORMS)}')
        return FORMS[form_id]
    suffix = PurePath(file_name).suffix.lower()
    for form in FORMS.values():
        if form.suffix == suffix:
            return form
    ends = f'"{suffix[:40]}" is not the ending of a known format' if suffix else "the file's name has no ending"
    raise NotFoundError(f"{ends}: choose one with --format ({', '.join(FORMS)})")


def export_bytes(
    run: JudgedRun, form: JudgedForm, *, grade_map: GradeMap | None = None, engines: Sequence[str] | None = None
) -> bytes:
    """Return the file. Without a map, relevance is the grade; `engines`: include these only."""
    chosen = run if engines is None else run.of_engines(engines)
    return form.write(chosen, grade_map or as_they_are(run.judge.rubric))


def write_export(
    store: Store,
    row: JudgeRunRow,
    path: Path,
    *,
    form_id: str | None = None,
) -> JudgedForm:
    """Write a run to a file, atomically. Without `form_id`, the file name's extension decides the format."""
    form = form_named(form_id, path.name)
    content = export_bytes(load_judged_run(store, row), form)
    with written_aside(path) as file:
        file.write(content)
    return form
