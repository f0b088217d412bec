"""A report that was made: what is in it, and the files that it comes as."""

from __future__ import annotations

import re
from functools import partial

import streamlit as st

from core.audit.whole import Document, Heading, Paragraph, Prompt, Remark
from dashboard.messages import sentence
from dashboard.reports.files import REPORT_FORMATS, report_file
from dashboard.sections.audit.report.choosing import KINDS
from dashboard.sections.audit.report.work import summary_line
from dashboard.words import plain, when
from data.audit.reports import Made

FILE_FORMATS = ("html", "docx", "md", "json")
MOST_HEADINGS = 60


def draw_made(made: Made, *, is_asked: bool) -> None:
    """Files first, then a preview."""
    with st.container(border=True, key="audit-made"):
        st.markdown(f"**{plain(made.document.title)}**")
        labels = "every version" if made.asked.labels is None else ", ".join(made.asked.labels)
        facts = [KINDS[made.asked.kind][0], made.asked.topic_id, labels, f"made {when(made.made_at)}"]
        facts += [summary_line(made.document), f"{'with' if made.abstracts is not None else 'without'} abstracts"]
        st.caption(plain(" · ".join(facts)))
        if not is_asked:
            st.caption(
                ":material/info: What is chosen above has changed since: make it again to have it in the report."
            )
        if made.without_quality:
            st.warning(plain(sentence(made.without_quality)), icon=":material/warning:")
        _draw_files(made)
        st.caption("For a PDF, open the HTML in a browser and print it: it is laid out for A4.")
    draw_contents(made.document)


def _draw_files(made: Made) -> None:
    stem = file_stem(made)
    with st.container(horizontal=True, key="audit-files"):
        for ending in FILE_FORMATS:
            form = REPORT_FORMATS[ending]
            st.download_button(
                form.label,
                partial(report_file, made, form),
                file_name=f"{stem}.{ending}",
                mime=form.mime,
                key=f"audit-file-{ending}",
                icon=":material/download:",
                type="primary" if ending == "html" else "secondary",
                on_click="ignore",
            )


def file_stem(made: Made) -> str:
    """What its files are called."""
    words = re.findall(r"[a-z0-9]+", f"{made.asked.topic_id} {made.asked.kind} {made.made_at[:10]}".lower())
    return "-".join(words)[-100:] or "report"


def draw_contents(document: Document) -> None:
    """The summary and what to beware of, then the parts, and what is still to be said."""
    draw_lead(document)
    n = sum(isinstance(block, Heading) for block in document.blocks)
    with st.expander(f"What is in it ({n:,} parts, {summary_line(document)})"):
        draw_headings(document)
    if n_open := sum(isinstance(block, Prompt) for block in document.blocks):
        many = "place says" if n_open == 1 else "places say"
        st.caption(f"{n_open:,} {many} what somebody still has to say: see Record.")


def draw_lead(document: Document) -> None:
    """What a reader in a hurry should read."""
    heading = ""
    for block in document.blocks:
        if isinstance(block, Heading):
            heading = block.text if block.level > 2 else ""
        if isinstance(block, Paragraph) and block.is_lead:
            if heading:
                st.markdown(f"**{plain(heading)}**")
                heading = ""
            st.markdown(plain(block.text))
        elif isinstance(block, Remark) and block.is_warning:
            st.warning(plain(block.text), icon=":material/warning:")


def draw_headings(document: Document) -> None:
    """Its parts."""
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    lines = [f"{'  ' * max(each.level - 2, 0)}- {plain(each.text)}" for each in headings[:MOST_HEADINGS]]
    st.markdown("\n".join(lines) or "Nothing.")
    if len(headings) > MOST_HEADINGS:
        st.caption(f"And {len(headings) - MOST_HEADINGS:,} more.")
