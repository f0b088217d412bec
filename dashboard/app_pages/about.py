"""About the numbers: every definition, from where it is computed."""

from __future__ import annotations

import streamlit as st

from core.compare import REGION_LABELS
from core.metrics import METRICS
from core.regions import DEFAULT_REGIONS
from dashboard.components.points import KIND_HELP
from dashboard.controls import CONTROLS, COSINE_MODES


def render() -> None:
    """The page."""
    st.title("About the numbers")
    st.write(
        "Queryscape asks two things of a literature search query: which known core publications it finds, and how much "
        "of what it retrieves is semantically close to them. Every number on the pages is defined here."
    )
    st.subheader("Scores")
    st.dataframe(
        [
            {
                "Score": m.label,
                "Meaning": m.sentence,
                "Formula": m.formula,
                "Undefined": m.undefined,
                "Better": "higher" if m.higher_is_better else "lower",
                "Reference": m.reference,
            }
            for m in METRICS.values()
        ],
        hide_index=True,
    )
    st.subheader("Regions")
    st.write("A region decides which retrieved publications count as relevant.")
    st.dataframe(
        [{"Region": REGION_LABELS[kind], "Accepts": KIND_HELP[kind]} for kind in DEFAULT_REGIONS], hide_index=True
    )
    st.subheader("Settings")
    st.dataframe(
        [{"Setting": c["label"], "Meaning": c["help"]} for c in CONTROLS.values()]
        + [{"Setting": f"Threshold: {label}", "Meaning": text} for label, text in COSINE_MODES.values()],
        hide_index=True,
    )
    st.subheader("What the ranges mean")
    st.write(
        "The range of core recall is a Wilson 95 % confidence interval. The ranges under F-beta show how far a score "
        "moves if the core set were another one of the same kind (resampled); they are no confidence intervals."
    )
    st.subheader("Where the method comes from")
    st.write(
        "Semantic precision, decay and F-beta: LitQEval (Saknini et al., 2024). Where its text, its code and its "
        "figures disagree, Queryscape computes what this page says; the published code's choices can be reproduced on "
        "the command line with --compat litqeval-2024."
    )


if __name__ == "__main__":
    render()
