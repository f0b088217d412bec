"""What is read: by itself, no publication twice, and the held-out half never as core."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.errors import InputError, OutOfReachError
from core.library.records import Record
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from core.types import Publication
from core.writer.sheets import Brief, Depth, WriterReading
from data.explore.workspace import Workspace
from data.sources.types import FetchedRecord, SourcePage
from data.writer.desk import SIZES, WriterDesk, held_out_among, live_reading, readings, set_up_writer
from tests.data.notes import assert_notes
from tests.data.workspaces import MODEL, TOPIC, N, ids_of
from tests.messages import refusal

BRIEF = Brief(TOPIC)


@pytest.fixture
def desk(workspace: Workspace) -> WriterDesk:
    store = workspace.store
    cited = [replace(p, times_cited=int(p.publication_id[1:])) for p in store.load_publications(ids_of(0, N))]
    with store.transaction():
        store.replace_publications(cited)
    workspace.corpora.forget()
    return set_up_writer(workspace, TOPIC, MODEL)


def by_id(found: tuple[WriterReading, ...]) -> dict[str, WriterReading]:
    return {reading.reading_id: reading for reading in found}


def ids(reading: WriterReading) -> list[str]:
    return [p.publication_id for p in reading.publications]


@pytest.mark.parametrize("depth", ["quick", "usual", "deep"])
def test_no_publication_is_read_twice_and_none_is_longer_than_its_depth(
    workspace: Workspace, desk: WriterDesk, depth: Depth
) -> None:
    found = readings(workspace, desk, replace(BRIEF, depth=depth))
    read = [i for reading in found for i in ids(reading)]
    assert len(set(read)) == len(read)
    assert max(len(reading.publications) for reading in found) <= SIZES[depth]
    assert [reading.kind for reading in found] == ["core", "nearest", "most_cited", "newest"]


def test_of_the_core_publications_only_those_in_use_are_read_as_such(workspace: Workspace, desk: WriterDesk) -> None:
    found = by_id(readings(workspace, desk, BRIEF))
    assert set(ids(found["core"])) == set(desk.split.used)
    assert desk.split.held_out
    rest = [i for reading in found.values() if reading.kind != "core" for i in ids(reading)]
    assert not set(rest) & set(desk.split.used)


def test_readings_are_the_same_whichever_core_publications_are_held_out(workspace: Workspace, desk: WriterDesk) -> None:
    blind = replace(desk, split=replace(desk.split, held_out=()))
    assert readings(workspace, desk, BRIEF) == readings(workspace, blind, BRIEF)


def test_the_nearest_have_the_topics_words_and_the_others_say_what_they_are(
    workspace: Workspace, desk: WriterDesk
) -> None:
    found = by_id(readings(workspace, desk, replace(BRIEF, depth="quick")))
    assert all("tea" in f"{p.title} {p.abstract}" for p in found["nearest"].publications)
    cited = [p.times_cited for p in found["most_cited"].publications]
    years = [p.year or 0 for p in found["newest"].publications]
    assert cited == sorted(cited, key=lambda n: -(n or 0))
    assert years == sorted(years, reverse=True)


def test_what_is_not_known_is_said(workspace: Workspace) -> None:
    store = workspace.store
    bare = [replace(p, year=None, times_cited=None) for p in store.load_publications(ids_of(0, N))]
    with store.transaction():
        store.replace_publications(bare)
    workspace.corpora.forget()
    found = by_id(readings(workspace, set_up_writer(workspace, TOPIC, MODEL), BRIEF))
    assert (found["most_cited"].publications, found["newest"].publications) == ((), ())
    assert found["most_cited"].note.startswith("Citation counts")
    assert found["newest"].note.startswith("Publication years")


def test_a_topic_that_no_publication_has_a_word_of(workspace: Workspace, desk: WriterDesk) -> None:
    found = by_id(readings(workspace, desk, Brief("Quantum knitting")))
    assert found["nearest"].publications == ()
    assert "No publication has" in found["nearest"].note
    assert found["newest"].publications
    assert "count as near" in found["newest"].note


def test_supporting_publications_that_are_held_out_are_not_read(workspace: Workspace, desk: WriterDesk) -> None:
    hidden = next(p for p in desk.desk.core if p is not None and p.publication_id in desk.split.held_out)
    brought = (
        Publication("a", "A new way to steep"),
        Publication("b", hidden.title.upper() + "."),
        Publication(hidden.publication_id, "Whatever"),
        Publication("c", ""),
    )
    found = by_id(readings(workspace, desk, BRIEF, supporting=brought))["supporting"]
    assert ids(found) == ["a"]
    assert_notes([found.note], ("2 of them", "core publications", "not read"))


class FoundSource:
    """Has three records for anything."""

    def prepare(self, parsed: Any, choices: SourceOptions) -> PreparedSearch:
        self.text = parsed.text
        return PreparedSearch("openalex", "plain", parsed.text, (Form(0, parsed.text),))

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        self.most = most
        fetched = tuple(
            FetchedRecord(f"W{n}", Record(n, title=title)) for n, title in enumerate(("One", "", "Three"), 1)
        )
        return SourcePage(fetched, (), 1234, None, b"")


def test_a_live_source_is_searched_once_for_the_topics_words(workspace: Workspace, desk: WriterDesk) -> None:
    source = FoundSource()

    def search(*of: Any) -> WriterReading:
        return live_reading(*of, source=source)  # type: ignore[arg-type]

    found = by_id(readings(workspace, desk, BRIEF, live="openalex", search=search))["live:openalex"]
    assert (source.text, source.most) == ("Tea AND Brewing", SIZES["usual"])
    assert ids(found) == ["openalex:W1", "openalex:W3"]
    assert_notes([found.note], ("first 2 of 1,234", ": Tea AND Brewing."))


def test_a_live_source_that_is_out_of_reach_leaves_the_others(workspace: Workspace, desk: WriterDesk) -> None:
    def search(*of: Any) -> WriterReading:
        raise OutOfReachError("there is no connection")

    found = by_id(readings(workspace, desk, BRIEF, live="openalex", search=search))
    assert found["live:openalex"].note == "Not read: there is no connection"
    assert found["core"].publications


def test_a_source_that_is_not_there_is_refused(workspace: Workspace, desk: WriterDesk) -> None:
    with refusal(InputError):
        readings(workspace, desk, BRIEF, live="somewhere")


def test_where_little_else_is_there_to_be_read_the_held_out_half_is_said_to_show_less(
    workspace: Workspace, desk: WriterDesk
) -> None:
    found = readings(workspace, desk, BRIEF)
    n = len(desk.desk.corpus.ids) - len(desk.split.used)
    assert held_out_among(desk, ()) == ""
    nearly_all = replace(desk, split=replace(desk.split, held_out=desk.desk.corpus.ids[: n // 2]))
    assert f"Of {n:,} publications that the" in held_out_among(nearly_all, found)
    core_alone = [r for r in found if r.kind == "core"]
    held_out = workspace.publications(desk.split.held_out)
    assert held_out_among(desk, [*core_alone, WriterReading("newest", held_out)]).startswith(
        f"Of {len(held_out)} publications that are read"
    )
