"""Combine operands by the operator precedence of a dialect, and report problems found on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect
from core.query.lexer import LATEST, FindingCollector, NearValue, Token
from core.query.tree import DEEPEST, Edit, Fix, Group, Near, Node, Not, Operator, Range, Span, Term, written
from core.text import words

# Joins the operands between two brackets by the dialect's operator precedence, tightest first.


class Operand(NamedTuple):
    node: Node
    span: Span
    """Including the brackets and tags around it."""
    depth: int = 1
    closed: bool = True
    """True if brackets hold it together; otherwise its parts can still be joined with the operands next to it."""


class Joint(NamedTuple):
    operator: str
    """AND, OR, NOT or NEAR."""
    span: Span
    near: NearValue | None = None
    implied: bool = False
    """True if no operator is written there."""


def add_operand(items: list[Operand | Joint], operand: Operand, report: FindingCollector, *, what: str) -> None:
    """Add an operand, joined with AND if it follows another one without an operator. `what`: the two, in words."""
    if items and isinstance(items[-1], Operand):
        between = Span(items[-1].span.end, operand.span.start)
        fix = Fix("Write AND", (Edit(between.start, between.end, " AND "),))
        span = Span(items[-1].span.start, operand.span.end)
        message = f"There is no operator between {what}: both must match."
        report.add("adjacent-terms", "warning", span, message, fix)
        items.append(Joint("AND", between, implied=True))
    items.append(operand)


class Joiner:
    def __init__(self, text: str, dialect: Dialect, report: FindingCollector) -> None:
        self.text = text
        self.dialect = dialect
        self.report = report

    def join(self, items: list[Operand | Joint]) -> Operand | None:
        items = self.tidied(items)
        if not items:
            return None
        items = self.with_unary_not(items)
        self.check_mixture(items)
        for operators in self.dialect.binding:
            if len(items) > 1:
                items = self.joined(items, operators)
        operand = items[0]
        assert isinstance(operand, Operand)
        return operand

    def tidied(self, items: list[Operand | Joint]) -> list[Operand | Joint]:
        """Report and leave out operators that join nothing, so that one operator separates every two operands."""
        out: list[Operand | Joint] = []
        for item in items:
            if isinstance(item, Joint) and item.operator != "NOT" and (not out or isinstance(out[-1], Joint)):
                self.missing_term(item, "before")
            else:
                out.append(item)
        while out and isinstance(out[-1], Joint):
            self.missing_term(out.pop(), "after")
        return out

    def missing_term(self, item: Operand | Joint, where: str) -> None:
        span = item.span
        fix = Fix(f"Remove {span.of(self.text)}", (cut(span),)) if span.end > span.start else None
        self.report.add("missing-term", "error", span, f"A term is missing {where} {span.of(self.text)}.", fix)

    def with_unary_not(self, items: list[Operand | Joint]) -> list[Operand | Joint]:
        """Negate the operand after a NOT at the beginning or after another operator."""
        out: list[Operand | Joint] = []
        turned: list[Joint] = []
        for item in items:
            if isinstance(item, Joint):
                if item.operator == "NOT" and (not out or isinstance(out[-1], Joint)):
                    turned.append(item)
                    continue
            elif turned:
                if not self.dialect.unary_not:
                    label = self.dialect.label
                    message = f"{label} needs a term before NOT: this was read as everything except what follows."
                    self.report.add("leading-not", "warning", turned[0].span, message)
                item = self.turned(item, turned)
                turned = []
            out.append(item)
        return out

    def turned(self, item: Operand, nots: list[Joint]) -> Operand:
        span = Span(nots[0].span.start, item.span.end)
        for _ in nots:
            item = self.bounded(Operand(Not(item.node, span=span), span, item.depth + 1), item)
        return item

    def check_mixture(self, items: list[Operand | Joint]) -> None:
        """Report AND and OR next to each other without brackets: clear to a machine, unclear to a reader."""
        operators = {item.operator for item in items if isinstance(item, Joint)}
        joints = [item for item in items if isinstance(item, Joint) and item.operator != "NEAR"]
        mixed = "OR" in operators and bool(operators & {"AND", "NOT"})
        if not mixed and not (self.dialect.binding[-1] == ("NOT",) and _not_before_and(joints)):
            return
        first = joints[0].operator
        other = next(j for j in joints if j.operator != first)
        pair = f"{self.shown(joints[0])} and {self.shown(other)}"
        message = f"{pair} are mixed without brackets: {self.order()}."
        self.report.add("mixed-operators", "warning", other.span, message)

    def shown(self, joint: Joint) -> str:
        return self.dialect.not_word if joint.operator == "NOT" else joint.operator

    def order(self) -> str:
        levels = [level for level in self.dialect.binding if level != ("NEAR",)]
        if len(levels) == 1:
            return f"{self.dialect.label} reads them from left to right"
        words_of = [self.dialect.not_word if level[0] == "NOT" else level[0] for level in levels]
        return f"{self.dialect.label} evaluates {words_of[0]} first, then {words_of[1]}, then {words_of[2]}"

    def joined(self, items: list[Operand | Joint], operators: tuple[str, ...]) -> list[Operand | Joint]:
        out: list[Operand | Joint] = [items[0]]
        parts: list[Operand] = []
        running: Joint | None = None
        for joint, operand in zip(items[1::2], items[2::2], strict=True):
            assert isinstance(joint, Joint)
            assert isinstance(operand, Operand)
            if joint.operator not in operators:
                self.flush(out, parts, running)
                parts, running = [], None
                out += [joint, operand]
                continue
            if running is not None and not _same(running, joint):
                self.flush(out, parts, running)
                parts, running = [], None
            if running is None:
                last = out[-1]
                assert isinstance(last, Operand)
                parts = [last]
                running = joint
            negated = joint.operator == "NOT"
            parts.append(self.turned(operand, [joint]) if negated else operand)
        self.flush(out, parts, running)
        return out

    def flush(self, out: list[Operand | Joint], parts: list[Operand], running: Joint | None) -> None:
        if running is None:
            return
        first, last = parts[0], parts[-1]
        span = Span(first.span.start, last.span.end)
        if running.near is not None:
            out[-1] = self.near(parts, running.near, span)
            return
        operator: Operator = "OR" if running.operator == "OR" else "AND"
        flat: list[Node] = []
        depth = 1
        for part in parts:
            node = part.node
            if isinstance(node, Group) and node.operator == operator and not part.closed:
                flat.extend(node.parts)
                depth = max(depth, part.depth)
            else:
                flat.append(node)
                depth = max(depth, part.depth + 1)
        out[-1] = self.bounded(Operand(Group(operator, tuple(flat), span=span), span, depth, closed=False), first)

    def near(self, parts: list[Operand], value: NearValue, span: Span) -> Operand:
        nodes = tuple(part.node for part in parts)
        if not all(_may_be_near(node) for node in nodes):
            message = "A proximity operator joins only words, phrases and ORs of them: this was read as AND."
            self.report.add("near-group", "error", span, message)
            return Operand(Group("AND", nodes, span=span), span, max(p.depth for p in parts) + 1)
        for node in nodes:
            if isinstance(node, Term) and not node.quoted and len(node.chunks) > 1:
                fix = Fix(
                    "Put them in quotes",
                    (Edit(node.span.start, node.span.start, '"'), Edit(node.span.end, node.span.end, '"')),
                )
                message = "Words without quotes next to a proximity operator are read as a phrase."
                self.report.add("words-beside-near", "warning", node.span, message, fix)
        depth = max(p.depth for p in parts) + 1
        return self.bounded(Operand(Near(nodes, value.distance, value.ordered, span=span), span, depth), parts[0])

    def bounded(self, operand: Operand, instead: Operand) -> Operand:
        """Report a tree that is too deep and return `instead`, so that walking a tree can't run out of stack."""
        if operand.depth <= DEEPEST:
            return operand
        if not self.report.has("too-deep"):
            message = f"More than {DEEPEST} levels of brackets or operators: deeper levels were left out."
            self.report.add("too-deep", "error", operand.span, message)
        return instead


def cut(span: Span) -> Edit:
    return Edit(span.start, span.end, "")


def _same(one: Joint, other: Joint) -> bool:
    if one.near or other.near:
        return one.near == other.near
    return ("OR" if one.operator == "OR" else "AND") == ("OR" if other.operator == "OR" else "AND")


def is_date(item: Operand | Joint) -> bool:
    """Return True if a colon after it can mean 'until'."""
    return isinstance(item, Operand) and (isinstance(item.node, Range) or _has_date_field(item.node))


def _has_date_field(node: Node) -> bool:
    return isinstance(node, Term) and len(node.fields) == 1 and node.fields[0].endswith("_date")


def until(first: Operand | Joint, last: Operand) -> Operand | None:
    """Merge two dates into a range: 2010[dp] : 2020[dp]."""
    if isinstance(first, Joint):
        return None
    one, other = first.node, last.node
    span = Span(first.span.start, last.span.end)
    if isinstance(one, Range) and isinstance(other, Range):
        is_open = other.high is None or other.high >= LATEST
        high, high_day = (None, "") if is_open else (other.high, other.high_day)
        years = replace(one, high=high, high_day=high_day, span=span, outer=None)
        return Operand(years, span)
    if isinstance(one, Term) and isinstance(other, Term) and one.fields == other.fields and _has_date_field(one):
        pieces = (f"{written(one.pieces)}:{written(other.pieces)}",)
        return Operand(replace(one, pieces=pieces, quoted=False, span=span, outer=None), span)
    return None


def _not_before_and(joints: list[Joint]) -> bool:
    operators = [joint.operator for joint in joints]
    return "NOT" in operators and "AND" in operators[operators.index("NOT") :]


def _may_be_near(node: Node) -> bool:
    if isinstance(node, Group):
        return node.operator == "OR" and all(_may_be_near(part) for part in node.parts)
    return isinstance(node, Term | Near)


# Findings at a single place, reported while a text is read.

_GLUED = re.compile(r"(?<=[a-z0-9*?$#])(AND|OR|NOT)$")
_SIGNS = {"|": "OR", "||": "OR", "&&": "AND"}
_YEAR_WORDS = frozenset(
    ("aft", "bef", "after", "before", "is", "since", "until", "till", "from", "to", "and", "or", "current", "present")
)
_OVID_FIELD = re.compile(r"\.((?:ti|ab|tw|kw|kf|mp|sh|hw|fs|pt|af)(?:,[a-z]{2})*)\.$", re.IGNORECASE)
_EMBASE_FIELD = re.compile(
    r"(?<=')/(?:exp|de|mj)\b|(?<=[\w*'?]):((?:ti|ab|kw|de)(?:,(?:ti|ab|kw|de|tn))*)$", re.IGNORECASE
)
_EBSCO_FIELDS = frozenset(("TI", "AB", "SU", "TX", "KW", "MH", "MM", "MW"))
_MINUS = re.compile(r"-[^\W\d_]{2}")


@dataclass(slots=True)
class Notice:
    text: str
    dialect: Dialect
    report: FindingCollector
    has_foreign_finding: bool = False

    def unclosed(self, opened: int, end: int) -> None:
        fix = Fix("Close the bracket at the end", (Edit(end, end, ")"),))
        self.report.add("unbalanced-bracket", "error", Span(opened, opened + 1), "This bracket is never closed.", fix)

    def loose_tag(self, token: Token) -> None:
        span = Span(token.start, token.end)
        fix = Fix("Remove it", (cut(span),))
        self.report.add("unknown-field", "error", span, f"[{token.value}] has no term before it.", fix)

    def unknown_tag(self, name: str, span: Span) -> None:
        label = self.dialect.label
        others = [d.label for d in DIALECTS.values() if d is not self.dialect and name.lower() in d.tags]
        hint = f"It is one of {others[0]}: choose that dialect." if others else "Correct or remove it."
        self.report.add("unknown-field", "error", span, f"{label} has no field {name.strip()[:40]}. {hint}")

    def braces(self, token: Token) -> None:
        """Report braces in a dialect that has no exact phrases: {heat wave}."""
        if not self.dialect.exact_braces:
            span = Span(token.start, token.end)
            fix = Fix("Write quotes", (Edit(span.start, span.end, f'"{token.value}"'),))
            self.report.add("wrong-quotes", "error", span, f"{self.dialect.label} has no exact phrases in braces.", fix)

    def capitals(self, token: Token) -> None:
        """Report an operator in lower case."""
        span = Span(token.start, token.end)
        written = span.of(self.text)
        if written.isupper() or not (self.dialect.capitals_only or self.dialect.id == "plain"):
            return
        fix = Fix("Write it in capitals", (Edit(span.start, span.end, written.upper()),))
        if self.dialect.capitals_only:
            label = self.dialect.label
            message = (
                f"{label} reads {written} as a word unless it is in capitals. Here it is read as {written.upper()}."
            )
            self.report.add("lower-case-operator", "warning", span, message, fix)
        else:
            self.report.add("lower-case-operator", "hint", span, f"Read as the operator {written.upper()}.", fix)

    def small_operator(self, written: str, span: Span) -> None:
        """Report a lower-case operator that is read as part of a phrase: heat and cold[tiab]."""
        fix = Fix("Write it in capitals", (Edit(span.start, span.end, written.upper()),))
        message = (
            f"{self.dialect.label} reads {written} as a word unless it is in capitals: here it is part of the phrase."
        )
        self.report.add("lower-case-operator", "warning", span, message, fix)

    def words(self, tokens: Iterable[Token]) -> None:
        """Report operators that are read as words: predict*OR, a | b, -cold, heat SAME cold."""
        for token in tokens:
            if token.kind != "word":
                continue
            span = Span(token.start, token.end)
            if found := _GLUED.search(token.value):
                place = token.start + found.start()
                message = f"A space is missing before {found.group()}: it is read as part of the word."
                fix = Fix("Add a space", (Edit(place, place, " "),))
                self.report.add("missing-space", "error", span, message, fix)
            elif self.foreign_field(token.value, span):
                continue
            elif self.dialect.id == "openalex" and ("|" in token.value or token.value.startswith("!")):
                message = "In OpenAlex | and ! join the values of a filter. Here they are read as part of a word."
                self.report.add("unknown-operator", "error", span, message)
            elif operator := _SIGNS.get(token.value):
                message = f"{token.value} is not an operator here and was ignored: write {operator}."
                fix = Fix(f"Write {operator}", (Edit(span.start, span.end, operator),))
                self.report.add("unknown-operator", "error", span, message, fix)
            elif _MINUS.match(token.value) and token.start and self.text[token.start - 1].isspace():
                message = "A minus excludes nothing here: write NOT if this word must not occur."
                fix = Fix(
                    f"Write {self.dialect.not_word}", (Edit(span.start, span.start + 1, f"{self.dialect.not_word} "),)
                )
                self.report.add("unknown-operator", "warning", span, message, fix)
            elif token.value in ("SAME", "NEXT"):
                message = f"{self.dialect.label} does not know {token.value}: it is searched as a word."
                self.report.add("unknown-operator", "warning", span, message)

    def foreign_field(self, value: str, span: Span) -> bool:
        """Report a field of another platform that is read as part of a word: heat.ti,ab. or heat:ti,ab."""
        is_ovid = self.dialect.tag_style == "suffix"
        if self.dialect.id == "plain":
            return False
        found = (_EMBASE_FIELD if is_ovid else _OVID_FIELD).search(value)
        if found is None:
            return False
        other = DIALECTS["embase" if is_ovid else "ovid"].label
        message = (
            f"{self.dialect.label} has no field {found.group()[:40]}, so it is read as a word. "
            f"It is one of {other}: choose that dialect."
        )
        self.report.add("unknown-field", "error", span, message)
        return True

    def no_year(self, shown: str, span: Span) -> None:
        self.report.add("limit-left-out", "warning", span, f"There is no year here, so {shown[:60]} was left out.")

    def exp(self, span: Span) -> None:
        message = f"{self.dialect.label} does not know exp, so it was left out: the field tag decides what is exploded."
        self.report.add("unknown-operator", "warning", span, message, Fix("Remove it", (cut(span),)))

    def some_trees(self, name: str, span: Span) -> None:
        message = f"{name[:60]} is exploded in some trees of MeSH only: here it is exploded in all of them."
        self.report.add("limit-left-out", "warning", span, message)

    def broad(self, name: str, span: Span) -> None:
        message = f"Embase.com also searches other fields for {name[:60]}: only the heading is searched here."
        self.report.add("limit-left-out", "warning", span, message)

    def unslashed(self, span: Span) -> None:
        """Report exp Asthma without the slash that makes it a heading."""
        fix = Fix("Add a slash at the end", (Edit(span.end, span.end, "/"),))
        message = "exp explodes a subject heading, which needs a slash at the end: read as words."
        self.report.add("unknown-operator", "error", span, message, fix)

    def spaced_field(self, token: Token, follows: Token | None) -> None:
        """Report a field of EBSCOhost that is read as a word: TI heat, MH "Asthma+"."""
        if self.dialect.tag_style == "space" or self.dialect.id == "plain" or follows is None:
            return
        needs_more = token.value in ("AB", "MM") and follows.kind == "word"  # AB testing
        if token.value not in _EBSCO_FIELDS or needs_more or follows.kind not in ("word", "quoted", "("):
            return
        message = (
            f"{self.dialect.label} does not write fields like {token.value}, so it is read as a word. "
            f"EBSCOhost does: choose that dialect."
        )
        self.report.add("unknown-field", "error", Span(token.start, token.end), message)

    def beside_years(self, written: str, span: Span) -> None:
        rest = [word for word in words(written) if word[0].isalpha() and word not in _YEAR_WORDS]
        rest += re.findall(r"\d{4}([^\W\d_]+)", written)
        if rest:
            message = f"Only the years were read here: {rest[0]} was left out."
            self.report.add("limit-left-out", "warning", span, message)

    def foreign_near(self, token: Token) -> None:
        span = Span(token.start, token.end)
        how = {"tag": 'write "two words"[tiab:~3]', "tilde": 'write "two words"~3'}.get(self.dialect.window or "", "")
        if self.dialect.near_forms:
            how = f"write {self.dialect.near_forms[0].word}3"
        message = f"{self.dialect.label} does not know {token.value}{': ' + how if how else ''}."
        self.report.add("unknown-operator", "error", span, message)

    def colon_tag(self, token: Token) -> None:
        """Report heat:ti,ab in a dialect whose fields are not codes or suffixes."""
        if self.dialect.tag_style not in ("suffix", "codes"):
            self.foreign(token)

    def foreign(self, token: Token) -> None:
        if not self.has_foreign_finding and self.dialect.tag_style != "codes":
            self.has_foreign_finding = True
            span = Span(token.start, token.end)
            message = "The Cochrane Library and Embase.com write it like this: it is read as intended there."
            self.report.add("unknown-field", "hint", span, message)
