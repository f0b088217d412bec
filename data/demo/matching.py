"""Runs the Boolean text of a demo query over title and abstract.

Only what the demo queries use: AND, OR, brackets, "quoted phrases", a trailing * on a word or on the last word of a
phrase. AND and OR side by side need brackets, so that no rule of precedence is taken for granted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.errors import InputError
from core.text import tokens

_PART = re.compile(r'[()]|"[^"]+"|[^\s()"]+')


@dataclass(frozen=True)
class Term:
    """A word or a phrase."""

    text: str
    """As written, with quotes and *."""

    def matches(self, words: str) -> bool:
        """Whether it occurs in `words`, which `words_of` made."""
        end = "" if self.text.rstrip('"').endswith("*") else " "
        return f" {' '.join(tokens(self.text))}{end}" in words


@dataclass(frozen=True)
class Group:
    """Parts of which all (AND) or one (OR) must match."""

    operator: Literal["AND", "OR"]
    parts: tuple[Term | Group, ...]

    def matches(self, words: str) -> bool:
        """Whether the text with these words is retrieved."""
        return (all if self.operator == "AND" else any)(part.matches(words) for part in self.parts)


def words_of(text: str) -> str:
    """The text as words between single spaces, which is what terms are looked up in.

    >>> words_of("Street trees, in 2019")
    ' street trees in 2019 '
    """
    return f" {' '.join(tokens(text))} "


def parse_boolean(text: str) -> Term | Group:
    """The query as a tree.

    >>> query = parse_boolean('(tree* OR "leaf cover") AND heat')
    >>> query.matches(words_of("Treeless places and heat")), query.matches(words_of("Covered leaf, heat"))
    (True, False)
    """
    if _PART.sub("", text).strip():
        raise InputError(f"a quote is not closed in the query: {text}")
    parts = _PART.findall(text)
    node = _parse_group(parts)
    if parts:
        raise InputError(f"one closing bracket too many in the query: {text}")
    return node


def failing_parts(query: Term | Group, text: str) -> tuple[Term | Group, ...]:
    """Which AND parts keep a text from being retrieved; none if it is retrieved."""
    words = words_of(text)
    parts = query.parts if isinstance(query, Group) and query.operator == "AND" else (query,)
    return tuple(part for part in parts if not part.matches(words))


def _parse_group(parts: list[str]) -> Term | Group:
    """One level of brackets; takes what it reads from the front of `parts`."""
    nodes = [_parse_one(parts)]
    operators = set()
    while parts and parts[0] != ")":
        operators.add(parts.pop(0))
        nodes.append(_parse_one(parts))
    if len(nodes) == 1:
        return nodes[0]
    if operators == {"AND"}:
        return Group("AND", tuple(nodes))
    if operators == {"OR"}:
        return Group("OR", tuple(nodes))
    raise InputError(f"expected only AND or only OR between terms, got {' '.join(sorted(operators))}: add brackets")


def _parse_one(parts: list[str]) -> Term | Group:
    if not parts or parts[0] in (")", "AND", "OR"):
        raise InputError(f"a term is missing before {parts[0] if parts else 'the end'!r} in the query")
    part = parts.pop(0)
    if part != "(":
        return Term(part)
    node = _parse_group(parts)
    if not parts:
        raise InputError("a closing bracket is missing in the query")
    parts.pop(0)
    return node
