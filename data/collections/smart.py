"""SMART files: .I with a number, then .T, .A, .B and .W. Documents and queries look alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.ranking.types import Document, Query
from data.collections.lines import TextFile
from data.collections.parts import Kind, Part, Role, clean_text
from data.importers.source import Rejected
from data.importers.tagged.lines import Outside, gathered, one_text
from data.importers.tagged.ris_fields import first
from data.importers.tagged.smart import GRAMMAR

_BEGINS = re.compile(r"\s*\.I[ \t]+\S+[ \t]*\n\.[A-Z][ \t]*(?:\n|$)")


def _read(file: TextFile, role: Role) -> Iterator[Part]:
    for part in gathered(file.whole(), GRAMMAR):
        if isinstance(part, Rejected):
            yield part.line, part.reason
        elif isinstance(part, Outside):
            yield part.line, f"“{' '.join(part.text[:200].split())[:60]}” stands outside of any entry"
        else:
            found = part.by_tag()
            own_id = clean_text(first(found, "I") or "")
            text = clean_text(one_text(found.get("W", ())))
            if not own_id:
                yield part.line, "an entry without a number (.I)"
            elif role == "documents":
                yield part.line, Document(own_id, clean_text(one_text(found.get("T", ()))), text)
            else:
                yield part.line, Query(own_id, text)


SMART = Kind("smart", "SMART", "either", lambda head: _BEGINS.match(head) is not None, _read)
