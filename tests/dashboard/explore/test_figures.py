"""Figures: the same story in every picture, and text that stays text."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from hypothesis import given
from hypothesis import strategies as st

from core.errors import MisalignedError
from core.explore.landscape import Landscape, split_curve
from core.metrics import SIMILARITY_TOLERANCE, similar_mask
from core.settings import EvaluationSettings
from core.types import Mask, Points, RegionKind
from dashboard.explore.figures import thresholds
from dashboard.explore.figures.landscape import MANY, LandscapePicture, compose, landscape_figure
from dashboard.explore.figures.thresholds import NARROWEST, ThresholdMark, f_beta_curve_figure, row_at
from dashboard.kit.theme import COLOURS
from tests.messages import refusal

TOP = Path(__file__).parents[3]
NASTY = 'p < 0.05 & <b onclick="x">bold</b> $x$ \x00\x1b'
SQUARE = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
OUTLINES: dict[RegionKind, Points] = {"mvee": SQUARE * 2, "hull": SQUARE}


# ---- a landscape to draw


def made(n: int = 60, n_missed: int = 3, *, placed: bool = True) -> Landscape:
    """Random places; every tenth retrieved publication is core."""
    rng = np.random.default_rng(0)
    core = np.arange(n + n_missed) % 10 == 0
    core[n:] = True
    similarities = np.concatenate([np.sort(rng.uniform(0.1, 0.9, n)), np.full(n_missed, 0.5)]).astype(np.float32)
    return Landscape(
        ids=tuple(f"p{i}" for i in range(n + n_missed)),
        n_retrieved=n,
        n_core=int(core.sum()) + 1,  # one has no vector
        order=np.arange(n),
        similarities=similarities,
        points=rng.normal(0, 3, (n + n_missed, 2)) if placed else None,
        core_mask=core,
    )


def words(**changes: Any) -> dict[str, Any]:
    common = {"outlines": OUTLINES, "kind": "cosine", "theme": "light", "made_up": True, "topic": NASTY, "version": "v"}
    return {**common, **changes}


def composed(land: Landscape, mask: Mask | None, **changes: Any) -> LandscapePicture:
    given = words(**changes)
    del given["theme"]
    return compose(land, mask, **given)


def drawn(land: Landscape, min_similarity: float | None = 0.5, **changes: Any) -> go.Figure:
    mask = None if min_similarity is None else similar_mask(land.similarities[: land.n_retrieved], min_similarity)
    texts = {"titles": [NASTY] * len(land), "years": [None, *[2001] * len(land)][: len(land)]}
    return landscape_figure(land, mask, **{**texts, **words(**changes)})


def by_name(figure: go.Figure) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data if trace.showlegend is not False}


def test_every_publication_is_drawn_once_in_its_role() -> None:
    land = made()
    traces = by_name(drawn(land))
    relevant = similar_mask(land.similarities[:60], 0.5)
    core = land.core_mask[:60]
    assert {name: len(trace.x) for name, trace in traces.items() if trace.mode == "markers"} == {
        "Not relevant": int((~relevant & ~core).sum()),
        "Relevant": int((relevant & ~core).sum()),
        "Core missed (3 of 4 are placed)": 3,
        f"Core found, not accepted ({(core & ~relevant).sum()})": int((core & ~relevant).sum()),
        f"Core accepted ({(core & relevant).sum()})": int((core & relevant).sum()),
    }
    assert traces["Core missed (3 of 4 are placed)"].marker.symbol == "circle-open"
    assert traces["Relevant"].marker.color == COLOURS["light"]["relevant"]
    assert traces["Convex hull"].line.dash == "solid"
    assert traces["Ellipsoid (MVEE)"].line.dash == "dash"
    assert len(traces["Convex hull"].x) == 5  # closed


def test_the_title_says_what_to_see() -> None:
    figure = drawn(made(), n_found=7)
    n_relevant = int(similar_mask(made().similarities[:60], 0.5).sum())
    said = f"{n_relevant} of 60 retrieved are relevant (cosine);<br>7 of 10 core publications found"
    assert figure.layout.title.text == said
    assert figure.layout.title.subtitle.text.split(" · ")[-3:-1] == ["v", "synthetic publications"]
    assert "made-up" not in drawn(made(), made_up=False).layout.title.subtitle.text
    assert "ellipsoid" in drawn(made(), kind="mvee").layout.title.text
    assert (figure.layout.yaxis.scaleanchor, figure.layout.xaxis.visible) == ("x", False)


def test_text_of_users_stays_text() -> None:
    figure = drawn(made())
    hover = next(iter(figure.data)).hovertext[0]
    assert "p &lt; 0.05 &amp; &lt;b onclick" in hover
    hovers = [text for trace in figure.data for text in trace.hovertext or ()]
    assert len(hovers) == 63
    assert f"<br>no year · similarity {made().similarities[0]:.3f}" in "".join(hovers)
    shown = [figure.layout.title.text, figure.layout.title.subtitle.text]
    assert not [text for text in shown + hovers if re.search("<(?!br>)|[$]", text)]


def test_an_undefined_region_judges_nothing() -> None:
    figure = drawn(made(), None, kind="cluster")
    assert figure.layout.title.text.startswith("60 retrieved; the cluster region is undefined;")
    assert {"Retrieved", "Core found (6)"} <= set(by_name(figure))


def test_without_places_the_figure_says_why() -> None:
    figure = drawn(made(placed=False))
    assert not figure.data
    assert "too few" in figure.layout.annotations[0].text.replace("<br>", " ")
    assert drawn(made(placed=False), no_landscape="not yet").layout.annotations[0].text == "not yet"
    assert "Nothing to show" in drawn(made(0, 0)).layout.annotations[0].text.replace("<br>", " ")


def test_what_does_not_fit_together_is_refused() -> None:
    land = made()
    with refusal(MisalignedError):
        landscape_figure(land, None, titles=["a"], years=[None] * 63, **words())
    with refusal(MisalignedError):
        composed(land, np.ones(2, dtype=np.bool_))


def test_many_publications_are_left_to_webgl() -> None:
    assert {trace.type for trace in drawn(made(MANY)).data} == {"scattergl"}
    figure = drawn(made())
    assert {trace.type for trace in figure.data} == {"scatter"}
    assert "bdata" in figure.to_json()  # typed arrays, not lists of numbers


# ---- the curve


def curve_of(similarities: list[float], core: list[int], n_core: int = 10) -> Any:
    values = np.sort(np.array(similarities, dtype=np.float32))
    mask = np.zeros(len(values), dtype=np.bool_)
    mask[core] = True
    land = Landscape(
        tuple(map(str, range(len(values)))), len(values), n_core, np.arange(len(values)), values, None, mask
    )
    return split_curve(land, EvaluationSettings(decay_limit=4000))


def curve_figure(curve: Any, **changes: Any) -> go.Figure:
    given = {"current": 0.5, "least_similar_core": 0.4, "best": 0.6, "beta": 2.0, "theme": "light"}
    return f_beta_curve_figure(curve, **{**given, **changes})


def test_a_long_curve_is_thinned_but_keeps_what_matters() -> None:
    rng = np.random.default_rng(1)
    curve = curve_of(rng.beta(3, 3, 9000).tolist(), rng.choice(9000, 9, replace=False).tolist())
    best = float(curve.min_similarity[curve.best])
    main = curve_figure(curve, best=best, current=0.123456).data[0]
    assert len(main.x) <= thresholds.CURVE_MOST_POINTS
    kept = {best, 0.123456, float(curve.min_similarity[0]), float(curve.min_similarity[-2])}
    assert {np.float32(x) for x in kept} <= set(main.x)
    assert main.y.max() == np.float32(curve.f_beta.max())
    assert main.y[main.x == np.float32(best)] == np.float32(curve.f_beta[curve.best])
    assert main.line.shape == "linear"
    for x, y in zip(main.x.astype(np.float64), main.y, strict=True):
        assert y == np.float32(curve.f_beta[np.count_nonzero(curve.min_similarity < x - SIMILARITY_TOLERANCE)])


def test_equal_similarities_stand_or_fall_together() -> None:
    curve = curve_of([0.2, 0.5, 0.5, 0.5, 0.8], [2, 4], n_core=2)
    assert row_at(curve, 0.5) == 1
    main = curve_figure(curve, least_similar_core=None, best=None).data[0]
    assert len(main.x) == 3
    assert main.line.shape == "vh"
    assert main.customdata.tolist() == [5, 4, 1]


def test_the_curve_reaches_every_mark() -> None:
    curve = curve_of([0.2, 0.4], [1], n_core=2)
    figure = curve_figure(curve, current=0.69, best=0.4, least_similar_core=0.4)
    low, high = figure.layout.xaxis.range
    assert low < 0.2
    assert high > 0.69
    assert figure.data[0].y[-1] == 0  # beyond every similarity nothing is relevant
    assert figure.layout.title.text.startswith("F2 (with decay): 0.000 now, at best 0.")
    assert [shape.x0 for shape in figure.layout.shapes].count(0.4) == 2
    assert figure.layout.height == 260
    alone = curve_figure(curve_of([0.3], [0]), current=0.3, best=None, least_similar_core=None)
    assert alone.layout.xaxis.range[0] < 0.3 < alone.layout.xaxis.range[1]


def test_the_curve_names_its_parts() -> None:
    figure = curve_figure(curve_of([0.2, 0.4], [1]), beta=0.5, best=None)
    assert [trace.name for trace in figure.data] == [
        "F0.5 (with decay)",
        "Core accepted",
        "Semantic precision",
        "Decay",
    ]
    legend = figure.layout.annotations[0].text
    assert all(trace.name in legend for trace in figure.data)
    assert figure.layout.hovermode == "x unified"


def test_a_curve_of_nothing_says_why() -> None:
    figure = curve_figure(curve_of([], []))
    assert not figure.data
    assert "no retrieved publication" in figure.layout.annotations[0].text.replace("<br>", " ")


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.integers(0, 400))
def test_labels_never_meet(at: list[float], more_pixels: int) -> None:
    names = ("set 0.500", "best 0.500", "least similar core 0.500")
    marks = [ThresholdMark(x, name, "text", "solid") for x, name in zip(at, names, strict=True)]
    spans: dict[int, list[tuple[float, float]]] = {}
    width = NARROWEST + more_pixels
    for mark, (level, anchor) in zip(marks, thresholds._label_places(marks, (0.0, 1.0)), strict=True):
        long = 6.2 * len(mark.label)
        start = mark.at * width - {"left": 0.0, "right": long, "center": long / 2}[anchor]
        spans.setdefault(level, []).append((start, start + long))
        assert level < 3
    for row in spans.values():
        assert all(before[1] <= after[0] + 1e-9 for before, after in pairwise(sorted(row)))


def test_colours_need_neither_plotly_nor_streamlit() -> None:
    check = "import sys, dashboard.kit.theme; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", check], cwd=TOP, capture_output=True, text=True, check=True)
    assert not {"plotly", "streamlit"} & set(loaded.stdout.split())
    check = check.replace("figures.theme", "figures.landscape, dashboard.explore.figures.thresholds")
    loaded = subprocess.run([sys.executable, "-c", check], cwd=TOP, capture_output=True, text=True, check=True)
    assert "streamlit" not in loaded.stdout.split()
