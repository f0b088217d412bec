"""Write trees and edits in any dialect, translate queries, and exchange them with other programs."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any, Protocol

from core.errors import InputError
from core.query.adaptation import THESAURI, AdaptedTree, Loss, adapt, leading_not, loss_of
from core.query.detection import is_question
from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect, Tag
from core.query.dialects.meanings import meant, thesaurus_of
from core.query.equivalence import same
from core.query.leaf_texts import Status, Vocabulary, leaf_text, quoted_words, tag_of, wrapped, years_tag
from core.query.lexer import cleaned, with_tag
from core.query.match import MatchedTree
from core.query.parser import parse
from core.query.reader import read
from core.query.tree import (
    DEEPEST,
    EVERY_FIELD,
    TEXT_FIELDS,
    DialectId,
    Edit,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Span,
    Term,
    Thesaurus,
    in_fields,
    leaves_in,
    parts_joined,
    parts_of,
    terms_in,
    walk,
    written,
)
from core.text import many

# From tree to text, in any dialect, with a list of everything that could not be expressed exactly.


@dataclass(frozen=True, eq=False)
class WrittenQuery:
    text: str
    losses: tuple[Loss, ...] = ()
    """Nodes that the dialect can't express exactly; all others are exact."""
    meant: Node | None = None
    """The tree that the text stands for."""
    replaced: Mapping[int, Node | None] = field(default_factory=dict)
    """The replacement of each leaf with a loss; None: it was left out."""


def write(
    root: Node,
    dialect_id: DialectId,
    *,
    strict: bool = True,
    database: str = "",
    vocabulary: Vocabulary = (),
    opens_names: bool = False,
) -> WrittenQuery:
    """Write a tree as text. `strict=False`: keep features that the dialect reads without allowing them.

    `database`: one of the platform, such as embase of ovid. `vocabulary`: the words of a corpus, for stems that the
    dialect can't search for.

    >>> write(Group("AND", (Term(("heat wave",), True, ("title",)), Not(Term(("tree",))))), "wos").text
    'TI="heat wave" NOT tree'
    """
    if depth_of(root) > DEEPEST:
        message = f"More than {DEEPEST} levels: reduce the nesting."
        return WrittenQuery("", (Loss(0, root.span.start, root.span.end, "unsupported", message),))
    dialect = DIALECTS[dialect_id]
    made = adapt(root, dialect, strict=strict, database=database, vocabulary=vocabulary, opens_names=opens_names)
    losses = list(made.losses)
    if strict and isinstance(made.root, Not) and not dialect.unary_not:
        before = next((loss for loss in losses if not loss.number), None)
        first = loss_of(0, root, [leading_not(dialect)], before)
        losses = [first, *(loss for loss in losses if loss.number)]
    if made.root is None:
        return _nothing_left(root, made)
    text, is_filter = _text(made.root, dialect_id)
    if strict and not is_filter and not losses:
        message = f"{dialect.label} can't write this in filters: check what it finds."
        losses.append(Loss(0, root.span.start, root.span.end, "unsupported", message))
    return WrittenQuery(text, tuple(losses), made.root, made.replaced)


def _text(root: Node, dialect_id: DialectId) -> tuple[str, bool]:
    """Return the text, and False if a dialect of filters can't take it."""
    printer, dialect = _Printer(dialect_id), DIALECTS[dialect_id]
    if dialect.tag_covers_rest:
        text = printer.filters(root)
        again = read(text, dialect).root
        if again is not None and same(root, again):
            return text, True
    text = printer.text(root, tagged=True, top=True)
    if dialect.tag_covers_rest and isinstance(root, Group) and ":" in text:
        return f"({text})", False  # outside brackets a field applies to all that follows
    return f"({text})" if dialect_id == "plain" and is_question(text) else text, not dialect.tag_covers_rest


def _nothing_left(root: Node, made: AdaptedTree) -> WrittenQuery:
    words = [quoted_words(leaf) for leaf in leaves_in(root)]
    text = " OR ".join(word for word in words if word) or '"0"'
    losses = made.losses or (Loss(0, root.span.start, root.span.end, "unsupported", "No part of it can be written."),)
    return WrittenQuery(text, losses, None, made.replaced)


def depth_of(root: Node) -> int:
    """Count the levels of a tree, including those inside a Near."""
    deepest, stack = 0, [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        inside = node.parts if isinstance(node, Near) else parts_of(node)
        stack.extend((part, depth + 1) for part in inside)
    return deepest


class _Printer:
    def __init__(self, dialect_id: DialectId) -> None:
        self.dialect = DIALECTS[dialect_id]
        self.lower = dialect_id == "ovid"

    def text(self, node: Node, *, tagged: bool, top: bool = False) -> str:
        """Write a node. `tagged`: the field still has to be written; `top`: nothing is around it."""
        if isinstance(node, Not):
            return f"{self.operator('NOT')} {self.text(node.part, tagged=tagged, top=False)}"
        if isinstance(node, Group) and self.dialect.id == "ovid" and all(map(self.is_one_year, node.parts)):
            years = f" {self.operator(node.operator)} ".join(str(p.low) for p in node.parts if isinstance(p, Range))
            return f"({years}).yr."
        if isinstance(node, Group | Near):
            shared = self.shared(node) if tagged and self.dialect.tag_style != "brackets" else ""
            if shared and not (isinstance(node, Near) and self.is_window(node)):
                return wrapped(f"({self.inside(node, tagged=False)})", shared, self.dialect)
            inside = self.inside(node, tagged=tagged)
            bare = top or (isinstance(node, Near) and self.is_window(node))
            return inside if bare else f"({inside})"
        return leaf_text(node, self.dialect, tagged=tagged)

    def is_one_year(self, node: Node) -> bool:
        is_one = isinstance(node, Range) and node.low is not None and node.low == node.high and not node.has_days
        return isinstance(node, Range) and is_one and years_tag(node, self.dialect) == "yr"

    def filters(self, root: Node) -> str:
        """Write filters of OpenAlex: field:(search),field:(search),publication_year:2010-2020."""
        years = [part for part in parts_joined(root, "AND") if isinstance(part, Range)]
        rest = [part for part in parts_joined(root, "AND") if not isinstance(part, Range)]
        if len(rest) > 1 and len(set.union(*(self.names_in(part) for part in rest))) == 1:
            rest = [Group("AND", tuple(rest))]
        if not years and len(rest) == 1:
            return self.text(rest[0], tagged=True, top=True)
        return ",".join([self.filter(part) for part in rest] + [self.text(part, tagged=True) for part in years])

    def filter(self, node: Node) -> str:
        text = self.text(node, tagged=True, top=True)
        return f"default.search:({text})" if self.names_in(node) == {""} else text

    def inside(self, node: Group | Near, *, tagged: bool) -> str:
        if isinstance(node, Near):
            return self.near(node, tagged=tagged)
        parts = [self.part(part, tagged=tagged) for part in node.parts]
        out = parts[0]
        for part, text in zip(node.parts[1:], parts[1:], strict=True):
            if isinstance(part, Not) and node.operator == "AND":
                out += f" {self.binary_not(text)}"
            else:
                out += f" {self.operator(node.operator)} {text}"
        return out

    def part(self, node: Node, *, tagged: bool) -> str:
        if isinstance(node, Not) and isinstance(node.part, Not):
            return f"{self.operator('NOT')} ({self.text(node.part, tagged=tagged)})"
        return self.text(node, tagged=tagged)

    def binary_not(self, text: str) -> str:
        """Write A NOT B, which is AND NOT in Scopus."""
        return f"AND {text}" if self.dialect.not_word == "AND NOT" else text

    def operator(self, name: str) -> str:
        return name.lower() if self.lower else name

    def shared(self, node: Group | Near) -> str:
        """Return the tag of everything in it; empty: the tags differ, or there are none."""
        found = self.names_in(node)
        name = found.pop() if len(found) == 1 else ""
        return "" if name in self.dialect.limit_tags else name

    def names_in(self, node: Node) -> set[str]:
        found: set[str] = set()
        for each in walk(node):
            if isinstance(each, Heading | Range):
                found |= {"heading", "years"}
            if isinstance(each, Term):
                found.add(tag_of(each, self.dialect))
            elif isinstance(each, Near):
                found |= {tag_of(term, self.dialect) for term in terms_in(each)}
        return found

    # Nears

    def is_window(self, node: Near) -> bool:
        forms = self.dialect.near_forms
        return self.dialect.window is not None and (not forms or (node.whole and len(node.parts) > 2))

    def near(self, node: Near, *, tagged: bool) -> str:
        if self.is_window(node):
            return self.window(node, tagged=tagged)
        parts = [self.text(part, tagged=tagged) for part in node.parts]
        return f" {self.near_operator(node)} ".join(parts)

    def near_operator(self, node: Near) -> str:
        if self.dialect.id == "ovid" and node.ordered and node.distance == 0:
            return "adj"
        form = next((f for f in self.dialect.near_forms if f.ordered == node.ordered), self.dialect.near_forms[0])
        word = form.word.lower() if self.lower else form.word
        return word if form.most == 1 else f"{word}{node.distance + form.more}"

    def window(self, node: Near, *, tagged: bool) -> str:
        words = " ".join(str(word) for term in terms_in(node) for run in term.chunks for word in run)
        name = tag_of(next(terms_in(node)), self.dialect)
        if self.dialect.window == "tag":
            return f'"{words}"[{name or "all"}:~{node.distance}]'
        text = f'"{words}"~{node.distance}'
        return wrapped(text, name, self.dialect) if tagged else text


# A query in another dialect, with a complete list of losses.


@dataclass(frozen=True, slots=True)
class Translation:
    text: str
    losses: tuple[Loss, ...]
    """The parts with another meaning there, reading errors first; empty: the translation is exact."""
    n_unread: int = 0
    """The number of losses that are reading errors."""

    @property
    def is_exact(self) -> bool:
        return not self.losses

    @property
    def reading_summary(self) -> str:
        """The reading errors in one line; empty: there are none.

        >>> translate(parse("1. heat.ti.\\n2. 1 and 13", "ovid"), "wos").reading_summary
        'Read with 1 error: There is no line 13 above this one.'
        """
        return _summary([loss.message for loss in self.losses[: self.n_unread]])

    def as_document(self) -> dict[str, object]:
        losses = [{"start": n.start, "end": n.end, "status": n.status, "message": n.message} for n in self.losses]
        return {"text": self.text, "losses": losses}


LEFT_OUT = frozenset({"limit-left-out", "words-beside-near"})
"""Rules whose warnings say that the meaning may have changed; errors always do."""


def reading_summary(parsed: ParsedQuery) -> str:
    """Summarise the reading errors in one line; empty: there are none.

    >>> reading_summary(parse("(heat AND", "plain"))
    'Read with 2 errors: This bracket is never closed; A term is missing after AND.'
    """
    return _summary([finding.message for finding in parsed.findings if finding.severity == "error"])


def _summary(messages: Sequence[str]) -> str:
    if not messages:
        return ""
    shown = "; ".join(message.rstrip(".") for message in messages[:3])
    more = f"; {len(messages) - 3:,} more" if len(messages) > 3 else ""
    return f"Read with {many(len(messages), 'error')}: {shown}{more}."


def reading_losses(parsed: ParsedQuery) -> tuple[Loss, ...]:
    """Return parts left out or perhaps misread, as losses of the whole query: errors first, then limits."""
    errors = [finding for finding in parsed.findings if finding.severity == "error"]
    limits = [finding for finding in parsed.findings if finding.severity == "warning" and finding.rule in LEFT_OUT]
    return tuple(
        Loss(0, finding.span.start, finding.span.end, "unsupported", finding.message) for finding in errors + limits
    )


def translate(
    parsed: ParsedQuery,
    to: DialectId,
    *,
    database: str = "",
    to_database: str = "",
    vocabulary: Vocabulary = (),
) -> Translation:
    """Write a query in another dialect, read it again there, and compare.

    Parts that could not be read are lost before anything is written, so they come first among the losses.
    `database` and `to_database`: one of a platform, such as embase of ovid. `vocabulary`: the words of a corpus.

    >>> translate(parse('TI=(heat NEAR/2 wave*) AND PY=2018-2020', "wos"), "ovid").text
    '(heat adj3 wave*).ti. and (2018 or 2019 or 2020).yr.'
    """
    root, unread = parsed.root, reading_losses(parsed)
    n_unread = sum(finding.severity == "error" for finding in parsed.findings)
    if root is None:
        message = "A question can't be translated: write it with words and operators first."
        if parsed.kind != "question":
            message = "There is nothing to translate: type at least one word."
        return Translation("", unread or (Loss(0, 0, len(parsed.text), "unsupported", message),), n_unread)
    thesauri = thesaurus_of(DIALECTS[parsed.dialect], database), thesaurus_of(DIALECTS[to], to_database)
    same_thesaurus = thesauri[0] == thesauri[1]
    same_dialect = to == parsed.dialect and same_thesaurus
    if not same_dialect:
        root = meant(root, parsed.dialect, database)
    opens_names = DIALECTS[to].whole_names and not DIALECTS[parsed.dialect].whole_names
    written = write(
        root,
        to,
        strict=not same_dialect,
        database=to_database,
        vocabulary=vocabulary,
        opens_names=opens_names,
    )
    placed = {(loss.start, loss.end) for loss in written.losses}  # an unknown limit is listed as a loss of its leaf
    limits = (loss for loss in unread[n_unread:] if (loss.start, loss.end) not in placed)
    losses = (*unread[:n_unread], *limits, *written.losses)
    if not same_dialect:
        losses += _topic_losses(root, DIALECTS[parsed.dialect], DIALECTS[to], len(parsed.text))
        losses += _source_losses(parsed.root or root, parsed.dialect, thesauri[0], DIALECTS[to], len(parsed.text))
    if not same_thesaurus and parsed.dialect != "plain" and _has_heading_words(DIALECTS[to]):
        losses += _heading_word_losses(root, *thesauri, len(parsed.text))
    if same_dialect and parse(written.text, to).root == root:
        return Translation(written.text, losses, n_unread)
    root, length = meant(root, parsed.dialect, database), len(parsed.text)
    return Translation(written.text, (*losses, *_checked(root, written, to, to_database, length)), n_unread)


def _topic_losses(root: Node, source: Dialect, target: Dialect, length: int) -> tuple[Loss, ...]:
    """Return a loss for the whole if a topic search covers more or fewer fields than in the other dialect.

    The plain dialect means the topic search of any database.
    """
    has_topic = any(set(term.fields) == set(TEXT_FIELDS) for term in terms_in(root))
    if source.id == "plain" or not has_topic or source.topic_also == target.topic_also:
        return ()
    status: Status = "unsupported"  # fields that only one searches don't replace those of the other
    if not source.topic_also or not target.topic_also:
        status = "widened" if target.topic_also else "narrowed"
    message = " ".join(
        f"A topic search of {dialect.label} also searches {dialect.topic_also}."
        for dialect in (source, target)
        if dialect.topic_also
    )
    return (Loss(0, root.span.start, root.span.end or length, status, message),)


def _source_losses(
    root: Node, source: DialectId, thesaurus: Thesaurus, target: Dialect, length: int
) -> tuple[Loss, ...]:
    """Return a loss for the whole if a field of the source dialect holds something other than its name suggests."""
    notes: list[tuple[Status, str]] = []
    terms = tuple(terms_in(root))
    codes = {code for term in terms for code in term.tag.split(",")}
    if source == "ovid" != target.id and "kw" in codes:
        notes.append(("widened", "Ovid matches whole keywords in .kw.: here each of their words matches."))
    if source == "ovid" != target.id and "tw" in codes and thesaurus == "emtree":
        notes.append(("narrowed", "In Embase on Ovid, .tw. also searches trade names of drugs."))
    if source == "dimensions" and not target.holds_full_text and any(map(_is_everywhere, terms)):
        notes.append(("narrowed", f"Dimensions also searches full texts, and {target.label} has none."))
    return (replace(loss_of(0, root, notes), end=root.span.end or length),) if notes else ()


def _is_everywhere(term: Term) -> bool:
    return len(term.fields or EVERY_FIELD) == len(EVERY_FIELD)


_HEADING_WORDS = frozenset(("subject", "major_subject", "subheading_words"))
"""Fields in which the words of subject headings are searched."""


def _has_heading_words(dialect: Dialect) -> bool:
    tags = dialect.tags.values() if dialect.id != "plain" else ()
    return any(not _HEADING_WORDS.isdisjoint(tag.fields) for tag in tags)


def _heading_word_losses(root: Node, source: Thesaurus, target: Thesaurus, length: int) -> tuple[Loss, ...]:
    """Return a loss for the whole if words are searched in subject headings, because these differ there."""
    fields = [term.fields for term in terms_in(root) if len(term.fields) < len(EVERY_FIELD)]
    if all(_HEADING_WORDS.isdisjoint(each) for each in fields):
        return ()
    message = f"Words are also searched in subject headings: {_owner(source)} here, {_owner(target)} there."
    return (Loss(0, root.span.start, root.span.end or length, "unsupported", message),)


def _owner(thesaurus: Thesaurus) -> str:
    return THESAURI[thesaurus] if thesaurus else "the database's own"


def _checked(root: Node, written: WrittenQuery, to: DialectId, database: str, length: int) -> tuple[Loss, ...]:
    """Return a loss for the whole if the text means something else when read again and no other loss reports it."""
    again = parse(written.text, to).root
    label = DIALECTS[to].label
    span = (root.span.start, root.span.end or length)
    if again is None:
        told = any(loss.number == 0 for loss in written.losses)
        message = f"{label} would find nothing to search for in this text."
        return () if told and not written.text else (Loss(0, *span, "unsupported", message),)
    replaced = {n: None if node is None else meant(node, to, database) for n, node in written.replaced.items()}
    expected = with_replaced(root, replaced)
    if expected is not None and same(expected, meant(again, to, database)):
        return ()
    if expected is None and written.losses:
        return ()
    return (Loss(0, *span, "unsupported", f"{label} reads this text differently: compare the results."),)


def with_replaced(root: Node, replaced: Mapping[int, Node | None]) -> Node | None:
    """Replace some leaves of the tree, by their numbers; None: leave that leaf out."""
    return _replaced(root, replaced, [0])


def _replaced(node: Node, replaced: Mapping[int, Node | None], place: list[int]) -> Node | None:
    number = place[0]
    place[0] += 1
    if number in replaced:
        place[0] += sum(1 for _ in walk(node)) - 1
        return replaced[number]
    parts = [made for part in parts_of(node) if (made := _replaced(part, replaced, place)) is not None]
    if isinstance(node, Group):
        return replace(node, parts=tuple(parts)) if len(parts) > 1 else parts[0] if parts else None
    if isinstance(node, Not):
        return replace(node, part=parts[0]) if parts else None
    return node


# Edits in the text of a query, with terms as a dialect writes them.


class Writer(Protocol):
    def term(self, term: Term) -> str | None:
        """Write a term with its fields, quotes and wildcards; None: the dialect can't express it."""
        ...

    def near(self, near: Near) -> str | None:
        """Write parts that are close to each other, without outer brackets; None: the dialect can't express it."""
        ...

    def heading(self, heading: Heading) -> str | None:
        """Write a subject heading; None: the dialect can't express it."""
        ...

    def alternative(self, text: str, span: Span, added: str, *, in_or: bool) -> Edit:
        """Add an alternative to the text in the span. `in_or`: it already has an OR in it or around it."""
        ...


class PlainWriter:
    """Bare words, phrases in "quotes", * for any ending, OR between alternatives; fields in [brackets] after a term."""

    def term(self, term: Term) -> str | None:
        text = written(term.pieces)
        return (f'"{text}"' if term.quoted else text) + (f"[{','.join(term.fields)}]" if term.fields else "")

    def near(self, near: Near) -> str | None:
        """Write a NEAR/5 b; PRE instead of NEAR keeps the order."""
        parts = [part_text(part, self) for part in near.parts]
        if None in parts:
            return None
        operator = f" {'PRE' if near.ordered else 'NEAR'}/{near.distance} "
        return operator.join(map(str, parts))

    def heading(self, heading: Heading) -> str | None:
        return None

    def alternative(self, text: str, span: Span, added: str, *, in_or: bool) -> Edit:
        """Add it after the last alternative; if there is none yet, put brackets around both."""
        if in_or:
            return Edit(span.end, span.end, f" OR {added}")
        return Edit(span.start, span.end, f"({span.of(text)} OR {added})")


def part_text(node: Node, writer: Writer) -> str | None:
    """Write a node as a part of another: in brackets unless it is a term. None: the dialect can't express it."""
    if isinstance(node, Term):
        return writer.term(node)
    if isinstance(node, Heading):
        return writer.heading(node)
    if isinstance(node, Near):
        text = writer.near(node)
        return None if text is None else f"({text})"
    if isinstance(node, Group):
        parts = [part_text(part, writer) for part in node.parts]
        return None if None in parts else f"({f' {node.operator} '.join(map(str, parts))})"
    return None


def leave_out(matched: MatchedTree, number: int, text: str, writer: Writer) -> Edit | None:
    """Return the edit that removes a node from the text; None: nothing would be left, it is written elsewhere, or a
    bracket in it has no partner."""
    above = matched.parents[number]
    while above >= 0 and isinstance(matched.nodes[above], Not):
        number, above = above, matched.parents[above]
    if above < 0:
        return None
    node, own = matched.nodes[above], matched.nodes[number]
    others = [matched.nodes[c] for c in matched.children[above] if c != number]
    if isinstance(node, Group) and node.operator == "AND" and all(isinstance(other, Not) for other in others):
        return None
    extents = sorted((part.extent for part in (own, *others)), key=lambda span: span.start)
    ends = [node.span.start, *(end for span in extents for end in (span.start, span.end)), node.span.end]
    if ends != sorted(ends) or not _is_balanced(text, own.extent):
        return None
    place = extents.index(own.extent)
    if place:
        return _apart(text, Edit(extents[place - 1].end, own.extent.end, ""))
    return _apart(text, Edit(own.extent.start, extents[1].start, ""))


def put_in_place(matched: MatchedTree, number: int, node: Node, text: str, writer: Writer) -> Edit | None:
    """Return the edit that replaces a leaf; None: the dialect can't express the new node there."""
    leaf = matched.nodes[number]
    span = leaf.span
    if isinstance(leaf, Term) and _is_bare(leaf, text, writer):
        if isinstance(node, Term) and node.fields != leaf.fields:
            if leaf.fields and not _has_own_field(leaf, text):
                return None
            span = leaf.extent
        else:
            node = in_fields(node, ())
    if isinstance(node, Near) and (isinstance(leaf, Near) or not number):
        new = writer.near(node)
    else:
        new = part_text(node, writer)
    return None if new is None else Edit(span.start, span.end, new)


def add_alternative(
    matched: MatchedTree, number: int, added: Node, beside: int | None, text: str, writer: Writer
) -> Edit | None:
    """Return the edit that adds an alternative next to a node; None: the dialect can't express it, or a bracket there
    has no partner.

    Its fields are written like those of the leaf `beside`: not at all, if they apply to both from outside.
    """
    node = matched.nodes[number]
    above = matched.nodes[matched.parents[number]] if number else None
    is_or, in_or = (isinstance(each, Group) and each.operator == "OR" for each in (node, above))
    up_to = number if is_or else matched.parents[number]
    if not _is_balanced(text, node.span if is_or else node.extent):
        return None
    if beside is not None and _fields_from_outside(matched, beside, up_to, added, text, writer):
        added = in_fields(added, ())
    elif _is_inside_field(matched, up_to, text):
        return None
    new = part_text(added, writer)
    if new is None:
        return None
    return _apart(text, writer.alternative(text, node.span if is_or else node.extent, new, in_or=is_or or in_or))


def _apart(text: str, edit: Edit) -> Edit:
    before, behind = text[: edit.start][-1:] + edit.text, text[edit.end : edit.end + 1]
    together = before[-1:].isalnum() and behind.isalnum()
    return replace(edit, text=f"{edit.text} ") if together else edit


_STEPS = {"(": 1, ")": -1}


@lru_cache(maxsize=4_096)
def _is_balanced(text: str, span: Span) -> bool:
    """Return True if every bracket and quote in the span has its partner there. Otherwise text put around or after it
    would end up inside one that is still open."""
    parts = cleaned(span.of(text)).split('"')
    levels = list(accumulate(_STEPS.get(sign, 0) for part in parts[::2] for sign in part))
    return len(parts) % 2 == 1 and (not levels or (min(levels) >= 0 and levels[-1] == 0))


def _is_inside_field(matched: MatchedTree, number: int, text: str) -> bool:
    while number >= 0:
        if isinstance(matched.nodes[number], Group) and _has_own_field(matched.nodes[number], text):
            return True
        number = matched.parents[number]
    return False


def _fields_from_outside(matched: MatchedTree, number: int, up_to: int, added: Node, text: str, writer: Writer) -> bool:
    term = next(terms_in(matched.nodes[number]), None)
    if term is None or not isinstance(added, Term) or term.fields != added.fields or not _is_bare(term, text, writer):
        return False
    between: list[Node] = [term]
    while number not in (up_to, -1):
        between.append(matched.nodes[number])
        number = matched.parents[number]
    return not any(_has_own_field(each, text) for each in between)


def _is_bare(term: Term, text: str, writer: Writer) -> bool:
    bare = writer.term(replace(term, fields=()))
    return bare is not None and bare.casefold() == term.span.of(text).casefold()


def _has_own_field(node: Node, text: str) -> bool:
    outer = node.extent
    beside = text[outer.start : node.span.start] + text[node.span.end : outer.end]
    return bool(beside.strip("() \t\r\n"))


# Edits in the dialect of the query.


@dataclass(frozen=True, slots=True)
class DialectWriter(PlainWriter):
    """Terms as one dialect writes them; terms that it can't express exactly are not offered as edits.

    >>> DialectWriter("pubmed").term(Term(("tall trees",), quoted=True, fields=("title",)))
    '"tall trees"[ti]'
    """

    dialect: DialectId

    def term(self, term: Term) -> str | None:
        return self._exactly(term)

    def near(self, near: Near) -> str | None:
        return self._exactly(near)

    def heading(self, heading: Heading) -> str | None:
        return self._exactly(heading)

    def _exactly(self, node: Term | Near | Heading) -> str | None:
        written = write(node, self.dialect)
        if written.losses:
            return None
        return f"({written.text})" if isinstance(written.meant, Group) else written.text


# Searches as documents for other programs, in the format of searchRxiv and search files.

PLATFORMS: Mapping[str, DialectId] = {
    "pubmed": "pubmed",
    "medline": "pubmed",
    "ovid": "ovid",
    "wos": "wos",
    "web of science": "wos",
    "scopus": "scopus",
    "ebscohost": "ebsco",
    "ebsco": "ebsco",
    "dimensions": "dimensions",
    "openalex": "openalex",
    "embase.com": "embase",
    "embase": "embase",
    "cochrane library": "cochrane",
    "cochrane": "cochrane",
    "central": "cochrane",
    "proquest": "proquest",
    "generic": "plain",
    "plain": "plain",
}
"""Names of platforms in documents, in lower case; the first of several names for one platform is written."""
_WRITTEN: Mapping[DialectId, str] = {"ebsco": "ebscohost", "plain": "generic"}
_BEGINNING = re.compile(r"""[\ufeff\s]*(?:\[\s*)?\{\s*(?:"[^"\n]{0,100}"\s*:|\}\s*\]?\s*\Z)""")
_NAMED = ("search_string", "platform", "database", "field", "date", "version", "authors", "record_info", "title")


@dataclass(frozen=True, eq=False)
class SearchDocument:
    search_string: str
    platform: str
    """The name in the document; empty: the dialect is detected from the text."""
    database: tuple[str, ...] = ()
    field: str = ""
    """The platform's name for the fields of a term without a field."""
    date: Mapping[str, object] = dataclasses.field(default_factory=dict)
    """Dates on which it was written, run or entered, such as data_entry."""
    version: str = ""
    authors: tuple[Mapping[str, object], ...] = ()
    """Each has at least a name."""
    record_info: Mapping[str, object] = dataclasses.field(default_factory=dict)
    title: str = ""
    other: Mapping[str, object] = dataclasses.field(default_factory=dict)
    """Everything else in the document, unchanged."""

    @property
    def dialect(self) -> DialectId | None:
        """The platform's dialect; None: the platform is unknown."""
        return PLATFORMS.get(self.platform.strip().lower())

    def parsed(self, dialect: DialectId | None = None) -> ParsedQuery:
        """Parse the search; its general field applies to all terms without one. `dialect`: overrides its own."""
        found = parse(self.search_string, dialect or self.dialect)
        tag = self._tag(found.dialect)
        if found.root is None or tag is None or not tag.fields:
            return found
        return replace(found, root=with_tag(found.root, tag))

    def _tag(self, dialect: DialectId) -> Tag | None:
        name = self.field.strip().strip("[]=.():").lower()
        tag = DIALECTS[dialect].tags.get(name)
        return tag if tag and tag.kind == "text" else None

    def as_dict(self) -> dict[str, object]:
        """Return a dictionary for JSON; unknown values are left out, except those that every such document has."""
        known: dict[str, object] = {
            "search_string": self.search_string,
            "platform": self.platform,
            "authors": [dict(author) for author in self.authors],
            "record_info": dict(self.record_info),
            "date": dict(self.date),
        }
        if self.database:
            known["database"] = list(self.database)
        known |= {name: value for name in ("field", "version", "title") if (value := getattr(self, name))}
        return known | {name: value for name, value in self.other.items() if name not in known}


def document_of(
    parsed: ParsedQuery,
    *,
    title: str = "",
    database: tuple[str, ...] = (),
    date: str = "",
    version: str = "",
    authors: tuple[str, ...] = (),
) -> SearchDocument:
    """Convert a query to a document. `date`: when it was entered, such as 2026-01-31.

    >>> document_of(parse("heat[ti]", "pubmed"), title="Heat").as_dict()["platform"]
    'pubmed'
    """
    return SearchDocument(
        parsed.text,
        _WRITTEN.get(parsed.dialect, parsed.dialect),
        database,
        date={"data_entry": date} if date else {},
        version=version,
        authors=tuple({"name": name} for name in authors),
        title=title,
    )


def read_document(document: object) -> SearchDocument:
    """Read a search from parsed JSON; a key of the wrong type is refused, an unknown key is kept.

    >>> read_document({"search_string": "TS=heat", "platform": "wos"}).parsed().dialect
    'wos'
    """
    if not isinstance(document, Mapping):
        raise InputError(f"a search file contains one object with search_string and platform, got {_kind(document)}")
    text = _interchange_text(document, "search_string")
    if not text.strip():
        raise InputError('"search_string" is missing or empty: it must contain the search string')
    return SearchDocument(
        text,
        _interchange_text(document, "platform"),
        _texts(document, "database"),
        _interchange_text(document, "field") or _interchange_text(document, "field_general"),
        _date(document),
        _interchange_text(document, "version", numbers=True),
        _authors(document),
        _object(document, "record_info"),
        _interchange_text(document, "title"),
        {str(name): value for name, value in document.items() if name not in _NAMED},
    )


def looks_like_document(text: str) -> bool:
    """Return True if a text is meant as JSON, even if it is invalid: no search string begins like that.

    >>> looks_like_document('{"search_string": "heat"}'), looks_like_document("{heat wave} AND trees")
    (True, False)
    """
    return _BEGINNING.match(text) is not None


def read_documents(text: str) -> tuple[SearchDocument, ...]:
    """Read the searches in the text of a JSON file: one, or a list of them."""
    try:
        found = json.loads(text.strip("\ufeff \t\r\n"))
    except (ValueError, RecursionError) as e:
        raise InputError(f"this is not JSON: {str(e)[:100]}") from e
    documents = tuple(read_document(each) for each in (found if isinstance(found, list) else [found]))
    if not documents:
        raise InputError("this file contains no search")
    return documents


def as_json(document: SearchDocument) -> str:
    return json.dumps(document.as_dict(), ensure_ascii=False, indent=4)


# Checking


def _wrong(name: str, expected: str, value: object) -> InputError:
    return InputError(f'"{name}" must be {expected}, got {_kind(value)}')


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    names: dict[type, str] = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "an object")


def _interchange_text(document: Mapping[str, object], name: str, *, numbers: bool = False) -> str:
    value = document.get(name)
    if value is None:
        return ""
    if numbers and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _wrong(name, "a text", value)
    return value


def _texts(document: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = document.get(name)
    if isinstance(value, str) and value:
        return (value,)
    return _listed(document, name, "a list of texts", lambda each: isinstance(each, str))


def _object(document: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = document.get(name)
    if value is None or value == "":
        return {}
    if not isinstance(value, Mapping):
        raise _wrong(name, "an object", value)
    return value


def _date(document: Mapping[str, object]) -> Mapping[str, object]:
    value = document.get("date")
    if isinstance(value, str) and value:
        return {"data_entry": value}
    if value is not None and value != "" and not isinstance(value, Mapping):
        raise _wrong("date", 'a text or an object with "data_entry"', value)
    return _object(document, "date")


def _authors(document: Mapping[str, object]) -> tuple[Mapping[str, object], ...]:
    def has_name(each: object) -> bool:
        return isinstance(each, Mapping) and isinstance(each.get("name"), str)

    return _listed(document, "authors", "a list of objects with a name", has_name)


def _listed(
    document: Mapping[str, object], name: str, expected: str, is_fit: Callable[[object], bool]
) -> tuple[Any, ...]:
    value = document.get(name)
    if value is None or value == "":
        return ()
    if not isinstance(value, list):
        raise _wrong(name, expected, value)
    for each in value:
        if not is_fit(each):
            raise _wrong(name, expected, each)
    return tuple(value)
