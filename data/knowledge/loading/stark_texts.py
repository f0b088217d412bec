"""What the entities of STaRK's knowledge bases say of themselves: title, text and attributes of each type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from data.knowledge.loading.saying import Describe, Described, attributes_of, encoded, first_said, in_lines, said

MOST_REVIEWS = 25
"""Of reviews, and of questions, as many as STaRK takes."""
Info = Mapping[Any, Any]
_NUMBERS = frozenset({"id", "new_id", "index", "type", "node_id"})
"""Its own place, under several names."""


def _by_name(*names: str) -> Describe:
    left_out = _NUMBERS | {*names[:1], "NormalizedName"}

    def describe(info: Info) -> Described:
        return first_said(info, *names), "", attributes_of(info, left_out)

    return describe


_PAPER = _NUMBERS | {"title", "abstract"}


def _paper(info: Info) -> Described:
    title = first_said(info, "title", "PaperTitle", "OriginalTitle", "DisplayName")
    return title, said(info.get("abstract")), attributes_of(info, _PAPER)


_PRODUCT = _NUMBERS | {"title", "description", "feature", "review", "qa"}


def _product(info: Info) -> Described:
    text = in_lines(
        (
            ("", said(info.get("description"))),
            ("Features", said(info.get("feature"))),
            *(("Review", _review(review)) for review in _some(info.get("review"))),
            *(("Question", _answered(question)) for question in _some(info.get("qa"))),
        )
    )
    return said(info.get("title")), text, attributes_of(info, _PRODUCT)


def _some(values: Any) -> list[Info]:
    return [value for value in values[:MOST_REVIEWS] if isinstance(value, dict)] if isinstance(values, list) else []


def _review(review: Info) -> str:
    return ". ".join(part for part in (said(review.get("summary")), said(review.get("reviewText"))) if part)


def _answered(question: Info) -> str:
    asked, answer = said(question.get("question")), said(question.get("answer"))
    return f"{asked} Answer: {answer}" if asked and answer else asked


def _of_prime(info: Info) -> Described:
    details = info.get("details")
    parts = details.items() if isinstance(details, dict) else [("", details)]
    text = in_lines((name.replace("_", " "), said(value)) for name, value in parts if _speaks(name))
    source = said(info.get("source"))
    return first_said(info, "name", "title"), text, encoded([("source", source)])


def _speaks(name: Any) -> bool:
    """Whether a detail is for people; the others are numbers of other data bases."""
    return type(name) is str and not name.startswith("_") and "_id" not in name


def _of_anything(info: Info) -> Described:
    names = ("title", "name", "DisplayName", "label")
    text = first_said(info, "text", "abstract", "description")
    return first_said(info, *names), text, attributes_of(info, _NUMBERS | {*names, "text", "abstract", "description"})


DESCRIBE: Mapping[str, Mapping[str, Describe]] = {
    "mag": {
        "paper": _paper,
        **{name: _by_name("DisplayName", "name") for name in ("author", "institution", "field_of_study")},
    },
    "amazon": {
        "product": _product,
        **{name: _by_name(f"{name}_name", "name") for name in ("brand", "category", "color")},
    },
    "prime": {},
}
"""By knowledge base and type."""


def describer(templates: str, type: str) -> Describe:
    """How entities of a type are read."""
    return DESCRIBE.get(templates, {}).get(type, _of_prime if templates == "prime" else _of_anything)
