"""Scores side by side, their differences, curves and the Pareto picture."""

from __future__ import annotations

import streamlit as st

from core.comparing.compare import SHARED_AREAS
from core.regions import DEFAULT_REGIONS
from core.resampling import coverage_sentence
from dashboard import cache
from dashboard.components.mount import current_theme, mount_part
from dashboard.figures.versions.curves import curve_rows, version_curves_figure
from dashboard.figures.versions.differences import difference_rows, differences_figure
from dashboard.figures.versions.pareto import pareto_figure, pareto_rows
from dashboard.sections.figure import draw_figure
from dashboard.sections.versions.chosen import called
from dashboard.sections.versions.compared import Compared
from dashboard.sections.versions.score_table import remarks, score_rows, table_html, table_rows
from dashboard.words import plain

SHARED = (
    "* Ellipsoid and hull: a difference is taken between areas around the full core set, the same for both versions, "
    "so it can differ from the scores beside it."
)


def draw_scores(compared: Compared) -> None:
    """Scores side by side, their differences, curves and the Pareto picture."""
    _draw_table(compared)
    _draw_differences(compared)
    left, right = st.columns(2, gap="large")
    with left:
        _draw_curves(compared)
    with right:
        _draw_pareto(compared)


def _draw_table(compared: Compared) -> None:
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
    columns = list(values[0])
    document = {
        "target": None,
        "name": f"{compared.chosen.topic_id} scores of versions",
        "description": "All scores of the chosen versions.",
        "columns": columns,
        "rows": [[row[column] for column in columns] for row in values],
    }
    mount_part("figure_files", document, key="files-versions-scores")


def _draw_differences(compared: Compared) -> None:
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
        reading="to the right of 0 the second version has more; a filled dot is clear, as its whisker leaves 0 out.",
        rows=difference_rows(differences),
        notes=(
            "A whisker is the middle 95 % of the differences over resampled core sets, the same for both versions.",
            coverage_sentence(compared.comparison.versions[0].settings.cosine_mode),
            *([SHARED] if any(d.region in SHARED_AREAS for d in differences) else []),
        ),
    )
    with st.expander("All differences in words"):
        if not has_ranges:
            st.caption("The ranges are still being computed.")
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in dict.fromkeys(d.sentence for d in differences)))


def _draw_curves(compared: Compared) -> None:
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


def _draw_pareto(compared: Compared) -> None:
    chosen = compared.chosen
    versions = cache.standings(chosen.topic_id)
    nothing = [v.label for v in versions if not v.n_retrieved]
    draw_figure(
        pareto_figure(versions, chosen=chosen.labels, theme=current_theme()),
        key="versions-pareto",
        name=f"{chosen.topic_id} recall against records to read",
        reading="no version lies above and to the left of the stair; whiskers are 95 % confidence intervals of recall.",
        rows=pareto_rows(versions),
        notes=[f"Not drawn, because nothing was retrieved: {', '.join(nothing)}."] if nothing else [],
    )
