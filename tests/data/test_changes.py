"""Names on what people change."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from data.changes import acting_as, author, person_name
from data.config import NAME_VARIABLE
from data.explore.workspace import Workspace
from tests.data.workspaces import TOPIC


def test_the_person_at_work_is_given_or_named_by_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME_VARIABLE, raising=False)
    assert author() == ""
    monkeypatch.setenv(NAME_VARIABLE, " Ada  Lovelace ")
    assert author() == "Ada Lovelace"
    with acting_as("Grace"), acting_as("Mary"):
        assert author() == "Mary"
    with acting_as("Grace"), acting_as(None):
        assert author() == "Ada Lovelace"
    with acting_as(""):
        assert author() == ""


@pytest.mark.parametrize("name", ["x" * 61, "A\u202eda", "A\x00da"])
def test_a_name_is_short_plain_text(name: str) -> None:
    with pytest.raises(InputError, match="printable"):
        person_name(name)


def test_a_version_carries_the_name_of_who_ran_it(filled: Path, tmp_path: Path) -> None:
    with Workspace.open(filled) as workspace:
        with acting_as("Ada"):
            row = workspace.run_query(TOPIC, "tea OR leaf")
        assert row.made_by == "Ada"
        again = next(r for r in workspace.store.versions(TOPIC) if r.version.label == row.version.label)
        assert again == row
        with acting_as(""):
            assert workspace.run_query(TOPIC, "tea AND leaf").made_by is None
