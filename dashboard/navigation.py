"""The pages in five groups: the list on the left, and links between the views of a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import Page

from dashboard import state

TOPIC, VERSION, EMBEDDER = SELECTED = ("topic", "version", "embedder")
"""Everything that can be selected at the top of a page; also the names in the link, in their order there."""


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page: its file, its name in the address, and the selections at its top, which it acts on."""

    file: str
    address: str
    title: str
    selects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageGroup:
    """One entry of the list on the left. It leads to the first of its pages."""

    title: str
    icon: str
    pages: tuple[PageEntry, ...]
    needs_topic: bool = False


GROUPS = (
    PageGroup(
        "Workbench",
        ":material/travel_explore:",
        (
            PageEntry("workbench/page.py", "", "Workbench", SELECTED),
            PageEntry("writer/page.py", "writer", "New search string", SELECTED),
        ),
        needs_topic=True,
    ),
    PageGroup(
        "Compare",
        ":material/compare_arrows:",
        (
            PageEntry("explore/versions_page.py", "versions", "Versions", (TOPIC, EMBEDDER)),
            PageEntry("explore/studies_page.py", "studies", "Studies"),
        ),
        needs_topic=True,
    ),
    PageGroup(
        "Library",
        ":material/library_books:",
        (
            PageEntry("library/page.py", "library", "Library", (TOPIC,)),
            PageEntry("audit/page.py", "audit", "Audit", SELECTED),
            PageEntry("sources/page.py", "sources", "Sources", (TOPIC, VERSION)),
            PageEntry("knowledge/page.py", "knowledge", "Knowledge"),
        ),
    ),
    PageGroup(
        "Evaluate",
        ":material/leaderboard:",
        (
            PageEntry("retrieval/page.py", "retrievers", "Retrievers"),
            PageEntry("judge/page.py", "judge", "Judge"),
        ),
    ),
    PageGroup(
        "Learn",
        ":material/school:",
        (
            PageEntry("explore/labs_page.py", "labs", "Labs"),
            PageEntry("guide/page.py", "guide", "Guide"),
            PageEntry("about.py", "about", "About the numbers"),
        ),
    ),
)
START = GROUPS[0].pages[0]
START_NAMES = ("workbench", "explore", "query")
"""Alternative addresses of the start page, which otherwise has no name in the address."""
ENTRIES = tuple(entry for group in GROUPS for entry in group.pages)

STEPS = (
    *(TOPIC, VERSION),
    *("writer", "versions_view", "study", "part", "sources", "kb", "look", "people", "ranking"),
    *("judge", "judge_part", "judge_trust", "audit", "lab", "guide", "constructs", "construct"),
)
"""Choices that the browser's Back restores, besides another page: the selection, and the open view or tab."""

Pages = Mapping[str, Page]
"""Streamlit's pages by their names in the address."""


def create_pages() -> dict[str, Page]:
    """Return every page under each of its names; Streamlit needs new ones in every run."""
    pages = {
        entry.address: st.Page(entry.file, title=entry.title, url_path=entry.address or "start", default=entry is START)
        for entry in ENTRIES
    }
    return pages | {name: st.Page(START.file, title=START.title, url_path=name) for name in START_NAMES}


def entry_of(page: Page) -> PageEntry:
    return next((entry for entry in ENTRIES if entry.address == page.url_path), START)


def group_of(entry: PageEntry) -> PageGroup:
    return next(group for group in GROUPS if entry in group.pages)


def draw_groups(pages: Pages, group_opened: PageGroup, link: Mapping[str, str], *, has_topic: bool) -> None:
    """Draw the list on the left. `link`: the selection, so that each link has its full address."""
    with st.container(key="navigation", gap="xxsmall"):
        for group in GROUPS:
            if has_topic or not group.needs_topic:
                label = f"**{group.title}**" if group is group_opened else group.title
                st.page_link(pages[group.pages[0].address], label=label, icon=group.icon, query_params=dict(link))


def list_places(topics: Sequence[str], versions: Mapping[str, str], opened: PageEntry) -> list[dict[str, str]]:
    """List the destinations of the command palette. `versions`: names of the versions that can be opened, by label."""
    actions = [{"kind": "Action", "title": "Run the search string", "name": "run"}]
    pages = [entry for group in GROUPS if topics or not group.needs_topic for entry in group.pages]
    return [
        *({"kind": "Page", "title": entry.title, "name": entry.address} for entry in pages),
        *({"kind": "Topic", "title": topic, "name": topic} for topic in topics),
        *({"kind": "Version", "title": title, "name": label} for label, title in versions.items()),
        *(actions if versions and opened is START else ()),
    ]


def follow_palette(pages: Pages, opened: PageEntry) -> None:
    """Go to the destination of the command palette, or of a link in the guide.

    A topic or a version opens on the start page.
    """
    ask = state.take_ask(state.NAVIGATION)
    if ask is None:
        return
    kind, name = str(ask.get("kind")), str(ask.get("name"))
    if kind == "Topic":
        state.choose_topic_next(name)
    elif kind == "Version":
        state.choose_version_next(name)
    elif kind == "Guide":
        state.set_value("guide", name)
    address = {"Page": name, "Guide": "guide"}.get(kind, START.address)
    if address in pages and address != opened.address:
        for selected in SELECTED:
            state.hold(selected)
        st.switch_page(pages[address], query_params={})


def draw_views(pages: Pages, group: PageGroup, link: Mapping[str, str]) -> None:
    """Draw the links between the pages of a group, for the top of each of them."""
    with st.container(key="views", horizontal=True, gap="xxsmall", width="content"):
        for entry in group.pages:
            st.page_link(pages[entry.address], label=entry.title, query_params=dict(link), width="content")
