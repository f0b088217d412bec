"""Check a rubric before it is used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from core.errors import InputError
from core.judge.judgments import Grade, Rubric
from core.text import listed

KEYS = ("rubric_id", "name", "task", "weigh", "grades", "shown_factor")
NEEDED = ("rubric_id", "name", "task", "grades")
GRADE_KEYS = ("points", "name", "text")
MOST_GRADES = 21
MOST_RULES = 40
MOST_SHOWN = 100
"""The highest displayed score can't exceed this."""
LONGEST_NAME = 120
LONGEST_TEXT = 4_000
LONGEST_RUBRIC = 40_000
"""Total characters of all texts: every request to the judge includes them."""
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u206f\ufeff]")


def check_rubric(document: object) -> Rubric:
    """Return the rubric that a document describes, or raise an error. Grades may be in any order.

    >>> check_rubric({"rubric_id": "fit", "name": "Fit", "task": "Grade.", "grades": []})
    Traceback (most recent call last):
        ...
    core.errors.InputError: a rubric needs at least 2 grades, got 0
    """
    if not isinstance(document, Mapping):
        raise InputError(f"a rubric must be a table of {listed(NEEDED)}, got {_kind(document)}")
    _check_keys(document, KEYS, NEEDED, "the rubric")
    rubric_id = _text(document["rubric_id"], "rubric_id", 64)
    if not _ID.fullmatch(rubric_id):
        raise InputError(
            f'rubric_id must be lower-case letters, digits and hyphens, such as "my-rubric", got "{rubric_id}"'
        )
    name = _text(document["name"], "the name of the rubric", LONGEST_NAME)
    task = _text(document["task"], "task", LONGEST_TEXT)
    weigh = _rules(document.get("weigh", []))
    grades = _grades(document["grades"])
    n = len(task) + sum(map(len, weigh)) + sum(len(grade.name) + len(grade.text) for grade in grades)
    if n > LONGEST_RUBRIC:
        raise InputError(f"the texts of a rubric can have at most {LONGEST_RUBRIC:,} characters together, got {n:,}")
    return Rubric(rubric_id, name, task, weigh, grades, _factor(document.get("shown_factor", 1), grades))


def rubric_form(rubric: Rubric) -> dict[str, Any]:
    """Return a rubric in the form that `check_rubric` reads and files store."""
    grades = [{"points": grade.points, "name": grade.name, "text": grade.text} for grade in rubric.grades]
    return {
        "rubric_id": rubric.rubric_id,
        "name": rubric.name,
        "shown_factor": rubric.shown_factor,
        "task": rubric.task,
        "weigh": list(rubric.weigh),
        "grades": grades,
    }


def _check_keys(table: Mapping[Any, Any], known: Sequence[str], needed: Sequence[str], what: str) -> None:
    unknown = [str(key)[:40] for key in table if key not in known]
    if unknown:
        raise InputError(f'{what} has an unknown key "{unknown[0]}": use {listed(known)}')
    for key in needed:
        if key not in table:
            raise InputError(f'{what} has no "{key}"')


def _rules(given: object) -> tuple[str, ...]:
    if not isinstance(given, list | tuple):
        raise InputError(f"weigh must be a list of texts, one rule each, got {_kind(given)}")
    if len(given) > MOST_RULES:
        raise InputError(f"a rubric can have at most {MOST_RULES} rules to weigh, got {len(given):,}")
    return tuple(_text(rule, f"rule {place} of weigh", LONGEST_TEXT) for place, rule in enumerate(given, start=1))


def _grades(given: object) -> tuple[Grade, ...]:
    if not isinstance(given, list | tuple):
        raise InputError(f"grades must be a list of tables with {listed(GRADE_KEYS)}, got {_kind(given)}")
    if len(given) < 2:
        raise InputError(f"a rubric needs at least 2 grades, got {len(given)}")
    if len(given) > MOST_GRADES:
        raise InputError(f"a rubric can have at most {MOST_GRADES} grades, got {len(given):,}")
    grades = sorted((_grade(each, place) for place, each in enumerate(given, start=1)), key=lambda each: each.points)
    for points, n in Counter(grade.points for grade in grades).items():
        if n > 1:
            same = [f'"{grade.name}"' for grade in grades if grade.points == points]
            raise InputError(f"{n} grades have points {points}: {listed(same)}. Give each its own points")
    for lower, higher in pairwise(grades):
        if higher.points != lower.points + 1:
            raise InputError(
                f"points go from {lower.points} to {higher.points}, but must rise by one: add a grade with points "
                f"{lower.points + 1}"
            )
    for name, n in Counter(grade.name.casefold() for grade in grades).items():
        if n > 1:
            raise InputError(f'{n} grades are called "{name}": give each its own name')
    return tuple(grades)


def _grade(given: object, place: int) -> Grade:
    what = f"grade {place} of the list"
    if not isinstance(given, Mapping):
        raise InputError(f"{what} must be a table with {listed(GRADE_KEYS)}, got {_kind(given)}")
    _check_keys(given, GRADE_KEYS, GRADE_KEYS, what)
    points = given["points"]
    if type(points) is not int:
        raise InputError(f"the points of {what} must be a whole number, got {_kind(points)}")
    if not 0 <= points <= MOST_SHOWN:
        raise InputError(f"the points of {what} must be in [0, {MOST_SHOWN}], got {_short(points)}")
    name = _text(given["name"], f"the name of {what}", LONGEST_NAME)
    return Grade(points, name, _text(given["text"], f"the text of {what}", LONGEST_TEXT))


def _factor(given: object, grades: Sequence[Grade]) -> int:
    if type(given) is not int:
        raise InputError(f"shown_factor must be a whole number, got {_kind(given)}")
    if given < 1:
        raise InputError(f"shown_factor must be 1 or more, got {_short(given)}")
    highest = grades[-1].points
    if highest * given > MOST_SHOWN:
        raise InputError(
            f"shown_factor times the highest points must be at most {MOST_SHOWN}, got {_short(given)} times {highest}"
        )
    return given


def _text(given: object, what: str, longest: int) -> str:
    if not isinstance(given, str):
        raise InputError(f"{what} must be a text, got {_kind(given)}")
    if len(given) > longest:
        raise InputError(f"{what} can have at most {longest:,} characters, got {len(given):,}")
    text = " ".join(_UNSEEN.sub(" ", given.encode(errors="replace").decode()).split())
    if not text:
        raise InputError(f"{what} is empty")
    return text


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**12 else "a number with many digits"


def _kind(given: object) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    if given is None:
        return "nothing"
    if isinstance(given, str):
        return f'"{given[:40]}"' if given else "an empty text"
    if isinstance(given, int | float):
        return _short(given) if isinstance(given, int) else str(given)
    return "a table" if isinstance(given, Mapping) else "a list" if isinstance(given, list | tuple) else "another kind"
