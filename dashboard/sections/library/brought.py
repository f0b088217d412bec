"""Bringing files in, in the background, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.errors import QueryscapeError
from core.records.core_matching import CoreMatch
from dashboard import cache, state
from dashboard.messages import plain
from dashboard.sections.library.locked import many
from dashboard.sections.library.next_steps import draw_next
from dashboard.sections.library.waiting_files import desk
from dashboard.sections.waiting import watch
from data.cases import OnStage
from data.importers.formats import FORMATS
from data.importers.source import FileReading
from data.library.bringing import BringReport, asked_for, choose_core
from data.library.files import Choices
from data.library.prepared import bring_prepared, candidate_headlines
from data.library.tables import Role, load_sources

BY = {"doi": "DOI", "pmid": "PMID", "own_id": "the source's own id", "title": "title"}
MOST_LISTED = 50


def _key() -> str:
    return f"bring:{state.visitor()}:{state.flag('import')}"


def is_bringing() -> bool:
    """Whether files come in, or came in and the visitor still reads what became of them."""
    return cache.jobs().find(_key()) is not None


def start_bringing(
    topic_id: str, role: Role, files: Sequence[tuple[FileReading, Choices]], query_text: str | None
) -> None:
    """All or nothing for each file."""
    key, here = _key(), desk()

    def work(on_stage: OnStage) -> None:
        done = bring_prepared(cache.workspace(), topic_id, role, files, query_text=query_text, on_stage=on_stage)
        here.keep_report(key, done)
        here.keep_only(set())

    cache.jobs().start(key, f"Bringing files into {topic_id}", work, lane="long")
    state.choose_topic_next(topic_id)


def draw_brought() -> None:
    """How far it is, or how it ended."""
    job = cache.jobs().find(_key())
    report = desk().report(_key())
    if job is not None and not job.is_over:
        st.subheader("Bringing them in")
        watch(job)
        return
    if job is not None and job.error:
        st.error(plain(job.error[:1].upper() + job.error[1:] + "."), icon=":material/error:")
        if st.button("Back", key="bring-back", icon=":material/arrow_back:"):
            cache.jobs().forget(_key())
            st.rerun()
        return
    if report is None:
        st.info("Stopped. Files that were finished are in; of the others nothing is.", icon=":material/stop_circle:")
    else:
        _draw_report(report)
    if st.button("Bring in more", key="bring-more", icon=":material/upload_file:"):
        state.raise_flag("import")
        st.rerun()


def _draw_report(report: BringReport) -> None:
    st.subheader("They are in")
    if report.files and all(file.was_here for file in report.files):
        st.markdown("They were here already, as the same: nothing was changed.")
    st.markdown(
        f"{many(report.n_new, 'new publication')}, {many(report.n_merged, 'record')} of publications that were known. "
        f"**{plain(report.topic_id)}** has {many(report.n_publications, 'publication')} now."
    )
    rows = [
        {
            "File": file.name,
            "Format": FORMATS[file.format_id].label if file.format_id in FORMATS else "–",
            "In the file": file.records_in_file,
            "Read": file.parsed,
            "Rejected": len(file.rejected),
            "New": "here already" if file.was_here else f"{file.n_new:,}",
            "Known": "" if file.was_here else f"{file.n_merged:,}",
        }
        for file in report.files
    ]
    st.dataframe(rows, hide_index=True)
    if report.role.kind == "core":
        _draw_matches(report)
    draw_next(report.topic_id)


def _draw_matches(report: BringReport) -> None:
    matches = report.matches
    matched = [match for match in matches if match.status == "matched"]
    by = Counter(BY.get(match.by or "", match.by or "") for match in matched)
    how = ", ".join(f"{n:,} by {name}" for name, n in by.items())
    st.markdown(
        f"**{len(matched):,} of {many(len(matches), 'core publication')}** "
        f"{'is' if len(matches) == 1 else 'are'} among what the topic's queries can find{f' ({how})' if how else ''}."
    )
    headlines = candidate_headlines(cache.workspace(), matches)
    absent = [match for match in matches if match.status == "not_in_corpus"]
    if absent:
        with st.expander(f"{len(absent):,} not in the corpus", expanded=len(absent) <= 10):
            _draw_absent(absent, headlines)
    _draw_ambiguous(report, headlines)


def _draw_absent(absent: Sequence[CoreMatch], headlines: dict[str, tuple[str, int | None]]) -> None:
    st.caption("They count as missed. They are found as soon as a file brings them.")
    lines = []
    for match in absent[:MOST_LISTED]:
        lines.append(f"- {plain(asked_for(match.record))}")
        near = [headline(headlines[i]) for i in match.candidates[:3] if i in headlines]
        lines += [f"  - :small[Did you mean: {plain(words)}]" for words in near]
    st.markdown("\n".join(lines))
    if len(absent) > MOST_LISTED:
        st.caption(f"and {len(absent) - MOST_LISTED:,} more")


def headline(told: tuple[str, int | None]) -> str:
    """Title and year in one line."""
    title, year = told
    return f"{title or 'Without a title'}{f' ({year})' if year else ''}"


def _draw_ambiguous(report: BringReport, headlines: dict[str, tuple[str, int | None]]) -> None:
    """What still waits for a decision: the sources say, not the report."""
    mine = {file.source_id for file in report.files}
    sources = [s for s in load_sources(cache.workspace().store, report.topic_id) if s.source_id in mine]
    waiting = [(s.source_id, wanted, ids) for s in sources for wanted, ids in s.report.ambiguous]
    if not waiting:
        return
    st.markdown(f"**{len(waiting):,} could be several publications.** Choose the one that is meant:")
    for n, (source_id, wanted, ids) in enumerate(waiting[:MOST_LISTED]):
        with st.container(border=True):
            st.markdown(plain(wanted))
            for candidate in ids:
                words = headline(headlines.get(candidate, (candidate, None)))
                if st.button(plain(words), key=f"choose-{n}-{source_id}-{candidate}", type="tertiary"):
                    _choose(report.topic_id, source_id, wanted, candidate)


def _choose(topic_id: str, source_id: str, wanted: str, publication_id: str) -> None:
    try:
        choose_core(cache.workspace(), topic_id, source_id, wanted, publication_id)
    except QueryscapeError as e:
        st.error(plain(str(e)))
        return
    state.say_once("library", "It is a core publication now.")
    st.rerun()
