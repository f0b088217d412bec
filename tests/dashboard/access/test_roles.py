"""The pages of a visitor: no paths, no addresses; and work that a visitor starts stays a visitor's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

from dashboard.access import gate as gates
from dashboard.access.gate import AccessGate, browser_id, role
from dashboard.jobs import Jobs
from data import access
from data.access import acting_for, current_role

GATE = AccessGate()
DASHBOARD = Path(__file__).parents[3] / "dashboard"


class PlayedContext:
    """What Streamlit tells a page about its browser."""

    def __init__(self, cookies: dict[str, str], host: str = "localhost:8501") -> None:
        self.cookies, self.headers = cookies, {"Host": host}


@pytest.mark.parametrize("name", gates.ROLES)
def test_the_cookie_names_role_and_browser(name: access.AccessRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "_gate", [GATE])
    monkeypatch.setattr(gates, "get_script_run_ctx", lambda **_: object())
    cookie = GATE.new_cookie(name)
    monkeypatch.setattr(st, "context", PlayedContext({"queryscape_8501": cookie, "queryscape_1": "x"}))
    assert role() == name
    assert browser_id() == cookie.split(".")[1]
    monkeypatch.setattr(st, "context", PlayedContext({"queryscape_8501": AccessGate().new_cookie("owner")}))
    assert role() == "visitor"  # an unknown cookie gives the least
    assert browser_id() == ""


def test_without_a_browser_everything_is_the_owners() -> None:
    assert get_script_run_ctx(suppress_warning=True) is None
    assert role() == current_role() == "owner"
    assert browser_id() == ""


def test_a_job_keeps_the_role_of_the_person_who_started_it() -> None:
    found: list[str] = []
    jobs = Jobs()
    with acting_for("visitor"):
        jobs.start("a", "A", lambda on_stage: found.append(current_role()))
    jobs.start("b", "B", lambda on_stage: found.append(current_role()))
    with acting_for("visitor"):
        jobs.start("c", "C", lambda on_stage: access.check_allowed("delete"))
    jobs.wait()
    assert sorted(found) == ["owner", "visitor"]
    job = jobs.find("c")
    assert job is not None
    assert "owner" in str(job.error)
    jobs.close()


def page() -> None:
    import streamlit

    from dashboard.visits import is_switched_off

    if not is_switched_off("Adding a folder"):
        streamlit.text_input("Folder")


def test_a_visitor_sees_no_path_field_but_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [field.label for field in AppTest.from_function(page).run().text_input] == ["Folder"]
    monkeypatch.setattr(access, "_reader", [lambda: "visitor"])
    visitor = AppTest.from_function(page).run()
    assert not visitor.text_input
    assert "owner" in visitor.info[0].value


PLACES = re.compile(r"folder|address|path|url|file", re.IGNORECASE)


def asks_for_place(node: ast.AST) -> bool:
    is_field = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "text_input"
    label = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return is_field and isinstance(label, ast.Constant) and bool(PLACES.search(str(label.value)))


def test_every_field_for_a_path_or_an_address_is_the_owners() -> None:
    asking = []
    for path in sorted(DASHBOARD.rglob("*.py")):
        text = path.read_text("utf-8")
        for function in ast.walk(ast.parse(text)) if "text_input(" in text else ():
            if isinstance(function, ast.FunctionDef) and any(asks_for_place(node) for node in ast.walk(function)):
                body = ast.unparse(function)
                assert "is_switched_off(" in body or "is_allowed(" in body, f"{path.name}: {function.name}"
                asking.append(function.name)
    assert len(asking) >= 6
