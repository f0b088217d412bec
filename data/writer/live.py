"""One small search at a live source, for something to read about a topic that the workspace does not have."""

from __future__ import annotations

from core.query.reading.parser import parse
from core.sources.sending.saying import Choices
from core.types import Publication
from core.writer.types import Reading
from data.clock import Clock, utc_now
from data.sources.opening import check_source, open_source
from data.sources.types import LiveSource
from data.workspace import Workspace


def live_reading(
    workspace: Workspace,
    source_id: str,
    text: str,
    size: int,
    *,
    clock: Clock = utc_now,
    source: LiveSource | None = None,
) -> Reading:
    """The first publications that the source gives for a text; at most so many.

    InputError: there is no such source. Whatever it raises is passed on. `source`: one that is open already.
    """
    named = check_source(source_id)
    asked = source or open_source(named, store=workspace.store, clock=clock)
    prepared = asked.prepare(parse(text, "plain"), Choices())
    page = asked.page(prepared.forms[0], prepared.choices, None, size)
    publications = tuple(each.record.publication(f"{named}:{each.key}") for each in page.fetched[:size])
    kept = tuple(p for p in publications if _says(p))
    total = len(kept) if page.total is None else page.total
    note = f"The first {len(kept)} of {total:,} that the source has for: {text}." if kept else "It found nothing."
    return Reading("live", kept, named, note)


def _says(publication: Publication) -> bool:
    return bool(publication.title.strip() or publication.abstract)
