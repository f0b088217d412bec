"""Pictures of a quality report: landscape, curves, and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.audit.quality_facts import (
    LandscapeRows,
    QualityFacts,
    VersionFacts,
    ends,
    says_nothing,
    score,
    score_name,
    signed,
)
from core.explore.landscape import Landscape, split_curve
from core.explore.regions import REGION_LABELS
from core.metrics import METRICS, SIMILARITY_TOLERANCE, SimilaritySweep
from core.pictures import (
    ACCENT,
    BACKGROUND,
    CORE,
    CORE_EDGE,
    ELLIPSOID,
    FAINT,
    HULL,
    NOT_RELEVANT,
    PLAIN,
    RELEVANT,
    SMALL,
    TEXT,
    Area,
    AxisScale,
    Dots,
    Path,
    Place,
    Shape,
    TextShape,
    VectorPicture,
    area_of,
    bottom_axis,
    frame,
    left_axis,
    width_of,
    with_halo,
)
from core.report import Figure
from core.stats import Interval
from core.text import cut_to, listed, many
from core.types import Floats, Mask, Points, RegionKind

# Core recall, semantic precision and F-beta by similarity threshold, as a printable picture.

CURVES_WIDTH, CURVES_HEIGHT = 760.0, 360.0
LEFT, RIGHT, CURVES_TOP, BOTTOM = 48.0, 744.0, 56.0, 272.0
MOST_POINTS = 240
LINES: tuple[tuple[str, str, float | None, float], ...] = (
    ("decay", FAINT, 2.0, 1.3),
    ("core_accepted", CORE, None, 1.6),
    ("semantic_precision", RELEVANT, 6.0, 1.6),
    ("f_beta", TEXT, None, 2.6),
)
"""Score, colour, dash and width; the last is drawn on top."""


def curve_of(version: VersionFacts) -> SimilaritySweep | None:
    """Score every split of the retrieved publications; None: none of them has a vector."""
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
    """Draw the scores by similarity threshold; None: there is no curve to draw."""
    curve = curve_of(version)
    cosine = version.evaluation.regions.get("cosine")
    if curve is None or cosine is None or cosine.f_beta is None:
        return None
    name = score_name(version.evaluation.settings.beta)
    at = cosine.defines.get("min_similarity")
    current = float(at) if isinstance(at, int | float) and np.isfinite(at) else None
    x = thresholds(curve, current)
    caption = (
        f"Scores of “{version.label}” by Cosine over the similarity threshold, stricter to the right. Core accepted "
        "is the share of the core publications that are found and reach the threshold. The vertical line is the "
        "threshold used in this report."
    )
    picture = VectorPicture(CURVES_WIDTH, CURVES_HEIGHT, tuple(_shapes(curve, x, current, f"{name} with decay")))
    return Figure(f"curve-{version.number}", caption, _alternative(curve, x, current, name), picture)


def thresholds(curve: SimilaritySweep, current: float | None) -> Floats:
    """Select the thresholds to draw: the lowest, the highest, the current one, and an even selection of the others."""
    distinct = np.unique(curve.min_similarity[np.isfinite(curve.min_similarity)])
    if len(distinct) > MOST_POINTS:
        top = float(curve.min_similarity[int(np.argmax(curve.f_beta[:-1]))])
        distinct = distinct[np.linspace(0, len(distinct) - 1, MOST_POINTS).round().astype(np.intp)]
        distinct = np.append(distinct, top)
    return np.unique(distinct if current is None else np.append(distinct, current))


def _rows_at(curve: SimilaritySweep, x: Floats) -> list[int]:
    """Return the entry for each threshold: the first row that is relevant under it."""
    places = np.searchsorted(curve.min_similarity, x - SIMILARITY_TOLERANCE, side="left")
    return [int(place) for place in places]


def _alternative(curve: SimilaritySweep, x: Floats, current: float | None, name: str) -> str:
    low, high = _rows_at(curve, x[[0, -1]])
    text = (
        f"From a threshold of {score(float(x[0]))} to {score(float(x[-1]))}, core accepted falls from "
        f"{score(float(curve.core_accepted[low]))} to {score(float(curve.core_accepted[high]))}, and {name} with decay "
        f"goes from {score(float(curve.f_beta[low]))} to {score(float(curve.f_beta[high]))}."
    )
    top = int(np.argmax(curve.f_beta[:-1]))
    text += f" It is highest at {score(float(curve.min_similarity[top]))} with {score(float(curve.f_beta[top]))}."
    if current is not None:
        (row,) = _rows_at(curve, np.array([current]))
        text += f" The threshold used is {score(current)}, where it is {score(float(curve.f_beta[row]))}."
    return text


def _shapes(curve: SimilaritySweep, x: Floats, current: float | None, name: str) -> list[Shape]:
    space = 0.02 * float(x[-1] - x[0]) or 0.05
    across = AxisScale(float(x[0]) - space, float(x[-1]) + space, LEFT, RIGHT)
    up = AxisScale(0.0, 1.0, BOTTOM, CURVES_TOP)
    shapes: list[Shape] = [
        *bottom_axis(across, CURVES_TOP, BOTTOM, "Similarity threshold"),
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


def _steps(across: AxisScale, up: AxisScale, x: Floats, values: list[float]) -> tuple[Place, ...]:
    """Trace a step line: between two thresholds, the stricter one applies."""
    places: list[Place] = []
    for at, value in zip(x.tolist(), values, strict=True):
        if places:
            places.append((places[-1][0], up(value)))
        places.append((across(at), up(value)))
    return tuple(places)


def _mark(x: float, y: float, text: str) -> list[Shape]:
    anchored = TextShape(x + 6, CURVES_TOP - 8, text, SMALL, ACCENT)
    area = area_of(anchored)
    if area.x + area.width > RIGHT:
        anchored = TextShape(x - 6, CURVES_TOP - 8, text, SMALL, ACCENT, "end")
    return [
        Path(((x, CURVES_TOP - 16), (x, BOTTOM)), ACCENT, 1.6),
        Dots(((x, y),), 4.0, TEXT, "#ffffff"),
        *with_halo(anchored),
    ]


def _legend(name: str) -> list[Shape]:
    shapes: list[Shape] = []
    x, y = LEFT, CURVES_HEIGHT - 20
    for metric, colour, dash, width in reversed(LINES):
        text = name if metric == "f_beta" else METRICS[metric].label
        shapes.append(Path(((x, y - 4), (x + 26, y - 4)), colour, width, dash=dash))
        shapes.append(TextShape(x + 33, y, text, SMALL, FAINT))
        x += 33 + width_of(text, SMALL) + 22
    return shapes


# Scores of versions with their ranges, and paired differences around zero, as pictures.

INTERVALS_WIDTH, ROW, INTERVALS_TOP, UNDER = 760.0, 26.0, 40.0, 52.0
MOST_ROWS = 40
LONGEST = 26
"""Characters of a label that are drawn."""


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    value: float | None
    interval: Interval | None
    is_full: bool = True
    """False draws a hollow dot: the value is meaningless, or its difference is not clear."""
    why: str = ""
    """The reason shown instead of a value."""


def interval_figures(facts: QualityFacts) -> list[Figure]:
    """Draw core recall and F-beta of every version, and the differences between several versions."""
    name = f"{score_name(facts.versions[0].evaluation.settings.beta)} ({REGION_LABELS[facts.region]})"
    recall = [_Row(v.label, v.evaluation.recall, v.evaluation.recall_interval) for v in facts.versions[:MOST_ROWS]]
    f_beta = [_f_beta(version, facts) for version in facts.versions[:MOST_ROWS]]
    figures = [
        Figure(
            "versions-recall",
            "Core recall of each version, with its 95 % interval.",
            _description(recall),
            _picture(recall, 0.0, 1.0, "Core recall"),
        ),
        Figure(
            "versions-f-beta",
            f"{name} of each version, with its range under other core sets. Hollow: meaningless.",
            _description(f_beta),
            _picture(f_beta, 0.0, 1.0, name),
        ),
    ]
    return figures + _differences(facts, name)


def _f_beta(version: VersionFacts, facts: QualityFacts) -> _Row:
    scores = version.evaluation.regions.get(facts.region)
    if scores is None or scores.f_beta is None:
        return _Row(version.label, None, None, why=scores.status if scores else "not requested")
    sensitivity = version.evaluation.sensitivity.get(facts.region)
    full = scores.degenerate is None
    return _Row(version.label, scores.f_beta, sensitivity.f_beta_range if sensitivity else None, full)


def _differences(facts: QualityFacts, name: str) -> list[Figure]:
    if facts.comparison is None or not facts.comparison.has_ranges:
        return []
    silent = {version.label for version in facts.versions if says_nothing(version, facts.region)}
    rows = [
        _Row(f"{cut_to(d.b, LONGEST)} minus {cut_to(d.a, LONGEST)}", d.difference, d.interval, bool(d.is_clear))
        for d in facts.comparison.differences
        if (d.metric, d.region) == ("f_beta", facts.region) and not {d.a, d.b} & silent and d.difference is not None
    ][:MOST_ROWS]
    if not rows:
        return []
    reach = max(abs(end) for row in rows for end in (row.value or 0.0, *(row.interval or ()))) * 1.08 or 0.1
    caption = f"Differences in {name} over the same resampled core sets. Filled: the range excludes zero."
    picture = _picture(rows, -reach, reach, f"Difference in {name}", zero=True)
    return [Figure("differences-f-beta", caption, _description(rows, is_change=True), picture)]


def _description(rows: list[_Row], *, is_change: bool = False) -> str:
    parts = []
    for row in rows:
        if row.value is None:
            parts.append(f"{row.label}: none ({row.why})")
            continue
        value = signed(row.value) if is_change else score(row.value)
        parts.append(f"{row.label}: {value}" + (f" ({ends(row.interval)})" if row.interval else ", without a range"))
    return "; ".join(parts) + "."


def _picture(rows: list[_Row], low: float, high: float, title: str, *, zero: bool = False) -> VectorPicture:
    left = 24 + max(width_of(cut_to(row.label, 2 * LONGEST), SMALL) for row in rows)
    left = min(max(left, 90.0), 340.0)
    bottom = INTERVALS_TOP + ROW * len(rows)
    across = AxisScale(low, high, left, INTERVALS_WIDTH - 130)
    shapes: list[Shape] = list(bottom_axis(across, INTERVALS_TOP - 12, bottom, title))
    if zero:
        shapes.append(Path(((across(0.0), INTERVALS_TOP - 12), (across(0.0), bottom)), TEXT, 1.2))
    for i, row in enumerate(rows):
        shapes += _row(row, across, INTERVALS_TOP + ROW * (i + 0.5), left, is_change=zero)
    return VectorPicture(INTERVALS_WIDTH, bottom + UNDER, tuple(shapes))


def _row(row: _Row, across: AxisScale, y: float, left: float, *, is_change: bool) -> list[Shape]:
    shapes: list[Shape] = [TextShape(left - 12, y + 4, cut_to(row.label, 2 * LONGEST), SMALL, TEXT, "end")]
    if row.value is None:
        return [*shapes, TextShape(left + 6, y + 4, f"– {cut_to(row.why, 60)}", SMALL, FAINT)]
    if row.interval is not None:
        ends_at = [across(end) for end in row.interval]
        shapes.append(Path(((ends_at[0], y), (ends_at[1], y)), RELEVANT, 2.0))
        shapes += [Path(((x, y - 4), (x, y + 4)), RELEVANT, 2.0) for x in ends_at]
    fill = RELEVANT if row.is_full else BACKGROUND
    shapes.append(Dots(((across(row.value), y),), 5.0, fill, RELEVANT))
    value = signed(row.value) if is_change else score(row.value)
    return [*shapes, TextShape(INTERVALS_WIDTH - 12, y + 4, value, SMALL, TEXT, "end")]


# The landscape of one version as a printable picture.

LANDSCAPE_WIDTH, LANDSCAPE_HEIGHT = 760.0, 560.0
LEGEND = 62.0
"""Space for the legend below the picture."""
SPACE = 16.0
CORE_RADIUS = 4.6
MOST_NAMES = 12
LOOKS: Mapping[RegionKind, tuple[str, float | None]] = {"mvee": (ELLIPSOID, 8.0), "hull": (HULL, None)}
"""Colour and dash of the outlines."""


def landscape_figure(version: VersionFacts, facts: QualityFacts) -> Figure | None:
    """Draw the landscape of a version; None: it has none, or nothing to draw on it."""
    rows = version.rows
    if rows.points is None or not len(rows.points):
        return None
    placed: Mask = np.asarray(np.isfinite(rows.points).all(axis=1), dtype=np.bool_)
    if not placed.any():
        return None
    relevant = rows.masks.get(facts.region)
    caption = (
        f"Landscape of “{version.label}”: each dot is a publication, and nearby ones have similar texts. "
        "Directions and long distances have no meaning."
    )
    picture = VectorPicture(
        LANDSCAPE_WIDTH, LANDSCAPE_HEIGHT, tuple(_landscape_shapes(rows, placed, relevant, facts.region))
    )
    return Figure(f"landscape-{version.number}", caption, _landscape_alternative(version, facts, relevant), picture)


def _landscape_alternative(version: VersionFacts, facts: QualityFacts, relevant: Mask | None) -> str:
    rows = version.rows
    n_found = int(rows.core_mask[: rows.n_retrieved].sum())
    n_missed = len(rows.ids) - rows.n_retrieved
    name = REGION_LABELS[facts.region]
    close = f"{name} is not defined" if relevant is None else f"{int(relevant.sum()):,} of them relevant by {name}"
    text = (
        f"{many(rows.n_retrieved, 'retrieved publication')}, {close}; {many(n_found, 'core publication')} found and "
        f"{n_missed:,} missed."
    )
    if rows.outlines:
        drawn = listed([REGION_LABELS[kind] for kind in LOOKS if kind in rows.outlines])
        text += f" Outlines: {drawn}."
    places = [f"{group.name} ({group.n:,})" for group in rows.groups.named if group.level == 0][:MOST_NAMES]
    return text + (f" Groups of publications: {'; '.join(places)}." if places else "")


def _landscape_shapes(rows: LandscapeRows, placed: Mask, relevant: Mask | None, region: RegionKind) -> list[Shape]:
    ground = Area(1, 1, LANDSCAPE_WIDTH - 2, LANDSCAPE_HEIGHT - LEGEND)
    to_place = _fit(rows, placed, ground)
    accepted = np.zeros(len(rows.ids), dtype=np.bool_)
    if relevant is not None:
        accepted[: rows.n_retrieved] = relevant
    retrieved = np.arange(len(rows.ids)) < rows.n_retrieved
    shapes: list[Shape] = [frame(ground)]
    radius = 2.8 if len(rows.ids) < 1500 else 2.0 if len(rows.ids) < 6000 else 1.4
    step = 0.1 if len(rows.ids) < 5000 else 1.0
    xy = to_place(rows.points if rows.points is not None else np.zeros((0, 2)))
    for mask, colour in ((~accepted, NOT_RELEVANT), (accepted, RELEVANT)):
        places = _places(xy[placed & retrieved & ~rows.core_mask & mask], step)
        shapes.append(Dots(places, radius, colour, opacity=0.75))
    for kind, (colour, dash) in LOOKS.items():
        if kind in rows.outlines:
            line = _places(to_place(rows.outlines[kind]), 0.1, once=False)
            shapes.append(Path(line, colour, 1.6, is_closed=True, dash=dash))
    core = placed & rows.core_mask
    shapes.append(Dots(_places(xy[core & ~retrieved], 0.1), CORE_RADIUS, BACKGROUND, CORE))
    shapes.append(Dots(_places(xy[core & retrieved & ~accepted], 0.1), CORE_RADIUS, CORE, BACKGROUND))
    shapes.append(Dots(_places(xy[core & retrieved & accepted], 0.1), CORE_RADIUS, CORE, CORE_EDGE))
    shapes += _names(rows, to_place, ground)
    return [*shapes, *_landscape_legend(rows, region, ground)]


class _Fit:
    """A mapping from the landscape to the picture, with the same scale in both directions."""

    def __init__(self, low: Floats, high: Floats, ground: Area) -> None:
        room = np.array([ground.width, ground.height]) - 2 * SPACE
        extent = np.maximum(high - low, 1e-9)
        self._scale = float((room / extent).min())
        self._middle = (low + high) / 2
        self._at = np.array([ground.x + ground.width / 2, ground.y + ground.height / 2])

    def __call__(self, points: Points) -> Points:
        """Map points to the picture; the upward direction of the landscape stays upward."""
        places: Points = self._at + (points - self._middle) * self._scale * np.array([1.0, -1.0])
        return places


def _fit(rows: LandscapeRows, placed: Mask, ground: Area) -> _Fit:
    seen = [(rows.points if rows.points is not None else np.zeros((0, 2)))[placed]]
    seen += [outline for kind, outline in rows.outlines.items() if kind in LOOKS]
    everything = np.concatenate(seen)
    return _Fit(everything.min(axis=0), everything.max(axis=0), ground)


def _places(xy: Points, step: float, *, once: bool = True) -> tuple[Place, ...]:
    """Round coordinates, so that dots that would hide each other are drawn once."""
    places = [(round(round(x / step) * step, 1), round(round(y / step) * step, 1)) for x, y in xy.tolist()]
    return tuple(dict.fromkeys(places)) if once else tuple(places)


def _names(rows: LandscapeRows, to_place: _Fit, ground: Area) -> list[Shape]:
    """Label the largest groups, largest first, and skip names that would overlap."""
    taken: list[Area] = []
    shapes: list[Shape] = []
    for group in sorted((g for g in rows.groups.named if g.level == 0), key=lambda g: (-g.n, g.name))[:MOST_NAMES]:
        ((x, y),) = to_place(np.array([[group.x, group.y]])).tolist()
        half = width_of(group.name, PLAIN) / 2
        x = min(max(x, ground.x + half + 4), ground.x + ground.width - half - 4)
        words = TextShape(round(x, 1), round(y, 1), group.name, PLAIN, TEXT, "middle", is_bold=True)
        area = area_of(words)
        if not any(area.meets(other) for other in taken):
            taken.append(area)
            shapes += with_halo(words)
    return shapes


def _landscape_legend(rows: LandscapeRows, region: RegionKind, ground: Area) -> list[Shape]:
    y = ground.y + ground.height + 22
    dots: list[tuple[Dots, str]] = [
        (Dots(((0, 0),), 4, NOT_RELEVANT), "other retrieved"),
        (Dots(((0, 0),), 4, RELEVANT), f"relevant by {REGION_LABELS[region]}"),
        (Dots(((0, 0),), CORE_RADIUS, CORE, CORE_EDGE), "core, found and accepted"),
        (Dots(((0, 0),), CORE_RADIUS, CORE, BACKGROUND), "core, found, not accepted"),
        (Dots(((0, 0),), CORE_RADIUS, BACKGROUND, CORE), "core, missed"),
    ]
    shapes: list[Shape] = []
    x = 8.0
    for dot, text in dots:
        shapes.append(Dots(((x + 5, y - 4),), dot.radius, dot.fill, dot.line))
        shapes.append(TextShape(x + 15, y, text, SMALL, FAINT))
        x += 15 + width_of(text, SMALL) + 16
    return [*shapes, *_line_legend([kind for kind in LOOKS if kind in rows.outlines], y + 22)]


def _line_legend(kinds: Sequence[RegionKind], y: float) -> list[Shape]:
    shapes: list[Shape] = []
    x = 8.0
    for kind in kinds:
        colour, dash = LOOKS[kind]
        shapes.append(Path(((x, y - 4), (x + 26, y - 4)), colour, 1.6, dash=dash))
        shapes.append(TextShape(x + 33, y, REGION_LABELS[kind], SMALL, FAINT))
        x += 33 + width_of(REGION_LABELS[kind], SMALL) + 16
    return shapes
