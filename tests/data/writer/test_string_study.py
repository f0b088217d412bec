"""Strings of many topics: what is missing is found, run or written, and what was published stands beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.explore.reproduction import BESIDE_REVIEW, PublishedScore
from core.explore.studies import TopicScoreColumn
from core.types import Origin
from core.writer.string_study import paired_over, pairs_table, result_table
from data.explore.studies import StudyVersion, bare_scores, want
from data.explore.workspace import Workspace
from data.writer.string_study import (
    MissingString,
    StringMakingSettings,
    about,
    beware,
    gains_of,
    lacking,
    make_missing,
    published_pairs,
    rows_of,
    whole,
)
from tests.data.workspaces import MODEL, TOPIC, N, Version, fill, ids_of
from tests.messages import refusal

TEXT = "tea OR leaves OR kettle"


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """Topics that lack each its own: the tea topic's generated string was never run."""
    versions = (
        Version("baseline", 1, ids_of(3, 30), "baseline"),
        Version("predicted", 2, None, "generated", TEXT),
        Version("review", 3, ids_of(0, N), "review"),
    )
    fill(tmp_path, versions=versions, landscape=False)
    with Workspace.open(tmp_path) as workspace:
        with workspace.store.transaction():
            workspace.save_topic("Bare", ids_of(0, 3), ())
            workspace.save_topic("Coreless", (), [Version("baseline", 1, ids_of(0, 9), "baseline")])
            workspace.save_topic("Nets", ids_of(20, 24), [Version("v1", 1, ids_of(18, 40), "review")])
        yield workspace


def compared(workspace: Workspace, *origins: Origin) -> tuple[StudyVersion, ...]:
    return want(workspace, [TOPIC, "Nets"], origins, None)


def test_the_name_of_a_made_up_topic_is_what_it_is_about() -> None:
    assert [about(name) for name in ("Tea (made up)", "Tea", "(made up)")] == ["Tea", "Tea", "(made up)"]


def test_what_each_topic_lacks(ws: Workspace) -> None:
    found = lacking(ws, ["Bare", "Coreless", "Nets", TOPIC])
    assert found == (
        MissingString("Bare", "corpus"),
        MissingString("Coreless", "core", has_baseline=True),
        MissingString("Nets", "string"),
        MissingString(TOPIC, "run", "predicted", TEXT, has_baseline=True),
    )
    assert [each.can_be_made for each in found] == [False, False, True, True]


def test_a_text_that_was_never_run_is_run_and_made_from_it(ws: Workspace) -> None:
    (made,) = make_missing(ws, lacking(ws, [TOPIC]), StringMakingSettings(clock=lambda: "2026-01-01T00:00:00+00:00"))
    rows = {row.version.label: row for row in ws.store.versions(TOPIC)}
    version = rows[made.label].version
    assert (version.text, version.origin, version.parent_id) == (TEXT, "generated", rows["predicted"].version.query_id)
    assert version.made_at == "2026-01-01T00:00:00+00:00"
    assert rows[made.label].n_retrieved == 20
    assert lacking(ws, [TOPIC]) == ()
    assert [each.lack for each in lacking(ws, [TOPIC], again=True)] == ["string"]


def test_lists_from_elsewhere_beside_lists_made_here_are_said(ws: Workspace) -> None:
    make_missing(ws, lacking(ws, [TOPIC]), StringMakingSettings())
    assert beware(compared(ws, "baseline", "review")) == ()
    ((topic, why),) = beware(compared(ws, "baseline", "generated"))
    assert topic == TOPIC
    assert "imported lists" in why


def test_one_topic_that_fails_does_not_keep_the_others_from_being_made(ws: Workspace) -> None:
    odd = MissingString(TOPIC, "run", "predicted", "AND OR")
    with refusal(InputError):
        make_missing(ws, (odd, lacking(ws, [TOPIC])[0]), StringMakingSettings())
    assert lacking(ws, [TOPIC]) == ()
    with refusal(InputError):
        make_missing(ws, (), StringMakingSettings("oracle"))  # type: ignore[arg-type]


def test_rows_and_their_tables_hold_what_is_scored(ws: Workspace) -> None:
    make_missing(ws, lacking(ws, [TOPIC]), StringMakingSettings())
    wanted = compared(ws, "baseline", "generated")
    rows = rows_of(ws, wanted, bare_scores(ws, wanted))
    assert [row.topic_id for row in rows] == [TOPIC]
    assert rows[0].counted("generated", TopicScoreColumn("recall")) == 1.0
    assert gains_of(ws, wanted) == {}
    table = result_table(rows, ("baseline", "generated"), ("cosine",))
    line = dict(zip([column.title for column in table.columns], table.rows[0], strict=True))
    assert (line["Retrieved: baseline"], line["Retrieved: generated"]) == (27, 20)
    assert (line["Recall: baseline"], line["Recall: generated"]) == (5 / 8, 1.0)
    assert line["Held-out gain: value"] is None
    assert "needs vectors" in str(line["Remarks"])
    assert table.rows[1][0] == "Mean over 1 topic"
    (difference,) = pairs_table([paired_over(rows, "baseline", "generated", TopicScoreColumn("recall"))]).rows
    assert difference[4:9] == (1, 1, 0, 0, 3 / 8)
    assert difference[-1] == "not clear"


def published(topic: str, label: str, f_beta: float) -> PublishedScore:
    return PublishedScore(topic, label, "tea", 0.5, "cosine", 0.5, 9, f_beta)


def test_what_was_published_is_paired_and_held_beside_ours(ws: Workspace) -> None:
    scores = [
        *(published(TOPIC, label, f) for label, f in (("baseline", 0.2), ("predicted", 0.6))),
        *(published("Nets", label, f) for label, f in (("baseline", 0.5), ("predicted", 0.4))),
        *(published("Nets", label, f) for label, f in ((BESIDE_REVIEW, 0.5), ("slr", 0.7))),
    ]
    make_missing(ws, lacking(ws, [TOPIC]), StringMakingSettings())
    wanted = want(ws, [TOPIC], ("baseline", "generated"), MODEL)
    bare = rows_of(ws, wanted, bare_scores(ws, wanted))
    pairs: list[tuple[Origin, Origin]] = [("baseline", "generated"), ("baseline", "review"), ("review", "generated")]
    found = {(p.paired.a, p.paired.b, p.paired.column.metric): p for p in published_pairs(scores, bare, pairs)}
    assert {key[:2] for key in found} == {("baseline", "generated"), ("baseline", "review")}
    f_beta = found["baseline", "generated", "f_beta"]
    assert (f_beta.paired.wins, f_beta.paired.losses, f_beta.n_here) == (1, 1, 0)
    assert f_beta.paired.mean == pytest.approx(0.15)
    assert found["baseline", "review", "f_beta"].paired.wins == 1
    study = whole(ws, [TOPIC], ("baseline", "generated"), wanted, bare_scores(ws, wanted), ("cosine",))
    assert study.published == ()
    shown = replace(study, published=(f_beta,))
    (said,) = shown.published_sentences((f_beta.paired.column,))
    assert "None of these" in said
    assert "the same way" not in said
