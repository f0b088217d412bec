"""The kind of a publication, from the publication types of any database."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.library.records import Kind

_WORDS: tuple[tuple[str, Kind], ...] = (
    ("book review", "article"),
    ("review book", "article"),
    ("clinical conference", "article"),
    ("consensus development conference", "article"),
    ("case report", "article"),
    ("brief report", "article"),
    ("meeting report", "article"),
    ("peer review", "other"),
    ("preprint", "preprint"),
    ("posted content", "preprint"),
    ("proceeding", "conference"),
    ("conference", "conference"),
    ("congress", "conference"),
    ("meeting paper", "conference"),
    ("meeting abstract", "conference"),
    ("cpaper", "conference"),
    ("chapter", "chapter"),
    ("chap", "chapter"),
    ("book section", "chapter"),
    ("booksection", "chapter"),
    ("book part", "chapter"),
    ("incollection", "chapter"),
    ("inbook", "chapter"),
    ("encyclopedia", "chapter"),
    ("reference entry", "chapter"),
    ("dissertation", "thesis"),
    ("thesis", "thesis"),
    ("theses", "thesis"),
    ("article", "article"),
    ("journal", "article"),
    ("jour", "article"),
    ("review", "article"),
    ("letter", "article"),
    ("editorial", "article"),
    ("comment", "article"),
    ("clinical trial", "article"),
    ("controlled trial", "article"),
    ("meta analysis", "article"),
    ("observational study", "article"),
    ("comparative study", "article"),
    ("multicenter study", "article"),
    ("evaluation study", "article"),
    ("validation study", "article"),
    ("guideline", "article"),
    ("rapid communication", "article"),
    ("data paper", "article"),
    ("short survey", "article"),
    ("magazine", "article"),
    ("report", "report"),
    ("monograph", "book"),
    ("book", "book"),
    ("dataset", "other"),
    ("patent", "other"),
    ("other", "other"),
    ("misc", "other"),
)
"""The first match in a type decides: terms that only contain "report" or "conference" come before those."""
_RANKS: tuple[Kind, ...] = ("preprint", "conference", "thesis", "chapter", "article", "report", "book", "other")
"""Precedence among several types: "Journal Article" accompanies most other types and is the least specific."""
_TECHNICAL = "technical report"
"""A report even together with "Journal Article"."""
_SEPARATORS = re.compile(r"[;|,]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SIGNS = re.compile(r"[\s_\-/]+")
_SERVERS = ("xiv", "ssrn", "preprint", "research square")
_PREPRINT = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv|edarxiv|eartharxiv|ssrn|research square|"
    r"preprints?(?:\.org)?)\b",
    re.IGNORECASE,
)


def kind_of(types: str | Iterable[str]) -> Kind | None:
    """Return the kind that these types mean, for any database; None if none of them is known.

    >>> kind_of("Conference Paper"), kind_of("Book chapter"), kind_of("Case Reports; Journal Article"), kind_of("J")
    ('conference', 'chapter', 'article', None)
    >>> kind_of(["JournalArticle", "Conference"]), kind_of("CaseReport"), kind_of(["Clinical Conference"])
    ('conference', 'article', 'article')
    """
    texts = [types] if isinstance(types, str) else types
    phrases = [_plain(part) for text in texts for part in _SEPARATORS.split(text)]
    kinds = [kind for phrase in phrases if (kind := _kind(phrase))]
    best = min(kinds, key=_RANKS.index, default=None)
    if best in ("article", "book", "other") and any(_TECHNICAL in phrase for phrase in phrases):
        return "report"
    return best


def known_kind_of(types: Iterable[str]) -> Kind | None:
    """Return the kind as `kind_of` does, but "other" for unknown types; None only without any type.

    >>> known_kind_of(["Biography"]), known_kind_of([])
    ('other', None)
    """
    given = [text for text in types if text.strip()]
    return kind_of(given) or ("other" if given else None)


def _plain(text: str) -> str:
    return _SIGNS.sub(" ", _CAMEL.sub(" ", text)).strip().lower()


def _kind(phrase: str) -> Kind | None:
    return next((kind for words, kind in _WORDS if words in phrase), None)


def is_preprint_server(text: str) -> bool:
    """Return True if a venue is a preprint server.

    >>> is_preprint_server("medRxiv : the preprint server"), is_preprint_server("Nature")
    (True, False)
    """
    low = text.lower()
    return any(word in low for word in _SERVERS) and _PREPRINT.search(low) is not None
