"""What a person, a run or a decision calls a publication, a topic or a place, and how it is recognised."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations

import pytest

from core.errors import InputError
from data.explore.workspace import Workspace
from data.library.duplicates import join, merges, undo
from data.library.filing import delete_source
from data.library.imports import FileUpload, ImportChoices, ImportReport, bring_files
from data.library.records import SourceRole, load_sources
from tests.messages import refusal

CORPUS, CORE, RUN = SourceRole("corpus"), SourceRole("core"), SourceRole("version", "run")
DOCUMENTS = "".join(
    f"<doc>\n<docno>{n}</docno>\n<title>steeping the {n}th tea of a day</title>\n<text>It is tea {n}.</text>\n</doc>\n"
    for n in range(1, 6)
).encode()
JUDGED = b"7 0 2 1\n7 0 4 1\n7 0 5 0\n8 0 1 1\n"
FOUND = b"7 Q0 4 1 3.0 x\n7 Q0 1 2 2.0 x\n7 Q0 99 3 1.0 x\n"
FILES = ((CORPUS, "documents.xml", DOCUMENTS), (CORE, "judged.txt", JUDGED), (RUN, "run.txt", FOUND))


def brought(workspace: Workspace, topic: str, role: SourceRole, name: str, data: bytes) -> ImportReport:
    query_id = "7" if name.endswith(".txt") else None
    return bring_files(workspace, topic, role, [FileUpload(name, data)], ImportChoices(query_id=query_id))


def texts(workspace: Workspace, ids: Sequence[str]) -> set[str | None]:
    return {p.abstract for p in workspace.publications(ids)}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_runs_and_judgments_mean_the_documents_of_their_names(workspace: Workspace, order: tuple[int, ...]) -> None:
    for n in order:
        brought(workspace, "tea", *FILES[n])
    store = workspace.store
    assert texts(workspace, store.load_core("tea").ids) == {"It is tea 2.", "It is tea 4."}
    run = store.load_retrieved_ids(workspace.version("tea", "run").version.query_id)
    assert texts(workspace, run) == {"It is tea 4.", "It is tea 1.", None}, "99 is nobody's name"
    assert len(store.topic_publication_ids("tea")) == 6


def test_a_core_list_of_names_is_matched_by_them(workspace: Workspace) -> None:
    brought(workspace, "tea", *FILES[0])
    report = brought(workspace, "tea", *FILES[1])
    assert [(m.status, m.by) for m in report.matches] == [("matched", "own_id")] * 2
    assert report.n_publications == 5
    assert any("of query" in note for note in report.files[0].notes), "what did not come in is said"


def test_a_name_that_two_files_use_is_no_name(workspace: Workspace) -> None:
    brought(workspace, "tea", *FILES[0])
    brought(workspace, "tea", CORPUS, "others.xml", DOCUMENTS.replace(b"steeping the", b"pouring over some"))
    report = brought(workspace, "tea", *FILES[1])
    assert [(m.status, len(m.candidates)) for m in report.matches] == [("ambiguous", 2)] * 2
    assert not workspace.store.topics()[0].n_core


def test_a_described_record_is_not_found_by_a_name_of_no_shape(workspace: Workspace) -> None:
    brought(workspace, "tea", *FILES[0])
    report = brought(workspace, "tea", CORPUS, "others.xml", DOCUMENTS.replace(b"steeping the", b"pouring over some"))
    assert (report.n_new, report.n_merged) == (5, 0)


@pytest.mark.parametrize("name", ["corpus", "Corpus", " CORPUS "])
def test_corpus_and_core_in_capitals_are_no_versions(name: str) -> None:
    assert SourceRole.named(name) == CORPUS
    assert (
        SourceRole.named(name.replace("C", "c", 1).replace("corpus", "Core").replace("cORPUS", "CORE")).kind == "core"
    )


@pytest.mark.parametrize("name", ["TEA", "Tea", "\uff34ea"])
def test_a_topic_is_not_made_twice_by_its_capitals(workspace: Workspace, name: str) -> None:
    brought(workspace, "tea", *FILES[0])
    with refusal(InputError):
        brought(workspace, name, *FILES[0])
    assert [topic.topic_id for topic in workspace.store.topics()] == ["tea"]


def test_what_a_person_kept_apart_stays_so_when_its_file_comes_again(workspace: Workspace) -> None:
    title = "TY  - JOUR\nTI  - Steeping green tea in warm spring water\nAU  - Leaf, Ann\nPY  - 2019\n"
    one, other = (f"{title}DO  - 10.1000/tea\nER  -\n".encode(), f"{title}AN  - WOS:000253436500012\nER  -\n".encode())
    brought(workspace, "tea", CORPUS, "one.ris", one)
    brought(workspace, "tea", CORPUS, "other.ris", other)
    (merge,) = merges(workspace, "tea")
    undo(workspace, "tea", merge.source_id, merge.number)
    before = set(workspace.store.corpus_ids("tea"))
    assert len(before) == 2
    for source in load_sources(workspace.store, "tea"):
        data = one if source.name == "one.ris" else other
        delete_source(workspace, "tea", source.source_id)
        brought(workspace, "tea", CORPUS, source.name, data)
        assert set(workspace.store.corpus_ids("tea")) == before, json.dumps(source.name)
    join(workspace, "tea", *sorted(before))
    other = other.replace(b"JOUR", b"CONF")
    assert brought(workspace, "tea", CORPUS, "third.ris", other).n_new == 0, "who joins them changed their mind"


def test_a_title_that_says_little_is_not_shared_between_topics(workspace: Workspace) -> None:
    for topic, text in (("tea", "AB  - We brew.\n"), ("coffee", "")):
        brought(workspace, topic, CORPUS, "a.ris", f"TY  - JOUR\nTI  - Editorial\n{text}ER  -\n".encode())
    assert [texts(workspace, workspace.store.corpus_ids(t)) for t in ("tea", "coffee")] == [{"We brew."}, {None}]


def test_numbered_names_of_two_topics_differ(workspace: Workspace) -> None:
    for topic in ("tea", "coffee"):
        for name in ("a", "b"):
            data = f"TY  - JOUR\nTI  - On {topic} {name}\nDO  - 10.1000/x\nER  -\n".encode()
            brought(workspace, topic, CORPUS, f"{name}.ris", data)
        (merge,) = merges(workspace, topic)
        undo(workspace, topic, merge.source_id, merge.number)
    own = [set(workspace.store.corpus_ids(topic)) - {"doi:10.1000/x"} for topic in ("tea", "coffee")]
    assert own == [{"doi:10.1000/x~2"}, {"doi:10.1000/x~3"}]
    assert workspace.publications(("doi:10.1000/x~3",))[0].title == "On coffee b"


def test_what_is_another_publication_now_leaves_nothing_behind(workspace: Workspace) -> None:
    wanted = b"TY  - JOUR\nTI  - Steeping the 1th tea of a day\nER  -\n"
    brought(workspace, "tea", CORE, "wanted.ris", wanted)
    brought(workspace, "tea", *FILES[0])
    assert workspace.store.rows("SELECT count(*) FROM publications") == [(5,)]
    first, second, *_ = workspace.store.corpus_ids("tea")
    join(workspace, "tea", first, second)
    assert workspace.store.rows("SELECT count(*) FROM publications") == [(4,)]
    (merge,) = merges(workspace, "tea", rule="asked")
    undo(workspace, "tea", merge.source_id, merge.number)
    assert workspace.store.corpus_ids("tea")[:2] == (first, second)
    assert workspace.store.rows("SELECT count(*) FROM publications") == [(5,)]
