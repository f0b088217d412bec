"""Joins what stands between two brackets by the dialect's order of operators, tightest first."""

from __future__ import annotations

from typing import NamedTuple

from core.query.dialects.base import Dialect
from core.query.reading.lexer import NearValue
from core.query.reading.operands import LATEST
from core.query.reading.report import Report
from core.query.tree import DEEPEST, Edit, Fix, Group, Near, Node, Not, Operator, Range, Span, Term


class Operand(NamedTuple):
    """A node on its way into the tree."""

    node: Node
    span: Span
    """With the brackets and tags around it."""
    depth: int = 1
    closed: bool = True
    """Brackets hold it together; else its parts may still be joined with what stands beside it."""


class Joint(NamedTuple):
    """An operator between operands."""

    operator: str
    """AND, OR, NOT or NEAR."""
    span: Span
    near: NearValue | None = None
    implied: bool = False
    """Nothing is written there."""


class Joiner:
    """Operands and operators in, one operand out."""

    def __init__(self, text: str, dialect: Dialect, report: Report) -> None:
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
        """Operands with one operator between each two; operators that join nothing are reported and left out."""
        out: list[Operand | Joint] = []
        for item in items:
            if isinstance(item, Joint) and item.operator != "NOT" and (not out or isinstance(out[-1], Joint)):
                self.missing_term(item, "before")
            else:
                out.append(item)
        while out and isinstance(out[-1], Joint):
            self.missing_term(out.pop(), "behind")
        return out

    def missing_term(self, item: Operand | Joint, where: str) -> None:
        span = item.span
        fix = Fix(f"Take {span.of(self.text)} out", (cut(span),)) if span.end > span.start else None
        self.report.add("missing-term", "error", span, f"A term is missing {where} {span.of(self.text)}.", fix)

    def with_unary_not(self, items: list[Operand | Joint]) -> list[Operand | Joint]:
        """NOT at the beginning, or behind another operator, turns what follows it round."""
        out: list[Operand | Joint] = []
        turned: list[Joint] = []
        for item in items:
            if isinstance(item, Joint):
                if item.operator == "NOT" and (not out or isinstance(out[-1], Joint)):
                    turned.append(item)
                    continue
            elif turned:
                if not self.dialect.unary_not:
                    message = (
                        f"{self.dialect.label} needs a term before NOT: this was read as everything but what follows."
                    )
                    self.report.add("leading-not", "warning", turned[0].span, message)
                item = self.turned(item, turned)
                turned = []
            out.append(item)
        return out

    def turned(self, item: Operand, nots: list[Joint]) -> Operand:
        """NOT once, or as often as it is written."""
        span = Span(nots[0].span.start, item.span.end)
        for _ in nots:
            item = self.bounded(Operand(Not(item.node, span=span), span, item.depth + 1), item)
        return item

    def check_mixture(self, items: list[Operand | Joint]) -> None:
        """AND and OR side by side without brackets: right for a machine, a riddle for a reader."""
        operators = {item.operator for item in items if isinstance(item, Joint)}
        joints = [item for item in items if isinstance(item, Joint) and item.operator != "NEAR"]
        mixed = "OR" in operators and bool(operators & {"AND", "NOT"})
        if not mixed and not (self.dialect.binding[-1] == ("NOT",) and _not_before_and(joints)):
            return
        first = joints[0].operator
        other = next(j for j in joints if j.operator != first)
        pair = f"{self.shown(joints[0])} and {self.shown(other)}"
        message = f"{pair} stand side by side without brackets: {self.order()}."
        self.report.add("mixed-operators", "warning", other.span, message)

    def shown(self, joint: Joint) -> str:
        return self.dialect.not_word if joint.operator == "NOT" else joint.operator

    def order(self) -> str:
        levels = [level for level in self.dialect.binding if level != ("NEAR",)]
        if len(levels) == 1:
            return f"{self.dialect.label} reads them from left to right"
        words_of = [self.dialect.not_word if level[0] == "NOT" else level[0] for level in levels]
        return f"{self.dialect.label} does {words_of[0]} first, then {words_of[1]}, then {words_of[2]}"

    def joined(self, items: list[Operand | Joint], operators: tuple[str, ...]) -> list[Operand | Joint]:
        """The items with everything joined that these operators join."""
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
            message = "Only words, phrases and ORs of them can stand close to each other: this was read as AND."
            self.report.add("near-group", "error", span, message)
            return Operand(Group("AND", nodes, span=span), span, max(p.depth for p in parts) + 1)
        depth = max(p.depth for p in parts) + 1
        return self.bounded(Operand(Near(nodes, value.distance, value.ordered, span=span), span, depth), parts[0])

    def bounded(self, operand: Operand, instead: Operand) -> Operand:
        """A tree that is too deep is cut: nothing that walks it later may run out of stack."""
        if operand.depth <= DEEPEST:
            return operand
        if not self.report.has("too-deep"):
            message = f"More than {DEEPEST} levels of brackets or operators: what goes beyond was left out."
            self.report.add("too-deep", "error", operand.span, message)
        return instead


def cut(span: Span) -> Edit:
    """Takes a span out."""
    return Edit(span.start, span.end, "")


def _same(one: Joint, other: Joint) -> bool:
    """Whether two operators join three things at one level."""
    if one.near or other.near:
        return one.near == other.near
    return ("OR" if one.operator == "OR" else "AND") == ("OR" if other.operator == "OR" else "AND")


def is_range(item: Operand | Joint) -> bool:
    """Whether it is years, to which a colon may add an end."""
    return isinstance(item, Operand) and isinstance(item.node, Range)


def until(first: Operand | Joint, last: Operand) -> Operand | None:
    """2010[dp] : 2020[dp]."""
    if isinstance(first, Joint) or not isinstance(first.node, Range) or not isinstance(last.node, Range):
        return None
    span = Span(first.span.start, last.span.end)
    high = last.node.high if (last.node.high or 0) < LATEST else None
    return Operand(Range(first.node.low, high, span=span), span)


def _not_before_and(joints: list[Joint]) -> bool:
    operators = [joint.operator for joint in joints]
    return "NOT" in operators and "AND" in operators[operators.index("NOT") :]


def _may_be_near(node: Node) -> bool:
    if isinstance(node, Group):
        return node.operator == "OR" and all(_may_be_near(part) for part in node.parts)
    return isinstance(node, Term | Near)
