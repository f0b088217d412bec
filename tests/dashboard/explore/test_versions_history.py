"""The history and the publications of the page Versions, without a browser; and the command that lists versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.explore.compare import changes
from dashboard import cache
from dashboard.explore import versions
from dashboard.jobs import Job
from data.explore.versions import changes_csv, delete_version
from data.explore.workspace import Workspace
from data.store import Headlines
from tests.dashboard.apps import click, messages, open_app, open_page, ran
from tests.dashboard.runs import Runner
from tests.data.workspaces import MODEL, TOPIC, Version, fill, ids_of

ODD = "*Odd* <img src=x onerror=alert(1)> $x$ :material/lock:"


@pytest.fixture
def ready(root: Path) -> Path:
    """A topic with two lists from elsewhere and two runs."""
    fill(
        root,
        versions=[Version("baseline", 1, ids_of(3, 30), "baseline"), Version("review", 2, ids_of(0, 40), "review")],
    )
    with Workspace.open(root) as workspace:
        workspace.run_query(TOPIC, "tea", clock=lambda: "2031-05-06T12:00:00+00:00")
        workspace.run_query(TOPIC, "tea OR leaves", parent="v3", clock=lambda: "2031-05-06T12:01:00+00:00")
    return root


def open_versions(view: str, **link: str) -> AppTest:
    return open_page("explore/versions_page.py", topic=TOPIC, embedder=MODEL, versions_view=view, **link)


def shown(app: AppTest) -> str:
    said = [block.value for block in (*app.main.markdown, *app.main.caption)]
    return " ".join([*said, messages(app)]).replace("\\", "").replace("\u2060", "")


def key_of(label: str) -> str:
    return cache.workspace().version(TOPIC, label).version.query_id


def test_the_history_tells_the_newest_first(ready: Path) -> None:
    app = open_versions("History")
    heads = [block.value for block in app.main.markdown if "retrieved" in block.value]
    assert [head.split("**")[1] for head in heads] == ["v4", "v3", "review", "baseline"]
    said = shown(app)
    assert "based on v3" in said
    assert "6 May 2031, 12:01 UTC" in said
    assert "over 40 publications" in said
    assert "imported" in said
    assert "8 of 8 core found" in said


def test_a_version_is_called_something_and_commented(ready: Path) -> None:
    app = open_versions("History", version="v3")
    key = key_of("v3")
    click(app, f"open-{key}")
    assert app.code[0].value == "tea"
    app.text_input[0].set_value(ODD)
    app.text_area[0].set_value("Because *of* tea")
    click(app, f"save-{key}")
    version = cache.workspace().version(TOPIC, "v3").version
    assert (version.name, version.note) == (ODD, "Because *of* tea")
    assert ODD in shown(app)
    assert app.session_state["version"] == "v3"
    assert app.query_params["version"] in ("v3", ["v3"]), "a link outlasts a new name"
    app.switch_page("sources/page.py").run()
    assert f"v3: {ODD}" in app.selectbox(key="version").options


def test_a_deleted_version_can_be_had_back_at_once_and_later(ready: Path) -> None:
    app = open_versions("History", version="v4")
    app.multiselect(key="versions").set_value(["v3", "v4"])
    key = key_of("v4")
    click(app, f"open-{key}")
    click(app, f"delete-{key}")
    assert app.multiselect(key="versions").value == ["v3"]
    assert "v4 is deleted" in shown(app).replace("*", "")
    assert app.session_state["version"] == "v3"
    assert "v4" not in {row.version.label for row in cache.workspace().store.versions(TOPIC)}
    click(app, "undo-delete")
    assert "v4" in {row.version.label for row in cache.workspace().store.versions(TOPIC)}
    assert "is deleted" not in shown(app)
    assert app.session_state["version"] == "v4"
    assert app.multiselect(key="versions").value == ["v3", "v4"]
    delete_version(cache.workspace(), TOPIC, "v4")
    linked = open_app(topic=TOPIC, embedder=MODEL, version="v4", versions_view="History")
    assert 'Version "v4" was deleted' in messages(linked)
    linked.switch_page("explore/versions_page.py")
    ran(linked)
    click(linked, f"back-{key}")
    assert cache.workspace().version(TOPIC, "v4").deleted_at is None


@pytest.mark.slow
def test_when_the_last_one_is_deleted_the_page_still_has_it(ready: Path) -> None:
    run_here = [row for row in cache.workspace().store.versions(TOPIC) if row.n_retrieved is not None]
    last = run_here[-1].version.label
    for row in cache.workspace().store.versions(TOPIC):
        if row.version.label != last:
            delete_version(cache.workspace(), TOPIC, row.version.label)
    app = open_versions("History", version=last)
    click(app, f"open-{key_of(last)}")
    click(app, f"delete-{key_of(last)}")
    assert "Deleted (4)" in [box.label for box in app.expander]
    click(app, "undo-delete")
    assert cache.workspace().version(TOPIC, last).deleted_at is None


@pytest.mark.slow
def test_running_again_over_the_same_gives_the_same(ready: Path) -> None:
    app = open_versions("History", version="v3")
    click(app, f"open-{key_of('v3')}")
    click(app, f"again-{key_of('v3')}")
    assert "Nothing has changed" in app.toast[0].value
    store = cache.workspace().store
    with store.transaction():
        store.save_corpus(TOPIC, ids_of(0, 12))
        store.execute("UPDATE publications SET title = 'Tea in towns' WHERE publication_id = 'p39'")
    cache.workspace().corpora.forget()
    cache.workspace().prepare(TOPIC, MODEL)
    ran(app)
    assert "have changed since" in shown(app)
    click(app, f"again-{key_of('v3')}")
    assert cache.workspace().version(TOPIC, "v5").version.parent_id == key_of("v3")


@pytest.mark.slow
def test_a_branch_is_remembered_as_one(ready: Path) -> None:
    app = open_versions("History", version="v4")
    click(app, f"open-{key_of('v3')}")
    click(app, f"branch-{key_of('v3')}")
    assert app.session_state["version"] == "v3"
    app.switch_page("workbench/page.py")
    ran(app)
    app.session_state["workbench"] = {"ask": {"seq": 1, "kind": "run", "text": "kettle OR cup"}}
    ran(app)
    assert cache.workspace().version(TOPIC, "v5").version.parent_id == key_of("v3")


@pytest.mark.slow
def test_a_click_counts_though_a_job_ends_while_the_page_is_drawn(ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_versions("History", version="v4")
    click(app, f"open-{key_of('v3')}")
    compare, ended = versions.compare_chosen, Job("ended", "It ends at this moment", 0.0, finished=True)
    monkeypatch.setattr(versions, "compare_chosen", lambda *asked: replace(compare(*asked), jobs=(ended,)))
    click(app, f"branch-{key_of('v3')}")
    assert app.session_state["version"] == "v3"


def test_what_was_gained_lost_and_kept(ready: Path) -> None:
    app = open_versions("Publications", versions="baseline")
    assert "one more version" in messages(app)
    ran(app.multiselect(key="versions").set_value(["baseline", "review"]))
    assert {m.label: (m.value, m.delta) for m in app.metric} == {
        "Kept": ("27", "5 core"),
        "Gained": ("13", "3 core"),
        "Lost": ("0", "0 core"),
    }
    assert "Core gained (3)" in shown(app)
    table = app.dataframe[0].value
    assert len(table) == 40
    assert list(table["Core"]) == ["core"] * 8 + [""] * 32
    assert list(table["Change"]) == ["gained"] * 3 + ["kept"] * 5 + ["gained"] * 10 + ["kept"] * 22
    app.segmented_control(key="change").set_value("Gained")
    ran(app.toggle(key="core_only").set_value(True))
    assert len(app.dataframe[0].value) == 3
    ran(app.text_input(key="changes-search").set_value("no such title"))
    assert len(app.dataframe[0].value) == 0


@pytest.mark.slow
def test_more_than_two_and_the_same(ready: Path) -> None:
    with cache.workspace().store.transaction():
        cache.workspace().save_topic(TOPIC, ids_of(0, 8), [Version("twin", 9, tuple(reversed(ids_of(0, 40))))])
    cache.workspace().project(TOPIC, MODEL)  # else the page shows that it catches up first
    app = open_versions("Publications")
    ran(app.multiselect(key="versions").set_value(["baseline", "review", "twin"]))
    assert "review and twin retrieve the same 40 publications" in shown(app)
    assert app.segmented_control(key="change").options == [
        *("All", "In some", "In all", "Only baseline", "Only review", "Only twin")
    ]
    assert "missed by others (3)" in shown(app)


@pytest.mark.slow
def test_versions_over_another_corpus_say_so(ready: Path) -> None:
    workspace = cache.workspace()
    workspace.store.execute("UPDATE publications SET title = 'Tea in towns' WHERE publication_id = 'p39'")
    workspace.corpora.forget()
    workspace.run_query(TOPIC, "tea")
    app = open_versions("Publications")
    ran(app.multiselect(key="versions").set_value(["v3", "v5"]))
    assert "different publications" in shown(app)


IDS = st.lists(st.integers(0, 12).map(str), unique=True).map(tuple)


@settings(max_examples=40)
@given(first=IDS, second=IDS, third=IDS, core=st.frozensets(st.integers(0, 12).map(str)))
def test_changes_are_what_sets_say(
    first: tuple[str, ...], second: tuple[str, ...], third: tuple[str, ...], core: frozenset[str]
) -> None:
    two = changes({"a": first, "b": second}, core)
    a, b = set(first), set(second)
    parts = {name: {two.ids[i] for i in range(len(two.ids)) if mask[i]} for name, mask in two.parts().items()}
    assert parts == {"Gained": b - a, "Lost": a - b, "Kept": a & b}
    assert two.are_same is (a == b)
    three = changes({"a": first, "b": second, "c": third}, core)
    assert {i for i, is_core in zip(three.ids, three.core_mask, strict=True) if is_core} == core & (a | b | set(third))
    assert sum(int(three.parts()[name].sum()) for name in ("In some", "In all")) == len(three.ids)
    for row, publication_id in enumerate(three.ids):
        held = [label for label, some in (("a", first), ("b", second), ("c", third)) if publication_id in some]
        assert list(three.retrieved_by(row)) == held


def test_the_file_holds_every_row_and_no_formula() -> None:
    found = changes({"old": ("p", "=1+1"), "new": ("=1+1",)}, {"p"})
    heads = Headlines(('Tea, "green"', "=cmd()"), np.array([2001, 0], dtype=np.int16), ("10.1/x", ""))
    lines = changes_csv(found, heads, (0, 1)).decode("utf-8-sig").splitlines()
    assert lines == [
        "publication_id,title,year,doi,core,old,new",
        'p,"Tea, ""green""",2001,10.1/x,1,1,0',
        "'=1+1,'=cmd(),,,0,1,1",
    ]


def test_the_command_lists_and_changes(run: Runner) -> None:
    keys = ["version", "name", "note", "origin", "made_at", "made_from", "dialect", "semantics"]
    more = ["n_searched", "n_retrieved", "text", "deleted"]
    document: Any = run("versions", "--topic", TOPIC, "--json").document
    assert document["topic"] == TOPIC
    assert [[key for key in entry if key in (*keys, *more)] for entry in document["versions"]] == [[*keys, *more]] * 3
    assert run("versions", "--topic", TOPIC, "--name", "review", "as registered", "--note", "review", "why").status == 0
    assert run("versions", "--topic", TOPIC, "--delete", "baseline").status == 0
    first, _, last = run("versions", "--topic", TOPIC, "--json").document["versions"]
    assert (last["name"], last["note"], last["deleted"], first["deleted"]) == ("as registered", "why", False, True)
    table = run("versions", "--topic", TOPIC)
    assert "as registered" in table.out
    assert "baseline" not in table.out
    assert "--restore baseline" in table.err
    assert "was deleted" in run("evaluate", "--topic", TOPIC, "--version", "baseline").mistake
    assert run("versions", "--topic", TOPIC, "--restore", "baseline").status == 0
    assert run("versions", "--topic", TOPIC, "--run-again", "review").status == 0
    made = run("versions", "--topic", TOPIC, "--json").document["versions"][-1]
    assert (made["version"], made["made_from"], made["same_corpus_today"]) == ("v4", "review", True)
    assert "no version" in run("versions", "--topic", TOPIC, "--delete", "x").mistake
