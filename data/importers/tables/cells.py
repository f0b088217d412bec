"""What a cell says: names in a list, a decision, a kind of publication."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.records.cleaning import Kind

_TRUE = frozenset({"1", "yes", "y", "true", "t", "include", "included", "relevant", "ja", "oui", "si", "sí", "in"})
_FALSE = frozenset(
    {"0", "no", "n", "false", "f", "exclude", "excluded", "irrelevant", "not relevant", "nein", "non", "out"}
)
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("book review", "article"),
    ("proceeding", "conference"),
    ("conference", "conference"),
    ("cpaper", "conference"),
    ("preprint", "preprint"),
    ("posted content", "preprint"),
    ("chapter", "chapter"),
    ("chap", "chapter"),
    ("incollection", "chapter"),
    ("inbook", "chapter"),
    ("encyclopedia", "chapter"),
    ("thesis", "thesis"),
    ("dissertation", "thesis"),
    ("article", "article"),
    ("journal", "article"),
    ("jour", "article"),
    ("review", "article"),
    ("letter", "article"),
    ("editorial", "article"),
    ("short survey", "article"),
    ("magazine", "article"),
    ("report", "report"),
    ("book", "book"),
    ("monograph", "book"),
    ("dataset", "other"),
    ("patent", "other"),
    ("other", "other"),
    ("misc", "other"),
)
_LIST_ITEM = re.compile(r"'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"")
_OUTER_COMMA = re.compile(r",\s*(?![^()]{0,200}\))")
_AND = re.compile(r"\s+(?:and|&)\s+")
_INITIALS = re.compile(r"[^\W\d_](?:[.\- ]{0,2}[^\W\d_]){0,3}\.?(?:,? (?:Jr|Sr|I{1,3})\.?)?")


def decision(text: str) -> bool | None:
    """Whether a label says that a publication belongs to the review; None: it doesn't say.

    >>> decision("1.0"), decision("No"), decision("-1"), decision("maybe")
    (True, False, None, None)
    """
    plain = text.strip().lower().removesuffix(".0")
    return True if plain in _TRUE else False if plain in _FALSE else None


def kind_of(text: str) -> Kind | None:
    """A kind of publication in any database's words.

    >>> kind_of("Conference Paper"), kind_of("Book chapter"), kind_of("Case Reports; Journal Article"), kind_of("J")
    ('conference', 'chapter', 'article', None)
    """
    plain = text.lower().replace("-", " ")
    return next((kind for words, kind in _KINDS if words in plain), None)


def list_items(text: str) -> Sequence[str] | None:
    """The items of a list as Python or JSON writes it; None for any other text.

    >>> list_items("['Marx, Karl', \\"O'Hara, S.\\"]")
    ['Marx, Karl', "O'Hara, S."]
    """
    if not (text.startswith("[") and text.endswith("]")):
        return None
    found = [single or double for single, double in _LIST_ITEM.findall(text)]
    return found or None


def keywords_of(text: str, separator: str = "") -> Sequence[str]:
    """Keywords of one cell: by this separator, else by semicolons, bars or lines, else by commas outside brackets.

    >>> keywords_of("Dose; Administration, Oral"), keywords_of("cyst (adult, child), article")
    (['Dose', ' Administration, Oral'], ['cyst (adult, child)', 'article'])
    """
    text = text.strip()
    items = list_items(text)
    if items is not None:
        return items
    for mark in (separator, ";", "|", "\n"):
        if mark and mark in text:
            return text.split(mark)
    return _OUTER_COMMA.split(text)


def authors_of(text: str, separator: str = "") -> Sequence[str]:
    """Authors of one cell, however they are divided.

    >>> authors_of("Liu R., Adler D.G."), authors_of("Smith, J., Doe, A.B."), authors_of("Marx, Karl")
    (['Liu R.', 'Adler D.G.'], ['Smith, J.', 'Doe, A.B.'], ['Marx, Karl'])
    >>> authors_of("Ann Hickey , Oscar Dieste and Ana Moreno"), authors_of("Aria|Cuccurullo")
    (['Ann Hickey', 'Oscar Dieste', 'Ana Moreno'], ['Aria', 'Cuccurullo'])
    """
    text = text.strip()
    items = list_items(text)
    if items is not None:
        return items
    for mark in (separator, ";", "|", "\n"):
        if mark and mark in text:
            return [name.strip() for name in text.split(mark)]
    parts = [part for part in _AND.split(text) if part]
    if len(parts) > 1 and all(map(_is_one_name, parts)):
        return parts  # "Marx, Karl and Lindgren, Astrid"
    return [name for part in parts for name in _by_commas(part)]


def _is_one_name(text: str) -> bool:
    """Whether it is "Family, Given" and not two names."""
    family, comma, given = text.partition(",")
    return bool(comma) and "," not in given and not (" " in family.strip() and " " in given.strip())


def _are_initials(name: str) -> bool:
    return name[:2] == name[:2].upper() and len(name) < 20 and _INITIALS.fullmatch(name) is not None


def _by_commas(text: str) -> Sequence[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) < 2:
        return names
    if len(names) % 2 == 0 and all(map(_are_initials, names[1::2])):
        return [f"{family}, {given}" for family, given in zip(names[::2], names[1::2], strict=True)]
    return [", ".join(names)] if len(names) == 2 and not any(" " in name for name in names) else names
