"""Labs: what every parameter does, with nothing loaded."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.components.mount import mount_code
from dashboard.labs import LABS
from dashboard.messages import guarded
from dashboard.sections.labs import draw_lab
from dashboard.words import plain


def render() -> None:
    """The page."""
    st.title("Labs")
    mount_code()
    with guarded():
        names = list(LABS)
        if wanted := state.wanted_by_link("lab", names):
            st.warning(plain(f"The link asks for a lab {wanted!r} that there is not. Choose one of these."))
        state.settle_named("lab", names)
        chosen = st.segmented_control(
            "Lab",
            names,
            key="lab",
            format_func=lambda name: LABS[name].title.partition(":")[0],
            required=True,
            label_visibility="collapsed",
        )
        state.write_in_link("lab", [str(chosen)])
        draw_lab(LABS[str(chosen)])


if __name__ == "__main__":
    render()
