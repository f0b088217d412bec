"""Grades of a topic's publications beside its regions, its core set and their similarity."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.explore.regions import DEFAULT_REGIONS
from core.judge.judgments import JudgeCandidate, JudgedCandidate, JudgeSettings, TripleVerdict
from data.explore.workspace import Workspace
from data.judge.runs import JudgeRunRow
from data.judge.trust import beside_regions, core_beside, decide, embedders_of, places_of, state_of
from tests.data.workspaces import CORE, MODEL, TOPIC, N, Version, ids_of, save_versions

VERSIONS = {"source": "versions", "topics": [TOPIC]}


def row(document: dict[str, object]) -> JudgeRunRow:
    return JudgeRunRow("r", "run", "j", JudgeSettings("demo", "six"), document, (), "done", "2026-01-01")


def judged(engine: str, query_id: str, ids: Sequence[str]) -> list[JudgedCandidate]:
    """Tea is graded 5, nets 0; the last one has no grade."""
    return [
        JudgedCandidate(
            JudgeCandidate(engine, query_id, rank, own_id, own_id, "Text."),
            f"{query_id}-{own_id}",
            TripleVerdict("invalid_json")
            if own_id == ids[-1]
            else TripleVerdict("ok", 5 if int(own_id[1:]) < 20 else 0),
        )
        for rank, own_id in enumerate(ids, 1)
    ]


def test_versions_of_a_topic_stand_beside_its_regions(workspace: Workspace) -> None:
    graded = [*judged("review", TOPIC, ids_of(0, N)), *judged("baseline", TOPIC, ids_of(3, 30))]
    placed = places_of(workspace, row(VERSIONS), graded)
    assert {each.place for each in placed} == {(TOPIC, "review"), (TOPIC, "baseline")}
    assert embedders_of(workspace, placed) == (MODEL,)
    decided = decide(workspace, placed, MODEL)
    found = beside_regions(workspace, graded, placed, decided, cut=3)
    assert len(found.regions) == len(DEFAULT_REGIONS)
    cosine = found.regions["Cosine"]
    evaluations = [
        workspace.evaluate(TOPIC, label, embedder=MODEL).regions["cosine"] for label in ("review", "baseline")
    ]
    accepted = sum(each.n_relevant or 0 for each in evaluations)
    assert cosine.n == 39 + 26, "what has no grade is not compared"
    assert [part.points for part in cosine.by_grade] == [0, 5]
    assert sum(part.n_accepted for part in cosine.by_grade) == accepted
    assert found.core is not None
    assert (found.core.n_core, found.core.n_others) == (len(CORE), N - len(CORE) - 1), "each publication counts once"
    assert found.similarity is not None
    assert found.similarity.value is not None
    assert found.similarity.value > 0.5
    assert found.notes == ()


def test_retrievers_over_a_topic_stand_beside_the_version_they_were_asked(workspace: Workspace) -> None:
    graded = judged("bm25", "baseline", ids_of(0, 12))
    placed = places_of(workspace, row({"collection": f"topic:{TOPIC}"}), graded)
    assert [each.place for each in placed] == [(TOPIC, "baseline")]
    found = beside_regions(workspace, graded, placed, decide(workspace, placed, MODEL), cut=3)
    assert found.regions["Cosine"].n == 8, "p0 to p2 were not retrieved by the version"
    assert found.core is not None
    assert (found.core.n_core, found.core.n_others) == (8, 3)


@pytest.mark.parametrize("document", [{"collection": "another"}, {"collection": "topic:Nowhere"}, {}])
def test_what_belongs_to_no_topic_is_not_compared(workspace: Workspace, document: dict[str, object]) -> None:
    graded = judged("bm25", "q1", ids_of(0, 12))
    placed = places_of(workspace, row(document), graded)
    assert placed == ()
    assert embedders_of(workspace, placed) == ()
    assert core_beside(workspace, graded, placed) is None


def test_the_state_changes_with_the_core_and_the_versions(workspace: Workspace) -> None:
    graded = judged("review", TOPIC, ids_of(0, 5))
    placed = places_of(workspace, row(VERSIONS), graded)
    before = state_of(workspace, placed, MODEL)
    assert before == state_of(workspace, placed, MODEL)
    assert before != state_of(workspace, placed, "other")
    save_versions(workspace, Version("review", 3, ids_of(0, 9), "review"), core_ids=CORE[:4])
    assert before != state_of(workspace, placed, MODEL)
