"""The scripted demo model that proposes keywords: it counts words and is not a language model."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from core.fencing import between, code_in
from core.protocols import Answer
from core.text import STOP_WORDS, words

DEMO_MODEL = "demo"
LABEL = "demo (not a language model)"
NOTE = "demo is not a language model: it counts words and phrases in the publications that it is given"
VERSION = "demo-keywords-1"
LOST = "This is a scripted demo model. It can only propose keywords for a search string."


class DemoWriterModel:
    """Proposes the words and phrases that most of the publications in a prompt have."""

    model_id = DEMO_MODEL
    fingerprint = VERSION

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """Keywords as JSON, or that there is nothing to read."""
        return _answer(system, user, _said(user))

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """Keywords in the form that is asked for."""
        return _answer(system, user, _said(user))


def _said(user: str) -> str:
    code = code_in(user)
    if code is None or between(user, "topic", code) is None:
        return LOST
    n_with: Counter[str] = Counter()
    for text in re.findall(rf"^\[publication \d+ {code}\]\n(.*?)\n\[end of publication", user, re.M | re.S):
        found = words(text)
        n_with.update({f"{a} {b}" for a, b in zip(found, found[1:], strict=False) if not {a, b} & STOP_WORDS})
    rows = [
        {"keyword": text, "reason": f"In {n} of the publications.", "list": "specific"}
        for text, n in n_with.most_common(30)
    ]
    return json.dumps({"keywords": rows})


def _answer(system: str, user: str, text: str) -> Answer:
    return Answer(text, LABEL, len(words(system)) + len(words(user)), len(words(text)), finish="stop")
