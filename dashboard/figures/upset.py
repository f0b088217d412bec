"""What sources share, as an UpSet plot: a column for each combination of sources, a row for each source."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.records.overlap import Intersection, Overlap
from dashboard.figures.theme import COLOURS, Theme, template

MOST_COLUMNS, FEWEST_COLUMNS = 20, 8
LONGEST_NAME = 30
"""Letters of a source's name beside its row; the whole name is shown on hover."""
BARS = 170
"""Pixels for the bars above."""
ROW = 26
UPSET_ABOVE, UPSET_BELOW = 64, 50
MATRIX = (0.0, 0.8)
"""The part of the width that the columns have; the sizes of the sources stand in the rest."""
FULL_COLUMNS = 12
"""Beyond this many columns, numbers of three digits and more stand upright."""


@dataclass(frozen=True, slots=True)
class UpsetWords:
    """What the picture says, in words."""

    title: str
    reading: str
    """How to read it."""
    caption: tuple[str, ...]
    """What stands beneath: what an outline means, and what is not drawn."""
    description: str
    """For those who do not see it."""


@dataclass(frozen=True, slots=True)
class WordsOf:
    """What the rows are, and how they hold publications."""

    one: str
    have: str
    come_from_one: str


OF_SOURCES = WordsOf("source", "have", "come from one source only")
OF_VERSIONS = WordsOf("version", "retrieve", "are retrieved by one version only")


def upset_words(overlap: Overlap, words_of: WordsOf = OF_SOURCES) -> UpsetWords:
    """Title, caption and alternative text."""
    n_single, n_sources, one = sum(overlap.unique), len(overlap.names), words_of.one
    if not overlap.total:
        nothing = f"There is nothing to compare: no {one} has a publication."
        return UpsetWords(f"What the {one}s share", "", (), nothing)
    rest = overlap.intersections[MOST_COLUMNS:]
    n_rest = sum(part.n for part in rest)
    left_out = f"Not drawn: {_many(len(rest), 'smaller combination')} with {_many(n_rest, 'publication')}."
    largest = "; ".join(f"{_listed(part.sources)} {part.n:,}" for part in overlap.intersections[:5])
    sizes = "; ".join(f"{name} {n:,}" for name, n in zip(overlap.names, overlap.n, strict=True))
    return UpsetWords(
        title=f"{n_single:,} of {overlap.total:,} publications {words_of.come_from_one}",
        reading=f"Each column: publications that exactly the marked {one}s {words_of.have}",
        caption=(f"Outlined: from one {one} only.", *([left_out] if rest else [])),
        description=(
            f"UpSet plot of {_many(n_sources, one)} with {_many(overlap.total, 'publication')} together, "
            f"{n_single:,} of them in one {one} only. Sizes: {sizes}. Largest combinations: {largest}."
        ),
    )


def upset_rows(overlap: Overlap, words_of: WordsOf = OF_SOURCES) -> list[dict[str, str | int]]:
    """Every combination as a row of a table, the largest first, also those that are not drawn."""
    many = f"{words_of.one}s"
    return [
        {many.capitalize(): " + ".join(part.sources), f"Number of {many}": len(part.sources), "Publications": part.n}
        for part in overlap.intersections
    ]


def upset_figure(overlap: Overlap, *, theme: Theme, words_of: WordsOf = OF_SOURCES) -> go.Figure:
    """The largest combinations of sources, each with the number of publications that exactly these sources have.

    The figure carries its alternative text as `layout.meta["description"]`.
    """
    order = sorted(range(len(overlap.names)), key=lambda i: -overlap.n[i])
    columns = overlap.intersections[:MOST_COLUMNS]
    words = upset_words(overlap, words_of)
    figure = go.Figure(layout=_layout(words, len(order), theme))
    if not columns:
        return say_why(figure, words.description, theme)
    row_of = {overlap.names[i]: row for row, i in enumerate(order)}
    shade_rows(figure, len(order), theme, axis="y2")
    figure.add_trace(go.Bar(**_bars(columns, theme)))
    for trace in _matrix(columns, row_of, theme):
        figure.add_trace(go.Scatter(**trace))
    figure.add_trace(go.Bar(**_sizes(overlap, order, theme)))
    _set_axes(figure, overlap, order, columns)
    _write_beside(figure, words, theme)
    return figure


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name with its middle left out where it is long: file names differ at their ends.

    >>> short("scopus_search_of_2024-03-01_part_2.ris", 20)
    'scopus_sea…art_2.ris'
    """
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[: longest - 1 - half]}…{name[-half:]}"


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _listed(sources: Sequence[str]) -> str:
    return f"{sources[0]} alone" if len(sources) == 1 else " and ".join((", ".join(sources[:-1]), sources[-1]))


def _in_lines(sources: Sequence[str]) -> str:
    return "<br>".join(plain(name) for name in sources)


def _bars(columns: Sequence[Intersection], theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    is_upright = len(columns) > FULL_COLUMNS and columns[0].n >= 100
    filled = [colours["background" if len(part.sources) == 1 else "text"] for part in columns]
    return {
        "x": list(range(len(columns))),
        "y": [part.n for part in columns],
        "marker": {"color": filled, "line": {"color": colours["text"], "width": 1.2}},
        "width": 0.62,
        "text": [f"{part.n:,}" for part in columns],
        "textposition": "outside",
        "textangle": -90 if is_upright else 0,
        "textfont": {"size": 11, "color": colours["text"]},
        "cliponaxis": False,
        "constraintext": "none",
        "customdata": [_in_lines(part.sources) for part in columns],
        "hovertemplate": "%{y:,} only in<br>%{customdata}<extra></extra>",
    }


def _matrix(columns: Sequence[Intersection], row_of: dict[str, int], theme: Theme) -> list[dict[str, Any]]:
    """Pale dots everywhere, a dark one where the source is part of the combination, and a line through these."""
    colours = COLOURS[theme]
    places = [(x, y) for x in range(len(columns)) for y in range(len(row_of))]
    marked = [(x, row_of[name], name) for x, part in enumerate(columns) for name in part.sources]
    common = {"xaxis": "x", "yaxis": "y2", "showlegend": False}
    ends: list[tuple[int, int | None]] = []
    for x, part in enumerate(columns):
        rows = [row_of[name] for name in part.sources]
        ends += [(x, min(rows)), (x, max(rows)), (x, None)]
    return [
        {
            **common,
            "x": [x for x, _ in places],
            "y": [y for _, y in places],
            "mode": "markers",
            "hoverinfo": "skip",
            "marker": {"size": 8, "color": colours["border"], "opacity": 0.55},
        },
        {
            **common,
            "x": [x for x, _ in ends],
            "y": [y for _, y in ends],
            "mode": "lines",
            "hoverinfo": "skip",
            "line": {"color": colours["text"], "width": 2},
        },
        {
            **common,
            "x": [x for x, *_ in marked],
            "y": [y for _, y, _ in marked],
            "mode": "markers",
            "marker": {"size": 10, "color": colours["text"]},
            "customdata": [plain(name) for *_, name in marked],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    ]


def _sizes(overlap: Overlap, order: Sequence[int], theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    return {
        "orientation": "h",
        "x": [overlap.n[i] for i in order],
        "y": list(range(len(order))),
        "xaxis": "x2",
        "yaxis": "y2",
        "marker": {"color": colours["not_relevant"]},
        "width": 0.5,
        "text": [f"{overlap.n[i]:,}" for i in order],
        "textposition": "outside",
        "textfont": {"size": 11, "color": colours["text"]},
        "cliponaxis": False,
        "constraintext": "none",
        "customdata": [[plain(overlap.names[i]), overlap.unique[i]] for i in order],
        "hovertemplate": "%{customdata[0]}: %{x:,}, %{customdata[1]:,} of them nowhere else<extra></extra>",
    }


def shade_rows(figure: go.Figure, n_rows: int, theme: Theme, *, axis: str = "y") -> None:
    """Every other row, so that the eye keeps to one all along."""
    for row in range(0, n_rows, 2):
        figure.add_shape(
            type="rect",
            layer="below",
            xref="paper",
            yref=axis,
            x0=0,
            x1=1,
            y0=row - 0.5,
            y1=row + 0.5,
            fillcolor=COLOURS[theme]["panel"],
            line={"width": 0},
        )


def _set_axes(figure: go.Figure, overlap: Overlap, order: Sequence[int], columns: Sequence[Intersection]) -> None:
    n_rows = len(order)
    share = n_rows * ROW / (n_rows * ROW + BARS)
    is_upright = figure.data[0].textangle == -90
    names = [plain(short(overlap.names[i])) for i in order]
    beyond = max(len(columns), FEWEST_COLUMNS) - len(columns)  # few columns stay narrow
    figure.update_layout(
        xaxis={
            "domain": MATRIX,
            "range": (-0.6, len(columns) - 0.4 + beyond),
            "visible": False,
            "anchor": "y2",
        },
        xaxis2={
            "domain": (MATRIX[1] + 0.015, 1),
            "range": (0, max(overlap.n) * 1.75),
            "visible": False,
            "anchor": "y2",
        },
        yaxis={
            "domain": (share + 0.02, 1),
            "range": (0, columns[0].n * (1.38 if is_upright else 1.16)),
            "title": {"text": "Publications"},
            "showgrid": False,
            "showticklabels": False,  # every bar has its number
            "anchor": "x",
        },
        yaxis2={
            "domain": (0, share),
            "range": (n_rows - 0.5, -0.5),
            "tickvals": list(range(n_rows)),
            "ticktext": names,
            "tickfont": {"size": 12},
            "showgrid": False,
            "anchor": "x",
        },
    )


def _write_beside(figure: go.Figure, words: UpsetWords, theme: Theme) -> None:
    """The caption beneath, and what the bars at the side count."""
    common = {"xref": "paper", "yref": "paper", "xanchor": "left", "showarrow": False, "align": "left"}
    font = {"size": 11, "color": COLOURS[theme]["faint"]}
    figure.add_annotation(text="<br>".join(words.caption), x=0, y=0, yanchor="top", yshift=-6, font=font, **common)
    top = figure.layout.yaxis2.domain[1]
    figure.add_annotation(text="In all", x=figure.layout.xaxis2.domain[0], y=top, yanchor="bottom", font=font, **common)


def _layout(words: UpsetWords, n_rows: int, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": words.title,
            "y": 0.985,
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": words.reading},
        },
        "height": UPSET_ABOVE + BARS + max(n_rows, 1) * ROW + UPSET_BELOW,
        "margin": {"l": 12, "r": 12, "t": UPSET_ABOVE, "b": UPSET_BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": words.description},
    }


def plain(text: str) -> str:
    """Text that plotly shows as it is: no markup, no formula.

    >>> plain("<b>p</b> < 0.05 & $x$")
    '&lt;b&gt;p&lt;/b&gt; &lt; 0.05 &amp; &#36;x&#36;'
    """
    return html.escape(text, quote=False).replace("$", "&#36;")


def say_why(figure: go.Figure, reason: str, theme: Theme) -> go.Figure:
    """An empty figure with the reason in its middle."""
    lines = "<br>".join(plain(line) for line in textwrap.wrap(reason, 44))
    figure.add_annotation(
        text=lines,
        x=0.5,
        y=0.5,
        xref="paper",
        yref="paper",
        showarrow=False,
        font={"size": 14, "color": COLOURS[theme]["faint"]},
    )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure
