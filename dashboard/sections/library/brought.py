"""Bringing files in, in the background, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.protocols import OnStage
from core.records.core_matching import CoreMatch
from dashboard import cache, state
from dashboard.sections.library.next_steps import draw_next
from dashboard.sections.library.rejected import draw_rejected
from dashboard.sections.library.undecided import draw_undecided, headlines
from dashboard.sections.library.waiting_files import desk
from dashboard.sections.waiting import watch
from dashboard.words import many, plain
from data.importers.reading import FORMATS
from data.importers.source import FileReading
from data.library.bringing import BringReport, Choices, asked_for, bring_prepared
from data.library.tables import Role, load_sources

BY = {"doi": "DOI", "pmid": "PMID", "own_id": "the source's own id", "title": "title"}
MOST_LISTED = 50
COUNT = st.column_config.NumberColumn(format="localized")
COUNTED = ("In the file", "Read", "Rejected", "New", "Known")
SEEN = "bringing-seen"


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


def draw_others() -> None:
    """What comes in from another window, or from before the page was loaded anew."""
    running = cache.jobs().unfinished("bring")
    if running:
        state.say(SEEN, running[0].key)
        st.info(f"{plain(running[0].title)}: started in another window, or before this page was reloaded.")
        watch(running[0])
        return
    seen = cache.jobs().find(state.said(SEEN, ""))
    if seen is None:
        return
    if seen.finished:
        st.success(f"{plain(seen.title)}: done.", icon=":material/check:")
        st.button("See the files", key="to-files", icon=":material/folder_open:", on_click=_open, args=("Files",))
    else:
        reason = seen.error or "it was stopped"
        st.error(f"{plain(seen.title)}: {plain(reason)}.", icon=":material/error:")


def _open(part: str) -> None:
    state.say(SEEN, "")
    state.open_part(part)


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
        st.markdown("These files were here already: nothing was changed.")
    st.markdown(
        f"{many(report.n_new, 'new publication')}, {many(report.n_merged, 'record')} of publications that were known. "
        f"**{plain(report.topic_id)}** has {many(report.n_publications, 'publication')} now."
    )
    any_here = any(file.was_here for file in report.files)
    rows = [
        {
            "File": file.name,
            "Format": FORMATS[file.format_id].label if file.format_id in FORMATS else "–",
            "In the file": file.records_in_file,
            "Read": file.parsed,
            "Rejected": len(file.rejected),
            "New": None if file.was_here else file.n_new,
            "Known": None if file.was_here else file.n_merged,
        }
        | ({"Note": "here already" if file.was_here else ""} if any_here else {})
        for file in report.files
    ]
    st.dataframe(rows, hide_index=True, column_config=dict.fromkeys(COUNTED, COUNT))
    _draw_rejected(report)
    if report.role.kind == "core":
        _draw_matches(report)
    draw_next(report.topic_id)


def _draw_rejected(report: BringReport) -> None:
    rejected = [(file.name, place) for file in report.files for place in file.rejected]
    if rejected:
        with st.expander(f"{many(len(rejected), 'record')} rejected: where and why", icon=":material/warning:"):
            draw_rejected([(name, r.record, r.line, r.reason) for name, r in rejected])


def _draw_matches(report: BringReport) -> None:
    matches = report.matches
    matched = [match for match in matches if match.status == "matched"]
    by = Counter(BY.get(match.by or "", match.by or "") for match in matched)
    how = ", ".join(f"{n:,} by {name}" for name, n in by.items())
    st.markdown(
        f"**{len(matched):,} of {many(len(matches), 'core publication')}** "
        f"{'is' if len(matches) == 1 else 'are'} among what the topic's queries can find{f' ({how})' if how else ''}."
    )
    absent = [match for match in matches if match.status == "not_in_corpus"]
    if absent:
        with st.expander(f"{len(absent):,} not in the corpus", expanded=len(absent) <= 10):
            _draw_absent(absent)
    mine = {file.source_id for file in report.files}
    sources = load_sources(cache.workspace().store, report.topic_id)
    draw_undecided(report.topic_id, [source for source in sources if source.source_id in mine])


def _draw_absent(absent: Sequence[CoreMatch]) -> None:
    st.caption("They count as missed. They are found as soon as a file brings them.")
    told = headlines(i for match in absent[:MOST_LISTED] for i in match.candidates[:3])
    lines = []
    for match in absent[:MOST_LISTED]:
        lines.append(f"- {plain(asked_for(match.record))}")
        lines += [f"  - :small[Did you mean: {plain(told[i])}]" for i in match.candidates[:3]]
    st.markdown("\n".join(lines))
    if told:
        st.button(
            "Decide under Duplicates", key="to-duplicates", icon=":material/join:", on_click=_open, args=("Duplicates",)
        )
    if len(absent) > MOST_LISTED:
        st.caption(f"and {len(absent) - MOST_LISTED:,} more")
