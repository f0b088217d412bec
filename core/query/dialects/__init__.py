"""The dialects of search strings, one file each, and their lookup table DIALECTS."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from core.query.dialects.base import Dialect, Tag
from core.query.dialects.cochrane import COCHRANE
from core.query.dialects.dimensions import DIMENSIONS
from core.query.dialects.ebsco import EBSCO
from core.query.dialects.embase import EMBASE
from core.query.dialects.openalex import OPENALEX
from core.query.dialects.ovid import OVID
from core.query.dialects.plain import PLAIN
from core.query.dialects.proquest import PROQUEST
from core.query.dialects.pubmed import PUBMED
from core.query.dialects.scopus import SCOPUS
from core.query.dialects.wos import WOS
from core.query.tree import UNKNOWN, DialectId, Gap, in_order

DIALECTS: dict[DialectId, Dialect] = {
    dialect.id: dialect
    for dialect in (
        PUBMED,
        OVID,
        EMBASE,
        COCHRANE,
        WOS,
        SCOPUS,
        EBSCO,
        PROQUEST,
        DIMENSIONS,
        OPENALEX,
        PLAIN,
    )
}

__all__ = ["DIALECTS", "foreign_tag", "in_words", "known_dialect", "order_of", "tag_named", "unknown_tag"]


def known_dialect(name: str | None) -> DialectId | None:
    """Return the dialect of this id; None: there is none, so it has to be detected."""
    return next((known for known in DIALECTS if known == name), None)


@lru_cache(maxsize=4096)
def tag_named(name: str, dialect_id: DialectId) -> Tag | None:
    """Return the meaning of a tag, with its name; some dialects join several tags with commas. None: unknown.

    >>> tag_named("TI,AB", "ovid")
    Tag(kind='text', fields=('title', 'abstract'), explode=True, major=False, thesaurus='', days=False, \
is_name=False, read_only=False, name='ti,ab')
    """
    dialect = DIALECTS[dialect_id]
    name = " ".join(name.lower().split())
    if (tag := dialect.tags.get(name)) is not None:
        return replace(tag, name=name)
    if "," not in name or dialect.tag_style not in ("suffix", "codes", "call"):
        return None
    codes = [code.strip() for code in name.split(",")]
    tags = [dialect.tags.get(code) for code in codes]
    if any(tag is None for tag in tags):
        return None
    if dialect.all_tag in codes:
        return replace(dialect.tags[dialect.all_tag], name=dialect.all_tag)
    fields = {field for tag in tags if tag is not None for field in tag.fields or ("subject",)}
    return Tag(fields=in_order(fields), name=",".join(codes))


def foreign_tag(name: str) -> Tag | None:
    """Return the tag of this name in the first dialect that has one."""
    found = (tag_named(name, d.id) for d in DIALECTS.values() if d.tag_style != "none" and d.id != "plain")
    tag = next((tag for tag in found if tag is not None), None)
    return replace(tag, name="") if tag is not None else None


def unknown_tag(name: str) -> Tag:
    """Return a tag for a name that no dialect knows: its term is kept, but searched nowhere."""
    name = " ".join(name.lower().split())[:40]
    return Tag(fields=(f"{UNKNOWN}{name}",), name=name)


def order_of(dialect: Dialect) -> str:
    """Describe the order in which the operators of a dialect are evaluated.

    >>> order_of(PUBMED), order_of(SCOPUS)
    ('from left to right', 'OR, then W/n and PRE/n, then AND, then AND NOT')
    """
    near = " and ".join(form.word if form.most == 1 else f"{form.word}n" for form in dialect.near_forms)
    names = {"NEAR": near, "NOT": dialect.not_word}
    levels = [level for level in dialect.binding if level != ("NEAR",) or near]
    if any(len(level) > 1 for level in levels):
        return "from left to right"
    return ", then ".join(names.get(level[0], level[0]) for level in levels)


def in_words(gap: Gap) -> str:
    """Describe the letters that a wildcard stands for.

    >>> in_words(Gap(0, None)), in_words(Gap(1, 1)), in_words(Gap(0, 1))
    ('any number of letters', 'one letter', 'one letter or none')
    """
    if gap.most is None:
        return "any number of letters"
    if gap.most == 1:
        return "one letter" if gap.least else "one letter or none"
    return f"{gap.least} to {gap.most} letters"
