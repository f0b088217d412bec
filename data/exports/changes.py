"""What was gained, lost and kept between versions, as CSV (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from core.comparing.compare import Changes
from core.text import harmless
from data.store import Headlines

MARK = "\ufeff"
"""Excel takes a file without it for cp1252."""


def changes_csv(found: Changes, headlines: Headlines, rows: Iterable[int]) -> bytes:
    """These rows, with a column for each version: 1 where it retrieves the publication."""
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow(["publication_id", "title", "year", "doi", "core", *map(harmless, found.labels)])
    for row in rows:
        held = int(found.bits[row])
        lines.writerow(
            [
                harmless(found.ids[row]),
                harmless(headlines.titles[row]),
                int(headlines.years[row]) or "",
                harmless(headlines.dois[row]),
                int(found.core_mask[row]),
                *(held >> i & 1 for i in range(len(found.labels))),
            ]
        )
    return (MARK + out.getvalue()).encode(errors="replace")
