"""The lab of projections: several layouts of the same publications, and the decisions that flip between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.errors import InputError
from core.explore.labs import LAYOUTS, OUTLINED, LabTopic, LayoutArea, Layouts, Outlined
from core.explore.regions import REGIONS
from core.types import Floats, Mask, Points
from dashboard.controls import CONTROLS
from dashboard.explore.labs.bench import (
    Axis,
    Chart,
    Lab,
    LabBench,
    LabChoice,
    LabMark,
    LabNumber,
    LabShape,
    Series,
    Slider,
    Values,
)
from dashboard.explore.labs.controls import LabTopics, listed, score, topic_choice, topic_from
from dashboard.kit.theme import DASHES
from data.explore.labs import WorkspaceLayouts

AREA_NAMES: dict[Outlined, str] = {"mvee": "ellipsoid", "hull": "hull"}
OPTIONS = tuple((name, label) for name, (label, _) in LAYOUTS.items())
LABELS = dict(OPTIONS)


class LayoutSource(LabTopics, Protocol):
    def layouts(self, topic: LabTopic) -> Layouts | None:
        """Return the layouts of a version; None while they are being computed."""


@dataclass(frozen=True, eq=False)
class _Pair:
    layouts: Layouts
    kind: Outlined
    left: str
    right: str
    cosine: Mask

    def area(self, name: str) -> LayoutArea:
        return self.layouts.areas[name, self.kind]

    def flips(self, name: str, against: Mask) -> int:
        return int(np.count_nonzero(self.area(name).relevant_mask != against))

    @property
    def between(self) -> Mask:
        """Publications on which the two layouts disagree."""
        flipped: Mask = self.area(self.left).relevant_mask ^ self.area(self.right).relevant_mask
        return flipped

    def share(self, mask: Mask) -> float:
        """Return the share of a mask in the retrieved publications that were projected."""
        return float(mask.mean()) if len(mask) else 0.0


def controls(material: LayoutSource | None) -> tuple[Slider | LabChoice, ...]:
    quantile = CONTROLS["quantile"]
    areas = tuple((kind, AREA_NAMES[kind].capitalize()) for kind in OUTLINED)
    return (
        LabChoice("layout", "Layout", "The layout on the left.", OPTIONS, "neighbours-5"),
        LabChoice("against", "Compared with", "The layout on the right, of the same publications.", OPTIONS, "default"),
        LabChoice("area", "Relevant inside the", "Fitted around the found core publications.", areas, "mvee"),
        Slider(
            "quantile",
            "Cosine: core outside",
            f"For the decision without any layout. {quantile['help']}",
            quantile["min"],
            0.5,
            quantile["step"],
            0.0,
        ),
        topic_choice(material),
    )


def bench(material: LayoutSource | None, values: Values) -> LabBench:
    topic = topic_from(material, values)
    layouts = material.layouts(topic) if material else None
    if layouts is None:
        raise InputError(f"Computing {len(LAYOUTS)} layouts of {topic.name}; they appear when ready")
    kind: Outlined = "hull" if values["area"] == "hull" else "mvee"
    cosine = layouts.cosine_mask(float(values["quantile"]))
    pair = _Pair(layouts, kind, str(values["layout"]), str(values["against"]), cosine)
    return LabBench(
        charts=(
            _layout_chart("layout", pair, pair.left),
            _layout_chart("against", pair, pair.right),
            _share_chart(pair),
            _trust_chart(pair),
        ),
        numbers=_numbers(pair),
        sentence=_sentence(pair),
        columns=(
            *("Layout", "Trustworthiness", "Continuity", "Share in ellipsoid", "Share in hull"),
            *(f"Flips against {LABELS[pair.right]}", "Flips against cosine"),
        ),
        rows=_rows(pair),
    )


def _layout_chart(chart_id: str, pair: _Pair, name: str) -> Chart:
    layouts, area = pair.layouts, pair.area(name)
    points = layouts.layouts[name].points
    retrieved, is_core = points[: layouts.n], np.zeros(layouts.n, dtype=np.bool_)
    is_core[layouts.scene.found_rows] = True
    flips = pair.between & ~is_core
    relevant = area.relevant_mask & ~is_core & ~flips
    groups = (
        ("Not relevant", retrieved[~area.relevant_mask & ~is_core & ~flips]),
        ("Relevant", retrieved[relevant]),
        ("Decided differently on the other", retrieved[flips]),
        ("Core found", retrieved[is_core]),
        ("Core missed", points[layouts.n :]),
    )
    drawn = np.concatenate([points, area.outline]) if area.outline is not None else points
    x, y = _square(drawn)
    share, n_flips = pair.share(area.relevant_mask), int(pair.between.sum())
    return Chart(
        id=chart_id,
        title=f"{LABELS[name]}: {share:.0%} in the {AREA_NAMES[pair.kind]}",
        x=x,
        y=y,
        series=tuple(_dots(label, some) for label, some in groups if len(some)),
        shapes=_outline(pair, area),
        square=True,
        height=400,
        description=(
            f"{layouts.n:,} publications laid out by {LABELS[name]}, with the {AREA_NAMES[pair.kind]} around the found "
            f"core publications; {int(area.relevant_mask.sum()):,} lie in it. Crosses: {n_flips:,} that the other "
            "layout decides otherwise."
        ),
    )


def _dots(label: str, points: Points) -> Series:
    x, y = listed(points[:, 0]), listed(points[:, 1])
    if label == "Decided differently on the other":
        return Series("dots", label, "text", x, y, width=4, cross=True)
    if label == "Core found":
        return Series("dots", label, "core", x, y, width=4.5, edge="core_edge")
    if label == "Core missed":
        return Series("dots", label, "core", x, y, width=4.5, hollow=True)
    return Series("dots", label, "relevant" if label == "Relevant" else "not_relevant", x, y, width=2.6)


def _outline(pair: _Pair, area: LayoutArea) -> tuple[LabShape, ...]:
    if area.outline is None:
        return ()
    role = REGIONS[pair.kind].outline_role
    name = AREA_NAMES[pair.kind].capitalize()
    return (LabShape(name, role, listed(area.outline[:, 0]), listed(area.outline[:, 1]), DASHES[role].canvas),)


def _square(points: Points) -> tuple[Axis, Axis]:
    """Return axes of equal length around everything drawn."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, 0.54 * float(max((high - low).max(), 1e-9))
    first, second = (float(at) for at in middle)
    return (
        Axis("First coordinate (no unit)", first - half, first + half, digits=1),
        Axis("Second coordinate (no unit)", second - half, second + half, digits=1),
    )


def _lines(pair: _Pair) -> tuple[list[str], Floats, Axis]:
    names = list(pair.layouts.layouts)[::-1]
    axis = Axis("", -0.5, len(names) - 0.5, names=tuple(LABELS[name] for name in names))
    return names, np.arange(len(names), dtype=np.float64), axis


def _share_chart(pair: _Pair) -> Chart:
    names, places, axis = _lines(pair)
    shares = {
        kind: np.array([pair.share(pair.layouts.areas[name, kind].relevant_mask) for name in names])
        for kind in OUTLINED
    }
    cosine = pair.share(pair.cosine)
    own = shares[pair.kind]
    return Chart(
        id="shares",
        title=f"Called relevant in the {AREA_NAMES[pair.kind]}: from {own.min():.0%} to {own.max():.0%}",
        x=Axis("Share of the publications that is relevant, 0 to 1", 0, 1),
        y=axis,
        series=tuple(
            Series(
                "dots",
                AREA_NAMES[kind].capitalize(),
                REGIONS[kind].outline_role,
                listed(shares[kind]),
                listed(places),
                width=5 if kind == pair.kind else 4,
                hollow=kind == "hull",
            )
            for kind in OUTLINED
        ),
        marks=(LabMark("x", cosine, f"cosine {cosine:.2f}", "relevant"),),
        height=320,
        description="Share of the publications in the ellipsoid and in the hull of each layout: "
        + "; ".join(
            f"{LABELS[name]} {shares['mvee'][i]:.2f} and {shares['hull'][i]:.2f}" for i, name in enumerate(names)
        )
        + f". Cosine in the embedding space: {cosine:.2f}.",
    )


def _trust_chart(pair: _Pair) -> Chart:
    names, places, axis = _lines(pair)
    layouts = pair.layouts.layouts
    trust = np.array([layouts[name].trustworthiness for name in names])
    continuity = np.array([layouts[name].continuity for name in names])
    low = float(np.floor(min(trust.min(), continuity.min(), 0.9) * 10) / 10)
    return Chart(
        id="trust",
        title="Reliability of each layout",
        x=Axis("1: neighbours stay neighbours; 0.5: by chance", low, 1),
        y=axis,
        series=(
            Series("dots", "Trustworthiness", "text", listed(trust), listed(places), width=5),
            Series("dots", "Continuity", "faint", listed(continuity), listed(places), width=5, hollow=True),
        ),
        height=320,
        description="Trustworthiness and continuity of each layout: "
        + "; ".join(f"{LABELS[name]} {trust[i]:.3f} and {continuity[i]:.3f}" for i, name in enumerate(names))
        + ".",
    )


def _numbers(pair: _Pair) -> tuple[LabNumber, ...]:
    layouts, n = pair.layouts, pair.layouts.n
    sample = (
        f" A sample of {layouts.n_all:,} retrieved, all found core publications in it." if layouts.n_all > n else ""
    )
    trust = layouts.layouts[pair.left].trustworthiness
    return (
        LabNumber(
            "Flip between the two",
            f"{int(pair.between.sum()):,} of {n:,}",
            f"Relevant on one of the two layouts and not on the other.{sample}",
        ),
        LabNumber(
            "Flip against cosine",
            f"{pair.flips(pair.left, pair.cosine):,} of {n:,}",
            "Decided differently by cosine similarity, which doesn't depend on a layout.",
        ),
        LabNumber("Relevant here", f"{pair.share(pair.area(pair.left).relevant_mask):.0%}"),
        LabNumber(f"{LABELS[pair.right]}", f"{pair.share(pair.area(pair.right).relevant_mask):.0%}", "Relevant there."),
        LabNumber("By cosine", f"{pair.share(pair.cosine):.0%}", "Relevant in the embedding space."),
        LabNumber("Trustworthiness", score(trust), "1: neighbours on the layout are neighbours in the embedding."),
    )


def _sentence(pair: _Pair) -> str:
    n, area = pair.layouts.n, AREA_NAMES[pair.kind]
    if pair.area(pair.left).outline is None or pair.area(pair.right).outline is None:
        return f"There is no {area}: it needs 3 found core publications that do not lie on one line."
    against = f"{pair.flips(pair.left, pair.cosine):,} differ from cosine similarity, which needs no layout"
    if pair.left == pair.right:
        return f"Both are the same layout, so nothing flips; {against}."
    return (
        f"The publications are the same, yet {int(pair.between.sum()):,} of {n:,} change sides of the {area} between "
        f"{LABELS[pair.left]} and {LABELS[pair.right]}; {against}."
    )


def _rows(pair: _Pair) -> list[list[float | int | str | None]]:
    reference = pair.area(pair.right).relevant_mask
    return [
        [
            LABELS[name],
            round(layout.trustworthiness, 6),
            round(layout.continuity, 6),
            *(round(pair.share(pair.layouts.areas[name, kind].relevant_mask), 6) for kind in OUTLINED),
            pair.flips(name, reference),
            pair.flips(name, pair.cosine),
        ]
        for name, layout in pair.layouts.layouts.items()
    ]


LAB = Lab(
    id="projection",
    title="Projection distortion",
    explanation=(
        "The same publications in eight two-dimensional layouts; an ellipse or a hull around the core decides which "
        "are relevant.\nA decision that flips between two layouts depends on the picture, not on the publications."
    ),
    controls=controls,
    bench=bench,
    reference="Trustworthiness and continuity: Venna and Kaski (2001); UMAP: McInnes et al. (2018)",
    material=WorkspaceLayouts,
)
