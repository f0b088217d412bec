"""Labs: what every parameter does, with nothing loaded."""

from __future__ import annotations

import streamlit as st

from dashboard.components.mount import mount_code
from dashboard.messages import guarded


def render() -> None:
    """The page."""
    st.title("Labs")
    mount_code()
    with guarded():
        st.caption("Labs")


if __name__ == "__main__":
    render()
