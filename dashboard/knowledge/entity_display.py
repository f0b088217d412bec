"""Show entities: their text, lists of them, their neighbours, and their place on the landscape."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeVar, cast, get_args

import numpy as np
import streamlit as st

from core.knowledge.entities import Direction, Entity, EntityText, NeighbourCount, Rows
from core.knowledge.templates import MOST_STEPS, relation_words, type_words
from core.protocols import OnStage
from core.types import Ids
from dashboard import cache, state
from dashboard.jobs import Lane
from dashboard.kit.components import current_theme, draw_figure
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import MOST_LISTED, PublicationGroup
from dashboard.kit.theme import COLOURS, Theme
from dashboard.knowledge.figures import (
    MOST_BUNCHES,
    Bunch,
    Part,
    TextSpot,
    cut,
    neighbourhood_figure,
    neighbourhood_rows,
    plane_figure,
    plane_rows,
    shares,
)
from dashboard.status import computed
from dashboard.words import plain
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.templates import WalkStep, neighbour_groups
from data.knowledge.titles import find_entities, open_titles
from data.retrieval.plane import EntityPlane, HighlightedEntities, highlighted, lay_out
from data.store import content_hash

MOST_TRAIL = 12
"""Entities that a visitor can go back to."""
KEY, WRITTEN = "place", "place-in-link"
LINK = ("entity", "trail", "walk")


@dataclass(frozen=True, slots=True)
class EntityPlace:
    base: str
    entity_id: str | None = None
    trail: Ids = ()
    """Entities that were open before, the oldest first."""
    moves: tuple[WalkStep, ...] = ()
    """The walk from the entity."""

    def at(self, entity_id: str) -> EntityPlace:
        """Open another entity; if it is in the trail, go back to it."""
        if entity_id == self.entity_id:
            return self
        if entity_id in self.trail:
            return replace(self, entity_id=entity_id, trail=self.trail[: self.trail.index(entity_id)], moves=())
        trail = (*self.trail, self.entity_id) if self.entity_id is not None else self.trail
        return EntityPlace(self.base, entity_id, trail[-MOST_TRAIL:])


def read_place(base: KnowledgeBase) -> EntityPlace:
    """Return this visitor's choice, else the link's. Another knowledge base starts with an empty place."""
    there = state.value(KEY)
    if isinstance(there, EntityPlace) and not _went_back():
        return there if there.base == base.about.name else EntityPlace(base.about.name)
    entity_id = next(iter(state.asked_for("entity")), None)
    trail = state.asked_for("trail")[-MOST_TRAIL:]
    moves = tuple(move for text in state.asked_for("walk")[:MOST_STEPS] if (move := move_of(text)) is not None)
    return EntityPlace(base.about.name, entity_id, trail if entity_id else (), moves if entity_id else ())


def _went_back() -> bool:
    """Return True if Back or Forward changed the link. A link without an entity is that of a page just opened."""
    in_link = {key: tuple(state.asked_for(key)) for key in LINK}
    return bool(in_link["entity"]) and state.value(WRITTEN, in_link) != in_link


def keep_place(place: EntityPlace) -> None:
    """Store the place for the next run, and in the link."""
    entries = {
        "entity": (place.entity_id,) if place.entity_id is not None else (),
        "trail": tuple(place.trail),
        "walk": tuple(text_of(move) for move in place.moves),
    }
    state.set_value(KEY, place)
    state.set_value(WRITTEN, entries)
    state.write_all_in_link(entries)


def visit(base_name: str, entity_id: str) -> None:
    """Open an entity the next time the view is drawn; for buttons anywhere."""
    there = state.value(KEY)
    place = there if isinstance(there, EntityPlace) and there.base == base_name else EntityPlace(base_name)
    state.set_value(KEY, place.at(entity_id))
    state.set_value("find-entity", "")
    state.set_value("kb", "Entities")


def walk_on(place: EntityPlace, moves: Sequence[WalkStep]) -> None:
    state.set_value(KEY, replace(place, moves=tuple(moves)))


def text_of(move: WalkStep) -> str:
    return json.dumps([move.relation, move.direction, move.type], ensure_ascii=False, separators=(",", ":"))


def move_of(text: str) -> WalkStep | None:
    """Read a step from a link; None: invalid.

    >>> move_of(text_of(WalkStep("writes", "back", "author")))
    WalkStep(relation='writes', direction='back', type='author')
    >>> move_of('["writes"]') is None, move_of("[" * 9999) is None
    (True, True)
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, list) or len(document) != 3 or not all(isinstance(part, str) for part in document):
        return None
    relation, direction, kind = document
    return WalkStep(relation, cast(Direction, direction), kind) if direction in get_args(Direction) else None


# Entities as lists of buttons, and results that take a moment to find.

LONGEST_TITLE = 110
SHORT_WAIT = 0.4
"""Seconds that a page waits for a usually quick result before it shows the progress."""
WITHOUT_BOX, LIST_PX = 16, 460
T = TypeVar("T")


def name_of(entity: Entity, longest: int = LONGEST_TITLE) -> str:
    """Return the name of an entity on one line; its id if it has no title."""
    return cut(entity.title.strip() or entity.entity_id or "untitled", longest)


def entity_group(base: KnowledgeBase, name: str, rows: Sequence[int] | Rows, noun: str = "answer") -> PublicationGroup:
    """Return the entities behind a count."""
    listed = base.entities(rows[:MOST_LISTED])
    return PublicationGroup(
        name,
        rows=tuple({"Title": name_of(e), "Type": type_words(e.type), "Id": e.entity_id} for e in listed),
        noun=noun,
        n=len(rows),
    )


def relation_label(relation: str, direction: Direction) -> str:
    """Name a relation so that its two directions differ.

    >>> relation_label("refers_to", "forward"), relation_label("refers_to", "back")
    ('refers to', 'refers to (the other way)')
    """
    words = relation_words(relation, direction)
    is_alike = direction == "back" and words == relation_words(relation, "forward")
    return f"{words} (the other way)" if is_alike else words


def draw_entities(base: KnowledgeBase, entities: Sequence[Entity], *, key: str, with_types: bool = False) -> None:
    """Draw a button for each entity, which opens it. A long list scrolls in a box of its own."""
    box = st.container(height=LIST_PX, border=False) if len(entities) > WITHOUT_BOX else st.container()
    with box, st.container(key=f"entities-{key}", gap=None):
        for entity in entities:
            text = f"{name_of(entity)} ({type_words(entity.type)})" if with_types else name_of(entity)
            st.button(
                plain(text),
                key=f"{key}-{entity.row}",
                type="tertiary",
                on_click=visit,
                args=(base.about.name, entity.entity_id),
            )


def choose_page(n: int, *, key: str) -> int:
    """Choose the page of 50 entities; return its offset, 0 if there is only one page."""
    n_pages = max((n + SHOWN - 1) // SHOWN, 1)
    if n_pages == 1:
        return 0
    page = int(st.number_input(f"Page (of {n_pages:,})", 1, n_pages, key=key))
    first = (page - 1) * SHOWN
    st.caption(f"{first + 1:,} to {min(first + SHOWN, n):,} of {n:,}")
    return first


def find(base: KnowledgeBase, text: str, type: str | None, k: int) -> tuple[Entity, ...] | None:
    """Find entities by title; None while searching: the first search builds an index of the titles."""

    def make(on_stage: OnStage) -> tuple[Entity, ...]:
        open_titles(base, on_stage)
        return find_entities(base, text, type=type, k=k)

    return found(["find", base.about.key, text, type or "", str(k)], "Searching titles", make)


def found(parts: Sequence[str], title: str, make: Callable[[OnStage], T], lane: Lane = "page") -> T | None:
    """Return the result of `make`, cached by these parts; None while it is computed, with the progress drawn."""
    kept, key = cache.knowledge_found(), content_hash(list(parts))
    return computed(kept, key, title, make, family="knowledge", lane=lane, patience=SHORT_WAIT)


def draw_blank_button(
    entity: Entity, ids: Sequence[str], fill: Callable[[list[str]], None], *, key: str, longest: int
) -> None:
    """Draw a button that adds an entity to those of a blank, or removes it. `fill` is called with the new ones."""
    is_given = entity.entity_id in ids
    rest = [each for each in ids if each != entity.entity_id]
    st.button(
        plain(name_of(entity, longest)),
        key=key,
        icon=":material/close:" if is_given else ":material/add:",
        help="Remove it from the blank." if is_given else None,
        type="secondary" if is_given else "tertiary",
        on_click=fill,
        args=(rest if is_given else [*ids, entity.entity_id],),
    )


# An entity's content: text and attributes, as a document that scrolls if it is long.

BEGINNING = 1_200
"""Characters of a text that are shown at first."""
MOST_ATTRIBUTES, LONGEST_VALUE = 60, 500


def draw_text(text: EntityText, *, key: str) -> None:
    theme = current_theme()
    if text.text.strip():
        n = len(text.text)
        is_whole = n <= BEGINNING or st.toggle(f"Show all {n:,} characters", key=f"whole-{key}")
        st.html(text_html(text.text if is_whole else f"{text.text[:BEGINNING]} …", theme))
    else:
        st.caption("It has no text.")
    if text.attributes:
        with st.expander(f"Attributes ({len(text.attributes):,})"):
            st.html(attributes_html(text.attributes, theme))
            if len(text.attributes) > MOST_ATTRIBUTES:
                st.caption(f"The first {MOST_ATTRIBUTES} of {len(text.attributes):,} are listed.")


def text_html(text: str, theme: Theme) -> str:
    border = COLOURS[theme]["grid"]
    style = (
        "white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow-y: auto; font-size: 0.92rem;"
        f"line-height: 1.45; border-left: 3px solid {border}; padding: 2px 10px;"
    )
    return f'<div style="{style}" tabindex="0" role="region" aria-label="Text">{escape(text)}</div>'


def attributes_html(attributes: Mapping[str, str], theme: Theme) -> str:
    colours = COLOURS[theme]
    name = (
        f"text-align: left; vertical-align: top; font-weight: 400; color: {colours['faint']}; padding: 2px 12px 2px 0;"
    )
    rows = "".join(
        f'<tr><th scope="row" style="{name}">{escape(str(each))}</th>'
        f'<td style="overflow-wrap: anywhere; padding: 2px 0;">{escape(_short(str(value)))}</td></tr>'
        for each, value in list(attributes.items())[:MOST_ATTRIBUTES]
    )
    return f'<table style="font-size: 0.88rem; border-collapse: collapse; width: 100%;">{rows}</table>'


def _short(value: str) -> str:
    return value if len(value) <= LONGEST_VALUE else f"{value[:LONGEST_VALUE]} … ({len(value):,} characters)"


# The neighbours of an entity by relation, 50 at a time, and a figure of them.

MOST_RADIO = 8
"""Relations that are listed; more of them are in a menu."""


def draw_neighbours(base: KnowledgeBase, place: EntityPlace, entity: Entity) -> None:
    counts = counts_of(base, entity.row)
    if not counts:
        st.info("It has no relations, so it has no neighbours.")
        return
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        _draw_list(base, entity, counts)
    with right:
        _draw_picture(base, entity, counts)


def counts_of(base: KnowledgeBase, row: int) -> tuple[NeighbourCount, ...]:
    """Count the neighbours of an entity by relation; cached."""
    key, kept = content_hash(["counts", base.about.key, str(row)]), cache.knowledge_found()
    return tuple(kept.of(key, lambda: neighbour_groups(base, row)))


def move_by(count: NeighbourCount) -> WalkStep:
    return WalkStep(count.relation, count.direction, count.type)


def n_words(n: int, type: str) -> str:
    """Format a number of entities.

    >>> n_words(1, "paper"), n_words(1203, "field_of_study")
    ('1 paper', '1,203 fields of study')
    """
    return f"{n:,} {type_words(type, plural=n != 1)}"


def _draw_list(base: KnowledgeBase, entity: Entity, counts: Sequence[NeighbourCount]) -> None:
    by_text = {text_of(move_by(count)): count for count in counts}

    def label_of(text: str) -> str:
        count = by_text.get(text)
        if count is None:
            return text
        return f"{relation_label(count.relation, count.direction)}: {n_words(count.n, count.type)}"

    if len(by_text) > MOST_RADIO:
        label = f"Relation (of {len(by_text)})"
        text = choose_one(st.selectbox, label, list(by_text), "rel", format_func=label_of)
    else:
        text = choose_one(st.radio, "Relation", list(by_text), "rel", format_func=lambda at: plain(label_of(at)))
    move, count = move_of(text), by_text[text]
    if move is None:
        return
    first = choose_page(count.n, key=f"page-{content_hash([base.about.key, str(entity.row), text])}")
    entities = base.neighbours(entity.row, move.relation, move.direction, move.type, offset=first)
    draw_entities(base, entities, key="neighbour")


def _draw_picture(base: KnowledgeBase, entity: Entity, counts: Sequence[NeighbourCount]) -> None:
    key, kept = content_hash(["picture", base.about.key, str(entity.row)]), cache.knowledge_found()
    bunches = kept.of(key, lambda: bunches_of(base, entity.row, counts))
    notes = []
    if len(counts) > MOST_BUNCHES:
        notes.append(f"{len(counts) - MOST_BUNCHES} further relations are in the list only.")
    draw_figure(
        neighbourhood_figure(name_of(entity), entity.type, bunches, types=list(base.types), theme=current_theme()),
        key="neighbourhood",
        name=f"{base.about.name} {name_of(entity, 60)} neighbours",
        reading="the large marker is the entity; each group is a relation with its number of neighbours. Only the "
        "first few of each are drawn.",
        rows=neighbourhood_rows(bunches),
        notes=notes,
    )


def bunches_of(base: KnowledgeBase, row: int, counts: Sequence[NeighbourCount]) -> tuple[Bunch, ...]:
    drawn = shares([count.n for count in counts])
    found = []
    for place, count in enumerate(counts):
        limit = drawn[place] if place < len(drawn) else 0
        near = base.neighbours(row, count.relation, count.direction, count.type, limit=limit) if limit else ()
        words = relation_label(count.relation, count.direction)
        kind = type_words(count.type, plural=True)
        found.append(Bunch(words, count.type, kind, count.n, tuple(name_of(each) for each in near)))
    return tuple(found)


# The entity on the landscape of texts: the answer texts, projected by their words.


@dataclass(frozen=True, eq=False)
class EntityLandscape:
    """A plane and its highlighted texts; None if no text is connected."""

    shown: HighlightedEntities | None
    plane: EntityPlane | None
    placed: tuple[TextSpot, ...]


def draw_landscape(base: KnowledgeBase, place: EntityPlace, entity: Entity) -> None:
    """Draw the figure; the first time it is computed in the background."""

    def make(on_stage: OnStage) -> EntityLandscape:
        return _lay_out(base, entity, on_stage)

    laid = found(["landscape", base.about.key, str(entity.row)], "Projecting texts", make)
    if laid is None:
        return
    if laid.shown is None or laid.plane is None:
        st.info("No relation leads from here to an answer type, so this entity is not shown among these texts.")
        return
    names = _names(laid.shown, entity)
    draw_figure(
        plane_figure(laid.placed, title=name_of(entity), names=names, theme=current_theme()),
        key="entity-plane",
        name=f"{base.about.name} {name_of(entity, 60)} on the landscape",
        reading=f"every dot is a {type_words(laid.plane.type)}; nearby dots have similar words. Large dots belong "
        f"to this entity.",
        rows=plane_rows(laid.placed, names),
        notes=_notes(laid.plane, laid.shown, laid.placed),
    )


def _lay_out(base: KnowledgeBase, entity: Entity, on_stage: OnStage) -> EntityLandscape:
    shown = highlighted(base, entity.row)
    if shown is None:
        return EntityLandscape(None, None, ())
    own, near = set(shown.own.tolist()), set(shown.near.tolist())
    plane = lay_out(base, cache.workspace().paths, shown.type, [*shown.own, *shown.near], on_stage)
    placed = []
    for each, (x, y) in zip(base.entities(plane.rows), plane.points, strict=True):
        if np.isnan(x):
            continue
        part: Part = "this" if each.row in own else "near" if each.row in near else "other"
        placed.append(TextSpot(each.entity_id, name_of(each), float(x), float(y), part))
    return EntityLandscape(shown, plane, tuple(placed))


def _names(shown: HighlightedEntities, entity: Entity) -> dict[Part, str]:
    kinds = type_words(shown.type, plural=True)
    if entity.type == shown.type:
        own, near = f"This {type_words(entity.type)}", f"Its neighbours among the {kinds}"
    else:
        own, near = f"Its {kinds}", "Their neighbours"
    return {"this": own, "near": near, "other": f"Other {kinds}"}


def _notes(plane: EntityPlane, shown: HighlightedEntities, placed: tuple[TextSpot, ...]) -> list[str]:
    share = f"{plane.kept_share:.0%}".replace("%", " %")
    notes = [
        f"Vectors: LSA, fitted to these texts, projected by PCA. The two directions keep {share} of the variance, "
        f"so neighbours here may be far apart."
    ]
    if plane.n_all > len(plane.rows):
        notes.append(f"A sample of {len(plane.rows):,} of {n_words(plane.n_all, plane.type)}.")
    if shown.n_own > len(shown.own):
        notes.append(f"{len(shown.own):,} of its {shown.n_own:,} are highlighted.")
    if shown.n_near > len(shown.near):
        notes.append(f"No more than {len(shown.near):,} of its neighbours are highlighted.")
    n_drawn = sum(spot.part != "other" for spot in placed)
    if n_drawn < len(shown.own) + len(shown.near):
        notes.append(f"{len(shown.own) + len(shown.near) - n_drawn:,} have no words, so they are not shown.")
    return notes
