"""Figures used in several rooms: coloured tables, UpSet plots, and the look of compared versions."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import plotly.graph_objects as go

from core.explore.regions import REGIONS
from core.library.overlap import Intersection, Overlap
from core.text import listed, many, plural_of
from core.types import Ids, RegionKind
from dashboard.kit.theme import CATEGORIES, COLOURS, Role, Theme, even_ramp, template

MOST_COLUMNS, FEWEST_COLUMNS = 20, 8
LONGEST_NAME = 30
"""Characters of a source's name next to its row; the whole name is shown on hover."""
BARS = 170
"""Pixels for the bars at the top."""
ROW = 26
UPSET_ABOVE, UPSET_BELOW = 64, 50
MATRIX = (0.0, 0.8)
"""Share of the width for the columns; the sizes of the sources fill the rest."""
N_COLUMN_TRACES = 4
"""Traces drawn at columns: the bars and three for the matrix. The sizes follow them."""
COLUMN, NAMES, PHONE = 17, 170, 345
"""Pixels of a column that can be told from its neighbours, of the names of the rows, and of a phone."""
NARROWER = (30, 40)
"""Widths in rem below that of other wide figures, of which a figure keeps the smallest that is enough for it."""
FULL_COLUMNS = 12
"""With more columns than this, numbers of three or more digits are rotated."""


@dataclass(frozen=True, slots=True)
class UpsetWords:
    title: str
    reading: str
    """Reading guide."""
    caption: tuple[str, ...]
    """Text below the figure: the meaning of outlines, and omitted combinations."""
    description: str
    """Alternative text."""


@dataclass(frozen=True, slots=True)
class WordsOf:
    one: str
    have: str
    come_from_one: str


OF_SOURCES = WordsOf("source", "have", "come from one source only")
OF_VERSIONS = WordsOf("version", "retrieve", "are retrieved by one version only")


def upset_words(overlap: Overlap, words_of: WordsOf = OF_SOURCES) -> UpsetWords:
    n_single, n_sources, one = sum(overlap.unique), len(overlap.names), words_of.one
    if not overlap.total:
        nothing = f"Nothing to compare: no {one} has publications."
        return UpsetWords(f"Overlap of the {plural_of(one)}", "", (), nothing)
    rest = overlap.intersections[MOST_COLUMNS:]
    n_rest = sum(part.n for part in rest)
    left_out = f"Not drawn: {many(len(rest), 'smaller combination')} with {many(n_rest, 'publication')}."
    largest = "; ".join(f"{_listed(part.sources)} {part.n:,}" for part in overlap.intersections[:5])
    sizes = "; ".join(f"{name} {n:,}" for name, n in zip(overlap.names, overlap.n, strict=True))
    return UpsetWords(
        title=f"{n_single:,} of {overlap.total:,} publications {words_of.come_from_one}",
        reading=f"Each column: publications that all marked {plural_of(one)} {words_of.have} and no others",
        caption=(f"Outlined: in one {one} only.", *([left_out] if rest else [])),
        description=(
            f"UpSet plot of {many(n_sources, one)} with {many(overlap.total, 'publication')} together, "
            f"{n_single:,} of them in one {one} only. Sizes: {sizes}. Largest combinations: {largest}."
        ),
    )


def upset_rows(overlap: Overlap, words_of: WordsOf = OF_SOURCES) -> list[dict[str, str | int]]:
    """Return every combination as a row of a table, the largest first, including those not drawn."""
    many = plural_of(words_of.one)
    return [
        {many.capitalize(): " + ".join(part.sources), f"Number of {many}": len(part.sources), "Publications": part.n}
        for part in overlap.intersections
    ]


def upset_clicked(overlap: Overlap, point: Mapping[str, Any]) -> Ids:
    """Return the sources of the column that a point belongs to, or the one source of a size bar; empty for neither.

    The bars at the top and the symbols of the matrix are at the number of their column, the sizes at that of their row.
    """
    if point.get("curve_number") == N_COLUMN_TRACES:
        order = _order(overlap)
        row = int(point["y"])
        return (overlap.names[order[row]],) if 0 <= row < len(order) else ()
    column = int(point["x"])
    columns = overlap.intersections[:MOST_COLUMNS]
    return columns[column].sources if 0 <= column < len(columns) else ()


def _order(overlap: Overlap) -> list[int]:
    """Return the rows from the largest source to the smallest."""
    return sorted(range(len(overlap.names)), key=lambda i: -overlap.n[i])


def upset_figure(overlap: Overlap, *, theme: Theme, words_of: WordsOf = OF_SOURCES) -> go.Figure:
    """Draw the largest combinations of sources, each with the number of publications in exactly these sources.

    The figure carries its alternative text as `layout.meta["description"]`.
    """
    order = _order(overlap)
    columns = overlap.intersections[:MOST_COLUMNS]
    words = upset_words(overlap, words_of)
    height = UPSET_ABOVE + BARS + max(len(order), 1) * ROW + UPSET_BELOW
    room = {"height": height, "above": UPSET_ABOVE, "below": UPSET_BELOW}
    figure = go.Figure(layout=layout(words.title, words.reading, words.description, y=0.985, theme=theme, **room))
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
    figure.update_layout(meta=figure.layout.meta | room_for(len(columns), COLUMN / MATRIX[1]))
    return figure


def room_for(n_columns: int, width: float) -> dict[str, Any]:
    """Return the keys of `layout.meta` for a figure with this many columns of at least `width` pixels next to names."""
    need = NAMES + n_columns * width
    if need <= PHONE:
        return {}
    rem = next((rem for rem in NARROWER if 16 * rem >= need), None)
    return {"is_wide": True} | ({} if rem is None else {"rem": rem})


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """Shorten a name by its middle: file names differ at their ends.

    >>> short("scopus_search_of_2024-03-01_part_2.ris", 20)
    'scopus_sea…art_2.ris'
    """
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[: longest - 1 - half]}…{name[-half:]}"


def _listed(sources: Sequence[str]) -> str:
    return f"{sources[0]} alone" if len(sources) == 1 else listed(sources)


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
        "hovertemplate": "%{customdata[0]}: %{x:,}, %{customdata[1]:,} found only here<extra></extra>",
    }


def shade_rows(figure: go.Figure, n_rows: int, theme: Theme, *, axis: str = "y") -> None:
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
    common = {"xref": "paper", "yref": "paper", "xanchor": "left", "showarrow": False, "align": "left"}
    font = {"size": 11, "color": COLOURS[theme]["faint"]}
    figure.add_annotation(text="<br>".join(words.caption), x=0, y=0, yanchor="top", yshift=-6, font=font, **common)
    top = figure.layout.yaxis2.domain[1]
    figure.add_annotation(text="Total", x=figure.layout.xaxis2.domain[0], y=top, yanchor="bottom", font=font, **common)


def layout(
    title: str,
    subtitle: str,
    description: str,
    *,
    height: float,
    above: int,
    below: int,
    theme: Theme,
    y: float | None = None,
    right: int = 12,
    **more: Any,
) -> dict[str, Any]:
    """Return the layout of a figure with its title at the top left; `more` is added to it.

    `y`: place of the title's top, as a share of the height; None: just below the upper edge.
    """
    place = {"y": 1, "pad": {"t": 12, "l": 12}} if y is None else {"y": y}
    return {
        "template": template(theme),
        "title": {"text": title, "subtitle": {"text": subtitle}, "yanchor": "top", "yref": "container", **place},
        "height": height,
        "margin": {"l": 12, "r": right, "t": above, "b": below},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": description},
        **more,
    }


def plain(text: str) -> str:
    """Escape text for plotly, which would read markup and formulas.

    >>> plain("<b>p</b> < 0.05 & $x$")
    '&lt;b&gt;p&lt;/b&gt; &lt; 0.05 &amp; &#36;x&#36;'
    """
    return html.escape(text, quote=False).replace("$", "&#36;")


def say_why(figure: go.Figure, reason: str, theme: Theme) -> go.Figure:
    """Return an empty figure with the reason in its middle."""
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


# A table of numbers in coloured cells: differences from orange to blue, amounts from pale to blue.

Scale = Literal["difference", "amount"]
HEAT_ABOVE, HEAT_BELOW = 104, 76
N_COLOURS = 17


def _both_ways(low: str, middle: str, high: str) -> tuple[str, ...]:
    """Return a ramp with the middle colour at its middle step, however far away the ends are."""
    return (*even_ramp([low, middle], N_COLOURS)[:-1], *even_ramp([middle, high], N_COLOURS))


RAMPS: Mapping[Scale, Mapping[Theme, tuple[str, ...]]] = MappingProxyType(
    {
        # Text in a cell keeps its contrast on every step.
        "difference": MappingProxyType[Theme, tuple[str, ...]](
            {
                "light": _both_ways("#e8833a", "#f5f6f8", "#5b9fe0"),
                "dark": _both_ways("#a84a10", "#1a1d23", "#1f5ca8"),
            }
        ),
        "amount": MappingProxyType[Theme, tuple[str, ...]](
            {
                "light": even_ramp(["#f5f6f8", "#5b9fe0"], N_COLOURS),
                "dark": even_ramp(["#1a1d23", "#1f5ca8"], N_COLOURS),
            }
        ),
    }
)


def head_of(kind: RegionKind) -> str:
    """Return a short name of a region for a narrow column."""
    region = REGIONS[kind]
    return (region.head or region.label).replace(" ", "<br>")


@dataclass(frozen=True, slots=True)
class HeatCell:
    value: float | None
    """None: undefined."""
    text: str
    """Text in the cell."""
    hover: str
    """Description, with the reason for an undefined or meaningless value."""


@dataclass(frozen=True, slots=True)
class HeatGroup:
    label: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeatWords:
    title: str
    subtitle: str
    description: str


def heat_figure(
    words: HeatWords,
    rows: Sequence[str],
    groups: Sequence[HeatGroup],
    cells: Sequence[Sequence[HeatCell]],
    *,
    scale: Scale,
    end: float,
    theme: Theme,
) -> go.Figure:
    """Draw a heat map, first row on top. `end`: value of the strongest colour; differences range from -end to end."""
    columns = [column for group in groups for column in group.columns]
    figure = go.Figure(layout=_heat_layout(words, len(rows), theme))
    if not rows or not columns:
        return say_why(figure, words.description, theme)
    steps = RAMPS[scale][theme]
    figure.add_trace(
        go.Heatmap(
            z=[[float("nan") if cell.value is None else cell.value for cell in line] for line in cells],
            zmin=-end if scale == "difference" else 0,
            zmax=end,
            colorscale=[[i / (len(steps) - 1), colour] for i, colour in enumerate(steps)],
            showscale=False,
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    places = [(x, y) for y in range(len(rows)) for x in range(len(columns))]
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in places],
            y=[y for _, y in places],
            mode="text",
            text=[plain(cells[y][x].text) for x, y in places],
            textfont={"size": 11, "color": COLOURS[theme]["text"]},
            unselected={"textfont": {"color": COLOURS[theme]["text"]}},
            customdata=[plain(cells[y][x].hover) for x, y in places],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_xaxes(tickvals=list(range(len(columns))), ticktext=columns, range=[-0.5, len(columns) - 0.5])
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[plain(short(row, LONGEST_NAME)) for row in rows],
        range=[len(rows) - 0.5, -0.5],
    )
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(showgrid=False)
    _head(figure, groups, theme)
    return figure


def _head(figure: go.Figure, groups: Sequence[HeatGroup], theme: Theme) -> None:
    start = 0
    for group in groups:
        stop = start + len(group.columns)
        figure.add_annotation(
            text=group.label,
            x=(start + stop - 1) / 2,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            font={"size": 12, "color": COLOURS[theme]["faint"]},
        )
        if start:
            figure.add_shape(
                type="line",
                x0=start - 0.5,
                x1=start - 0.5,
                y0=0,
                y1=1,
                yref="paper",
                line={"color": COLOURS[theme]["border"], "width": 1.5},
            )
        start = stop


def _heat_layout(words: HeatWords, n_rows: int, theme: Theme) -> dict[str, Any]:
    return layout(
        plain(words.title),
        plain(words.subtitle),
        "",
        height=HEAT_ABOVE + HEAT_BELOW + max(n_rows, 3) * ROW,
        above=HEAT_ABOVE,
        below=12,
        theme=theme,
        showlegend=None,
        meta={"description": words.description, "is_wide": True},
    )


# The look of a version in every figure that shows several: colour and dash by the order of choice.

ROLES: tuple[Role, ...] = ("relevant", "second", "third")
_PATTERNS = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon")
LONGEST_LABEL = 26


@dataclass(frozen=True, slots=True)
class LineLook:
    colour: str
    dash: str
    symbol: str


def look_of(position: int, theme: Theme) -> LineLook:
    """Return a version's look; position 0 is chosen first. Colour, dash and symbol each distinguish the first few."""
    if position < len(ROLES):
        colour = COLOURS[theme][ROLES[position]]
    else:
        categories = CATEGORIES[theme]
        colour = categories[(position - len(ROLES)) % len(categories)]
    return LineLook(colour, _PATTERNS[position % len(_PATTERNS)], _SYMBOLS[position % len(_SYMBOLS)])


def named(label: str, name: str | None) -> str:
    """Return a version's name in a figure: its author's, else its label; a long one is shortened in the middle."""
    return short(name or label, LONGEST_LABEL)
