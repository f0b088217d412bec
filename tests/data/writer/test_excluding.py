"""Which core publications keywords of what is not wanted take away, by title."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.writer.sheets import Brief
from data.explore.desk import Desk, set_up
from data.explore.workspace import Workspace
from data.writer.desk import MOST_NAMED, removed_core
from tests.data.workspaces import CORE, MODEL, TOPIC
from tests.messages import refusal


@pytest.fixture(scope="module")
def desk(filled: Path) -> Iterator[Desk]:
    with Workspace.open(filled) as workspace:
        yield set_up(workspace, TOPIC, MODEL)


def brief(*negative: str) -> Brief:
    return Brief("tea", negative=negative)


def test_each_keyword_with_the_core_publications_that_have_it(desk: Desk) -> None:
    (kettle,) = removed_core(desk, brief("kettle", "Kettle", "petri nets", " "))
    having = [p for p in desk.core if p is not None and "kettle" in f"{p.title} {p.abstract}"]
    assert list(kettle.publications) == having
    assert 0 < len(having) < len(CORE)
    titles = having[:MOST_NAMED]
    assert all(f"“{p.title}”" in kettle.sentence for p in titles)
    assert f"“kettle” removes {len(having)} core publications" in kettle.sentence


def test_one_publication_is_one(desk: Desk) -> None:
    (only,) = removed_core(desk, brief("word3"))
    assert "removes 1 core publication: “" in only.sentence
    assert [p.publication_id for p in only.publications] == ["p3"]


def test_what_is_not_wanted_must_leave_something_of_the_core(desk: Desk) -> None:
    with pytest.raises(InputError, match=f"remove all {len(CORE)} core publications") as raised:
        removed_core(desk, brief("leaves", "of"))
    assert str(raised.value).index("“of” removes") < str(raised.value).index("“leaves” removes")
    assert "\n" not in str(raised.value)


def test_nothing_unwanted_removes_nothing(desk: Desk) -> None:
    assert removed_core(desk, brief()) == removed_core(desk, brief("zebra")) == ()


@pytest.mark.parametrize("text", ["tea OR cup", "cups, kettles", "(tea", 'tea" OR "cup', "NOT tea", "!?", "*"])
def test_what_is_more_than_a_keyword_does_not_get_behind_a_not(desk: Desk, text: str) -> None:
    with refusal(InputError):
        removed_core(desk, brief("kettle", text))


def test_small_words_and_wildcards_are_no_operators(desk: Desk) -> None:
    assert removed_core(desk, brief("salt and pepper", "kett*"))[0].keyword.text == "kett*"
