"""JSON lines as BEIR has them: an id, a title and a text for each document, an id and a text for each query."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.ranking.check import Document, Query
from data.collections.lines import TextFile
from data.collections.parts import CollectionPart, Kind, Role, clean_text

_IDS = ("_id", "id", "doc_id", "docid", "query_id", "qid")
_TEXTS = ("text", "contents", "abstract", "query", "question", "body")
LONGEST_LABEL = 60
MOST_LABELS = 20
"""Of a query's metadata, what is short enough to group queries by."""
LIKE = 0.4
"""Share of the first lines that have to be objects with an id."""
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def parsed(line: str) -> dict[str, Any] | str:
    """The object in a line; or why there is none."""
    try:
        value = _DECODER.decode(line.strip())
    except json.JSONDecodeError as e:
        return f"no valid JSON ({e.msg[:1].lower()}{e.msg[1:].removesuffix(' starting at')}, column {e.colno:,})"
    except (ValueError, RecursionError):
        return "no valid JSON (a number or a nesting too large to read)"
    return value if isinstance(value, dict) else "no JSON object"


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if name in value and value[name] is not None), None)


def _id_of(value: Mapping[str, Any]) -> str | None:
    own_id = _first(value, _IDS)
    if isinstance(own_id, bool) or not isinstance(own_id, str | int):
        return None
    return clean_text(str(own_id)) or None


def labels_of(metadata: object) -> tuple[tuple[str, str], ...]:
    """What a query's metadata say of it in a word or two, with names as a person reads them.

    >>> labels_of({"query_type": "How To", "history": "long " * 50, "n": 3})
    (('query type', 'How To'),)
    """
    if not isinstance(metadata, Mapping):
        return ()
    short = [
        (clean_text(" ".join(str(name).replace("_", " ").split())), clean_text(value))
        for name, value in metadata.items()
        if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_LABEL and len(str(name)) <= LONGEST_LABEL
    ]
    return tuple(short[:MOST_LABELS])


def _read(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    for number, line in file.lines():
        if not line or line.isspace():
            continue
        value = parsed(line)
        yield number, value if isinstance(value, str) else _item(value, role)


def _item(value: Mapping[str, Any], role: Role) -> Document | Query | str:
    own_id = _id_of(value)
    if own_id is None:
        return "it has no id (_id)"
    text, title = _first(value, _TEXTS), value.get("title")
    if not isinstance(text, str | None) or not isinstance(title, str | None):
        return f"the title or text of “{own_id[:60]}” is no text"
    text, title = clean_text(text or ""), clean_text(title or "")
    if role == "documents":
        return Document(own_id, title, text)
    return Query(own_id, text or title, labels_of(value.get("metadata")))


def sample(head: str) -> list[dict[str, Any]]:
    """The first objects that can be read."""
    found = (parsed(line) for line in _first_lines(head))
    return [value for value in found if isinstance(value, dict)]


def _first_lines(head: str) -> list[str]:
    return [line for line in head.split("\n")[:50] if line.strip()]


def _fits(head: str) -> bool:
    """Whether enough lines are objects with an id; others are damaged."""
    n_with_id = sum(_id_of(value) is not None for value in sample(head))
    return n_with_id > 0 and n_with_id >= LIKE * len(_first_lines(head))


JSON_LINES = Kind("json_lines", "JSON lines", "either", _fits, _read)
