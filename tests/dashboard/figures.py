"""Facts of every figure: it fits a phone, is told in words, and text of users is no markup in it."""

from __future__ import annotations

import html

import plotly.graph_objects as go

from dashboard.kit.figure_frame import LONGEST_SUBTITLE, LONGEST_TITLE

NASTY = "<b>x</b> & $y$"
LONG = "late_interaction:st:sentence-transformers/all-MiniLM-L6-v2"


def assert_fits(figure: go.Figure, name: str = "") -> None:
    title, subtitle = html.unescape(figure.layout.title.text), html.unescape(figure.layout.title.subtitle.text)
    assert max(map(len, title.split("<br>"))) <= LONGEST_TITLE, name
    assert max(map(len, subtitle.split("<br>"))) <= LONGEST_SUBTITLE, name
    assert len(figure.layout.meta["description"]) > 20, name
    assert all("gl" not in trace.type for trace in figure.data), name
    assert figure.layout.margin.t + figure.layout.margin.b < figure.layout.height, name


def assert_no_markup(figure: go.Figure, name: str = "") -> None:
    layout = figure.layout
    axes = [*(layout.yaxis.ticktext or ()), layout.xaxis.title.text, layout.yaxis.title.text]
    said = [layout.title.text, layout.title.subtitle.text, *axes]
    for trace in figure.data:
        said += [trace.name, trace.hovertemplate, *(trace.hovertext or ())]
    together = " ".join(map(str, said))
    assert "<b>x" not in together, name
    assert "$y$" not in together, name
