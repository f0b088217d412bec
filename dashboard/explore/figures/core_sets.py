"""Figures of the core publications of all topics: counts, citations, years and clusters."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from core.explore.studies import SURVEY_KINDS, CorePublication, Purity, SurveyKind, TopicCore
from core.text import many
from core.types import Points
from dashboard.kit.figures import layout, plain, say_why, short
from dashboard.kit.theme import CATEGORIES, COLOURS, RAMPS, Theme, template

# Kinds of surveys as every study draws them: each has a colour, a symbol and a pattern, not a colour alone.

Kind = SurveyKind | None
KINDS: tuple[Kind, ...] = (*SURVEY_KINDS, None)


@dataclass(frozen=True, slots=True)
class KindSign:
    label: str
    symbol: str
    pattern: str
    """Fill pattern of bars."""
    category: int | None
    """Its position in CATEGORIES; None: the muted colour."""

    def colour(self, theme: Theme) -> str:
        return COLOURS[theme]["not_relevant"] if self.category is None else CATEGORIES[theme][self.category]


SIGNS: Mapping[Kind, KindSign] = MappingProxyType(
    {
        "bibliometric": KindSign("Bibliometric", "circle", "", 0),
        "systematic review": KindSign("Systematic review", "x", "/", 1),
        None: KindSign("Not known", "square", ".", None),
    }
)


# Core publications of all topics: number, citations and years, by the kind of survey that they come from.

ROW = 24
ABOVE, BELOW = 124, 56
"""Above: title, reading guide, and a legend of up to three lines in a narrow window."""
LONGEST_NAME = 24
HOVER_WIDTH = 60
LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "traceorder": "normal"}
CITED_TICKS = (0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)


def topic_name(topic: TopicCore) -> str:
    """Return a topic's name for an axis, with the year of its survey if known.

    >>> topic_name(TopicCore("Tea", False, None, None, "", 2019, ()))
    'Tea (2019)'
    """
    name = short(topic.topic_id, LONGEST_NAME)
    return name if topic.survey_year is None else f"{name} ({topic.survey_year})"


def bars_in_order(topics: Sequence[TopicCore]) -> list[TopicCore]:
    """Sort topics from the lowest bar to the highest."""
    return sorted(topics, key=lambda topic: (len(topic), topic.topic_id))


def core_counts_figure(topics: Sequence[TopicCore], *, theme: Theme) -> go.Figure:
    """Draw a bar for each topic, the largest at the top, in the colour and pattern of its kind of survey."""
    order = bars_in_order(topics)
    n_entries = sum(map(len, topics))
    words = _listed(f"{t.topic_id} {len(t)}" for t in reversed(order))
    figure = go.Figure(
        layout=_layout(
            f"{many(len(topics), 'topic')}, {many(n_entries, 'core publication')}",
            "In brackets: the year of its survey, where known",
            f"Bars: core publications of each topic, by kind of survey. {words}",
            len(order),
            theme,
        )
    )
    for kind in KINDS:
        rows = [i for i, topic in enumerate(order) if topic.survey_kind == kind]
        if rows:
            figure.add_trace(_bars(order, rows, kind, theme))
    _name_rows(figure, [topic_name(topic) for topic in order])
    figure.update_xaxes(title_text="Core publications", rangemode="tozero")
    return figure


@dataclass(frozen=True, slots=True)
class CoreSpread:
    """Values of one row of a figure: each known one with its publication."""

    name: str
    kind: Kind
    values: tuple[int, ...]
    publications: tuple[CorePublication, ...]
    n_missing: int
    mark: int | None = None
    """A highlighted value: the year of the survey."""


def spread_of(topic: TopicCore, values: Sequence[int | None], *, mark: int | None = None) -> CoreSpread:
    return _spread(topic_name(topic), topic.survey_kind, list(zip(topic.publications, values, strict=True)), mark)


def cited_by_kind(topics: Sequence[TopicCore]) -> tuple[CoreSpread, ...]:
    """Group citations by kind of survey; within a kind a publication of several topics counts once."""
    found = []
    for kind in KINDS:
        each = {p.publication_id: p for t in topics if t.survey_kind == kind for p in t.publications}
        if each:
            found.append(_spread(SIGNS[kind].label, kind, [(p, p.times_cited) for p in each.values()], None))
    return tuple(found)


def citations_figure(spreads: Sequence[CoreSpread], *, title: str, theme: Theme) -> go.Figure:
    """Draw the citations of each publication as a dot over a box per row; the axis is logarithmic and includes 0."""
    order = sorted(spreads, key=lambda spread: (_middle(spread.values), spread.name))
    n_missing = sum(spread.n_missing for spread in spreads)
    medians = _listed(f"{s.name} {_middle(s.values):,.0f}" for s in reversed(order) if s.values)
    figure = go.Figure(
        layout=_layout(
            title,
            f"+n: no count is known ({n_missing:,} in all)",
            f"Boxes of citations on a logarithmic axis. Medians: {medians} {n_missing} counts are not known.",
            len(order),
            theme,
        )
    )
    if not any(spread.values for spread in order):
        return say_why(figure, "These publications have no known citation counts.", theme)
    _add_boxes(figure, order, lambda value: math.log10(1 + max(value, 0)), "cited %{customdata:,} times", theme)
    largest = max(value for spread in order for value in spread.values)
    ticks = [tick for tick in CITED_TICKS if tick <= largest] or [0]
    figure.update_xaxes(
        title_text="Times cited (logarithmic, 0 included)",
        tickvals=[math.log10(1 + tick) for tick in ticks],
        ticktext=[f"{tick:,}" for tick in ticks],
        tickangle=0,
        range=[-0.12, math.log10(1 + largest) * 1.04 + 0.08],
    )
    return figure


def years_figure(topics: Sequence[TopicCore], *, before_survey: bool, theme: Theme) -> go.Figure:
    """Draw the years of each topic's core publications: calendar years, or years before their survey."""
    spreads = [
        spread_of(t, t.years_before_survey if before_survey else t.years, mark=None if before_survey else t.survey_year)
        for t in topics
        if t.survey_year is not None or not before_survey
    ]
    order = sorted(spreads, key=lambda spread: -_middle(spread.values) if before_survey else _middle(spread.values))
    n_missing = sum(spread.n_missing for spread in order)
    middles = _listed(f"{s.name} {_middle(s.values):.0f}" for s in reversed(order) if s.values)
    title = "Age of core publications when their survey appeared" if before_survey else "When they appeared"
    seen = "" if before_survey else "Diamonds: surveys; "
    figure = go.Figure(
        layout=_layout(
            title,
            f"{seen}+n: without a year ({n_missing:,} in all)",
            f"{title}. Medians: {middles}",
            len(order),
            theme,
        )
    )
    if not any(spread.values for spread in order):
        return say_why(figure, "No known years.", theme)
    unit = "%{customdata} years before" if before_survey else "%{customdata}"
    _add_boxes(figure, order, float, unit, theme)
    marked = [(spread.mark, row) for row, spread in enumerate(order) if spread.mark is not None]
    if marked:
        figure.add_trace(_survey_marks(marked, theme))
    figure.update_xaxes(
        title_text="Years before the survey" if before_survey else "Year of publication",
        autorange="reversed" if before_survey else True,
        tickformat="d",
    )
    return figure


def of_year(topics: Sequence[TopicCore], year: int, kind: str) -> tuple[tuple[str, CorePublication], ...]:
    """Return topics and core publications of a segment of the histogram. `kind`: its name in the legend."""
    of_kind = (t for t in topics if SIGNS[t.survey_kind].label == kind)
    return tuple((t.topic_id, p) for t in of_kind for p in t.publications if p.year == year)


def year_histogram_figure(topics: Sequence[TopicCore], *, theme: Theme) -> go.Figure:
    """Draw core publications by year, stacked by kind of survey; one of several topics counts for each."""
    counts = {kind: Counter(y for t in topics if t.survey_kind == kind for y in t.years if y) for kind in KINDS}
    all_years = sorted(year for count in counts.values() for year in count.elements())
    title = "Core publications by year"
    if not all_years:
        return say_why(go.Figure(layout=_layout(title, "", "No known years.", 6, theme)), "No known years.", theme)
    middle = all_years[len(all_years) // 2]
    figure = go.Figure(
        layout=_layout(
            title,
            f"From {all_years[0]} to {all_years[-1]}, half of them before {middle}",
            f"{title}: a histogram of {len(all_years):,}, {all_years[0]} to {all_years[-1]}, median {middle}.",
            8,
            theme,
        )
    )
    for kind, count in counts.items():
        if count:
            figure.add_trace(
                go.Bar(
                    x=list(count),
                    y=list(count.values()),
                    name=SIGNS[kind].label,
                    marker=_marker(kind, theme),
                    hovertemplate="%{x}: %{y:,}<extra>" + SIGNS[kind].label + "</extra>",
                )
            )
    figure.update_layout(barmode="stack", bargap=0.12)
    figure.update_xaxes(title_text="Year of publication", tickformat="d")
    figure.update_yaxes(title_text="Core publications")
    return figure


def _spread(name: str, kind: Kind, pairs: Sequence[tuple[CorePublication, int | None]], mark: int | None) -> CoreSpread:
    known = [(value, publication) for publication, value in pairs if value is not None]
    values, publications = tuple(value for value, _ in known), tuple(publication for _, publication in known)
    return CoreSpread(name, kind, values, publications, len(pairs) - len(known), mark)


def _middle(values: Sequence[int]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return (ordered[half] + ordered[~half]) / 2 if ordered else -1.0


def _listed(parts: Any) -> str:
    return "; ".join(parts) + "."


def _marker(kind: Kind, theme: Theme) -> dict[str, Any]:
    sign = SIGNS[kind]
    colour = sign.colour(theme)
    over = {"fillmode": "overlay", "fgcolor": COLOURS[theme]["background"], "size": 6, "solidity": 0.3}
    pattern = {"shape": sign.pattern, **over}
    return {"color": colour, "line": {"color": colour, "width": 1}, "pattern": pattern}


def _bars(order: Sequence[TopicCore], rows: Sequence[int], kind: Kind, theme: Theme) -> go.Bar:
    return go.Bar(
        orientation="h",
        y=list(rows),
        x=[len(order[row]) for row in rows],
        width=0.66,
        name=SIGNS[kind].label,
        marker=_marker(kind, theme),
        text=[f"{len(order[row]):,}" for row in rows],
        textposition="outside",
        textfont={"size": 11, "color": COLOURS[theme]["text"]},
        cliponaxis=False,
        customdata=[_about(order[row]) for row in rows],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _about(topic: TopicCore) -> str:
    survey = topic.survey_title or "not known"
    return f"{plain(topic.topic_id)}: {many(len(topic), 'core publication')}<br>Survey: {wrapped(survey)}"


def wrapped(title: str) -> str:
    return "<br>".join(plain(line) for line in textwrap.wrap(title[:300], HOVER_WIDTH)) or "(no title)"


def _add_boxes(
    figure: go.Figure, order: Sequence[CoreSpread], place: Callable[[int], float], unit: str, theme: Theme
) -> None:
    for kind in KINDS:
        of_kind = [(row, spread) for row, spread in enumerate(order) if spread.kind == kind]
        points = [(place(v), row, v, p) for row, s in of_kind for v, p in zip(s.values, s.publications, strict=True)]
        if not points:
            continue
        sign = SIGNS[kind]
        figure.add_trace(
            go.Box(
                orientation="h",
                x=[x for x, *_ in points],
                y=[row for _, row, *_ in points],
                customdata=[value for *_, value, _ in points],
                ids=[publication.publication_id for *_, publication in points],
                text=[wrapped(publication.title) for *_, publication in points],
                name=sign.label,
                width=0.7,
                boxpoints="all",
                jitter=0.7,
                pointpos=0,
                whiskerwidth=0.4,
                line={"color": sign.colour(theme), "width": 1},
                fillcolor="rgba(128,128,128,0.10)",
                marker={"color": sign.colour(theme), "symbol": sign.symbol, "size": 5, "opacity": 0.75},
                hoveron="points",
                showlegend=False,
                hovertemplate="%{text}<br>" + unit + "<extra></extra>",
            )
        )
    for trace in kind_legend({spread.kind for spread in order}, theme):
        figure.add_trace(trace)
    missing = [f" +{spread.n_missing}" if spread.n_missing else "" for spread in order]
    _name_rows(figure, [f"{spread.name}{more}" for spread, more in zip(order, missing, strict=True)])


def kind_legend(kinds: Collection[Kind], theme: Theme) -> Iterator[go.Scatter]:
    """Return legend entries that show each kind's symbol and draw nothing else."""
    for kind in KINDS:
        if kind in kinds:
            marker = {"symbol": SIGNS[kind].symbol, "color": SIGNS[kind].colour(theme), "size": 9}
            yield go.Scatter(x=[None], y=[None], mode="markers", name=SIGNS[kind].label, marker=marker)


def _survey_marks(marked: Sequence[tuple[int, int]], theme: Theme) -> go.Scatter:
    return go.Scatter(
        x=[year for year, _ in marked],
        y=[row for _, row in marked],
        mode="markers",
        name="Survey",
        marker={"symbol": "diamond-open", "size": 10, "color": COLOURS[theme]["text"], "line": {"width": 1.6}},
        hovertemplate="survey of %{x}<extra></extra>",
    )


def _name_rows(figure: go.Figure, names: Sequence[str]) -> None:
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[plain(name) for name in names],
        range=[-0.6, len(names) - 0.4],
        showgrid=False,
    )


def _layout(title: str, subtitle: str, description: str, n_rows: int, theme: Theme) -> dict[str, Any]:
    return layout(
        title,
        subtitle,
        description,
        height=ABOVE + BELOW + max(n_rows, 3) * ROW,
        above=ABOVE,
        below=BELOW,
        right=28,
        y=0.99,
        theme=theme,
        legend=LEGEND,
        boxmode="overlay",
        barmode="overlay",
        showlegend=True,
    )


# Core publications of many topics in one figure, and the agreement of clusters with topics.

ColourBy = Literal["topic", "cluster"]
HEIGHT = 640
CLUSTER_ROW = 22
CLUSTER_LONGEST_NAME = 26


@dataclass(frozen=True, eq=False)
class CorePoints:
    points: Points
    topics: Sequence[str]
    kinds: Sequence[Kind]
    titles: Sequence[str]
    labels: Sequence[int] | None
    """Cluster of each publication; None: not known yet."""


def together_figure(
    crowd: CorePoints, *, found: Purity | None, colour_by: ColourBy, method: str, theme: Theme
) -> go.Figure:
    """Draw every core publication: the symbol shows the kind of survey, colour and number the topic or cluster."""
    by_cluster = colour_by == "cluster" and crowd.labels is not None and found is not None
    names = _cluster_names(found) if by_cluster and found else {topic: topic for topic in sorted(set(crowd.topics))}
    groups: Sequence[Any] = crowd.labels if by_cluster and crowd.labels is not None else crowd.topics
    what = "cluster" if by_cluster else "topic"
    figure = go.Figure(layout=_together_layout(crowd, what, len(names), method, theme))
    for number, (group, name) in enumerate(names.items(), 1):
        rows = [row for row, of in enumerate(groups) if of == group]
        figure.add_trace(_signs(crowd, rows, number, name, theme))
    for trace in kind_legend(set(crowd.kinds), theme):
        figure.add_trace(trace.update(marker={"color": COLOURS[theme]["faint"]}))
    _number_groups(figure, crowd.points, groups, list(names), theme)
    return figure


def _cluster_names(found: Purity) -> dict[int, str]:
    return {c.label: f"{c.majority} ({c.n_majority} of {c.n})" for c in found.clusters}


def _look(number: int, theme: Theme) -> dict[str, Any]:
    """Return the look of a group. Colours repeat after ten, then with an edge, so that no two groups look alike."""
    colours = CATEGORIES[theme]
    turn, place = divmod(number - 1, len(colours))
    edge = (colours[place], COLOURS[theme]["text"], COLOURS[theme]["core"])[turn % 3]
    return {"color": colours[place], "line": {"color": edge, "width": 1.2 if turn else 0}}


def _signs(crowd: CorePoints, rows: Sequence[int], number: int, name: str, theme: Theme) -> go.Scatter:
    return go.Scatter(
        x=crowd.points[rows, 0].tolist(),
        y=crowd.points[rows, 1].tolist(),
        mode="markers",
        name=f"{number} {plain(short(name, CLUSTER_LONGEST_NAME + 12))}",
        marker={**_look(number, theme), "size": 8, "symbol": [SIGNS[crowd.kinds[row]].symbol for row in rows]},
        text=[f"{wrapped(crowd.titles[row])}<br>{plain(crowd.topics[row])}" for row in rows],
        hovertemplate="%{text}<extra></extra>",
    )


def _number_groups(
    figure: go.Figure, points: Points, groups: Sequence[Any], names: Sequence[Any], theme: Theme
) -> None:
    of = np.array([names.index(group) for group in groups])
    for number in range(len(names)):
        inside = points[of == number]
        figure.add_annotation(
            x=float(np.median(inside[:, 0])),
            y=float(np.quantile(inside[:, 1], 0.9)),
            yanchor="bottom",
            yshift=3,
            text=f"<b>{number + 1}</b>",
            showarrow=False,
            font={"size": 12, "color": COLOURS[theme]["text"]},
            bgcolor=COLOURS[theme]["background"],
            opacity=0.85,
            borderpad=0,
        )


def _together_layout(crowd: CorePoints, what: str, n: int, method: str, theme: Theme) -> dict[str, Any]:
    axis = {"visible": False}
    title = f"{len(crowd.topics):,} core publications of {len(set(crowd.topics))} topics by {what}"
    return layout(
        title,
        f"{method}: near means similar; large distances mean little",
        f"{title}, laid out by {method}. Signs show the kind of survey, numbers the {n} {what}s.",
        height=HEIGHT + 20 * (n // 3),
        above=64,
        below=12,
        y=0.99,
        theme=theme,
        showlegend=None,
        xaxis=axis,
        yaxis={**axis, "scaleanchor": "x"},
        legend={
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -0.01,
            "yanchor": "top",
            "itemsizing": "constant",
        },
    )


def _heading(title: str, reading: str) -> dict[str, Any]:
    place = {"y": 0.985, "yanchor": "top", "yref": "container"}
    return {"text": title, "subtitle": {"text": reading}, **place}


def confusion_figure(found: Purity, *, theme: Theme) -> go.Figure:
    """Draw the number of each topic's publications in each cluster; clusters in the order of their majority."""
    counts, numbers = found.counts, list(range(len(found.clusters)))
    ramp = RAMPS["decay"][theme]
    steps = [[i / 8, ramp[round(i / 8 * (len(ramp) - 1))]] for i in range(9)]
    names = [short(topic, CLUSTER_LONGEST_NAME) for topic in found.topics]
    figure = go.Figure(
        go.Heatmap(
            z=np.where(counts > 0, counts, np.nan).tolist(),
            x=numbers,
            y=list(range(len(names))),
            text=[[str(n) if n else "" for n in row] for row in counts.tolist()],
            texttemplate="%{text}",
            textfont={"size": 11},
            hoverinfo="skip",
            colorscale=steps,
            zmin=0,
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    cells = [(row, column) for row in range(len(names)) for column in numbers if counts[row, column]]
    figure.add_trace(  # a heatmap can't be clicked
        go.Scatter(
            x=[column for _, column in cells],
            y=[row for row, _ in cells],
            mode="markers",
            marker={"symbol": "square", "size": CLUSTER_ROW, "opacity": 0},
            customdata=[
                plain(f"{found.topics[row]} in cluster {column + 1}: {counts[row, column]}") for row, column in cells
            ],
            hovertemplate="%{customdata}<extra></extra>",
            unselected={"marker": {"opacity": 0}},
            showlegend=False,
        )
    )
    split = [topic for topic, share in found.of_topic.items() if share == 0]
    figure.update_layout(
        template=template(theme),
        title=_heading(
            "Topics against clusters", "Publications of each topic (row) in each cluster (column) of the vectors"
        ),
        height=110 + CLUSTER_ROW * len(names),
        margin={"l": 12, "r": 12, "t": 64, "b": 44},
        dragmode=False,
        meta={
            "description": f"Table of {len(names)} topics by {len(numbers)} clusters. Purity {found.overall:.3f}. "
            f"Topics with the majority of no cluster: {', '.join(split) or 'none'}.",
            "is_wide": True,
        },
    )
    figure.update_xaxes(
        title_text="Cluster",
        tickvals=numbers,
        ticktext=[str(i + 1) for i in numbers],
        showgrid=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[plain(name) for name in names],
        autorange="reversed",
        showgrid=False,
        ticklabelstandoff=6,
    )
    return figure


def purity_figure(by_vectors: Mapping[str, float], in_picture: Mapping[str, float], *, theme: Theme) -> go.Figure:
    """Draw each topic's purity by the vectors (filled) and by the projection (hollow)."""
    order = sorted(by_vectors, key=lambda topic: (by_vectors[topic], in_picture[topic], topic))
    colours = COLOURS[theme]
    ends: list[float | None] = []
    for topic in order:
        ends += [by_vectors[topic], in_picture[topic], None]
    figure = go.Figure(
        go.Scatter(
            x=ends,
            y=[row for row in range(len(order)) for _ in range(3)],
            mode="lines",
            line={"color": colours["border"], "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for name, shares, symbol in (("Vectors", by_vectors, "circle"), ("Picture", in_picture, "circle-open")):
        figure.add_trace(
            go.Scatter(
                x=[shares[topic] for topic in order],
                y=list(range(len(order))),
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 10, "color": colours["relevant"], "line": {"width": 2}},
                hovertemplate="%{x:.3f}<extra>" + name + "</extra>",
                cliponaxis=False,
            )
        )
    listed = "; ".join(f"{topic} {by_vectors[topic]:.2f} and {in_picture[topic]:.2f}" for topic in reversed(order))
    figure.update_layout(
        template=template(theme),
        title=_heading("Purity of each topic", "Its share in clusters where it has the majority"),
        height=150 + CLUSTER_ROW * len(order),
        margin={"l": 12, "r": 20, "t": 104, "b": 44},
        legend=LEGEND,
        dragmode=False,
        meta={"description": f"Purity of each topic by the vectors and by the picture: {listed}."},
    )
    figure.update_xaxes(title_text="Purity", range=[-0.03, 1.03])
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[plain(short(topic, CLUSTER_LONGEST_NAME)) for topic in order],
        range=[-0.6, len(order) - 0.4],
        showgrid=False,
    )
    return figure
