"""Messages of the product, compared with one snapshot: a change of wording is one reviewed diff.

A test states the error's class and the facts; the words are in messages.json, under the test's id and in the order
in which the test compares them. After a change of wording, write them again and review the diff:

    QUERYSCAPE_WRITE_MESSAGES=1 python -m pytest PATHS -n 0
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

SNAPSHOT = Path(__file__).with_name("messages.json")
WRITING = "QUERYSCAPE_WRITE_MESSAGES"
_CHANGING = (
    (rf"{re.escape(tempfile.gettempdir())}/pytest-of-[^/]+/pytest-\d+/(popen-gw\d+/)?[^/\s\"”]+", "FOLDER"),
    (r"(?<=localhost:|127.0.0.1:)(3[2-9]|[456]\d)\d{3}\b", "PORT"),
    (r"\b(?=[a-f]*\d)[0-9a-f]{12,}\b", "ID"),
)
"""What has another name in each run: folders of tests, ports of test servers, and ids."""

Refused = TypeVar("Refused", bound=Exception)

_compared: defaultdict[str, list[str]] = defaultdict(list)


@contextmanager
def refusal(kind: type[Refused] | tuple[type[Refused], ...]) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Expect an error of this class with the message that the snapshot holds."""
    with pytest.raises(kind) as caught:
        yield caught
    assert_message(str(caught.value))


def assert_message(*texts: str) -> None:
    """Compare texts with the snapshot's for this test."""
    test = os.environ["PYTEST_CURRENT_TEST"].rpartition(" (")[0]
    for text in texts:
        compared = _compared[test]
        compared.append(_steady(text))
        if os.environ.get(WRITING):
            _write(test, compared)
            continue
        kept = _kept().get(test, [])
        at = len(compared) - 1
        assert at < len(kept), f"no message {at + 1} of this test in {SNAPSHOT.name}; set {WRITING}=1 to write it"
        assert compared[at] == kept[at], f"{compared[at]!r} where {SNAPSHOT.name} holds {kept[at]!r}"


def _steady(text: str) -> str:
    """Return a message with names that stay from run to run."""
    for pattern, name in _CHANGING:
        text = re.sub(pattern, name, text)
    return text


@cache
def _kept() -> dict[str, list[str]]:
    return json.loads(SNAPSHOT.read_text("utf-8")) if SNAPSHOT.exists() else {}


def _write(test: str, texts: list[str]) -> None:
    kept = _kept()
    kept[test] = list(texts)
    text = json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False)
    SNAPSHOT.write_text(text + "\n", "utf-8")
