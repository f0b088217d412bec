"""The part Strings of the page Studies, and its figure: what is compared, what is missing, and how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.explore.studies import RegionNumbers, TopicScoreColumn, TopicScores
from core.settings import ProjectionSettings
from core.types import Origin
from core.writer.string_study import TopicStrings, by_topic
from dashboard import cache
from dashboard.explore.figures.studies import SIGNS, strings_figure
from dashboard.kit.theme import COLOURS, THEMES, Theme
from data.explore.workspace import Workspace
from tests.dashboard.apps import messages
from tests.dashboard.explore.test_studies_scores import open_part, rows_named, words
from tests.data.workspaces import MODEL, TOPIC, Version, fill, ids_of

ODD = "Tea <b>& $x$"
ORIGINS: tuple[Origin, ...] = ("baseline", "generated")
F_BETA = TopicScoreColumn("f_beta", "cosine")


def scored(topic: str, f_beta: float | None, degenerate: str | None = None) -> TopicScores:
    numbers = RegionNumbers("ok", 5, 0.5, 0.9, f_beta, degenerate) if f_beta is not None else RegionNumbers("no area")
    return TopicScores(topic, "v1", 10, 100, 5, 90, {"cosine": numbers})


def rows() -> tuple[TopicStrings, ...]:
    """One topic with both, one whose second says nothing, one whose second is undefined."""
    return by_topic(
        [
            ("baseline", scored("Nets", 0.2)),
            ("generated", scored("Nets", 0.5)),
            ("baseline", scored(ODD, 0.4)),
            ("generated", scored(ODD, 0.6, "the whole list")),
            ("baseline", scored("Zero", 0.1)),
            ("generated", scored("Zero", None)),
        ]
    )


@pytest.mark.parametrize("theme", THEMES)
def test_each_origin_has_its_sign_and_means_are_over_the_same_topics(theme: Theme) -> None:
    figure = strings_figure(rows(), ORIGINS, F_BETA, beta=2.0, theme=theme)
    _, first, first_mean, second, second_mean = figure.data
    assert (list(first.x), list(second.x)) == ([0.2, 0.4, 0.1], [0.5, 0.6])
    assert (list(first_mean.x), list(second_mean.x)) == ([0.2], [0.5])
    assert first.marker.symbol != second.marker.symbol
    ground = COLOURS[theme]["background"]
    assert list(second.marker.color) == [COLOURS[theme][SIGNS["generated"].role], ground]
    assert "the whole list" in second.customdata[1]
    assert "<b>&" not in str([figure.layout.yaxis.ticktext[1], second.customdata])
    description = figure.layout.meta["description"]
    assert "Zero: baseline 0.100, generated –" in description
    assert "mean over 1: baseline 0.200, generated 0.500" in description


def test_a_number_that_nobody_has_says_why() -> None:
    alone = by_topic([("baseline", scored("Nets", None)), ("generated", scored("Nets", None))])
    figure = strings_figure(alone, ORIGINS, F_BETA, beta=2.0, theme="light")
    assert not figure.data
    assert "no area" in figure.layout.annotations[0].text


def test_origins_differ_by_more_than_colour() -> None:
    assert len({sign.symbol for sign in SIGNS.values()}) == len({sign.role for sign in SIGNS.values()}) == len(SIGNS)


def fill_two(root: Path) -> None:
    """A topic whose generated string was never run, and one that has none and no baseline."""
    fill(root)
    with Workspace.open(root) as workspace:
        with workspace.store.transaction():
            workspace.save_topic("Nets", ids_of(20, 28), [Version("v1", 1, ids_of(18, 40), "review")])
        workspace.project("Nets", MODEL, settings=ProjectionSettings(method="pca"))


def test_what_is_missing_is_made_and_then_compared(root: Path) -> None:
    fill_two(root)
    app = open_part("Strings")
    said = words(app)
    assert f"never run: {TOPIC}" in said
    assert "search string: Nets" in said
    assert "baseline and generated" in said
    button = next(each for each in app.button if each.key == "write-missing")
    assert {"run", "(2)"} <= set(button.label.split())
    button.click().run()
    cache.jobs().wait()
    app.run()
    cache.jobs().wait()
    app.run()
    assert not app.exception
    shown = {row["Topic"]: row for row in rows_named(app, "strings-over-topics")}
    assert set(shown) == {TOPIC, "Nets", "Mean over 2 topics"}
    assert shown[TOPIC]["Version: generated"] == "v4"
    assert shown["Nets"]["Held-out gain: value"] is not None
    assert "fewer than 6 topics" in " ".join(text.value for text in app.markdown)
    assert "optimistic" in words(app)
    assert "were run here" in words(app)
    assert [each.label for each in app.button if each.key == "write-missing"] == ["Write all (2)"]


def test_any_two_origins_with_their_differences(root: Path) -> None:
    fill(root)
    app = open_part("Strings", compared="Any two", first="Baseline", second="Review", number="Core recall")
    (moved,) = rows_named(app, "string-differences")
    assert moved["Core recall"] == 3 / 8
    (table, *_) = [frame.value for frame in app.dataframe if ("Recall", "Review") in frame.value.columns]
    assert table[("Recall", "Review")].tolist() == [1.0, 1.0]
    assert table[("Version", "Baseline")].tolist()[0] == "baseline"
    same = app.selectbox(key="second").set_value("Baseline").run()
    assert "two different origins" in messages(same)


def test_without_vectors_nothing_is_written_and_lists_are_still_compared(root: Path) -> None:
    fill(root, models=())
    app = open_part("Strings", compared="Any two", first="Baseline", second="Review", number="Core recall")
    assert "need vectors" in words(app)
    assert rows_named(app, "strings-over-topics")[0]["Recall: review"] == 1.0
