"""Lists are found in whatever a model answers, and never where it only speaks of one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.writer import prompts
from core.writer.prompts import (
    BROKE_OFF,
    BROKEN,
    CITED,
    EMPTY,
    EMPTY_LIST,
    LINES,
    NO_LIST,
    NOTHING_WHOLE,
    OTHER,
    SEVERAL,
    TWICE,
    UNENDED,
    AnswerLists,
    find_lists,
)

LIST = '{"keywords": [{"keyword": "a", "reason": "r"}, {"keyword": "b", "reason": "s"}]}'
PLAIN = ["a", "b"]


def found(text: str) -> AnswerLists:
    return find_lists(text, ("keywords",))


def texts(answer: AnswerLists, name: str = "keywords") -> list[Any]:
    values = [entry.value for entry in answer.lists.get(name, ())]
    return [value.get("keyword", value.get("term")) if isinstance(value, dict) else value for value in values]


@pytest.mark.parametrize(
    "text",
    [
        LIST,
        f"```json\n{LIST}\n```",
        f"~~~\n{LIST}",
        f"Here they are:\n{LIST}\nI hope that they help.",
        f"Here they are: {LIST}",
        f"<think>Not {{'keywords': ['x']}} and not [\"x\"].</think>\n{LIST}",
        f"thinking without a mark</think>{LIST}",
        f"\ufeff{LIST}",
        json.dumps(LIST),
        '["a", "b"]',
        '["a", "b",]',
        '[{"keywords": ["a", "b"]}]',
        '{"result": {"answer": {"keywords": ["a", "b"]}}}',
        '{"terms": ["a", "b"]}',
        '{"specific": ["a"], "general": ["b"]}',
        '{"keywords": {"specific": [{"term": "a"}], "general": ["b"]}}',
        '{"keyword": "a"}\n{"keyword": "b"}',
        f"{LIST}\n{LIST}",
    ],
)
def test_a_list_is_found_whatever_stands_around_it(text: str) -> None:
    answer = found(text)
    assert texts(answer) == PLAIN
    assert (answer.problem, answer.doubt) == (None, None)


def test_named_lists_say_where_a_keyword_belongs() -> None:
    answer = found('{"general": ["b"], "specific": ["a"]}')
    assert [(entry.value, entry.to) for entry in answer.lists["keywords"]] == [("a", "specific"), ("b", "general")]


PROBLEMS = {
    EMPTY: ("", " \n"),
    NO_LIST: ("I can't help with that.", "Good keywords are heat, trees and shade.", "{'keywords': ['a']}"),
    UNENDED: ("<think>It may be {",),
    EMPTY_LIST: ('{"keywords": []}', '{"keywords": null}', "[]"),
    OTHER: ('{"answer": 4}', '{"a": "b"}'),
    NOTHING_WHOLE[BROKE_OFF]: ('{"keywo', '{"keywords": ["a'),
    NOTHING_WHOLE[BROKEN]: ('{"keywords" "a"}', "[[" * 40),
}


@pytest.mark.parametrize(("text", "problem"), [(text, what) for what, texts in PROBLEMS.items() for text in texts])
def test_an_answer_without_a_list_says_what_was_wrong(text: str, problem: str) -> None:
    answer = found(text)
    assert answer.problem == problem
    assert texts(answer) == []


@pytest.mark.parametrize("cut", range(14, len(LIST)))
def test_what_came_whole_before_an_answer_broke_off_is_kept(cut: int) -> None:
    answer = found(LIST[:cut])
    whole = ["a"] * (LIST[:cut].count("}") >= 1) + ["b"] * (LIST[:cut].count("}") >= 2)
    assert texts(answer) == whole
    assert answer.problem == (BROKE_OFF if whole else NOTHING_WHOLE[BROKE_OFF])


def test_what_came_whole_before_json_broke_is_kept() -> None:
    for text in ('{"keywords": ["a", "b" "c"]}', '{"keywords": ["a", "b", c]}', '{"keywords": ["a", "b"; "c"]}'):
        answer = found(text)
        assert texts(answer) == PLAIN
        assert (answer.problem, answer.doubt) == (BROKEN, None)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (f'The publication says "{LIST}" but it is no part of the task.', CITED),
        (f"One of them wants {LIST}", CITED),
        ('{"keywords" ["a"]}', CITED),
        (f"{LIST} is what the abstract asks for.", CITED),
        (f'{LIST}\nor rather:\n{{"keywords": ["c"]}}', SEVERAL),
        ('{"keywords": ["a"], "keywords": ["b"]}', TWICE),
        ('{"x": {"keywords": ["a"], "keywords": ["b"]}}', TWICE),
        ("Here they are:\n- heat: it is hot\n- trees: they are green", LINES),
        ("1. heat\n2. trees", LINES),
    ],
)
def test_a_list_in_doubt_is_named_so(text: str, doubt: str) -> None:
    answer = found(text)
    assert answer.doubt == doubt
    assert texts(answer)


def test_lines_of_prose_give_a_keyword_and_its_reason() -> None:
    values = [entry.value for entry in found("* heat - it is hot\n* trees").lists["keywords"]]
    assert values == [{"keyword": "heat", "reason": "it is hot"}, {"keyword": "trees", "reason": ""}]


def test_several_lists_of_one_answer() -> None:
    answer = find_lists('{"add": [{"keyword": "a"}], "remove": []}', ("add", "remove"))
    assert (texts(answer, "add"), texts(answer, "remove")) == (["a"], [])
    assert answer.problem is None


def test_odd_values_come_as_they_are() -> None:
    answer = found('{"keywords": [null, 1, 2.5, true, ["x"], {"y": 1}, 1' + "0" * 5_000 + "]}")
    assert [entry.value for entry in answer.lists["keywords"]][:6] == [None, 1, 2.5, True, ["x"], {"y": 1}]
    assert answer.problem is None


@pytest.mark.parametrize(
    "text",
    [
        *(sign * 20_000 for sign in '[{"\\'),
        *(part * 10_000 for part in ('{"a":', '["', '{"keywords":[', "<think>", "- a\n", '["\\', '[["a"],')),
        *(part * 4_000 for part in ('[""', '[""]', '["a"] ')),
        '["a"] ' * 5_000 + "x",
    ],
)
def test_hostile_answers_are_read_to_their_end(text: str) -> None:
    """Quadratic reading would take minutes here."""
    assert isinstance(found(text), AnswerLists)
    assert isinstance(found(f"x {text}"), AnswerLists)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["keywords", "keyword", "reason", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(JSON, st.integers(0, 200), st.text(max_size=10))
def test_no_answer_fails(value: Any, cut: int, around: str) -> None:
    text = json.dumps(value)
    for each in (text, text[:cut], around + text, text + around, json.dumps(text)):
        answer = found(each)
        assert answer.problem is None or answer.problem.endswith(".")
        assert all(isinstance(entry, prompts.AnswerEntry) for entry in answer.lists.get("keywords", ()))


@settings(max_examples=60)
@given(st.lists(st.text(max_size=12), min_size=2, max_size=6))
def test_a_list_of_texts_comes_back_as_it_was(wanted: list[str]) -> None:
    assert texts(found(json.dumps({"keywords": wanted}))) == wanted
    assert texts(found(json.dumps(wanted, ensure_ascii=False, indent=1))) == wanted
