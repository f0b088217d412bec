"""What each lab shows: its numbers against the formula, its charts within their axes, its links kept within bounds."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.evaluate import evaluate_scene
from core.explore.labs import MADE_UP, LabTopic, made_up_scene
from core.explore.scene import Scene
from core.metrics import best_size, decay, f_beta
from core.settings import EvaluationSettings
from core.types import CoreSet, EmbeddedSet, RetrievedSet
from dashboard.explore.labs import decay as decay_lab
from dashboard.explore.labs import f_beta as f_beta_lab
from dashboard.explore.labs import sensitivity as sensitivity_lab
from dashboard.explore.labs import threshold as threshold_lab
from dashboard.explore.labs.bench import Axis, Lab, LabChoice, Slider, read_values
from dashboard.explore.labs.controls import score
from tests.dashboard.explore.benches import (
    MATERIAL,
    anywhere,
    bench_of,
    chart_of,
    each_lab,
    holds,
    line_of,
    number_of,
)


@each_lab
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_whatever_the_controls_say_there_is_a_bench(lab: Lab, data: st.DataObject) -> None:
    bench = lab.bench(MATERIAL.get(lab.id), data.draw(anywhere(lab)))
    json.dumps(asdict(bench), allow_nan=False)
    assert bench.sentence.endswith(".")
    assert all(len(row) == len(bench.columns) for row in bench.rows)
    assert len({chart.id for chart in bench.charts}) == len(bench.charts)
    for chart in bench.charts:
        assert chart.title
        assert len(chart.description) > 40
        for series in chart.series:
            assert len(series.x) == len(series.y)
            assert holds(chart.y, series.y), (chart.id, series.label)
        if chart.cells:
            assert chart.cells.low <= min(v for row in chart.cells.values for v in row if v is not None)
            assert chart.cells.high >= max(v for row in chart.cells.values for v in row if v is not None)


@each_lab
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_line_that_can_be_dragged_lies_where_its_slider_is(lab: Lab, data: st.DataObject) -> None:
    values = data.draw(anywhere(lab))
    sliders = {control.name for control in lab.controls(None) if isinstance(control, Slider)}
    for chart in lab.bench(MATERIAL.get(lab.id), values).charts:
        dragged = [mark for mark in chart.marks if mark.control]
        assert len({(mark.axis, mark.control) for mark in dragged}) == len(dragged)
        for mark in dragged:
            assert mark.control in sliders
            assert mark.at == pytest.approx(values[mark.control], abs=0.5 if mark.control == "n_relevant" else 1e-9)


@each_lab
def test_same_values_same_bench(lab: Lab) -> None:
    assert bench_of(lab) == bench_of(lab)


@each_lab
def test_what_a_link_asks_beyond_bounds_is_kept_within(lab: Lab) -> None:
    controls = lab.controls(None)
    sent = dict.fromkeys((control.name for control in controls), "1e999")
    values = read_values(controls, sent)
    for control in controls:
        assert values[control.name] == (control.value if isinstance(control, LabChoice) else control.max)
    nonsense = read_values(controls, dict.fromkeys(sent, "<b>nan"))
    assert nonsense == read_values(controls, {})
    assert lab.bench(MATERIAL.get(lab.id), values).sentence


@each_lab
def test_words(lab: Lab) -> None:
    assert len(lab.explanation.splitlines()) == 2
    assert lab.title
    for control in lab.controls(None):
        assert control.label
        assert control.help.endswith(".")


@each_lab
def test_the_first_slider_changes_a_number(lab: Lab) -> None:
    first = next(control for control in lab.controls(None) if not isinstance(control, LabChoice))
    before, after = bench_of(lab), bench_of(lab, **{first.name: first.min + 0.8 * (first.max - first.min)})
    assert [n.value for n in before.numbers] != [n.value for n in after.numbers]


# Decay


def test_decay_by_default() -> None:
    bench = bench_of(decay_lab.LAB)
    assert number_of(bench, "Best size n*") == "7,874.5"
    assert number_of(bench, "Published formula at 100,000") == "417.6"
    assert bench.sentence.startswith("Whatever the topic")
    assert "7,874.5" in bench.sentence
    table = {row[0]: row[1] for row in bench.rows}
    reference = {1_000: 0.972073, 5_000: 0.725180, 10_000: 0.391807, 17_573: 0.096667, 20_000: 0.054114}
    assert {size: table[size] for size in (*reference, 30_000)} == {**reference, 30_000: 0.001930}


@settings(max_examples=20, deadline=None)
@given(st.floats(500, 5e5), st.floats(0.2, 6), st.floats(0.5, 60), st.sampled_from(["linear", "log"]))
def test_decay_lines_are_the_formula(limit: float, onset: float, steepness: float, axis: str) -> None:
    bench = bench_of(decay_lab.LAB, decay_limit=limit, decay_onset=onset, decay_steepness=steepness, axis=axis)
    curve = {"limit": limit, "onset": onset, "steepness": steepness}
    for n, value in line_of(bench, "decay", "Decay")[::13]:
        assert value == pytest.approx(decay(int(n), **curve), abs=1e-6)
    for n, value in line_of(bench, "f_beta", "F2 at recall 1")[::13]:
        assert value == pytest.approx(f_beta(n / 40_000 * decay(int(n), **curve), 1.0, beta=2), abs=1e-6)
    assert chart_of(bench, "decay").marks[0].at == best_size(**curve)


def test_decay_of_a_list_shorter_than_the_best_size() -> None:
    bench = bench_of(decay_lab.LAB, n_retrieved=2_000)
    assert "only 2,000 were retrieved" in bench.sentence
    assert line_of(bench, "f_beta", "Highest")[0][0] == 2_000


def test_published_decay_that_has_no_value_is_a_dash() -> None:
    assert number_of(bench_of(decay_lab.LAB, decay_steepness=2.5), "Published formula at 100,000") == "–"


# F-beta


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_f_beta_panels_pass_through_the_formula(data: st.DataObject) -> None:
    values = data.draw(anywhere(f_beta_lab.LAB))
    bench = f_beta_lab.LAB.bench(None, values)
    recall, precision, n = float(values["recall"]), float(values["precision"]), round(float(values["n_relevant"]))
    beta = float(values["beta"])
    curve = {name: float(values[f"decay_{name}"]) for name in ("limit", "onset", "steepness")}
    price = decay(n, **curve)
    expected = f_beta(precision * price, recall, beta=beta)
    assert number_of(bench, f"F{beta:.3g} (with decay)") == score(expected)
    for chart_id, at in (("recall", recall), ("precision", precision), ("size", n), ("beta", beta)):
        assert line_of(bench, chart_id, "Now") == [(at, pytest.approx(expected))]
    label = f"F{beta:.3g} (set)"
    for r, value in line_of(bench, "recall", label)[::31]:
        assert value == pytest.approx(f_beta(precision * price, r, beta=beta), abs=1e-5)
    for p, value in line_of(bench, "precision", label)[::31]:
        assert value == pytest.approx(f_beta(p * price, recall, beta=beta), abs=1e-5)
    for size, value in line_of(bench, "size", label)[::31]:
        assert value == pytest.approx(f_beta(precision * decay(int(size), **curve), recall, beta=beta), abs=1e-5)
    for b, value in line_of(bench, "beta", "F-beta")[::31]:
        assert value == pytest.approx(f_beta(precision * price, recall, beta=b), abs=1e-5)


@pytest.mark.parametrize(
    ("sent", "why"),
    [({"recall": 0}, "recall is 0"), ({"precision": 0}, "precision is 0"), ({"decay_limit": 500}, "decay limit")],
)
def test_f_beta_at_its_limits_is_0_and_says_why(sent: dict[str, float], why: str) -> None:
    bench = bench_of(f_beta_lab.LAB, **sent)
    assert number_of(bench, "F2 (with decay)") == "0.000"
    assert why in bench.sentence


def test_f_beta_of_recall_and_precision_1() -> None:
    assert number_of(bench_of(f_beta_lab.LAB, recall=1, precision=1, n_relevant=0), "F2 (with decay)") == "1.000"


# The similarity threshold


@settings(max_examples=25, deadline=None)
@given(st.floats(-1, 1), st.floats(0.25, 8), st.floats(500, 5e5))
def test_threshold_counts_what_an_evaluation_counts(at: float, beta: float, limit: float) -> None:
    bench = bench_of(threshold_lab.LAB, min_similarity=at, beta=beta, decay_limit=limit, times=1)
    of = EvaluationSettings(cosine_mode="fixed", min_similarity=at, beta=beta, decay_limit=limit)
    scene = made_up_scene()
    evaluation = evaluate_scene(scene, topic_id="t", query_id="q", settings=of, regions=("cosine",))
    scores = evaluation.regions["cosine"]
    assert number_of(bench, "Relevant") == f"{scores.n_relevant} of {len(scene.retrieved)}"
    accepted_core = f"{len(scores.accepted_core_ids)} of {len(scene.core_ids)} ({score(scores.recall_used)})"
    assert number_of(bench, "Core accepted") == accepted_core
    assert number_of(bench, "Semantic precision") == score(scores.semantic_precision)
    assert number_of(bench, f"F{beta:.3g} (with decay)") == score(scores.f_beta)
    accepted = sum(y for _, y in line_of(bench, "publications", "Relevant"))
    assert accepted == scores.n_relevant
    assert sum(y for _, y in line_of(bench, "publications", "Not relevant")) == len(scene.retrieved)
    assert line_of(bench, "gain", "Now") == [(scores.n_relevant, len(scores.accepted_core_ids))]
    assert len(line_of(bench, "publications", "Core accepted")) == len(scores.accepted_core_ids)


def test_threshold_is_best_where_its_mark_is() -> None:
    bench = bench_of(threshold_lab.LAB)
    best = next(mark.at for mark in chart_of(bench, "curves").marks if mark.label.startswith("best"))
    line = line_of(bench, "curves", "F2 (with decay)")
    top = max(value for _, value in line)
    assert min(abs(x - best) for x, value in line if value == top) < 1e-5


class OneTopic:
    """A workspace with one version, which can go."""

    def __init__(self, topic: LabTopic | None) -> None:
        self._topic = topic

    def options(self) -> tuple[tuple[str, str], ...]:
        return (("mine", "My topic"),)

    def topic(self, value: str) -> LabTopic | None:
        return self._topic


@pytest.mark.parametrize("lab", [threshold_lab.LAB, sensitivity_lab.LAB], ids=lambda lab: lab.id)
def test_topic_can_be_chosen_and_can_go(lab: Lab) -> None:
    other = OneTopic(LabTopic.of("mine", made_up_scene(seed=5)))
    (choice,) = [control for control in lab.controls(other) if control.name == "topic"]
    assert isinstance(choice, LabChoice)
    assert choice.options == (("made-up", MADE_UP), ("mine", "My topic"))
    chosen = bench_of(lab, other, topic="mine")
    assert chosen != bench_of(lab, other)
    assert chosen == bench_of(lab, other, topic="mine", times=7)
    assert bench_of(lab, OneTopic(None), topic="mine") == bench_of(lab)


def empty_topic() -> LabTopic:
    core = EmbeddedSet(("a", "b"), np.eye(3, dtype=np.float32)[:2], "toy")
    return LabTopic.of("empty", Scene.of(RetrievedSet.of("q", ()), CoreSet("t", ("a", "b")), core))


def no_core_found() -> LabTopic:
    embedded = EmbeddedSet(("a", "b", "c"), np.eye(3, dtype=np.float32), "toy")
    return LabTopic.of("none", Scene.of(RetrievedSet.of("q", ("c",)), CoreSet("t", ("a", "b")), embedded))


@pytest.mark.parametrize("lab", [threshold_lab.LAB, sensitivity_lab.LAB], ids=lambda lab: lab.id)
@pytest.mark.parametrize("topic", [empty_topic(), no_core_found()], ids=lambda topic: topic.name)
def test_degenerate_topics_have_a_bench(lab: Lab, topic: LabTopic) -> None:
    bench = bench_of(lab, OneTopic(topic), topic="mine")
    json.dumps(asdict(bench), allow_nan=False)
    assert bench.sentence.endswith(".")


def test_threshold_says_that_nothing_was_retrieved_or_found() -> None:
    nothing = bench_of(threshold_lab.LAB, OneTopic(empty_topic()), topic="mine")
    assert "Nothing" in nothing.sentence
    assert number_of(nothing, "F2 (with decay)") == "–"
    found_none = bench_of(threshold_lab.LAB, OneTopic(no_core_found()), topic="mine")
    assert "no core publication" in found_none.sentence


# Sensitivity


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_cells_are_single_evaluations(data: st.DataObject) -> None:
    values = data.draw(anywhere(sensitivity_lab.LAB)) | {"times": 1.0}
    bench = sensitivity_lab.LAB.bench(None, values)
    chart = chart_of(bench, "map")
    assert chart.cells is not None
    assert (len(chart.cells.values), len(chart.cells.values[0])) == (40, 40)
    row, column = data.draw(st.integers(0, 39)), data.draw(st.integers(0, 39))
    x, y = values["x"], values["y"]
    if x == y:
        y = "decay_onset" if x == "decay_limit" else y
    if x != y:
        at = {x: middle(chart.x, column), y: middle(chart.y, row)}
        names = ("decay_limit", "decay_onset", "decay_steepness", "beta", "min_similarity")
        of = EvaluationSettings(cosine_mode="fixed", **{n: float(at.get(n, values[n])) for n in names})
        scene = made_up_scene()
        scores = evaluate_scene(scene, topic_id="t", query_id="q", settings=of, regions=("cosine",)).regions["cosine"]
        assert chart.cells.values[row][column] == pytest.approx(scores.f_beta, abs=1e-5)


def middle(axis: Axis, cell: int) -> float:
    t = (cell + 0.5) / 40
    return axis.min * (axis.max / axis.min) ** t if axis.scale == "log" else axis.min + t * (axis.max - axis.min)


def test_map_marks_what_is_set_and_what_is_best() -> None:
    bench = bench_of(sensitivity_lab.LAB, x="decay_limit", y="beta", decay_limit=500, beta=8)
    chart = chart_of(bench, "map")
    assert chart.cells is not None
    assert chart.cells.at == (0, 40)
    top = max(value for row in chart.cells.values for value in row if value is not None)
    assert bench.numbers[1].value == score(top)
    (best,) = line_of(bench, "map", "Best cell")
    row, column = next((r, c) for r, line in enumerate(chart.cells.values) for c, v in enumerate(line) if v == top)
    assert best == (pytest.approx(middle(chart.x, column)), pytest.approx(middle(chart.y, row)))


def test_the_same_parameter_twice_takes_the_next_one() -> None:
    chart = chart_of(bench_of(sensitivity_lab.LAB, x="beta", y="beta"), "map")
    assert (chart.x.label, chart.y.label) == ("Beta", "Similarity threshold")


def test_sentence_says_what_matters_more() -> None:
    sentence = bench_of(sensitivity_lab.LAB, x="min_similarity", y="decay_onset").sentence
    first, second = (float(word) for word in sentence.replace(",", "").split() if word.replace(".", "").isdigit())
    assert first >= second
    assert "similarity thresholds" in sentence


def test_beta_of_a_link_reaches_the_bench() -> None:
    assert "F0.5" in bench_of(threshold_lab.LAB, beta=0.5).sentence


def test_f_beta_says_what_is_left_to_grow() -> None:
    assert "recall can't grow" in bench_of(f_beta_lab.LAB, recall=1).sentence
    nearly = bench_of(f_beta_lab.LAB, precision=0.96).sentence
    more = f_beta(decay(3000, limit=50_000, onset=1.5, steepness=10), 0.6, beta=2)
    less = f_beta(0.96 * decay(3000, limit=50_000, onset=1.5, steepness=10), 0.6, beta=2)
    assert f"0.04 more precision would add {score(more - less)}" in nearly


def test_counted_numbers_are_whole() -> None:
    controls = f_beta_lab.LAB.controls(None)
    assert read_values(controls, {"n_relevant": 3_026.2})["n_relevant"] == 3_050
    assert read_values(controls, {"n_relevant": 59_999})["n_relevant"] == 60_000
    assert read_values(controls, {"recall": 0.123})["recall"] == 0.123
