"""What an answer of a model says, read strictly: what may mean something else is refused, and never guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from core.knowledge.synthesis.names import holds_name
from core.knowledge.synthesis.prompts import MOST_WORDS
from core.knowledge.synthesis.records import Read
from core.text import words

LONGEST_LIST = 4_000
"""Characters of an answer with properties; who writes more has given no list."""
LONGEST_PROPERTY = 160
LONGEST_QUERY = 800
LONGEST_VERDICT = 600
YES, NO, UNSURE, UNREADABLE = "yes", "no", "unsure", "unreadable"
_FENCE = re.compile(r"\A```[a-zA-Z]*\s+(.*?)\s*```\Z", re.DOTALL)
_BULLET = re.compile(r"\A(?:[-*•–]|[0-9]{1,2}[.)])\s+")
_LABEL = re.compile(r"\A(?:the )?(?:search )?query(?: in other words)?\s*[:=]\s*", re.IGNORECASE)
_VERDICT = re.compile(
    r"\A(yes|no(?!t\b)|can(?:'|’)?t tell|can ?not tell|unsure|unknown)\b\s*(?:[.,;:!()–—-]|\n|\Z)", re.IGNORECASE
)
_OTHER = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+")


def _bare(answer: str) -> str:
    """Without what a model thought aloud before, and without the fence of a block of code."""
    text = answer.strip()
    if text.startswith("<think>"):
        text = text.partition("</think>")[2].strip()
    fenced = _FENCE.match(text)
    return (fenced[1] if fenced else text).strip()


def _clean(text: str) -> str:
    """One line of visible signs."""
    return " ".join(_UNSEEN.sub(" ", text.encode(errors="replace").decode()).split())


def _unquoted(text: str) -> str:
    for left, right in (('"', '"'), ("“", "”"), ("'", "'"), ("**", "**")):
        if len(text) > 2 * len(left) and text.startswith(left) and text.endswith(right):
            inner = text[len(left) : -len(right)]
            if left not in inner and right not in inner:
                return inner.strip()
    return text


# Properties


def read_properties(answer: str, title: str, most: int) -> Read:
    """Properties from a JSON list of texts, or from lines. Those that are too long, or hold the title, are left out.

    >>> read_properties('["green roofs", "Cool Roofs"]', "Cool roofs", 3).texts
    ('green roofs',)
    >>> read_properties("[3]", "Cool roofs", 3).refused
    'a list of something else than texts'
    """
    text = _bare(answer)
    if not text:
        return Read(refused="an empty answer")
    if len(text) > LONGEST_LIST:
        return Read(refused=f"an answer of more than {LONGEST_LIST:,} characters")
    found = _of_json(text) if text[:1] in ("[", "{") else _of_lines(text)
    if isinstance(found, str):
        return Read(refused=found)
    return _fit(found, title, most)


def _of_json(text: str) -> list[str] | str:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return "broken JSON"
    if isinstance(value, dict):
        value = next(iter(value.values())) if len(value) == 1 else None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return "a list of something else than texts"
    return list(value)


def _of_lines(text: str) -> list[str] | str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines[0].endswith(":") and len(lines) > 1:
        lines = lines[1:]
    found = [_BULLET.sub("", line) for line in lines]
    if any(len(words(line)) > 3 * MOST_WORDS for line in found):
        return "prose in the place of a list"
    return found


def _fit(found: Sequence[str], title: str, most: int) -> Read:
    kept: dict[str, str] = {}
    reasons: list[str] = []
    for each in found:
        text = _unquoted(_clean(each)).rstrip(".,;").strip()
        if reason := _unfit(text, title):
            reasons.append(reason)
        else:
            kept.setdefault(" ".join(words(text)), text)
    if not kept:
        return Read(refused=reasons[0] if reasons else "an empty list")
    return Read(tuple(kept.values())[:most])


def _unfit(text: str, title: str) -> str:
    n_words = max(len(words(text)), len(text.split()))
    if not words(text):
        return "a property of nothing"
    if n_words > MOST_WORDS or len(text) > LONGEST_PROPERTY:
        return f"a property of more than {MOST_WORDS} words"
    return "a property that holds the title of the answer" if holds_name(text, title) else ""


# Queries


def read_query(answer: str, title: str, names: Sequence[str] = ()) -> Read:
    """One query, by itself. It must not hold the answer's title; `names`: what it must hold.

    >>> read_query('Query: "Trees by Ito?"', "Shade").texts
    ('Trees by Ito?',)
    """
    text = _LABEL.sub("", _bare(answer))
    if text.startswith("{"):
        made = _only_text(text)
        return _checked(made, title, names) if made is not None else Read(refused="JSON with something else")
    if len(text) <= LONGEST_QUERY and len([line for line in text.splitlines() if line.strip()]) > 3:
        return Read(refused="an answer of several parts")
    return _checked(text, title, names)


def _only_text(text: str) -> str | None:
    """The one text in a JSON object with one value."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = list(value.values()) if isinstance(value, dict) else []
    return found[0] if len(found) == 1 and isinstance(found[0], str) else None


def _checked(found: str, title: str, names: Sequence[str]) -> Read:
    text = _unquoted(_clean(found))
    if not words(text):
        return Read(refused="an empty answer")
    if len(text) > LONGEST_QUERY:
        return Read(refused=f"a query of more than {LONGEST_QUERY:,} characters")
    if holds_name(text, title):
        return Read(refused="it holds the title of the answer")
    lost = [name for name in names if not holds_name(text, name)]
    return Read(refused=f"it leaves out {lost[0]}") if lost else Read((text,))


def missing_names(query: str, names: Sequence[str]) -> tuple[str, ...]:
    """Names that a query does not hold; one without any word can't be missed."""
    return tuple(name for name in names if words(name) and not holds_name(query, name))


# Verdicts


def read_verdict(answer: str) -> Read:
    """yes, no or unsure; a reason may follow, if it does not say yes or no itself.

    >>> [read_verdict(text).text for text in ("Yes.", "no - it lacks trees", "Can’t tell")]
    ['yes', 'no', 'unsure']
    >>> read_verdict("yes and no").refused
    'neither yes, no nor that it is not to be told'
    """
    text = _bare(answer)
    if len(text) > LONGEST_VERDICT:
        return Read(refused=f"an answer of more than {LONGEST_VERDICT:,} characters")
    if text.startswith("{"):
        text = _only_text(text) or ""
    text = _unquoted(text.replace("*", "").replace("`", "").strip())
    found = _VERDICT.match(text)
    if found is None or _OTHER.search(text[found.end() :]):
        return Read(refused="neither yes, no nor that it is not to be told")
    said = found[1].lower()
    return Read((said if said in (YES, NO) else UNSURE,))
