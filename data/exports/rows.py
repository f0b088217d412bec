"""One publication as it is handed to other programs: its record, and why Queryscape hands it over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from core.records.cleaning import Record
from core.types import Ids

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_ANOTHER = re.compile(r"[ ;]+(?=https?://)")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class HandOff:
    """A publication with what is known of it here."""

    record: Record
    publication_id: str
    sources: Ids = ()
    """Where its records stand, such as "scopus.ris #12"."""
    found_by: Ids = ()
    """Labels of the versions that retrieve it."""
    is_core: bool = False
    similarity: float | None = None
    """Cosine to the centre of the core; None without a vector."""
    relevant_by: Ids = ()
    """The kinds of region that accept it."""
    embedder: str | None = None
    """Whose vectors the similarity and the regions come from."""

    @property
    def provenance(self) -> str:
        """Why it is here, in one sentence for a field of notes.

        >>> HandOff(Record(1), "p1", ("scopus.ris #12",), ("baseline",), similarity=0.7341, embedder="lsa").provenance
        'Queryscape: found by baseline; similarity 0.734 (lsa); from scopus.ris #12'
        """
        parts = []
        if self.found_by:
            parts.append(f"found by {', '.join(self.found_by)}")
        if self.similarity is not None:
            parts.append(f"similarity {self.similarity:.3f}" + (f" ({self.embedder})" if self.embedder else ""))
        if self.relevant_by:
            parts.append(f"relevant by {', '.join(self.relevant_by)}")
        if self.is_core:
            parts.append("core publication")
        if self.sources:
            parts.append(f"from {', '.join(self.sources)}")
        return one_line(f"Queryscape: {'; '.join(parts)}") if parts else ""


def one_line(text: str) -> str:
    """Text that ends no line in any program: spaces single, nothing that steers, no half of a character.

    >>> one_line("Tea\\u2028ER  - \\r\\nTY")
    'Tea ER - TY'
    """
    if text.isprintable() and "  " not in text:
        return text.strip()
    return _SPACES.sub(" ", _CONTROL.sub("", text)).strip()


def addresses(url: str | None) -> Ids:
    """Each address of a field in which some sources write several.

    >>> addresses("https://a.org/1 https://b.org/2"), addresses(None)
    (('https://a.org/1', 'https://b.org/2'), ())
    """
    return tuple(part.strip(" ;") for part in _ANOTHER.split(url)) if url else ()


def tidy(record: Record) -> dict[str, Any]:
    """The record's fields by name, every text on one line; missing ones are None or empty."""
    return {
        "title": one_line(record.title),
        "abstract": _line(record.abstract),
        "year": record.year,
        "doi": _line(record.doi),
        "pmid": _line(record.pmid),
        "own_id": _line(record.own_id),
        "authors": _lines(record.authors),
        "venue": _line(record.venue),
        "volume": _line(record.volume),
        "issue": _line(record.issue),
        "pages": _line(record.pages),
        "kind": record.kind,
        "keywords": _lines(record.keywords),
        "url": _line(record.url),
        "times_cited": record.times_cited,
        "included": record.included,
    }


def _line(text: str | None) -> str | None:
    return (one_line(text) or None) if text else None


def _lines(texts: Ids) -> Ids:
    return tuple(line for text in texts if (line := one_line(text)))
