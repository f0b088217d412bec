"""A judged run as files: everything that was asked, answered and overruled, and judgments for other programs.

FORMS: id -> how it is written. Tables and lines are read back by the modules that write them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType

from core.errors import NotFoundError
from core.judging.types import GradeMap, as_they_are
from data.files import written_aside
from data.judging.export import lines, qrels, table
from data.judging.export.judged_run import JudgedRun, load_judged_run
from data.judging.keeping.runs import JudgeRunRow
from data.store import Store


@dataclass(frozen=True, slots=True)
class JudgedForm:
    """One kind of file."""

    form_id: str
    """What `--format` takes."""
    label: str
    """What a page calls it."""
    sentence: str
    """What is in it."""
    suffix: str
    """The end of a file's name, with its stop."""
    mime: str
    write: Callable[[JudgedRun, GradeMap], bytes]
    """The whole file. Only qrels ask what grades become."""
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
                lambda run, _: table.csv_bytes(run),
            ),
            JudgedForm(
                "jsonl",
                "JSON Lines",
                "Everything: judge, rubric, prompt, every answer as it came, every overruling.",
                ".jsonl",
                "application/jsonl",
                lambda run, _: lines.jsonl_bytes(run),
            ),
            JudgedForm(
                "qrels",
                "Qrels (TREC)",
                "Judgments in four columns, as trec_eval reads them.",
                ".qrels",
                "text/plain",
                qrels.trec_bytes,
                maps_grades=True,
            ),
            JudgedForm(
                "tsv",
                "Qrels (BEIR)",
                "Judgments in three columns with tabs between them; ids may hold spaces.",
                ".tsv",
                "text/tab-separated-values",
                qrels.beir_bytes,
                maps_grades=True,
            ),
        )
    }
)


def form_named(form_id: str | None, file_name: str = "") -> JudgedForm:
    """The form of this id; without one, the form that the file's name ends in.

    >>> form_named(None, "grades.QRELS").form_id
    'qrels'
    """
    if form_id is not None:
        if form_id not in FORMS:
            raise NotFoundError(f'no format "{form_id[:40]}"; there are {", ".join(FORMS)}')
        return FORMS[form_id]
    suffix = PurePath(file_name).suffix.lower()
    for form in FORMS.values():
        if form.suffix == suffix:
            return form
    ends = f'"{suffix[:40]}" names no format' if suffix else "the file's name has no ending"
    raise NotFoundError(f"{ends}: choose one with --format ({', '.join(FORMS)})")


def export_bytes(
    run: JudgedRun, form: JudgedForm, *, grade_map: GradeMap | None = None, engines: Sequence[str] | None = None
) -> bytes:
    """The file. Without a map, relevance is the grade; `engines`: of these alone."""
    chosen = run if engines is None else run.of_engines(engines)
    return form.write(chosen, grade_map or as_they_are(run.judge.rubric))


def write_export(
    store: Store,
    row: JudgeRunRow,
    path: Path,
    *,
    form_id: str | None = None,
    grade_map: GradeMap | None = None,
    engines: Sequence[str] | None = None,
) -> JudgedForm:
    """Write a run to a file, whole or not at all, in the form that its name ends in unless one is named."""
    form = form_named(form_id, path.name)
    content = export_bytes(load_judged_run(store, row), form, grade_map=grade_map, engines=engines)
    with written_aside(path) as file:
        file.write(content)
    return form
