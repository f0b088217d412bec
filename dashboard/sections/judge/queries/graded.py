"""The judgments of one query side by side, as a document: rank, grade, title, reason, and who graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import shorten

from core.judging.types import STATUS_WORDS, Judged, Rubric, Verdict
from dashboard.figures.theme import COLOURS, Theme

LONGEST_TITLE, LONGEST_REASON = 140, 320
MOST_LISTED = 100
"""Of one engine."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One engine's answer to the query."""

    engine: str
    judged: tuple[Judged, ...]

    def mean(self, rubric: Rubric) -> float | None:
        """Of what has a grade, as it is shown."""
        points = [each.points for each in self.judged if each.points is not None]
        return rubric.shown(sum(points) / len(points)) if points else None

    @property
    def n_valid(self) -> int:
        """What has a grade."""
        return sum(each.points is not None for each in self.judged)


def graded_html(columns: Sequence[Graded], rubric: Rubric, theme: Theme, *, chosen: str | None) -> str:
    """All columns; they stand beneath each other where there is little room. `chosen`: the triple that is open."""
    parts = "".join(_column(column, rubric, chosen) for column in columns)
    return f'{_style(theme)}<div class="qs-graded">{parts}</div>'


def _column(column: Graded, rubric: Rubric, chosen: str | None) -> str:
    mean = column.mean(rubric)
    said = "nothing was found" if not column.judged else f"{column.n_valid:,} of {len(column.judged):,} graded"
    head = "–" if mean is None else f"{mean:.1f}"
    body = "".join(_line(each, rubric, is_open=each.triple_key == chosen) for each in column.judged[:MOST_LISTED])
    n_more = len(column.judged) - MOST_LISTED
    more = f"<p>And {n_more:,} more, which the table beneath holds.</p>" if n_more > 0 else ""
    label = escape(f"Judgments of {column.engine}", quote=True)
    return (
        f"<section><h4>{escape(column.engine)}</h4><p>Mean <b>{head}</b> · {said}</p>"
        f'<ol aria-label="{label}">{body}</ol>{more}</section>'
    )


def _line(judged: Judged, rubric: Rubric, *, is_open: bool) -> str:
    candidate, verdict, points = judged.candidate, judged.verdict, judged.points
    title = escape(_cut(candidate.title or candidate.doc_id, LONGEST_TITLE))
    reason = "" if verdict is None else _cut(verdict.reason, LONGEST_REASON)
    why = judged.overruled.why if judged.overruled is not None else reason
    is_person = judged.overruled is not None
    low, high = rubric.points[0], rubric.points[-1]
    share = 0.0 if points is None else 100 * (points - low) / (high - low)
    number = "–" if points is None else f"{rubric.shown(points):g}"
    marks = " ".join([*(["open"] if is_open else []), *(["none"] if points is None else [])])
    bar = "person" if is_person else "judge"
    return (
        f'<li class="{marks}"><span class="rank">{candidate.rank}</span>'
        f'<span class="grade"><b>{number}</b><i aria-hidden="true"><i class="{bar}" style="width:{share:.0f}%"></i></i>'
        f"</span><span>{title}<small>{escape(said_of(judged, rubric))}</small>"
        f"<small>{escape(_cut(why, LONGEST_REASON))}</small></span></li>"
    )


def said_of(judged: Judged, rubric: Rubric) -> str:
    """Level, confidence, and where the grade comes from if not from a usual answer."""
    verdict, said = judged.verdict, judged.overruled
    parts = []
    if judged.points is not None:
        parts.append(next(grade.name for grade in rubric.grades if grade.points == judged.points))
    if said is not None:
        own = None if verdict is None or verdict.points is None else rubric.shown(verdict.points)
        parts.append(f"by {said.who}; the judge: {'no grade' if own is None else f'{own:g}'}")
    elif verdict is None:
        parts.append("not asked yet")
    else:
        if verdict.confidence is not None:
            parts.append(f"confidence {verdict.confidence}")
        if verdict.status != "ok":
            parts.append(ended_in_words(verdict))
    return " · ".join(parts)


def ended_in_words(verdict: Verdict) -> str:
    """How one verdict came about; without an abstract it says which of the two it was."""
    if verdict.status != "no_abstract":
        return STATUS_WORDS[verdict.status]
    return "by its title alone" if verdict.is_valid else "not asked: there is no abstract"


def _cut(text: str, longest: int) -> str:
    return shorten(text, longest, placeholder=" …") if " " in text else text[:longest]


def graded_rows(columns: Sequence[Graded], rubric: Rubric) -> list[Mapping[str, str | int | float | None]]:
    """Every line of every column."""
    return [
        {
            "Engine": column.engine,
            "Rank": each.candidate.rank,
            "Grade": None if each.points is None else rubric.shown(each.points),
            "Said of it": said_of(each, rubric),
            "Confidence": None if each.verdict is None else each.verdict.confidence,
            "Title": each.candidate.title,
            "Reason": "" if each.verdict is None else each.verdict.reason,
            "Document": each.candidate.doc_id,
        }
        for column in columns
        for each in column.judged
    ]


def _style(theme: Theme) -> str:
    """Static rules; no user text comes here."""
    c = COLOURS[theme]
    return f"""<style>
.qs-graded {{
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 14px 22px;
}}
.qs-graded section {{ border-top: 3px solid {c["grid"]}; padding-top: 6px; min-width: 0; }}
.qs-graded h4 {{ margin: 0; padding: 0; font-size: 0.98rem; overflow-wrap: anywhere; }}
.qs-graded p {{
  margin: 0 0 6px; color: {c["faint"]}; font-size: 0.82rem; font-variant-numeric: tabular-nums;
}}
.qs-graded p b {{ color: {c["text"]}; }}
.qs-graded ol {{ list-style: none; margin: 0; padding: 0; }}
.qs-graded li {{
  display: grid; grid-template-columns: 1.9em 3em 1fr; column-gap: 6px; margin: 0; padding: 5px 4px 5px 0;
  font-size: 0.88rem; line-height: 1.3; border-left: 3px solid transparent; border-bottom: 1px solid {c["grid"]};
  overflow-wrap: anywhere;
}}
.qs-graded li.open {{ border-left-color: {c["accent"]}; background: {c["panel"]}; }}
.qs-graded li.none .grade b {{ color: {c["warning"]}; }}
.qs-graded .rank {{ color: {c["faint"]}; font-variant-numeric: tabular-nums; padding-left: 5px; }}
.qs-graded .grade {{ font-variant-numeric: tabular-nums; }}
.qs-graded .grade > i {{ display: block; height: 4px; background: {c["grid"]}; margin-top: 2px; }}
.qs-graded .grade > i > i {{ display: block; height: 4px; background: {c["relevant"]}; }}
.qs-graded .grade > i > i.person {{ background: {c["core"]}; }}
.qs-graded small {{ display: block; color: {c["faint"]}; font-size: 0.8rem; }}
</style>"""
