"""Records that come into the library in batches: the same as all at once, whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.library.records import Record
from data.explore.workspace import Workspace
from data.importers.source import FileReading
from data.library.imports import BatchOrigin, BatchReport, bring, bring_batches
from data.library.records import SourceRole, load_sources
from tests.messages import refusal

TOPIC = "Tea"
ORIGIN = BatchOrigin("made up", "hash", "pubmed", 3)
ROLE = SourceRole("version", "live")
TABLES = (
    "SELECT * FROM publications ORDER BY ALL",
    "SELECT publication_id, position FROM retrieved ORDER BY position",
    "SELECT * EXCLUDE (source_id) FROM records ORDER BY source_id, number",
    "SELECT topic_id, role, label, row_number() OVER (ORDER BY number) FROM sources ORDER BY ALL",
    "SELECT topic_id, core_hash, corpus_hash, texts FROM topics ORDER BY ALL",
)

said = st.builds(
    lambda number, doi, pmid, title, year: Record(number, title=title, doi=doi, pmid=pmid, year=year),
    st.just(1),
    st.sampled_from([None, "10.1/a", "10.1/b", "10.1/c"]),
    st.sampled_from([None, "1", "2"]),
    st.sampled_from(["A cup of tea in the afternoon", "Steeping leaves for three minutes", "Editorial"]),
    st.sampled_from([None, 2001, 2002]),
)


def numbered(records: Sequence[Record]) -> tuple[Record, ...]:
    return tuple(Record.from_document(record.document(), n) for n, record in enumerate(records, start=1))


def reading(records: Sequence[Record]) -> FileReading:
    return FileReading("made up", "hash", 1, "ris", "utf-8", len(records), numbered(records), (), (), {})


def held(root: Path, before: Sequence[Record], records: Sequence[Record], batch: int) -> list[object]:
    """What a topic holds that had some records, and another topic that had one of them without any file."""
    with Workspace.open(root) as workspace:
        bring(workspace, TOPIC, SourceRole("corpus"), [reading(before)])
        with workspace.store.transaction():
            workspace.store.save_topic("Other", workspace.store.topic_publication_ids(TOPIC)[:1])
        if batch:
            new = numbered(records)
            parts = [new[start : start + batch] for start in range(0, len(new), batch)]
            bring_batches(workspace, TOPIC, ROLE, ORIGIN, parts)
        else:
            bring(workspace, TOPIC, ROLE, [reading(records)])
        return [workspace.store.rows(sql) for sql in TABLES]


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(before=st.lists(said, min_size=1, max_size=5), records=st.lists(said, max_size=9), batch=st.integers(1, 4))
def test_batches_leave_what_a_file_would(
    before: list[Record], records: list[Record], batch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("ws")
    at_once, in_parts = (held(root / name, before, records, n) for name, n in (("at once", 0), ("in parts", batch)))
    # How often a topic was told that its texts changed may differ: once for all, or for each part.
    assert at_once[:4] == in_parts[:4]


def test_an_error_amid_the_batches_leaves_nothing(workspace: Workspace) -> None:
    def parts() -> object:
        yield numbered([Record(1, title="A cup of tea in the afternoon", year=2001)])
        raise InputError("no more")

    settings = "SELECT current_setting('memory_limit'), current_setting('threads')"
    workspace.store.save_topic(TOPIC, ())
    before = [workspace.store.rows(sql) for sql in (*TABLES, settings)]
    with pytest.raises(InputError, match="no more"):
        bring_batches(workspace, TOPIC, ROLE, ORIGIN, parts())  # type: ignore[arg-type]
    assert [workspace.store.rows(sql) for sql in (*TABLES, settings)] == before


def test_what_belongs_to_it_is_done_with_it_or_not_at_all(workspace: Workspace) -> None:
    told: list[BatchReport] = []

    def and_then(brought: BatchReport) -> None:
        told.append(brought)
        if len(told) == 1:
            raise InputError("not yet")

    records = numbered([Record(1, title=f"Cup number {n} of tea", year=2001) for n in (1, 2, 1)])
    workspace.store.save_topic(TOPIC, ())
    with pytest.raises(InputError, match="not yet"):
        bring_batches(workspace, TOPIC, ROLE, ORIGIN, [records], and_then=and_then)
    assert load_sources(workspace.store) == ()
    brought = bring_batches(workspace, TOPIC, ROLE, ORIGIN, [records], and_then=and_then)
    assert told == [brought, brought]
    assert (brought.n_records, brought.n_new) == (3, 2)
    with refusal(InputError):
        bring_batches(workspace, TOPIC, ROLE, ORIGIN, [records])
