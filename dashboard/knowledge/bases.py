"""Import, choose and delete knowledge bases."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from core.errors import NotFoundError, QueryscapeError
from core.protocols import OnStage
from core.text import many
from core.types import Ids
from dashboard import cache, state
from dashboard.kit.link_controls import choose_listed
from dashboard.messages import is_deleted, sentence
from dashboard.status import JobFamily, draw_end, follow, is_watched, why_locked
from dashboard.visits import is_switched_off
from dashboard.words import plain
from data.demo.knowledge import DEMO_BASE
from data.demo.loading import bring_benchmark, bring_demo_knowledge, bring_demo_relations
from data.knowledge.base import KnowledgeBase, KnowledgeBaseInfo
from data.knowledge.loaders import ImportedBase, bring_knowledge, name_for

# Add and remove knowledge bases: the demo one, custom ones, and the data that belongs to one.

DEMO_JOBS, ADDING_JOBS = JobFamily("demo-knowledge"), JobFamily("adding-knowledge", lane="long")
ASKED = "knowledge-asked"
"""This visitor's request, until it is closed."""
MORE, DELETING, GONE = "more-bases", "deleting-base", "deleted-base"
LINES = 200
"""Maximum number of omissions listed."""


@dataclass
class BaseRequest:
    name: str
    came: list[ImportedBase] = field(default_factory=list)
    """Filled by the job."""
    is_chosen: bool = False


def draw_nothing_here() -> None:
    st.info(
        "There is no knowledge base yet. A knowledge base has entities with texts, such as papers and authors, "
        "and relations between them."
    )
    demo, own = st.columns(2, gap="large")
    with demo, st.container(border=True):
        st.header(":material/science: Demo data", anchor=False)
        st.write("A demo knowledge base, with relational questions for the page Retrievers.")
        draw_demo_button(is_first=True)
    with own, st.container(border=True):
        st.header(":material/upload_file: Your own data", anchor=False)
        draw_adding()


def draw_demo_button(*, is_first: bool) -> None:
    if (job := DEMO_JOBS.find()) is not None:
        follow(job)
    elif st.button(
        "Add the demo knowledge base",
        type="primary" if is_first else "secondary",
        key="add-demo-knowledge",
        disabled=why_locked() is not None,
        help=why_locked(),
        width="stretch",
    ):
        DEMO_JOBS.start("", "Creating the demo knowledge base", _bring_demo)
        st.rerun()


def _bring_demo(on_stage: OnStage) -> None:
    workspace = cache.workspace()
    on_stage("creating the demo queries and judgments")
    bring_benchmark(workspace)
    on_stage("creating the demo knowledge base")
    bring_demo_knowledge(workspace)
    on_stage("creating the demo questions about relations")
    bring_demo_relations(workspace)
    cache.collections_changed()


def draw_adding() -> None:
    if is_switched_off("Adding a knowledge base from a folder"):
        return
    job = ADDING_JOBS.find()
    if job is not None and job.finished and (asked := _asked()) is not None and not asked.is_chosen:
        st.rerun()  # it was added while this was drawn
    if is_watched(job):
        return
    draw_end(job)
    with st.form("add-knowledge", border=False):
        where = st.text_input(
            "Folder or file",
            placeholder="~/mag/ or ~/own/entities.csv",
            help="A path on this server: a processed folder or processed.zip of STaRK, tables entities.csv and "
            "relations.csv (also .tsv, .parquet), or works of OpenAlex as JSON.",
        )
        name = st.text_input("Name", placeholder="Folder name")
        answers = st.text_input(
            "Answer types",
            placeholder="All types",
            help="Types of entity that can be answers, separated by commas, such as: paper, author.",
        )
        is_asked = st.form_submit_button("Add", width="stretch", disabled=why_locked() is not None, help=why_locked())
        st.caption("Check the licence of the data before you use it.")
    if is_asked and (why := _why_not(where.strip(), name.strip())):
        st.error(plain(why))
    elif is_asked:
        _start(where.strip(), name.strip(), tuple(filter(None, (each.strip() for each in answers.split(",")))))
        st.rerun()


def _why_not(where: str, name: str) -> str | None:
    if not where:
        return "Enter a folder or file on this server."
    if "://" in where:
        return "Knowledge bases can't be loaded from the web. Download the files and enter their folder."
    try:
        path = Path(where).expanduser().absolute()
        there = path.exists()
    except (OSError, ValueError, RuntimeError):
        there = False
    if not there:
        return "No such folder or file on this machine. Check the path."
    if (called := name or name_for(path)) in cache.workspace().knowledge.names():
        return f'A knowledge base "{called}" already exists. Choose another name, or delete that one first.'
    return None


def _start(where: str, name: str, answers: Ids) -> None:
    asked = BaseRequest(name or name_for(Path(where).expanduser().absolute()))

    def work(on_stage: OnStage) -> None:
        asked.came.append(
            bring_knowledge(cache.workspace().knowledge, where, name=name or None, answers=answers, on_stage=on_stage)
        )

    state.set_value(ASKED, asked)
    ADDING_JOBS.start("", "Adding a knowledge base", work)


def _asked() -> BaseRequest | None:
    asked = state.value(ASKED)
    return asked if isinstance(asked, BaseRequest) and asked.came else None


def choose_added() -> None:
    """Select the newly added knowledge base. To be called before the choice is drawn."""
    asked = _asked()
    if asked is not None and not asked.is_chosen:
        asked.is_chosen = True
        state.set_value(MORE, False)
        state.set_value("knowledge", asked.came[0].about.name)


def draw_came(name: str) -> None:
    asked = _asked()
    if asked is None or asked.came[0].about.name != name:
        return
    brought = asked.came[0]
    with st.container(border=True):
        left, right = st.columns([0.88, 0.12], vertical_alignment="center")
        n, m = brought.about.n_entities, brought.about.n_relations
        counts = f"{many(n, 'entity')} and {many(m, 'relation')}"
        left.markdown(f":material/check: **{plain(name)}** is added: {counts}.")
        right.button("Close", key="close-added", type="tertiary", on_click=state.set_value, args=(ASKED, None))
        for note in brought.notes:
            st.caption(plain(sentence(note)))
        _draw_left_out(brought)


def _draw_left_out(brought: ImportedBase) -> None:
    lines = brought.rejected
    if not lines:
        st.caption("Nothing was left out.")
        return
    with st.expander(f"{many(len(lines), 'place')} in the files {'was' if len(lines) == 1 else 'were'} left out"):
        shown = lines[:LINES]
        st.dataframe(
            {
                "File": [line.file for line in shown],
                "Line": [line.line for line in shown],
                "Why": [line.reason for line in shown],
            },
            hide_index=True,
            key="left-out",
        )
        if len(lines) > LINES:
            st.caption(f"The first {LINES:,} are listed; the command `get knowledge --json` lists all.")


def draw_more(name: str) -> None:
    if why := why_locked():
        st.caption(why)
        return
    draw_adding()
    if DEMO_BASE not in cache.workspace().knowledge.names():
        draw_demo_button(is_first=False)
    st.divider()
    st.button(
        plain(f"Delete {name}"),
        key="ask-delete-base",
        icon=":material/delete:",
        width="stretch",
        on_click=_ask_next,
        args=(name,),
    )


def _ask_next(name: str) -> None:
    state.set_value(MORE, False)
    state.say_once(DELETING, name)


def ask_if_wanted() -> None:
    if name := state.take(DELETING):
        ask_before_deleting(name)


def is_just_deleted(name: str) -> bool:
    """Return True if this visitor has just deleted the knowledge base in the link."""
    return bool(state.value(GONE) == name)


@st.dialog("Delete this knowledge base?")
def ask_before_deleting(name: str) -> None:
    st.markdown(f"This deletes **{plain(name)}**{_what_goes(name)}.")
    st.caption(
        "Collections, runs, templates, syntheses, and people's queries and ratings are kept. They are shown again "
        "after you import a knowledge base of this name."
    )
    if is_deleted(lambda: _delete(name)):
        state.set_value(GONE, name)
        state.say_once("knowledge", f"{name} is deleted.")
        st.rerun()


def _delete(name: str) -> None:
    with suppress(NotFoundError):  # another visitor was faster
        cache.workspace().knowledge.delete(name)


def _what_goes(name: str) -> str:
    try:
        base = cache.workspace().knowledge.open(name)
    except QueryscapeError:
        return ", though it can't be read"
    about = base.about
    kinds = f" of {many(len(base.types), 'type')}"
    return f", with {many(about.n_entities, 'entity')}{kinds} and " + (many(about.n_relations, "relation"))


# The selected knowledge base.


def choose_base() -> KnowledgeBase | None:
    """Draw the choice at the top of the page; None if there is nothing to choose."""
    names = cache.workspace().knowledge.names()
    if not names:
        draw_nothing_here()
        return None
    wanted = state.wanted_by_link("knowledge", list(names))
    if wanted and not is_just_deleted(wanted):
        st.warning(
            plain(f'Unknown knowledge base in the link: "{wanted[:80]}".'),
            icon=":material/link_off:",
        )
    choose_added()
    which, what, more = st.columns([0.4, 0.35, 0.25], vertical_alignment="bottom")
    name = choose_listed(which, "Knowledge base", names, key="knowledge")
    with more.popover("Add or delete", icon=":material/add:", width="stretch", key=MORE, on_change="rerun"):
        draw_more(name)
    ask_if_wanted()
    base = cache.workspace().knowledge.open(name)
    what.caption(plain(_described(base.about)))
    draw_came(name)
    return base


def _described(about: KnowledgeBaseInfo) -> str:
    whence = "Demo data" if about.made_up else f"From {about.origin}"
    return f"{about.n_entities:,} entities, {about.n_relations:,} relations. {whence}."
