"""Which way of asking for JSON a chat model takes: found out by asking, the strictest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Literal, get_args

from core.protocols import Answer
from data.completions import FILTERED, TOO_LONG
from data.embedders.retrying import Refused

Form = Literal["json_schema", "json_object", "plain"]
FORMS: tuple[Form, ...] = get_args(Form)
"""The strictest first; "plain" leaves it to the prompt."""
MOST_IN_VAIN = 3
"""Questions that got prose in every form, after which forms are taken for no use."""


@dataclass(eq=False)
class Forms:
    """What is known of one model. Threads may share it."""

    _first: Form = "json_schema"
    _has_worked: bool = False
    _n_in_vain: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def to_try(self) -> tuple[Form, ...]:
        """The strictest that may work, and the weaker ones after it."""
        return FORMS[FORMS.index(self._first) :]

    def has_worked(self, form: Form) -> bool:
        """Whether it once brought JSON: what goes wrong with it now has another cause."""
        return self._has_worked and form == self._first

    def worked(self, form: Form) -> None:
        """It brought JSON. A stricter one that did so before stays the first."""
        with self._lock:
            if not self._has_worked or FORMS.index(form) < FORMS.index(self._first):
                self._first, self._has_worked = form, True

    def in_vain(self) -> None:
        """One question got no JSON in any form."""
        with self._lock:
            self._n_in_vain += 1
            if not self._has_worked and self._n_in_vain >= MOST_IN_VAIN:
                self._first = "plain"


def response_format(form: Form, schema: Mapping[str, Any]) -> dict[str, Any]:
    """What goes with the question."""
    if form == "plain":
        return {}
    if form == "json_object":
        return {"response_format": {"type": "json_object"}}
    named = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def may_be_json(answer: Answer) -> bool:
    """Whether there is an object in it, though there may be prose around it."""
    return "{" in answer.text


def ended_otherwise(answer: Answer) -> bool:
    """Whether it has no JSON for a reason that another form would not mend."""
    return answer.finish in (TOO_LONG, FILTERED) or bool(answer.refusal)


def is_about_form(refused: Refused) -> bool:
    """Whether a refusal names the form of the answer, rather than the question."""
    words = f"{refused.words} {refused.code}".lower()
    return any(word in words for word in ("response_format", "response format", "json", "schema", "grammar"))
