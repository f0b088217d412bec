"""Writer: from a topic to a scored search string."""

from __future__ import annotations

import streamlit as st

from dashboard.components.mount import mount_code
from dashboard.messages import guarded


def render() -> None:
    """The page."""
    st.title("Writer")
    mount_code()
    with guarded():
        st.caption("From a topic to a search string that never comes without its score.")


if __name__ == "__main__":
    render()
