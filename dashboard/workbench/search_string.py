"""The search string of a version: edit it, see its core found and missed and the reasons, and run it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import QueryscapeError
from core.query.checks import errors_of
from core.query.parser import parse
from core.settings import EvaluationSettings
from dashboard import cache, state
from dashboard.explore.result_sentence import parent_of
from dashboard.explore.versions import rerun_without
from dashboard.kit.components import mount_part, mount_payload
from dashboard.kit.publication_lists import PublicationGroup, draw_group
from dashboard.messages import guarded
from dashboard.query.documents import Document
from dashboard.sources.navigation import ORDER, offered, open_search
from dashboard.sources.origin import draw_came
from dashboard.state import Selection
from dashboard.workbench.bench import (
    DraftResults,
    Drafts,
    QueryBench,
    QueryDraft,
    answered,
    fixed,
    opened_on_board,
    text_to_run,
)
from dashboard.workbench.document import MOST_DISAGREEMENTS, bench_document, problems_document, version_document
from dashboard.workbench.filters import choose_filter
from dashboard.writer.board import board_document
from dashboard.writer.sessions import writer_desk
from dashboard.writer.sorting import scales_of
from data.explore.desk import Desk
from data.query.search import dialect_of, semantics_of
from data.store import VersionRow

# The query being edited: the browser sends a request, the bench answers, the document goes back.

PART = "workbench"


def draw_place_of_search_string() -> None:
    """Reserve a place at the top of the page for the editor; its panel is next to the landscape."""
    mount_part("place", {"name": "search-string"}, key="search-string")


@st.fragment
def draw_search_string(selection: Selection, settings: EvaluationSettings, *, height: int) -> None:
    """Draw the editor. `height`: of the panel next to the landscape, in pixels.

    `settings`: those of the landscape, by which a draft is scored, too.
    """
    with guarded():
        rerun_without(selection)
        desk = cache.tuned_desk(selection.topic_id, selection.embedder, settings)
        with st.container(key="payloads-corpus"):
            mount_payload(cache.corpus_points(desk), key="corpus")
        row = cache.workspace().version(selection.topic_id, selection.label)
        kept = state.read_bench(row.version.query_id) or _opened(row)
        bench = _answer(kept.on(desk), desk, row, selection)
        bench = replace(bench, parent=parent_of(selection), child=_undone_child(bench.drafts, selection))
        state.keep_bench(row.version.query_id, bench)
        work, version = _work(desk, bench, row), cache.work(desk, bench.drafts.first, row)
        is_edited = bench.drafts.is_edited
        before = cache.work(desk, bench.drafts.first).summary if is_edited else version.summary
        ids = [desk.corpus.ids[r] for r, _ in work.ranked]
        ids += [each.publication_id for each in version.disagreements[:MOST_DISAGREEMENTS] if not is_edited]
        titles = {p.publication_id: p.title for p in cache.workspace().publications(ids)}
        document = bench_document(bench, work, before, titles)
        document |= version_document(version, titles, is_edited=is_edited)
        document |= {"live_sources": offered(), "board": _board_document(bench, work)}
        is_slip = not is_edited and row.version.semantics is not None  # its scores are those of a faulty search string
        document |= {"problems": problems_document(bench, work) if bench.panels.problems or is_slip else None}
        document |= {
            "corpus_id": desk.untuned_state,
            "desk": desk.state,
            "bench": row.version.query_id,
            "is_edited": is_edited,
            "height": height,
        }
        document["benches"] = [entry.row.version.query_id for entry in cache.versions_of(selection.topic_id)]
        if bench.mistake is None:
            draw_came(row.version.topic_id, row.version.label, bench.drafts.current.text, work.parsed.dialect)
        mount_part(PART, document, PART, states=("ask",))
        if text := choose_filter(work):
            state.keep_bench(row.version.query_id, answered(bench, work, {"kind": "edit", "text": text}))
            st.rerun()
        if listed := bench.panels.listed:
            draw_group(PublicationGroup(listed.name, listed.ids), key=PART)


# Undo continues from the first draft of a version to its parent version, and redo leads back again.


def _undone_child(drafts: Drafts, selection: Selection) -> str | None:
    """Return the version that undo came from, unless the text was edited since."""
    child = state.undone_version(selection.topic_id)
    if drafts.is_edited or child is None:
        return None
    return child if parent_of(replace(selection, label=child)) == selection.label else None


def _version_of_step(kind: object, drafts: Drafts, selection: Selection) -> str | None:
    """Return the version that a step leads to when there is no draft left to undo or redo."""
    if kind == "undo" and not drafts.can_undo and (parent := parent_of(selection)):
        state.keep_undone_version(selection.topic_id, selection.label)
        return parent
    if kind == "redo" and not drafts.can_redo and (child := _undone_child(drafts, selection)):
        state.drop_undone_version(selection.topic_id)
        return child
    return None


def _work(desk: Desk, bench: QueryBench, row: VersionRow) -> DraftResults:
    """Return the shown state: the version as it was run, or a draft made from it."""
    drafts = bench.drafts
    return cache.work(desk, drafts.current) if drafts.is_edited else cache.work(desk, drafts.first, row)


def _board_document(bench: QueryBench, work: DraftResults) -> Document | None:
    """Return the terms in lists, once requested, without the retrieved publications: those are the draft's."""
    if bench.panels.board is None:
        return None
    scales = scales_of(writer_desk(work.desk, None), work.draft.semantics)
    document = board_document(bench.panels.board, opened_on_board(work), scales)
    return {name: value for name, value in document.items() if name != "retrieved"}


def _opened(row: VersionRow) -> QueryBench:
    """Open a version's text as it was run. A dialect that can't be detected from the text stays chosen."""
    version = row.version
    dialect = dialect_of(version)
    found = parse(version.text).dialect
    return QueryBench(Drafts((QueryDraft(version.text, None if dialect == found else dialect, semantics_of(version)),)))


def _answer(bench: QueryBench, desk: Desk, row: VersionRow, selection: Selection) -> QueryBench:
    ask = state.take_ask(PART)
    bench = replace(bench, seq=state.last_ask(PART))
    if ask is None or ask.get("bench") not in (None, row.version.query_id):  # meant for a version that was left since
        return bench
    if version := _version_of_step(ask.get("kind"), bench.drafts, selection):
        state.choose_version_next(version)
        return st.rerun()
    work = _work(desk, bench, row)
    if ask.get("kind") == "run" and ask.get("text") not in (None, bench.drafts.current.text):
        bench = answered(bench, work, {"kind": "edit", "text": ask["text"]})
        work = _work(desk, bench, row)
    if ask.get("kind") not in ("run", "live"):
        return answered(bench, work, ask)
    try:
        if ask["kind"] == "run":
            if ask.get("how") == "fix":
                bench = fixed(bench, desk)
                work = _work(desk, bench, row)
            elif ask.get("how") != "as_is" and errors_of(work.findings):
                return replace(bench, mistake=None, panels=replace(bench.panels, problems=True))
            _run(work, row)
            state.keep_bench(row.version.query_id, _opened(row))  # the draft is a version now
        elif (source := next((each for each in ORDER if each == ask.get("source")), None)) is not None:
            open_search(text_to_run(work), source, work.parsed.dialect)
    except QueryscapeError as e:
        return replace(bench, mistake=str(e))
    return st.rerun()


def _run(work: DraftResults, row: VersionRow) -> None:
    draft = work.draft
    made = cache.workspace().run_query(
        row.version.topic_id,
        text_to_run(work),
        dialect=work.parsed.dialect,
        semantics=draft.semantics,
        parent=row.version.label,
    )
    state.choose_version_next(made.version.label)
