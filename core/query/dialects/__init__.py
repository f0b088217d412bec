"""The dialects of search strings, one file each, and their lookup DIALECTS."""

from __future__ import annotations

from core.query.dialects.base import Dialect
from core.query.dialects.dimensions import DIMENSIONS
from core.query.dialects.ebsco import EBSCO
from core.query.dialects.openalex import OPENALEX
from core.query.dialects.ovid import OVID
from core.query.dialects.plain import PLAIN
from core.query.dialects.pubmed import PUBMED
from core.query.dialects.scopus import SCOPUS
from core.query.dialects.wos import WOS
from core.query.tree import DialectId, Gap

DIALECTS: dict[DialectId, Dialect] = {
    dialect.id: dialect for dialect in (PUBMED, OVID, WOS, SCOPUS, EBSCO, DIMENSIONS, OPENALEX, PLAIN)
}

__all__ = ["DIALECTS", "in_words", "order_of"]


def order_of(dialect: Dialect) -> str:
    """In which order its operators are done.

    >>> order_of(PUBMED), order_of(SCOPUS)
    ('from left to right', 'OR, then W/n and PRE/n, then AND, then AND NOT')
    """
    near = " and ".join(f"{form.word}n" for form in dialect.near_forms)
    names = {"NEAR": near, "NOT": dialect.not_word}
    levels = [level for level in dialect.binding if level != ("NEAR",) or near]
    if any(len(level) > 1 for level in levels):
        return "from left to right"
    return ", then ".join(names.get(level[0], level[0]) for level in levels)


def in_words(gap: Gap) -> str:
    """What a wildcard stands for.

    >>> in_words(Gap(0, None)), in_words(Gap(1, 1)), in_words(Gap(0, 1))
    ('any number of letters', 'one letter', 'one letter or none')
    """
    if gap.most is None:
        return "any number of letters"
    if gap.most == 1:
        return "one letter" if gap.least else "one letter or none"
    return f"{gap.least} to {gap.most} letters"
