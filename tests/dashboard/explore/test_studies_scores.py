"""Scores, thresholds and published numbers on the page Studies, and their figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.explore.studies import (
    RegionNumbers,
    ThresholdCurve,
    TopicScoreColumn,
    TopicScores,
    columns_of,
    correlate,
    study_thresholds,
)
from core.settings import EvaluationSettings
from dashboard import cache
from dashboard.explore import studies
from dashboard.explore.figures.studies import (
    OriginScores,
    PublishedComparison,
    beside_figure,
    correlations_figure,
    differences_figure,
    published_figure,
    score_bars_figure,
)
from dashboard.explore.figures.thresholds import costs_figure, threshold_curves_figure
from dashboard.explore.study_scores import reasons_for
from dashboard.jobs import JobCancelled
from dashboard.kit import components as look
from dashboard.kit.figures import RAMPS
from dashboard.kit.theme import COLOURS, THEMES
from data.explore.studies import make_scores, save_published_curves, save_published_scores
from data.explore.workspace import Workspace
from data.library.litqeval import read_published
from tests.dashboard.apps import files, messages, open_alone, settled
from tests.data.collections import write_workbook
from tests.data.explore.test_published import CURVE, HEAD, NUMBERS, POINTS, curve_lines
from tests.data.workspaces import MODEL, TOPIC, Version, fill, ids_of

ODD = "Tea <b>& $x$"
F_BETA = TopicScoreColumn("f_beta", "cluster")


def scored(topic: str, f_beta: float | None, *, degenerate: str | None = None) -> TopicScores:
    numbers = RegionNumbers("ok", 5, 0.5, 0.9, f_beta, degenerate) if f_beta is not None else RegionNumbers("no area")
    return TopicScores(topic, "v1", 10, 100, 5, 90, {"cluster": numbers})


A = OriginScores("Baseline", (scored("Nets", 0.2), scored(ODD, 0.4), scored("Zero", None)))
B = OriginScores("Review", (scored("Nets", 0.5), scored(ODD, 0.4, degenerate="the whole list"), scored("Zero", 0.1)))


def described(figure: Any) -> str:
    return str(figure.layout.meta["description"])


@pytest.mark.parametrize("theme", THEMES)
def test_bars_show_each_origin_undefined_as_a_dash_and_degenerate_hatched(theme):
    figure = score_bars_figure([A, B], F_BETA, beta=2.0, theme=theme)
    first, second = figure.data
    assert list(first.text) == ["0.200", "0.400", "–"]
    assert list(second.marker.pattern.shape) == ["", "/", ""]
    assert "no area" in first.customdata[2]
    assert [first.marker.color, second.marker.color] == [COLOURS[theme]["relevant"], COLOURS[theme]["second"]]
    assert "Nets: Baseline 0.200, Review 0.500" in described(figure)
    assert "<b>&" not in str(figure.layout.yaxis.ticktext)


def test_bars_of_a_number_that_nobody_has_say_why():
    figure = score_bars_figure([OriginScores("Baseline", (scored("Nets", None),))], F_BETA, beta=2.0, theme="light")
    assert not figure.data
    assert "no area" in figure.layout.annotations[0].text


def test_a_table_of_colours_keeps_its_room() -> None:
    figure = differences_figure(A, B, [F_BETA], beta=2.0, theme="light")
    assert figure.layout.meta["is_wide"]
    assert "st-key-wide-" in look._RULES


def test_differences_mark_what_is_undefined_or_says_nothing():
    figure = differences_figure(A, B, columns_of(("recall", "f_beta"), ("cluster",)), beta=2.0, theme="light")
    heat, words = figure.data
    assert list(words.text) == ["0", "+0.30", "0", "(0)", "0", "–"]
    assert np.isnan(heat.z[2][1])
    assert heat.zmin == -heat.zmax
    assert "the whole list" in words.customdata[3]
    assert "Review is higher" in figure.layout.title.subtitle.text


def _contrast(a: str, b: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_words_can_be_read_on_every_colour_of_a_table(theme):
    for ramp in RAMPS.values():
        assert min(_contrast(COLOURS[theme]["text"], step) for step in ramp[theme]) >= 4.5


def test_correlations_leave_few_topics_blank():
    rows = [scored(f"t{i}", i / 10) for i in range(5)]
    columns = columns_of(("recall", "f_beta"), ("cluster",))
    figure = correlations_figure(correlate(rows, columns), method="Spearman", about="x", beta=2.0, theme="dark")
    assert list(figure.data[1].text) == ["", "", "", "1.00"]
    assert "does not vary" in figure.data[1].customdata[1]
    few = correlations_figure(correlate(rows[:3], columns), method="Pearson", about="x", beta=2.0, theme="dark")
    assert set(few.data[1].text) == {""}
    assert "only 3 topics" in few.data[1].customdata[3]


def curve(topic: str, accepted: list[int], n_core: int = 8) -> ThresholdCurve:
    grid = np.array([0.2, 0.4, 0.6, 0.8])
    return ThresholdCurve(topic, grid, np.array([90, 40, 9, 0]), np.array(accepted), 100, 100, n_core)


def test_threshold_curves_show_each_topic_the_mean_and_the_bests():
    curves = [curve("a", [8, 8, 2, 0]), curve(ODD, [8, 8, 8, 0]), curve("none", [0, 0, 0, 0])]
    study = study_thresholds(curves, score="ours", settings=EvaluationSettings())
    figure = threshold_curves_figure(study, theme="light")
    *lines, mean, dots = figure.data
    assert [len(lines), mean.line.width] == [2, 3]
    assert "<b>a</b>" in lines[0].hovertemplate
    assert "&lt;b&gt;" in lines[1].hovertemplate
    np.testing.assert_allclose(dots.x, [t.best_threshold for t in study.counted])
    assert f"{study.mean_of_best:.5f}" in figure.layout.title.text
    costs = study.costs(study.single)
    bars = costs_figure(costs, study.single, theme="dark")
    assert list(bars.data[0].x) == sorted(cost.cost for cost in costs)
    assert "-0.000" not in bars.data[0].text


def test_no_curve_and_no_cost_say_so():
    study = study_thresholds([curve("none", [0, 0, 0, 0])], score="source", settings=EvaluationSettings())
    assert "no curve" in threshold_curves_figure(study, theme="light").layout.annotations[0].text
    assert "no topic" in costs_figure((), 0.69, theme="light").layout.annotations[0].text


def test_published_beside_ours_leaves_out_what_is_undefined_here():
    pairs = [
        PublishedComparison("Tea, slr", "hull", 0.4, 0.6),
        PublishedComparison("Tea, slr", "cluster", 0.3, None, "no core was found"),
    ]
    figure = beside_figure(pairs, metric="F2", theme="light")
    published = [trace.x for trace in figure.data if trace.mode == "markers" and trace.showlegend is False]
    assert [list(x) for x in published] == [[0.3], [0.4]]
    assert "no core was found" in str(figure.data[1].customdata)
    assert "ours undefined" in described(figure)
    values = {"Tea": {("recall", None): 0.5, ("f_beta", "hull"): -0.2}}
    table = published_figure(values, ("hull",), title="t", subtitle="s", scale="difference", theme="light")
    assert list(table.data[1].text) == ["+0.50", "–", "−0.20"]


# On the page


def open_part(study: str, **link: str) -> AppTest:
    return settled(open_alone("explore/studies_page.py", study=study, **link))


def words(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "") + messages(app)


def rows_named(app: AppTest, name: str) -> list[dict[str, Any]]:
    """The rows of a figure's table, by the name of its files."""
    document = files(app, name)
    return [dict(zip(document["columns"], row, strict=True)) for row in document["rows"]]


def test_scores_of_two_origins_are_those_of_evaluate(root: Path) -> None:
    fill(root)
    app = open_part("Scores", first="Baseline", second="Review")
    rows = {row["Origin"]: row for row in rows_named(app, "scores-recall")}
    for origin, label in (("Baseline", "baseline"), ("Review", "review")):
        expected = cache.workspace().evaluate(TOPIC, label, embedder=MODEL)
        assert rows[origin]["Core recall"] == expected.recall
        assert rows[origin]["F2 (with decay), cosine"] == expected.regions["cosine"].f_beta
    (moved,) = rows_named(app, "score-differences")
    assert moved["Core recall"] == rows["Review"]["Core recall"] - rows["Baseline"]["Core recall"]
    said = words(app)
    assert "need at least 4 topics; there is 1 here" in said
    assert "Fewer than 10 core publications" in said


def test_a_study_that_is_cancelled_stays_so_when_a_part_of_it_is_done(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root)

    def make_one(workspace: Workspace, wanted: Any, settings: EvaluationSettings, **_: Any) -> None:
        make_scores(workspace, wanted[:1], settings)
        raise JobCancelled

    monkeypatch.setattr(studies, "make_scores", make_one)
    app = open_part("Scores", first="Baseline", second="Review")
    assert "Stopped." in messages(app)
    assert [button.label for button in app.button] == ["Restart"]


def test_scores_without_vectors_show_recall_and_say_so(root: Path) -> None:
    fill(root, models=())
    app = open_part("Scores", first="Baseline", second="Review")
    assert "Without vectors, only recall" in messages(app)
    assert [row["Core recall"] for row in rows_named(app, "scores-recall")] == [5 / 8, 1.0]


def test_scores_name_the_topics_that_lack_an_origin(root: Path) -> None:
    fill(root, models=())
    with Workspace.open(root) as workspace, workspace.store.transaction():
        workspace.save_topic("Nets", ids_of(20, 23), [Version("v", 1, ids_of(18, 40), "baseline")])
    app = open_part("Scores", first="Baseline", second="Review")
    assert "origin review: Nets" in words(app)
    alone = open_part("Scores", first="Baseline", second="Baseline", topics="Nets")
    assert "Nets (3)" in messages(alone)
    assert len(rows_named(alone, "scores-recall")) == 1


def test_scores_of_nothing_that_was_run_say_so(root: Path) -> None:
    fill(root, versions=())
    assert "No version" in messages(open_part("Scores"))


def test_thresholds_of_one_topic_of_our_own(root: Path) -> None:
    fill(root)
    app = open_part("Thresholds", score="F2 with decay", origin="Review")
    (best,) = [row for row in rows_named(app, "threshold-curves-own-ours") if row["Best"]]
    (cost,) = rows_named(app, "threshold-costs")
    assert (cost["Best threshold"], cost["Cost"]) == (best["Threshold"], 0)
    assert "only one topic" in words(app)


def test_thresholds_without_vectors_say_what_to_do(root: Path) -> None:
    fill(root, models=())
    assert "need vectors" in messages(open_part("Thresholds"))


def fill_published(root: Path) -> None:
    """Published numbers of the one topic, for its baseline and its review."""
    fill(root)
    rows = [HEAD, ["Predicted", "tea", 0.9, *NUMBERS], ["Baseline", TOPIC, 0.6, *NUMBERS]]
    for name in ("results.xlsx", "slr_results.xlsx"):
        write_workbook(root / name, rows)
    (root / "published_threshold_curves.csv").write_text(CURVE + curve_lines(TOPIC, POINTS), "utf-8")
    numbers = read_published(root, [TOPIC])
    with Workspace.open(root) as workspace, workspace.store.transaction():
        save_published_scores(workspace.store, numbers.scores)
        save_published_curves(workspace.store, numbers.curves)


def test_published_numbers_stand_beside_our_own(root: Path) -> None:
    fill_published(root)
    app = open_part("Published")
    rows = {row["Region"]: row for row in rows_named(app, "published-beside-ours")}
    expected = cache.workspace().evaluate(TOPIC, "baseline", embedder=MODEL)
    assert rows["Cosine"]["F2, published"] == 0.4
    assert rows["Cosine"]["F2, ours"] == expected.regions["cosine"].f_beta
    assert (rows["Cosine"]["Recall, published"], rows["Cosine"]["Recall, ours"]) == (0.6, 0.625)
    assert any("text-embedding-3-small" in text.value.replace("\\", "") for text in app.markdown)
    assert rows["Cosine"]["Search"] == "Baseline"
    assert len(rows_named(app, "published-scores")) == 8


def test_reasons_name_the_model_only_where_it_is_another() -> None:
    assert "of other vectors" in reasons_for("MiniLM")["Every region"]
    assert "same model" in reasons_for("text-embedding-3-small")["Every region"]
    assert set(reasons_for("MiniLM")) == set(reasons_for("text-embedding-3-small"))


def test_published_curves_come_first_where_there_are_any(root: Path) -> None:
    fill_published(root)
    app = open_part("Thresholds")
    assert len(rows_named(app, "threshold-curves-published-source")) == 3


def test_without_published_numbers_the_page_says_how_to_load_them(root: Path) -> None:
    fill(root)
    app = open_part("Published")
    assert "results.xlsx" in messages(app)
    assert [code.value for code in app.code] == ["queryscape get litqeval --from FOLDER"]
