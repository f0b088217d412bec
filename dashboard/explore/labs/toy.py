"""Lab: LitQEval's toy. The same points under cosine, ellipsoid, hull and cluster; core publications can be moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from core.explore.labs import N_TOY_CORE, Toy, ToyArea, cluster_area, cosine_area, ellipsoid_area, hull_area, scatter
from core.explore.regions import REGIONS
from core.explore.scene import UndefinedRegion
from core.types import Mask, Points, RegionKind
from dashboard.explore.labs.bench import (
    Axis,
    Chart,
    Lab,
    LabBench,
    LabChoice,
    LabNumber,
    LabShape,
    Series,
    Slider,
    Values,
    points_of,
)
from dashboard.kit.theme import DASHES, Role

N_SHUFFLES = 12
FOUND = Slider(
    "found",
    "Core publications found",
    "How many of the 10 the query retrieved. Ellipsoid, hull and cluster are fitted on these; cosine knows them all.",
    min=1,
    max=N_TOY_CORE,
    step=1,
    value=N_TOY_CORE,
)
SHARE = Slider(
    "share",
    "Core share",
    "A cluster must hold more than this share of the found core publications, or the previous split is used.",
    min=0.4,
    max=0.95,
    step=0.05,
    value=0.7,
)
SHUFFLE = LabChoice(
    "seed",
    "Shuffle",
    "Other publications and core publications, with another seed. Undoes moves.",
    options=(("0", "As in LitQEval (seed 0)"), *((str(seed), f"Seed {seed}") for seed in range(1, N_SHUFFLES + 1))),
    value="0",
    resets_points=True,
)
PLANES: tuple[RegionKind, ...] = ("cosine", "mvee", "hull", "cluster")
SIDE = Axis("first coordinate", 0.0, 1.0, digits=1)


def toy_at(values: Values) -> Toy:
    toy = scatter(int(values["seed"]))
    if "points" not in values:
        return toy
    moved = np.array(points_of(str(values["points"]), N_TOY_CORE))
    return replace(toy, core=moved.clip(0.0, 1.0))


def areas_of(toy: Toy, n_found: int, min_core_share: float) -> dict[str, ToyArea | UndefinedRegion]:
    found = toy.core[:n_found]
    fits: dict[str, Callable[[], ToyArea | UndefinedRegion]] = {
        "cosine": lambda: cosine_area(toy, found),
        "mvee": lambda: ellipsoid_area(toy, found),
        "hull": lambda: hull_area(toy, found),
        "cluster": lambda: cluster_area(toy, found, min_core_share=min_core_share),
    }
    return {name: fit() for name, fit in fits.items()}


def bench(material: None, values: Values) -> LabBench:
    toy, n_found = toy_at(values), int(values["found"])
    areas = areas_of(toy, n_found, float(values["share"]))
    return LabBench(
        charts=[_chart(kind, toy, n_found, areas[kind]) for kind in PLANES],
        numbers=[_number(kind, areas[kind]) for kind in PLANES],
        sentence=_sentence(areas),
        columns=("Region", "Relevant", "of", "Share", "Core accepted", "of found", "Defined by"),
        rows=[_row(REGIONS[kind].label, toy, n_found, areas[kind]) for kind in PLANES],
    )


def _words(area: ToyArea) -> str:
    mask = area.relevant_mask
    return f"{int(mask.sum())} of {len(mask)} ({100 * mask.mean():.0f} %)"


def _number(kind: RegionKind, area: ToyArea | UndefinedRegion) -> LabNumber:
    label, role = REGIONS[kind].label, REGIONS[kind].outline_role
    if isinstance(area, UndefinedRegion):
        return LabNumber(label, "–", area.reason, role)
    return LabNumber(label, _words(area), area.degenerate or area.says, role)


def _row(label: str, toy: Toy, n_found: int, area: ToyArea | UndefinedRegion) -> list[float | int | str | None]:
    n = len(toy.publications)
    if isinstance(area, UndefinedRegion):
        return [label, None, n, None, None, n_found, area.reason]
    n_relevant = int(area.relevant_mask.sum())
    return [label, n_relevant, n, n_relevant / n, int(area.accepted_core_mask.sum()), n_found, area.says]


def _chart(kind: RegionKind, toy: Toy, n_found: int, area: ToyArea | UndefinedRegion) -> Chart:
    label, role = REGIONS[kind].label, REGIONS[kind].outline_role
    relevant, accepted = np.zeros(len(toy.publications), dtype=bool), np.zeros(n_found, dtype=bool)
    outlines: tuple[LabShape, ...] = ()
    if isinstance(area, UndefinedRegion):
        title = f"{label}: {area.reason}"
    else:
        title = f"{label}: {_words(area)} relevant"
        relevant, accepted = area.relevant_mask, area.accepted_core_mask
        dash = DASHES[role].canvas if role in DASHES else ()
        outlines = (LabShape("", role, area.outline[:, 0], area.outline[:, 1], dash=dash, filled=True),)
    return Chart(
        id=kind,
        title=title,
        x=SIDE,
        y=replace(SIDE, label="second coordinate"),
        series=[*_publications(toy.publications, relevant), *_core(toy.core, n_found, accepted)],
        shapes=outlines,
        square=True,
        height=340,
        legend=kind == PLANES[0],
        description=f"{title}. {n_found} of {N_TOY_CORE} core publications are found; "
        "each can be moved with arrow keys.",
    )


def _publications(points: Points, relevant: Mask) -> list[Series]:
    kinds: list[tuple[str, Role, Mask]] = [
        ("not relevant", "not_relevant", ~relevant),
        ("relevant", "relevant", relevant),
    ]
    return [
        Series(kind="dots", label=label, role=role, x=points[mask, 0], y=points[mask, 1], width=2.5)
        for label, role, mask in kinds
    ]


def _core(core: Points, n_found: int, accepted: Mask) -> list[Series]:
    """Return core publications in three kinds, each with its number, because its kind can change during a movement."""
    found = np.arange(len(core)) < n_found
    inside = found.copy()
    inside[:n_found] = accepted
    kinds: list[tuple[str, Mask, dict[str, Any]]] = [
        ("core accepted", inside, {"edge": "core_edge"}),
        ("core found", found & ~inside, {}),
        ("core missed", ~found, {"hollow": True}),
    ]
    return [
        Series(
            kind="dots",
            label=label,
            role="core",
            x=core[mask, 0],
            y=core[mask, 1],
            width=5,
            draggable=True,
            numbers=np.flatnonzero(mask).tolist(),
            names=[f"Core publication {number + 1}" for number in np.flatnonzero(mask)],
            **look,
        )
        for label, mask, look in kinds
    ]


def _sentence(areas: dict[str, ToyArea | UndefinedRegion]) -> str:
    shares = {kind: area.relevant_mask.mean() for kind, area in areas.items() if isinstance(area, ToyArea)}
    if "cosine" not in shares or "mvee" not in shares:
        lacking = next(area.reason for area in areas.values() if isinstance(area, UndefinedRegion))
        return f"Not every region can be drawn here: {lacking}."
    if shares["cosine"] == shares["mvee"]:
        return (
            f"Cosine and ellipsoid both accept {100 * shares['mvee']:.0f} % here, though cosine uses only the "
            "direction from the origin and the ellipsoid the position."
        )
    wider, narrower = ("cosine", "ellipsoid") if shares["cosine"] >= shares["mvee"] else ("ellipsoid", "cosine")
    return (
        f"The same core publications, yet the {wider} accepts {100 * max(shares['cosine'], shares['mvee']):.0f} % "
        f"and the {narrower} {100 * min(shares['cosine'], shares['mvee']):.0f} %: cosine uses only the direction "
        "from the origin, the other regions the position."
    )


LAB = Lab(
    id="toy",
    title="Toy on the plane",
    explanation="200 publications and 10 core publications on a plane: each region decides in its own way which of "
    "the 200 are relevant.\nDrag a core publication, or move it with the arrow keys, and watch the "
    "regions change.",
    controls=lambda material: (FOUND, SHARE, SHUFFLE),
    bench=bench,
    reference="LitQEval's first figures: cosine 48 %, ellipsoid 25 %.",
)
