"""What a synthesis came to: counts, how often models accept the gold answer, and every query in a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.synthesis.reading import ROLES, Made
from core.knowledge.synthesis.steps import Rate, Summary, summarise
from dashboard.words import plain
from data.knowledge.synthesis.keeping import SynthesisRow

TABLE_PX = 360
STATES = {
    "complete": "complete",
    "gold refused": "gold answer refused",
    "failed": "failed",
    "waiting": "waiting",
}


def draw_results(row: SynthesisRow, made: Sequence[Made]) -> None:
    """Numbers first, then the table."""
    summary = summarise(made, row.settings.filters)
    _draw_numbers(summary)
    st.dataframe(
        {
            "No.": [each.sampled.item for each in made],
            "Query": [each.outcome.query or each.outcome.reason for each in made],
            "Template": [each.sampled.template_id for each in made],
            "Asked as": [ROLES[each.sampled.role].label for each in made],
            "Properties": ["; ".join(each.outcome.properties) for each in made],
            "Answers": [len(each.outcome.accepted) for each in made],
            "By relation": [each.sampled.n_answers for each in made],
            "State": [STATES[each.outcome.state] for each in made],
        },
        hide_index=True,
        height=min(TABLE_PX, 38 + 35 * len(made)),
        column_config={"Query": st.column_config.TextColumn(width="large")},
    )
    st.caption(
        "How to read this: of the entities that meet the relation, as many as stand under Answers have the properties, "
        "too. A query whose gold answer the models refuse is left out of what is saved."
    )
    for reason, n in summary.reasons.items():
        st.caption(plain(f"{n:,} failed: {reason}."))
    if summary.n_unnamed:
        st.caption(
            f"Queries that don't name an entity that their answers hang on: {summary.n_unnamed:,}. "
            "No retriever can know it."
        )


def _draw_numbers(summary: Summary) -> None:
    states = summary.states
    columns = st.columns([0.2, 0.2, 0.2, 0.4])
    columns[0].metric("Complete", f"{states.get('complete', 0):,}")
    columns[1].metric("Gold refused", f"{states.get('gold refused', 0):,}")
    columns[2].metric("Failed", f"{states.get('failed', 0):,}")
    with columns[3]:
        st.metric(
            "Gold answers accepted",
            _share(summary.verification),
            help="The share of queries whose gold answer, the one that the query was made from, passes the check that "
            "every other answer has to pass.",
        )
        st.caption(_said(summary.verification))
    if len(summary.by_model) > 1:
        st.caption(plain(" · ".join(f"{model}: {_said(rate)}" for model, rate in summary.by_model.items())))


def _share(rate: Rate) -> str:
    return "–" if rate.share is None else f"{100 * rate.share:.1f} %"


def _said(rate: Rate) -> str:
    if rate.interval is None:
        return "none checked yet"
    low, high = (100 * end for end in rate.interval)
    return f"{rate.n_yes:,} of {rate.n:,}, 95 % interval {low:.1f} to {high:.1f} %"
