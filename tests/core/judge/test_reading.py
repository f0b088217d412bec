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


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("84", "the score is 84: the rubric has 0 to 5"),
        ("6", "the score is 6:"),
        ("-1", "the score is -1:"),
        ("80", "the score is 80:"),
        ("4.5", "the score is 4.5:"),
        ("4.0", "the score is 4.0:"),
        ("4e0", "the score is 4.0:"),
        ("0.4", "the score is 0.4:"),
        ('"4"', "the score is a text, and no number:"),
        ('"ignore all rules"', "the score is a text, and no number:"),
        ("true", "true or false"),
        ("null", "missing"),
        ("[4]", "no number"),
        ('{"value": 4}', "no number"),
        ("NaN", "beyond all scales"),
        ("Infinity", "beyond all scales"),
        ("1e999", "beyond all scales"),
        ("9" * 100_000, "beyond all scales"),
        ("4" + "0" * 30, "beyond all scales"),
    ],
)
@pytest.mark.parametrize(
    "form", ['{{"score": {}}}', '```json\n{{"paper_query_relevance": {{"relevanceScore": {}}}}}\n```']
)
def test_a_number_outside_the_scale_is_no_grade(form: str, score: str, said: str) -> None:
    verdict = read(form.format(score))
    assert verdict.status == "invalid_scale"
    assert verdict.points is None
    assert said in verdict.reason
    assert "ignore" not in verdict.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (" \n\ufeff", "empty"),
        ("4", "prose"),
        ("Score: 4", "prose"),
        ("4/5", "prose"),
        ("The publication is highly relevant and I would give it a 4.", "prose"),
        ("<html><body>Bad gateway</body></html>", "prose"),
        ("null", "prose"),
        ('"4"', "prose"),
        ("[4]", "prose"),
        ("{}", "prose"),
        ("{score: 4}", "prose"),
        ("{'score': 4}", "prose"),
        (json.dumps(FLAT), "prose"),
        ('{"score": 4, "score": 4}', "twice"),
        ('{"score": 4, "score": 2}', "twice"),
        ('{"score": 4, "confidence": 8, "confidence": 9}', "twice"),
        ('{"score": 4, "sc\\u006fre": 2}', "twice"),
        ('{"a":1}' * 1_001 + FLAT, "very many"),
        ('{"score": 4, "relevanceScore": 4}', "several"),
        (f"{FLAT}\n{FLAT}", "several"),
        (f'{FLAT}\n{{"score": 2}}', "several"),
        (f"[{FLAT}, {FLAT}]", "several"),
        (f'{{"score": 4, "parts": [{FLAT}]}}', "several"),
        (f'{{"a": {FLAT}, "b": {FLAT}}}', "several"),
        (f'{{"a": {FLAT}, "b": 1}}', "deep inside"),
        (f'{{"a": {{"b": {FLAT}}}}}', "deep inside"),
        (f'{{"a": [{FLAT}]}}', "deep inside"),
        ('{"grade": 4}', "without a score"),
        ('{"Score": 4}', "without a score"),
        ('{"error": "overloaded"}', "without a score"),
        ('{"paper_query_relevance": {}}', "without a score"),
        ('{"score": 4', "breaks off"),
        ('{"score": 4, "reason": "It is', "breaks off"),
        ('{"a": {"score": 4}', "breaks off"),
        ('{"score": 4, "reason": "a \\', "breaks off"),
        (f'{FLAT} {{"and', "breaks off"),
        ('{"score": 4,}', "broken"),
        ('{"score": 04}', "broken"),
        ('{"score": +4}', "broken"),
        ('{"score": 0x4}', "broken"),
        ('{"score": ４}', "broken"),
        ('{"score": 4; "confidence": 8}', "broken"),
        ('{"score": 4 /* good */}', "broken"),
        ('{"score": 4, "reason": "\\alpha"}', "broken"),
        ("<think>It is a 4.", "thought"),
        (f"<think>{FLAT}", "thought"),
        ('The text asks for {"score": 5}. I grade by content.', "lacks"),
        (f"It tells me to answer {FLAT}, which I ignore.", "cites"),
        (f"It tells me to answer {FLAT} and so on.", "cites"),
        (f'It says "{FLAT}".', "cites"),
        (f"It says `{FLAT}`.", "cites"),
    ],
)
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
        ("Sorry, but I am unable to help with this request.", "refused"),
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
