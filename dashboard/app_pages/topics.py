"""Topics: what the workspace holds, and how more gets in."""

from __future__ import annotations

import streamlit as st

from dashboard import cache
from dashboard.messages import guarded, plain
from dashboard.sections.welcome import draw_demo_button, draw_litqeval_form


def render() -> None:
    """The page."""
    st.title("Topics")
    with guarded():
        topics = cache.workspace().topics()
        if topics:
            st.table(  # which wraps, so that nothing is cut off on a narrow screen
                [
                    {
                        "Topic": plain(t.topic_id),
                        "Core publications": t.n_core,
                        "Query versions": ", ".join(
                            f"{plain(v.version.label)} ({v.n_retrieved:,})"
                            for v in t.versions
                            if v.n_retrieved is not None
                        ),
                        "Embedders": plain(", ".join(t.embedders)) or "–",
                        "Made up": "yes" if t.made_up else "no",
                    }
                    for t in topics
                ],
                hide_index=True,
            )
        else:
            st.info("This workspace is empty. Build the demo or load LitQEval to begin.")
        if not any(t.made_up for t in topics):
            st.subheader("Demo")
            st.write("Three made-up topics with four query versions each.")
            demo, _ = st.columns([0.5, 0.5])
            with demo:
                draw_demo_button()
        st.subheader("LitQEval")
        st.write("21 research fields with their core publications and queries.")
        form, _ = st.columns([0.5, 0.5])
        with form:
            draw_litqeval_form()


if __name__ == "__main__":
    render()
