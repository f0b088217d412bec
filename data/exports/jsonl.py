"""JSON Lines: one document per publication, for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

from data.exports.rows import HandOff, one_line, tidy

JSONL_LOST: Mapping[str, str] = {
    "own_id": "where a record has none, its publication_id is read in its place",
    "query_id": "a selection answers no query of a run",
    "as_written": "what is written is the cleaned text",
}


def write_jsonl(rows: Iterable[HandOff], file: BinaryIO) -> int:
    """Writes one line per publication, and says how many."""
    n = 0
    for row in rows:
        line = json.dumps(document(row), ensure_ascii=False, allow_nan=False)
        file.write(f"{line}\n".encode())
        n += 1
    return n


def document(row: HandOff) -> dict[str, Any]:
    """Every key in every line, null where nothing is known: whoever reads a table of it finds all columns at once."""
    found = tidy(row.record)
    similarity = row.similarity
    return {
        "publication_id": one_line(row.publication_id),
        **{name: found[name] for name in ("title", "abstract", "year", "doi", "pmid", "own_id")},
        "authors": list(found["authors"]),
        **{name: found[name] for name in ("venue", "volume", "issue", "pages", "kind")},
        "keywords": list(found["keywords"]),
        **{name: found[name] for name in ("url", "times_cited", "included")},
        "sources": [one_line(text) for text in row.sources],
        "found_by": [one_line(text) for text in row.found_by],
        "is_core": row.is_core,
        "similarity": None if similarity is None or not math.isfinite(similarity) else round(similarity, 6),
        "embedder": one_line(row.embedder) if row.embedder else None,
        "relevant_by": list(row.relevant_by),
    }
