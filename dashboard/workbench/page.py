"""The Query page: edit, explain and repair the search string of a version."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import QueryscapeError
from core.query.parser import parse
from dashboard import cache, state
from dashboard.kit.components import draw_unseen_title, mount_part, mount_payload
from dashboard.kit.publication_lists import PublicationGroup, draw_group
from dashboard.messages import guarded
from dashboard.sources.navigation import ORDER, offered, open_search
from dashboard.sources.origin import draw_came
from dashboard.state import Selection
from dashboard.welcome import draw_first_steps, draw_welcome, is_indexed, is_prepared, needs_first_steps
from dashboard.words import plain
from dashboard.workbench.bench import Bench, Draft, Drafts, Work, answered, text_to_run
from dashboard.workbench.document import MOST_DISAGREEMENTS, bench_document, version_document
from dashboard.writer.sessions import link_to_sorting
from data.explore.desk import Desk
from data.query.search import dialect_of, semantics_of
from data.store import VersionRow

# The query as it is worked on: the browser asks, the bench answers, the document goes back.

PART = "workbench"


def draw_workbench(selection: Selection, made_up: bool) -> None:
    desk = cache.desk(selection.topic_id, selection.embedder)
    with st.container(key="corpus-once"):
        mount_payload(cache.corpus_points(desk), key="corpus", with_code=True)
    _draw(selection, made_up)


@st.fragment
def _draw(selection: Selection, made_up: bool) -> None:
    with guarded():
        desk = cache.desk(selection.topic_id, selection.embedder)
        row = cache.workspace().version(selection.topic_id, selection.label)
        bench = _answer(state.read_bench(row.version.query_id) or _opened(row), desk, row)
        state.keep_bench(row.version.query_id, bench)
        work, version = _work(desk, bench, row), cache.work(desk, bench.drafts.first, row)
        is_edited = bench.drafts.is_edited
        before = cache.work(desk, bench.drafts.first).summary if is_edited else version.summary
        ids = [desk.corpus.ids[r] for r, _ in work.ranked]
        ids += [each.publication_id for each in version.disagreements[:MOST_DISAGREEMENTS] if not is_edited]
        titles = {p.publication_id: p.title for p in cache.workspace().publications(ids)}
        document = bench_document(bench, work, before, titles)
        document |= version_document(version, titles, is_edited=is_edited)
        document |= {"live_sources": offered()}
        document |= {"made_up": made_up, "corpus_id": desk.state, "bench": row.version.query_id}
        if bench.mistake is None:
            draw_came(row.version.topic_id, row.version.label, bench.drafts.current.text, work.parsed.dialect)
        mount_part(PART, document, PART, states=("ask",))
        if listed := bench.panels.listed:
            draw_group(PublicationGroup(listed.name, listed.ids), key=PART)
    if note := state.take("ran"):
        st.toast(plain(note))


def _work(desk: Desk, bench: Bench, row: VersionRow) -> Work:
    """What is shown: the version as it was run, or a draft that was made of it."""
    drafts = bench.drafts
    return cache.work(desk, drafts.current) if drafts.is_edited else cache.work(desk, drafts.first, row)


def _opened(row: VersionRow) -> Bench:
    """A version's text as it was run. A dialect that the text does not show by itself stays chosen."""
    version = row.version
    dialect = dialect_of(version)
    found = parse(version.text).dialect
    return Bench(Drafts((Draft(version.text, None if dialect == found else dialect, semantics_of(version)),)))


def _answer(bench: Bench, desk: Desk, row: VersionRow) -> Bench:
    ask = state.take_ask(PART)
    bench = replace(bench, seq=state.last_ask(PART))
    if ask is None or ask.get("bench") not in (None, row.version.query_id):  # meant for a version left since
        return bench
    work = _work(desk, bench, row)
    if ask.get("kind") not in ("run", "live"):
        return answered(bench, work, ask)
    try:
        if ask["kind"] == "run":
            _run(work, row)
        elif (source := next((each for each in ORDER if each == ask.get("source")), None)) is not None:
            open_search(text_to_run(work), source, work.parsed.dialect)
    except QueryscapeError as e:
        return replace(bench, mistake=str(e))
    return st.rerun()


def _run(work: Work, row: VersionRow) -> None:
    draft = work.draft
    made = cache.workspace().run_query(
        row.version.topic_id,
        text_to_run(work),
        dialect=work.parsed.dialect,
        semantics=draft.semantics,
        parent=row.version.label,
    )
    state.choose_version_next(made.version.label)
    state.say_once("ran", f"Version {made.version.label} retrieves {made.n_retrieved or 0:,} publications.")


# Query: the text of one version, why it misses what it misses, and how to repair it.


def render() -> None:
    with guarded():
        topics = cache.workspace().topics()
        if not topics:
            draw_welcome()
            return
        topic_id, selection = state.read_topic(), state.read_selection()
        if topic_id is not None and needs_first_steps(topic_id):
            draw_first_steps(topic_id)
        elif selection is not None:
            draw_unseen_title("Query")
            if is_prepared(selection) and is_indexed(selection):
                made_up = any(t.made_up for t in topics if t.topic_id == selection.topic_id)
                draw_workbench(selection, made_up)
                link_to_sorting(selection.topic_id, selection.label)


if __name__ == "__main__":
    render()
