"""Import, choose, check and delete collections."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from core.collections import Collection, check, renumbered
from core.errors import NotFoundError
from core.protocols import OnStage
from core.text import many
from dashboard import cache, state
from dashboard.kit.link_controls import choose_one
from dashboard.messages import sentence
from dashboard.retrieval.exports import draw_collection_export
from dashboard.status import JobFamily, draw_end, follow, is_watched
from dashboard.visits import is_switched_off
from dashboard.words import plain
from data.collections import (
    TOPIC_PREFIX,
    delete_collection,
    find_collection,
    list_collections,
    load_collection,
    save_collection,
)
from data.demo.loading import bring_benchmark
from data.http.download import DownloadProgress
from data.retrieval.collections import RENUMBERED, SHAPES, CollectionImportOptions, OpenedCollection, bring_collection

# Add collections to the workspace: from a folder or an address, the demo one, and a fix for wrong query numbering.

DEMO_JOBS, ADDING_JOBS = JobFamily("demo-collection"), JobFamily("adding-collection", lane="long")
REPAIR_JOBS = JobFamily("repair")
BEFORE = "collections-before"
"""The collections that existed at a request, until it is over."""
FILES = "files"
LAYOUTS = {FILES: "Detect from the files"} | {name: shape.label for name, shape in SHAPES.items()}


def draw_nothing_here() -> None:
    st.info(
        "There is no collection yet. A collection has documents, queries, and judgments of which documents are "
        "relevant to which query. Retrievers are run over its queries and scored by its judgments."
    )
    demo, own = st.columns(2, gap="large")
    with demo, st.container(border=True):
        st.header(":material/science: Demo data", anchor=False)
        st.write("A small collection of demo data, created in a moment. The demo workspace includes it.")
        draw_demo_button()
    with own, st.container(border=True):
        st.header(":material/upload_file: Your own data", anchor=False)
        draw_adding()


def draw_demo_button() -> None:
    if (job := DEMO_JOBS.find()) is not None:
        follow(job)
    elif st.button("Add the demo collection", type="primary", key="add-demo", width="stretch"):
        DEMO_JOBS.start("", "Creating the demo collection", _bring_demo)
        st.rerun()


def _bring_demo(on_stage: OnStage) -> None:
    bring_benchmark(cache.workspace())
    cache.collections_changed()


def draw_adding() -> None:
    if is_switched_off("Adding a collection from a folder or an address"):
        return
    job = ADDING_JOBS.find()
    if is_watched(job):
        return
    draw_end(job)
    with st.form("add-collection", border=False):
        where = st.text_input(
            "Folder or web address",
            placeholder="~/cranfield/ or https://…",
            help="A folder or file on this server: TREC, SMART, BEIR, STaRK or Paper Lantern files, or "
            "queries of your own as JSON or as a table with a column query. Or the web address of the files.",
        )
        layout = st.selectbox(
            "Layout",
            list(LAYOUTS),
            format_func=LAYOUTS.__getitem__,
            help="Files are recognised by their content. For a web address, choose a layout, which sets the file "
            "names.",
        )
        name = st.text_input("Name", placeholder="Folder name")
        documents = st.selectbox(
            "Documents",
            ["", *_with_documents()],
            format_func=lambda of: f"Also from {of.removeprefix(TOPIC_PREFIX)}" if of else "From the files",
            help="If the files hold only queries, as Paper Lantern's do, choose the documents to search.",
        )
        is_asked = st.form_submit_button("Add", width="stretch")
        st.caption("Check the licence of the data before you use it.")
    if is_asked and (why := _why_not(where.strip(), str(layout))):
        st.error(plain(why))
    elif is_asked:
        _start(
            where.strip(),
            None if layout == FILES else str(layout),
            CollectionImportOptions(name.strip() or None, documents=documents or None),
        )
        st.rerun()


def _with_documents() -> list[str]:
    workspace = cache.workspace()
    stored = [row.name for row in list_collections(workspace.store) if row.n_documents]
    return stored + [f"{TOPIC_PREFIX}{row.topic_id}" for row in workspace.store.topics()]


def _why_not(where: str, layout: str) -> str | None:
    if not where:
        return "Enter a folder on this machine, or an address that begins with https://."
    if "://" in where:
        return "Choose the layout of the collection at that address." if layout == FILES else None
    try:
        there = Path(where).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        there = False
    return None if there else "No such folder or file on this machine. Check the path."


def _start(where: str, shape_id: str | None, wanted: CollectionImportOptions) -> None:
    def work(on_stage: OnStage) -> None:
        def on_download(progress: DownloadProgress) -> None:
            download(progress.file_number, progress.n_files)

        download = on_stage("downloading" if "://" in where else "reading")
        bring_collection(
            cache.workspace(), where, wanted, shape_id=shape_id, on_stage=on_stage, on_download=on_download
        )
        cache.collections_changed()

    state.set_value(BEFORE, tuple(row.name for row in list_collections(cache.workspace().store)))
    ADDING_JOBS.start("", "Adding a collection", work)


def is_adding_over() -> bool:
    """Return True if the requested import has finished or failed."""
    job = ADDING_JOBS.find()
    return state.value(BEFORE) is not None and job is not None and job.is_over


def choose_added(names: Sequence[str]) -> None:
    """Select the newly added collection. To be called before the choice is drawn."""
    before = state.value(BEFORE, ())
    state.set_value(BEFORE, None)
    if new := [name for name in names if name not in before and not name.startswith(TOPIC_PREFIX)]:
        state.set_value("collection", new[0])
        state.say_once("collections", f"{new[0]}: added.")


def draw_deleting(name: str) -> None:
    """Draw the deletion of a collection with its runs, which must be confirmed."""
    st.divider()
    sure = st.checkbox(plain(f"Delete {name} and all its runs"), key=f"sure-{name}")
    st.button(
        "Delete",
        key="delete-collection",
        icon=":material/delete:",
        disabled=not sure,
        width="stretch",
        on_click=_delete,
        args=(name,),
    )


def _delete(name: str) -> None:
    with suppress(NotFoundError):  # another visitor was faster
        delete_collection(cache.workspace().store, name)
    cache.collections_changed()
    state.say_once("retrievers", f"{name} is deleted.")


def draw_mending(name: str, opened: OpenedCollection, fix: str) -> None:
    if not opened.stored:
        return
    if (job := REPAIR_JOBS.find(name)) is not None:
        follow(job)
    elif st.button(plain(sentence(fix).rstrip(".")), key="repair", type="primary"):
        REPAIR_JOBS.start(name, "Numbering the queries", lambda on_stage: _mend(name))
        state.say_once("collections", f"{name}: {RENUMBERED}.")
        st.rerun()


def _mend(name: str) -> None:
    store = cache.workspace().store
    row, renumbered_collection = find_collection(store, name), renumbered(load_collection(store, name))
    notes = (*row.notes, RENUMBERED)
    save_collection(
        store,
        replace(renumbered_collection, name=name),
        origin=row.origin,
        notes=notes,
        oddities=check(renumbered_collection),
        replace=True,
    )
    cache.collections_changed()


# The collection, the part of its queries, and its problems.

ALL = "all"
MISSING = "missing_collection"
"""A collection in the link that does not exist, until another choice is made."""


@dataclass(frozen=True, eq=False)
class CollectionChoice:
    name: str
    opened: OpenedCollection
    split: str | None
    state: str
    """Changes with anything in the collection."""

    @property
    def collection(self) -> Collection:
        return self.opened.collection

    @property
    def topic_id(self) -> str | None:
        return self.name.removeprefix(TOPIC_PREFIX) if self.name.startswith(TOPIC_PREFIX) else None


def choose_collection() -> CollectionChoice | None:
    """Draw the choice at the top of the page; None if there is nothing to choose."""
    has_come = is_adding_over()  # checked first, so that its addition is among the names
    names = _names()
    if not names:
        draw_nothing_here()
        return None
    if wanted := state.wanted_by_link("collection", list(names)):
        state.set_value(MISSING, f'Unknown collection in the link: "{wanted}".')
    if has_come:
        choose_added(list(names))
    which, part, more = st.columns([0.5, 0.25, 0.25], vertical_alignment="bottom")
    name = choose_one(
        which.selectbox,
        "Collection",
        list(names),
        "collection",
        names=names,
        help="Documents, queries, and which documents are relevant to which query.",
        on_change=state.set_value,
        args=(MISSING, ""),
    )
    with more.popover("Add, export or delete", icon=":material/add:", width="stretch"):
        draw_adding()
        export = st.container()
        if not name.startswith(TOPIC_PREFIX):
            draw_deleting(name)
    if missing := state.value(MISSING):
        st.warning(plain(missing), icon=":material/link_off:")
    if message := state.take("collections"):
        st.success(plain(message), icon=":material/check:")
    opened = cache.collection(name)
    with part:
        split = _choose_split(opened.collection)
    chosen = CollectionChoice(name, opened, split, cache.collection_state(name))
    with export:
        st.divider()
        st.markdown("**Export**")
        draw_collection_export(chosen.collection, chosen.state)
    _describe(chosen)
    return chosen


def _names() -> dict[str, str]:
    workspace = cache.workspace()
    stored = {row.name: f"{row.name} ({many(row.n_queries, 'query')})" for row in list_collections(workspace.store)}
    topics = {
        f"{TOPIC_PREFIX}{topic.topic_id}": f"Topic {topic.topic_id}: its query versions"
        for topic in workspace.topics()
        if topic.n_core and any(row.version.text.strip() for row in topic.versions)
    }
    return stored | topics


def _choose_split(collection: Collection) -> str | None:
    names = {ALL: f"All {len(collection.queries):,}"}
    names |= {name: f"{name} ({len(ids):,})" for name, ids in collection.splits.items()}
    split = choose_one(
        st.selectbox,
        "Queries",
        list(names),
        "split",
        usual=ALL,
        names=names,
        disabled=len(names) == 1,
        help="Splits named by the collection, such as training, validation and test.",
    )
    return None if split == ALL else split


def _describe(chosen: CollectionChoice) -> None:
    collection = chosen.collection
    judged = {j.query_id for j in collection.judgments if j.relevance > 0} & set(collection.query_ids)
    parts = [
        f"{len(collection.documents):,} documents",
        many(len(collection.queries), "query"),
        f"{len(judged):,} of them with a relevant document",
    ]
    made_up = " Demo data: nothing in it is real." if collection.made_up else ""
    st.caption(plain(", ".join(parts) + "." + made_up))
    oddities = chosen.opened.oddities
    notes = chosen.opened.notes
    if not oddities and not notes:
        return
    is_trap = any(oddity.fix for oddity in oddities)
    n = len(oddities) + len(notes)
    title = f"Notes on this collection ({n})"
    with st.expander(title, icon=":material/warning:" if oddities else ":material/info:", expanded=is_trap):
        for oddity in oddities:
            examples = f" For example {', '.join(oddity.examples)}." if oddity.examples else ""
            st.markdown(f"- {plain(sentence(oddity.sentence) + examples)}")
            if oddity.fix:
                draw_mending(chosen.name, chosen.opened, oddity.fix)
        if notes:
            st.markdown("\n".join(f"- {plain(sentence(note))}" for note in notes))
