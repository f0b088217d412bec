"""The app without a browser: open it, and read what it shows and tells its browser parts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from dashboard import cache
from data.files import VARIABLE

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
SECONDS = 60


@contextmanager
def serving(root: Path) -> Iterator[Path]:
    """The app opens the workspace in this folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(root))
        st.cache_resource.clear()
        yield root
        cache.jobs().wait()
        cache.workspace().close()
        st.cache_resource.clear()


def open_app(**link: str) -> AppTest:
    """The app as a link opens it."""
    return open_alone(APP.name, **link)


def open_alone(page: str, session: Mapping[str, Any] | None = None, /, **link: str | Sequence[str]) -> AppTest:
    """One page alone, as a link opens it for somebody with this session."""
    app = AppTest.from_file(str(APP.parent / page), default_timeout=SECONDS)
    for name, value in link.items():
        app.query_params[name] = value
    for key, value in (session or {}).items():
        app.session_state[key] = value
    return ran(app)


def open_page(page: str, /, **link: str) -> AppTest:
    """A page of the app, as a link opens it."""
    app = open_app(**link)
    app.switch_page(page)
    return ran(app)


def ran(asked: AppTest | Widget) -> AppTest:
    """The app after a run, with what was set in a widget of it."""
    app = asked.run()
    assert not app.exception
    return app


def settled(app: AppTest) -> AppTest:
    """Until nothing runs in the background any more."""
    cache.jobs().wait()
    return ran(app)


def click(app: AppTest, key: str) -> AppTest:
    return ran(app.button(key=key).click())


def press(app: AppTest, key: str) -> AppTest:
    """And wait for what it starts."""
    return settled(click(app, key))


def told(app: AppTest) -> dict[str, dict[str, Any]]:
    """What the browser parts were told, by name."""
    return {document.get("part", "code"): document for document in _documents(app._tree)}


def files(app: AppTest, name: str) -> dict[str, Any]:
    """What the files of a figure hold, by a part of their name."""
    return next(each for each in _documents(app._tree) if each.get("part") == "figure_files" and name in each["name"])


def _documents(node: Any) -> Iterator[dict[str, Any]]:
    for child in getattr(node, "children", {}).values():
        if getattr(child, "type", "") == "bidi_component" and child.proto.json:
            yield json.loads(child.proto.json)
        yield from _documents(child)


def shown(app: AppTest) -> str:
    """All that it says in words and HTML."""
    blocks = (*app.title, *app.header, *app.markdown, *app.caption, *app.success, *app.code)
    texts = [*(block.value for block in blocks), *(html.proto.body for html in app.get("html"))]
    metrics = [f"{metric.label}: {metric.value}" for metric in app.metric]
    return clean(" ".join([*texts, *metrics])) + messages(app)


def messages(app: AppTest) -> str:
    """What its boxes say."""
    boxes = (*app.error, *app.warning, *app.info, *app.sidebar.warning)
    return clean(" ".join(box.value for box in boxes))


def clean(markdown: str) -> str:
    """A text without what keeps its signs from being markup."""
    return markdown.replace("\\", "").replace("\u2060", "")


def keys(app: AppTest) -> set[str]:
    """The keys of its buttons."""
    return {button.key for button in app.button if button.key}


def numbers(text: str) -> list[str]:
    """The numbers in a text, as they stand."""
    return re.findall(r"\d[\d.,]*\d|\d", text)
