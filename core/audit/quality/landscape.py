"""The landscape of one version as a picture that can be printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.audit.document import Figure
from core.audit.pictures.axes import PLAIN, SMALL, Area, area_of, frame, width_of, with_halo
from core.audit.pictures.colours import (
    BACKGROUND,
    CORE,
    CORE_EDGE,
    ELLIPSOID,
    FAINT,
    HULL,
    NOT_RELEVANT,
    RELEVANT,
    TEXT,
)
from core.audit.pictures.shapes import Dots, Path, Picture, Place, Shape, Words
from core.audit.quality.types import QualityFacts, Rows, VersionFacts
from core.audit.quality.wording import many
from core.comparing.compare import REGION_LABELS
from core.text import listed
from core.types import Floats, Mask, Points, RegionKind

WIDTH, HEIGHT = 760.0, 560.0
LEGEND = 62.0
"""Room for the legend under the picture."""
SPACE = 16.0
CORE_RADIUS = 4.6
MOST_NAMES = 12
LOOKS: Mapping[RegionKind, tuple[str, float | None]] = {"mvee": (ELLIPSOID, 8.0), "hull": (HULL, None)}
"""Colour and dash of the outlines."""


def landscape_figure(version: VersionFacts, facts: QualityFacts) -> Figure | None:
    """None: the version has no landscape, or nothing that could be drawn on it."""
    rows = version.rows
    if rows.points is None or not len(rows.points):
        return None
    placed: Mask = np.asarray(np.isfinite(rows.points).all(axis=1), dtype=np.bool_)
    if not placed.any():
        return None
    relevant = rows.masks.get(facts.region)
    caption = (
        f"Landscape of “{version.label}”: each dot is a publication, and near ones are alike by their texts. "
        "Directions and distances between far ones mean nothing."
    )
    picture = Picture(WIDTH, HEIGHT, tuple(_shapes(rows, placed, relevant, facts.region)))
    return Figure(f"landscape-{version.number}", caption, _alternative(version, facts, relevant), picture)


def _alternative(version: VersionFacts, facts: QualityFacts, relevant: Mask | None) -> str:
    rows = version.rows
    n_found = int(rows.core_mask[: rows.n_retrieved].sum())
    n_missed = len(rows.ids) - rows.n_retrieved
    name = REGION_LABELS[facts.region]
    close = f"{name} is not defined" if relevant is None else f"{int(relevant.sum()):,} of them relevant by {name}"
    said = (
        f"{many(rows.n_retrieved, 'retrieved publication')}, {close}; {many(n_found, 'core publication')} found and "
        f"{n_missed:,} missed."
    )
    if rows.outlines:
        drawn = listed([REGION_LABELS[kind] for kind in LOOKS if kind in rows.outlines])
        said += f" Outlines: {drawn}."
    places = [f"{group.name} ({group.n:,})" for group in rows.groups.named if group.level == 0][:MOST_NAMES]
    return said + (f" Where publications gather: {'; '.join(places)}." if places else "")


def _shapes(rows: Rows, placed: Mask, relevant: Mask | None, region: RegionKind) -> list[Shape]:
    ground = Area(1, 1, WIDTH - 2, HEIGHT - LEGEND)
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
    return [*shapes, *_legend(rows, region, ground)]


class _Fit:
    """Keeps the shape of the landscape: the same scale across and down."""

    def __init__(self, low: Floats, high: Floats, ground: Area) -> None:
        room = np.array([ground.width, ground.height]) - 2 * SPACE
        extent = np.maximum(high - low, 1e-9)
        self._scale = float((room / extent).min())
        self._middle = (low + high) / 2
        self._at = np.array([ground.x + ground.width / 2, ground.y + ground.height / 2])

    def __call__(self, points: Points) -> Points:
        """Places, with what is up on the landscape up in the picture."""
        places: Points = self._at + (points - self._middle) * self._scale * np.array([1.0, -1.0])
        return places


def _fit(rows: Rows, placed: Mask, ground: Area) -> _Fit:
    seen = [(rows.points if rows.points is not None else np.zeros((0, 2)))[placed]]
    seen += [outline for kind, outline in rows.outlines.items() if kind in LOOKS]
    everything = np.concatenate(seen)
    return _Fit(everything.min(axis=0), everything.max(axis=0), ground)


def _places(xy: Points, step: float, *, once: bool = True) -> tuple[Place, ...]:
    """Rounded, so that dots that would hide each other are drawn once."""
    places = [(round(round(x / step) * step, 1), round(round(y / step) * step, 1)) for x, y in xy.tolist()]
    return tuple(dict.fromkeys(places)) if once else tuple(places)


def _names(rows: Rows, to_place: _Fit, ground: Area) -> list[Shape]:
    """The names of the widest gatherings, the largest first; one that would meet another is left out."""
    taken: list[Area] = []
    shapes: list[Shape] = []
    for group in sorted((g for g in rows.groups.named if g.level == 0), key=lambda g: (-g.n, g.name))[:MOST_NAMES]:
        ((x, y),) = to_place(np.array([[group.x, group.y]])).tolist()
        half = width_of(group.name, PLAIN) / 2
        x = min(max(x, ground.x + half + 4), ground.x + ground.width - half - 4)
        words = Words(round(x, 1), round(y, 1), group.name, PLAIN, TEXT, "middle", is_bold=True)
        area = area_of(words)
        if not any(area.meets(other) for other in taken):
            taken.append(area)
            shapes += with_halo(words)
    return shapes


def _legend(rows: Rows, region: RegionKind, ground: Area) -> list[Shape]:
    """Two lines: dots, then outlines."""
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
        shapes.append(Words(x + 15, y, text, SMALL, FAINT))
        x += 15 + width_of(text, SMALL) + 16
    return [*shapes, *_line_legend([kind for kind in LOOKS if kind in rows.outlines], y + 22)]


def _line_legend(kinds: Sequence[RegionKind], y: float) -> list[Shape]:
    shapes: list[Shape] = []
    x = 8.0
    for kind in kinds:
        colour, dash = LOOKS[kind]
        shapes.append(Path(((x, y - 4), (x + 26, y - 4)), colour, 1.6, dash=dash))
        shapes.append(Words(x + 33, y, REGION_LABELS[kind], SMALL, FAINT))
        x += 33 + width_of(REGION_LABELS[kind], SMALL) + 16
    return shapes
