"""The leaderboard as a table: what stands in each cell, and the table as HTML. Every text of a user is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from core.judging.agreement import Interval
from core.ranking.metrics import RankingMetric, read_metric
from core.ranking.report import Leaderboard, Mark, PublishedRow, RunScores, best_runs, highest, marks
from dashboard.figures.retrievers.shared import look_at
from dashboard.figures.theme import COLOURS, Theme
from dashboard.sections.versions.score_look import score_table_style
from data.exports.leaderboard import SIGNS

NONE = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one run."""

    value: float | None
    interval: Interval | None
    is_best: bool
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class Line:
    """One run."""

    name: str
    place: int
    """Among all runs: says its colour, the same in every figure."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """The whole leaderboard, the best on the chosen metric first."""

    metrics: tuple[RankingMetric, ...]
    chosen: str
    lines: tuple[Line, ...]
    published: tuple[PublishedRow, ...] = ()


def table_of(
    leaderboard: Leaderboard, chosen: str, *, against: str | None = None, published: Sequence[PublishedRow] = ()
) -> Table:
    """What stands where. `against`: the run that the marks compare with; None: the best of each column."""
    metrics = tuple(leaderboard.scores[0].values) if leaderboard.scores else ()
    best = {metric: highest(leaderboard, metric) for metric in metrics}
    signs = {metric: marks(leaderboard, metric, against=against) for metric in metrics}
    places = {run.name: place for place, run in enumerate(leaderboard.scores)}
    order = best_runs(leaderboard, chosen) or leaderboard.scores
    lines = tuple(Line(run.name, places[run.name], _cells(run, metrics, best, signs)) for run in order)
    return Table(tuple(read_metric(metric) for metric in metrics), chosen, lines, tuple(published))


def _cells(
    run: RunScores,
    metrics: Sequence[str],
    best: Mapping[str, frozenset[str]],
    signs: Mapping[str, Mapping[str, Mark]],
) -> tuple[Cell, ...]:
    return tuple(
        Cell(run.values.get(metric), run.intervals.get(metric), run.name in best[metric], signs[metric].get(run.name))
        for metric in metrics
    )


def table_html(table: Table, theme: Theme, *, caption: str) -> str:
    """The table with its rules of style."""
    spans = [_span(table, column) for column in range(len(table.metrics))]
    head = "".join(_head(metric, metric.metric_id == table.chosen) for metric in table.metrics)
    body = "".join(_line_html(line, spans, theme) for line in table.lines)
    body += _published_html(table)
    return (
        f'<div class="qs-scores qs-board" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<thead><tr><th scope="col">Run</th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        f"{score_table_style(theme)}{_more_style(theme)}"
    )


def _span(table: Table, column: int) -> tuple[float, float]:
    """What the whiskers of a column lie on."""
    ends = [end for line in table.lines if (interval := line.cells[column].interval) for end in interval]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _head(metric: RankingMetric, is_chosen: bool) -> str:
    words = escape(f"{metric.sentence} {metric.formula}. {metric.undefined}")
    sort = ' aria-sort="descending"' if is_chosen else ""
    return f'<th scope="col" title="{words}"{sort}>{escape(metric.label)}</th>'


def _line_html(line: Line, spans: Sequence[tuple[float, float]], theme: Theme) -> str:
    cells = "".join(f"<td>{_cell_html(cell, span)}</td>" for cell, span in zip(line.cells, spans, strict=True))
    colour = look_at(line.place, theme).colour
    return f'<tr><th scope="row"><i class="run" style="background:{colour}"></i>{escape(line.name)}</th>{cells}</tr>'


def _cell_html(cell: Cell, span: tuple[float, float]) -> str:
    if cell.value is None:
        return f'<span title="no query could be scored">{NONE}</span>'
    text = f"{cell.value:.3f}"
    if cell.is_best:
        text = f'<b>{text}<span class="unseen"> (highest)</span></b>'
    sign = f"<i>{SIGNS[cell.mark]}<span class='unseen'> clearly {cell.mark}</span></i>" if cell.mark else ""
    number = f'<span class="value">{text}<span class="sign">{sign}</span></span>'
    if cell.interval is None:
        return number
    low, high, dot = (_along(end, span) for end in (*cell.interval, cell.value))
    return (
        f'{number}<i class="track" role="presentation"><i class="whisker" style="left:{low:.1f}%;'
        f'width:{max(high - low, 0.5):.1f}%"></i><i class="dot clear" style="left:{dot:.1f}%"></i></i>'
        f"<small>{cell.interval.low:.3f} to {cell.interval.high:.3f}</small>"
    )


def _along(value: float, span: tuple[float, float]) -> float:
    return min(max(100 * (value - span[0]) / (span[1] - span[0]), 0.0), 100.0)


def _published_html(table: Table) -> str:
    """What others printed, apart from what was measured."""
    if not table.published:
        return ""
    n = len(table.metrics) + 1
    head = f'<tr class="group"><th colspan="{n}" scope="rowgroup">Published by others, not measured here</th></tr>'
    rows = []
    for row in table.published:
        shares = [row.share(metric.metric_id) for metric in table.metrics]
        cells = "".join(f"<td>{NONE if share is None else f'{share:.3f}'}</td>" for share in shares)
        name = f'<th scope="row" title="{escape(row.source)}">{escape(row.retriever)}</th>'
        rows.append(f'<tr class="published">{name}{cells}</tr>')
    return head + "".join(rows)


def _more_style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-board table {{ width: 100%; }}
.qs-board th, .qs-board td {{ padding-left: 10px; }}
.qs-board thead th:not(:first-child) {{ padding-right: 14px; }}
.qs-board:focus-visible {{ outline: 2px solid {c["accent"]}; outline-offset: 2px; }}
.qs-board th:first-child {{ white-space: normal; min-width: 9rem; max-width: 16rem; overflow-wrap: anywhere; }}
.qs-board th[aria-sort] {{ text-decoration: underline; text-underline-offset: 4px; }}
.qs-board td .track {{ width: 88px; margin-left: auto; margin-top: 1px; }}
.qs-board .value {{ white-space: nowrap; }}
.qs-board .sign {{ display: inline-block; width: 14px; text-align: center; font-size: 0.78em; }}
.qs-board .sign i {{ font-style: normal; }}
.qs-board .run {{ display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 7px; }}
.qs-board .published td, .qs-board .published th {{ color: {c["faint"]}; font-style: italic; }}
.qs-board td small {{ padding-right: 14px; }}
.qs-board td .track {{ margin-right: 14px; }}
@media (max-width: 640px) {{ .qs-board th:first-child {{ min-width: 6rem; max-width: 7.5rem; }} }}
</style>"""
