"""Grades that people gave instead of the judge's, as a table to export and import."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from core.errors import InputError, NotFoundError
from core.judge.judgments import JudgedCandidate
from core.text import harmless
from data.importers.tables import written_rows
from data.judge.runs import Judge, overrule
from data.store import Clock, Store, utc_now

COLUMNS = (
    *("query_id", "doc_id", "title", "judge_grade", "overruled_grade", "overruled_by", "overruled_why", "overruled_at"),
)
"""The same names as in the table of a whole run, which can also be imported."""


def overruled(judged: Sequence[JudgedCandidate]) -> tuple[JudgedCandidate, ...]:
    """Return the judgments overruled by a person, each once, whichever engines found the publication."""
    return tuple({each.triple_key: each for each in judged if each.overruled is not None}.values())


def judgment_of(judged: Sequence[JudgedCandidate], query_id: str, doc_id: str) -> JudgedCandidate:
    """Return the judgment of this query and publication."""
    for each in judged:
        if (each.candidate.query_id, each.candidate.doc_id) == (query_id, doc_id):
            return each
    raise NotFoundError(f'this run has no publication "{doc_id[:80]}" for the query "{query_id[:80]}"')


def people_csv(judged: Sequence[JudgedCandidate]) -> bytes:
    """Return a CSV line for each of these grades, safe in spreadsheets."""
    file = io.StringIO(newline="")
    lines = csv.writer(file, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    for each in overruled(judged):
        overrule, own, about = each.overruled, each.verdict, each.candidate
        if overrule is not None:
            texts = map(harmless, (about.query_id, about.doc_id, about.title))
            points = "" if own is None or own.points is None else own.points
            lines.writerow(
                [*texts, points, overrule.points, harmless(overrule.who), harmless(overrule.why), overrule.made_at]
            )
    return file.getvalue().encode("utf-8-sig", "replace")


def import_people(
    store: Store, judge: Judge, judged: Sequence[JudgedCandidate], content: bytes, name: str, *, clock: Clock = utc_now
) -> tuple[int, tuple[str, ...]]:
    """Import such a table; return the number of new or changed grades, and the problems. It deletes nothing."""
    n, problems = 0, []
    needed = ("query_id", "doc_id", "overruled_grade", "overruled_by", "overruled_why")
    known = {each.triple_key: each.overruled for each in judged}
    for line, cells in written_rows(content, name, needed):
        grade, who, why = (cells[column] for column in needed[2:])
        if not grade:
            continue
        try:
            key = judgment_of(judged, cells["query_id"], cells["doc_id"]).triple_key
            if not grade.isdecimal():
                raise InputError(f'a grade must be a number of the rubric, got "{grade[:80]}"')
            before = known[key]
            if before is None or (before.points, before.who, before.why) != (int(grade), who.strip(), why.strip()):
                known[key] = overrule(store, judge.rubric, key, int(grade), who=who, why=why, clock=clock)
                n += 1
        except (InputError, NotFoundError) as e:
            problems.append(f"line {line:,}: {e}")
    return n, tuple(problems)
