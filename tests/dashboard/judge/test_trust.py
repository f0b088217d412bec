"""The view Trust: nothing measured is nothing good, a dry run first, and then what was found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document, Judgment, Query
from core.judge.judgments import JudgeCandidate, JudgeField, JudgeSettings
from core.judge.reliability import TRUST_METRICS, region_agreement
from core.judge.trust import Findings, whether_to_believe
from core.stats import Estimate, Interval
from dashboard import cache
from dashboard.judge.agreement import pair_group, people_group, query_group
from dashboard.judge.figures import (
    GradeShift,
    move_rows,
    moves_figure,
    rate_rows,
    rates_figure,
    region_rows,
    regions_figure,
    table_figure,
    table_rows,
)
from dashboard.judge.findings import belief_html, help_of
from dashboard.judge.selection import OpenedJudgeRun, open_run
from dashboard.kit.theme import THEMES, Theme
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.judge.fields import version_field
from data.judge.findings import TrustReport, found_of
from data.judge.rubric import DEFAULT_RUBRIC
from data.judge.runner import judge_run, make_judge
from data.judge.runs import find_judge_run, list_judge_runs, load_field, load_judged, overrule, save_run
from data.judge.services import open_judge_model
from tests.core.judge.runs_judged import RUBRIC
from tests.dashboard.apps import open_alone, press, shown
from tests.dashboard.figures import assert_fits
from tests.data.workspaces import TOPIC

ODD = "<b>Tin *x* $y$"
QUERIES = tuple(Query(f"q{n}", f"effect of tin {n} on lakes") for n in range(3))
TEXTS = ("Tin in lakes. The effect of tin on lakes is large.", "Lakes are wet.", "Nothing of it.", "")


def judge_lakes(workspace: Workspace, order: str, name: str) -> str:
    model = open_judge_model("demo")
    judge = make_judge(workspace.store, JudgeSettings("demo", DEFAULT_RUBRIC, order=order), model)  # type: ignore[arg-type]
    candidates = [
        JudgeCandidate("bm25", query.query_id, rank, f"d{rank}", ODD, text)
        for query in QUERIES
        for rank, text in enumerate(TEXTS, 1)
    ]
    run_id = save_run(workspace.store, name, judge, JudgeField(name, QUERIES, tuple(candidates)), {"preset": None})
    judge_run(workspace.store, run_id, model)
    return run_id


@pytest.fixture
def judged(root: Path) -> Path:
    """A run of the demo judge, and judgments of people on another scale."""
    with Workspace.open(root) as workspace:
        judge_lakes(workspace, "score_first", "lakes")
        documents = tuple(Document(f"d{n}", ODD, text) for n, text in enumerate(TEXTS, 1))
        judgments = tuple(Judgment(query.query_id, f"d{n}", 3 - n) for query in QUERIES for n in (1, 2, 3))
        save_collection(workspace.store, Collection(ODD, documents, QUERIES, judgments), origin="by hand")
    return root


def open_trust(part: str = "Try it", **link: str) -> AppTest:
    return open_alone("judge/page.py", **{"judge": "Trust", "judge_trust": part, **link})


def checks(app: AppTest) -> str:
    return " ".join(each.proto.body for each in app.get("html"))


def test_what_is_tried_is_counted_first_then_asked_and_in_no_list(judged: Path) -> None:
    app = open_trust()
    assert "Not measured: same answer" in shown(app)
    # Twelve triples twice, nine with an abstract, twelve swapped, nine times four demands.
    assert "Dry run: 81 calls, 0 already known, free" in shown(app)
    store = cache.workspace().store
    before = store.rows("SELECT count(*) FROM judge_answers")
    assert "only 9 of 12" in shown(app)
    press(app, "judge-trust-start")
    assert store.rows("SELECT count(*) FROM judge_answers") == [(before[0][0] + 81,)]
    assert [row.name for row in list_judge_runs(store)] == ["lakes"]
    assert app.button(key="judge-trust-start").disabled
    assert "All 81 answers" in shown(app)
    assert "100 % of 12 triples" in shown(app)
    metrics = {metric.label: metric.value for metric in app.metric}
    assert next(value for label, value in metrics.items() if label.startswith("Same grade")) == "100 %"
    assert "so-so" not in checks(app).lower()
    assert checks(app).count("Too few") == 5, "four that were tried on few, and people"


def test_people_are_read_by_a_table_that_can_be_changed(judged: Path) -> None:
    app = open_trust("People")
    assert "0 counts as 0, 1 counts as 3, 2 counts as 5" in shown(app)
    assert "9 pairs of 3 queries" in shown(app)
    assert 'judgments of "<b>Tin *x* $y$"' in shown(app)
    assert "<b>Tin" not in checks(app)
    key = f"judge-scale-{list_judge_runs(cache.workspace().store)[0].run_id}-{ODD}"
    app.button(key=f"use-{key}").click().run()
    assert app.session_state[key] == {0: 0, 1: 3, 2: 5}
    app.session_state[key] = {0: 0, 2: 4}
    app.run()
    assert "0 counts as 0, 1 counts as left out, 2 counts as 4" in shown(app)
    assert "6 pairs of 3 queries; 3 more left out" in shown(app)


def test_counts_beside_people_lead_to_the_triples_of_these_grades(judged: Path) -> None:
    open_trust("People")
    opened, found = opened_and_found()
    assert found.people is not None
    (source,), people = found.sources.values(), found.people
    groups = {
        (judge, given): people_group(opened, source, people.scale, judge=judge, people=given)
        for judge, given in people.table
    }
    assert {grades: len(group) for grades, group in groups.items()} == people.table
    assert all(row["Grade"] == judge for (judge, _), group in groups.items() for row in group.rows)
    for who, rates in (("judge", people.judge_rates), ("people", people.human_rates)):
        for grade, share in rates.items():
            assert len(people_group(opened, source, people.scale, **{who: grade})) == round(share * people.n)


def test_counts_beside_other_judges_lead_to_the_triples_that_they_graded(judged: Path) -> None:
    open_trust("Other judges")
    judge_lakes(cache.workspace(), "reason_first", "other")
    open_trust("Other judges")
    opened, found = opened_and_found()
    judges = found.judges
    assert judges is not None
    (pair,) = judges.pairs
    group = pair_group(opened, found, pair)
    assert len(group) == pair.raw.n > 0
    assert set(judges.names) < set(group.rows[0])
    for query in judges.queries:
        assert len(query_group(opened, found, judges, query.query_id)) == query.n


def opened_and_found() -> tuple[OpenedJudgeRun, TrustReport]:
    opened = open_run(find_judge_run(cache.workspace().store, "lakes"))
    return opened, found_of(cache.workspace(), opened.row, opened.judge, opened.judged)


def test_what_was_overruled_is_no_fair_sample(judged: Path) -> None:
    with Workspace.open(judged) as workspace:
        row = find_judge_run(workspace.store, "lakes")
        field = load_field(workspace.store, row)
        key = load_judged(workspace.store, row, field)[0].triple_key
        rubric = make_judge(workspace.store, row.settings, open_judge_model("demo")).rubric
        overrule(workspace.store, rubric, key, 0, who="Ada", why="It is not.")
    app = open_trust("People", judge_people="overruled")
    assert "looked wrong" in shown(app)
    assert "a fair sample" in shown(app)


def test_judges_of_one_model_say_little(judged: Path) -> None:
    app = open_trust("Other judges")
    assert "no other judge" in shown(app)
    judge_lakes(cache.workspace(), "reason_first", "other")
    app = open_trust("Other judges", judged=find_judge_run(cache.workspace().store, "lakes").run_id)
    assert "demo, grade first; demo, reason first" in shown(app)
    assert "with different settings" in shown(app)


def test_without_a_topic_regions_are_not_measured(judged: Path) -> None:
    assert "to a topic" in shown(open_trust("Regions and core"))


def test_regions_are_computed_when_asked_for(filled: Path, root: Path) -> None:
    shutil.copytree(filled, root)
    with Workspace.open(root) as workspace:
        model = open_judge_model("demo")
        judge = make_judge(workspace.store, JudgeSettings("demo", DEFAULT_RUBRIC), model)
        field = version_field(workspace, [TOPIC], ["review"], k=40, question={TOPIC: "tea leaves"})
        save_run(workspace.store, "tea", judge, field, {"source": "versions", "topics": [TOPIC]})
        judge_run(workspace.store, "tea", model)
    app = open_trust("Regions and core")
    assert "8 publications" in shown(app)
    assert "not measured yet." in shown(app)
    press(app, "judge-trust-regions")
    metrics = {metric.label: metric.value for metric in app.metric}
    assert next(float(value) for label, value in metrics.items() if label.startswith("Rank correlation")) > 0
    assert "with regions" in checks(app)
    assert "compared with regions" not in checks(app)


def test_without_a_grade_there_is_nothing_to_believe(judged: Path) -> None:
    with Workspace.open(judged) as workspace:
        workspace.store.execute("UPDATE judge_answers SET points = NULL, status = 'invalid_json'")
    assert "any grades yet" in shown(open_trust())


# Figures

MOVES = [
    GradeShift(
        "Longer abstract",
        Estimate(0.25, 40, Interval(0.0, 0.5)),
        Estimate(0.3, 40),
        should_move=False,
        n_without=2,
    ),
    GradeShift(
        "Swapped",
        Estimate(-1.0, 30, None, "one query"),
        Estimate(0.8, 30),
        should_move=True,
        n_without=0,
    ),
    GradeShift(
        "Nothing",
        Estimate(None, 0, None, "nothing"),
        Estimate(None, 0),
        should_move=False,
        n_without=4,
    ),
]
TABLE = {(5, 3): 4, (0, 0): 2, (3, 3): 6}
RATES = {ODD: {0: 0.5, 5: 0.5}, "people": {0: 1.0}}
REGIONS = {
    "Cosine": region_agreement([0, 3, 5, 5], [False, True, True, True], cut=3),
    ODD: region_agreement([0, 3, 5, 5], [True, True, False, True], cut=3),
}


@pytest.mark.parametrize("theme", THEMES)
def test_every_figure_fits_a_phone_and_is_told_in_words(theme: Theme) -> None:
    for figure in (
        moves_figure(MOVES, RUBRIC, theme),
        table_figure(TABLE, RUBRIC, judge="judge", other="people", theme=theme),
        rates_figure(RATES, RUBRIC, theme=theme),
        regions_figure(REGIONS, RUBRIC, theme=theme),
    ):
        assert_fits(figure)
        assert "<b>Tin" not in f"{figure.layout.title.text} {[trace.name for trace in figure.data]}"


def test_what_is_drawn_is_what_was_found() -> None:
    (moves,) = moves_figure(MOVES, RUBRIC, "light").data
    assert list(moves.x) == [5.0, -20.0]
    assert list(moves.marker.symbol) == ["circle", "square"]
    assert [row["Mean shift"] for row in move_rows(MOVES, RUBRIC)] == [5.0, -20.0, None]
    heat = table_figure(TABLE, RUBRIC, judge="judge", other="people", theme="light").data[0]
    assert (heat.z[5][3], heat.z[0][0], heat.z[1][1]) == (4, 2, 0)
    assert sum(int(row["Triples"] or 0) for row in table_rows(TABLE, "Judge", "People")) == 12
    bars = rates_figure(RATES, RUBRIC, theme="light").data
    assert [list(bar.y) for bar in bars] == [[50, 0, 0, 0, 0, 50], [100, 0, 0, 0, 0, 0]]
    assert len(rate_rows(RATES, RUBRIC)) == 12
    line = regions_figure(REGIONS, RUBRIC, theme="light").data[0]
    assert list(line.y) == [0, 100, 100]
    assert [(row["Accepted"], row["Publications"]) for row in region_rows(REGIONS)[:3]] == [(0, 1), (1, 1), (2, 2)]


def test_nothing_to_draw_says_why() -> None:
    empty = region_agreement([], [], cut=3)
    for figure in (
        moves_figure(MOVES[2:], RUBRIC, "dark"),
        rates_figure({"a": {}, "b": {}}, RUBRIC, theme="dark"),
        regions_figure({"Cosine": empty}, RUBRIC, theme="dark"),
    ):
        assert not figure.data
        assert figure.layout.annotations[0].text


def test_checks_are_told_by_a_word_and_explained() -> None:
    shown = belief_html(whether_to_believe(Findings(0, 5)), "light")
    assert shown.count("Not measured") == 8
    assert "No person graded" in shown
    assert all(len(help_of(metric_id)) > 40 for metric_id in (*TRUST_METRICS, "kappa"))
