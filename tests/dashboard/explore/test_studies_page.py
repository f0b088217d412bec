"""The page Studies without a browser: core publications, together, surveys; what is chosen stands in the link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.explore.studies import SURVEY_KINDS, CorePublication, SurveyKind, TopicCore, facts_by_kind, facts_of, purity
from core.query.dialects import DIALECTS
from core.types import Publication
from dashboard import cache
from dashboard.explore.figures.core_sets import (
    SIGNS,
    CorePoints,
    bars_in_order,
    citations_figure,
    cited_by_kind,
    confusion_figure,
    core_counts_figure,
    of_year,
    purity_figure,
    spread_of,
    together_figure,
    year_histogram_figure,
    years_figure,
)
from dashboard.explore.studies_page import FACTS, cluster_group, fact_group
from dashboard.kit.theme import THEMES, Theme
from data.explore.core_sets import known_together
from data.explore.studies import core_sets, set_survey_kind
from data.explore.workspace import Workspace
from tests.dashboard.apps import messages, open_page, ran, settled
from tests.data.workspaces import ids_of, publications, toy_vectors, write_npz

ODD = "*Odd* <img src=x onerror=alert(1)> $x$ :material/lock:"
TOPICS = {"Nets": ids_of(20, 30), "Tea": (*ids_of(0, 9), "p20"), ODD: ids_of(10, 15)}


def fill_three(root: Path) -> None:
    """Three topics with one model; the first and the second share a publication."""
    with Workspace.open(root) as workspace:
        with workspace.store.transaction():
            survey = Publication("s1", f"A bibliometric {ODD}", year=2031, times_cited=3)
            workspace.store.save_publications([*publications(), survey])
            for topic_id, core_ids in TOPICS.items():
                workspace.save_topic(topic_id, core_ids, (), survey_id="s1" if topic_id == "Tea" else None)
        workspace.add_vectors(write_npz(root / "toy.npz", ids_of(0, 40), toy_vectors(ids_of(0, 40))), "toy")
        set_survey_kind(workspace, "Tea", "bibliometric")


def open_studies(study: str, **link: str) -> AppTest:
    return settled(open_page("explore/studies_page.py", study=study, **link))


def facts(app: AppTest) -> dict[str, str]:
    """The column of all topics."""
    table = app.dataframe[0].value
    return dict(zip(table.iloc[:, 0], table["All"], strict=True))


def test_facts_are_those_of_the_chosen_topics(root: Path) -> None:
    fill_three(root)
    app = open_studies("Core publications")
    assert list(facts(app).values())[:4] == ["3", "25", "24", "1"]
    app.multiselect(key="topics").set_value(["Nets"]).run()
    assert list(facts(app).values())[:4] == ["1", "10", "10", "0"]
    assert app.query_params["topics"] == "Nets"


def test_the_choice_of_topics_holds_in_every_part_and_comes_from_the_link(root: Path) -> None:
    fill_three(root)
    app = open_studies("Core publications", topics="Tea")
    assert facts(app)["Topics"] == "1"
    app.segmented_control(key="study").set_value("Find surveys").run()
    assert app.multiselect(key="topics").value == ["Tea"]


def test_a_kind_that_is_said_by_hand_is_kept(root: Path) -> None:
    fill_three(root)
    app = open_studies("Core publications")
    app.selectbox(key="kind_topic").set_value("Nets").run()
    ran(app.selectbox(key="kind-Nets-None").set_value("systematic review"))
    kinds = {topic.topic_id: topic.survey_kind for topic in core_sets(cache.workspace())}
    assert kinds == {"Nets": "systematic review", "Tea": "bibliometric", ODD: None}
    again = open_studies("Core publications")
    assert "Systematic review" in again.dataframe[0].value.columns


def test_together_works_it_out_and_counts_what_is_shared_once(root: Path) -> None:
    fill_three(root)
    app = open_studies("Together", picture="PCA", topics="Tea")
    assert "two or more" in messages(app)
    settled(app.multiselect(key="topics").set_value([]).run())
    shown = {metric.label: metric.value for metric in app.metric}
    assert list(shown) == ["Purity, vectors", "Purity, PCA", "Adjusted Rand index", "Mutual information"]
    assert all(0 <= float(value) <= 1 for value in shown.values())
    assert any("drawn once" in caption.value for caption in app.caption)
    assert [len(table.value) for table in app.dataframe] == [24, 3, 3]
    topics = tuple(topic for topic in core_sets(cache.workspace()) if len(topic))
    known = known_together(cache.workspace(), topics, str(app.selectbox(key="space").value), "pca")
    assert known.purity is not None
    for topic, counts in enumerate(known.purity.counts):
        groups = [cluster_group(known, topic, cluster) for cluster in range(len(counts))]
        assert [len(group) for group in groups if group is not None] == counts.tolist()


def test_together_with_lsa_is_fitted_in_the_background(root: Path) -> None:
    fill_three(root)
    app = open_studies("Together", picture="PCA", space="lsa")
    assert app.metric[0].value == "–"
    settled(app)
    assert app.metric[0].value != "–"
    assert any("fitted over" in caption.value for caption in app.caption)
    assert len(app.metric) == 4


def test_a_field_becomes_a_query_in_every_dialect(root: Path) -> None:
    fill_three(root)
    app = open_studies("Find surveys")
    assert len(app.code) == 1
    app.text_input(key="field").set_value('tea") OR title:(nets').run()
    assert len(app.code) == len(DIALECTS)
    assert all("Core Literature" in code.value for code in app.code)
    app.text_input(key="field").set_value("NOT tea").run()
    assert "only excludes" in messages(app)
    ran(app.selectbox(key="field_from").set_value(ODD))
    app.segmented_control(key="survey_kind").set_value("systematic review").run()
    assert any("systematic review" in code.value for code in app.code)


def test_surveys_that_are_here_are_listed(root: Path) -> None:
    fill_three(root)
    app = open_studies("Find surveys")
    assert any("it finds 1" in caption.value for caption in app.caption)
    assert app.dataframe[0].value["Title"].tolist() == [f"A bibliometric {ODD}"]


def test_an_empty_workspace_still_writes_the_query(root: Path) -> None:
    app = open_studies("Find surveys", field="tea")
    assert len(app.code) == len(DIALECTS)
    assert "empty" in messages(open_studies("Core publications"))


# Figures


def a_topic(name: str, kind: SurveyKind | None, cited: Sequence[int | None], year: int | None = 2020) -> TopicCore:
    entries = [CorePublication(f"{name}{i}", f"{name} {i}", 2000 + i, n, True) for i, n in enumerate(cited)]
    return TopicCore(name, False, kind, None, "", year, tuple(entries))


SOME = (
    a_topic("Tea", "bibliometric", [0, 10, None, 1_000_000]),
    a_topic(ODD, "systematic review", [3], None),
    a_topic("Empty", None, []),
)


@pytest.mark.parametrize("theme", THEMES)
def test_zero_citations_have_a_place_and_missing_ones_are_counted(theme: Theme) -> None:
    spreads = [spread_of(topic, topic.times_cited) for topic in SOME]
    figure = citations_figure(spreads, title="Cited", theme=theme)
    drawn = [x for trace in figure.data if trace.type == "box" for x in trace.x]
    assert len(drawn) == 4
    assert 0.0 in drawn
    assert np.isfinite(drawn).all()
    assert figure.layout.xaxis.ticktext[0] == "0"
    assert any(name.endswith(" +1") for name in figure.layout.yaxis.ticktext)
    assert "<img" not in str([figure.layout.yaxis.ticktext, [trace.text for trace in figure.data]])
    assert [spread.name for spread in cited_by_kind(SOME)] == ["Bibliometric", "Systematic review"]


@pytest.mark.parametrize("theme", THEMES)
def test_kinds_differ_by_more_than_colour(theme: Theme) -> None:
    bars = core_counts_figure(SOME, theme=theme)
    assert len({trace.marker.pattern.shape for trace in bars.data}) == 3
    assert bars.layout.yaxis.ticktext[-1] == "Tea (2020)"
    assert len({sign.symbol for sign in SIGNS.values()}) == len(SURVEY_KINDS) + 1
    assert sum(sum(trace.y) for trace in year_histogram_figure(SOME, theme=theme).data) == 5


def test_every_bar_leads_to_the_core_publications_that_it_counts() -> None:
    for trace in core_counts_figure(SOME, theme="light").data:
        for row, n in zip(trace.y, trace.x, strict=True):
            assert len(bars_in_order(SOME)[row].core_ids) == n
    for trace in year_histogram_figure(SOME, theme="light").data:
        for year, n in zip(trace.x, trace.y, strict=True):
            assert len(of_year(SOME, year, trace.name)) == n
    assert of_year(SOME, 1066, "Bibliometric") == ()


CITED = st.lists(st.sampled_from([None, 0, 3, 500]), max_size=4)


@given(CITED, CITED, st.booleans())
def test_every_fact_and_every_dot_leads_to_the_core_publications_that_it_counts(
    some: list[int | None], others: list[int | None], share: bool
) -> None:
    tea = a_topic("Tea", "bibliometric", some)
    topics = (tea, a_topic("Cup", "systematic review", others), *([replace(tea, topic_id="Again")] if share else []))
    columns = {"All": facts_of(topics)} | {SIGNS[kind].label: found for kind, found in facts_by_kind(topics).items()}
    for column, found in columns.items():
        for name, (shown, counted) in FACTS.items():
            group = fact_group(topics, name, column)
            assert (group is None) == (counted is None)
            if group is not None:
                assert f"{len(group):,}" == shown(found)
    spreads = [spread_of(topic, topic.times_cited) for topic in topics]
    figure = citations_figure(spreads, title="Cited", theme="light")
    boxes = [trace for trace in figure.data if trace.ids is not None]
    drawn = [dot for box in boxes for dot in zip(box.ids, box.customdata, strict=True)]
    cited = [(p.publication_id, p.times_cited) for t in topics for p in t.publications]
    assert sorted(drawn) == sorted(each for each in cited if each[1] is not None)


def test_years_are_counted_from_the_survey_where_it_is_known() -> None:
    calendar, before = (years_figure(SOME, before_survey=b, theme="light") for b in (False, True))
    assert len(calendar.layout.yaxis.ticktext) == 3
    assert [x for trace in before.data if trace.type == "box" for x in trace.x] == [20.0, 19.0, 18.0, 17.0]
    assert sum(trace.name == "Survey" for trace in calendar.data) == 1


def test_nothing_known_is_said_in_the_figure() -> None:
    bare = [TopicCore("Bare", False, None, None, "", None, (CorePublication("p", "", None, None, False),))]
    for figure in (
        citations_figure([spread_of(bare[0], bare[0].times_cited)], title="Cited", theme="light"),
        years_figure(bare, before_survey=True, theme="light"),
        year_histogram_figure(bare, theme="light"),
    ):
        assert "known" in figure.layout.annotations[0].text


@pytest.mark.parametrize("colour_by", ["topic", "cluster"])
def test_every_publication_is_drawn_once_with_the_sign_of_its_kind(colour_by: str) -> None:
    topics, labels = [f"T{i % 21:02}" for i in range(63)], [i % 21 for i in range(63)]
    kinds: list[SurveyKind | None] = [(*SURVEY_KINDS, None)[i % 3] for i in range(63)]
    points = np.random.default_rng(0).normal(size=(63, 2))
    found = purity(labels, topics)
    crowd = CorePoints(points, topics, kinds, ["<b>t</b>"] * 63, labels)
    by = "cluster" if colour_by == "cluster" else "topic"
    figure = together_figure(crowd, found=found, colour_by=by, method="PCA", theme="dark")
    groups = [trace for trace in figure.data if trace.text is not None]
    assert sum(len(trace.x) for trace in groups) == 63
    assert len({(t.marker.color, t.marker.line.color, t.marker.line.width) for t in groups}) == 21
    assert {symbol for trace in groups for symbol in trace.marker.symbol} == {"circle", "x", "square"}
    assert len(figure.layout.annotations) == 21
    assert "<b>t" not in groups[0].text[0]


def test_clusters_against_topics_count_every_publication() -> None:
    found = purity([0, 0, 1, 1, 1], ["b", "b", "a", "a", "b"])
    heat = confusion_figure(found, theme="light")
    assert [[n or "" for n in row] for row in heat.data[0].text] == [["2", ""], ["1", "2"]]
    assert list(zip(heat.data[1].x, heat.data[1].y, strict=True)) == [(0, 0), (0, 1), (1, 1)]
    dots = purity_figure(found.of_topic, {"a": 0.5, "b": 1.0}, theme="light")
    assert [list(trace.x) for trace in dots.data[1:]] == [[2 / 3, 1.0], [1.0, 0.5]]
