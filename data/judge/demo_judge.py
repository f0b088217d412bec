"""The scripted demo judge: it counts words and is not a language model.

It demonstrates judging without a key. It reads the same prompt as a model, answers in the same form, uses only the
prompt, and gives the same answer to the same prompt. It ignores grammar (which word acts on which) and knows no
synonyms, so the weaknesses that the trust panel finds in it are real.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any

from core.protocols import Answer
from core.text import STOP_WORDS, are_near, between, code_in, listed, words
from data.query.index import Stems

DEMO_MODEL = "demo"
LABEL = "demo (not a language model)"
VERSION = "demo-judge-1"
LOST = "This is a scripted demo judge. It can only grade one publication for one query."
FORMS = (
    "{flat}",
    "```json\n{flat}\n```",
    '{{"paper_query_relevance": {published}}}',
    "Here is my judgment:\n\n```json\n{flat}\n```",
)
"""Forms of an answer where no schema is enforced, since models vary in that."""
ENOUGH = 10
"""Number of words of a long query that count as all of them."""
WINDOW = 5
"""Distance in words within which two words of the query count as neighbours."""
OF_ALL, OF_TITLE, OF_PAIRS = 0.55, 0.2, 0.25
"""Weights: words found anywhere, words found in the title, adjacent words of the query found near each other."""
STRETCH = 0.7
"""Exponent: few publications contain all words of a query, so the higher grades would rarely be given without it."""
MOST_NAMED = 5
_POINTS = re.compile(r"^([0-9]{1,3}) = ", re.MULTILINE)
_ASKING = frozenset(
    words("""
    paper papers publication publications article articles study studies work works research literature review find
    show compare different explain best recent new approach approaches method methods technique techniques way ways
    like looking need want please
    """)
)
"""Words used to ask, which say as little about the subject as stop words do."""


@dataclass(frozen=True, slots=True)
class _Seen:
    strength: float
    """0: no word in common; 1: all of them, also in the title, and next to each other."""
    held: tuple[str, ...]
    n_wanted: int


class ScriptedModel:
    """A scripted model, which answers with JSON in one of several forms, as models do, or that it can't answer."""

    model_id = DEMO_MODEL
    fingerprint: str
    forms: tuple[str, ...]
    lost: str
    """The answer to anything else than the questions it is made for."""

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        reply = self._reply(system, user)
        if reply is None:
            return _answer(system, user, self.lost)
        form = self.forms[sha256(user.encode()).digest()[0] % len(self.forms)]
        written = {name: json.dumps(value, ensure_ascii=False) for name, value in self._layouts(reply).items()}
        return _answer(system, user, form.format(**written))

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        reply = self._reply(system, user)
        if reply is None:
            return _answer(system, user, self.lost)
        keys = [key for key in schema.get("properties", reply) if key in reply]
        return _answer(system, user, json.dumps({key: reply[key] for key in keys}, ensure_ascii=False))

    def _reply(self, system: str, user: str) -> dict[str, Any] | None:
        raise NotImplementedError

    def _layouts(self, reply: dict[str, Any]) -> dict[str, Any]:
        """Return the objects that the forms may hold, by name."""
        return {"flat": reply}


class DemoJudge(ScriptedModel):
    """A judge that grades by how many of a query's words are in title and abstract, and how close together."""

    fingerprint = VERSION
    forms = FORMS
    lost = LOST

    def __init__(self) -> None:
        self._stem = Stems()

    def _layouts(self, reply: dict[str, Any]) -> dict[str, Any]:
        published = {"relevanceScore": "score", "confidenceLevel": "confidence", "summaryStatement": "reason"}
        return {"flat": reply, "published": {name: reply[key] for name, key in published.items()}}

    def _reply(self, system: str, user: str) -> dict[str, Any] | None:
        points = sorted(set(map(int, _POINTS.findall(system))))
        code = code_in(user)
        if not points or code is None or (query := between(user, "query", code)) is None:
            return None
        title, abstract = (between(user, name, code) or "" for name in ("title", "abstract"))
        seen = self._seen(query, title, abstract)
        place = min(int(seen.strength * len(points)), len(points) - 1)
        judged = {
            "score": points[place],
            "confidence": _confidence(seen, len(points), has_abstract=bool(abstract)),
            "reason": _reason(seen, has_abstract=bool(abstract)),
        }
        is_first = system.find('\n"reason": ') < system.find('\n"score": ')
        return {key: judged[key] for key in (("reason", "score", "confidence") if is_first else judged)}

    def _seen(self, query: str, title: str, abstract: str) -> _Seen:
        """Match the query's words. Rarity is unknown from one publication, so longer words weigh slightly more."""
        parts = [word for word in words(query) if word not in STOP_WORDS]
        parts = [word for word in parts if word not in _ASKING] or parts
        word_of = dict(zip(self._stem.of(parts), parts, strict=True))
        in_title = self._stems(title)
        there = [*in_title, *self._stems(abstract)]
        if not word_of or not there:
            return _Seen(0.0, (), len(word_of))
        weight_of = {stem: math.sqrt(len(stem)) for stem in word_of}
        places: dict[str, list[int]] = {}
        for place, stem in enumerate(there):
            if stem in weight_of:
                places.setdefault(stem, []).append(place)
        full = sum(sorted(weight_of.values(), reverse=True)[:ENOUGH])
        strength = (
            OF_ALL * min(1.0, sum(weight_of[stem] for stem in places) / full)
            + OF_TITLE * min(1.0, sum(weight_of[stem] for stem in places.keys() & set(in_title)) / full)
            + OF_PAIRS * _together(list(weight_of), places)
        )
        return _Seen(strength**STRETCH, tuple(word for stem, word in word_of.items() if stem in places), len(word_of))

    def _stems(self, text: str) -> list[str]:
        return self._stem.of(word for word in words(text) if word not in STOP_WORDS)


def _answer(system: str, user: str, text: str) -> Answer:
    n_asked = len(words(system)) + len(words(user))
    return Answer(text, LABEL, n_asked, len(words(text)), finish="stop")


def _together(stems: Sequence[str], places: Mapping[str, Sequence[int]]) -> float:
    """Return the share of adjacent query words that are near each other; `ENOUGH` words count as a whole query."""
    if len(stems) == 1:
        return float(stems[0] in places)
    n_near = sum(are_near(places.get(a, ()), places.get(b, ()), within=WINDOW) for a, b in pairwise(stems))
    return min(1.0, n_near / min(len(stems) - 1, ENOUGH - 1))


def _confidence(seen: _Seen, n_grades: int, *, has_abstract: bool) -> int:
    """Return the confidence: higher in the middle of a grade than near the next one, and lower without an abstract."""
    place = seen.strength * n_grades
    to_next = 1.0 if seen.strength == 0 else min(1.0, 2 * abs(place - round(place)))
    return max(0, round(5 + 5 * to_next) - (0 if has_abstract else 4))


def _reason(seen: _Seen, *, has_abstract: bool) -> str:
    where = "title and abstract hold" if has_abstract else "the title alone holds"
    if not seen.n_wanted:
        return "The query has no word to look for."
    if not seen.held:
        return f"Of {seen.n_wanted} words of the query {where} none."
    named = [*seen.held[:MOST_NAMED], *(["others"] if len(seen.held) > MOST_NAMED else [])]
    return f"Of {seen.n_wanted} words of the query {where} {len(seen.held)}: {listed(named)}."
