"""Names on what people change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConflictError, InputError
from data.audit.searches import answers, say, unsay
from data.changes import UNSEEN, acting_as, author, person_name
from data.config import NAME_VARIABLE
from data.explore.versions import comment, name_version
from data.explore.workspace import Workspace
from data.library.duplicates import separate_all
from data.library.records import apart
from tests.data.workspaces import CORE, TOPIC


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


# A change that is based on an older state is refused, with who and when; nothing is overwritten unseen.


@dataclass(frozen=True)
class Kind:
    """One kind of thing that several people change."""

    read: Callable[[Workspace], Any]
    change: Callable[[Workspace, Any, Any], Any]
    """With the value that was seen, and another one."""
    values: tuple[Any, Any]
    """By Grace, then by Ada."""


def shown(workspace: Workspace, what: str) -> Any:
    row = next(row for row in workspace.store.versions(TOPIC) if row.version.label == "baseline")
    return getattr(row.version, what)


def core(workspace: Workspace, seen: Any, ids: Any) -> None:
    with workspace.store.transaction():
        workspace.store.save_topic(TOPIC, ids, seen=seen)


ITEM = "prisma-s:5"
KINDS = {
    "a version's name": Kind(
        lambda w: shown(w, "name"),
        lambda w, seen, value: name_version(w, TOPIC, "baseline", value, seen=seen),
        ("tea", "leaf"),
    ),
    "a version's note": Kind(
        lambda w: shown(w, "note"),
        lambda w, seen, value: comment(w, TOPIC, "baseline", value, seen=seen),
        ("Steep it.", "Boil it."),
    ),
    "an answer": Kind(
        lambda w: answers(w.store, TOPIC).get(ITEM),
        lambda w, seen, value: say(w.store, TOPIC, ITEM, state="own", text=value, said_by=author(), seen=seen),
        ("Done by hand.", "Not by hand."),
    ),
    "a withdrawn answer": Kind(
        lambda w: answers(w.store, TOPIC).get(ITEM),
        lambda w, seen, value: (
            say(w.store, TOPIC, ITEM, state="own", text=value, said_by=author(), seen=seen)
            if value
            else unsay(w.store, TOPIC, ITEM, seen=seen)
        ),
        ("Done by hand.", ""),
    ),
    "the core list": Kind(lambda w: w.store.load_core_ids(TOPIC), core, (CORE[:2], CORE[:3])),
    "a decision about a pair": Kind(
        lambda w: "separate" if apart(w.store, TOPIC) else "open",
        lambda w, seen, value: separate_all(w, TOPIC, [CORE[:2]], seen=seen),
        (None, None),
    ),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_change_based_on_an_older_state_is_a_conflict(kind: Kind, workspace: Workspace) -> None:
    seen = kind.read(workspace)
    with acting_as("Grace"):
        kind.change(workspace, seen, kind.values[0])
    theirs = kind.read(workspace)
    assert theirs != seen
    with acting_as("Ada"):
        with pytest.raises(ConflictError, match="Grace changed") as refused:
            kind.change(workspace, seen, kind.values[1])
        assert (refused.value.changed_by, refused.value.theirs) == ("Grace", theirs)
        assert refused.value.changed_at[11:16] in str(refused.value)
        assert kind.read(workspace) == theirs
        kind.change(workspace, refused.value.theirs, kind.values[1])
        assert kind.read(workspace) != theirs or kind.values[1] is None
        kind.change(workspace, UNSEEN, kind.values[0])
