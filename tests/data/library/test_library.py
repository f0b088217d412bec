"""Files into a topic: every record is kept, files may come in any number of steps, and what was decided is undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import FileError, InputError, NotFoundError
from core.settings import ProjectionSettings
from core.types import EmbeddedSet, Publication
from core.vectors import normalise
from data.explore.workspace import Workspace
from data.importers.source import ReadOptions
from data.library.duplicates import join, merge_counts, merges, n_merged_of_lists, proposals, separate, undo
from data.library.filing import delete_source, delete_topic, delete_version
from data.library.imports import FileUpload, ImportChoices, ImportReport, bring_files, choose_core
from data.library.records import BEFORE, SourceRole, load_details, load_sources, retracted_ids, sources_key, sources_of
from tests.data.workspaces import CORE, TOPIC, fill
from tests.messages import refusal

CORPUS, CORE_LIST = SourceRole("corpus"), SourceRole("core")


def record(**tags: str) -> dict[str, str]:
    return tags


TEA = record(TI="Steeping green tea in warm spring water", AU="Leaf, Ann", PY="2019", DO="10.1000/tea.1")
MUG = record(TI="How mugs of many sizes keep tea warm", AU="Potter, Bo", PY="2020", AB="We fill mugs.")
SPOON = record(TI="Stirring with spoons against the clock", AU="Stir, Cy", PY="2021", AN="35957633", DB="MEDLINE")
KETTLE = record(TI="Kettles that whistle and those that do not", AU="Boil, Di", PY="2018", DO="10.1000/kettle")


def ris(*records: dict[str, str]) -> bytes:
    return "".join(
        "TY  - JOUR\n" + "".join(f"{tag}  - {text}\n" for tag, text in record.items()) + "ER  - \n\n"
        for record in records
    ).encode()


def brought(workspace: Workspace, name: str, data: bytes, role: SourceRole = CORPUS, **choices: object) -> ImportReport:
    """One file into the topic "tea"."""
    return bring_files(workspace, "tea", role, [FileUpload(name, data)], ImportChoices(**choices))  # type: ignore[arg-type]


def titles(workspace: Workspace, ids: tuple[str, ...]) -> list[str]:
    return [p.title for p in workspace.publications(ids)]


def test_a_corpus_a_core_set_and_a_version(workspace: Workspace) -> None:
    report = brought(workspace, "a.ris", ris(TEA, MUG, SPOON))
    assert (report.n_new, report.n_merged, report.n_publications) == (3, 0, 3)
    core = brought(
        workspace, "known.txt", b"10.1000/TEA.1\nHow mugs of many sizes keep tea warm\nNever written\n", CORE_LIST
    )
    assert [(m.status, m.by) for m in core.matches] == [
        ("matched", "doi"),
        ("matched", "title"),
        ("not_in_corpus", None),
    ]
    version = brought(
        workspace, "found.ris", ris(SPOON, KETTLE), SourceRole("version", "first"), query_text="tea OR spoons"
    )
    assert (version.n_new, version.n_merged, version.n_publications) == (1, 1, 5)
    store = workspace.store
    assert titles(workspace, store.corpus_ids("tea")) == [TEA["TI"], MUG["TI"], SPOON["TI"]]
    assert titles(workspace, store.load_core("tea").ids) == [TEA["TI"], MUG["TI"], "Never written"]
    row = workspace.version("tea", "first")
    assert (row.version.text, row.version.origin, row.n_retrieved) == ("tea OR spoons", "manual", 2)
    assert titles(workspace, store.load_retrieved_ids(row.version.query_id)) == [SPOON["TI"], KETTLE["TI"]]


def test_the_same_file_again_changes_nothing(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    state = workspace.store.topic_state("tea")
    again = brought(workspace, "renamed.ris", ris(TEA, MUG))
    assert [file.was_here for file in again.files] == [True]
    assert (again.n_new, again.n_merged, again.n_publications) == (0, 0, 2)
    assert workspace.store.topic_state("tea") == state
    assert len(load_sources(workspace.store, "tea")) == 1


def test_a_later_file_fills_gaps_and_says_so_to_whoever_keeps_the_text(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    state = workspace.store.topic_state("tea")
    report = brought(workspace, "b.ris", ris(TEA | {"AB": "We steep.", "TI": "Another wording", "VL": "7"}))
    assert (report.n_new, report.n_merged) == (0, 1)
    (details,) = load_details(workspace.store, ["doi:10.1000/tea.1"])
    assert (details.title, details.abstract, details.volume) == (TEA["TI"], "We steep.", "7")
    assert workspace.store.topic_state("tea") != state, "it has to be embedded and indexed again"
    assert sources_of(workspace.store, ["doi:10.1000/tea.1"]) == {"doi:10.1000/tea.1": ("a.ris #1", "b.ris #1")}


def test_a_later_file_says_that_a_publication_was_retracted(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA | {"M3": "Review", "LA": "English"}, MUG))
    ids = workspace.store.topic_publication_ids("tea")
    assert retracted_ids(workspace.store, ids) == frozenset()
    key = sources_key(workspace.store)
    brought(workspace, "b.ris", ris(TEA | {"M3": "Retracted Publication", "SN": "1234-567X"}))
    assert retracted_ids(workspace.store, ids) == {"doi:10.1000/tea.1"}
    assert retracted_ids(workspace.store, ["elsewhere"]) == frozenset()
    assert sources_key(workspace.store) != key
    (details,) = load_details(workspace.store, ["doi:10.1000/tea.1"])
    assert (details.is_retracted, details.types) == (True, ("Review", "Retracted Publication"))
    assert (details.language, details.issn) == (("en",), ("1234-567X",))


def test_what_is_shown_follows_a_later_file(workspace: Workspace) -> None:
    """Vectors from outside stay as they are; a title that was missing is shown all the same."""
    table = b"doi,title\n" + b"".join(f"10.1000/{i},{'' if i == 3 else f'Cup {i} of tea'}\n".encode() for i in range(9))
    brought(workspace, "a.csv", table, SourceRole("version", "v"))
    brought(workspace, "core.txt", b"10.1000/1\n10.1000/2", CORE_LIST)
    ids = workspace.store.topic_publication_ids("tea")
    embedded = EmbeddedSet(ids, normalise(np.random.default_rng(0).normal(size=(len(ids), 5)))[0], "mine")
    workspace.catalogue.add("mine", None, embedded, ())
    workspace.project("tea", "mine", settings=ProjectionSettings(method="pca"))
    before = workspace.view_state("tea", "v", "mine")
    brought(workspace, "b.ris", ris(record(DO="10.1000/3", TI="The third cup of tea")))
    assert workspace.publications(["doi:10.1000/3"])[0].title == "The third cup of tea"
    assert workspace.view_state("tea", "v", "mine") != before


def test_core_publications_that_come_before_their_corpus_are_found_in_it(workspace: Workspace) -> None:
    first = brought(workspace, "known.txt", f"{MUG['TI']}\n{TEA['DO']}".encode(), CORE_LIST)
    assert [m.status for m in first.matches] == ["not_in_corpus"] * 2
    report = brought(workspace, "a.ris", ris(TEA, MUG, SPOON))
    assert report.n_publications == 3
    assert set(workspace.store.load_core("tea").ids) <= set(workspace.store.corpus_ids("tea"))
    assert titles(workspace, workspace.store.load_core("tea").ids) == [MUG["TI"], TEA["TI"]]


def test_a_query_does_not_find_what_only_the_core_list_names(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    brought(workspace, "known.txt", b"How mugs of many sizes keep tea warm\nTea that no database has\n", CORE_LIST)
    row = workspace.run_query("tea", "tea")
    found = titles(workspace, workspace.store.load_retrieved_ids(row.version.query_id))
    assert sorted(found) == sorted([TEA["TI"], MUG["TI"]])
    brought(workspace, "b.ris", ris(record(TI="Tea that no database has", PY="2001")))
    assert workspace.run_query("tea", "tea OR nothing").n_retrieved == 3, "now one has it"


def test_what_could_be_several_is_left_to_the_person(workspace: Workspace) -> None:
    twin = MUG | {"AU": "Else, Eve", "PY": "2011"}
    brought(workspace, "a.ris", ris(MUG, twin))
    core = brought(workspace, "known.txt", MUG["TI"].encode(), CORE_LIST)
    (match,) = core.matches
    assert match.status == "ambiguous"
    assert len(match.candidates) == 2
    assert not workspace.topics()[0].n_core
    choose_core(workspace, "tea", core.files[0].source_id or "", MUG["TI"], match.candidates[1])
    assert workspace.store.load_core("tea").ids == (match.candidates[1],)
    with pytest.raises(NotFoundError, match="already resolved"):
        choose_core(workspace, "tea", core.files[0].source_id or "", MUG["TI"], match.candidates[0])


def test_merged_records_of_lists_are_told_apart(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    brought(workspace, "b.ris", ris(MUG, TEA))
    brought(workspace, "core.ris", ris(TEA, MUG), SourceRole("core"))
    brought(workspace, "kept.ris", ris(TEA, MUG), SourceRole("included"))
    assert sum(merge_counts(workspace, "tea").values()) == 6
    assert n_merged_of_lists(workspace, "tea") == 4


def test_a_merge_is_logged_with_its_rule_and_undone(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    brought(workspace, "b.ris", ris(TEA | {"AB": "We steep."}, MUG | {"AB": "Else."}), SourceRole("version", "v"))
    assert merge_counts(workspace, "tea") == {"doi": 1, "title": 1}
    (merge,) = merges(workspace, "tea", rule="title")
    own = undo(workspace, "tea", merge.source_id, merge.number)
    store = workspace.store
    assert own not in store.corpus_ids("tea")
    assert own in store.load_retrieved_ids(workspace.version("tea", "v").version.query_id)
    assert [p.abstract for p in workspace.publications((merge.publication_id, own))] == ["We fill mugs.", "Else."]
    assert merge_counts(workspace, "tea") == {"doi": 1}
    assert not proposals(workspace, "tea"), "what a person separated is not proposed"
    with pytest.raises(NotFoundError, match="reload"):
        undo(workspace, "tea", merge.source_id, merge.number)


def test_near_titles_are_proposed_joined_and_parted_again(workspace: Workspace) -> None:
    near = MUG | {"TI": "How mugs of many size keep tea warm"}
    brought(workspace, "a.ris", ris(MUG, near, TEA))
    row = workspace.run_query("tea", "mugs")
    (proposal,) = proposals(workspace, "tea")
    assert set(proposal.titles) == {MUG["TI"], near["TI"]}
    join(workspace, "tea", proposal.pair.a, proposal.pair.b)
    store = workspace.store
    assert titles(workspace, store.corpus_ids("tea")) == [MUG["TI"], TEA["TI"]]
    assert len(store.load_retrieved_ids(row.version.query_id)) == 1
    assert not proposals(workspace, "tea")
    (merge,) = merges(workspace, "tea", rule="asked")
    undo(workspace, "tea", merge.source_id, merge.number)
    assert titles(workspace, store.corpus_ids("tea")) == [MUG["TI"], near["TI"], TEA["TI"]]
    assert len(store.load_retrieved_ids(row.version.query_id)) == 2


def test_a_pair_that_is_two_is_not_proposed_again(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(MUG, MUG | {"TI": "How mugs of many size keep tea warm"}))
    (proposal,) = proposals(workspace, "tea")
    separate(workspace, "tea", proposal.pair.a, proposal.pair.b)
    assert not proposals(workspace, "tea")


def test_what_a_topic_had_before_its_first_file_stays(tmp_path: Path) -> None:
    fill(tmp_path)
    with Workspace.open(tmp_path) as filled:
        before = filled.store.topic_publication_ids(TOPIC)
        known = filled.publications(CORE)[0]
        later = ris({"TI": known.title, "DO": known.doi or "10.1000/x", "AB": "New."}, TEA)
        report = bring_files(filled, TOPIC, CORPUS, [FileUpload("a.ris", later)])
        after = filled.store.topic_publication_ids(TOPIC)
        assert set(before) <= set(after)
        assert len(after) == report.n_publications == len(before) + report.n_new
        assert filled.store.load_core(TOPIC).ids == CORE
        assert BEFORE in {source.name for source in load_sources(filled.store, TOPIC)}


def test_deleting_a_file_a_version_and_a_topic(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    brought(workspace, "b.ris", ris(MUG, SPOON))
    brought(workspace, "v.ris", ris(KETTLE, TEA), SourceRole("version", "v"))
    store = workspace.store
    first = load_sources(store, "tea")[0]
    delete_source(workspace, "tea", first.source_id)
    assert titles(workspace, store.corpus_ids("tea")) == [MUG["TI"], SPOON["TI"]]
    assert merge_counts(workspace, "tea") == {}, "what is left began its publications"
    assert titles(workspace, store.topic_publication_ids("tea")) == [KETTLE["TI"], TEA["TI"], MUG["TI"], SPOON["TI"]]
    delete_version(workspace, "tea", "v")
    assert not store.versions("tea")
    assert titles(workspace, store.topic_publication_ids("tea")) == [MUG["TI"], SPOON["TI"]]
    delete_topic(workspace, "tea")
    assert not workspace.topics()
    for table in ("publications", "records", "sources", "corpus"):
        assert store.rows(f"SELECT count(*) FROM {table}") == [(0,)]


def test_publications_of_another_topic_outlive_a_deleted_one(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    bring_files(workspace, "other", CORPUS, [FileUpload("a.ris", ris(TEA | {"AB": "We steep."}))])
    delete_topic(workspace, "other")
    assert titles(workspace, workspace.store.topic_publication_ids("tea")) == [TEA["TI"], MUG["TI"]]
    with pytest.raises(NotFoundError):
        delete_topic(workspace, "other")


def test_labels_become_the_core_set_if_asked(workspace: Workspace) -> None:
    table = b"title,abstract,included\nSteeping green tea in water,We steep.,1\nMugs and cups of many sizes,,0\n"
    report = brought(workspace, "labels.csv", table, included_as_core=True)
    assert report.files[0].n_included == 1
    assert titles(workspace, workspace.store.load_core("tea").ids) == ["Steeping green tea in water"]


def test_as_core_a_labelled_file_gives_what_it_includes(workspace: Workspace) -> None:
    table = b"title,included\nSteeping green tea in water,1\nMugs and cups of many sizes,0\nStirring with spoons,\n"
    report = brought(workspace, "labels.csv", table, CORE_LIST)
    assert titles(workspace, workspace.store.load_core("tea").ids) == ["Steeping green tea in water"]
    assert "1 of 3 records" in report.files[0].notes[-1]


def test_a_file_that_cannot_be_read_does_not_hold_up_the_others(workspace: Workspace) -> None:
    files = [FileUpload("not.ris", b"%PDF-1.7 ..."), FileUpload("a.ris", ris(TEA))]
    report = bring_files(workspace, "tea", CORPUS, files)
    assert [(f.name, f.format_id, f.parsed) for f in report.files] == [("a.ris", "ris", 1), ("not.ris", None, 0)]
    assert "PDF" in report.files[1].rejected[0].reason
    with pytest.raises(FileError, match="PDF"):
        bring_files(workspace, "tea", CORPUS, files[:1])
    with refusal(FileError):
        bring_files(workspace, "new", CORPUS, [files[0], FileUpload("empty.ris", b"")])
    assert [t.topic_id for t in workspace.topics()] == ["tea"], "a topic without a file is not made"


@pytest.mark.parametrize("name", ["", "  ", " tea", "a\nb", "x" * 201])
def test_a_topic_needs_a_name(workspace: Workspace, name: str) -> None:
    with pytest.raises(InputError, match="name"):
        bring_files(workspace, name, CORPUS, [FileUpload("a.ris", ris(TEA))])


def test_a_version_that_was_run_here_takes_no_files(workspace: Workspace) -> None:
    brought(workspace, "a.ris", ris(TEA, MUG))
    row = workspace.run_query("tea", "mugs")
    with pytest.raises(InputError, match="another label"):
        brought(workspace, "b.ris", ris(TEA), SourceRole.named(row.version.label))


def test_hostile_names_and_titles_are_only_text(workspace: Workspace) -> None:
    title = "'); DROP TABLE records; -- <script>alert(1)</script> and more words"
    report = bring_files(
        workspace, "a'; DROP TABLE topics; --", SourceRole.named("v'; --"), [FileUpload("'.ris", ris({"TI": title}))]
    )
    assert report.n_publications == 1
    assert load_sources(workspace.store)[0].name == "'.ris"
    assert workspace.topics()[0].versions[0].version.label == "v'; --"


POOL = (
    *(TEA, MUG, SPOON, KETTLE, TEA | {"TI": "Other words for the same tea"}, MUG | {"PY": "2021"}),
    *(
        record(TI="Editorial", AU="Chief, A", PY="2001"),
        record(TI="Editorial", AU="Chief, A"),
        record(TI="Short title"),
    ),
    *(KETTLE | {"DO": "10.1000/other"}, record(TI=MUG["TI"])),
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(files=st.lists(st.lists(st.sampled_from(POOL), max_size=4), min_size=1, max_size=4))
def test_file_by_file_gives_the_same_as_all_at_once(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[dict[str, str]]]
) -> None:
    uploads = [
        FileUpload(f"{i}.ris", ris(*records, {"TI": f"Marker number {i} of this very file"}))
        for i, records in enumerate(files)
    ]
    found = []
    for steps in ([uploads], [[upload] for upload in uploads]):
        with Workspace.open(tmp_path_factory.mktemp("w")) as workspace:
            for some in steps:
                bring_files(workspace, "tea", CORPUS, some)
            n_records = sum(source.n_records for source in load_sources(workspace.store))
            assert n_records == sum(len(records) + 1 for records in files)
            ids = workspace.store.topic_publication_ids("tea")
            found.append((ids, workspace.publications(ids), merge_counts(workspace, "tea")))
    assert found[0] == found[1]


def test_a_mapped_table(workspace: Workspace) -> None:
    table = b"was,wann,kennung\nSteeping green tea in water,im Jahr 2019,10.1000/TEA.1\n"
    columns = {"title": "was", "year": "wann", "doi": "kennung"}
    brought(workspace, "x.dat", table, asked=ReadOptions(columns))
    assert workspace.publications(workspace.store.topic_publication_ids("tea")) == (
        Publication("doi:10.1000/tea.1", "Steeping green tea in water", None, 2019, "10.1000/tea.1"),
    )
