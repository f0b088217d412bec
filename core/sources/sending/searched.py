"""A tree with each word looked for where a source looks for it, which may not be where it was wanted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from core.query.tree import TEXT_FIELDS, Group, Near, Node, Not, Term
from core.query.writing.choosing import Fields
from core.sources.sending import dimensions, openalex
from core.sources.sending.filters import BOTH, Place, places
from core.sources.sending.saying import in_fields, size_of
from core.sources.types import SourceId


def as_searched(root: Node, source: SourceId) -> Node:
    """The tree of a whole search, since one field may hold for all of it. Its nodes keep their numbers.

    >>> from core.query.reading.parse import parse
    >>> tree = as_searched(parse("TI=heat AND TS=shade").root, "dimensions")
    >>> [part.fields for part in tree.parts]
    [('title', 'abstract'), ('title', 'abstract')]
    """
    if source == "openalex":
        known: Collection[Fields] = tuple(openalex.SEARCHED)
        where = places(root, known)
    elif source == "dimensions":
        known = tuple(dimensions.INDEXES)
        where = places(root, known, whole=True)
    elif source == "semanticscholar":
        known = (BOTH,)
        where = places(root, known, whole=True)
    else:
        return root
    return _placed(root, 0, where, known)


def _placed(node: Node, number: int, where: Mapping[int, Place], known: Collection[Fields]) -> Node:
    if isinstance(node, Not):
        return replace(node, part=_placed(node.part, number + 1, where, known))
    if isinstance(node, Group):
        parts = []
        number += 1
        for part in node.parts:
            parts.append(_placed(part, number, where, known))
            number += size_of(part)
        return replace(node, parts=tuple(parts))
    if isinstance(node, Term | Near):
        place = where[number]
        if place.wanted in known or set(place.wanted) & set(TEXT_FIELDS):
            return in_fields(node, place.fields)
    return node
