"""Plain Boolean queries over title and abstract.

All words of a line must occur, unless OR stands between them; "quotes" make a phrase, NOT excludes, brackets group, and
a trailing * stands for any ending. AND and OR side by side need brackets, so that no rule of precedence is taken for
granted. What this small language can't say is refused with a reason, never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.errors import InputError
from core.text import tokens

Operator = Literal["AND", "OR", "NOT"]
OPERATORS: dict[str, Operator] = {"AND": "AND", "OR": "OR", "NOT": "NOT"}
DEEPEST = 50
"""Brackets within brackets: more than this is a slip, not a query."""
LONGEST_SHOWN = 60
"""Characters of a part that a message repeats."""

_PART = re.compile(r'[()]|"[^"]*"\*?|[^\s()"]+')
_PROXIMITY = re.compile(r"(NEAR|ADJ|W|N|PRE)/\d+|(NEAR|ADJ)\d+|(?-i:NEAR|ADJ)", re.IGNORECASE)
_FIELD = re.compile(
    r".*[\[\]].*|(ti|ab|tiab|ts|tw|title|abstract|all)[:=].*|title-abs(-key)?|.*\.(ti|ab|tw|kw|mp)(,\w\w)*\.?",
    re.IGNORECASE | re.DOTALL,
)
"""As PubMed, Web of Science, Scopus and Ovid write them: heat[ti], TI=heat, TITLE-ABS(heat), heat.ti,ab."""


@dataclass(frozen=True)
class Term:
    """A word or a phrase."""

    text: str
    """As written, with quotes and *."""

    @cached_property
    def looked_up(self) -> str:
        """What has to occur in `words_of` a text."""
        end = "" if self.text.rstrip('"').endswith("*") else " "
        return f" {' '.join(tokens(self.text))}{end}"

    def matches(self, words: str) -> bool:
        """Whether it occurs in `words`, which `words_of` made."""
        return self.looked_up in words


@dataclass(frozen=True)
class Group:
    """Parts of which all (AND), one (OR) or none (NOT, of a single part) must match."""

    operator: Operator
    parts: tuple[Term | Group, ...]

    def matches(self, words: str) -> bool:
        """Whether the text with these words is retrieved."""
        if self.operator == "NOT":
            return not self.parts[0].matches(words)
        return (all if self.operator == "AND" else any)(part.matches(words) for part in self.parts)


Query = Term | Group


def words_of(text: str) -> str:
    """The text as words between single spaces, which is what terms are looked up in.

    >>> words_of("Street trees, in 2019")
    ' street trees in 2019 '
    """
    return f" {' '.join(tokens(text))} "


def parse_boolean(text: str) -> Query:
    """The query as a tree; an `InputError` says what is wrong with it.

    >>> query = parse_boolean('(tree* OR "leaf cover") heat NOT winter')
    >>> [query.matches(words_of(t)) for t in ("Treeless places and heat", "Covered leaf, heat", "Trees, heat, winter")]
    [True, False, False]
    """
    if not text.strip():
        raise InputError("the query is empty: type at least one word")
    text = text.replace("“", '"').replace("”", '"')
    if text.count('"') % 2:
        raise InputError("a quote is not closed in the query")
    parts = _PART.findall(text)
    query = _parse_group(parts, depth=0)
    if parts:
        raise InputError("one closing bracket too many in the query")
    return query


def failing_parts(query: Query, text: str) -> tuple[Query, ...]:
    """Which AND parts keep a text from being retrieved; none if it is retrieved."""
    words = words_of(text)
    parts = query.parts if isinstance(query, Group) and query.operator == "AND" else (query,)
    return tuple(part for part in parts if not part.matches(words))


def _operator(part: str) -> Operator | None:
    return OPERATORS.get(part.upper())


def _parse_group(parts: list[str], depth: int) -> Query:
    """One level of brackets; takes what it reads from the front of `parts`."""
    if depth > DEEPEST:
        raise InputError(f"the query has more than {DEEPEST} brackets within brackets")
    nodes = [_parse_one(parts, depth)]
    operators: set[Operator] = set()
    while parts and parts[0] != ")":
        operator = _operator(parts[0])
        if operator in ("AND", "OR"):
            parts.pop(0)
        operators.add("OR" if operator == "OR" else "AND")
        nodes.append(_parse_one(parts, depth))
    if len(nodes) == 1:
        return nodes[0]
    if len(operators) > 1:
        raise InputError("AND and OR stand side by side in the query: add brackets to say what belongs together")
    return Group(operators.pop(), tuple(nodes))


def _parse_one(parts: list[str], depth: int) -> Query:
    if not parts or parts[0] == ")" or _operator(parts[0]) in ("AND", "OR"):
        raise InputError(f"a term is missing before {parts[0] if parts else 'the end'} in the query")
    part = parts.pop(0)
    if _operator(part) == "NOT":
        if depth > DEEPEST:
            raise InputError(f"the query has more than {DEEPEST} NOTs in a row")
        return Group("NOT", (_parse_one(parts, depth + 1),))
    if part != "(":
        return _term(part)
    node = _parse_group(parts, depth + 1)
    if not parts:
        raise InputError("a closing bracket is missing in the query")
    parts.pop(0)
    return node


def _term(part: str) -> Term:
    inside = part.rstrip("*").strip('"').rstrip("*")
    shown = " ".join(part.split())
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
    if not tokens(inside):
        raise InputError(f"{shown} holds no word to look for")
    if _PROXIMITY.fullmatch(part):
        raise InputError(f"{shown} is not understood yet: words that stand close to each other can't be asked for")
    if "*" in inside or "?" in inside or "$" in inside:
        raise InputError(f"{shown}: a wildcard can only be a * at the end of a word")
    if part.startswith("-"):
        raise InputError(f"{shown}: write NOT before what must not occur")
    if _FIELD.fullmatch(inside):
        raise InputError(f"{shown}: fields are not understood yet; title and abstract are searched")
    return Term(part)
