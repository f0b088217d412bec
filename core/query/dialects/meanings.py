"""Express a tree independently of its dialect: fields, values of lists, and headings."""

from __future__ import annotations

from dataclasses import replace

from core.query.dialects import DIALECTS
from core.query.dialects.base import JOURNAL_NAMES, Dialect
from core.query.dialects.values import (
    CLOSED_FIELDS,
    SUBHEADING_FIELDS,
    TYPE_FIELDS,
    TYPES_WITH_NARROWER,
    code_of,
    value_named,
)
from core.query.tree import (
    EVERY_FIELD,
    DialectId,
    Heading,
    Node,
    Range,
    Term,
    Thesaurus,
    with_leaves,
    written,
)


def meant(root: Node, dialect_id: DialectId, database: str = "") -> Node:
    """Return the same tree, node for node, in words that mean the same in every dialect.

    A term without a field gets the fields that this dialect searches; document types, languages and source types get
    their common names; a heading gets its thesaurus.

    >>> meant(Term(("re",), fields=("publication_type",)), "scopus").pieces
    ('review',)
    """
    dialect = DIALECTS[dialect_id]
    thesaurus = thesaurus_of(dialect, database)

    def leaf(node: Term | Heading | Range) -> Node:
        if isinstance(node, Heading):
            below = tuple(code_of(name) if "_" in name else name for name in node.subheadings)
            return replace(node, thesaurus=node.thesaurus or thesaurus, subheadings=below, tag="")
        return _term_meant(node, dialect) if isinstance(node, Term) else replace(node, tag="")

    return with_leaves(root, leaf)


def thesaurus_of(dialect: Dialect, database: str = "") -> Thesaurus:
    """Return the thesaurus of a database of a platform."""
    return dialect.databases.get(database.strip().lower(), dialect.thesaurus)


def closed_field(term: Term) -> str:
    """Return the term's field if it has a list of values; empty: it is another field."""
    is_closed = len(term.fields) == 1 or SUBHEADING_FIELDS.issuperset(term.fields)
    return term.fields[0] if term.fields and is_closed and term.fields[0] in CLOSED_FIELDS else ""


def _term_meant(term: Term, dialect: Dialect) -> Term:
    if not term.fields:
        is_everywhere = bool(term.tag) and term.tag == dialect.all_tag
        return replace(term, fields=EVERY_FIELD if is_everywhere else dialect.untagged, tag="")
    if term.fields == JOURNAL_NAMES and len(term.chunks) == 1 == len(term.chunks[0]):
        return replace(term, fields=("journal",), tag="")  # a name of one word is never abbreviated
    if (field := closed_field(term)) and (value := value_named(field, written(term.pieces), dialect.id)):
        has_none_below = field in TYPE_FIELDS and value not in TYPES_WITH_NARROWER
        fields = ("publication_type",) if has_none_below else term.fields
        return replace(term, pieces=(value,), quoted=True, fields=fields, tag="")
    return replace(term, tag="")
