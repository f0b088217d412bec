"""What is recorded of a topic's searches: live runs, files, runs over the topic, and what people say of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.audit.flow import flow_of
from core.audit.prisma_report import prisma_s
from core.audit.prisma_s import completeness, fill
from core.audit.strategies import AuditAnswer
from core.errors import InputError, NotFoundError, ReadOnlyError
from core.query.adaptation import Loss
from core.version import VERSION
from data.audit.reports import (
    DiagramFormat,
    ReportRequest,
    diagram_bytes,
    flow_records,
    found_ids,
    gather_audit,
    record,
    reported_sources,
)
from data.audit.searches import RULES, answers, confirm_likely, live_search, repeated_records, say, unsay
from data.explore.versions import delete_version
from data.explore.workspace import Workspace
from data.library.duplicates import join, separate
from data.library.filing import delete_topic
from data.library.imports import FileUpload, ImportChoices, bring_files
from data.library.records import ASKED, SourceRole
from data.library.searches import load_searches, save_search
from data.sources.runs import delete_live_run
from data.store import Store
from tests.data.library.test_library import MUG, TEA, ris
from tests.data.listed_source import ListedSource, numbered
from tests.data.live_scenes import FIRST, TEXT, TOPIC, finished, paused, repeated, run_of
from tests.data.notes import assert_notes

NOW = "2031-05-06T12:00:00+00:00"


def clock() -> str:
    return NOW


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path) as opened:
        yield opened


def brought(workspace: Workspace, data: bytes, *, label: str = "From a file", text: str | None = None) -> None:
    """A version in the topic of the live scenes."""
    role = SourceRole("version", label)
    bring_files(workspace, TOPIC, role, [FileUpload("found.ris", data)], ImportChoices(query_text=text))


def test_a_live_run_is_recorded_with_all_that_it_met(workspace: Workspace) -> None:
    run = finished(workspace)
    facts = gather_audit(workspace, TOPIC)
    (search,) = facts.searches
    assert (search.version, search.source, search.how) == (run.label, "PubMed", "live")
    assert search.text == TEXT
    assert search.sent == tuple(form.text for form in run.prepared.forms)
    assert (search.n_total, search.total_last, search.n_records) == (25, 27, 25)
    assert (search.n_aside, search.n_repeated, search.is_cut) == (1, 1, False)
    assert search.began is not None
    assert search.began.endswith("+00:00")
    assert search.ended == FIRST
    assert search.lines[-1].n_hits == 27
    assert {line.n_hits for line in search.lines[:-1]} == {None}
    assert_notes([search.sentence], ("PubMed", "through its API"))
    assert dict(facts.software)["Queryscape"] == VERSION
    assert facts.n_found == 25
    assert facts.files == ()  # its records came by the run, not as a file


def test_a_repeat_names_what_it_repeats_and_its_records_are_duplicates(workspace: Workspace) -> None:
    repeated(workspace, finished(workspace))
    facts = gather_audit(workspace, TOPIC)
    assert facts.searches[1].repeats == FIRST
    assert fill(facts)[11].state == "likely"
    made = facts.deduplication
    assert (made.n_records, made.n_publications) == (51, 27)
    assert sum(n for _, n in made.by_rule) + made.n_by_hand == made.n_records - made.n_publications
    sources = reported_sources(workspace, facts)
    for rule, n in (*made.by_rule, (RULES[ASKED], made.n_by_hand)):
        assert len(repeated_records(workspace.store, TOPIC, sources, rule)) == n
    flow = flow_of(facts)
    assert flow.disagreements == ()
    assert flow.n("flow:duplicates") == made.n_records - made.n_publications
    assert flow.n("flow:screened") == facts.n_found == 27
    records = flow_records(workspace, facts)
    assert {item: len(some) for item, some in records.items() if some} == {
        item: flow.n(item) for item in ("flow:databases", "flow:duplicates", "flow:other", "flow:screened")
    }
    assert {record.publication_id for record in records["flow:screened"]} == set(found_ids(workspace, facts))
    assert len(found_ids(workspace, facts)) == 27
    for source in flow.sources:
        assert len(found_ids(workspace, facts, source)) == source.n_publications


def test_only_the_versions_that_are_asked_for_are_reported(workspace: Workspace) -> None:
    first = finished(workspace)
    repeated(workspace, first)
    facts = gather_audit(workspace, TOPIC, (str(first.label),))
    assert [search.version for search in facts.searches] == [first.label]
    assert facts.deduplication.n_records == 25
    delete_version(workspace, TOPIC, str(first.label))
    assert first.label not in [search.version for search in gather_audit(workspace, TOPIC).searches]
    with pytest.raises(NotFoundError):
        gather_audit(workspace, TOPIC, ("no such version",))
    with pytest.raises(NotFoundError):
        gather_audit(workspace, "no such topic")


def test_a_cut_run_says_what_the_cap_did(workspace: Workspace) -> None:
    run_of(workspace, ListedSource([numbered(60)]), most=20)
    (search,) = gather_audit(workspace, TOPIC).searches
    assert search.is_cut
    assert "Of 60 publications at most 20 are fetched" in search.advice
    run_of(workspace, ListedSource([numbered(60), numbered(5, 61)]), most=20)
    search = gather_audit(workspace, TOPIC).searches[1]
    assert search.is_cut
    assert "1 of its 2 parts" in search.advice
    assert search.form_totals == (60, None)
    assert search.lines[-1].n_hits is None  # the parts together are no count of the whole


def test_a_search_that_finds_nothing_is_told_as_it_is(workspace: Workspace) -> None:
    run_of(workspace, ListedSource([[]]))
    facts = gather_audit(workspace, TOPIC)
    assert facts.n_found == 0
    assert "0 records" in fill(facts)[14].text
    flow = flow_of(facts)
    assert (flow.n("flow:databases"), flow.n("flow:screened"), flow.disagreements) == (0, 0, ())
    assert prisma_s(facts, made_at=NOW, made_with="Q").blocks


def test_only_unfinished_runs_are_no_search(workspace: Workspace) -> None:
    paused(workspace)
    facts = gather_audit(workspace, TOPIC)
    assert facts.searches == ()
    assert facts.n_found is None
    assert [(run.source, run.state, run.n_records) for run in facts.unfinished] == [("PubMed", "paused", 20)]
    assert {one.state for one in fill(facts)} == {"open"}


def test_an_empty_topic_has_a_report(workspace: Workspace) -> None:
    with workspace.store.transaction():
        workspace.store.save_topic("Nothing", ())
    facts = gather_audit(workspace, "Nothing")
    assert (facts.searches, facts.files, facts.n_core, facts.n_corpus) == ((), (), 0, 0)
    assert prisma_s(facts, made_at=NOW, made_with="Q").blocks


def test_a_file_is_told_from_a_search(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG, TEA), text="tea AND 2018:2020[dp]")
    facts = gather_audit(workspace, TOPIC)
    (search,) = facts.searches
    assert (search.how, search.source, search.began, search.sent) == ("file", "found.ris", None, ())
    assert (search.n_records, search.n_publications) == (3, 2)
    assert_notes(search.limits, ("publication years: “2018:2020[dp]”", "not recorded"))
    assert (facts.files[0].name, facts.files[0].provider, facts.files[0].n_records) == ("found.ris", "", 3)
    assert flow_of(facts).n("flow:duplicates") == 1


def test_a_file_of_a_database_names_it(workspace: Workspace) -> None:
    table = b"Authors,Title,Year,Source title,EID,DOI\nLeaf A.,Steeping green tea,2019,Tea,2-s2.0-85000000001,10.1/a\n"
    bring_files(workspace, TOPIC, SourceRole("version", "v"), [FileUpload("scopus.csv", table)])
    facts = gather_audit(workspace, TOPIC)
    assert facts.files[0].provider == "Scopus"
    assert fill(facts)[0].state == "likely"
    assert fill(facts)[7].state == "open"  # its wording is not known


def test_identifiers_of_records_tell_a_database(workspace: Workspace) -> None:
    brought(workspace, ris(TEA | {"AN": "WOS:000253436500012"}, MUG | {"AN": "WOS:000253436500013"}))
    facts = gather_audit(workspace, TOPIC)
    assert (facts.files[0].provider, facts.files[0].told_by) == ("Web of Science", "identifiers")
    (search,) = facts.recorded
    assert (search.database, search.version, search.n_records) == ("Web of Science", facts.searches[0].version, 2)


def test_the_records_of_a_deleted_run_are_a_file_of_its_source(workspace: Workspace) -> None:
    run = finished(workspace)
    delete_live_run(workspace, run.run_id)
    facts = gather_audit(workspace, TOPIC)
    assert facts.searches[0].how == "file"
    assert facts.files[0].provider == "PubMed"


def test_a_run_over_the_topic_counts_its_lines(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG))
    row = workspace.run_query(TOPIC, "tea AND (mugs OR cups) NOT warm AND 2020[dp]", dialect="pubmed", clock=clock)
    facts = gather_audit(workspace, TOPIC, (row.version.label,))
    (search,) = facts.searches
    assert search.how == "local"
    assert search.source.startswith("the 2 publications")
    counts = [(line.text, line.n_hits) for line in search.lines]
    assert counts[:3] == [("tea", 2), ("(mugs OR cups)", 1), ("warm", 2)]
    assert search.lines[-1].n_hits == row.n_retrieved == 0
    assert_notes(search.limits, ("publication years: “2020[dp]”; applied over", "the 2 publications"))
    assert (search.began, search.changed_since) == (NOW, False)
    more = MUG | {"TI": "Cups of tea without any warmth at all", "DO": "10.1000/other"}
    brought(workspace, ris(more), label="More")
    (search,) = gather_audit(workspace, TOPIC, (row.version.label,)).searches
    assert search.changed_since
    assert "today" in search.lines[0].counted_in


def test_a_field_that_the_topic_lacks_was_not_applied(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG))
    row = workspace.run_query(TOPIC, "tea AND english[la]", dialect="pubmed")
    (search,) = gather_audit(workspace, TOPIC, (row.version.label,)).searches
    assert_notes(search.limits, ("language: “english[la]”; not applied: ", "no such field"))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("unsupported", "not applied by PubMed: left out"),
        ("unsupported", "to PubMed: gone"),
        ("widened", "otherwise than"),
        ("", "sent to"),
    ],
)
def test_whether_a_source_applied_a_limit(workspace: Workspace, status: str, words: str) -> None:
    message = "left out" if "not applied" in words else "gone"
    run = finished(workspace)
    text = "tea AND english[la]"
    losses = (Loss(2, 8, 19, status, message),) if status else ()  # type: ignore[arg-type]
    run = replace(run, text=text, prepared=replace(run.prepared, dialect="pubmed", losses=losses))
    row = workspace.version(TOPIC, str(run.label))
    assert words in live_search(workspace.store, row, run).limits[0]


def test_what_a_person_decided_about_pairs_is_counted(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG))
    ids = workspace.store.topic_publication_ids(TOPIC)
    separate(workspace, TOPIC, ids[0], ids[1])
    assert gather_audit(workspace, TOPIC).deduplication.n_kept_apart == 1
    join(workspace, TOPIC, ids[0], ids[1])
    made = gather_audit(workspace, TOPIC).deduplication
    assert (made.n_by_hand, made.n_kept_apart, made.n_records, made.n_publications) == (1, 0, 2, 1)


def test_works_with_two_versions_and_retractions_are_counted(workspace: Workspace) -> None:
    preprint = TEA | {"DO": "10.1101/2018.05.01.123456", "T2": "bioRxiv"}
    brought(workspace, ris(TEA | {"DO": "10.1000/tea"}, preprint, MUG | {"TI": f"RETRACTED: {MUG['TI']}"}))
    made = gather_audit(workspace, TOPIC).deduplication
    assert (made.n_publications, made.n_two_versions, made.n_retracted) == (3, 0, 1)
    ids = workspace.store.topic_publication_ids(TOPIC)
    join(workspace, TOPIC, *(i for i in ids if i.startswith("doi:")))
    made = gather_audit(workspace, TOPIC).deduplication
    assert (made.n_publications, made.n_two_versions, made.n_retracted) == (2, 1, 1)


def test_pairs_that_look_alike_are_counted_once_and_remembered(workspace: Workspace) -> None:
    nearly = MUG | {"TI": "How mugs of many sizes keeps tea warm", "PY": "2021"}
    brought(workspace, ris(MUG, nearly))
    assert gather_audit(workspace, TOPIC).deduplication.n_undecided == 1
    assert gather_audit(workspace, TOPIC).deduplication.n_undecided == 1
    a, b = workspace.store.topic_publication_ids(TOPIC)
    separate(workspace, TOPIC, a, b)
    assert gather_audit(workspace, TOPIC).deduplication.n_undecided == 0


def test_answers_are_kept_replaced_and_taken_back(workspace: Workspace) -> None:
    brought(workspace, ris(TEA))
    store = workspace.store
    said = say(store, TOPIC, "prisma-s:6", state="own", text=" Two authors. ", said_by=" A.  Person ", clock=clock)
    assert said == AuditAnswer("prisma-s:6", "own", "Two authors.", "A. Person", NOW)
    say(store, TOPIC, "prisma-s:6", state="not done", text="", clock=clock)
    assert answers(store, TOPIC) == {"prisma-s:6": AuditAnswer("prisma-s:6", "not done", "", "", NOW)}
    assert completeness(fill(gather_audit(workspace, TOPIC))).n_said == 1
    unsay(store, TOPIC, "prisma-s:6")
    unsay(store, TOPIC, "prisma-s:6")
    assert answers(store, TOPIC) == {}


def test_what_was_confirmed_is_changed_when_the_record_is(workspace: Workspace) -> None:
    finished(workspace)
    recorded = fill(gather_audit(workspace, TOPIC))[14].recorded
    say(workspace.store, TOPIC, "prisma-s:15", state="confirmed", text=recorded)
    assert fill(gather_audit(workspace, TOPIC))[14].state == "said"
    run_of(workspace, ListedSource([numbered(3, 40)]))
    one = fill(gather_audit(workspace, TOPIC))[14]
    assert one.state == "changed"
    assert "3 records" in one.change


def test_answers_that_can_not_be_kept_are_refused(workspace: Workspace) -> None:
    brought(workspace, ris(TEA))
    store = workspace.store
    with pytest.raises(NotFoundError):
        say(store, "no such topic", "prisma-s:6", state="own", text="x")
    with pytest.raises(InputError, match='got "maybe"'):
        say(store, TOPIC, "prisma-s:6", state="maybe", text="x")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="plain text"):
        say(store, TOPIC, "prisma-s:6", state="own", text="x", said_by="a\x00")
    with closing(Store.open_copy(workspace.paths.store)) as copy, pytest.raises(ReadOnlyError):
        say(copy, TOPIC, "prisma-s:6", state="own", text="x")
    assert answers(store, TOPIC) == {}


def test_a_topic_takes_its_answers_and_reviews_with_it(workspace: Workspace) -> None:
    brought(workspace, ris(TEA))
    store = workspace.store
    say(store, TOPIC, "prisma-s:6", state="own", text="Two authors.")
    with store.transaction():
        store.execute("INSERT INTO press_reviews VALUES ('r', ?, 'v', '{}', ?)", [TOPIC, NOW])
        store.execute("INSERT INTO press_reviews VALUES ('s', 'another', 'v', '{}', ?)", [NOW])
    delete_topic(workspace, TOPIC)
    assert store.rows("SELECT count(*) FROM audit_answers") == [(0,)]
    assert store.rows("SELECT review_id FROM press_reviews") == [("s",)]


@pytest.mark.collections
def test_the_exports_of_a_review_fill_its_record_and_diagram(workspace: Workspace, collections_dir: Path) -> None:
    folder = collections_dir / "citesource_stages"
    names = ("Dimensions_246", "econlit_3", "envindex_100", "lens_343", "medline_84", "wos_278")
    bring_files(workspace, "Wildfire", SourceRole("corpus"), [folder / f"{name}.ris" for name in names])
    facts = gather_audit(workspace, "Wildfire")
    assert [search.n_records for search in facts.recorded] == [246, 3, 100, 343, 84, 278]
    assert (facts.n_found, facts.deduplication.n_records, facts.deduplication.n_publications) == (507, 1_054, 507)
    flow = flow_of(facts)
    numbers = ("flow:databases", "flow:registers", "flow:duplicates", "flow:other", "flow:screened")
    assert [flow.n(item) for item in numbers] == [1_054, 0, 547, 0, 507]
    assert flow.disagreements == ()
    records = flow_records(workspace, facts)
    assert [len(records.get(item, ())) for item in numbers] == [1_054, 0, 547, 0, 507]
    assert sum(len(found_ids(workspace, facts, source)) for source in flow.sources) == 1_053
    assert len(found_ids(workspace, facts)) == 507
    assert {one.item.number for one in fill(facts) if one.state == "open"} >= {8, 9, 13}
    for search in load_searches(workspace.store, "Wildfire"):
        save_search(workspace.store, "Wildfire", replace(search, text="fish* AND price*", searched_on="2024-08-09"))
    facts = gather_audit(workspace, "Wildfire")
    states = {one.item.number: one.state for one in fill(facts)}
    assert {states[number] for number in (1, 2, 8, 9, 13, 15)} == {"likely"}
    confirmed = confirm_likely(workspace.store, facts, said_by="Ada")
    facts = gather_audit(workspace, "Wildfire")
    assert set(confirmed) <= set(facts.answers)
    assert not {"likely", "changed"} & {one.state for one in fill(facts)}
    assert flow_of(facts).of("flow:screened").state == "said"


def test_a_search_without_a_string_has_that_of_its_version(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG), text="tea AND 2018:2020[dp]")
    facts = gather_audit(workspace, TOPIC)
    (search,) = facts.recorded
    assert (search.text, search.is_text_of_version) == (facts.searches[0].text, True)
    assert search.limits
    (row,) = load_searches(workspace.store, TOPIC)
    save_search(workspace.store, TOPIC, replace(row, text="1. tea (40)\n2. mug (9)\n3. 1 OR 2 (45)", limits="English"))
    (search,) = gather_audit(workspace, TOPIC).recorded
    assert (search.is_text_of_version, search.n_hits, search.limits) == (False, 45, ("English",))
    assert [line.n_hits for line in search.lines] == [40, 9, 45]


def test_confirming_leaves_what_people_answered(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG), text="tea")
    say(workspace.store, TOPIC, "prisma-s:3", state="own", text="CTIS was searched.")
    confirmed = confirm_likely(workspace.store, gather_audit(workspace, TOPIC))
    assert "prisma-s:3" not in confirmed
    assert answers(workspace.store, TOPIC)["prisma-s:3"].text == "CTIS was searched."
    assert confirm_likely(workspace.store, gather_audit(workspace, TOPIC)) == ()


@pytest.mark.parametrize(("form", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("docx", b"PK")])
def test_the_diagram_alone_is_a_file(workspace: Workspace, form: DiagramFormat, begins: bytes) -> None:
    brought(workspace, ris(TEA, MUG), text="tea")
    assert diagram_bytes(gather_audit(workspace, TOPIC), form).startswith(begins)


def test_a_search_of_a_version_that_was_never_run_is_reported(workspace: Workspace) -> None:
    brought(workspace, ris(TEA, MUG), text="tea")
    (search,) = load_searches(workspace.store, TOPIC)
    save_search(workspace.store, TOPIC, replace(search, search_id="", number=0, label="v9", source_ids=()))
    everything = record(workspace, ReportRequest("prisma-s", TOPIC))
    assert [each.version for each in everything.recorded] == ["From a file", "v9"]
    assert everything.recorded == gather_audit(workspace, TOPIC).recorded
