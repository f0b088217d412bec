"""Core recall, semantic precision and F-beta over the similarity threshold, as a picture that can be printed."""

from __future__ import annotations

import numpy as np

from core.audit.document import Figure
from core.audit.pictures.axes import SMALL, Scale, area_of, bottom_axis, left_axis, width_of, with_halo
from core.audit.pictures.colours import ACCENT, CORE, FAINT, RELEVANT, TEXT
from core.audit.pictures.shapes import Dots, Path, Picture, Place, Shape, Words
from core.audit.quality.types import VersionFacts
from core.audit.quality.wording import score, score_name
from core.landscape import Landscape, split_curve
from core.metrics import METRICS
from core.sweep import SIMILARITY_TOLERANCE, SimilaritySweep
from core.types import Floats

WIDTH, HEIGHT = 760.0, 360.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 744.0, 56.0, 272.0
MOST_POINTS = 240
LINES: tuple[tuple[str, str, float | None, float], ...] = (
    ("decay", FAINT, 2.0, 1.3),
    ("recall", CORE, None, 1.6),
    ("semantic_precision", RELEVANT, 6.0, 1.6),
    ("f_beta", TEXT, None, 2.6),
)
"""Score, colour, dash and width; the last lies on top."""


def curve_of(version: VersionFacts) -> SimilaritySweep | None:
    """Scores of every split of the retrieved publications; None: none of them has a vector."""
    rows, found = version.rows, version.evaluation
    if not rows.n_retrieved:
        return None
    laid_out = Landscape(
        ids=rows.ids,
        n_retrieved=rows.n_retrieved,
        n_core=len(found.core_ids),
        order=np.arange(rows.n_retrieved),
        similarities=rows.similarities,
        points=None,
        core_mask=rows.core_mask,
    )
    return split_curve(laid_out, found.settings)


def curve_figure(version: VersionFacts) -> Figure | None:
    """None: there is nothing to draw a curve of."""
    curve = curve_of(version)
    cosine = version.evaluation.regions.get("cosine")
    if curve is None or cosine is None or cosine.f_beta is None:
        return None
    name = score_name(version.evaluation.settings.beta)
    at = cosine.defines.get("min_similarity")
    current = float(at) if isinstance(at, int | float) and np.isfinite(at) else None
    x = thresholds(curve, current)
    caption = (
        f"Scores of “{version.label}” by Cosine over the similarity threshold, stricter to the right. Core recall "
        "counts here only core publications that the threshold accepts. The upright line is the threshold that the "
        "report uses."
    )
    picture = Picture(WIDTH, HEIGHT, tuple(_shapes(curve, x, current, f"{name} with decay")))
    return Figure(f"curve-{version.number}", caption, _alternative(curve, x, current, name), picture)


def thresholds(curve: SimilaritySweep, current: float | None) -> Floats:
    """Those that are drawn: the lowest, the highest, the one that is set, and some evenly among the others."""
    distinct = np.unique(curve.min_similarity[np.isfinite(curve.min_similarity)])
    if len(distinct) > MOST_POINTS:
        top = float(curve.min_similarity[int(np.argmax(curve.f_beta[:-1]))])
        distinct = distinct[np.linspace(0, len(distinct) - 1, MOST_POINTS).round().astype(np.intp)]
        distinct = np.append(distinct, top)
    return np.unique(distinct if current is None else np.append(distinct, current))


def _rows_at(curve: SimilaritySweep, x: Floats) -> list[int]:
    """Which entry each threshold stands for: the first row that is relevant under it."""
    places = np.searchsorted(curve.min_similarity, x - SIMILARITY_TOLERANCE, side="left")
    return [int(place) for place in places]


def _alternative(curve: SimilaritySweep, x: Floats, current: float | None, name: str) -> str:
    low, high = _rows_at(curve, x[[0, -1]])
    said = (
        f"From a threshold of {score(float(x[0]))} to {score(float(x[-1]))}, core recall falls from "
        f"{score(float(curve.recall[low]))} to {score(float(curve.recall[high]))}, and {name} with decay goes from "
        f"{score(float(curve.f_beta[low]))} to {score(float(curve.f_beta[high]))}."
    )
    top = int(np.argmax(curve.f_beta[:-1]))
    said += f" It is highest at {score(float(curve.min_similarity[top]))} with {score(float(curve.f_beta[top]))}."
    if current is not None:
        (row,) = _rows_at(curve, np.array([current]))
        said += f" The threshold used is {score(current)}, where it is {score(float(curve.f_beta[row]))}."
    return said


def _shapes(curve: SimilaritySweep, x: Floats, current: float | None, name: str) -> list[Shape]:
    space = 0.02 * float(x[-1] - x[0]) or 0.05
    across = Scale(float(x[0]) - space, float(x[-1]) + space, LEFT, RIGHT)
    up = Scale(0.0, 1.0, BOTTOM, TOP)
    shapes: list[Shape] = [
        *bottom_axis(across, TOP, BOTTOM, "Similarity threshold"),
        *left_axis(up, LEFT, RIGHT, "Score"),
    ]
    rows = _rows_at(curve, x)
    for metric, colour, dash, width in LINES:
        values = getattr(curve, metric)[rows].tolist()
        shapes.append(Path(_steps(across, up, x, values), colour, width, dash=dash))
    if current is not None:
        (row,) = _rows_at(curve, np.array([current]))
        shapes += _mark(across(current), up(float(curve.f_beta[row])), f"threshold used {score(current)}")
    return [*shapes, *_legend(name)]


def _steps(across: Scale, up: Scale, x: Floats, values: list[float]) -> tuple[Place, ...]:
    """Between two thresholds the stricter one decides, so a line steps before it runs on."""
    places: list[Place] = []
    for at, value in zip(x.tolist(), values, strict=True):
        if places:
            places.append((places[-1][0], up(value)))
        places.append((across(at), up(value)))
    return tuple(places)


def _mark(x: float, y: float, text: str) -> list[Shape]:
    """The threshold that is used; its words lie on the side that has room."""
    anchored = Words(x + 6, TOP - 8, text, SMALL, ACCENT)
    area = area_of(anchored)
    if area.x + area.width > RIGHT:
        anchored = Words(x - 6, TOP - 8, text, SMALL, ACCENT, "end")
    return [
        Path(((x, TOP - 16), (x, BOTTOM)), ACCENT, 1.6),
        Dots(((x, y),), 4.0, TEXT, "#ffffff"),
        *with_halo(anchored),
    ]


def _legend(name: str) -> list[Shape]:
    shapes: list[Shape] = []
    x, y = LEFT, HEIGHT - 20
    for metric, colour, dash, width in reversed(LINES):
        text = name if metric == "f_beta" else METRICS[metric].label
        shapes.append(Path(((x, y - 4), (x + 26, y - 4)), colour, width, dash=dash))
        shapes.append(Words(x + 33, y, text, SMALL, FAINT))
        x += 33 + width_of(text, SMALL) + 22
    return shapes
