"""Rubrics: ours, those of users, the files that hold them, and the prompts that are made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import CorruptStoreError, InputError, NotFoundError
from core.judge.judgments import ORDERS, Order, Rubric
from core.judge.prompts import VERSION, prompt_text, system_prompt
from core.judge.rubric import check_rubric, rubric_form
from data.judge import rubric as rubrics
from data.judge.rubric import (
    DEFAULT_RUBRIC,
    delete_rubric,
    find_rubric,
    is_ours,
    load_rubrics,
    our_rubrics,
    read_rubric,
    rubric_text,
    save_rubric,
)
from data.store import Store
from tests.messages import refusal

OWN = """
rubric_id = "fit"
name = "Fit"
task = "Say whether it fits."
[[grades]]
points = 0
name = "no"
text = "It does not."
[[grades]]
points = 1
name = "yes"
text = "It does."
"""


def own(**changed: object) -> Rubric:
    return check_rubric({**rubric_form(read_rubric(OWN)), **changed})


def test_ours_is_the_published_scale_in_our_words() -> None:
    (ours,) = our_rubrics()
    assert ours.rubric_id == DEFAULT_RUBRIC
    assert ours.points == (0, 1, 2, 3, 4, 5)
    assert [ours.shown(points) for points in ours.points] == [0, 20, 40, 60, 80, 100]
    told = system_prompt(ours, "score_first").lower()
    for weighed in ("meaning before words", "direction of a relation", "who does what to whom", "terms as the field"):
        assert weighed in told
    assert "links that stand there unsaid" in told
    assert "direct against same area" in told


@pytest.mark.parametrize("order", ORDERS)
def test_the_prompt_of_a_version_does_not_change(order: Order) -> None:
    """Whoever changes a word of it raises VERSION and writes new files: answers are known by it."""
    path = Path(rubrics.__file__).with_name("prompts") / f"{VERSION}.{order}.txt"
    assert path.read_text("utf-8") == prompt_text(our_rubrics()[0], order)


def test_a_rubric_is_read_from_toml_and_from_json() -> None:
    rubric = read_rubric(OWN)
    assert rubric.points == (0, 1)
    assert read_rubric("\ufeff" + OWN.replace("\n", "\r\n")) == rubric
    assert read_rubric(json.dumps(rubric_form(rubric), indent=2)) == rubric


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "rubric is empty"),
        (" \n", "rubric is empty"),
        (OWN.replace("points = 1", "points = 0"), '2 grades have points 0: "no" and "yes"'),
        ("grades = ", "not valid TOML .*end of document"),
        ("grades = ]", "not valid TOML .*line 1"),
        ("just some text", "not valid TOML"),
        ("name = 1\nname = 2", "not valid TOML"),
        ('{"name": "a", "name": "b"}', 'the key "name" twice'),
        ('{"name": ', "not valid JSON: .*line 1"),
        ("[1, 2]", "not valid TOML"),
        ('{"a": ' + "[" * 50_000, "nested too deep"),
        ("a = " + "[" * 50_000, "nested too deep"),
        (".".join("a" * 49_000) + " = 1", "more than 1,000 dots"),
        ('{"a": ' + "9" * 90_000 + "}", "too many digits"),
        ("x" * 100_001, "at most 100,000 characters, got 100,001"),
        ('{"rubric_id": "a"}', 'the rubric has no "name"'),
    ],
)
def test_what_is_no_rubric_says_why(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_rubric(text)


@settings(max_examples=30)
@given(st.text() | st.sampled_from(OWN.splitlines()).flatmap(lambda line: st.just(OWN.replace(line, "", 1))))
def test_any_text_ends_in_a_rubric_or_a_message(text: str) -> None:
    try:
        rubric = read_rubric(text)
    except InputError:
        return
    assert read_rubric(rubric_text(rubric)) == rubric


@settings(max_examples=30)
@given(st.text(min_size=1, max_size=60), st.lists(st.text(max_size=60), max_size=3))
def test_a_rubric_as_a_file_is_the_same_rubric(task: str, weigh: list[str]) -> None:
    rubric = own(task=f"x{task}", weigh=[f"x{rule}" for rule in weigh])
    assert read_rubric(rubric_text(rubric)) == rubric


def test_ours_as_a_file_is_ours() -> None:
    assert read_rubric(rubric_text(our_rubrics()[0])) == our_rubrics()[0]


def test_users_add_rubrics_and_take_them_away(store: Store) -> None:
    rubric = save_rubric(store, own())
    assert list(load_rubrics(store)) == [DEFAULT_RUBRIC, "fit"]
    assert find_rubric(store, "fit") == rubric
    assert save_rubric(store, own()) == rubric
    delete_rubric(store, "fit")
    assert list(load_rubrics(store)) == [DEFAULT_RUBRIC]
    with refusal(NotFoundError):
        delete_rubric(store, "fit")


def test_an_id_names_one_rubric(store: Store) -> None:
    save_rubric(store, own())
    with refusal(InputError):
        save_rubric(store, own(task="Another task."))
    with pytest.raises(InputError, match=r"choose another rubric_id$"):
        save_rubric(store, own(rubric_id=DEFAULT_RUBRIC))
    assert find_rubric(store, "fit") == own()


def test_ours_stays(store: Store) -> None:
    assert is_ours(DEFAULT_RUBRIC)
    assert not is_ours("fit")
    with refusal(InputError):
        delete_rubric(store, DEFAULT_RUBRIC)


def test_a_rubric_that_is_not_there_is_named(store: Store) -> None:
    with refusal(NotFoundError):
        find_rubric(store, "other")


def test_a_damaged_rubric_says_so(store: Store) -> None:
    store.execute("INSERT INTO judge_rubrics VALUES ('fit', '{}', 'now')")
    with refusal(CorruptStoreError):
        load_rubrics(store)
