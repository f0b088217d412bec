"""Field tags as they are written: before a term, behind it, or glued to it."""

from __future__ import annotations

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect, Tag
from core.query.reading.foreign import colon_suffix_of
from core.query.reading.lexer import Token
from core.query.tree import in_order


def ends_with_suffix(value: str, dialect: Dialect) -> bool:
    """Whether a run of bare words ends with this one: heat.ti. or Stress/."""
    heading = dialect.tag_style == "suffix" and (value.endswith("/") or '"/' in value)
    return heading or suffix_of(value, dialect) is not None


def suffix_of(value: str, dialect: Dialect) -> tuple[int, Tag] | None:
    """Where .ti,ab. begins in a word, and what it asks for."""
    if dialect.tag_style != "suffix":
        return colon_suffix_of(value)
    body = value[:-1] if value.endswith(".") else value
    at = body.rfind(".")
    if at < 0:
        return None
    codes = body[at + 1 :].lower().split(",")
    tags = [dialect.tags.get(code) for code in codes]
    if any(tag is None for tag in tags):
        return None
    known = [tag for tag in tags if tag is not None]
    if len(known) == 1:
        return at, known[0]
    fields = tuple(dict.fromkeys(f for tag in known for f in tag.fields or ("subject",)))
    return at, Tag(fields=in_order(fields))


def prefix_of(tokens: list[Token], at: int, dialect: Dialect) -> tuple[str, str] | None:
    """A field name in front of a term, and what of the word belongs to the term already."""
    token = tokens[at]
    value = token.value
    style = dialect.tag_style
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    if style in ("equals", "colon") or "=" in value:
        named = style == "colon" and value.partition(":")[0].lower() in dialect.tags  # year:>=2010
        sign = ":" if named or "=" not in value else "="
        name, found, rest = value.partition(sign)
        if found and name and (name.lower() in dialect.tags or (sign == "=" and foreign_tag(name))):
            return name, rest
    known = dialect.tags.get(value.lower())
    if style == "call" and follows and known and (follows.kind == "(" or known.kind == "years"):
        return value, ""
    if style == "space" and follows and known and value.isupper() and follows.kind in ("(", "quoted", "word"):
        return value, ""
    if follows and follows.kind == "(" and follows.start == token.end and style != "call" and _foreign_call(value):
        return value, ""
    return None


def _foreign_call(value: str) -> bool:
    return "-" in value and value.isupper() and value.lower() in DIALECTS["scopus"].tags


def foreign_tag(name: str) -> Tag | None:
    """What another dialect means by a tag."""
    for dialect in DIALECTS.values():
        if dialect.tag_style != "none" and name.lower() in dialect.tags:
            return dialect.tags[name.lower()]
    return None
