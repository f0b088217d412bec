"""What holds of every answer that is read, hostile ones too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.judge.judgments import TripleVerdict
from core.judge.prompts import read_answer
from tests.core.judge.answers_read import ENVELOPED, FLAT, read
from tests.core.judge.runs_judged import RUBRIC

SIGNS = (*'{}"[]:,\\`\n -5a', "```json\n", "<think>", "</think>", "e1")
PARTS = ('"score"', '"relevanceScore"', '"confidence": 8', '"reason": "x"', ": 4", ": 84", ': "4"', ": 4.5", ": true")
PIECES = st.sampled_from([*SIGNS, *PARTS, FLAT, ENVELOPED, "I cannot help with that"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["score", "relevanceScore", "confidence", "reason", "a"]), inner)
    ),
    max_leaves=8,
)


@given(st.text() | st.lists(PIECES, max_size=20).map("".join) | JSON.map(json.dumps), st.booleans())
def test_no_text_gives_points_outside_the_rubric(text: str, has_abstract: bool) -> None:
    verdict = read_answer(text, RUBRIC, has_abstract=has_abstract)
    assert verdict.points is None or (type(verdict.points) is int and verdict.points in RUBRIC.points)
    assert verdict.is_valid == (verdict.status in ("ok", "no_abstract"))
    assert verdict.status in ("ok", "no_abstract", "invalid_json", "invalid_scale", "refused")
    assert verdict.confidence is None or 0 <= verdict.confidence <= 10
    assert verdict == read_answer(text, RUBRIC, has_abstract=has_abstract)
    verdict.reason.encode()


def grade_in(document: object) -> object:
    """What a reader without regard for prose or speed takes for the grade; None: there is none."""

    def scores(each: object) -> list[object]:
        if isinstance(each, list):
            return [score for inner in each for score in scores(inner)]
        if not isinstance(each, dict):
            return []
        own = [value for key, value in each.items() if key in ("score", "relevanceScore")]
        return own + [score for inner in each.values() for score in scores(inner)]

    found = scores(document)
    is_flat = isinstance(document, dict) and ("score" in document or "relevanceScore" in document)
    inner = list(document.values()) if isinstance(document, dict) and not is_flat else []
    is_wrapped = (
        len(inner) == 1 and isinstance(inner[0], dict) and ("score" in inner[0] or "relevanceScore" in inner[0])
    )
    if len(found) != 1 or not (is_flat or is_wrapped):
        return None
    return found[0] if type(found[0]) is int and 0 <= found[0] <= 5 else None


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(["score", "relevanceScore", "confidence", "a"]), JSON | st.integers(0, 6)))
def test_of_an_object_by_itself_the_grade_is_what_a_slow_reader_finds(document: dict[str, Any]) -> None:
    enveloped = {"paper_query_relevance": document}
    assert read(json.dumps(document)).points == grade_in(document)
    assert read(json.dumps(enveloped, indent=2)).points == grade_in(enveloped)


@settings(max_examples=50)
@given(JSON)
def test_only_a_whole_number_of_the_scale_is_a_grade(score: Any) -> None:
    verdict = read(json.dumps({"score": score, "confidence": 5, "reason": "x"}))
    if type(score) is int and 0 <= score <= 5:
        assert verdict == TripleVerdict("ok", score, 5, "x")
    else:
        assert verdict.points is None
        assert verdict.status in ("invalid_scale", "invalid_json")


SAFE = st.text(st.characters(exclude_characters="{}<>\"“‘„«”'`~", exclude_categories=["Cs"]), max_size=40)
REASON = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)


@settings(max_examples=50)
@given(st.integers(0, 5), st.integers(0, 10), REASON, SAFE, SAFE, st.booleans(), st.sampled_from(["", "json"]))
def test_a_valid_answer_reads_the_same_wherever_it_stands(
    score: int, confidence: int, reason: str, before: str, after: str, is_enveloped: bool, language: str
) -> None:
    answer: dict[str, Any] = {"score": score, "confidence": confidence, "reason": reason}
    written = json.dumps({"result": answer} if is_enveloped else answer, ensure_ascii=False)
    alone = read(written)
    assert (alone.status, alone.points, alone.confidence) == ("ok", score, confidence)
    assert alone.reason == " ".join(reason.split())
    fence = f"```{language}\n{written}\n```"
    for text in (
        fence,
        f"{before}\n{fence}\n{after}",
        f"{before}\n{written}\n{after}",
        f"<think>{before}</think>{fence}",
    ):
        assert read(text) == alone


@given(st.integers(0, 5), st.integers(0, 60))
def test_an_answer_that_broke_off_is_no_grade(score: int, at: int) -> None:
    written = json.dumps({"score": score, "confidence": 7, "reason": "It deals with what is asked."})
    assert read(written[: min(at, len(written) - 1)]).status == "invalid_json"


MB = 1_000_000
HOSTILE = {
    "open objects": '{"a":' * (MB // 5),
    "closed objects": '{"a":' * 200_000 + "1" + "}" * 200_000,
    "open braces": "{" * MB,
    "close braces": "}" * MB,
    "quotes": '"' * MB,
    "keys": '{"' * (MB // 2),
    "escapes": '{"' + "\\" * MB,
    "escaped quotes": '{"' + '\\"' * (MB // 2),
    "arrays": '{"a": ' + "[" * MB + "]" * MB + "}",
    "open arrays": '{"a": ' + "[" * MB,
    "small objects": '{"a":1}' * (MB // 7),
    "spaces": "{" + " " * MB,
    "spaced braces": "{ " * (MB // 2),
    "spaces before": " " * MB + "x" + " " * MB,
    "thoughts": "<think>" * (MB // 7),
    "ends of thoughts": "</think>" * (MB // 8),
    "fences": "`" * MB,
    "digits": '{"score": ' + "4" * MB + "}",
    "fraction": '{"score": 4.' + "0" * MB + "}",
    "exponent": '{"score": 4e' + "9" * MB + "}",
    "sorry": "sorry " * (MB // 6),
    "long key": '{"' + "k" * MB + '": 1}',
    "many keys": json.dumps({f"k{i}": i for i in range(60_000)}),
    "broken objects": '{"a" ' * (MB // 5),
    "surrogates": "\ud800" * MB,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_answer_is_no_grade(kind: str) -> None:
    verdict = read(HOSTILE[kind])
    assert not verdict.is_valid
    assert len(verdict.reason) < 2_010


@pytest.mark.parametrize("kind", ["open objects", "open braces", "quotes", "spaces", "fences"])
def test_beside_hostile_text_there_is_the_grade_or_none(kind: str) -> None:
    hostile = HOSTILE[kind][: MB // 10]
    assert read(hostile + FLAT).points in (None, 4)
    assert read(f"{FLAT}\n{hostile}").points in (None, 4)
