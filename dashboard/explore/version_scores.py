"""Scores of versions side by side, as a table and as figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import compress

import streamlit as st

from core.explore.compare import SHARED_AREAS, Comparison, Difference
from core.explore.evaluate import Evaluation, RegionScores
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.explore.strata import Strata, strata_sentences
from core.explore.uncertainty import coverage_sentence
from core.metrics import METRICS
from core.text import signed
from core.types import Ids, RegionKind
from dashboard import cache
from dashboard.explore.figures.thresholds import curve_rows, version_curves_figure
from dashboard.explore.figures.versions import (
    difference_rows,
    differences_figure,
    pareto_figure,
    pareto_rows,
)
from dashboard.explore.strata import strata_html
from dashboard.explore.versions import ChoiceComparison, called
from dashboard.kit.components import current_theme, draw_figure, mount_part
from dashboard.kit.figures import look_of
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.kit.theme import Theme, difference_track, score_table_style
from dashboard.words import plain
from data.explore.studies import strata_of

# All scores of all chosen versions as one table: the content of each cell, and the table as HTML.

NONE = "–"
WAITING = "…"
ALL = "All publications"
CORE_FOUND, RETRIEVED, RELEVANT = "Core found", "Retrieved", "Relevant"


@dataclass(frozen=True, slots=True)
class ScoreCell:
    text: str
    value: float | None = None
    note: str = ""
    """Small text below the value."""
    why: str = ""
    """The reason why there is no value, or why it is degenerate."""
    is_struck: bool = False
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class ScoreRow:
    group: str
    name: str
    help: str
    cells: tuple[ScoreCell, ...]
    difference: ScoreCell
    is_clear: bool | None = None
    ends: tuple[float, float] | None = None
    """The interval of the difference."""
    has_range: bool = False
    """True if the difference has an interval, or will have one."""
    is_shared: bool = False
    """The difference is one between areas around the full core set."""


def score_rows(
    comparison: Comparison, waiting: Sequence[RegionKind], kinds: Sequence[RegionKind], pair: tuple[str, str]
) -> list[ScoreRow]:
    """Return every row of the table, region by region. Differences are those of `pair`: the later minus the earlier."""
    versions = comparison.versions
    at = tuple(comparison.labels.index(label) for label in pair)
    differences = {(d.metric, d.region): d for d in comparison.differences if (d.a, d.b) == pair}
    found = [_count(len(e.found_core_ids)) for e in versions]
    retrieved = [_count(e.n_retrieved) for e in versions]
    rows = [
        _score_row(ALL, "recall", [_recall(e) for e in versions], differences.get(("recall", None))),
        _worded_row(ALL, CORE_FOUND, "Core publications among them.", found, at, more_is_better=True),
        _worded_row(ALL, RETRIEVED, "Publications to read.", retrieved, at),
    ]
    for kind in kinds:
        rows += _region_rows(kind, versions, differences, at, is_waiting=kind in waiting)
    return rows


def _count(n: int) -> ScoreCell:
    return ScoreCell(f"{n:,}", n)


def _recall(evaluation: Evaluation) -> ScoreCell:
    low, high = evaluation.recall_interval
    return ScoreCell(f"{evaluation.recall:.3f}", evaluation.recall, f"{low:.2f} to {high:.2f}")


def _region_rows(
    kind: RegionKind,
    versions: Sequence[Evaluation],
    differences: dict[tuple[str, RegionKind | None], Difference],
    at: tuple[int, ...],
    *,
    is_waiting: bool,
) -> list[ScoreRow]:
    group = REGION_LABELS[kind]
    missing = RegionScores(kind, "being computed" if is_waiting else "not computed")
    scores = [e.regions.get(kind, missing) for e in versions]
    score = f"F{versions[0].settings.beta:g} (with decay)"

    def cells(value: Callable[[RegionScores], float | None]) -> list[ScoreCell]:
        return [_cell(s, value(s), is_waiting=is_waiting) for s in scores]

    def counts(value: Callable[[RegionScores], int]) -> list[ScoreCell]:
        there = [value(s) if s.status == "ok" else None for s in scores]
        return [_cell(s, n, is_waiting=is_waiting) for s, n in zip(scores, there, strict=True)]

    accepted = [
        replace(cell, note=f"{share:.3f}") if (share := e.core_accepted(kind)) is not None else cell
        for cell, e in zip(counts(lambda s: len(s.accepted_core_ids)), versions, strict=True)
    ]
    return [
        _score_row(group, "f_beta", cells(lambda s: s.f_beta), differences.get(("f_beta", kind)), name=score),
        _score_row(
            group,
            "semantic_precision",
            cells(lambda s: s.semantic_precision),
            differences.get(("semantic_precision", kind)),
        ),
        _count_row(group, "decay", cells(lambda s: s.decay), at),
        _worded_row(group, RELEVANT, "Publications inside the region.", counts(lambda s: s.n_relevant or 0), at),
        _worded_row(
            group,
            METRICS["core_accepted"].label,
            METRICS["core_accepted"].sentence,
            accepted,
            at,
            more_is_better=True,
        ),
    ]


def _cell(scores: RegionScores, value: float | None, *, is_waiting: bool) -> ScoreCell:
    if value is None:
        return ScoreCell(WAITING if is_waiting else NONE, why=scores.status)
    text = f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
    return ScoreCell(text, value, why=scores.degenerate or "", is_struck=scores.degenerate is not None)


def _score_row(
    group: str, metric: str, cells: Sequence[ScoreCell], difference: Difference | None, name: str = ""
) -> ScoreRow:
    words = METRICS[metric]
    of_two = ScoreCell(WAITING, why="being computed")
    ends = None
    if difference is not None and difference.difference is None:
        of_two = ScoreCell(NONE, why=difference.reason or "")
    elif difference is not None and difference.difference is not None:
        ends = (difference.interval.low, difference.interval.high) if difference.interval else None
        note = f"{signed(ends[0])} to {signed(ends[1])}" if ends else ""
        of_two = ScoreCell(signed(difference.difference), difference.difference, note, difference.sentence)
    return ScoreRow(
        group,
        name or words.label,
        words.sentence,
        _best(cells),
        of_two,
        difference.is_clear if difference else None,
        ends,
        has_range=True,
        is_shared=difference is not None and difference.region in SHARED_AREAS,
    )


def _count_row(group: str, metric: str, cells: Sequence[ScoreCell], at: tuple[int, ...]) -> ScoreRow:
    return ScoreRow(group, METRICS[metric].label, METRICS[metric].sentence, tuple(cells), _difference(cells, at))


def _worded_row(
    group: str,
    name: str,
    words: str,
    cells: Sequence[ScoreCell],
    at: tuple[int, ...],
    *,
    more_is_better: bool = False,
) -> ScoreRow:
    return ScoreRow(group, name, words, _best(cells) if more_is_better else tuple(cells), _difference(cells, at))


def _difference(cells: Sequence[ScoreCell], at: tuple[int, ...]) -> ScoreCell:
    """Return the later minus the earlier; degenerate values have no difference."""
    a, b = (None if cells[i].is_struck else cells[i].value for i in at)
    return ScoreCell(NONE) if a is None or b is None else ScoreCell(signed(b - a), b - a)


def _best(cells: Sequence[ScoreCell]) -> tuple[ScoreCell, ...]:
    """Mark the highest value, unless all are equal; degenerate values are ignored."""
    running = [c.value for c in cells if c.value is not None and not c.is_struck]
    if len(running) < 2 or max(running) == min(running):
        return tuple(cells)
    return tuple(
        ScoreCell(c.text, c.value, c.note, c.why, c.is_struck, not c.is_struck and c.value == max(running))
        for c in cells
    )


def table_rows(
    rows: Sequence[ScoreRow], labels: Sequence[str], pair: tuple[str, str]
) -> list[dict[str, str | float | None]]:
    """Return the rows for a file: full numbers, and the reasons for missing ones."""
    out: list[dict[str, str | float | None]] = []
    for row in rows:
        line: dict[str, str | float | None] = {"Region": row.group, "Score": row.name}
        line |= {label: cell.value for label, cell in zip(labels, row.cells, strict=True)}
        line |= {
            f"{pair[1]} minus {pair[0]}": row.difference.value,
            "Range from": row.ends[0] if row.ends else None,
            "Range to": row.ends[1] if row.ends else None,
            "Remarks": "; ".join(f"{v}: {c.why}" for v, c in zip(labels, row.cells, strict=True) if c.why),
        }
        out.append(line)
    return out


def remarks(rows: Sequence[ScoreRow], labels: Sequence[str]) -> list[str]:
    """List the reasons why a value is missing or struck through, or a difference is missing; each once."""
    entries: dict[str, None] = {}
    for row in rows:
        for label, cell in zip(labels, row.cells, strict=True):
            if cell.why and cell.text != WAITING:
                says = "is meaningless" if cell.is_struck else "has no value"
                entries[f"{row.group} {says} for {label}: {cell.why}."] = None
    for row in rows:
        if row.difference.text == NONE and row.difference.why:
            entries[f"No difference in {row.group}: {row.difference.why}."] = None
    return list(entries)


def table_html(
    rows: Sequence[ScoreRow], heads: Sequence[str], pair: tuple[str, str], theme: Theme, *, pending: bool
) -> str:
    """Render the table with its style; every text of a user is escaped. `pending`: intervals are still to come."""
    span = max((abs(end) for row in rows for end in _extent(row)), default=1.0) or 1.0
    head = "".join(
        f'<th scope="col" style="border-bottom-color:{look_of(i, theme).colour}">{escape(name)}</th>'
        for i, name in enumerate(heads)
    )
    body, group = [], ""
    for row in rows:
        if row.group != group:
            group = row.group
            body.append(f'<tr class="group"><th colspan="{len(heads) + 2}" scope="rowgroup">{escape(group)}</th></tr>')
        body.append(_row_html(row, span, pending=pending))
    title = f'<th scope="col" class="difference">{escape(pair[1])} minus {escape(pair[0])}</th>'
    return (
        '<div class="qs-scores" role="group" aria-label="Scores" tabindex="0">'
        f'<table><thead><tr><th scope="col">Score</th>{head}{title}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>{score_table_style(theme)}"
    )


def _extent(row: ScoreRow) -> tuple[float, ...]:
    return (*row.ends, row.difference.value or 0.0) if row.ends else ()


def _row_html(row: ScoreRow, span: float, *, pending: bool) -> str:
    cells = "".join(f"<td>{_cell_html(cell)}</td>" for cell in row.cells)
    star = " *" if row.is_shared else ""
    name = f'<th scope="row" title="{escape(row.help)}">{escape(row.name)}</th>'
    difference = _difference_html(row, span, star, pending=pending)
    return f'<tr>{name}{cells}<td class="difference"><div>{difference}</div></td></tr>'


def _cell_html(cell: ScoreCell) -> str:
    text = f"<s>{cell.text}</s>" if cell.is_struck else cell.text
    text = f'<b>{text}<span class="unseen"> (best)</span></b>' if cell.is_best else text
    title = f' title="{escape(cell.why)}"' if cell.why else ""
    note = f"<small>{escape(cell.note)}</small>" if cell.note else ""
    return f"<span{title}>{text}</span>{note}"


def _difference_html(row: ScoreRow, span: float, star: str, *, pending: bool) -> str:
    """Render the number, a whisker around 0 on the scale of all rows, and its ends; their space is always reserved."""
    of_two = row.difference
    title = f' title="{escape(of_two.why)}"' if of_two.why else ""
    number = f"<span{title}>{of_two.text}{star}</span>"
    if row.ends is None:
        waits = pending and row.has_range and of_two.value is not None
        return f'{number}<i class="track{" waits" if waits else ""}" role="presentation"></i><small></small>'
    words = "clear" if row.is_clear else "not clear"
    return (
        f"{number}{difference_track(of_two.value or 0.0, row.ends, span, is_clear=bool(row.is_clear))}"
        f'<small>{escape(of_two.note)}<span class="unseen">, {words}</span></small>'
    )


# Core recall by citations, year and kind of survey, collapsed by default.

STRATA_READING = (
    "How to read this: each line is a group of core publications; the bar is the share found, the whisker its 95 % "
    "confidence interval. Surveys favour often-cited publications; bars that grow with citations show that the "
    "search string does too."
)


def draw_strata(strata: Mapping[str, Strata]) -> None:
    """Draw the strata. `strata`: by the label of each version."""
    with st.expander("Core recall by citations, year and kind of survey"):
        st.html(strata_html(strata, current_theme()))
        for label, found in strata.items():
            of = "" if len(strata) == 1 else f"{label}: "
            for sentence in strata_sentences(found):
                st.caption(plain(f"{of}{sentence}"))
        st.caption(STRATA_READING)


# Scores side by side, their differences, curves and the frontier.

SHARED = (
    "* Ellipsoid and hull: a difference is taken between areas around the full core set, the same for both versions, "
    "so it can differ from the scores next to it."
)


def draw_scores(compared: ChoiceComparison) -> None:
    _draw_table(compared)
    rows, evaluations = compared.chosen.rows, compared.comparison.versions
    draw_strata({r.version.label: strata_of(cache.workspace(), r, e) for r, e in zip(rows, evaluations, strict=True)})
    _draw_differences(compared)
    left, right = st.columns(2, gap="large")
    with left:
        _draw_curves(compared)
    with right:
        _draw_pareto(compared)


def _draw_table(compared: ChoiceComparison) -> None:
    labels, pair = compared.chosen.labels, compared.pair
    rows = score_rows(compared.comparison, compared.waiting, DEFAULT_REGIONS, pair)
    heads = [called(row) for row in compared.chosen.rows]
    st.html(table_html(rows, heads, pair, current_theme(), pending=not compared.comparison.has_ranges))
    notes = remarks(rows, labels)
    if any(row.is_shared for row in rows):
        notes.append(SHARED)
    for note in notes:
        st.caption(plain(note))
    values = table_rows(rows, labels, pair)
    _draw_counts(compared, rows)
    columns = list(values[0])
    document = {
        "target": None,
        "name": f"{compared.chosen.topic_id} scores of versions",
        "description": "All scores of the chosen versions.",
        "columns": columns,
        "rows": [[row[column] for column in columns] for row in values],
    }
    mount_part("figure_files", document, key="files-versions-scores")


def counted_ids(evaluation: Evaluation, group: str, name: str) -> Ids | None:
    """Return the publications that a score counts; None: it counts none. `group` and `name`: of its row."""
    if group == ALL:
        return {
            CORE_FOUND: evaluation.found_core_ids,
            RETRIEVED: cache.workspace().store.load_retrieved_ids(evaluation.query_id),
        }.get(name)
    scores = next((each for kind, each in evaluation.regions.items() if REGION_LABELS[kind] == group), None)
    if scores is None or scores.relevant_mask is None:
        return None
    relevant = compress(evaluation.scorable_ids, scores.relevant_mask)
    return {RELEVANT: tuple(relevant), METRICS["core_accepted"].label: scores.accepted_core_ids}.get(name)


def _draw_counts(compared: ChoiceComparison, rows: Sequence[ScoreRow]) -> None:
    versions = dict(zip(compared.chosen.labels, compared.comparison.versions, strict=True))
    counts = [row for row in rows if row.name in (CORE_FOUND, RETRIEVED, RELEVANT, METRICS["core_accepted"].label)]

    def group_of(row: int, column: str) -> PublicationGroup | None:
        group, name = counts[row].group, counts[row].name
        ids = counted_ids(versions[column], group, name) if column in versions else None
        return None if ids is None else PublicationGroup(f"{column}, {group.lower()}: {name.lower()}", ids)

    with st.expander("Publications of these counts"):
        draw_table(
            [
                {"Region": row.group, "Count": row.name}
                | {label: cell.value for label, cell in zip(versions, row.cells, strict=True)}
                for row in counts
            ],
            group_of,
            key="versions-counts",
            column_config=dict.fromkeys(versions, st.column_config.NumberColumn(format="localized")),
        )


def _draw_differences(compared: ChoiceComparison) -> None:
    a, b = compared.pair
    labels = compared.chosen.labels
    differences = [d for d in compared.comparison.differences if (d.a, d.b) == (a, b)]
    has_ranges = compared.comparison.has_ranges
    draw_figure(
        differences_figure(
            differences,
            names=(a, b),
            positions=(labels.index(a), labels.index(b)),
            theme=current_theme(),
            waiting=not has_ranges,
        ),
        key="versions-differences",
        name=f"{compared.chosen.topic_id} {b} minus {a}",
        reading="to the right of 0 the second version has more; a filled dot is clear: its whisker excludes 0.",
        rows=difference_rows(differences),
        notes=(
            "A whisker is the middle 95 % of the differences over resampled core sets, the same for both versions.",
            coverage_sentence(compared.comparison.versions[0].settings.cosine_mode),
            *([SHARED] if any(d.region in SHARED_AREAS for d in differences) else []),
        ),
    )
    with st.expander("All differences in words"):
        if not has_ranges:
            st.caption("The ranges are being computed.")
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in dict.fromkeys(d.sentence for d in differences)))


def _draw_curves(compared: ChoiceComparison) -> None:
    chosen, settings = compared.chosen, compared.settings
    curves = [
        cache.version_curve(chosen.topic_id, label, chosen.embedder, state, settings, scores.regions["cosine"])
        for label, state, scores in zip(chosen.labels, compared.states, compared.comparison.versions, strict=True)
    ]
    draw_figure(
        version_curves_figure(curves, beta=settings.beta, theme=current_theme()),
        key="versions-curves",
        name=f"{chosen.topic_id} F-beta curves of versions",
        reading="where a line is highest, recall and decayed precision of that version balance best (region: Cosine).",
        rows=curve_rows(curves),
    )


def _draw_pareto(compared: ChoiceComparison) -> None:
    chosen = compared.chosen
    versions = cache.standings(chosen.topic_id)
    nothing = [v.label for v in versions if not v.n_retrieved]
    draw_figure(
        pareto_figure(versions, chosen=chosen.labels, theme=current_theme()),
        key="versions-pareto",
        name=f"{chosen.topic_id} recall against records to read",
        reading=(
            "no version lies above and to the left of the frontier; whiskers are 95 % confidence intervals of recall."
        ),
        rows=pareto_rows(versions),
        notes=[f"Not drawn, nothing retrieved: {', '.join(nothing)}."] if nothing else [],
    )
