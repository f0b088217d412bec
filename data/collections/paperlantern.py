"""Paper Lantern's query files: one JSON object, each query with the settings that it was written to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.ranking.check import Query
from data.collections.beir import labels_of
from data.collections.lines import TextFile
from data.collections.named_rows import Pairs, json_of
from data.collections.parts import CollectionPart, Kind, Role, clean_text

MOST_LANTERN_BYTES = 64_000_000
_BEGINS = re.compile(r"\s*\{\s*\"[^\"\n]{1,200}\"\s*:\s*\{\s*\"(?:settings|search_query)\"\s*:")


def _read(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    queries = json_of(file.whole(MOST_LANTERN_BYTES), file.name)
    for own_id, value in queries if isinstance(queries, Pairs) else ():
        fields = dict(value) if isinstance(value, Pairs) else {}
        asked, settings = fields.get("search_query"), fields.get("settings")
        if not own_id.strip():
            yield None, "a query without a name"
        elif not isinstance(asked, str):
            yield None, f"“{own_id[:60]}” has no search_query"
        else:
            labels = labels_of(dict(settings)) if isinstance(settings, Pairs) else ()
            yield None, Query(clean_text(own_id), clean_text(asked), labels)


PAPER_LANTERN = Kind("paper_lantern", "Paper Lantern queries", "queries", lambda h: _BEGINS.match(h) is not None, _read)
