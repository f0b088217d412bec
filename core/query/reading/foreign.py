"""What the Cochrane Library and Embase.com write, which are no dialects here: read as it is meant there.

asthma:ti,ab,kw, [mh ^"Asthma"], MeSH descriptor: [Asthma] explode all trees, 'asthma'/exp, [english]/lim.
"""

from __future__ import annotations

import re

from core.query.dialects.base import Tag
from core.query.reading.operands import heading_of, years_of
from core.query.tree import OTHER_FIELDS, TEXT_FIELDS, Node, Span, Term
from core.text import words

_CODES = {
    "ti": ("title",),
    "tt": ("title",),
    "ab": ("abstract",),
    "kw": ("keywords",),
    "de": ("subject",),
    "tn": ("substance",),
    "rn": ("substance",),
    "pt": ("publication_type",),
    "la": ("language",),
    "au": ("author",),
}
_AFTER = r"(?:/(?:exp|de|mj|br|dm_\w\w)){1,4}(?![\w/])"
LEAF = re.compile(
    rf"""
      \[mh\s+(?P<only>\^)?\s*"?(?P<mesh>[^\[\]"\n]{{1,200}})"?\s*\](?:/(?P<below>[a-z]{{2}}(?:,[a-z]{{2}})*)(?!\w))?
    | MeSH\s+descriptor:\s*\[(?P<descriptor>[^\[\]\n]{{1,200}})\]
      (?P<how>(?:\s+(?:this\s+term\s+only|explode\s+all\s+trees|in\s+all\s+MeSH\s+products)){{0,3}})
    | '(?P<emtree>[^'"()\[\]\n]{{1,200}})'(?P<after>{_AFTER})
    | (?P<bare>[^\W_][\w-]{{0,100}})(?P<after_bare>{_AFTER})
    | \[(?P<limit>[^\[\]"\n]{{1,200}})\]/(?P<kind>lim|py|sd)(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A subject heading or a limit, whole."""
BEGINS = "[mM'"
"""What it begins with, unless it is one bare word."""
PHRASE = re.compile(rf"'([^'\"()\[\]\n]{{1,200}})'(?=:(?:{'|'.join(_CODES)})\b)", re.IGNORECASE)
"""Single quotes with a field behind them."""


def leaf_named(text: str, span: Span) -> Node | None:
    """The heading or limit that `LEAF` matches."""
    found = LEAF.fullmatch(text)
    if found is None:
        return None
    if name := found["mesh"]:
        return heading_of(f"{name}/{found['below'] or ''}", span, Tag("heading", explode=not found["only"]))
    if name := found["descriptor"]:
        only = "only" in found["how"].lower()
        return heading_of(name, span, Tag("heading", explode=not only))
    if name := found["emtree"] or found["bare"]:
        after = (found["after"] or found["after_bare"]).lower()
        return heading_of(name, span, Tag("heading", explode="/exp" in after, major="/mj" in after))
    if not words(found["limit"]):
        return None
    years = years_of(found["limit"], span) if found["kind"].lower() == "py" else None
    return years or Term((found["limit"].strip(),), True, ("other",), span=span)


def colon_suffix_of(value: str) -> tuple[int, Tag] | None:
    """Where :ti,ab begins in a word, and what it asks for.

    >>> colon_suffix_of("asthma*:ti,ab")
    (7, Tag(kind='text', fields=('title', 'abstract'), explode=True, major=False))
    """
    at = value.rfind(":")
    codes = value[at + 1 :].lower().split(",")
    if at < 0 or any(code not in _CODES for code in codes):
        return None
    fields = {field for code in codes for field in _CODES[code]}
    return at, Tag(fields=tuple(f for f in (*TEXT_FIELDS, *OTHER_FIELDS) if f in fields))
