"""A bundle that somebody sent: whether it was edited, what was built again from it, and what differs."""

from __future__ import annotations

from functools import partial
from hashlib import sha256

import streamlit as st

from dashboard import state
from dashboard.messages import sentence
from dashboard.reports.files import REPORT_FORMATS, document_file
from dashboard.sections.audit.report.made import draw_headings, draw_lead
from dashboard.sections.audit.report.work import LOOK, Looked, found, job_of, look_into, put_away
from dashboard.sections.waiting import watch
from dashboard.words import many, plain, when
from data.audit.bundle.decoding import LARGEST_ZIP

LAST, FILE = "audit-looked-at", "audit-bundle-in"
MOST_NAMED = 20
REBUILT_FORMATS = ("html", "docx", "md")


def draw_look() -> None:
    """The field for the file; what came of the last one stays until it is put away."""
    st.markdown("##### Look into a bundle")
    st.caption("Nothing in this workspace is changed by it, and nothing is unpacked to the disk.")
    file = st.file_uploader(
        "Bundle",
        type=["zip"],
        key=f"{FILE}-{state.flag(FILE)}",
        label_visibility="collapsed",
        max_upload_size=LARGEST_ZIP // 1024**2,
    )
    if file is not None:
        content = file.getvalue()
        mark = sha256(content).hexdigest()
        if state.said(LAST) != mark:
            state.say(LAST, mark)
            look_into(file.name, content)
    job = job_of(LOOK)
    if job is not None and not job.is_over:
        watch(job)
        return
    if job is not None and job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")
    elif job is not None and job.cancelled:
        st.info("Stopped.")
    looked = found(LOOK)
    if isinstance(looked, Looked):
        _draw_looked(looked)
    if job is not None:
        st.button("Put it away", key="audit-look-away", type="tertiary", icon=":material/close:", on_click=_put_away)


def _put_away() -> None:
    put_away(LOOK)
    state.say(LAST, None)
    state.raise_flag(FILE)


def _draw_looked(looked: Looked) -> None:
    bundle, rebuilt = looked.bundle, looked.rebuilt
    with st.container(border=True, key="audit-looked"):
        st.markdown(f"**{plain(looked.name)}**")
        st.caption(plain(f"{rebuilt.audit.topic_id} · made {when(bundle.made_at)} with {bundle.made_with}"))
        st.markdown(
            f":material/verified: {many(len(bundle.files), 'file')}, every one as it was written: the checksums agree."
        )
        _draw_difference(looked)
        if rebuilt.taken_over:
            with st.expander(f"What can't be built again here ({len(rebuilt.taken_over):,})"):
                st.caption("This was taken over from the bundle as it stands.")
                st.markdown("\n".join(f"- {plain(sentence(each))}" for each in rebuilt.taken_over))
        st.caption(
            "It holds abstracts." if bundle.abstracts is not None else "It holds no abstracts: they were left out."
        )
    for number, document in enumerate(rebuilt.documents):
        about = f"{document.title}: {document.subtitle}" if document.kind == "press" else document.title
        with st.expander(plain(about)):
            _draw_files(looked, number)
            draw_lead(document)
            draw_headings(document)


def _draw_difference(looked: Looked) -> None:
    rebuilt = looked.rebuilt
    scores = "between a score in it and the same score counted anew"
    largest = f"The largest difference {scores} is {rebuilt.largest_difference:.1g}."
    if not rebuilt.differing and not rebuilt.differing_scores:
        n = many(len(rebuilt.tables), "table")
        st.success(f"Nothing differs: {n} came out byte for byte the same.", icon=":material/check_circle:")
        st.caption(largest)
        return
    named = [*rebuilt.differing, *rebuilt.differing_scores]
    shown = [f"- {plain(each)}" for each in named[:MOST_NAMED]]
    more = [f"- and {len(named) - MOST_NAMED:,} more"] if len(named) > MOST_NAMED else []
    st.warning("\n".join(["Some of it came out otherwise:", "", *shown, *more]), icon=":material/difference:")
    st.caption(largest)


def _draw_files(looked: Looked, number: int) -> None:
    document = looked.rebuilt.documents[number]
    with st.container(horizontal=True):
        for ending in REBUILT_FORMATS:
            form = REPORT_FORMATS[ending]
            st.download_button(
                form.label,
                partial(document_file, document, form, looked.rebuilt.quality),
                file_name=f"{document.kind}-{number + 1}.{ending}",
                mime=form.mime,
                key=f"audit-rebuilt-{number}-{ending}",
                icon=":material/download:",
                on_click="ignore",
            )
