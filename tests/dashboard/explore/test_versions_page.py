"""The page Versions, without a browser: what stands on it is what a direct call gives, and bad input is said."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from core.explore.compare import verdict
from core.explore.regions import DEFAULT_REGIONS
from core.explore.uncertainty import coverage_sentence
from core.settings import EvaluationSettings
from core.text import signed
from dashboard import cache
from dashboard.explore.version_scores import counted_ids, remarks, score_rows, table_html, table_rows
from data.explore.versions import compare_in_full, compare_now, delete_version, known_comparison, known_robustness
from data.explore.workspace import Workspace
from tests.dashboard import apps
from tests.dashboard.apps import clean, files, messages, open_app, ran, told
from tests.data.workspaces import MODEL, TOPIC, N, Version, fill, ids_of

PAIR = ("baseline", "review")
MORE = (
    Version("baseline", 1, ids_of(3, 30), "baseline"),
    Version("unrun", 2, None, "generated"),
    Version("review", 3, ids_of(0, N), "review"),
    Version("<b>odd</b> $x$", 4, ids_of(0, 12)),
    Version("nothing", 5, ()),
    Version("no core", 6, ids_of(20, 30)),
    Version("again", 7, ids_of(3, 30)),
)


def open_versions(view: str = "Scores", *, versions: tuple[str, ...] = PAIR, **link: str) -> AppTest:
    app = open_app(embedder=MODEL, **link)
    app.switch_page("explore/versions_page.py")
    for name, value in {"versions_view": view, "embedder": MODEL, **link}.items():
        app.query_params[name] = value
    app.query_params["versions"] = list(versions)
    return settled(app)


def settled(app: AppTest | Widget) -> AppTest:
    return apps.settled(ran(app))


def table(app: AppTest) -> str:
    found = [html.proto.body for html in app.get("html") if "qs-scores" in html.proto.body]
    return str(found[0]) if found else ""


def heads(app: AppTest) -> str:
    return " ".join(clean(block.value) for block in app.header)


def captions(app: AppTest) -> str:
    return " ".join(clean(block.value) for block in app.caption)


@pytest.fixture
def filled(root: Path) -> Path:
    fill(root)
    return root


def test_the_numbers_are_those_of_a_direct_call(filled: Path) -> None:
    app = open_versions()
    direct = known_comparison(
        cache.workspace(), TOPIC, PAIR, embedder=MODEL, settings=EvaluationSettings(), regions=DEFAULT_REGIONS
    )
    assert direct is not None
    assert heads(app) == verdict(direct, *PAIR, region="cosine").sentence
    shown = table(app)
    for evaluation in direct.versions:
        assert f"{evaluation.recall:.3f}" in shown
        for scores in evaluation.regions.values():
            if scores.f_beta is not None:
                assert f"{scores.f_beta:.3f}" in shown
    for d in direct.differences:
        if d.difference is not None:
            assert signed(d.difference) in shown
            assert d.interval is None or f"{signed(d.interval.low)} to {signed(d.interval.high)}" in shown
    rows = files(app, "review minus baseline")["rows"]
    assert [row[1] for row in rows] == [d.difference for d in direct.differences]
    words = " ".join(clean(block.value) for block in app.markdown)
    assert all(d.sentence in words for d in direct.differences)
    assert coverage_sentence("leave_one_out") in captions(app)


def test_every_count_of_the_scores_leads_to_its_publications(filled: Path) -> None:
    app = open_versions()
    counts = next(frame.value for frame in app.dataframe if "Count" in frame.value)
    direct = known_comparison(
        cache.workspace(), TOPIC, PAIR, embedder=MODEL, settings=EvaluationSettings(), regions=DEFAULT_REGIONS
    )
    assert direct is not None
    assert len(counts) == 2 + 2 * len(DEFAULT_REGIONS)
    for label, evaluation in zip(PAIR, direct.versions, strict=True):
        found = [counted_ids(evaluation, row.Region, row.Count) for row in counts.itertuples()]
        assert [None if ids is None else len(ids) for ids in found] == counts[label].tolist()
        assert counted_ids(evaluation, "All publications", "Core recall") is None


def test_values_stand_there_before_the_ranges(filled: Path) -> None:
    with Workspace.open(filled) as workspace:
        now, waiting = compare_now(workspace, TOPIC, PAIR, embedder=MODEL, settings=EvaluationSettings())
        full = compare_in_full(workspace, TOPIC, PAIR, embedder=MODEL, settings=EvaluationSettings())
    assert not now.has_ranges
    html = [
        table_html(score_rows(c, w, DEFAULT_REGIONS, PAIR), PAIR, PAIR, "light", pending=not c.has_ranges)
        for c, w in ((now, waiting), (full, ()))
    ]
    assert "waits" in html[0].split("<style>")[0]
    assert "waits" not in html[1].split("<style>")[0]
    assert html[0].count("<tr") == html[1].count("<tr")


@pytest.mark.slow
def test_pareto_and_curves_hold_every_version_and_those_chosen(filled: Path) -> None:
    app = open_versions()
    standings = files(app, "recall against")
    assert [row[0] for row in standings["rows"]] == ["baseline", "review"]
    assert [row[2:4] for row in standings["rows"]] == [[27, 5], [40, 8]]
    marked = [row for row in files(app, "curves")["rows"] if row[1] == "current threshold"]
    assert [row[0] for row in marked] == list(PAIR)
    for row, label in zip(marked, PAIR, strict=True):
        scores = cache.workspace().evaluate(TOPIC, label, embedder=MODEL).regions["cosine"]
        assert row[2] == pytest.approx(scores.defines["min_similarity"])
        assert row[3] == pytest.approx(scores.f_beta)


@pytest.mark.slow
def test_the_first_is_the_reference_and_a_choice_says_which_is_compared(root: Path) -> None:
    fill(root, versions=MORE)
    app = open_versions(versions=("review", "baseline", "no core"), against="no core", by="mvee")
    assert "no core finds 8 fewer of 8 core publications than review" in heads(app)
    assert "no core minus review" in table(app)
    settled(app.selectbox(key="against").set_value("baseline"))
    assert "baseline minus review" in table(app)
    assert app.query_params["against"] == "baseline"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("versions", "sentence"),
    [
        (("baseline", "again"), "retrieve the same 27 publications"),
        (("baseline", "no core"), "no core finds 5 fewer of 8"),
        (("baseline", "nothing"), "retrieves nothing"),
        (("review", "<b>odd</b> $x$"), "<b>odd</b> $x$ finds the same 8 of 8"),
    ],
)
def test_odd_versions_are_compared_as_far_as_they_can(root: Path, versions: tuple[str, ...], sentence: str) -> None:
    fill(root, versions=MORE)
    app = open_versions(versions=versions)
    assert not app.error
    assert sentence in heads(app)
    assert "<b>odd" not in table(app)


@pytest.mark.slow
def test_a_missing_value_has_its_reason_beneath(root: Path) -> None:
    fill(root, versions=MORE)
    app = open_versions(versions=("baseline", "nothing"))
    assert "Cosine has no value for nothing: nothing was retrieved." in captions(app)
    assert "Not drawn, nothing retrieved: nothing." in captions(app)


@pytest.mark.slow
def test_three_core_publications_are_warned_of(root: Path) -> None:
    fill(root, core_ids=ids_of(0, 3))
    app = open_versions(versions=PAIR)
    assert "Only 3 core publications" in messages(app)


@pytest.mark.parametrize(("opened", "chosen"), [("v4", ["baseline", "v4"]), ("review", ["baseline", "review"])])
def test_it_opens_with_a_version_and_the_one_before_it(filled: Path, opened: str, chosen: list[str]) -> None:
    workspace = cache.workspace()
    workspace.run_query(TOPIC, "tea", parent="baseline")
    assert workspace.run_query(TOPIC, "tea OR kettle", parent="baseline").version.label == "v5"
    app = open_app(embedder=MODEL, version=opened)
    app.switch_page("explore/versions_page.py")
    assert settled(app).multiselect(key="versions").value == chosen


def test_a_link_that_asks_in_vain_says_why(root: Path) -> None:
    fill(root, versions=MORE)
    with Workspace.open(root) as workspace:
        delete_version(workspace, TOPIC, "again")
    app = open_versions(versions=("baseline", "again", "unrun", "never", "review"))
    said = messages(app)
    assert '"again", which was deleted. Restore it under History.' in said
    assert '"unrun", which has not' in said
    assert '"never", which is not' in said
    assert app.multiselect[0].value == ["baseline", "review"]
    app.multiselect[0].set_value(["review", "baseline"])
    settled(app)
    assert "never" not in messages(app)


@pytest.mark.slow
def test_one_version_is_told_what_it_lacks(root: Path) -> None:
    fill(root, versions=MORE[:1])
    app = open_versions(versions=("baseline",))
    assert "only one version" in messages(app)


@pytest.mark.slow
def test_an_empty_workspace_says_so(root: Path) -> None:
    app = settled(open_app())
    app.switch_page("explore/versions_page.py")
    settled(app)
    assert "No version" in messages(app)


@pytest.mark.parametrize("versions", [PAIR, pytest.param(("review",), marks=pytest.mark.slow)])
def test_sensitivity_is_that_of_a_direct_call(filled: Path, versions: tuple[str, ...]) -> None:
    app = open_versions("Sensitivity", versions=versions)
    settled(app)
    direct = known_robustness(cache.workspace(), TOPIC, versions, embedder=MODEL, settings=EvaluationSettings())
    assert direct is not None
    spans = files(app, "range of F-beta")["rows"]
    assert [row[:3] for row in spans] == [[s.label, s.as_set, s.lowest] for s in direct.spans]
    outcomes = files(app, "order of versions")["rows"]
    assert len(outcomes) == len(direct.outcomes) * len(versions)
    words = " ".join(block.value for block in app.markdown)
    assert ("change the order" in words) == (len(versions) > 1)


@pytest.mark.slow
@pytest.mark.parametrize("region", ["mvee", "cluster"])
@pytest.mark.parametrize("versions", [PAIR, PAIR[:1]])
def test_sensitivity_follows_the_region_at_the_head(
    filled: Path, monkeypatch: pytest.MonkeyPatch, versions: tuple[str, ...], region: str
) -> None:
    monkeypatch.setattr("data.explore.versions.CHEAP_CLUSTERS", 10)
    app = settled(open_versions("Sensitivity", versions=versions, by=region))
    found = {label: cache.workspace().evaluate(TOPIC, label, embedder=MODEL) for label in versions}
    spans = files(app, f"range of F-beta by {region}")["rows"]
    assert [row[:2] for row in spans] == [[label, e.regions[region].f_beta] for label, e in found.items()]
    app.selectbox(key="by").set_value("hull")
    settled(settled(app))
    spans = files(app, "range of F-beta by hull")["rows"]
    assert [row[1] for row in spans] == [e.regions["hull"].f_beta for e in found.values()]


@pytest.mark.slow
def test_what_was_tuned_holds_here_and_can_be_undone(filled: Path) -> None:
    app = open_versions(beta="1", limit="100")
    assert "decay limit 100, beta 1" in captions(app)
    assert "F1 (with decay)" in table(app)
    app.button(key="reset-tuning").click()
    settled(app)
    assert "Settings: the defaults." in captions(app)
    assert "F2 (with decay)" in table(app)
    assert "beta" not in app.query_params


def test_the_best_is_marked_and_what_says_nothing_is_not(filled: Path) -> None:
    with Workspace.open(filled) as workspace:
        full = compare_in_full(workspace, TOPIC, PAIR, embedder=MODEL, settings=EvaluationSettings())
    rows = score_rows(full, (), DEFAULT_REGIONS, PAIR)
    recall = rows[0]
    assert [cell.is_best for cell in recall.cells] == [False, True]
    for row in rows:
        best = [cell.value for cell in row.cells if cell.is_best]
        running = [cell.value for cell in row.cells if cell.value is not None and not cell.is_struck]
        assert not best or set(best) == {max(running)}
        assert not any(cell.is_best and cell.is_struck for cell in row.cells)
    assert len(table_rows(rows, PAIR, PAIR)) == len(rows) == 3 + 5 * len(DEFAULT_REGIONS)
    assert any("No difference in Cluster" in remark for remark in remarks(rows, PAIR))
    struck = re.findall(r"<s>([\d.]+)</s>", table_html(rows, PAIR, PAIR, "dark", pending=False))
    assert struck == [cell.text for row in rows for cell in row.cells if cell.is_struck]


def test_a_region_that_says_nothing_is_struck_in_all_its_rows(filled: Path) -> None:
    with Workspace.open(filled) as workspace:
        now, _ = compare_now(workspace, TOPIC, PAIR, embedder=MODEL, settings=EvaluationSettings())
    first, second = now.versions
    scores = replace(second.regions["mvee"], degenerate="everything is inside", semantic_precision=0.999)
    odd = replace(now, versions=(first, replace(second, regions={**second.regions, "mvee": scores})), differences=())
    rows = score_rows(odd, (), ("mvee", "hull"), PAIR)
    struck = [row for row in rows if row.group == "Ellipsoid (MVEE)"]
    assert len(struck) == 5
    for row in struck:
        assert [cell.is_struck for cell in row.cells] == [False, True]
        assert not any(cell.is_best for cell in row.cells)
        assert row.difference.value is None
    assert not any(cell.is_struck for row in rows if row not in struck for cell in row.cells)
    said = [remark for remark in remarks(rows, PAIR) if "is meaningless" in remark]
    assert said == ["Ellipsoid (MVEE) is meaningless for review: everything is inside."]


@pytest.mark.slow
def test_vectors_of_many_versions_are_not_loaded_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = tuple(f"v{n}" for n in range(8))
    fill(root, versions=[Version(label, n, ids_of(n, N)) for n, label in enumerate(labels, 1)])
    loaded: list[str] = []
    load = Workspace.view

    def counted(self: Workspace, topic_id: str, label: str, embedder: str) -> Any:
        loaded.append(label)
        return load(self, topic_id, label, embedder)

    monkeypatch.setattr(Workspace, "view", counted)
    open_versions(versions=labels)
    assert len(loaded) == len(set(loaded)) + ("v0" in loaded[1:])
    n_loaded = len(loaded)
    app = open_versions(versions=labels, beta="1")
    assert "F1 (with decay)" in table(app)
    assert [label for label in loaded[n_loaded:] if label != "v0"] == []


def test_below_0_stands_a_true_minus() -> None:
    assert [signed(value) for value in (-0.5, 0.25, -3, 1200, 0)] == ["−0.500", "+0.250", "−3", "+1,200", "0"]


@pytest.mark.slow
def test_explore_leads_here(filled: Path) -> None:
    app = settled(open_app(version="review", embedder=MODEL))
    links = {link.proto.label: link.proto.query_string for link in app.get("page_link")}
    compare, report = (
        next(query for label, query in links.items() if label.startswith(verb)) for verb in ("Compare", "Report")
    )
    assert "versions=baseline&versions=review" in compare
    assert "audit_versions=review" in report
    assert "landscape" in told(app)


@pytest.mark.slow
def test_about_says_how_differences_are_taken(root: Path) -> None:
    app = settled(open_app())
    app.switch_page("about.py")
    settled(app)
    words = " ".join(clean(block.value) for block in app.markdown)
    assert "full core set" in words
    assert coverage_sentence("fixed") in words
