"""The strings of LitQEval over its 21 topics: published texts as versions, known set counts, what was published."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from core.explore.studies import TopicScoreColumn
from core.types import Origin
from core.writer.string_study import mean_of, paired_over, sentence_of
from data.explore.studies import bare_scores, load_published_scores, want
from data.explore.workspace import Workspace
from data.writer.string_study import (
    StringMakingSettings,
    StringStudy,
    beware,
    lacking,
    make_missing,
    published_pairs,
    rows_of,
    whole,
)

pytestmark = [pytest.mark.collections, pytest.mark.slow]

HULL = TopicScoreColumn("semantic_precision", "hull")
KNOWN = {
    ("Business Process Meta Models", "baseline"): (8, 26),
    ("Business Process Meta Models", "review"): (17, 26),
    ("Green Warehousing", "baseline"): (6, 38),
    ("Multicore Performance Prediction", "baseline"): (0, 33),
    ("Multicore Performance Prediction", "review"): (0, 33),
    ("Nanopharmaceuticals OR Nanonutraceuticals", "baseline"): (0, 50),
    ("Software Process Line", "review"): (16, 43),
    ("Tourism Growth Nexus", "baseline"): (2, 25),
}
"""Core publications found / all, by topic and origin: every result list that there is."""


@pytest.fixture
def topics(litqeval: Workspace) -> tuple[str, ...]:
    """Its 21 topics."""
    return tuple(topic.topic_id for topic in litqeval.store.topics())


def study(workspace: Workspace, topics: tuple[str, ...], *origins: Origin) -> StringStudy:
    wanted = want(workspace, topics, origins, None)
    return whole(workspace, topics, origins, wanted, bare_scores(workspace, wanted), ("cosine",))


def test_the_published_strings_are_versions_of_their_topics(
    litqeval: Workspace, topics: tuple[str, ...], collections_dir: Path
) -> None:
    assert len(topics) == 21
    read = json.loads((collections_dir / "litqeval/data/queries.json").read_text("utf-8"))
    texts = {entry["baseline"]: entry["predicted"].strip() for entry in read}
    rows = {v.version.topic_id: v for v in litqeval.store.versions() if v.version.label == "predicted"}
    assert set(rows) == set(topics)
    for topic, row in rows.items():
        assert row.version.origin == "generated"
        assert row.version.text.strip() == texts[topic]
        assert row.n_retrieved is None


def test_recalls_are_the_known_set_counts(litqeval: Workspace, topics: tuple[str, ...]) -> None:
    found = {}
    for origin in ("baseline", "review"):
        wanted = want(litqeval, topics, [origin], None)  # type: ignore[list-item]
        for row in rows_of(litqeval, wanted, bare_scores(litqeval, wanted)):
            (scores,) = row.scores.values()
            found[row.topic_id, origin] = (scores.n_found, scores.n_core)
    assert found == KNOWN


def test_both_have_lists_in_two_topics_only_and_it_is_said(litqeval: Workspace, topics: tuple[str, ...]) -> None:
    found = study(litqeval, topics, "baseline", "review")
    assert [row.topic_id for row in found.rows] == ["Business Process Meta Models", "Multicore Performance Prediction"]
    assert len(found.left_out) == 19
    recall = found.pair("baseline", "review", TopicScoreColumn("recall"))
    assert (recall.wins, recall.losses, recall.ties, recall.is_clear) == (1, 0, 1, False)
    assert recall.mean == pytest.approx((17 / 26 - 8 / 26) / 2)
    assert mean_of(found.rows, found.origins, TopicScoreColumn("recall")).values["review"] == pytest.approx(17 / 52)


@pytest.mark.parametrize(("name", "b", "n"), [("results", "generated", 21), ("slr_results", "review", 7)])
def test_what_was_published_is_counted_as_its_tables_say(
    litqeval: Workspace, topics: tuple[str, ...], collections_dir: Path, name: str, b: Origin, n: int
) -> None:
    found = {
        (p.paired.b, p.paired.column): p.paired
        for p in published_pairs(load_published_scores(litqeval.store, topics), (), [("baseline", b)])
    }
    head, *lines = load_workbook(collections_dir / f"litqeval/{name}.xlsx").active.values
    for title, column in (("Cosine F2", TopicScoreColumn("f_beta", "cosine")), ("Hull Precision", HULL)):
        values = [line[head.index(title)] for line in lines]
        differences = np.subtract(values[::2], values[1::2])  # the proposed search stands above its baseline
        told = found[b, column]
        assert (told.n_topics, told.wins, told.losses) == (n, (differences > 1e-9).sum(), (differences < -1e-9).sum())
        assert told.mean == pytest.approx(differences.mean())
        assert told.interval is not None
        assert ("which is clear" in sentence_of(told)) is told.is_clear


def test_the_published_generated_strings_do_not_beat_their_baselines_and_that_is_said(
    litqeval: Workspace, topics: tuple[str, ...]
) -> None:
    (found,) = [
        p.paired
        for p in published_pairs(load_published_scores(litqeval.store, topics), (), [("baseline", "generated")])
        if p.paired.column == TopicScoreColumn("f_beta", "cosine")
    ]
    assert (found.wins, found.losses) == (7, 14)
    assert not found.is_clear
    assert sentence_of(found).endswith("which is not clear.")


def test_strings_whose_lists_were_not_published_are_run_over_what_is_there(
    litqeval: Workspace, topics: tuple[str, ...]
) -> None:
    missing = lacking(litqeval, topics)
    assert {each.lack for each in missing} == {"run", "corpus"}
    assert {each.topic_id for each in missing if each.can_be_made} == {topic for topic, _ in KNOWN}
    assert all(each.label == "predicted" for each in missing)
    made = make_missing(litqeval, missing, StringMakingSettings())
    assert len(made) == 6
    wanted = want(litqeval, topics, ("baseline", "generated"), None)
    rows = rows_of(litqeval, wanted, bare_scores(litqeval, wanted))
    assert len(rows) == 5
    assert {topic for topic, _ in beware(wanted)} == {row.topic_id for row in rows}
    assert not paired_over(rows, "baseline", "generated", TopicScoreColumn("recall")).is_clear
