"""The view "Bundle": the whole audit as one file, and looking into one that somebody sent."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.messages import guarded
from dashboard.sections.audit.bundle.looking import draw_look
from dashboard.sections.audit.report.choosing import choose
from dashboard.sections.audit.report.made import file_stem
from dashboard.sections.audit.report.work import BUNDLE, MadeBundle, found, job_of, make_bundle
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain, when

BUNDLE_SENTENCE = (
    "One file with everything that another person needs: the strings as sent, times and counts, ids of what came, "
    "similarities, settings, every table and figure. On another machine it builds the same tables again, offline."
)


def draw_bundle() -> None:
    """Making one, then looking into one."""
    make, look = st.columns(2, gap="large")
    with make, guarded():
        _draw_make()
    with look, guarded():
        draw_look()


def _draw_make() -> None:
    st.markdown("##### Make a bundle")
    st.caption(BUNDLE_SENTENCE)
    topic_id = state.read_topic()
    if topic_id is None:
        st.caption("There is no topic yet.")
        return
    asked, job = choose(topic_id, "audit"), job_of(BUNDLE)
    if job is not None and not job.is_over:
        watch(job)
        return
    st.button(
        "Make the bundle",
        key="audit-make-bundle",
        type="primary",
        icon=":material/package_2:",
        on_click=make_bundle,
        args=(asked,),
    )
    if job is not None and not job.finished:
        how_it_ended(job)
    bundle = found(BUNDLE)
    if isinstance(bundle, MadeBundle):
        _draw_made(bundle, is_asked=bundle.made.asked.labels == asked.labels and bundle.made.asked.topic_id == topic_id)


def _draw_made(bundle: MadeBundle, *, is_asked: bool) -> None:
    made = bundle.made
    with st.container(border=True, key="audit-bundle-made"):
        st.markdown(f"**{plain(made.asked.topic_id)}**")
        st.caption(plain(f"Made {when(made.made_at)} · {size_words(len(bundle.content))}"))
        if not is_asked:
            st.caption(":material/info: What is chosen above has changed since.")
        st.download_button(
            "Download the bundle",
            bundle.content,
            file_name=f"{file_stem(made)}-bundle.zip",
            mime="application/zip",
            key="audit-bundle-file",
            icon=":material/download:",
            on_click="ignore",
        )


def size_words(n: int) -> str:
    """Bytes for a person.

    >>> size_words(900), size_words(45_300), size_words(3_400_000)
    ('900 bytes', '45 kB', '3.4 MB')
    """
    if n < 1_000:
        return f"{n} bytes"
    return f"{n / 1e3:.0f} kB" if n < 1e6 else f"{n / 1e6:.1f} MB"
