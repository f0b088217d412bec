"""How a judge's answer is read: examples of every kind, and laws over everything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.judging.reading import read_answer
from core.judging.rubric import check_rubric
from core.judging.types import Status, Verdict

RUBRIC = check_rubric(
    {
        "rubric_id": "fit",
        "name": "Fit",
        "task": "Grade it.",
        "grades": [{"points": n, "name": f"level {n}", "text": "So it is."} for n in range(6)],
        "shown_factor": 20,
    }
)
FLAT = '{"score": 4, "confidence": 8, "reason": "It is about that."}'
PUBLISHED = '{"relevanceScore": 4, "confidenceLevel": 8, "summaryStatement": "It is about that."}'
ENVELOPED = f'{{"paper_query_relevance": {PUBLISHED}}}'
FOUR = Verdict("ok", 4, 8, "It is about that.")


def read(text: str) -> Verdict:
    """With an abstract."""
    return read_answer(text, RUBRIC, has_abstract=True)


@pytest.mark.parametrize(
    "text",
    [
        FLAT,
        PUBLISHED,
        ENVELOPED,
        f'{{"judgment": {FLAT}}}',
        f"\ufeff  \n{FLAT}\n\n",
        f"```json\n{FLAT}\n```",
        f"```\n{ENVELOPED}\n```",
        f"```JSON {FLAT}```",
        f"~~~json\n{FLAT}\n~~~",
        f"`{FLAT}`",
        f"Here is my judgment:\n\n```json\n{FLAT}\n```\n\nLet me know if more is needed.",
        f"Here you go: {FLAT} Hope it helps!",
        f"The grade follows.\n{FLAT}",
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
    assert read(text) == Verdict("ok", 4, confidence, reason)


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
    assert read_answer(FLAT, RUBRIC, has_abstract=False) == Verdict("no_abstract", 4, 8, "It is about that.")
    assert read_answer('{"score": 84}', RUBRIC, has_abstract=False).status == "invalid_scale"
    assert read_answer("4", RUBRIC, has_abstract=False).status == "invalid_json"


def test_the_scale_is_the_rubrics() -> None:
    one_to_two = check_rubric(
        {
            "rubric_id": "half",
            "name": "Half",
            "task": "Grade it.",
            "grades": [{"points": n, "name": f"level {n}", "text": "So it is."} for n in (1, 2)],
        }
    )
    assert [read_answer(f'{{"score": {n}}}', one_to_two, has_abstract=True).points for n in range(4)] == [
        None,
        1,
        2,
        None,
    ]


def test_a_long_reason_is_cut() -> None:
    verdict = read(json.dumps({"score": 4, "reason": "word " * 100_000}))
    assert verdict.points == 4
    assert len(verdict.reason) < 2_010


# Laws

SIGNS = (
    "{",
    "}",
    '"',
    "[",
    "]",
    ":",
    ",",
    "\\",
    "`",
    "```json\n",
    "\n",
    " ",
    "<think>",
    "</think>",
    "-",
    "e1",
    "5",
    "a",
)
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
        assert verdict == Verdict("ok", score, 5, "x")
    else:
        assert verdict.points is None
        assert verdict.status in ("invalid_scale", "invalid_json")


@settings(max_examples=50)
@given(st.integers() | st.floats(allow_nan=False))
def test_no_number_is_brought_onto_the_scale(score: float) -> None:
    verdict = read(json.dumps({"score": score}))
    assert verdict.is_valid == (type(score) is int and 0 <= score <= 5)
    assert verdict.points in (None, score)


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
