"""Limits and restrictions in a search string: years, languages, kinds of publication and the like, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.query.tree import Heading, Node, Not, ParsedQuery, Range, Term, parts_of, walk
from core.types import Ids

_KINDS = {
    "language": "language",
    "publication_type": "kind of publication",
    "journal": "journal",
    "affiliation": "affiliation",
    "year": "publication years",
    "other": "filter or other field",
}
"""Fields that restrict what is found without saying what it is about."""
_CHECK_TAGS = {
    "humans": "humans or animals",
    "animals": "humans or animals",
    "male": "sex",
    "female": "sex",
    "adult": "age",
    "child": "age",
    "infant": "age",
    "adolescent": "age",
    "aged": "age",
}
"""Headings that a thesaurus gives to nearly everything, so that they are used as limits."""
Fate = Callable[[int, int, Node | None], str]
"""From the first number of a limit, the number after its last, and its node, to whether it was applied, as a sentence
goes on after a semicolon. Without a node: (start, end) of the text."""


def limits_in(parsed: ParsedQuery, fate: Fate) -> Ids:
    """Each limit with the words of the string, and whether it was applied.

    >>> from core.query.reading.parse import parse
    >>> limits_in(parse("heat[tiab] AND english[la] AND 2018:2020[dp]", "pubmed"), lambda *_: "sent with the string")
    ('language: “english[la]”; sent with the string', 'publication years: “2018:2020[dp]”; sent with the string')
    """
    found = [
        f"{kind}{', taken out with NOT' if is_excluded else ''}: “{_flat(node.extent.of(parsed.text))}”; "
        f"{fate(number, number + _size(node), node)}"
        for number, node, kind, is_excluded in _limits(parsed)
    ]
    idle = [line.span for line in parsed.lines if not line.used]
    left = [
        f"“{_flat(finding.span.of(parsed.text))}”; {fate(finding.span.start, finding.span.end, None)}"
        for finding in parsed.findings
        if finding.rule == "limit-left-out" and "same as line" not in finding.message
        if not any(span.start <= finding.span.start < span.end for span in idle)
    ]
    return tuple(dict.fromkeys([*found, *left]))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _limits(parsed: ParsedQuery) -> Iterator[tuple[int, Node, str, bool]]:
    """The largest parts of the string that hold nothing but limits of one kind, with their numbers."""
    if parsed.root is None:
        return
    stack = [(0, parsed.root, False)]
    while stack:
        number, node, is_excluded = stack.pop()
        if isinstance(node, Not):
            stack.append((number + 1, node.part, not is_excluded))
            continue
        kinds = {_kind(leaf) for leaf in walk(node) if not parts_of(leaf)}
        if len(kinds) == 1 and (kind := next(iter(kinds))):
            yield number, node, kind, is_excluded
            continue
        below, at = [], number + 1
        for part in parts_of(node):
            below.append((at, part, is_excluded))
            at += _size(part)
        stack.extend(reversed(below))


def _kind(leaf: Node) -> str:
    """What sort of limit a leaf is; empty: none."""
    if isinstance(leaf, Range):
        return "publication years"
    if isinstance(leaf, Heading):
        return _CHECK_TAGS.get(leaf.name.casefold(), "")
    if isinstance(leaf, Term) and leaf.fields and all(field in _KINDS for field in leaf.fields):
        return _KINDS[leaf.fields[0]]
    return ""


def _size(node: Node) -> int:
    return sum(1 for _ in walk(node))
