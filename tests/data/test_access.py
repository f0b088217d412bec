"""What a visitor may not do is refused by the function that does it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from core.errors import NotAllowedError
from data.access import ACTIONS, acting_for, check_allowed, current_role, is_allowed
from data.demo.loading import bring_litqeval
from data.knowledge.bases import KnowledgeBases
from data.knowledge.loaders import bring_knowledge
from data.models.openai import ServiceWording, open_service
from data.retrieval.collections import bring_collection
from data.sources.openalex import ABOUT
from data.sources.registry import key_of

DATA = Path(__file__).parents[2] / "data"


def deletions() -> dict[str, Callable[..., Any]]:
    """Every function of data that deletes what a person sees; the copies of the public demo are no one's."""
    found = {}
    for path in sorted(DATA.rglob("*.py")):
        name = ".".join(path.relative_to(DATA.parent).with_suffix("").parts)
        if "def delete_" in path.read_text("utf-8") and not name.startswith("data.demo"):
            module = import_module(name)
            found |= {f"{name}.{key}": value for key, value in vars(module).items() if key.startswith("delete_")}
    return found | {"knowledge": KnowledgeBases.delete}


def test_a_visitor_deletes_nothing() -> None:
    assert len(deletions()) >= 15
    for delete in deletions().values():
        needed = [None for each in inspect.signature(delete).parameters.values() if each.default is each.empty]
        with acting_for("visitor"), pytest.raises(NotAllowedError, match="owner"):
            delete(*needed)


def test_a_visitor_spends_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv(ABOUT.key_variable, "secret")
    service = open_service(None, None, ServiceWording())
    assert key_of(ABOUT) == "secret"
    with acting_for("visitor"):
        assert key_of(ABOUT) == ""
        for ask in (
            lambda: open_service(None, None, ServiceWording()),
            lambda: open_service("http://169.254.169.254/v1", None, ServiceWording()),
            lambda: service.ask("m", lambda client: b"", lambda content: content),
        ):
            with pytest.raises(NotAllowedError):
                ask()


def test_a_visitor_reads_no_folder_of_the_server() -> None:
    nothing: Any = None
    for read in (bring_collection, bring_knowledge, bring_litqeval):
        needed = [nothing for each in inspect.signature(read).parameters.values() if each.default is each.empty]
        with acting_for("visitor"), pytest.raises(NotAllowedError, match="owner"):
            read(*needed)


def test_the_role_ends_with_its_work() -> None:
    assert current_role() == "owner"
    with acting_for("visitor"):
        assert [is_allowed(action) for action in ACTIONS] == [False] * len(ACTIONS)
    for action in ACTIONS:
        check_allowed(action)
    with pytest.raises(KeyError):
        is_allowed("fly")
