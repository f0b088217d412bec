"""Dimensions: fields are chosen next to the search box, not in the search string; its search language has indexes."""

import re
from typing import NamedTuple

from core.query.dialects.base import Dialect
from core.query.tree import ANY_ENDING, EVERY_FIELD, TEXT_FIELDS, Gap

DIMENSIONS = Dialect(
    id="dimensions",
    label="Dimensions",
    reference="Dimensions Search Language, full-text searching, Digital Science",
    capitals_only=True,
    wildcards={"*": ANY_ENDING, "?": Gap(1, 1)},
    wildcard_in_phrase=False,
    window="tilde",
    untagged=TEXT_FIELDS,
)
INDEXES = {
    "title_only": ("title",),
    "title_abstract_only": ("title", "abstract"),
    "authors": ("author",),
    "raw_affiliations": ("affiliation",),
    "full_data": EVERY_FIELD,
    "full_data_exact": EVERY_FIELD,
}
"""The indexes of the search language, and their fields."""

_SEARCH = re.compile(
    r'\s*search\s+publications\b(?:\s+in\s+(?P<index>\w+))?(?P<before>[^\n]*?)\s+for\s+"(?P<query>(?:[^"\\]|\\.)*)"'
    r"(?P<behind>.*)",
    re.IGNORECASE | re.DOTALL,
)
_WHERE = re.compile(r"\bwhere\s+(.*?)(?=\s+return\b|\s*$)", re.IGNORECASE | re.DOTALL)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_ESCAPED = re.compile(r'\\"(~\d+|\*)?')


class Condition(NamedTuple):
    start: int
    end: int
    text: str


class DimensionsSearch(NamedTuple):
    """A search string in the search language of Dimensions."""

    text: str
    """The text, character for character, with plain quotes where they were escaped."""
    start: int
    end: int
    """The position of the search string in the text."""
    looks_in: str
    conditions: tuple[Condition, ...]


def unwrapped(text: str) -> DimensionsSearch | None:
    """Read a text in the search language; None: it is a plain search string.

    >>> found = unwrapped('search publications in title_only for "\\\\"heat wave\\\\" OR ice" where year >= 2010')
    >>> found.text[found.start : found.end], found.looks_in, [each.text for each in found.conditions]
    (' "heat wave"  OR ice', 'title_only', ['year >= 2010'])
    """
    found = _SEARCH.fullmatch(text)
    if found is None:
        return None
    conditions: list[Condition] = []
    for part in ("before", "behind"):
        for where in _WHERE.finditer(text, found.start(part), found.end(part)):
            start = where.start(1)
            for between in (*_AND.finditer(text, start, where.end(1)), None):
                end = between.start() if between else where.end(1)
                conditions.append(Condition(start, end, text[start:end]))
                start = between.end() if between else end
    start, end = found.span("query")
    return DimensionsSearch(
        text[:start] + _unescaped(found["query"]) + text[end:], start, end, found["index"] or "", tuple(conditions)
    )


def _unescaped(written: str) -> str:
    """Replace escaped quotes with plain ones, and each backslash with a space outside the quotes."""
    is_open = False

    def typed(found: re.Match[str]) -> str:
        nonlocal is_open
        is_open = not is_open
        return ' "' if is_open else f'"{found[1] or ""} '

    return _ESCAPED.sub(typed, written)
