"""What bench_plain.py measures: a scatter in two colours over a slider, as one would write it at first."""

from __future__ import annotations

import os

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import streamlit as st


@st.cache_data
def places(n: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], list[str]]:
    """Random points, their similarities and titles."""
    rng = np.random.default_rng(0)
    middles = rng.normal(size=(40, 2)) * 6
    points = middles[rng.integers(0, 40, n)] + rng.normal(size=(n, 2))
    return points, rng.random(n), [f"A title of a publication of about the usual length, {i}" for i in range(n)]


def main() -> None:
    """The page."""
    points, similarities, titles = places(int(os.environ["N_POINTS"]))
    threshold = st.slider("Similarity threshold", 0.0, 1.0, 0.4, 0.01)
    inside = similarities >= threshold
    figure = go.Figure(layout={"title": {"text": f"{threshold:.2f}: {inside.sum():,} relevant"}, "height": 600})
    for name, mask, colour in (("Not relevant", ~inside, "#9aa3ad"), ("Relevant", inside, "#1f66d0")):
        figure.add_trace(
            go.Scattergl(
                x=points[mask, 0],
                y=points[mask, 1],
                mode="markers",
                name=name,
                marker={"size": 4, "color": colour},
                text=[title for title, kept in zip(titles, mask, strict=True) if kept],
            )
        )
    st.plotly_chart(figure)


if __name__ == "__main__":
    main()
