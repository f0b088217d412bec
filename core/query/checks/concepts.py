"""Checks of concepts: AND between alternatives, NOT of animals, and missing operators or lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations, islice

from core.query.checks.names import (
    MOST_NAMES,
    ConceptNames,
    NameIdentity,
    alike_names,
    name_of,
    names_in,
    names_one_concept,
    no_identity,
)
from core.query.checks.outline import GroupMember, QueryOutline, quoted
from core.query.tree import (
    Edit,
    Finding,
    Fix,
    Group,
    Heading,
    Line,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Span,
    Term,
    all_joined,
    parts_of,
)

# AND between parts of one concept.

MOST_COMPARED = 12
"""Maximum number of parts of an AND that are compared with each other."""
FEWEST_SINGLE = 4
"""Minimum number of lines for which an AND is suspicious, if most are one term."""
SHARE_SINGLE = 0.5
_REFERENCES = re.compile(r"[\s()#S]*\d+([\s()]+AND[\s()#S]+\d+)+[\s()]*|\s*AND/[\d\s,-]+", re.IGNORECASE)
_AND = re.compile(r"(?<![^\W_])AND(?![^\W_])", re.IGNORECASE)


def ands_within_concepts(outline: QueryOutline, identity: NameIdentity = no_identity) -> Iterator[Finding]:
    """Report 1 and 2, or and/1-5, if the lines or parts are alternatives. `identity`: of a name in a thesaurus."""
    reported: set[int] = set()
    for group in outline.nodes:
        if isinstance(group, Group) and group.operator == "AND" and _are_single_lines(outline, group):
            reported.add(id(group))
            message = (
                f"Most of these {len(group.parts)} lines hold one term, and all must match. "
                "Join them with OR if they are alternatives."
            )
            yield Finding("and-within-concept", "warning", group.span, message, _references_as_or(outline, group))
    known: dict[int, ConceptNames] = {}
    for group, members in outline.groups():
        if group.operator != "AND":
            continue
        members = [m for m in members if not isinstance(m.node, Not | Range) and id(m.above) not in reported]
        if 2 <= len(members) <= MOST_COMPARED:
            yield from _and_within_concept(outline, group, members, known, identity)


def _and_within_concept(
    outline: QueryOutline,
    group: Group,
    members: list[GroupMember],
    known: dict[int, ConceptNames],
    identity: NameIdentity,
) -> Iterator[Finding]:
    for one, other in combinations(members, 2):
        alike = alike_names(names_in(one.node, known), names_in(other.node, known), identity)
        joint = one.above if one.above is other.above else group
        if alike and not _is_reported(outline, one.node, other.node) and _has_and(outline, joint, one, other):
            a, b = (quoted(outline, name.leaf.span) for name in alike)
            message = f"{a} and {b} name one concept, but both must match. Join them with OR if they are alternatives."
            span = _span_of(joint, one, other)
            yield Finding("and-within-concept", "warning", span, message, _as_or(outline, joint, one, other))
            return


def _are_single_lines(outline: QueryOutline, group: Group) -> bool:
    """Return True if the AND joins many lines, and most of them are one term, heading or proximity."""
    if len(group.parts) < FEWEST_SINGLE or not _REFERENCES.fullmatch(group.span.of(outline.clean)):
        return False
    n_single = sum(isinstance(part, Heading | Near | Term) for part in group.parts)
    return n_single > len(group.parts) * SHARE_SINGLE


def _is_reported(outline: QueryOutline, one: Node, other: Node) -> bool:
    """Return True if other rules report the pair: equal parts, or one that is part of the other."""
    if outline.alike(one) == outline.alike(other):
        return True
    pairs = ((one, outline.alike(other)), (other, outline.alike(one)))
    return any(isinstance(a, Group) and any(outline.alike(part) == b for part in a.parts) for a, b in pairs)


def _has_and(outline: QueryOutline, group: Group, one: GroupMember, other: GroupMember) -> bool:
    """Return True if AND is written; `adjacent-terms` reports a missing operator."""
    between = outline.clean[one.node.extent.end : other.node.extent.start]
    inside = group.span.start <= one.node.extent.start and other.node.extent.end <= group.span.end
    return bool(_AND.search(between if inside else group.span.of(outline.clean)))


def _span_of(group: Group, one: GroupMember, other: GroupMember) -> Span:
    start, end = one.node.extent.start, other.node.extent.end
    return Span(start, end) if group.span.start <= start < end <= group.span.end else group.span


def _as_or(outline: QueryOutline, group: Group, one: GroupMember, other: GroupMember) -> Fix | None:
    if len(group.parts) == 2 and _REFERENCES.fullmatch(group.span.of(outline.clean)):
        return _references_as_or(outline, group)
    start, end = one.node.extent.end, other.node.extent.start
    between = outline.clean[start:end] if start <= end else ""
    if between.strip().upper() != "AND" or _span_of(group, one, other).start != one.node.extent.start:
        return None
    operator = "or" if "and" in between else "OR"
    middle = Edit(start, end, f" {operator} ")
    if len(group.parts) == 2:
        return Fix(f"Write {operator}", (middle,))
    before, behind = one.node.extent.start, other.node.extent.end
    return Fix(f"Write {operator} in brackets", (Edit(before, before, "("), middle, Edit(behind, behind, ")")))


def _references_as_or(outline: QueryOutline, group: Group) -> Fix:
    found = _AND.finditer(outline.clean, group.span.start, group.span.end)
    edits = tuple(Edit(each.start(), each.end(), "or" if each.group().islower() else "OR") for each in found)
    return Fix("Write OR", edits)


# NOT of animals, which removes studies of animals and humans.

_ANIMAL_WORDS = "animal animals mouse mice murine rat rats rodent rodents rabbit rabbits pig pigs swine monkey monkeys"
_ANIMALS = frozenset(_ANIMAL_WORDS.split())
_ANIMAL_HEADINGS = frozenset(["animals", "animal", "nonhuman", "animal experiment", "animal experimentation"])
_HUMANS = frozenset(["human", "humans", "patient", "patients"])


def nots_of_animals(outline: QueryOutline) -> Iterator[Finding]:
    for node in outline.nodes:
        if not isinstance(node, Not) or is_rescued(outline, node):
            continue
        alternatives = list(islice(all_joined(node.part, "OR"), MOST_NAMES))
        animals = [each for each in alternatives if is_animal(each)]
        if not animals:
            continue
        first = animals[0]
        in_titles = all(isinstance(each, Term) and each.fields == ("title",) for each in animals)
        message = (
            f"NOT {quoted(outline, first.span)} also removes studies of humans that mention animals. "
            "Exclude only studies that don't mention humans: NOT (animals NOT humans)."
        )
        fix = _protected(outline, node, animals) if len(animals) == len(alternatives) else None
        yield Finding("not-animals", "hint" if in_titles else "warning", first.span, message, fix)


def is_animal(node: Node) -> bool:
    return _is_named(node, _ANIMAL_HEADINGS, _ANIMALS)


def is_human(node: Node) -> bool:
    return _is_named(node, _HUMANS, _HUMANS)


def _is_named(node: Node, headings: Collection[str], single_words: Collection[str]) -> bool:
    if isinstance(node, Heading):
        return node.name.casefold() in headings
    return isinstance(node, Term) and _only_word(node) in single_words


def _only_word(term: Term) -> str | None:
    """Return the only word of a term, or the letters before its wildcard."""
    if len(term.chunks) != 1 or len(term.chunks[0]) != 1:
        return None
    letters = term.chunks[0][0].pieces[0]
    return letters if isinstance(letters, str) else None


def is_rescued(outline: QueryOutline, node: Not) -> bool:
    """Return True for (x NOT animals) OR (x AND humans): the other part finds studies of humans."""
    above = outline.above(node)
    while isinstance(above, Group) and above.operator == "AND":
        above = outline.above(above)
    if not isinstance(above, Group):
        return False
    parts = (part for part in above.parts if isinstance(part, Group) and part.operator == "AND")
    return any(any(is_human(each) for part in group.parts for each in all_joined(part, "OR")) for group in parts)


def _protected(outline: QueryOutline, node: Not, animals: list[Node]) -> Fix | None:
    """Write NOT (animals NOT humans), with the heading for humans that matches the one for animals."""
    heading = next((each for each in animals if isinstance(each, Heading)), None)
    if heading is None:
        return None
    shown = heading.span.of(outline.text)
    humans, n = re.subn(r"(?i)\b(?:non)?(?:animal|human)(s?)(?: experiment(?:ation)?)?", r"Human\1", shown, count=1)
    if not n:
        return None
    operator = outline.dialect.not_word
    humans = re.sub(r"^\s*exp\s+", "", humans.replace("+", ""), flags=re.IGNORECASE)
    label = f"Write {operator} {humans}"
    part = node.part.extent
    behind = f" {operator} {humans}"
    if node.span.start <= part.start < part.end <= node.span.end:
        return Fix(label, (Edit(part.start, part.start, "("), Edit(part.end, part.end, f"{behind})")))
    is_line = any(line.root is node.part and line.span == part for line in outline.lines)
    n_used = sum(each is node.part for other in outline.nodes for each in parts_of(other))
    if is_line and n_used == 1 and isinstance(node.part, Heading):
        return Fix(label, (Edit(part.end, part.end, behind),))
    return None


CONCEPT_CHECKS = (ands_within_concepts, nots_of_animals)


# Findings from reading that the whole query can improve: a missing operator, and an unused line.

_OPERATOR_BEFORE = re.compile(r"(?<![^\W_])(AND|OR|NOT)\s*\(?\s*$", re.IGNORECASE)
_OPERATOR_BEHIND = re.compile(r"\s*\)?\s*(AND|OR|NOT)(?![^\W_])", re.IGNORECASE)
_LIST = re.compile(r"\s*(or|and)/(\d+)-(\d+)\s*", re.IGNORECASE)


def completed(outline: QueryOutline, parsed: ParsedQuery) -> Iterator[Finding]:
    """Yield the findings from reading, some with a better fix or message."""
    alternatives: _Alternatives | None = None
    for finding in parsed.findings:
        if finding.rule == "adjacent-terms" and finding.fix is not None:
            alternatives = alternatives or _Alternatives(outline)
            yield alternatives.with_or(finding, finding.fix)
        elif finding.rule == "unused-line":
            yield _unused(parsed, finding)
        else:
            yield finding


class _Alternatives:
    """The evidence that two neighbouring terms are alternatives."""

    def __init__(self, outline: QueryOutline) -> None:
        self._outline = outline
        self._ending: dict[int, Node] = {}
        self._beginning: dict[int, Node] = {}
        self._groups: dict[int, set[int]] = {}
        for node in outline.nodes:  # the outermost first
            self._ending.setdefault(node.extent.end, node)
            self._beginning.setdefault(node.extent.start, node)
        for group, members in outline.groups():
            if group.operator == "OR":
                for member in members:
                    self._groups.setdefault(outline.alike(member.node), set()).add(id(group))

    def with_or(self, finding: Finding, fix: Fix) -> Finding:
        """Return the finding with OR as another fix, or as the first one if both terms are alternatives."""
        (edit,) = fix.edits
        as_or = Fix("Write OR", (replace(edit, text=" OR "),))
        if not self._are_alternatives(finding.span, edit):
            return replace(finding, other_fixes=(as_or,))
        message = "There is no operator between these, so both must match. They look like alternatives: write OR."
        return replace(finding, message=message, fix=as_or, other_fixes=(fix,))

    def _are_alternatives(self, span: Span, edit: Edit) -> bool:
        clean = self._outline.clean
        if "\n" in clean[edit.start : edit.end]:  # more likely two lines than one list
            return False
        before = _OPERATOR_BEFORE.search(clean, max(0, span.start - 12), span.start)
        behind = _OPERATOR_BEHIND.match(clean, span.end)
        around = {found.group(1).upper() for found in (before, behind) if found}
        if around == {"OR"}:
            return True
        one, other = self._ending.get(edit.start), self._beginning.get(edit.end)
        if one is None or other is None:
            return False
        in_both = self._groups.get(self._outline.alike(one), set()) & self._groups.get(
            self._outline.alike(other), set()
        )
        if in_both:
            return True
        names = name_of(one), name_of(other)
        return names[0] is not None and names[1] is not None and names_one_concept(names[0], names[1])


def _unused(parsed: ParsedQuery, finding: Finding) -> Finding:
    """Explain how to deal with a line that no other line refers to."""
    line = next((line for line in parsed.lines if line.span == finding.span), None)
    if line is None:
        return finding
    message = (
        f"Line {line.number} is never used: no later line refers to it, so it changes nothing. "
        "Add its number where it belongs, or delete the line."
    )
    return replace(finding, message=message, fix=_listed_as_well(parsed, line))


def _listed_as_well(parsed: ParsedQuery, line: Line) -> Fix | None:
    """Extend or/1-4 after lines 1 to 5: the list ends one line too early."""
    at = parsed.lines.index(line)
    if at + 1 >= len(parsed.lines):
        return None
    behind = parsed.lines[at + 1]
    found = _LIST.fullmatch(parsed.text, behind.span.start, behind.span.end)
    if found is None or int(found.group(3)) != line.number - 1:
        return None
    return Fix(f"Write {found.group(1)}/{found.group(2)}-{line.number}", (Edit(*found.span(3), str(line.number)),))
