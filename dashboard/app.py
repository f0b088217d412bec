"""The app: its pages, and the sidebar that they share."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:  # `streamlit run` puts only this file's folder there
    sys.path.insert(0, ROOT)

import streamlit as st  # noqa: E402

from dashboard.sections.audit.typed import settle  # noqa: E402
from dashboard.sections.figure import apply_look  # noqa: E402
from dashboard.sidebar import draw_sidebar  # noqa: E402

PAGES = (
    ("explore", "Explore", ":material/travel_explore:"),
    ("query", "Query", ":material/manage_search:"),
    ("writer", "Writer", ":material/edit_note:"),
    ("sources", "Sources", ":material/cloud_download:"),
    ("versions", "Versions", ":material/compare_arrows:"),
    ("studies", "Studies", ":material/stacked_bar_chart:"),
    ("retrievers", "Retrievers", ":material/leaderboard:"),
    ("knowledge", "Knowledge", ":material/hub:"),
    ("judge", "Judge", ":material/gavel:"),
    ("audit", "Audit", ":material/fact_check:"),
    ("labs", "Labs", ":material/science:"),
    ("library", "Library", ":material/library_books:"),
    ("about", "About the numbers", ":material/function:"),
)

st.set_page_config(
    page_title="Queryscape",
    page_icon=str(Path(__file__).with_name("icon.svg")),
    layout="wide",
    initial_sidebar_state=236,
)
settle()  # whatever page comes next: what was typed on the page Audit is saved
apply_look()
pages = [
    st.Page(f"app_pages/{name}.py", title=title, icon=icon, default=name == PAGES[0][0]) for name, title, icon in PAGES
]
page = st.navigation(pages, expanded=True)  # of more than twelve, Streamlit would hide the last behind a button
draw_sidebar()
page.run()
