"""The page Library, without a browser: files come in, are told apart, and go out again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from core.library.records import Record
from dashboard import cache
from dashboard.jobs import Job, Jobs
from dashboard.library.duplicates import compared_fields, joined_group, marked
from dashboard.library.imports import IMPORT_JOBS, entries_by_fate, entry_group
from dashboard.library.page import topic_group, version_group
from dashboard.words import plain
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.duplicates import merge_counts, merges, proposals
from data.library.export_tools import TOOLS, ExportChoices, contents
from data.library.imports import bring
from data.library.records import SourceRole, load_sources, source_publications, topic_sizes
from data.library.searches import load_searches, save_search
from data.library.selection import ExportSelection, select
from tests.dashboard.apps import messages, open_app, ran, shown
from tests.data.workspaces import MODEL, TOPIC, fill

ODD = "*Odd* <img src=x onerror=alert(1)> $x$ :material/lock:"
WORDS = "heat trees shade sleep night river soil winter".split()  # noqa: SIM905


def ris(*titles: str, year: int = 2019) -> bytes:
    """A file with a record for each title."""
    entries = [
        f"TY  - JOUR\nTI  - {title}\nAU  - Kim, {chr(65 + n % 26)}\nPY  - {year}\nAB  - On {title}.\nER  - \n"
        for n, title in enumerate(titles)
    ]
    return "".join(entries).encode()


TITLES = [f"The {a} of {b} in towns and gardens" for a in WORDS for b in WORDS if a != b]


def open_library(part: str, **link: str) -> AppTest:
    app = open_app(part=part, **link)
    app.switch_page("library/page.py")
    return _run(app)


def _run(app: AppTest) -> AppTest:
    """Until nothing runs in the background any more."""
    ran(app)
    cache.jobs().wait()
    _keep_typed(app)
    return ran(app)


def _keep_typed(app: AppTest) -> None:
    """A browser sends a name that was typed again with every run."""
    for box in app.selectbox:
        if box.label == "Topic" and box.value is not None and box.value not in box.options:
            _type(box, str(box.value))


def _type(box: Selectbox[str], text: str) -> None:
    box.options.append(text)
    box.set_value(text)


def _button(app: AppTest, label: str) -> AppTest:
    _keep_typed(app)
    next(b for b in app.button if b.label.startswith(label)).click()
    return _run(app)


def _into(app: AppTest, topic: str, *files: tuple[str, bytes]) -> AppTest:
    _type(next(box for box in app.main.selectbox if box.label == "Topic"), topic)
    app.file_uploader[0].set_value([(name, data, "") for name, data in files])
    return _run(app)


def test_from_nothing_to_a_first_query(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workspace, "prepare", lambda *_, **__: None)  # a landscape takes long
    app = open_app()
    _button(app, "Import your own files")
    _into(app, ODD, ("a.ris", ris(*TITLES[:30])), ("b.txt", ris(*TITLES[20:50])))
    assert "a.ris" in shown(app)
    _button(app, "Import 60 records")
    assert "50 new publications, 10 records of known publications" in shown(app)
    assert ODD in shown(app)
    _button(app, "Import core")
    app.text_area[0].set_value("\n".join([*TITLES[:6], "A title that no file has brought so far"]))
    _run(app)
    _button(app, "Import 7 records")
    assert "6 of 7 core publications" in shown(app)
    assert "A title that no file has brought so far" in shown(app)
    _button(app, "Type a query")
    app.text_area[0].set_value("heat OR trees")
    app.button(key="run-first").click()
    _run(app)
    assert app.selectbox(key="version").value == "v1"
    assert cache.workspace().evaluate(ODD, "v1", embedder="lsa", regions=("cosine",)).recall == pytest.approx(6 / 7)


def test_a_file_that_is_none_does_not_hold_up_the_others(root: Path) -> None:
    files = [("paper.ris", b"%PDF-1.4\n"), ("empty.ris", b""), ("some.zip", b"PK\x03\x04"), ("a.ris", ris(*TITLES[:3]))]
    app = _into(open_library("Import"), "Tea", *files)
    assert "is a PDF" in messages(app)
    assert "is empty" in messages(app)
    assert "3 files can't" in shown(app)
    _button(app, "Import 3 records")
    assert topic_sizes(cache.workspace().store)["Tea"].n_publications == 3


def test_a_table_that_nobody_knows_is_read_as_its_owner_says(root: Path) -> None:
    table = "Nummer;Bezeichnung\n" + "\n".join(f"{n};{title}" for n, title in enumerate(TITLES[:4]))
    app = _into(open_library("Import"), "Tea", ("t.csv", table.encode()))
    assert "not recognised" in messages(app)
    next(s for s in app.selectbox if s.label == "Title").set_value("Bezeichnung")
    _button(app, "Apply")
    _button(app, "Import 4 records")
    assert [topic.topic_id for topic in cache.workspace().topics()] == ["Tea"]


def test_a_format_that_was_chosen_stays_chosen(root: Path) -> None:
    table = "Nummer;Bezeichnung;Kennung\n" + "\n".join(f"{n};{t};10.1000/z{n}" for n, t in enumerate(TITLES[:4]))
    app = _into(open_library("Import"), "Tea", ("t.csv", table.encode()))
    _keep_typed(app)
    next(s for s in app.selectbox if s.label == "Format").set_value("csv")
    _run(app)
    next(s for s in app.selectbox if s.label == "Title").set_value("Bezeichnung")
    _button(app, "Apply")
    _button(app, "Import 4 records")
    ids = cache.workspace().store.topic_publication_ids("Tea")
    assert set(cache.workspace().store.headlines(ids).titles) == set(TITLES[:4])


def test_what_a_version_retrieved_comes_with_its_wording(root: Path) -> None:
    app = open_library("Import", **{"as": "Query version"})
    next(area for area in app.text_area if area.key == "wording").set_value("heat OR trees")
    next(box for box in app.text_input if box.key == "label").set_value("scopus 2024")
    _into(app, "Tea", ("a.ris", ris(*TITLES[:5])))
    _button(app, "Import 5 records")
    (row,) = cache.workspace().store.versions("Tea")
    assert (row.version.label, row.version.text, row.n_retrieved) == ("scopus 2024", "heat OR trees", 5)
    app.switch_page("workbench/page.py")
    assert "no core publications" in messages(_run(app))
    app.switch_page("workbench/page.py")
    assert "no core publications" in messages(_run(app))


def test_without_a_core_what_was_run_is_shown_and_another_string_can_be_run(root: Path) -> None:
    _button(_into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:5]))), "Import 5 records")
    app = open_app()
    for n, text in enumerate((TITLES[0], "heat OR trees"), start=1):
        app.text_area[0].set_value(text)
        app.button(key="run-first").click()
        _run(app)
        assert app.text_area[0].value == text
        assert len(app.dataframe[0].value) == n
    assert list(app.dataframe[0].value["Version"]) == ["v1", "v2"]


@pytest.mark.parametrize(
    ("button", "texts"), [("fix-first", ["(heat )"]), ("as-is-first", ["(heat AND"]), ("run-first", [])]
)
def test_a_first_string_with_errors_waits_to_be_fixed_or_run_as_it_is(
    root: Path, button: str, texts: list[str]
) -> None:
    _button(_into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:5]))), "Import 5 records")
    app = open_app()
    box = app.text_area[0].set_value("(heat AND")
    assert box.form_id == app.button(key="run-first").form_id != "", "Ctrl+Enter runs it"
    for key in ("run-first", button):
        app.button(key=key).click()
        _run(app)
    assert [row.version.text for row in cache.workspace().store.versions("Tea")] == texts
    assert ("2 problems" in messages(app)) == (button != "fix-first"), "a version of a slip is marked, too"
    assert app.text_area[0].value == (texts or ["(heat AND"])[0]


def test_an_empty_first_string_is_refused(root: Path) -> None:
    _button(_into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:5]))), "Import 5 records")
    app = open_app()
    assert "type at least one word" in messages(ran(app.button(key="run-first").click()))
    assert not cache.workspace().store.versions("Tea")


def test_the_string_of_a_recorded_search_can_be_run_first(root: Path) -> None:
    _button(_into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:5]))), "Import 5 records")
    store, history = cache.workspace().store, "1. heat.ti. (9)\n2. trees.ti. (8)\n3. 1 or 2 (17)"
    (search,) = load_searches(store, "Tea")
    save_search(store, "Tea", replace(search, database="MEDLINE", platform="Ovid", text=history))
    app = open_app()
    assert next(box for box in app.selectbox if "first-search" in str(box.key)).value == "MEDLINE (Ovid)"
    assert app.text_area[0].value == history
    app.button(key="run-first").click()
    _run(app)
    (row,) = store.versions("Tea")
    assert (row.version.text, row.version.dialect) == (history, "ovid")


def test_files_that_could_not_be_imported_are_named_with_the_result(root: Path) -> None:
    app = _into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:3])), ("paper.pdf", b"%PDF-1.7 nothing to read"))
    _button(app, "Import 3 records")
    assert any(plain("paper.pdf") in warning.value and plain("a.ris") not in warning.value for warning in app.warning)


def test_a_person_says_which_of_several_is_meant(root: Path) -> None:
    twice = b"".join(ris(TITLES[0], year=year) for year in (2001, 2019))
    app = _into(open_library("Import"), "Tea", ("a.ris", twice))
    _button(app, "Import 2 records")
    _button(app, "Import core")
    app.text_area[0].set_value(TITLES[0])
    _run(app)
    _button(app, "Import 1 record")
    assert "match several publications: 1" in shown(app)
    _button(app, TITLES[0])
    assert len(cache.workspace().store.load_core("Tea").ids) == 1
    assert "match several" not in shown(app)


def test_counts_of_a_core_list_lead_to_its_entries_and_its_file_to_its_publications(root: Path) -> None:
    found, several, absent = TITLES[:3]
    with Workspace.open(root) as workspace:
        store = workspace.store
        corpus = ris(found) + ris(several, year=2001) + ris(several)
        bring(workspace, TOPIC, SourceRole("corpus"), [read_data(corpus, "corpus.ris")])
        core = read_data("\n".join((found, several, absent)).encode(), "core.txt", format_id="titles")
        report = bring(workspace, TOPIC, SourceRole("core"), [core])
        for source in load_sources(store, TOPIC):
            assert len(source_publications(store, TOPIC)[source.source_id]) == source.n_publications
    groups = entries_by_fate(report.matches)
    open_library("Files")
    listed = {fate: [row["Title"] for row in entry_group(fate, groups).rows] for fate in groups}
    assert list(listed.values()) == [[found], [several], [absent]]
    there = [str(entry_group(fate, groups).rows[0]["In the library"]) for fate in groups]
    assert [words.count("(2001)") + words.count("(2019)") for words in there] == [1, 2, 0]


def test_a_choice_that_was_left_waits_among_the_files(root: Path) -> None:
    twice = b"".join(ris(TITLES[0], year=year) for year in (2001, 2019))
    _button(_into(open_library("Import"), "Tea", ("a.ris", twice)), "Import 2 records")
    app = open_library("Import", topic="Tea", **{"as": "Core publications"})
    app.text_area[0].set_value(TITLES[0])
    _button(_run(app), "Import 1 record")
    app = open_library("Files", topic="Tea")
    assert "match several publications: 1" in shown(app)
    assert {"(2001)", "(2019)"} <= {word for b in app.button for word in b.label.replace("\\", "").split()}
    _button(app, TITLES[0])
    assert len(cache.workspace().store.load_core("Tea").ids) == 1


def test_what_is_rejected_is_told_before_and_after(root: Path) -> None:
    app = _into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:3]) + b"TY  - JOUR\nPY  - 1999\nER  - \n"))
    assert "1 record can't be imported: lines and reasons" in [e.label for e in app.expander]
    _button(app, "Import 3 records")
    assert "1 record rejected: lines and reasons" in [e.label for e in app.expander]
    app = open_library("Files", topic="Tea")
    assert "1 record of 1 file rejected: lines and reasons" in [e.label for e in app.expander]
    (reasons,) = [table.value for table in app.dataframe if "Reason" in table.value]
    assert reasons[["File", "Line", "Record"]].values.tolist() == [["a.ris", 19, 4]]


def test_counts_of_each_rule_lead_to_the_records_that_it_joined(root: Path) -> None:
    fill(root)
    files = [read_data(ris(*TITLES[:6]), "a.ris"), read_data(ris(*TITLES[4:9]), "b.ris")]
    with Workspace.open(root) as workspace:
        bring(workspace, TOPIC, SourceRole("corpus"), files)
    app = open_library("Duplicates")
    (table,) = [frame.value for frame in app.dataframe if "Merged records" in frame.value]
    (n,) = table["Merged records"]
    ((rule, counted),) = merge_counts(cache.workspace(), TOPIC).items()
    group = joined_group(TOPIC, rule)
    assert len(group) == n == counted == 2
    assert {(row["Record"], row["File"]) for row in group.rows} == {(title, "b.ris") for title in TITLES[4:6]}


def test_a_retracted_publication_is_one_before_it_comes_in_and_where_it_may_be_another(root: Path) -> None:
    file = ris(f"{TITLES[0]}: a review", f"{TITLES[0]}: a reviews")
    file = file.replace(b"AB  - ", b"M3  - Retracted Publication\nAB  - ", 1)
    app = _into(open_library("Import"), "Tea", ("a.ris", file))
    (looked,) = [table.value for table in app.dataframe if "Type" in table.value]
    assert looked["Type"].tolist() == ["Retracted · Article", "Article"]
    _button(app, "Import 2 records")
    app.session_state["part"] = "Duplicates"
    _run(app)
    sides = [text.value for text in app.markdown if "no DOI" in text.value]
    assert sorted("Retracted" in side for side in sides) == [False, True]
    assert all("Article" in side for side in sides)


def test_who_loads_the_page_anew_still_sees_what_comes_in(root: Path) -> None:
    go_on = Event()
    job = IMPORT_JOBS.start("somebody:0", "Importing files into Tea", lambda _: go_on.wait(60) and None)
    app = open_app(part="Import")
    app.switch_page("library/page.py").run()
    assert "Tea: started in another" in messages(app)
    go_on.set()
    _run(app)
    assert job.finished
    assert "Importing files into Tea: done" in " ".join(box.value for box in app.success)


def test_cancelled_files_leave_nothing_half(root: Path) -> None:
    app = _into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:5])))
    start = Jobs.start

    def cancelled(jobs: Jobs, key: str, *rest: Any, **more: Any) -> Job:
        job = start(jobs, key, *rest, **more)
        job.cancel.set()
        return job

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Jobs, "start", cancelled)
        _button(app, "Import 5 records")
    assert "Stopped" in messages(app)
    assert cache.workspace().topics() == ()


def test_pairs_are_decided_and_decisions_undone(root: Path) -> None:
    pairs = [f"{title}: a {word}" for title in TITLES[:2] for word in ("review", "reviews")]
    app = _into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:2], *pairs)))
    _button(app, "Import 6 records")
    workspace = cache.workspace()
    n = len(proposals(workspace, "Tea"))
    assert n >= 2
    app.session_state["part"] = "Duplicates"
    _run(app)
    _button(app, "Different publications")
    assert len(proposals(workspace, "Tea")) == n - 1
    _button(app, "Same publication")
    assert topic_sizes(workspace.store)["Tea"].n_publications == 5
    assert [merge.rule for merge in merges(workspace, "Tea")] == ["asked"]
    _button(app, "Undo")
    assert topic_sizes(workspace.store)["Tea"].n_publications == 6


def test_pairs_are_shown_one_at_a_time_and_every_decision_is_undone_in_turn(root: Path) -> None:
    pairs = [f"{title}: a {word}" for title in TITLES[:2] for word in ("review", "reviews")]
    app = _into(open_library("Import"), "Tea", ("a.ris", ris(*TITLES[:2], *pairs)))
    _button(app, "Import 6 records")
    workspace = cache.workspace()
    before = proposals(workspace, "Tea"), sorted(workspace.store.topic_publication_ids("Tea"))
    app.session_state["part"] = "Duplicates"
    _run(app)

    def shown() -> list[str]:
        return [button.key or "" for button in app.button if (button.key or "").startswith("join-")]

    first = shown()
    assert len(first) == 1
    app.button(key="pair-next").click()
    _run(app)
    assert len(shown()) == 1
    assert shown() != first
    _button(app, "Same publication")
    _button(app, "Different publications")
    assert len(workspace.store.topic_publication_ids("Tea")) == 5
    for _ in range(2):
        app.button(key="undo-pair").click()
        _run(app)
    assert (proposals(workspace, "Tea"), sorted(workspace.store.topic_publication_ids("Tea"))) == before


def test_all_pairs_like_the_one_shown_are_decided_at_once_and_undone_at_once(root: Path) -> None:
    pairs = [f"{title}: a {word}" for title in TITLES[:40:10] for word in ("review", "reviews")]
    app = _into(open_library("Import"), "Tea", ("a.ris", ris(*pairs)))
    _button(app, "Import 8 records")
    workspace = cache.workspace()
    before = proposals(workspace, "Tea"), sorted(workspace.store.topic_publication_ids("Tea"))
    app.session_state["part"] = "Duplicates"
    _run(app)
    for key in ("alike-join", "alike-separate"):
        button = app.button(key=key)
        n = next(int(word) for word in button.label.split() if word.isdecimal())
        assert 2 <= n <= len(before[0])
        button.click()
        _run(app)
        assert len(proposals(workspace, "Tea")) <= len(before[0]) - n
        app.button(key="undo-pair").click()
        _run(app)
        assert (proposals(workspace, "Tea"), sorted(workspace.store.topic_publication_ids("Tea"))) == before


def test_preferred_files_are_chosen_in_order(root: Path) -> None:
    for name, title in (("a.ris", TITLES[0]), ("b.ris", TITLES[0].upper())):
        bring(cache.workspace(), "Tea", SourceRole("corpus"), [read_data(ris(title), name)])
    app = open_library("Duplicates", topic="Tea")
    (box,) = [box for box in app.multiselect if (box.key or "").startswith("prefer-")]
    assert (box.options, box.value) == (["a.ris", "b.ris"], [])
    box.set_value([load_sources(cache.workspace().store, "Tea")[1].source_id])
    _run(app)
    (merge,) = merges(cache.workspace(), "Tea")
    assert merge.known_as == TITLES[0].upper()


def test_fields_that_differ_are_marked() -> None:
    one = Record(1, title="Heat and trees", year=2020, doi="10.1/a")
    rows = {row["Field"]: row for row in compared_fields(one, replace(one, year=2021, doi=None, pages="1-9"))}
    assert {name: row["Compared"] for name, row in rows.items()} == {
        "Title": "=",
        "Year": "≠",
        "Pages": "one only",
        "DOI": "one only",
    }
    assert "**2021**" in rows["Year"]["Second"]


def test_counts_of_topics_and_of_their_versions_lead_to_their_publications(root: Path) -> None:
    fill(root)
    topics, versions = (frame.value for frame in open_library("Topics").dataframe)
    for column in ("Publications", "Core"):
        group = topic_group(TOPIC, column)
        assert group is not None
        assert len(group) == topics[column][0] > 0
    assert topic_group(TOPIC, "Files") is None
    counts = dict(zip(versions["Version"], versions["Retrieved"], strict=True))
    assert {label: len(version_group(TOPIC, label)) for label in counts} == counts == {"baseline": 27, "review": 40}


def test_what_is_deleted_asks_once_more(root: Path) -> None:
    fill(root)
    app = open_library("Topics")
    assert app.dataframe[0].value["Topic"].tolist() == [TOPIC]
    next(b for b in app.button if b.label.startswith("Delete")).click()
    app.run()  # once: a further run closes what asks
    assert "no other topic" in shown(app)
    assert cache.workspace().topics()


def test_the_count_is_that_of_the_hand_off(root: Path) -> None:
    fill(root)
    app = open_library("Export")
    n = len(select(cache.workspace(), TOPIC, ExportSelection()))
    assert f"**{n} publications**" in shown(app)
    app.selectbox(key="hand-off-region").set_value("cosine")
    _run(app)
    n_relevant = len(select(cache.workspace(), TOPIC, ExportSelection(region="cosine"), embedder=MODEL))
    assert 0 < n_relevant < n
    assert f"**{n_relevant} publications**" in shown(app)
    next(s for s in app.selectbox if s.label == "Publications").set_value("core_missed")
    _run(app)
    n = len(select(cache.workspace(), TOPIC, ExportSelection(among="core_missed")))
    assert f"**{n} publication" in shown(app)


def test_screeners_stay_blind_until_the_page_says_otherwise(root: Path) -> None:
    fill(root)
    app = open_library("Export")
    sentence = contents(TOOLS["asreview"].form, TOOLS["asreview"], ExportChoices())
    assert sentence in shown(app)
    app.checkbox(key="hand-off-unblind").check()
    assert sentence not in shown(_run(app))
    app.selectbox(key="hand-off-tool").set_value("csv")
    keys = {box.key for box in _run(app).checkbox}
    assert not {"hand-off-unblind", "hand-off-core"} & keys, "a table always has these columns"
    app.selectbox(key="hand-off-tool").set_value("ris")
    assert "hand-off-core" in {box.key for box in _run(app).checkbox}


def test_nothing_can_be_changed_in_a_copy(root: Path) -> None:
    fill(root)
    open_app()
    cache.workspace().store.is_read_only = True
    app = open_library("Import")
    assert "Read-only" in messages(app)
    assert not app.file_uploader
    app.session_state["part"] = "Topics"
    assert next(b for b in _run(app).button if b.label.startswith("Delete")).disabled


@pytest.mark.parametrize("part", ["Files", "Duplicates", "Headings", "Vectors", "Export"])
def test_a_topic_that_came_another_way_has_every_part(root: Path, part: str) -> None:
    fill(root, core_ids=())
    assert open_library(part).title[0].value == "Library"


def test_no_visitor_sees_what_another_is_about_to_bring(root: Path) -> None:
    _into(open_library("Import"), "Tea", ("mine.ris", ris("A title of my own, for nobody else")))
    assert "mine.ris" not in shown(open_library("Import"))


def test_words_that_differ_are_marked() -> None:
    assert marked("Tea in towns", "Tea IN cities") == (
        "Tea in :gray-background[**towns**]",
        "Tea IN :gray-background[**cities**]",
    )
    assert marked("", "x") == ("", ":gray-background[**x**]")


def test_a_topic_for_evaluation_programs(root: Path) -> None:
    fill(root)
    app = open_library("Export")
    assert not app.exception
    app.session_state["evaluation-files"] = True
    app = _run(app)
    buttons = {each.proto.label: each.proto.disabled for each in app.get("download_button")}
    assert {"BEIR (.zip)", "Qrels (TREC)", "Run (TREC)"} <= set(buttons)
    assert not any(buttons.values())
    assert "SetP" in shown(app)
