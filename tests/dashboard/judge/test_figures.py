"""Pictures of judged runs: what is drawn is what was counted, and what has no grade is seen."""

from __future__ import annotations

from dataclasses import replace

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.judge.confidence import calibration
from core.judge.judgments import TripleVerdict
from core.judge.scores import JudgeScores, engine_scores
from dashboard.judge.figures import (
    agreement_figure,
    confidence_rows,
    difference_rows,
    differences_figure,
    dimension_figure,
    dimension_rows,
    grade_colours,
    ink_on,
    level_rows,
    levels_figure,
    pair_names,
    rank_rows,
    ranks_figure,
    spread_figure,
)
from dashboard.judge.results import count_rows, counted_in, graded_at
from dashboard.kit.theme import THEMES, Theme
from tests.core.judge.runs_judged import RUBRIC, Said, judged_run, overruled
from tests.dashboard.figures import LONG, NASTY, assert_fits, assert_no_markup

SAID: dict[str, dict[str, list[Said]]] = {
    NASTY: {f"q{n}": [n % 3, "refused"] for n in range(12)},
    LONG: {f"q{n}": [n % 3 + 3, n % 2] for n in range(12)},
    "third": {f"q{n}": [2, "http_error", 1] for n in range(2)},
}
SAYINGS: st.SearchStrategy[Said] = st.sampled_from([0, 2, 5, "refused", "http_error", "no_abstract", None])
LABELS = {f"q{n}": [("kind", NASTY if n < 10 else "few")] for n in range(12)}
FIELD, JUDGED = judged_run(SAID, LABELS)
SCORES = engine_scores(FIELD, JUDGED, RUBRIC)
ENGINES = [each.engine for each in SCORES.engines]
CHECKED = [
    overruled(replace(each, verdict=TripleVerdict("ok", each.points or 0, 8 if place % 2 else 5)), 3)
    for place, each in enumerate(JUDGED)
]
CALIBRATED = calibration(CHECKED, RUBRIC)
EMPTY = engine_scores(*judged_run({"a": {"q1": ["refused"]}, "b": {"q1": [None]}}, {"q1": [("kind", "x")]}), RUBRIC)


def drawn(theme: Theme, scores: JudgeScores = SCORES) -> dict[str, go.Figure]:
    engines = [each.engine for each in scores.engines]
    kinds = scores.dimensions["kind"]
    return {
        "kinds": dimension_figure(kinds, engines, dimension="kind", rubric=RUBRIC, theme=theme),
        "levels": levels_figure(scores.engines, RUBRIC, cut=3, theme=theme),
        "ranks": ranks_figure(scores.ranks, rubric=RUBRIC, theme=theme),
        "differences": differences_figure(pair_names(scores.comparisons), rubric=RUBRIC, theme=theme),
        "agreement": agreement_figure(CALIBRATED, theme=theme),
        "spread": spread_figure(CALIBRATED, RUBRIC, theme=theme),
    }


@pytest.mark.parametrize("theme", THEMES)
def test_every_figure_fits_a_phone_and_is_told_in_words(theme: Theme) -> None:
    for name, figure in drawn(theme).items():
        assert_fits(figure, name)
        assert figure.layout.xaxis.title.text
        assert figure.data, name


def test_user_text_is_no_markup() -> None:
    for name, figure in drawn("light").items():
        assert_no_markup(figure, name)


def test_nothing_graded_says_why() -> None:
    for name, figure in drawn("dark", EMPTY).items():
        if name in ("kinds", "ranks", "differences"):
            assert not figure.data, name
            assert len(figure.layout.annotations) == 1
    assert len(agreement_figure(calibration([], RUBRIC), theme="dark").layout.annotations) == 1
    assert len(spread_figure(calibration([], RUBRIC), RUBRIC, theme="dark").layout.annotations) == 1


def test_a_group_of_few_queries_is_hollow_and_never_the_title() -> None:
    figure = drawn("light")["kinds"]
    first = figure.data[0]
    assert list(first.marker.symbol) == ["circle", "circle-open"]
    assert list(first.x) == [SCORES.dimensions["kind"][kind][NASTY].mean.value for kind in (NASTY, "few")]
    assert figure.layout.title.text.startswith("Widest gap: &lt;b&gt;")
    rows = dimension_rows(SCORES.dimensions["kind"], "kind")
    assert [row["Says little"] for row in rows if row["Engine"] == NASTY] == ["", "under 10 queries"]
    assert {row["Graded"] for row in rows if row["Engine"] == NASTY} == {0.5}


def test_bars_hold_all_publications_and_what_has_no_grade_is_a_piece_of_its_own() -> None:
    figure = drawn("light")["levels"]
    assert [trace.name for trace in figure.data] == ["5", "4", "3", "2", "1", "0", "no grade"]
    for place in range(len(ENGINES)):
        assert sum(trace.x[place] for trace in figure.data) == pytest.approx(100)
    assert list(figure.data[-1].x) == pytest.approx([50, 0, 100 / 3])
    rows = [row for row in level_rows(SCORES.engines, RUBRIC) if row["Engine"] == "third"]
    assert sum(int(row["Publications"] or 0) for row in rows) == 6
    assert rows[-1]["Meaning"] == "no grade: the service failed"


@pytest.mark.parametrize("judge_alone", [True, False])
@settings(max_examples=15)
@given(
    st.dictionaries(
        st.sampled_from(["a", "b", NASTY]),
        st.dictionaries(st.sampled_from(["q1", "q2"]), st.lists(SAYINGS, min_size=1, max_size=4), min_size=1),
        min_size=1,
    ),
    st.sets(st.integers(0, 5)),
)
def test_every_count_of_grades_leads_to_as_many_judgments(
    judge_alone: bool, said: dict[str, dict[str, list[Said]]], of_people: set[int]
) -> None:
    field, judged = judged_run(said)
    judged = tuple(overruled(each, 3) if place in of_people else each for place, each in enumerate(judged))
    scores = engine_scores(field, judged, RUBRIC, judge_alone=judge_alone)
    for row in count_rows(scores):
        counts = [(column, n) for column, n in row.items() if column != "Engine"]
        assert counts == [(column, len(counted_in(judged, scores, str(row["Engine"]), column))) for column, _ in counts]
    for row in level_rows(scores.engines, RUBRIC):
        counted = row["Meaning"] if row["Grade"] is None else row["Grade"]
        assert len(counted_in(judged, scores, str(row["Engine"]), str(counted))) == row["Publications"]
    for trace in levels_figure(scores.engines, RUBRIC, cut=3, theme="light").data:
        for place, share in zip(trace.y, trace.x, strict=True):
            engine = scores.engines[place]
            listed = counted_in(judged, scores, engine.engine, trace.name)
            assert len(listed) == pytest.approx(share * engine.n / 100)


def test_every_bar_of_confidence_leads_to_as_many_triples() -> None:
    for trace in spread_figure(CALIBRATED, RUBRIC, theme="light").data:
        for confidence, n in zip(trace.x, trace.y, strict=True):
            assert len(graded_at(CHECKED, confidence, int(trace.name))) == n
    for found in CALIBRATED.bins:
        assert len(graded_at(CHECKED, found.confidence, None)) == found.n


def test_lines_are_the_means_at_each_rank() -> None:
    figure = drawn("light")["ranks"]
    assert list(figure.data[1].y) == [SCORES.ranks[LONG][rank].mean.value for rank in (1, 2)]
    assert figure.layout.title.text.endswith(": later ranks 70.0 lower")
    assert [row["Graded"] for row in rank_rows(SCORES.ranks) if row["Engine"] == NASTY] == [1, 0]


def test_differences_are_filled_where_they_are_clear() -> None:
    figure = drawn("light")["differences"]
    clear = [c.is_clear for c in SCORES.comparisons]
    assert True in clear
    assert False in clear
    assert [symbol == "circle" for symbol in figure.data[0].marker.symbol] == clear
    assert list(figure.data[0].x) == [abs(c.difference or 0) for c in SCORES.comparisons]
    rows = difference_rows(pair_names(SCORES.comparisons))
    for row, c in zip(rows, SCORES.comparisons, strict=True):
        ends = [row["From"], row["To"]]
        assert c.interval is not None
        if (c.difference or 0) < 0:
            assert (row["First"], row["Second"], ends) == (c.b, c.a, [-c.interval.high, -c.interval.low])
        else:
            assert (row["First"], row["Second"], ends) == (c.a, c.b, list(c.interval))
    assert {(c.difference or 0) < 0 for c in SCORES.comparisons} == {True, False}


def test_confidence_is_held_against_people_and_spread() -> None:
    agreed, spread = drawn("light")["agreement"], drawn("light")["spread"]
    assert list(agreed.data[0].x) == [5, 8]
    assert list(agreed.data[0].y) == [100 * (each.share_same or 0) for each in CALIBRATED.bins]
    assert sum(sum(trace.y) for trace in spread.data) == CALIBRATED.n
    assert [row["Confidence"] for row in confidence_rows(CALIBRATED, RUBRIC)] == [5, 8]


@pytest.mark.parametrize("theme", THEMES)
def test_every_grade_has_its_colour_and_its_number_is_read_on_it(theme: Theme) -> None:
    colours = grade_colours(RUBRIC, theme)
    assert len(set(colours.values())) == len(RUBRIC.points)

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in colours.values():
        low, high = sorted((light(colour), light(ink_on(colour))))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


def test_few_queries_make_no_title() -> None:
    few = engine_scores(*judged_run({"a": {"q1": [5, 4, 0, 0]}}), RUBRIC)
    assert ranks_figure(few.ranks, rubric=RUBRIC, theme="light").layout.title.text.startswith("Mean grade")
