"""From tree to text, in any dialect, with a list of what could not be said exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.query.dialects import DIALECTS
from core.query.reading.detect import is_question
from core.query.reading.parser import read
from core.query.tree import DEEPEST, DialectId, Group, Heading, Near, Node, Not, Range, Term, parts_of, walk
from core.query.writing.adapting import Adapted, Loss, adapt, filters_of
from core.query.writing.adapting_near import terms_in_near
from core.query.writing.choosing import Fields
from core.query.writing.leaf_texts import field_name, leaf_text, quoted_words, wrapped
from core.query.writing.truth_table import same


@dataclass(frozen=True, eq=False)
class Written:
    """A tree as text."""

    text: str
    losses: tuple[Loss, ...] = ()
    """Nodes that the dialect can't say exactly; the others are exact."""
    meant: Node | None = None
    """What the text asks for."""
    replaced: Mapping[int, Node | None] = field(default_factory=dict)
    """What a leaf with a loss became; None: it was left out."""


def write(root: Node, dialect_id: DialectId, *, strict: bool = True, source: str = "") -> Written:
    """The text of a tree. `strict=False`: what the dialect reads without allowing it is written as it is.

    `source`: the text that the tree was read from, in this dialect; tags that say more than the tree keeps are taken
    from there.

    >>> write(Group("AND", (Term(("heat wave",), True, ("title",)), Not(Term(("tree",))))), "wos").text
    'TI="heat wave" NOT tree'
    """
    if depth_of(root) > DEEPEST:
        message = f"More than {DEEPEST} levels: make it flatter."
        return Written("", (Loss(0, root.span.start, root.span.end, "unsupported", message),))
    dialect = DIALECTS[dialect_id]
    made = adapt(root, dialect, strict=strict)
    losses = list(made.losses)
    if strict and isinstance(made.root, Not) and not dialect.unary_not and not losses:
        message = f"{dialect.label} needs something before NOT: put it behind what you search for."
        losses.append(Loss(0, root.span.start, root.span.end, "unsupported", message))
    if made.root is None:
        return _nothing_left(root, made)
    text = _text(made.root, dialect_id, strict, source)
    return Written(text, tuple(losses), made.root, made.replaced)


def _text(root: Node, dialect_id: DialectId, strict: bool, source: str) -> str:
    printer, dialect = _Printer(dialect_id, source), DIALECTS[dialect_id]
    if dialect.tag_covers_rest:
        text = printer.filters(root)
        again = read(text, dialect).root
        if strict or (again is not None and same(root, again)):
            return text
    text = printer.text(root, tagged=True, top=True)
    if dialect.tag_covers_rest and isinstance(root, Group) and ":" in text:
        return f"({text})"  # outside brackets a field holds for all that follows
    return f"({text})" if dialect_id == "plain" and is_question(text) else text


def _nothing_left(root: Node, made: Adapted) -> Written:
    """Words of its leaves, so that there is something to begin with."""
    words = [quoted_words(leaf) for leaf in walk(root) if not parts_of(leaf)]
    text = " OR ".join(word for word in words if word) or '"0"'
    losses = made.losses or (Loss(0, root.span.start, root.span.end, "unsupported", "Nothing of it can be written."),)
    return Written(text, losses, None, made.replaced)


def depth_of(root: Node) -> int:
    """Levels of a tree, those inside a Near counted too."""
    deepest, stack = 0, [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        inside = node.parts if isinstance(node, Near) else parts_of(node)
        stack.extend((part, depth + 1) for part in inside)
    return deepest


class _Printer:
    def __init__(self, dialect_id: DialectId, source: str) -> None:
        self.dialect = DIALECTS[dialect_id]
        self.source = source
        self.lower = dialect_id == "ovid"

    def text(self, node: Node, *, tagged: bool, top: bool = False) -> str:
        """`tagged`: the field still has to be written; `top`: nothing stands around it."""
        if isinstance(node, Not):
            return f"{self.operator('NOT')} {self.text(node.part, tagged=tagged, top=False)}"
        if isinstance(node, Group) and self.dialect.id == "ovid" and all(_is_one_year(part) for part in node.parts):
            years = f" {self.operator(node.operator)} ".join(str(p.low) for p in node.parts if isinstance(p, Range))
            return f"({years}).yr."
        if isinstance(node, Group | Near):
            shared = self.shared(node) if tagged and self.dialect.tag_style != "brackets" else ()
            if shared and not (isinstance(node, Near) and self.is_window(node)):
                return wrapped(f"({self.inside(node, tagged=False)})", shared, self.dialect)
            inside = self.inside(node, tagged=tagged)
            bare = top or (isinstance(node, Near) and self.is_window(node))
            return inside if bare else f"({inside})"
        return leaf_text(node, self.dialect, tagged=tagged, source=self.source)

    def filters(self, root: Node) -> str:
        """As OpenAlex has them: field:(search),field:(search),publication_year:2010-2020."""
        years = [part for part in filters_of(root) if isinstance(part, Range)]
        rest = [part for part in filters_of(root) if not isinstance(part, Range)]
        if len(rest) > 1 and len(set.union(*(self.fields_in(part) for part in rest))) == 1:
            rest = [Group("AND", tuple(rest))]
        if not years and len(rest) == 1:
            return self.text(rest[0], tagged=True, top=True)
        return ",".join([self.filter(part) for part in rest] + [self.text(part, tagged=True) for part in years])

    def filter(self, node: Node) -> str:
        text = self.text(node, tagged=True, top=True)
        return f"default.search:({text})" if self.fields_in(node) == {()} else text

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
        """A NOT B; Scopus writes AND NOT."""
        return f"AND {text}" if self.dialect.not_word == "AND NOT" else text

    def operator(self, name: str) -> str:
        return name.lower() if self.lower else name

    def shared(self, node: Group | Near) -> Fields:
        """The fields that everything in it is looked for in; none: they differ, or there are none."""
        found = self.fields_in(node)
        return found.pop() if len(found) == 1 else ()

    def fields_in(self, node: Node) -> set[Fields]:
        """Each of the fields that something is looked for in; what has other fields than words counts as one more."""
        found: set[Fields] = set()
        for each in walk(node):
            if isinstance(each, Heading | Range):
                found |= {("heading",), ("range",)}
            if isinstance(each, Term):
                found.add(each.fields)
            elif isinstance(each, Near):
                found |= {term.fields for term in terms_in_near(each)}
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
        return f"{word}{node.distance + form.more}"

    def window(self, node: Near, *, tagged: bool) -> str:
        words = " ".join(str(word) for term in terms_in_near(node) for run in term.chunks for word in run)
        fields = next(terms_in_near(node)).fields
        if self.dialect.window == "tag":
            return f'"{words}"[{field_name(fields, self.dialect) or "all"}:~{node.distance}]'
        text = f'"{words}"~{node.distance}'
        return wrapped(text, fields, self.dialect) if tagged and fields else text


def _is_one_year(node: Node) -> bool:
    return isinstance(node, Range) and node.low is not None and node.low == node.high
