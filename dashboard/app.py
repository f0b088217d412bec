"""The app: its pages and their shared frame.

`streamlit run` imports this file to serve `app`, and runs it as a script for each visitor.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

ABOVE = Path(__file__).parents[1]
if (ABOVE / "queryscape").is_dir() and str(ABOVE) not in sys.path:  # a checkout, which `streamlit run` does not add
    sys.path.insert(0, str(ABOVE))

import streamlit as st  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402
from streamlit.web.server.starlette import App  # noqa: E402

from dashboard import state  # noqa: E402
from dashboard.access.guard import Guard  # noqa: E402
from dashboard.access.opening import announced, show_refusal  # noqa: E402
from dashboard.audit.fields import note_end, settle  # noqa: E402
from dashboard.kit.components import apply_look  # noqa: E402
from dashboard.kit.ended_sessions import ending_sessions  # noqa: E402
from dashboard.kit.overtaken_requests import handle_overtaken_requests  # noqa: E402
from dashboard.navigation import create_pages, entry_of, follow_palette  # noqa: E402
from dashboard.selection import draw_frame  # noqa: E402
from dashboard.silence import silence  # noqa: E402
from dashboard.sources.scheduler import scheduling  # noqa: E402
from dashboard.visits import draw_banner  # noqa: E402


def draw() -> None:
    st.set_page_config(
        page_title="Queryscape",
        page_icon=str(Path(__file__).with_name("icon.svg")),
        layout="wide",
        initial_sidebar_state=208,
    )
    handle_overtaken_requests()
    draw_banner()  # before anything opens the workspace
    settle()  # on every page: saves what was typed on the page Audit
    apply_look()
    pages = create_pages()
    page = st.navigation(list(pages.values()), position="hidden")
    state.follow_address()
    follow_palette(pages, entry_of(page))
    st.set_page_config(page_title=f"{entry_of(page).title} · Queryscape")
    draw_frame(pages, entry_of(page))
    page.run()
    note_end()
    state.write_address()


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    async with announced(app), scheduling(), ending_sessions():
        yield


if __name__ == "__main__":
    draw()
else:
    silence()
    app = App(__file__, middleware=[Middleware(Guard)], lifespan=lifespan, on_script_error=show_refusal)
