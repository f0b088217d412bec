"""Values of JSON objects, whatever type a service gave them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from core.records.cleaning import Kind

_KINDS: tuple[tuple[str, Kind], ...] = (
    ("preprint", "preprint"),
    ("posted-content", "preprint"),
    ("proceedings", "conference"),
    ("conference", "conference"),
    ("paper-conference", "conference"),
    ("chapter", "chapter"),
    ("book-section", "chapter"),
    ("booksection", "chapter"),
    ("book-part", "chapter"),
    ("entry-encyclopedia", "chapter"),
    ("reference-entry", "chapter"),
    ("dissertation", "thesis"),
    ("thesis", "thesis"),
    ("report", "report"),
    ("monograph", "book"),
    ("article", "article"),
    ("review", "article"),
    ("letter", "article"),
    ("editorial", "article"),
    ("book", "book"),
)


def text_in(value: Any) -> str:
    """A value as text: numbers as they read, the first text of a list, the name of an object; else nothing.

    >>> text_in(["", "A title"]), text_in(2019.0), text_in({"name": "Nature"}), text_in(None)
    ('A title', '2019', 'Nature', '')
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)
    if isinstance(value, list):
        return next((text for part in value[:100] if not isinstance(part, list) and (text := text_in(part))), "")
    if isinstance(value, dict):
        names = (value.get(name) for name in ("name", "display_name", "title", "value", "term", "tag", "keyword"))
        return next((name.strip() for name in names if isinstance(name, str) and name.strip()), "")
    return ""


def texts_in(value: Any, *, signs: str = "") -> list[str]:
    """A list of texts; one text is cut at the first of `signs` that it holds."""
    if isinstance(value, str):
        sign = next((sign for sign in signs if sign in value), "")
        return [part.strip() for part in (value.split(sign) if sign else [value]) if part.strip()]
    if isinstance(value, dict):
        value = [value]
    return [text for part in value if (text := text_in(part))] if isinstance(value, list) else []


def objects_in(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or the one object that stands for it."""
    if isinstance(value, dict):
        return [value]
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def at(value: Any, *path: str) -> Any:
    """What stands at a path of keys; None where it ends early."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def name_of(author: dict[str, Any]) -> str:
    """ "Family, Given" where both are known, else the name as a whole.

    >>> name_of({"family": "Berg", "given": "A.", "non-dropping-particle": "van den"})
    'van den Berg, A.'
    """
    family = first_text(author, "family", "lastName", "last_name", "lastname", "surname")
    given = first_text(author, "given", "firstName", "first_name", "firstname", "forename", "initials")
    particle = first_text(author, "non-dropping-particle", "dropping-particle")
    family = f"{particle} {family}".strip() if family else ""
    whole = first_text(
        author, "name", "literal", "display_name", "fullName", "full_name", "collective_name", "authname"
    )
    suffix = first_text(author, "suffix")
    return ", ".join(part for part in (family, given, suffix) if part) if family else whole or given


def first_text(value: dict[str, Any], *keys: str) -> str:
    """The first of several keys that says something."""
    return next((text for key in keys if (text := text_in(value.get(key)))), "")


def year_in(value: Any) -> str:
    """A date of Crossref or CSL, or any other."""
    parts = at(value, "date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return text_in(parts[0][0])
    if isinstance(value, dict):
        return first_text(value, "raw", "literal", "date-time", "year", "start")
    return text_in(value)


def kind_in(text: str) -> Kind | None:
    """The kind that a service's own word for it means.

    >>> kind_in("Journal Article"), kind_in("book-chapter"), kind_in("JournalArticle, Conference"), kind_in("")
    ('article', 'chapter', 'conference', None)
    """
    if not text:
        return None
    low = re.sub(r"[\s_]+", "-", text.lower())
    return next((kind for word, kind in _KINDS if word in low), "other")


def unused_in(value: dict[str, Any], taken: Sequence[str] | frozenset[str]) -> list[str]:
    """Keys that hold something and were not asked for."""
    return [key for key, held in value.items() if key not in taken and held not in (None, "", [], {}, False)]
