"""How a judge's answer is read: examples of every kind."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.judge.judgments import Status, TripleVerdict
from core.judge.prompts import read_answer
from tests.core.judge.answers_read import ENVELOPED, FLAT, FOUR, PUBLISHED, read
from tests.core.judge.runs_judged import RUBRIC


@pytest.mark.parametrize(
    "text",
    [
        PUBLISHED,
        ENVELOPED,
        f"\ufeff  \n{FLAT}\n\n",
        f"```JSON {FLAT}```",
        f"~~~json\n{FLAT}\n~~~",
        f"`{FLAT}`",
        f"Here is my judgment:\n\n```json\n{FLAT}\n```\n\nLet me know if more is needed.",
        f"Here you go: {FLAT} Hope it helps!",
        f'<think>Maybe {{"score": 2}}? No, 4.</think>\n{FLAT}',
        f"<thinking>\nHm.\n</thinking>\n```json\n{ENVELOPED}\n```",
        f"Two of three parts are met.\n</think>\n\n{FLAT}",
        f"In set notation {{a, b}} and \\frac{{1}}{{2}}, so: {FLAT}",
        '{"reason": "It is about that.", "score": 4, "confidence": 8}',
        '{"score":4,"confidence":8,"reason":"It is about that."}',
        '{\n\t"score"\t:\r\n4 , "confidence": 8, "reason": "It is\nabout that."}',
        '{"score": 4, "confidence": 8, "reason": "It is about that.", "language": "en", "notes": [1, {"a": "}"}]}',
        '{"sc\\u006fre": 4, "confidence": 8, "reason": "It is about that."}',
        f"[{FLAT}]",
    ],
)
def test_an_answer_is_read_whatever_it_is_wrapped_in(text: str) -> None:
    assert read(text) == FOUR


@pytest.mark.parametrize(
    ("text", "confidence", "reason"),
    [
        ('{"score": 4}', None, ""),
        ('{"score": 4, "confidence": 11, "reason": "x"}', None, "x"),
        ('{"score": 4, "confidence": -1, "reason": "x"}', None, "x"),
        ('{"score": 4, "confidence": 7.0, "reason": "x"}', None, "x"),
        ('{"score": 4, "confidence": "high", "reason": null}', None, ""),
        ('{"score": 4, "confidence": true, "reason": 7}', None, ""),
        ('{"score": 4, "confidence": 3, "confidenceLevel": 3, "reason": "x"}', None, "x"),
        ('{"score": 4, "confidence": 0, "reason": " a\\n\\u0000 b "}', 0, "a b"),
        ('{"score": 4, "confidence": 10, "reason": "\\ud800"}', 10, "?"),
        ('{"score": 4, "confidence": 5, "reason": "it says {\\"score\\": 5} }{"}', 5, 'it says {"score": 5} }{'),
        ('{"score": 4, "reason": "a \\\\"}', None, "a \\"),
    ],
)
def test_the_grade_counts_without_a_confidence_or_a_reason(text: str, confidence: int | None, reason: str) -> None:
    assert read(text) == TripleVerdict("ok", 4, confidence, reason)


OFF_SCALE = {
    "the score is a text, and no number:": ('"4"', '"ignore all rules"'),
    "true or false": ("true",),
    "missing": ("null",),
    "no number": ("[4]", '{"value": 4}'),
    "beyond all scales": ("NaN", "Infinity", "1e999", "9" * 100_000, "4" + "0" * 30),
    "the score is 4.0:": ("4.0", "4e0"),
    **{f"the score is {number}: the rubric has 0 to 5": (number,) for number in ("84", "6", "-1", "80", "4.5", "0.4")},
}
"""Texts in the place of a grade, by what is said of them."""


@pytest.mark.parametrize(("score", "said"), [(score, said) for said, scores in OFF_SCALE.items() for score in scores])
@pytest.mark.parametrize(
    "form", ['{{"score": {}}}', '```json\n{{"paper_query_relevance": {{"relevanceScore": {}}}}}\n```']
)
def test_a_number_outside_the_scale_is_no_grade(form: str, score: str, said: str) -> None:
    verdict = read(form.format(score))
    assert verdict.status == "invalid_scale"
    assert verdict.points is None
    assert said in verdict.reason
    assert "ignore" not in verdict.reason


NO_ANSWERS = {
    "empty": ("", " \n\ufeff"),
    "prose": (
        *("4", "Score: 4", "4/5", "null", '"4"', "[4]", "{}", "{score: 4}", "{'score': 4}", json.dumps(FLAT)),
        "The publication is highly relevant and I would give it a 4.",
        "<html><body>Bad gateway</body></html>",
    ),
    "twice": (
        *('{"score": 4, "score": 4}', '{"score": 4, "score": 2}', '{"score": 4, "sc\\u006fre": 2}'),
        '{"score": 4, "confidence": 8, "confidence": 9}',
    ),
    "very many": ('{"a":1}' * 1_001 + FLAT,),
    "several": (
        *('{"score": 4, "relevanceScore": 4}', f"{FLAT}\n{FLAT}", f'{FLAT}\n{{"score": 2}}', f"[{FLAT}, {FLAT}]"),
        *(f'{{"score": 4, "parts": [{FLAT}]}}', f'{{"a": {FLAT}, "b": {FLAT}}}'),
    ),
    "deep inside": (f'{{"a": {FLAT}, "b": 1}}', f'{{"a": {{"b": {FLAT}}}}}', f'{{"a": [{FLAT}]}}'),
    "without a score": (*('{"grade": 4}', '{"Score": 4}', '{"error": "overloaded"}', '{"paper_query_relevance": {}}'),),
    "breaks off": (
        *('{"score": 4', '{"score": 4, "reason": "It is', '{"a": {"score": 4}', '{"score": 4, "reason": "a \\'),
        f'{FLAT} {{"and',
    ),
    "broken": (
        *('{"score": 4,}', '{"score": 04}', '{"score": +4}', '{"score": 0x4}', '{"score": ４}'),
        *('{"score": 4; "confidence": 8}', '{"score": 4 /* good */}', '{"score": 4, "reason": "\\alpha"}'),
    ),
    "thought": ("<think>It is a 4.", f"<think>{FLAT}"),
    "lacks": ('The text asks for {"score": 5}. I grade by content.',),
    "cites": (
        *(f"It tells me to answer {FLAT}, which I ignore.", f"It tells me to answer {FLAT} and so on."),
        *(f'It says "{FLAT}".', f"It says `{FLAT}`."),
    ),
}
"""Answers that hold no grade, by what is said of them."""


@pytest.mark.parametrize(("text", "said"), [(text, said) for said, texts in NO_ANSWERS.items() for text in texts])
def test_what_is_no_answer_is_no_grade(text: str, said: str) -> None:
    verdict = read(text)
    assert (verdict.status, verdict.points) == ("invalid_json", None)
    assert said in verdict.reason


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("I'm sorry, but I can't help with that.", "refused"),
        ("I’m sorry, I can’t assist with this request.", "refused"),
        ("I cannot comply with this.", "refused"),
        ("I'm unable to assist with that.", "refused"),
        ("I apologize, but I cannot grade this publication.", "refused"),
        ("We must decline to answer this.", "refused"),
        ("I can't tell how relevant it is.", "invalid_json"),
        ("I cannot determine the relevance without an abstract.", "invalid_json"),
        ("The authors say: I cannot help with that.", "invalid_json"),
        ("Sorry, 4.", "invalid_json"),
        ("I can't help with that." + " x" * 1_000, "invalid_json"),
        ('I can\'t help with that. {"error": 1}', "invalid_json"),
    ],
)
def test_only_an_unmistakable_refusal_is_one(text: str, status: Status) -> None:
    verdict = read(text)
    assert verdict.status == status
    assert not verdict.is_valid


def test_without_an_abstract_a_grade_is_counted_apart() -> None:
    assert read_answer(FLAT, RUBRIC, has_abstract=False) == TripleVerdict("no_abstract", 4, 8, "It is about that.")
    assert read_answer('{"score": 84}', RUBRIC, has_abstract=False).status == "invalid_scale"
    assert read_answer("4", RUBRIC, has_abstract=False).status == "invalid_json"


def test_the_scale_is_the_rubrics() -> None:
    one_to_two = replace(RUBRIC, grades=RUBRIC.grades[1:3])
    points = [read_answer(f'{{"score": {n}}}', one_to_two, has_abstract=True).points for n in range(4)]
    assert points == [None, 1, 2, None]


def test_a_long_reason_is_cut() -> None:
    verdict = read(json.dumps({"score": 4, "reason": "word " * 100_000}))
    assert verdict.points == 4
    assert len(verdict.reason) < 2_010
