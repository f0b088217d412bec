"""SMART files: .I with a number, then .T, .A, .B and .W. Documents and queries look alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.ranking.check import Document, Query
from data.collections.lines import TextFile
from data.collections.parts import CollectionPart, Kind, Role, clean_text
from data.importers.source import Rejected
from data.importers.tagged.lines import Gathered, Outside, gathered, one_text
from data.importers.tagged.smart import SMART_GRAMMAR

_BEGINS = re.compile(r"\s*\.I[ \t]+\S+[ \t]*\n\.[A-Z][ \t]*(?:\n|$)")


def _read(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    for part in gathered(file.whole(), SMART_GRAMMAR):
        if isinstance(part, Rejected):
            yield part.line, part.reason
        elif isinstance(part, Outside):
            yield part.line, f"“{' '.join(part.text[:200].split())[:60]}” stands outside of any entry"
        else:
            own_id, title, text = _texts(part)
            if not own_id:
                yield part.line, "an entry without a number (.I)"
            elif role == "documents":
                yield part.line, Document(own_id, title, text)
            else:
                yield part.line, Query(own_id, text)


def _texts(entry: Gathered) -> tuple[str, str, str]:
    """Number, title and text. A tag that comes again after the text began is a part of it that looks like a tag."""
    found: dict[str, list[list[str]]] = {}
    for tag, *lines in entry.fields:
        owner = "W" if tag in found and "W" in found else tag
        found.setdefault(owner, []).append(lines)
    number, title, text = (clean_text(one_text(found.get(tag, ()))) for tag in "ITW")
    return number, " ".join(title.split()), " ".join(text.split())


SMART = Kind("smart", "SMART", "either", lambda head: _BEGINS.match(head) is not None, _read)
