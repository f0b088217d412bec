"""The app: its pages, and the sidebar that they share."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:  # `streamlit run` puts only this file's folder there
    sys.path.insert(0, ROOT)

import streamlit as st  # noqa: E402

from dashboard.audit.fields import settle  # noqa: E402
from dashboard.kit.components import apply_look  # noqa: E402
from dashboard.kit.overtaken_requests import keep_overtaken_fields  # noqa: E402
from dashboard.sidebar import draw_sidebar  # noqa: E402

PAGES = (  # file, name in the address, title, icon
    ("explore/page.py", "explore", "Explore", ":material/travel_explore:"),
    ("workbench/page.py", "query", "Query", ":material/manage_search:"),
    ("writer/page.py", "writer", "Writer", ":material/edit_note:"),
    ("sources/page.py", "sources", "Sources", ":material/cloud_download:"),
    ("explore/versions_page.py", "versions", "Versions", ":material/compare_arrows:"),
    ("explore/studies_page.py", "studies", "Studies", ":material/stacked_bar_chart:"),
    ("retrieval/page.py", "retrievers", "Retrievers", ":material/leaderboard:"),
    ("knowledge/page.py", "knowledge", "Knowledge", ":material/hub:"),
    ("judge/page.py", "judge", "Judge", ":material/gavel:"),
    ("audit/page.py", "audit", "Audit", ":material/fact_check:"),
    ("explore/labs_page.py", "labs", "Labs", ":material/science:"),
    ("library/page.py", "library", "Library", ":material/library_books:"),
    ("about.py", "about", "About the numbers", ":material/function:"),
)

st.set_page_config(
    page_title="Queryscape",
    page_icon=str(Path(__file__).with_name("icon.svg")),
    layout="wide",
    initial_sidebar_state=236,
)
keep_overtaken_fields()
settle()  # whatever page comes next: what was typed on the page Audit is saved
apply_look()
pages = [
    st.Page(path, title=title, icon=icon, url_path=name, default=name == "explore") for path, name, title, icon in PAGES
]
page = st.navigation(pages, expanded=True)  # of more than twelve, Streamlit would hide the last behind a button
draw_sidebar()
page.run()
