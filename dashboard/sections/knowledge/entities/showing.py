"""Entities as lists of buttons, and what takes a moment to find."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from core.knowledge.spans import Direction, Entity
from core.knowledge.templates import relation_words, type_words
from core.protocols import OnStage
from dashboard import cache
from dashboard.figures.knowledge.look import cut
from dashboard.jobs import Lane
from dashboard.sections.knowledge.entities.place import visit
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.titles import find_entities, open_titles
from data.store import content_hash

LONGEST_TITLE = 110
SHORT_WAIT, BETWEEN_LOOKS = 0.4, 0.01
"""Seconds for which a page waits for what is found at once on most days, before it shows how far that is."""
WITHOUT_BOX, LIST_PX = 16, 460
T = TypeVar("T")


def name_of(entity: Entity, longest: int = LONGEST_TITLE) -> str:
    """What an entity is called on one line; its id where it has no title."""
    return cut(entity.title.strip() or entity.entity_id or "untitled", longest)


def relation_said(relation: str, direction: Direction) -> str:
    """A relation in words that tell its two directions apart.

    >>> relation_said("refers_to", "forward"), relation_said("refers_to", "back")
    ('refers to', 'refers to (the other way)')
    """
    words = relation_words(relation, direction)
    is_alike = direction == "back" and words == relation_words(relation, "forward")
    return f"{words} (the other way)" if is_alike else words


def draw_entities(base: KnowledgeBase, entities: Sequence[Entity], *, key: str, with_types: bool = False) -> None:
    """A button each, which opens the entity. A long list is scrolled in a box of its own."""
    box = st.container(height=LIST_PX, border=False) if len(entities) > WITHOUT_BOX else st.container()
    with box, st.container(key=f"entities-{key}", gap=None):
        for entity in entities:
            said = f"{name_of(entity)} ({type_words(entity.type)})" if with_types else name_of(entity)
            st.button(
                plain(said),
                key=f"{key}-{entity.row}",
                type="tertiary",
                on_click=visit,
                args=(base.about.name, entity.entity_id),
            )


def choose_page(n: int, *, key: str) -> int:
    """Which 50 of them are listed; the first, where there are no more."""
    n_pages = max((n + SHOWN - 1) // SHOWN, 1)
    if n_pages == 1:
        return 0
    page = int(st.number_input(f"Page (of {n_pages:,})", 1, n_pages, key=key))
    first = (page - 1) * SHOWN
    st.caption(f"{first + 1:,} to {min(first + SHOWN, n):,} of {n:,}")
    return first


def find(base: KnowledgeBase, text: str, type: str | None, k: int) -> tuple[Entity, ...] | None:
    """Entities that are called so; None while they are looked for: the first search makes an index of the titles."""

    def make(on_stage: OnStage) -> tuple[Entity, ...]:
        open_titles(base, on_stage)
        return find_entities(base, text, type=type, k=k)

    return found(["find", base.about.key, text, type or "", str(k)], "Searching titles", make)


def found(parts: Sequence[str], title: str, make: Callable[[OnStage], T], lane: Lane = "page") -> T | None:
    """What `make` finds, remembered by these parts; None while it is being looked for, which is drawn."""
    key = content_hash(list(parts))
    kept = cache.knowledge_found()
    if key in kept:
        return kept[key]  # type: ignore[no-any-return]
    name = f"knowledge:{key}"
    if (before := cache.jobs().find(name)) is not None and before.finished:
        cache.jobs().forget(name)  # what it made was let go of since

    def work(on_stage: OnStage) -> None:
        kept[key] = make(on_stage)

    job = cache.jobs().start(name, title, work, lane)
    until = time.monotonic() + SHORT_WAIT
    while not job.is_over and time.monotonic() < until:
        time.sleep(BETWEEN_LOOKS)
    if job.finished:
        return kept.get(key)
    if job.is_over:
        how_it_ended(job)
    else:
        watch(job)
    return None
