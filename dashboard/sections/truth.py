"""How far the scores are from the truth, where it is known: on made-up topics."""

from __future__ import annotations

import streamlit as st

from core.comparing.compare import REGION_LABELS
from core.evaluate import Evaluation, Truth, against_truth
from core.metrics import METRICS
from dashboard import cache
from data.views import View


def draw_truth(view: View, evaluation: Evaluation) -> None:
    """True precision and recall, and what each region makes of them. Nothing where there is no truth."""
    relevant_ids = cache.true_relevance(view.case.state, view.case.core.topic_id)
    if not relevant_ids:
        return
    truth = against_truth(evaluation, view.retrieved_ids, relevant_ids)
    st.markdown("**How far from the truth?**")
    precision, recall, _ = st.columns(3)
    for column, name, value in (
        (precision, "true_precision", truth.true_precision),
        (recall, "true_recall", truth.true_recall),
    ):
        column.metric(METRICS[name].label, _number(value), help=METRICS[name].sentence)
    if truth.regions:
        st.dataframe(_rows(truth, evaluation), hide_index=True, column_config=_COLUMNS)
    st.caption(
        "How to read this: this topic is made up, so it is known what is relevant. Semantic precision estimates true "
        "precision from the core alone; above it, the region flatters the query."
    )


_COLUMNS = {
    "Error": st.column_config.NumberColumn(format="%+.3f", help="Semantic precision less true precision."),
    "Semantic precision": st.column_config.NumberColumn(format="%.3f", help=METRICS["semantic_precision"].sentence),
    "Right": st.column_config.NumberColumn(
        format="%.3f", help="Share of what the region accepts that is truly relevant."
    ),
    "Caught": st.column_config.NumberColumn(
        format="%.3f", help="Share of the truly relevant among the retrieved that the region accepts."
    ),
}


def _rows(truth: Truth, evaluation: Evaluation) -> list[dict[str, str | float | None]]:
    return [
        {
            "Region": REGION_LABELS[kind],
            "Semantic precision": evaluation.regions[kind].semantic_precision,
            "Error": of_region.error,
            "Right": of_region.right,
            "Caught": of_region.caught,
        }
        for kind, of_region in truth.regions.items()
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
