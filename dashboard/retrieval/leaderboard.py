"""Score runs, and show the leaderboard with intervals, clear differences and exports."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.collections import Collection, Document, Query, Run
from core.protocols import OnStage
from core.retrieval.leaderboard import (
    ALPHA,
    CITATION,
    Leaderboard,
    Mark,
    PublishedRow,
    RunScores,
    best_runs,
    highest,
    marks,
    published_for,
    score_runs,
    verdict,
)
from core.retrieval.metrics import DEFAULT_METRICS, Compat, RankingMetric, read_metric
from core.stats import Interval
from core.text import many
from dashboard import cache, state
from dashboard.kit.components import current_theme, draw_download
from dashboard.kit.figure_frame import look_at
from dashboard.kit.link_controls import choose_one
from dashboard.kit.theme import COLOURS, Theme, range_track, score_table_style
from dashboard.messages import sentence
from dashboard.retrieval.collection import CollectionChoice
from dashboard.retrieval.runs import NamedRun
from dashboard.status import computed
from dashboard.words import plain
from data.collections import SavedRun
from data.retrieval.evaluation_files import trec_id
from data.retrieval.leaderboard import SIGNS, LeaderboardFile, csv_text, html_text, latex_text
from data.retrieval.runs import write_run
from data.store import content_hash


@dataclass(frozen=True, eq=False)
class ScoredRuns:
    """Complete runs, scored on the same queries. Nothing on the page changes their content."""

    collection: Collection
    collection_key: str
    """Changes with anything in the collection."""
    split: str | None
    """None: all queries."""
    leaderboard: Leaderboard
    runs: tuple[SavedRun, ...]
    """In the order of the leaderboard's `scores`, where each is identified by its unique `run.name`."""
    compat: str | None
    """"stark-2024", or None for the standard definitions."""
    metric: str
    """The chosen metric: "ndcg@10"."""
    key: str
    """Key of everything here but `metric`, for the cache."""
    against: str | None = None
    """The run that all others are compared with; None: the best one on each metric."""
    topic_id: str | None = None
    """The topic of the workspace that the documents belong to, if any: its landscape can show them."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(scores.name for scores in self.leaderboard.scores)

    @cached_property
    def query_of(self) -> Mapping[str, Query]:
        """The queries of the split, by id, in the collection's order."""
        return {query.query_id: query for query in self.collection.of_split(self.split)}

    def document(self, doc_id: str) -> Document | None:
        """Return the document; None: it is not in the collection."""
        row = self.collection.row_of.get(doc_id)
        return None if row is None else self.collection.documents[row]


# From runs to a leaderboard: cached, immediately if that is quick, else in the background.

QUICK = 4_000
"""Queries times runs that are scored while the page waits."""


def make_board(
    chosen: CollectionChoice,
    runs: Sequence[NamedRun],
    *,
    compat: Compat | None,
    metric: str,
    against: str | None = None,
) -> ScoredRuns | None:
    """Score the runs; None if there is no run, or while scoring, with the progress drawn."""
    if not runs:
        return None
    parts = [
        part
        for named in runs
        for part in (named.name, named.saved.run_id, named.saved.made_at, str(named.saved.n_failed))
    ]
    key = content_hash([chosen.state, chosen.split or "", compat or "", *parts])
    found = _score(chosen, runs, compat, key)
    if found is None:
        return None
    saved = tuple(named.saved for named in runs)
    return ScoredRuns(
        chosen.collection,
        chosen.opened.key,
        chosen.split,
        found,
        saved,
        compat,
        metric,
        key,
        against=against if against in {named.name for named in runs} else None,
        topic_id=chosen.topic_id,
    )


def _score(chosen: CollectionChoice, runs: Sequence[NamedRun], compat: Compat | None, key: str) -> Leaderboard | None:
    def make(on_stage: OnStage) -> Leaderboard:
        on_stage("scoring the runs")
        return of_runs(chosen, runs, compat)

    is_quick = len(chosen.collection.of_split(chosen.split)) * len(runs) <= QUICK
    return computed(cache.ranked(), key, "Scoring", make, family="score", is_quick=is_quick)


def of_runs(chosen: CollectionChoice, runs: Sequence[NamedRun], compat: Compat | None) -> Leaderboard:
    return score_runs(
        [named.run for named in runs],
        chosen.collection,
        split=chosen.split,
        metric_ids=DEFAULT_METRICS,
        compat=compat,
    )


# The leaderboard as a table: the content of each cell, and the table as HTML. Every text of a user is escaped.

NONE = "–"
ANSWERED = "Share of the scored queries that the run has a document for. The others count 0."


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    value: float | None
    interval: Interval | None
    is_best: bool
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    name: str
    place: int
    """Position among all runs: determines its colour, the same in every figure."""
    cells: tuple[LeaderboardCell, ...]
    n_answered: int
    answered: float | None
    """Share of the scored queries."""
    over_answered: tuple[float | None, ...] = ()
    """Means over the answered queries; empty if it answers all of them."""


@dataclass(frozen=True, eq=False)
class LeaderboardTable:
    """The whole leaderboard, the best on the chosen metric first."""

    metrics: tuple[RankingMetric, ...]
    chosen: str
    lines: tuple[LeaderboardLine, ...]
    published: tuple[PublishedRow, ...] = ()
    ceilings: Mapping[str, float] = field(default_factory=dict)
    """By metric, the highest value that any run can have."""


def table_of(
    leaderboard: Leaderboard, chosen: str, *, against: str | None = None, published: Sequence[PublishedRow] = ()
) -> LeaderboardTable:
    """Build the table. `against`: the run that the marks compare with; None: the best of each column."""
    metrics = tuple(leaderboard.scores[0].values) if leaderboard.scores else ()
    best = {metric: highest(leaderboard, metric) for metric in metrics}
    signs = {metric: marks(leaderboard, metric, against=against) for metric in metrics}
    places = {run.name: place for place, run in enumerate(leaderboard.scores)}
    order = best_runs(leaderboard, chosen) or leaderboard.scores
    lines = tuple(
        LeaderboardLine(
            run.name,
            places[run.name],
            _cells(run, metrics, best, signs),
            run.n_answered,
            run.answered,
            tuple(run.over_answered.get(metric) for metric in metrics) if run.n_unanswered else (),
        )
        for run in order
    )
    return LeaderboardTable(
        tuple(read_metric(metric) for metric in metrics), chosen, lines, tuple(published), leaderboard.ceilings
    )


def _cells(
    run: RunScores,
    metrics: Sequence[str],
    best: Mapping[str, frozenset[str]],
    signs: Mapping[str, Mapping[str, Mark]],
) -> tuple[LeaderboardCell, ...]:
    return tuple(
        LeaderboardCell(
            run.values.get(metric), run.intervals.get(metric), run.name in best[metric], signs[metric].get(run.name)
        )
        for metric in metrics
    )


def table_html(table: LeaderboardTable, theme: Theme, *, caption: str) -> str:
    spans = [_span(table, column) for column in range(len(table.metrics))]
    head = "".join(
        _head(metric, metric.metric_id == table.chosen, table.ceilings.get(metric.metric_id))
        for metric in table.metrics
    )
    body = "".join(_line_html(line, spans, theme) for line in table.lines)
    body += _published_html(table)
    return (
        f'<div class="qs-scores qs-board" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<thead><tr><th scope="col">Run</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{score_table_style(theme)}{_more_style(theme)}"
    )


def _span(table: LeaderboardTable, column: int) -> tuple[float, float]:
    ends = [end for line in table.lines if (interval := line.cells[column].interval) for end in interval]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _head(metric: RankingMetric, is_chosen: bool, ceiling: float | None) -> str:
    words = f"{metric.sentence} {metric.formula}. {metric.undefined}"
    most = ""
    if ceiling is not None and ceiling < 1:
        words += " Highest possible here: the first k hold k relevant documents at most (k / relevant)."
        most = f"<small>at most {ceiling:.3f}</small>"
    sort = ' aria-sort="descending"' if is_chosen else ""
    return f'<th scope="col" title="{escape(words)}"{sort}>{escape(metric.label)}{most}</th>'


def _line_html(line: LeaderboardLine, spans: Sequence[tuple[float, float]], theme: Theme) -> str:
    cells = "".join(f"<td>{_cell_html(cell, span)}</td>" for cell, span in zip(line.cells, spans, strict=True))
    colour = look_at(line.place, theme).colour
    name = f'<i class="run" style="background:{colour}"></i>{escape(line.name)}'
    share = "" if line.answered is None else f'<small title="{ANSWERED}">answers {100 * line.answered:.0f} %</small>'
    return f'<tr><th scope="row">{name}{share}</th>{cells}</tr>{_answered_html(line)}'


def _answered_html(line: LeaderboardLine) -> str:
    """Render means over answered queries in a line of their own, never among those over all."""
    if not line.over_answered:
        return ""
    n = f"{line.n_answered:,} answered {'query' if line.n_answered == 1 else 'queries'}"
    cells = "".join(f"<td>{NONE if value is None else f'{value:.3f}'}</td>" for value in line.over_answered)
    return f'<tr class="answered"><th scope="row">{escape(line.name)}, over {n}</th>{cells}</tr>'


def _cell_html(cell: LeaderboardCell, span: tuple[float, float]) -> str:
    if cell.value is None:
        return f'<span title="no query could be scored">{NONE}</span>'
    text = f"{cell.value:.3f}"
    if cell.is_best:
        text = f'<b>{text}<span class="unseen"> (highest)</span></b>'
    sign = f"<i>{SIGNS[cell.mark]}<span class='unseen'> clearly {cell.mark}</span></i>" if cell.mark else ""
    number = f'<span class="value">{text}<span class="sign">{sign}</span></span>'
    if cell.interval is None:
        return number
    ends = f"<small>{cell.interval.low:.3f} to {cell.interval.high:.3f}</small>"
    return f"{number}{range_track(cell.value, cell.interval, span)}{ends}"


def _published_html(table: LeaderboardTable) -> str:
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
.qs-board .answered td, .qs-board .answered th {{ color: {c["faint"]}; padding-right: 14px; }}
.qs-board .answered th {{ padding-left: 26px; font-weight: 400; }}
.qs-board td small {{ padding-right: 14px; }}
.qs-board td .track {{ margin-right: 14px; }}
@media (max-width: 640px) {{ .qs-board th:first-child {{ min-width: 6rem; max-width: 7.5rem; }} }}
</style>"""


# The leaderboard and its runs as files.

FORMS: Mapping[str, tuple[str, str, Callable[[LeaderboardFile], str]]] = {
    "CSV": ("csv", "text/csv", csv_text),
    "LaTeX": ("tex", "application/x-tex", latex_text),
    "HTML": ("html", "text/html", html_text),
}


def draw_exports(board: ScoredRuns, against: str | None, labels: Mapping[str, str]) -> None:
    file = _file(board, against, labels)
    stem = _stem(f"{board.collection.name} {board.split or ''} leaderboard")
    with st.container(horizontal=True, key="exports", vertical_alignment="bottom"):
        for label, (suffix, mime, write) in FORMS.items():
            _button(label, partial(_text, write, file), f"{stem}.{suffix}", mime)
        _draw_run(board)


def _text(write: Callable[[LeaderboardFile], str], file: LeaderboardFile) -> bytes:
    """Encode a file; CSV gets a byte order mark, without which Excel reads it as cp1252."""
    return write(file).encode("utf-8-sig" if write is csv_text else "utf-8")


def _button(label: str, content: Callable[[], bytes], name: str, mime: str) -> None:
    draw_download(label, content, file_name=name, mime=mime, key=f"export-{label}")


def _file(board: ScoredRuns, against: str | None, labels: Mapping[str, str]) -> LeaderboardFile:
    notes = ["The collection is demo data."] if board.collection.made_up else []
    if board.compat:
        notes.append(f"Scored as {board.compat} does.")
    metrics = board.leaderboard.scores[0].values if board.leaderboard.scores else {}
    title = board.collection.name + (f", {board.split}" if board.split else "")
    return LeaderboardFile(
        board.leaderboard, {metric: labels.get(metric, metric) for metric in metrics}, title, against, notes
    )


def _draw_run(board: ScoredRuns) -> None:
    names = list(board.names)
    state.settle_named("export-run", names)
    name = st.selectbox("Run", names, key="export-run", width=220)
    saved = board.runs[names.index(name)]
    run, key = saved.run, f"no-word-{saved.run_id}-{saved.made_at}"
    if odd := cache.ranked().of(key, lambda: _no_word(run)):
        st.caption(
            plain(f'A TREC file is separated by spaces: the id "{odd[:60]}" is written as "{trec_id(odd)[:80]}".')
        )
    _button(
        "Run (TREC)", lambda: _run_bytes(run, name), f"{_stem(f'{board.collection.name} {name}')}.run", "text/plain"
    )


def _no_word(run: Run) -> str | None:
    """Return an id with white space."""
    return next((i for ids in (run.query_ids, run.doc_ids) for i in ids if i.split() != [i]), None)


def _run_bytes(run: Run, name: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        write_run(Run(name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores), path)
        return path.read_bytes()


def _stem(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name.lower()).strip("-.")[:80] or "leaderboard"


# The leaderboard: a summary, every metric with its interval, and the clear differences.

FIRST_METRIC = "ndcg@10"
BEST = ""
LABELS: Mapping[str, str] = {metric: read_metric(metric).label for metric in DEFAULT_METRICS}


def choose_metric() -> str:
    options = [FIRST_METRIC, *(metric for metric in DEFAULT_METRICS if metric != FIRST_METRIC)]
    return choose_one(
        st.selectbox,
        "Ranked by",
        options,
        "rank_by",
        names=LABELS,
        help="Used for the summary, the order of the runs and the figures.",
    )


def choose_baseline(names: Sequence[str]) -> str | None:
    """Choose the run that all others are compared with; None: the best one on each metric."""
    against = choose_one(
        st.selectbox,
        "Compare against",
        [BEST, *names],
        "baseline",
        usual=BEST,
        names={BEST: "the best in each column"},
        disabled=len(names) < 2,
    )
    return against or None


def draw_verdict(board: ScoredRuns) -> None:
    judgement = verdict(board.leaderboard, board.metric, LABELS[board.metric])
    st.header(plain(judgement.sentence), anchor=False)


def draw_leaderboard(board: ScoredRuns) -> None:
    against = board.against
    published = published_for(board.collection.name, board.split)
    table = table_of(board.leaderboard, board.metric, against=against, published=published)
    st.html(table_html(table, current_theme(), caption=f"Leaderboard of {board.collection.name}"))
    st.caption(plain(_reading(board, against)))
    if published:
        st.caption(plain(f"Published: {CITATION}."))
    for warning in board.leaderboard.warnings:
        st.warning(plain(sentence(warning)), icon=":material/warning:")
    _draw_notes(board)
    draw_exports(board, against, LABELS)


def _reading(board: ScoredRuns, against: str | None) -> str:
    found = board.leaderboard
    n, out = len(found.query_ids), found.n_without_judgments
    parts = [f"{many(n, 'query')} scored" + (f", {out:,} left out" if out else "")]
    if any(run.n_unanswered for run in found.scores):
        parts.append("means, intervals and signs cover all of them; an unanswered query counts 0")
    parts.append("bold: the highest in a column; whiskers: 95 % bootstrap intervals, on one scale within a column")
    if len(found.scores) > 1:
        clearly = f"clearly worse than {against or 'the best of the column'}"
        better = f"{SIGNS['better']} clearly better, " if against else ""
        parts.append(
            f"{better}{SIGNS['worse']} {clearly}: paired randomization test, p < {ALPHA:g} after Holm's correction for "
            "all pairs. No sign: no clear difference"
        )
    return ". ".join(sentence(part).rstrip(".") for part in parts) + "."


def _draw_notes(board: ScoredRuns) -> None:
    lines = [
        f"- **{plain(name)}**: {plain('; '.join(part.rstrip('.') for part in parts))}."
        for name, saved in zip(board.names, board.runs, strict=True)
        if (parts := [*saved.notes, *([f"{saved.n_failed:,} candidates could not be scored"] * bool(saved.n_failed))])
    ]
    with st.expander("About the metrics and runs"):
        for metric in board.leaderboard.scores[0].values:
            words = read_metric(metric)
            st.markdown(f"- **{plain(words.label)}**: {plain(words.sentence)} {plain(words.formula)}.")
        if lines:
            st.markdown("\n".join(lines))
