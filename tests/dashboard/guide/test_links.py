"""Links between pages of the guide, as the browser sends them when they are clicked."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard import state
from dashboard.guide.pages import guide_titles
from tests.dashboard.apps import open_page, ran


@pytest.mark.parametrize(("name", "opened"), [("limits", "limits"), ("no such page", "options")])
def test_a_link_opens_another_page_of_the_guide(root: Path, name: str, opened: str) -> None:
    app = open_page("guide/page.py", guide="options")
    app.session_state[state.NAVIGATION] = {"ask": {"seq": 1, "kind": "Guide", "name": name}}
    ran(app)
    assert app.radio(key="guide").value == opened
    assert app.query_params["guide"] in (opened, [opened])
    assert app.markdown[0].value.splitlines()[0] == f"## {guide_titles()[opened]}"
