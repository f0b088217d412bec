"""How a judge's answer is read. Nothing is guessed: a grade is a whole number that the rubric has, or there is none."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.judging.types import HIGHEST_CONFIDENCE, Rubric, Status, Verdict
from core.thoughts import without_thought

SCORE_KEYS = frozenset({"score", "relevanceScore"})
CONFIDENCE_KEYS = frozenset({"confidence", "confidenceLevel"})
REASON_KEYS = frozenset({"reason", "summaryStatement"})
DEEPEST = 50
"""Levels of an object; nobody who grades writes more."""
MOST_OBJECTS = 1_000
LONGEST_NUMBER = 20
LONGEST_REASON = 2_000
LONGEST_REFUSAL = 1_500
"""Characters; who writes more has not only refused."""
_OPENS = re.compile(r'\{\s*"')
_SIGN = re.compile(r'["{}]')
_IN_TEXT = re.compile(r'["\\]')
_FENCE = re.compile(r"[`~]*[A-Za-z0-9_+-]{0,20}")
_GOES_ON = re.compile(r"[,;]|[ \t]+[a-z]")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_REFUSAL = re.compile(
    r"(?:(?:i['’]m|i am|we['’]re|we are)? ?(?:very |so |truly )?sorry[,.]? ?(?:but )?|unfortunately, |apologies, but |"
    r"i apologi[sz]e,? but )?(?:i|we) (?:can['’]?t|cannot|can not|won['’]?t|will not|am unable to|['’]m unable to|"
    r"am not able to|must decline to|decline to|must refuse to|refuse to) "
    r"(?:help|assist|comply|continue|engage|fulfil|fulfill|process (?:this|that|your)|"
    r"(?:complete|answer|do|grade|judge|rate|respond to) (?:this|that|your))\b",
    re.IGNORECASE,
)
_UNABLE = re.compile(r"\b(i|we)['’](m|re) (unable|not able) to\b", re.IGNORECASE)


class _TwiceError(ValueError):
    """A key that comes twice."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An object in a text."""

    start: int
    end: int
    document: object
    """None: it is no JSON."""
    problem: str = ""


def read_answer(text: str, rubric: Rubric, *, has_abstract: bool) -> Verdict:
    """What an answer says, whatever it is; it never fails.

    A thought before it and fences around it are taken off. Read is the one object that holds a score: by itself, in
    one object more, or amid prose if it has all that was asked for and is not cited. Two scores, or a key twice, are
    no answer. A score is a whole number of the rubric; 84, 4.5, "4" and true are `invalid_scale`, and nothing is made
    of them. A confidence outside 0 to 10 is none; the grade counts.

    >>> from core.judging.types import Grade
    >>> rubric = Rubric("fit", "Fit", "Grade.", (), (Grade(0, "no", "It isn't."), Grade(1, "yes", "It is.")))
    >>> read_answer('{"score": 1, "confidence": 7, "reason": "Same words."}', rubric, has_abstract=True)
    Verdict(status='ok', points=1, confidence=7, reason='Same words.')
    >>> read_answer('{"score": 84}', rubric, has_abstract=True)
    Verdict(status='invalid_scale', points=None, confidence=None, reason='the score is 84: the rubric has 0 to 1')
    """
    answer = without_thought(text.replace("\ufeff", " "))
    if answer is None:
        return _invalid("a thought that broke off before an answer")
    answer = answer.strip()
    if not answer:
        return _invalid("an empty answer")
    fields = _fields(answer)
    if isinstance(fields, Verdict):
        return fields
    score = _only(fields, SCORE_KEYS)
    if type(score) is not int or score not in rubric.points:
        return _wrong_scale(score, rubric)
    status: Status = "ok" if has_abstract else "no_abstract"
    return Verdict(status, score, _confidence(fields), _reason(fields))


def _invalid(problem: str) -> Verdict:
    return Verdict("invalid_json", reason=problem)


# Objects in a text


def _fields(answer: str) -> dict[str, object] | Verdict:
    """The object that holds the grade, out of what it is wrapped in; or what is wrong."""
    graded: list[tuple[_Found, dict[str, object]]] = []
    found = None
    for place, found in enumerate(_objects(answer), start=1):
        if place > MOST_OBJECTS:
            return _invalid("an answer with very many objects")
        if found.problem:
            return _invalid(found.problem)
        n_scores = _n_scores(found.document)
        if n_scores > 1 or (n_scores and graded):
            return _invalid("an answer with several scores")
        if n_scores:
            fields = _unwrapped(found.document)
            if fields is None:
                return _invalid("a score deep inside other things")
            graded.append((found, fields))
    if not graded:
        return _without_score(answer, is_object=found is not None)
    (at, fields) = graded[0]
    before, after = answer[: at.start].rstrip(), answer[at.end :]
    if _is_alone(before, after.strip()):
        return fields
    if not (fields.keys() & CONFIDENCE_KEYS and fields.keys() & REASON_KEYS):
        return _invalid("an object amid prose that lacks a confidence or a reason")
    if _is_cited(before, after):
        return _invalid("an object that prose cites")
    return fields


def _objects(text: str) -> Iterator[_Found]:
    """Every balanced object that is in no other one, in order; one with a problem ends it."""
    opened = _OPENS.search(text)
    while opened is not None:
        end, deepest = _end_of(text, opened.start())
        if end is None:
            yield _Found(opened.start(), len(text), None, "JSON that breaks off")
            return
        if deepest > DEEPEST:
            yield _Found(opened.start(), end, None, "JSON too deep to be an answer")
            return
        yield _parsed(text[opened.start() : end], opened.start(), end)
        opened = _OPENS.search(text, end)


def _end_of(text: str, start: int) -> tuple[int | None, int]:
    """Where the object that begins here ends, and how deep it goes. Every sign is looked at once."""
    depth = deepest = 0
    at: int | None = start
    while at is not None and (sign := _SIGN.search(text, at)) is not None:
        if sign[0] == '"':
            at = _end_of_text(text, sign.end())
            continue
        depth += 1 if sign[0] == "{" else -1
        deepest = max(deepest, depth)
        at = sign.end()
        if depth == 0:
            return at, deepest
    return None, deepest


def _end_of_text(text: str, start: int) -> int | None:
    at = start
    while (sign := _IN_TEXT.search(text, at)) is not None:
        if sign[0] == '"':
            return sign.end()
        at = sign.end() + 1
    return None


def _parsed(piece: str, start: int, end: int) -> _Found:
    try:
        document = _DECODER.decode(piece)
    except _TwiceError:
        return _Found(start, end, None, "an answer with a key that comes twice")
    except (ValueError, RecursionError):
        return _Found(start, end, None, "broken JSON")
    return _Found(start, end, document)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise _TwiceError
    return table


def _whole(digits: str) -> int | float:
    """A number with very many digits is on no scale, and slow to read."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else math.inf


_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_once, parse_int=_whole)


def _n_scores(document: object) -> int:
    """How many scores stand anywhere in it."""
    n, todo = 0, [document]
    while todo:
        each = todo.pop()
        if isinstance(each, dict):
            n += len(SCORE_KEYS & each.keys())
            todo += each.values()
        elif isinstance(each, list):
            todo += each
    return n


def _unwrapped(document: object) -> dict[str, object] | None:
    """The object with the score, by itself or alone in one more."""
    if not isinstance(document, dict):
        return None
    if not SCORE_KEYS & document.keys() and len(document) == 1:
        (document,) = document.values()
    return document if isinstance(document, dict) and SCORE_KEYS & document.keys() else None


def _is_alone(before: str, after: str) -> bool:
    """Whether nothing but a fence stands around an object."""
    if not before:
        return not after or set(after) <= set("`~")
    fenced = before[0] in "`~" and _FENCE.fullmatch(before) is not None
    return fenced and (not after or set(after) <= set("`~"))


def _is_cited(before: str, after: str) -> bool:
    """Whether prose speaks of an object rather than ends or begins beside it."""
    quoted = before.endswith(('"', "'", "“", "‘", "„", "«", "”"))
    in_code = before.endswith("`") and not before.endswith("```")
    return quoted or in_code or _GOES_ON.match(after) is not None


def _without_score(answer: str, *, is_object: bool) -> Verdict:
    if is_object:
        return _invalid("an object without a score")
    if len(answer) <= LONGEST_REFUSAL and _REFUSAL.match(_UNABLE.sub(r"\1 am \3 to", answer)):
        return Verdict("refused", reason=_clean(answer))
    return _invalid("prose without an object")


# What stands in it


def _only(fields: dict[str, object], keys: frozenset[str]) -> object:
    """The value of one of these keys; None where there is none, or two that differ."""
    values = [fields[key] for key in sorted(keys & fields.keys())]
    return values[0] if len(values) == 1 else None


def _confidence(fields: dict[str, object]) -> int | None:
    value = _only(fields, CONFIDENCE_KEYS)
    return value if type(value) is int and 0 <= value <= HIGHEST_CONFIDENCE else None


def _reason(fields: dict[str, object]) -> str:
    value = _only(fields, REASON_KEYS)
    return _clean(value) if isinstance(value, str) else ""


def _clean(text: str) -> str:
    """One line, in signs that can be kept."""
    line = " ".join(_UNSEEN.sub(" ", text[: 2 * LONGEST_REASON].encode(errors="replace").decode()).split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} […]"


def _wrong_scale(score: object, rubric: Rubric) -> Verdict:
    """The message goes back to the judge, so it holds no text of the answer."""
    scale = f"the rubric has {rubric.points[0]} to {rubric.points[-1]}"
    return Verdict("invalid_scale", reason=f"the score is {_shown(score)}: {scale}")


def _shown(score: object) -> str:
    if score is None:
        return "missing"
    if isinstance(score, bool):
        return "true or false, and no number"
    if isinstance(score, str):
        return "a text, and no number"
    if isinstance(score, int | float):
        return f"{score}"[:30] if math.isfinite(score) else "a number beyond all scales"
    return "no number"
