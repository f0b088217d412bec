"""Rankings of a query next to each other, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import shorten

from dashboard.kit.figure_frame import looks
from dashboard.kit.theme import COLOURS, Theme

LONGEST_TITLE = 120
MET = "meets the relations"


@dataclass(frozen=True, slots=True)
class RankingLine:
    rank: int
    doc_id: str
    title: str
    score: float
    grade: int
    """0: it is no answer."""
    is_met: bool = False
    """It meets the relational requirement of the query."""


@dataclass(frozen=True, slots=True)
class RankingColumn:
    name: str
    lines: tuple[RankingLine, ...]
    n_answers: int
    """Number of answers to the query."""
    value: str
    """The metric on this query."""
    remark: str = ""

    @property
    def n_found(self) -> int:
        return sum(line.grade > 0 for line in self.lines)


def rankings_html(columns: Sequence[RankingColumn], theme: Theme, *, all_names: Sequence[str]) -> str:
    by_name = looks(all_names, theme)
    has_remarks = any(column.remark for column in columns)
    parts = [_column(column, by_name[column.name].colour, has_remarks) for column in columns]
    has_met = any(line.is_met for column in columns for line in column.lines)
    return f'{_style(theme, has_met)}<div class="qs-rankings">{"".join(parts)}</div>'


def _column(column: RankingColumn, colour: str, has_remarks: bool) -> str:
    found = f"{column.n_found:,} of {column.n_answers:,} answers" if column.n_answers else "no known answer"
    head = f"<h2>{escape(column.name)}</h2><p>{escape(column.value)}, {found} in its first {len(column.lines):,}</p>"
    remark = f"<p>{escape(column.remark)}</p>" if has_remarks else ""
    body = "".join(map(_line, column.lines)) or "<li><span></span><span>No results for this query.</span></li>"
    label = escape(f"Ranking of {column.name}", quote=True)
    look = f"border-top-color:{colour};grid-row:span {3 + has_remarks}"
    return f'<section style="{look}">{head}{remark}<ol aria-label="{label}">{body}</ol></section>'


def _line(line: RankingLine) -> str:
    title = escape(cut(line.title or line.doc_id))
    parts = [*([f"answer, grade {line.grade}"] if line.grade else []), *([MET] if line.is_met else [])]
    word = f"<b>{', '.join(parts)}</b> " if parts else ""
    mark = '<i aria-hidden="true">●</i>' if line.grade else ""
    mark += '<i class="met" aria-hidden="true">◆</i>' if line.is_met else ""
    return (
        f'<li{" class=answer" if line.grade else ""}><span class="rank">{line.rank}{mark}</span>'
        f"<span>{title}<small>{word}{escape(line.doc_id)} · {score(line.score)}</small></span></li>"
    )


def cut(title: str) -> str:
    """Shorten a title at its end."""
    return shorten(title, LONGEST_TITLE, placeholder=" …") if " " in title else title[:LONGEST_TITLE]


def score(value: float) -> str:
    """Format a score with three significant digits.

    >>> score(12.3456), score(0.01234), score(-3.0)
    ('12.3', '0.0123', '\u22123')
    """
    return f"{value:.3g}".replace("-", "\u2212")


def ranking_rows(
    columns: Sequence[RankingColumn], *, has_met: bool = False
) -> list[Mapping[str, str | int | float | None]]:
    """Return every line of every ranking. `has_met`: the documents that meet the relational requirement are known."""
    return [
        {
            "Run": column.name,
            "Rank": line.rank,
            "Document": line.doc_id,
            "Title": line.title,
            "Score": line.score,
            "Relevance": line.grade or None,
            **({"Meets the relations": "yes" if line.is_met else "no"} if has_met else {}),
        }
        for column in columns
        for line in column.lines
    ]


def _style(theme: Theme, has_met: bool) -> str:
    """Return static rules; they never contain user text. `has_met`: make room for two marks next to a rank."""
    c, width = COLOURS[theme], "4em" if has_met else "3.1em"
    return f"""<style>
.qs-rankings {{
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(270px, 100%), 1fr)); gap: 14px 22px;
}}
.qs-rankings section {{
  display: grid; grid-template-rows: subgrid; grid-template-columns: minmax(0, 1fr); row-gap: 0;
  border-top: 3px solid {c["grid"]}; padding-top: 6px; min-width: 0;
}}
.qs-rankings h2 {{ margin: 0; padding: 0; font-size: 0.98rem; overflow-wrap: anywhere; }}
.qs-rankings p {{ margin: 0 0 6px; color: {c["faint"]}; font-size: 0.82rem; }}
.qs-rankings ol {{ list-style: none; margin: 0; padding: 0; }}
.qs-rankings li {{
  display: grid; grid-template-columns: {width} 1fr; margin: 0; padding: 3px 4px 3px 0; font-size: 0.88rem;
  line-height: 1.25; border-left: 3px solid transparent; border-bottom: 1px solid {c["grid"]};
  overflow-wrap: anywhere;
}}
.qs-rankings li.answer {{ border-left-color: {c["core"]}; background: {c["panel"]}; }}
.qs-rankings .rank {{
  color: {c["faint"]}; font-variant-numeric: tabular-nums; padding-left: 5px; white-space: nowrap;
}}
.qs-rankings .rank i {{ color: {c["core"]}; font-style: normal; padding-left: 4px; }}
.qs-rankings .rank i.met {{ color: {c["relevant"]}; }}
.qs-rankings small {{ display: block; color: {c["faint"]}; font-size: 0.78rem; }}
.qs-rankings small b {{ color: {c["text"]}; }}
</style>"""
