"""The parts of a search that must all hold, each as a source takes it alone: it can be asked which of them fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from core.errors import InputError
from core.query.tree import Group, Node, Not, ParsedQuery, Range, Span
from core.sources.sending import pubmed
from core.sources.sending.preparing import prepare
from core.sources.sending.saying import years_in
from core.sources.sending.searched import as_searched
from core.sources.types import Choices, Form, SourceId

_YEARS_BESIDE: tuple[SourceId, ...] = ("openalex", "dimensions")
"""Years are asked for there alone, but a search can't leave them out."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part that stands under the AND of the whole; the whole, if it is no AND."""

    span: Span
    """In the user's text."""
    text: str
    """What stands there; of a NOT, what is left out."""
    is_excluded: bool
    """What it finds is left out."""
    forms: tuple[Form, ...]
    """What it finds alone; none: the source can't be asked for it alone, or it was left out of the search."""
    node: Node | None = field(default=None, compare=False, repr=False)
    """As it was read in its place: alone its text may mean something else. None: the clause was remembered."""


def clauses(parsed: ParsedQuery, source: SourceId, choices: Choices, room: int | None = None) -> tuple[Clause, ...]:
    """The parts in the order of the text.

    >>> from core.query.reading.parse import parse
    >>> for each in clauses(parse("(heat OR sun) AND TI=shade NOT TS=tree"), "openalex", Choices()):
    ...     print(each.text, each.is_excluded, [form.text for form in each.forms])
    (heat OR sun) False ['title_and_abstract.search:(heat OR sun)']
    TI=shade False ['title.search:(shade)']
    TS=tree True ['title_and_abstract.search:(tree)']
    """
    if parsed.root is None:
        return ()
    parts = zip(_parts(parsed.root), _parts(as_searched(parsed.root, source)), strict=True)
    return tuple(_clause(parsed, part, searched, source, choices, room) for part, searched in parts)


def _parts(root: Node) -> Iterator[Node]:
    """Without brackets around an AND of their own, what they hold is part of the whole."""
    if isinstance(root, Group) and root.operator == "AND":
        for part in root.parts:
            yield from _parts(part)
    else:
        yield root


def _clause(
    parsed: ParsedQuery, part: Node, searched: Node, source: SourceId, choices: Choices, room: int | None
) -> Clause:
    """`searched`: the same part where the whole looks for it, which the part alone might not."""
    is_excluded = isinstance(part, Not)
    node = part.part if isinstance(part, Not) else part
    asked = searched.part if isinstance(searched, Not) else searched
    span = node.extent
    if is_excluded and source in _YEARS_BESIDE and (isinstance(node, Range) or years_in(node) is not None):
        return Clause(span, span.of(parsed.text), is_excluded, (), node)
    try:
        forms = prepare(_alone(parsed, asked, source), source, choices, room=room).forms
    except InputError:
        forms = ()
    return Clause(span, span.of(parsed.text), is_excluded, forms, node)


def _alone(parsed: ParsedQuery, node: Node, source: SourceId) -> ParsedQuery:
    if source == "pubmed" and parsed.dialect == "pubmed":
        return parsed if node is parsed.root and not parsed.lines else pubmed.part_of(parsed, node)
    return replace(parsed, root=node)
