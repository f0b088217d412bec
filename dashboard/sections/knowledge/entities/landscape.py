"""The entity on the landscape of texts: what questions ask for, laid out by its words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.knowledge.spans import Entity
from core.knowledge.templates import type_words
from core.protocols import OnStage
from dashboard import cache
from dashboard.components.mount import current_theme
from dashboard.figures.knowledge.plane import Part, Placed, plane_figure, plane_rows
from dashboard.sections.figure import draw_figure
from dashboard.sections.knowledge.entities.neighbours import n_words
from dashboard.sections.knowledge.entities.place import Place
from dashboard.sections.knowledge.entities.showing import found, name_of
from data.knowledge.base import KnowledgeBase
from data.retrieval.plane import EntityPlane, Highlighted, highlighted, lay_out


@dataclass(frozen=True, eq=False)
class Laid:
    """A plane, and what is highlighted on it; None where nothing leads to a text."""

    shown: Highlighted | None
    plane: EntityPlane | None
    placed: tuple[Placed, ...]


def draw_landscape(base: KnowledgeBase, place: Place, entity: Entity) -> None:
    """The figure; the first time it is worked out in the background."""

    def make(on_stage: OnStage) -> Laid:
        return _lay_out(base, entity, on_stage)

    laid = found(["landscape", base.about.key, str(entity.row)], "Laying texts out", make)
    if laid is None:
        return
    if laid.shown is None or laid.plane is None:
        st.info("No relation leads from here to what questions ask for, so it has no place among these texts.")
        return
    names = _names(laid.shown, entity)
    draw_figure(
        plane_figure(laid.placed, title=name_of(entity), names=names, theme=current_theme()),
        key="entity-plane",
        name=f"{base.about.name} {name_of(entity, 60)} on the landscape",
        reading=f"every dot is a {type_words(laid.plane.type)}; those with similar words lie near each other. "
        "What belongs to this entity is large.",
        rows=plane_rows(laid.placed, names),
        notes=_notes(laid.plane, laid.shown, laid.placed),
    )


def _lay_out(base: KnowledgeBase, entity: Entity, on_stage: OnStage) -> Laid:
    shown = highlighted(base, entity.row)
    if shown is None:
        return Laid(None, None, ())
    own, near = set(shown.own.tolist()), set(shown.near.tolist())
    plane = lay_out(base, cache.workspace().paths, shown.type, [*shown.own, *shown.near], on_stage)
    placed = []
    for each, (x, y) in zip(base.entities(plane.rows), plane.points, strict=True):
        if np.isnan(x):
            continue
        part: Part = "this" if each.row in own else "near" if each.row in near else "other"
        placed.append(Placed(each.entity_id, name_of(each), float(x), float(y), part))
    return Laid(shown, plane, tuple(placed))


def _names(shown: Highlighted, entity: Entity) -> dict[Part, str]:
    """What each part is called."""
    kinds = type_words(shown.type, plural=True)
    if entity.type == shown.type:
        own, near = f"This {type_words(entity.type)}", f"Its neighbours among the {kinds}"
    else:
        own, near = f"Its {kinds}", "Their neighbours"
    return {"this": own, "near": near, "other": f"Other {kinds}"}


def _notes(plane: EntityPlane, shown: Highlighted, placed: tuple[Placed, ...]) -> list[str]:
    share = f"{plane.kept_share:.0%}".replace("%", " %")
    notes = [
        f"Vectors: LSA, fitted to these texts, laid out by PCA. The two directions keep {share} of the differences "
        "between texts, so neighbours here may be far apart."
    ]
    if plane.n_all > len(plane.rows):
        notes.append(f"A sample of {len(plane.rows):,} of {n_words(plane.n_all, plane.type)}.")
    if shown.n_own > len(shown.own):
        notes.append(f"{len(shown.own):,} of its {shown.n_own:,} are highlighted.")
    if shown.n_near > len(shown.near):
        notes.append(f"No more than {len(shown.near):,} of its neighbours are highlighted.")
    n_drawn = sum(spot.part != "other" for spot in placed)
    if n_drawn < len(shown.own) + len(shown.near):
        notes.append(f"{len(shown.own) + len(shown.near) - n_drawn:,} have no words, and so no place.")
    return notes
