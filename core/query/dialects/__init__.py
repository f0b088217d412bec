"""The query languages that are understood: DIALECTS."""

from __future__ import annotations

from core.errors import InputError
from core.query.dialects.base import Dialect
from core.query.dialects.dimensions import DIMENSIONS
from core.query.dialects.ebsco import EBSCO
from core.query.dialects.openalex import OPENALEX
from core.query.dialects.ovid import OVID
from core.query.dialects.plain import PLAIN
from core.query.dialects.pubmed import PUBMED
from core.query.dialects.scopus import SCOPUS
from core.query.dialects.wos import WOS
from core.query.tree import DialectId

DIALECTS: dict[DialectId, Dialect] = {
    dialect.id: dialect for dialect in (PUBMED, OVID, WOS, SCOPUS, EBSCO, DIMENSIONS, OPENALEX, PLAIN)
}

__all__ = ["DIALECTS", "dialect_named"]


def dialect_named(name: str) -> Dialect:
    """The dialect of this name."""
    for dialect in DIALECTS.values():
        if dialect.id == name:
            return dialect
    raise InputError(f'no dialect "{name}"; there is {", ".join(DIALECTS)}')
