"""The levels of a rubric as a ladder, the highest at the top."""

from __future__ import annotations

from html import escape

from core.judging.types import Grade, Rubric
from dashboard.figures.theme import COLOURS, Theme


def levels_html(rubric: Rubric, theme: Theme) -> str:
    """A table: the score as it is shown, the name of the grade, and when it is given."""
    rows = "".join(_row(rubric, grade) for grade in reversed(rubric.grades))
    label = escape(f"Grades of {rubric.name}", quote=True)
    head = '<tr><th scope="col">Score</th><th scope="col">Points</th><th scope="col">Grade</th></tr>'
    return f'{_style(theme)}<table class="qs-levels" aria-label="{label}"><thead>{head}</thead>{rows}</table>'


def _row(rubric: Rubric, grade: Grade) -> str:
    low, high = rubric.points[0], rubric.points[-1]
    share = 100 * (grade.points - low) / (high - low)
    return (
        f'<tr><td class="score"><b>{rubric.shown(grade.points):g}</b>'
        f'<i aria-hidden="true"><i style="width:{share:.0f}%"></i></i></td>'
        f'<td class="points">{grade.points}</td>'
        f"<td><b>{escape(grade.name)}</b><span>{escape(grade.text)}</span></td></tr>"
    )


def _style(theme: Theme) -> str:
    """Static rules; no user text comes here."""
    c = COLOURS[theme]
    return f"""<style>
.qs-levels {{ border-collapse: collapse; width: 100%; max-width: 62rem; font-size: 0.92rem; }}
.qs-levels th {{ text-align: left; font-weight: 400; font-size: 0.8rem; color: {c["faint"]}; padding: 2px 10px 4px 0; }}
.qs-levels td {{
  border-top: 1px solid {c["grid"]}; padding: 7px 10px 7px 0; vertical-align: top; overflow-wrap: anywhere;
}}
.qs-levels .score {{ width: 4.2em; font-variant-numeric: tabular-nums; }}
.qs-levels .score > b {{ font-size: 1.05rem; }}
.qs-levels .score > i {{ display: block; height: 4px; background: {c["grid"]}; margin-top: 3px; }}
.qs-levels .score > i > i {{ display: block; height: 4px; background: {c["relevant"]}; }}
.qs-levels .points {{ width: 3.4em; color: {c["faint"]}; font-variant-numeric: tabular-nums; }}
.qs-levels td > span {{ display: block; color: {c["faint"]}; line-height: 1.35; }}
</style>"""
