"""Checks of concepts: AND between alternatives, NOT of animals, and missing operators or lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice

from core.query.checks.outline import GroupMember, QueryOutline, leaf_key, quoted
from core.query.spelling import american, singular
from core.query.tree import (
    TEXT_FIELDS,
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
from core.text import STOP_WORDS, words

# Names of a concept: the words of a term or heading, with one word for the most frequent synonyms.

SHORTEST_COMMON = 5
"""Minimum number of letters that two forms of one word have in common at the beginning."""
N_FIRST = 3
"""Number of letters by which words that may be forms of one word are looked up."""
_INFLECTIONS = frozenset(["", "s", "es", "e", "ed", "ing", "y", "ies", "ion", "ions", "ation", "ations"])
_BASES = frozenset(["", "s", "e", "y", "ion", "is", "es"])
_ADJECTIVES = frozenset(["ive", "ic", "ical", "al", "is", "es", "tic", "tics"])
_SYNONYMS = (
    ("heart", "heart cardiac myocardi"),
    ("attack", "attack infarct"),
    ("cancer", "cancer neoplas tumor tumour carcinom malignan"),
    ("kidney", "kidney renal"),
    ("liver", "liver hepatic"),
    ("lung", "lung pulmonary"),
    ("brain", "brain cerebral"),
    ("stomach", "stomach gastric"),
    ("breast", "breast mammary"),
    ("child", "child children pediatr paediatr"),
    ("adolescent", "adolescen teen"),
    ("baby", "baby babies infant newborn neonat"),
    ("elderly", "elderly geriatric"),
    ("pregnancy", "pregnan gestation"),
    ("drug", "drug pharmaceutical"),
    ("smoking", "smoking tobacco"),
    ("doctor", "doctor physician"),
    ("injury", "injur wound"),
    ("bleeding", "bleed hemorrhag haemorrhag"),
    ("fever", "fever pyrexia febrile"),
    ("vaccine", "vaccin immunization immunisation"),
)
_ONE_WORD = {word: name for name, synonyms in _SYNONYMS for word in synonyms.split()}
_SHORTEST_SYNONYM = min(map(len, _ONE_WORD))
_LONGEST_SYNONYM = max(map(len, _ONE_WORD))
_SAME_NAMES = {
    frozenset(["cerebrovascular", "accident"]): frozenset(["stroke"]),
    frozenset(["high", "blood", "pressure"]): frozenset(["hypertension"]),
    frozenset(["hiv"]): frozenset(["human", "immunodeficiency", "virus"]),
}


@dataclass(frozen=True, slots=True)
class ConceptName:
    """The concept that a leaf names, without its field, order and endings."""

    words: tuple[str, ...]
    are_cut: tuple[bool, ...]
    """True for each word that is the letters before a wildcard."""
    fields: frozenset[str]
    """The text fields in which it is searched; empty: a subject heading."""
    leaf: Node
    key: frozenset[str]
    """Equal for all names that may be alike."""


NamesByKey = dict[frozenset[str], list[ConceptName]]


def name_of(leaf: Node) -> ConceptName | None:
    """Return the name, if it consists of whole words or beginnings of words only."""
    if isinstance(leaf, Heading):
        if leaf.subheadings:
            return None
        found, fields = [(word, False) for word in words(leaf.name)], frozenset[str]()
    elif isinstance(leaf, Term):
        fields = frozenset(leaf.fields or TEXT_FIELDS)
        if not fields & {*TEXT_FIELDS, "subject"}:
            return None
        fields &= frozenset(TEXT_FIELDS)
        found = []
        for word in (word for run in leaf.chunks for word in run):
            letters = word.pieces[0]
            if not isinstance(letters, str) or not (word.is_plain or word.is_stem):
                return None
            found.append((letters, not word.is_plain))
    else:
        return None
    named = {_one_word(word): cut and _one_word(word) == word for word, cut in found if word not in STOP_WORDS}
    if same := _SAME_NAMES.get(frozenset(named)):
        named = dict.fromkeys(same, False)
    if not named or any(len(word) < N_FIRST for word in named):
        return None
    ordered = sorted(named)
    key = frozenset(word[:N_FIRST] for word in ordered)
    return ConceptName(tuple(ordered), tuple(named[word] for word in ordered), fields, leaf, key)


def _one_word(word: str) -> str:
    for n in range(min(len(word), _LONGEST_SYNONYM), _SHORTEST_SYNONYM - 1, -1):
        name = _ONE_WORD.get(word[:n])
        if name is not None and (n > SHORTEST_COMMON or word[n:] in _INFLECTIONS):
            return name
    return word


def names_one_concept(one: ConceptName, other: ConceptName) -> bool:
    """Return True if each word of one is a form of a word of the other.

    >>> a, b = name_of(Heading("Heart Diseases")), name_of(Term(("cardiac disease",), quoted=True))
    >>> names_one_concept(a, b)
    True
    """
    if len(one.words) != len(other.words):
        return False
    left = list(zip(other.words, other.are_cut, strict=True))
    for word, is_cut in zip(one.words, one.are_cut, strict=True):
        match = next((each for each in left if _is_one_word(word, each[0], is_cut, each[1])), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _is_one_word(a: str, b: str, a_is_cut: bool, b_is_cut: bool) -> bool:
    if (a_is_cut and b.startswith(a)) or (b_is_cut and a.startswith(b)):
        return True
    if a_is_cut or b_is_cut:
        return False
    a, b = american(a), american(b)
    if a == b or (singular(a) or a) == (singular(b) or b):
        return True
    n = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return any(_are_endings(a[i:], b[i:]) for i in range(SHORTEST_COMMON, n + 1))


def _are_endings(a: str, b: str) -> bool:
    """Return True for endings of one word: infect-ed and infect-ion, diagnos-is and diagnos-tic, but not gener-al and
    gener-ation.
    """
    if a in _INFLECTIONS and b in _INFLECTIONS:
        return True
    return (a in _BASES and b in _ADJECTIVES) or (a in _ADJECTIVES and b in _BASES)


# AND between parts of one concept.

MOST_COMPARED = 12
"""Maximum number of parts of an AND that are compared with each other."""
MOST_FORMS = 8
"""Maximum number of names with the same beginnings that are compared."""
MOST_NAMES = 1_000
"""Maximum number of alternatives of a part that are compared."""
FEWEST_SINGLE = 4
"""Minimum number of lines for which an AND is suspicious, if most are one term."""
SHARE_SINGLE = 0.5
LEAST_SHARE = 0.5
"""Minimum share of the smaller part's names that the other part has too."""
FEWEST_SHARED = 2
_REFERENCES = re.compile(r"[\s()#S]*\d+([\s()]+AND[\s()#S]+\d+)+[\s()]*|\s*AND/[\d\s,-]+", re.IGNORECASE)
_AND = re.compile(r"(?<![^\W_])AND(?![^\W_])", re.IGNORECASE)


def ands_within_concepts(outline: QueryOutline) -> Iterator[Finding]:
    """Report 1 and 2, or and/1-5, if the lines or parts are alternatives."""
    reported: set[int] = set()
    for group in outline.nodes:
        if isinstance(group, Group) and group.operator == "AND" and _are_single_lines(outline, group):
            reported.add(id(group))
            message = (
                f"Most of these {len(group.parts)} lines hold one term, and all must match. "
                "Join them with OR if they are alternatives."
            )
            yield Finding("and-within-concept", "warning", group.span, message, _references_as_or(outline, group))
    known: dict[int, NamesByKey] = {}
    for group, members in outline.groups():
        if group.operator != "AND":
            continue
        members = [m for m in members if not isinstance(m.node, Not | Range) and id(m.above) not in reported]
        if 2 <= len(members) <= MOST_COMPARED:
            yield from _and_within_concept(outline, group, members, known)


def _and_within_concept(
    outline: QueryOutline, group: Group, members: list[GroupMember], known: dict[int, NamesByKey]
) -> Iterator[Finding]:
    for one, other in combinations(members, 2):
        alike = alike_names(names_in(one.node, known), names_in(other.node, known))
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


def names_in(node: Node, known: dict[int, NamesByKey]) -> NamesByKey:
    """Return the names of the alternatives in a part."""
    if id(node) not in known:
        names: NamesByKey = {}
        for leaf in islice(all_joined(node, "OR"), MOST_NAMES):
            if name := name_of(leaf):
                names.setdefault(name.key, []).append(name)
        known[id(node)] = names
    return known[id(node)]


def alike_names(ones: NamesByKey, others: NamesByKey) -> tuple[ConceptName, ConceptName] | None:
    """Return the first two names of one concept, if the parts share enough of them."""
    shared: dict[frozenset[str], tuple[ConceptName, ConceptName]] = {}
    for key in ones.keys() & others.keys():
        few, more = ones[key][:MOST_FORMS], others[key][:MOST_FORMS]
        pairs = [(a, b) for a in few for b in more if names_one_concept(a, b)]
        if any(_narrows(a, b) for a, b in pairs):
            return None
        different = [pair for pair in pairs if leaf_key(pair[0].leaf) != leaf_key(pair[1].leaf)]
        if different:  # a term on both sides matches both parts by itself
            shared[key] = different[0]
    smaller = min(len(ones), len(others))
    if not shared or len(shared) < max(smaller * LEAST_SHARE, min(smaller, FEWEST_SHARED)):
        return None
    return min(shared.values(), key=lambda pair: pair[0].leaf.span.start)


def _narrows(one: ConceptName, other: ConceptName) -> bool:
    """Return True for heat[tiab] AND heat[ti]: a part that repeats the other in fewer fields is meant to narrow it."""
    return bool(one.fields and other.fields) and (one.fields < other.fields or other.fields < one.fields)


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
