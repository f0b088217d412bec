"""One search string for each field tag of each dialect, so that laws can run over the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.query.dialects import DIALECTS
from core.query.dialects.base import Dialect, Tag
from core.query.dialects.dates import DATE_FIELDS
from core.query.dialects.values import CLOSED, CLOSED_FIELDS
from core.query.tree import DialectId


class TagSample(NamedTuple):
    dialect: DialectId
    tag: str
    text: str
    """What the tag is written with, alone."""


def samples() -> Iterator[TagSample]:
    """Every tag of every dialect, and a term without one."""
    for dialect in DIALECTS.values():
        yield TagSample(dialect.id, "", "heat")
        for name, tag in dialect.tags.items():
            yield TagSample(dialect.id, name, tagged(name, tag, dialect))


def tagged(name: str, tag: Tag, dialect: Dialect) -> str:
    """A tag with a value that fits it, as the dialect writes it."""
    if name in dialect.limits:
        return f'{name.upper()}(DOCTYPE,"ar")'
    if tag.kind == "heading":
        return _heading(name, tag, dialect)
    value = _date(name, tag, dialect) if tag.kind == "years" else value_of(tag, dialect)
    match dialect.tag_style:
        case "brackets":
            return f"{value}[{name}]"
        case "suffix":
            return f"{value}.{name}."
        case "codes":
            limits = {"py": f"[{value}]/py", "sd": f"[{value}]/sd"}
            return limits.get(name, f"[{value}]/lim" if name == "lim" else f"{value}:{name}")
        case "equals":
            return f"{name.upper()}={value}"
        case "call":
            is_compared = tag.kind == "years" and dialect.id == "scopus"
            return f"PUBYEAR = {value}" if is_compared else f"{name.upper()}({value})"
        case "space":
            return f"{name.upper()} {value}"
        case _:
            return f"{name}:{value}"


def value_of(tag: Tag, dialect: Dialect) -> str:
    """A word; of a field with a list of values, the last that the dialect has."""
    if set(tag.fields) & DATE_FIELDS:
        return {"ovid": "20150315", "ebsco": "20150315", "embase": "15-3-2015"}.get(dialect.id, "2015")
    if tag.fields and CLOSED_FIELDS.issuperset(tag.fields):
        known = [names[dialect.id][0] for names in CLOSED[tag.fields[0]].values() if names.get(dialect.id)]
        if known:
            return known[-1] if known[-1].isalnum() else f'"{known[-1]}"'
    if any(field.endswith("_date") for field in tag.fields):
        return "2015"
    return "heat"


def _date(name: str, tag: Tag, dialect: Dialect) -> str:
    if not tag.days or dialect.id == "embase":
        return "2015-2015" if dialect.id == "embase" else "2015"
    return {"pubmed": "2015/03/15", "wos": "2015-03-15/2016-05-31", "openalex": "2015-03-15"}.get(
        dialect.id, "2015/03/15" if dialect.id == "plain" else "20150315-20160531"
    )


def _heading(name: str, tag: Tag, dialect: Dialect) -> str:
    if dialect.id == "cochrane":
        return f'[mh {"" if tag.explode else "^"}"Stress"]'
    if dialect.id == "embase":
        return f"'stress'/{name.removeprefix('/')}"
    match dialect.tag_style:
        case "brackets":
            return f'"Stress"[{name}]'
        case "suffix":
            return f"Stress.{name}."
        case "space":
            return f'({name.upper()} "Stress")'
        case "call":
            return f'{name.upper()}("Stress")'
        case _:
            return f'{name}:"Stress"'
