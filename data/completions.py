"""What a chat service sends: read, checked, and put into common words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.protocols import Answer
from data.embedders.answers import BadAnswer

TOO_LONG = "length"
FILTERED = "content_filter"
_ENDS = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), TOO_LONG),
    **dict.fromkeys(("content_filter", "content_filtered", "safety", "recitation", "blocklist"), FILTERED),
    **dict.fromkeys(("prohibited_content", "spii"), FILTERED),
    **dict.fromkeys(("eos", "end_turn", "stop_sequence"), "stop"),
}
"""Services differ in their words for why an answer ended; what is not here stays as it came."""


def read_completion(content: bytes, model: str) -> Answer:
    """What a service sent, checked. `model`: who was asked, for a service that does not say who answers."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as e:
        what = "a web page" if content.lstrip()[:1] == b"<" else "an answer that is cut off or no JSON"
        raise BadAnswer(what) from e
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BadAnswer("JSON without an answer")
    finish = _finish(choices[0].get("finish_reason"))
    message = choices[0].get("message")
    if message is None and finish in (TOO_LONG, FILTERED):
        message = {}
    if not isinstance(message, dict) or (text := _text(message.get("content"))) is None:
        raise BadAnswer("an answer that is no text")
    if finish == "error":
        raise BadAnswer("an answer that it calls an error")
    said = document.get("model")
    who = said if isinstance(said, str) and said else model
    return Answer(text, who, *_counted(document.get("usage")), finish, _word(message.get("refusal")))


def _text(content: object) -> str | None:
    """An answer may come in parts, of which some are thoughts; None: it is no text."""
    if isinstance(content, list):
        if not all(isinstance(part, dict) for part in content):
            return None
        said = [part.get("text") for part in content if part.get("type") in ("text", "output_text")]
        return "".join(map(_word, said)) if all(isinstance(each, str) for each in said) else None
    return content if isinstance(content, str) else None if content else ""


def _finish(value: object) -> str:
    word = _word(value).lower()
    return _ENDS.get(word) or _ENDS.get(word.partition(":")[0].strip()) or word


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _counted(usage: object) -> tuple[int | None, int | None]:
    counted: Mapping[str, Any] = usage if isinstance(usage, dict) else {}
    return _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens"))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None
