"""Evidence for a PRESS review on concepts, operators, and subject headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from core.audit.press import PressEvidence
from core.audit.strategies import SearchFacts, limit_kind
from core.query.checks import lint, lint_strategy
from core.query.checks.corpus import lint_in_corpus
from core.query.contributions import MatchedQuery, disagreement_note
from core.query.dialects import DIALECTS
from core.query.differences import Concept, concepts_of, shortened
from core.query.explanations import CoreExplanation, explain
from core.query.match import Bits, CorpusTexts, MatchedTree, count, none_of, rows_of
from core.query.tree import (
    TEXT_FIELDS,
    Finding,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Span,
    Term,
    leaves_in,
    parts_of,
    terms_in,
    walk,
)
from core.report import ReportColumn, Table, Value, columns_of
from core.text import first_of, listed, many
from core.types import Ids

LONGEST_PLACE = 80
"""Characters of the string that a sentence quotes."""
MOST_TITLES = 3
"""Titles that a sentence lists."""
_IN_QUOTES = re.compile(r'["“”][^"“”]+["“”](?:\s*\[[^\]"“”]*\]|\.[a-z,]+\.?)?')
"""A phrase, perhaps followed by its field."""


@dataclass(frozen=True, eq=False)
class StringCounts:
    asked: MatchedQuery
    core_titles: Mapping[int, str]
    """By row, for core publications in the corpus."""
    core_ids: Ids
    """All core publications, including those outside the corpus."""

    @property
    def n_core(self) -> int:
        return len(self.core_ids)

    @property
    def matched(self) -> MatchedTree:
        return self.asked.matched

    @property
    def texts(self) -> CorpusTexts:
        return self.asked.texts

    @property
    def core(self) -> Bits:
        return self.asked.stakes.core

    @cached_property
    def number_of(self) -> dict[int, int]:
        """Node numbers by object identity."""
        return {id(node): i for i, node in enumerate(self.matched.nodes)}

    @cached_property
    def missed(self) -> tuple[int, ...]:
        """Rows of core publications that the string misses."""
        return tuple(rows_of(self.core & ~self.asked.retrieved).tolist())

    def set_of(self, node: Node) -> Bits | None:
        """Return the publications that a node matches by itself; None: not testable here."""
        number = self.number_of.get(id(node))
        return self.asked.look_up(node) if number is None else self.matched.sets[number]

    def kept_out(self, node: Node) -> Bits | None:
        """Return the publications that only this node excludes; None: not counted."""
        without = self._without(node)
        return None if without is None else without & ~self.asked.retrieved

    def n_untested(self, within: Node | None = None) -> int:
        """Count the parts (of one node, if given) that can't be tested here, each place of the text once."""
        nodes = [self.matched.nodes[number] for number in self.matched.untestable]
        here = within.span if within is not None else None
        places = {(node.span.start, node.span.end) for node in nodes}
        return sum(here is None or (here.start <= start and end <= here.end) for start, end in places)

    def brought(self, node: Node) -> Bits | None:
        """Return the publications that the string would lose without this node; None: not counted."""
        without = self._without(node)
        return None if without is None else self.asked.retrieved & ~without

    def _without(self, node: Node) -> Bits | None:
        """Return the publications that the string retrieves without this node; None: not counted."""
        number = self.number_of.get(id(node))
        if number is None or self.matched.sets[number] is None:
            return None
        without = self.matched.put(number, None)
        return None if without is None else self.asked.settled(without)

    def n_and_core(self, bits: Bits) -> tuple[int, int]:
        """Count the publications, and the core publications among them."""
        return count(bits), count(bits & self.core)

    def titles(self, bits: Bits) -> str:
        rows = rows_of(bits & self.core).tolist()
        names = [f"“{shortened(self.core_titles.get(row, ''), 90)}”" for row in rows]
        return first_of(names, MOST_TITLES, between="; ")


@dataclass(frozen=True, eq=False)
class EvidenceGrounds:
    """A search string with everything that its evidence is derived from."""

    parsed: ParsedQuery
    dialect_was_named: bool
    """The dialect was stored with the version; otherwise it was detected from the text."""
    counted: StringCounts | None
    """None: the string has no tree."""
    counted_in: str
    """A phrase such as "the 3,000 publications of this topic"."""
    search: SearchFacts | None = None
    """The run in a live source; None: not run in one."""
    is_version: bool = True
    """The string is a version's, so its database should be known. False: it was pasted."""
    year: int | None = None
    """The current year; None: years in the future are not reported."""
    of_headings: tuple[Finding, ...] = ()
    """Findings on MeSH headings."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        found = [*lint(self.parsed), *lint_strategy(self.parsed)]
        if self.counted is not None:
            asked = self.counted.asked
            found += lint_in_corpus(self.parsed, asked.matched, asked.texts, asked.undisputed_core)
        return (*found, *self.of_headings)

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """The parts of the topmost AND."""
        return concepts_of(self.parsed) if self.parsed.root is not None else ()

    @cached_property
    def excluded_places(self) -> frozenset[Span]:
        """The places of everything inside a NOT."""
        nots = (node for node in self.parsed.nodes if isinstance(node, Not))
        return frozenset(node.span for each in nots for node in walk(each.part))

    @cached_property
    def limit_places(self) -> frozenset[Span]:
        return frozenset(node.span for node in self.parsed.nodes if limit_kind(node))

    def place(self, node: Node) -> str:
        return quoted(node.extent.of(self.parsed.text))

    def nodes(self, kind: type[Node]) -> Iterator[Node]:
        """Yield the nodes of this kind, each place of the text once."""
        once = {(node.span.start, node.span.end): node for node in self.parsed.nodes if isinstance(node, kind)}
        yield from once.values()

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """All terms, including those in proximities; each place of the text once."""
        if self.parsed.root is None:
            return ()
        once = {(term.span.start, term.span.end): term for term in terms_in(self.parsed.root)}
        return tuple(once.values())


def quoted(text: str, most: int = LONGEST_PLACE) -> str:
    """Quote a part of the string in a sentence; a phrase keeps its own quotes and its field.

    >>> quoted("(heat OR  warmth)"), quoted('"heat wave"'), quoted("“heat wave”[tiab]")
    ('“(heat OR warmth)”', '"heat wave"', '“heat wave”[tiab]')
    """
    short = shortened(text, most)
    return short if _IN_QUOTES.fullmatch(short) else f"“{short}”"


def with_core(n: int, n_core: int) -> str:
    """Put a number of publications into words, with the core among them.

    >>> with_core(40, 2), with_core(40, 0), with_core(0, 0)
    ('40 publications, 2 of them core', '40 publications, none of them core', 'no publication')
    """
    if not n:
        return "no publication"
    return f"{many(n, 'publication')}, {f'{n_core:,}' if n_core else 'none'} of them core"


# Evidence for the first domain: the concepts of the string, their hits, and the core publications that are missed.

MOST_CONCEPT_ROWS = 60
"""Concepts, and missed core publications, that are listed."""
_ROLES = {"excluded": "excluded (NOT)", "years": "limit to years", "limit": "limit"}


def concept_evidence(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    if grounds.parsed.kind == "question":
        yield PressEvidence(
            "This is a question in plain words. Publications are ranked by it, so there are no concepts to check.", True
        )
        return
    concepts = [each for each in grounds.concepts if each.role == "concept"]
    if not grounds.concepts:
        return
    yield PressEvidence(_overview(concepts), look=not concepts)
    counted = grounds.counted
    if counted is not None:
        yield _found(counted, grounds.counted_in)
        yield from _disagreements(counted)
        yield from _untested(counted)
        yield from _core(counted)
        if len(grounds.concepts) > 1:
            for concept in grounds.concepts:
                yield from _costs(counted, concept)
    if grounds.search is not None and grounds.search.sentence:
        yield PressEvidence(grounds.search.sentence)


def _overview(concepts: list[Concept]) -> str:
    if not concepts:
        return "The string has no concept that must match: it only limits or excludes."
    if len(concepts) == 1:
        return f"The string has one concept, with {_terms(*_n_terms(concepts[0].node))}."
    return f"The string has {len(concepts):,} concepts that must all match: {listed([_short(c) for c in concepts])}."


def _short(concept: Concept) -> str:
    """Abbreviate a concept, as in "(2) “street trees” with 11 others"."""
    labels = [leaf.label for leaf in concept.leaves.values()]
    more = len(labels) - 1
    others = f" with {many(more, 'other')}" if more else ""
    return f"({concept.place}) {quoted(labels[0], 40)}{others}"


def _n_terms(node: Node) -> tuple[int, int]:
    """Count the terms and the subject headings."""
    return sum(1 for _ in terms_in(node)), sum(isinstance(each, Heading) for each in walk(node))


def _terms(n: int, n_headings: int) -> str:
    terms, headings = many(n, "term"), many(n_headings, "subject heading")
    return f"{terms} and {headings}" if n and n_headings else headings if n_headings else terms


def _found(counted: StringCounts, counted_in: str) -> PressEvidence:
    n = counted.asked.n_retrieved
    share = f" ({100 * n / counted.matched.n:.1f} %)" if counted.matched.n and n else ""
    return PressEvidence(f"Overall, it finds {many(n, 'publication')} among {counted_in}{share}.", look=n == 0)


def _disagreements(counted: StringCounts) -> Iterator[PressEvidence]:
    note = disagreement_note(counted.asked.disagreements(counted.core_ids))
    if note:
        yield PressEvidence(
            f"These numbers come from the version's stored list, which differs from the string: {note}", look=True
        )


def _untested(counted: StringCounts) -> Iterator[PressEvidence]:
    n = counted.n_untested()
    if n:
        ignored = "It is" if n == 1 else "They are"
        yield PressEvidence(
            f"{many(n, 'part')} of the string can't be tested, because the publications here lack the data, such as "
            f"headings or publication types. {ignored} ignored in these numbers; the database may return other "
            "publications."
        )


def _core(counted: StringCounts) -> Iterator[PressEvidence]:
    if not counted.n_core:
        yield PressEvidence("The topic has no core publications, so missed publications can't be listed.")
        return
    n_there = count(counted.core)
    n_found = len(counted.asked.found(counted.core_ids))
    yield PressEvidence(f"It finds {n_found:,} of {counted.n_core:,} core publications.", look=n_found < n_there)
    gone = counted.n_core - n_there
    if gone:
        verb = "is" if gone == 1 else "are"
        yield PressEvidence(
            f"{many(gone, 'core publication')} {verb} not among them, so no string can find {_it(gone)} here."
        )


def _it(n: int) -> str:
    return "it" if n == 1 else "them"


def _costs(counted: StringCounts, concept: Concept) -> Iterator[PressEvidence]:
    kept_out = counted.kept_out(concept.node)
    if kept_out is None or concept.role == "excluded":
        return
    n, core = counted.n_and_core(kept_out)
    if core:
        verb = "matches" if core == 1 else "match"
        yield PressEvidence(
            f"{concept.name} alone excludes {many(core, 'core publication')} that {verb} everything else: "
            f"{counted.titles(kept_out)}.",
            look=True,
        )
    elif not n and count(counted.asked.retrieved):
        yield PressEvidence(f"{concept.name} excludes nothing here: without it the result is the same.", look=True)


def concept_tables(grounds: EvidenceGrounds) -> Iterator[Table]:
    """Tabulate the concepts with their hits, and the core publications that are missed."""
    counted = grounds.counted
    if not grounds.concepts or grounds.parsed.kind == "question":
        return
    rows = tuple(_row(grounds, counted, concept) for concept in grounds.concepts[:MOST_CONCEPT_ROWS])
    yield Table(
        "press-1-concepts",
        "Concepts of the string, and the hits of each",
        (
            ReportColumn("Part", "code"),
            ReportColumn("Kind"),
            *columns_of(
                "Terms and headings",
                "Publications",
                "Core found",
                "Kept out by it alone",
                "Core among these",
                kind="count",
            ),
        ),
        rows,
        note=table_note(grounds, len(grounds.concepts), MOST_CONCEPT_ROWS),
    )
    if counted is not None and counted.missed:
        yield _missed(grounds, counted)


def _role(concept: Concept) -> str:
    return f"concept {concept.place}" if concept.role == "concept" else _ROLES[concept.role]


def table_note(grounds: EvidenceGrounds, n: int, most: int) -> str:
    """Say where the numbers of a table were counted, and how many of its rows are left out."""
    where = f"Counted among {grounds.counted_in}." if grounds.counted is not None else ""
    return f"{where} {not_listed(n, most)}".strip()


def not_listed(n: int, most: int) -> str:
    """Count the rows that a table of at most `most` leaves out; empty: none."""
    return f"{n - most:,} more are not listed." if n > most else ""


def _row(grounds: EvidenceGrounds, counted: StringCounts | None, concept: Concept) -> tuple[Value, ...]:
    node = concept.node.part if isinstance(concept.node, Not) else concept.node
    head: tuple[Value, ...] = (shortened(concept.node.extent.of(grounds.parsed.text), 200), _role(concept))
    n_terms = sum(_n_terms(node))
    if counted is None:
        return (*head, n_terms, None, None, None, None)
    bits, kept_out = counted.set_of(node), counted.kept_out(concept.node)
    found: tuple[Value, ...] = (None, None) if bits is None else counted.n_and_core(bits)
    costs: tuple[Value, ...] = (None, None) if kept_out is None else counted.n_and_core(kept_out)
    return (*head, n_terms, *found, *costs)


def _missed(grounds: EvidenceGrounds, counted: StringCounts) -> Table:
    rows_shown = counted.missed[:MOST_CONCEPT_ROWS]
    ids = [counted.asked.corpus.ids[row] for row in rows_shown]
    told = explain(counted.asked, ids, rows=dict(zip(ids, rows_shown, strict=True)))
    rows = tuple(
        (counted.core_titles.get(row) or each.publication_id, _failing(grounds, counted, each), _why(each))
        for row, each in zip(rows_shown, told, strict=True)
    )
    return Table(
        "press-1-missed",
        "Missed core publications, and the part of the string that misses them",
        columns_of("Core publication", "Part that fails", "What it has instead"),
        rows,
        note=not_listed(len(counted.missed), MOST_CONCEPT_ROWS),
    )


def _failing(grounds: EvidenceGrounds, counted: StringCounts, each: CoreExplanation) -> str:
    names = {counted.number_of.get(id(concept.node)): concept.name for concept in grounds.concepts}
    found = []
    for node in each.failing:
        words = quoted(node.span.of(counted.asked.text))
        is_not = isinstance(counted.matched.nodes[node.number], Not)
        found.append(words if is_not else names.get(node.number, words))
    if each.verdict == "not_in_version":
        return "none"
    return listed(found) if found else "nothing that can be tested here"


def _why(each: CoreExplanation) -> str:
    if each.verdict == "removed_by_not":
        return "Everything else matches."
    if each.verdict == "not_in_version":
        return each.sentence
    bare = "It has no abstract. " if each.verdict == "no_abstract" else ""
    return f"{bare}{each.evidence[0].message if each.evidence else 'It contains nothing similar.'}"


# Evidence for the second domain: nesting, publications that a NOT removes, and those that a proximity excludes.

MOST_NOTS = 20
MOST_NEARS = 60


def operator_evidence(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    root = grounds.parsed.root
    if root is None:
        return
    yield PressEvidence(_shape(grounds, root))
    has_both = {node.operator for node in grounds.parsed.nodes if isinstance(node, Group)} == {"AND", "OR"}
    if has_both and not any(each.rule == "mixed-operators" for each in grounds.findings):
        yield PressEvidence(
            "AND and OR are never mixed without brackets, so every database combines them in the same way."
        )
    nots = [cast(Not, node) for node in grounds.nodes(Not)]
    if not nots:
        yield PressEvidence("There is no NOT, so nothing is excluded.")
    for node in nots[:MOST_NOTS]:
        yield _taken_away(grounds, node)
    if len(nots) > MOST_NOTS:
        yield PressEvidence(f"There are {len(nots) - MOST_NOTS:,} more NOTs.", look=True)
    yield from _proximity(grounds)


def _shape(grounds: EvidenceGrounds, root: Node) -> str:
    nodes = grounds.parsed.nodes
    joints = {"AND": 0, "OR": 0}
    for node in nodes:
        if isinstance(node, Group):
            joints[node.operator] += len(node.parts) - 1
    n_not = sum(isinstance(node, Not) for node in nodes)
    n_near = sum(isinstance(node, Near) for node in nodes)
    parts = [_times(joints["AND"], "AND"), _times(joints["OR"], "OR"), _times(n_not, "NOT")]
    quoted = many(sum(term.quoted for term in grounds.terms), "term")
    return (
        f"The string has {', '.join(parts)}, {many(n_near, 'proximity operator')} and {quoted} in quotes, with "
        f"{many(_depth(root), 'level')} of AND and OR."
    )


def _times(n: int, word: str) -> str:
    return f"{n:,} {word}"


def _depth(root: Node) -> int:
    deepest, stack = 0, [(root, 0)]
    while stack:
        node, depth = stack.pop()
        depth += isinstance(node, Group)
        deepest = max(deepest, depth)
        stack.extend((part, depth) for part in parts_of(node))
    return deepest


def _taken_away(grounds: EvidenceGrounds, node: Not) -> PressEvidence:
    what = grounds.place(node.part)
    counted = grounds.counted
    kept_out = counted.kept_out(node) if counted is not None else None
    if counted is None and not grounds.counted_in:
        return PressEvidence(f"NOT {what} excludes every publication that it matches.")
    if counted is None or kept_out is None:
        return PressEvidence(f"NOT {what}: its effect can't be counted here.", look=True)
    n, core = counted.n_and_core(kept_out)
    if not n and (brought := counted.n_and_core(_or_none(counted, node)))[0]:
        return PressEvidence(f"NOT {what} adds {with_core(*brought)}: without it the string does not find them.")
    if not n:
        if counted.n_untested(node.part):
            return PressEvidence(f"NOT {what} excludes nothing here, but parts of it can't be tested.", look=True)
        return PressEvidence(f"NOT {what} excludes nothing here: without it the result is the same.")
    named = f": {counted.titles(kept_out)}" if core else ""
    rule = "not-removes-core" if core else ""
    return PressEvidence(f"NOT {what} excludes {with_core(n, core)}{named}.", bool(core), rule)


def _or_none(counted: StringCounts, node: Not) -> Bits:
    brought = counted.brought(node)
    return none_of(counted.matched.n) if brought is None else brought


def _proximity(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    nears = [cast(Near, node) for node in grounds.nodes(Near)]
    if not nears:
        forms = DIALECTS[grounds.parsed.dialect].near_forms
        if forms and len(grounds.concepts) > 1 and grounds.parsed.dialect != "plain":
            label = DIALECTS[grounds.parsed.dialect].label
            yield PressEvidence(f"No proximity operator is used, though {label} has one: {forms[0].word}n.")
        return
    distances = sorted({near.distance for near in nears})
    which = " and ".join(map(str, (distances[0], distances[-1]) if len(distances) > 1 else distances))
    how = f"between {which}" if len(distances) > 1 else which
    words = "word" if distances == [1] else "words"
    yield PressEvidence(f"Proximity operators allow {how} other {words} between their parts.")


def operator_tables(grounds: EvidenceGrounds) -> Iterator[Table]:
    """Tabulate the proximities, compared with an AND of the same words."""
    nears = [cast(Near, node) for node in grounds.nodes(Near)]
    if not nears:
        return
    yield Table(
        "press-2-proximity",
        "Proximity operators, compared with the same words anywhere in a publication",
        (
            ReportColumn("Proximity", "code"),
            ReportColumn("Words between", "count"),
            ReportColumn("In order"),
            *columns_of("Publications", "With AND instead", "Core with AND only", kind="count"),
        ),
        tuple(_near_row(grounds, near) for near in nears[:MOST_NEARS]),
        note=not_listed(len(nears), MOST_NEARS),
    )


def _near_row(grounds: EvidenceGrounds, near: Near) -> tuple[Value, ...]:
    head: tuple[Value, ...] = (
        shortened(near.extent.of(grounds.parsed.text), 120),
        near.distance,
        "yes" if near.ordered else "no",
    )
    return (*head, *_near_counts(grounds.counted, near))


def _near_counts(counted: StringCounts | None, near: Near) -> tuple[Value, ...]:
    if counted is None:
        return (None, None, None)
    close, anywhere = counted.set_of(near), counted.asked.look_up(Group("AND", near.parts))
    if close is None or anywhere is None:
        return (None, None, None)
    return count(close), count(anywhere), count(anywhere & ~close & counted.core)


# Evidence for the third domain: subject headings in use, concepts without any, and parts that can't be tested here.

MOST_HEADING_ROWS = 200
_HAVE_NONE = ("scopus", "dimensions", "openalex", "wos", "plain")
"""Query languages without thesaurus headings that a term could name."""
_MAY_HAVE = ("proquest",)
"""Platforms some of whose databases have a thesaurus."""
_STUDY_FIELDS = frozenset({"publication_type", "publication_type_only"})


def heading_evidence(grounds: EvidenceGrounds) -> Iterator[PressEvidence]:
    parsed = grounds.parsed
    if parsed.root is None:
        return
    concepts = [each for each in grounds.concepts if each.role == "concept" and not _is_filter(each)]
    found = list(grounds.nodes(Heading))
    label = DIALECTS[parsed.dialect].label
    if not found:
        why = " If the database has a thesaurus, its headings may find more."
        if parsed.dialect in _HAVE_NONE[:-1]:
            why = f" {label} has no subject headings."
        yield PressEvidence(
            f"No subject heading is used: every concept relies on text words.{why}",
            look=parsed.dialect not in (*_HAVE_NONE, *_MAY_HAVE) and (len(concepts) > 1 or bool(grounds.counted_in)),
        )
        return
    n = "1 subject heading is" if len(found) == 1 else f"{len(found):,} subject headings are"
    yield PressEvidence(f"{n} used.")
    without = [each for each in concepts if not _has_heading(each)]
    if without:
        names = listed([each.name for each in without])
        yield PressEvidence(f"Concepts without a subject heading: {names}.", look=True)
    bare = [each for each in concepts if _has_heading(each) and not _has_words(each)]
    if bare:
        names = listed([each.name for each in bare])
        yield PressEvidence(f"Concepts with subject headings but no text words: {names}.", look=True)
    major = [node for node in found if cast(Heading, node).major]
    if major:
        is_only = any(_is_major_only(each) for each in concepts)
        yield PressEvidence(f"Restricted to the main focus: {_names(grounds, major)}.", look=is_only)
    single = [node for node in found if not cast(Heading, node).explode]
    if single:
        yield PressEvidence(f"Searched without narrower headings: {_names(grounds, single)}.")
    if grounds.counted is not None and _has_untestable_headings(grounds.counted.asked.matched):
        yield PressEvidence(
            f"Headings can't be tested here: {grounds.counted_in} have none, so every count ignores them."
        )


def _has_untestable_headings(matched: MatchedTree) -> bool:
    return any(isinstance(matched.nodes[i], Heading) for i in matched.untestable)


def _names(grounds: EvidenceGrounds, nodes: list[Node]) -> str:
    return first_of([quoted(node.span.of(grounds.parsed.text), 60) for node in nodes], 10)


def _has_heading(concept: Concept) -> bool:
    return any(map(is_heading, walk(concept.node)))


def is_heading(node: Node) -> bool:
    """Return True if the node is a subject heading, or a term searched for among the headings or substances."""
    return isinstance(node, Heading) or (isinstance(node, Term) and bool({"subject", "substance"} & set(node.fields)))


def _is_major_only(concept: Concept) -> bool:
    headings = [node for node in walk(concept.node) if isinstance(node, Heading)]
    return bool(headings) and all(node.major for node in headings)


def _is_filter(concept: Concept) -> bool:
    """Return True for a limit, and for a filter of study types: it names kinds of publications."""
    leaves = list(leaves_in(concept.node))
    kinds = [leaf for leaf in leaves if isinstance(leaf, Term) and set(leaf.fields) & _STUDY_FIELDS]
    return bool(kinds) or all(map(limit_kind, leaves))


def _has_words(concept: Concept) -> bool:
    leaves = [node for node in walk(concept.node) if isinstance(node, Term | Near)]
    return any(not term.fields or set(term.fields) & set(TEXT_FIELDS) for leaf in leaves for term in terms_in(leaf))


def heading_tables(grounds: EvidenceGrounds) -> Iterator[Table]:
    found = [cast(Heading, node) for node in grounds.nodes(Heading)]
    if not found:
        return
    yield Table(
        "press-3-headings",
        "Subject headings of the string",
        (ReportColumn("Heading", "code"), *columns_of("With narrower ones", "Main focus only", "Subheadings")),
        tuple(_headings_row(node) for node in found[:MOST_HEADING_ROWS]),
        note=not_listed(len(found), MOST_HEADING_ROWS),
    )


def _headings_row(node: Heading) -> tuple[Value, ...]:
    yes_no = ("no", "yes")
    return node.name, yes_no[node.explode], yes_no[node.major], ", ".join(node.subheadings)
