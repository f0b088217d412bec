"""Comparing versions in a workspace: at once without ranges, later with them; what can't be compared says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError, SettingsError
from core.explore.compare import Comparison, verdict
from core.explore.regions import DEFAULT_REGIONS
from core.explore.regions.hull import hull_around
from core.explore.robustness import Robustness
from core.settings import EvaluationSettings, ProjectionSettings
from core.types import QueryVersion, RegionKind
from data.demo.loading import bring_litqeval
from data.explore.scoring import cluster_key
from data.explore.versions import (
    comparability,
    compare_in_full,
    compare_now,
    known_comparison,
    known_robustness,
    robustness_of,
)
from data.explore.workspace import Workspace
from data.store import VersionRow
from tests.data.notes import assert_notes, is_noted
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, ids_of, same_fields, save_versions
from tests.messages import refusal

LABELS = ("baseline", "review")
BETA_3 = EvaluationSettings(beta=3)
REGIONS: tuple[RegionKind, ...] = ("cosine", "hull", "cluster")


def values(comparison: Comparison) -> dict[tuple[str, str, str, str | None], float | None]:
    return {(d.a, d.b, d.metric, d.region): d.difference for d in comparison.differences}


def over(workspace: Workspace, label: str, corpus_state: str | None) -> None:
    workspace.store.execute(
        "UPDATE query_versions SET corpus_state = ?, n_searched = 1234 WHERE label = ?", [corpus_state, label]
    )


def row(label: str, corpus_state: str | None = None, retrieved_hash: str = "", n_searched: int | None = None):
    version = QueryVersion(label, TOPIC, label, 1, "tea", "manual")
    return VersionRow(version, 3, retrieved_hash or label, corpus_state=corpus_state, n_searched=n_searched)


def test_values_at_once_equal_those_with_ranges(workspace: Workspace) -> None:
    full = compare_in_full(workspace, TOPIC, LABELS, regions=REGIONS)
    now, waiting = compare_now(workspace, TOPIC, LABELS, regions=REGIONS)
    assert waiting == ()
    assert values(now) == values(full)
    assert now.pairs == full.pairs
    assert (now.has_ranges, full.has_ranges) == (False, True)
    assert {d.interval for d in now.differences} == {None}
    assert any(d.interval for d in full.differences)
    for one, other in zip(now.versions, full.versions, strict=True):
        same_fields(one, other)


def test_clusters_that_are_not_known_are_left_out_and_named(workspace: Workspace) -> None:
    now, waiting = compare_now(workspace, TOPIC, LABELS)
    assert waiting == ("cluster",)
    assert list(now.versions[0].regions) == [kind for kind in DEFAULT_REGIONS if kind != "cluster"]
    workspace.evaluate(TOPIC, "baseline", regions=("cluster",))
    assert compare_now(workspace, TOPIC, LABELS)[1] == ("cluster",)
    workspace.evaluate(TOPIC, "review", regions=("cluster",))
    now, waiting = compare_now(workspace, TOPIC, LABELS)
    assert waiting == ()
    assert list(now.versions[0].regions) == list(DEFAULT_REGIONS)


def test_a_cluster_that_needs_no_search_does_not_wait(workspace: Workspace) -> None:
    save_versions(workspace, Version("one", 7, ("p0", "p20")), Version("none", 8, ("p20", "p21")))
    now, waiting = compare_now(workspace, TOPIC, ["one", "none"])
    assert waiting == ()
    assert {e.regions["cluster"].status for e in now.versions} == {"needs 2 found core publications"}


def test_both_are_remembered(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert known_comparison(workspace, TOPIC, LABELS, regions=REGIONS) is None
    full = compare_in_full(workspace, TOPIC, LABELS, regions=REGIONS)
    now, _ = compare_now(workspace, TOPIC, LABELS, regions=REGIONS)
    monkeypatch.setattr("data.explore.versions.compare", None)
    monkeypatch.setattr("data.explore.versions.load_entrants", None)
    known = known_comparison(workspace, TOPIC, LABELS, regions=REGIONS)
    assert known is not None
    again = compare_in_full(workspace, TOPIC, LABELS, regions=REGIONS)
    for one, other in ((known, full), (again, full), (compare_now(workspace, TOPIC, LABELS, regions=REGIONS)[0], now)):
        assert (one.pairs, one.differences, one.has_ranges) == (other.pairs, other.differences, other.has_ranges)
        assert [e.recall for e in one.versions] == [e.recall for e in other.versions]
    for changed in ({"settings": BETA_3}, {"regions": ("cosine",)}, {"labels": LABELS[::-1]}):
        asked = {"labels": LABELS, "regions": REGIONS} | changed
        assert known_comparison(workspace, TOPIC, **asked) is None


def test_what_changes_a_comparison_is_part_of_its_key(workspace: Workspace) -> None:
    before = compare_in_full(workspace, TOPIC, LABELS, regions=("cosine",))
    save_versions(workspace, Version("baseline", 1, ids_of(0, 12), "baseline"))
    assert known_comparison(workspace, TOPIC, LABELS, regions=("cosine",)) is None
    assert values(compare_in_full(workspace, TOPIC, LABELS, regions=("cosine",))) != values(before)
    over(workspace, "baseline", "one")
    over(workspace, "review", "two")
    assert known_comparison(workspace, TOPIC, LABELS, regions=("cosine",)) is None


def test_versions_over_different_publications_have_only_sets_and_core_compared(workspace: Workspace) -> None:
    over(workspace, "baseline", "one")
    over(workspace, "review", "two")
    now, _ = compare_now(workspace, TOPIC, LABELS, regions=("cosine", "hull"))
    full = compare_in_full(workspace, TOPIC, LABELS, regions=("cosine", "hull"))
    for comparison in (now, full):
        assert comparison.pairs[0].core_gained == ("p0", "p1", "p2")
        of = {(d.metric, d.region): d for d in comparison.differences}
        assert of["recall", None].difference == 3 / 8
        for kind in ("cosine", "hull"):
            assert of["f_beta", kind].difference is None
            assert_notes([of["f_beta", kind].reason], ("baseline and review", "different publications"))
        assert "different publications" in verdict(comparison, *LABELS, region="cosine").sentence
    over(workspace, "review", "one")
    assert None not in values(compare_now(workspace, TOPIC, LABELS, regions=("cosine", "hull"))[0]).values()


def test_one_of_three_over_other_publications_still_lets_two_compare(workspace: Workspace) -> None:
    save_versions(workspace, Version("v9", 9, ids_of(2, 25)))
    for label, state in (("baseline", "one"), ("review", "two"), ("v9", "one")):
        over(workspace, label, state)
    found = values(compare_now(workspace, TOPIC, [*LABELS, "v9"], regions=("cosine",))[0])
    there = {(a, b) for (a, b, metric, _), value in found.items() if metric == "f_beta" and value is not None}
    assert there == {("baseline", "v9")}


def test_comparability() -> None:
    assert comparability([row("a"), row("b")]) == comparability([row("a"), row("b")], ())
    assert comparability([row("a"), row("b")]).same_corpus is None
    assert comparability([row("a"), row("b")]).notes == ()
    same = comparability([row("a", "x"), row("b", "x")])
    assert (same.same_corpus, same.notes) == (True, ())
    apart = comparability(
        [row("a", "x", n_searched=1200), row("b", "y", n_searched=1300), row("c", "x", n_searched=1200)]
    )
    assert apart.same_corpus is False
    assert_notes(apart.notes, ("a, b and c ", " (a and c over 1,200; b over 1,300)", "again", "Versions > History"))
    outside = comparability([row("a"), row("b", "x")])
    assert outside.same_corpus is None
    assert outside.notes[0].startswith("a was imported and b was run here: ")


def test_many_versions_have_one_note_of_a_kind() -> None:
    states = {"a": None, "b": None, "c": "x", "d": "x", "e": "x"}
    rows = [row(label, state, retrieved_hash="h") for label, state in states.items()]
    outside, alike = comparability(rows).notes
    assert outside.startswith("a and b were imported and c, d and e were run here: ")
    assert alike.startswith("a, b, c, d and e retrieve the same")
    nothing = [replace(one, n_retrieved=0) for one in rows[:2]]
    assert comparability(nothing).notes == ()


def test_versions_that_retrieve_the_same_are_noted_whatever_their_order(workspace: Workspace) -> None:
    note = comparability([row("a", retrieved_hash="h"), row("b", retrieved_hash="h")]).notes
    assert_notes(note, ("a and b retrieve the same",))
    save_versions(workspace, Version("a", 7, ids_of(3, 20)), Version("b", 8, ids_of(3, 20)[::-1]))
    now, _ = compare_now(workspace, TOPIC, ["a", "b"], regions=("cosine", "hull"))
    rows = [workspace.version(TOPIC, label) for label in ("a", "b")]
    assert comparability(rows).notes == ()
    assert comparability(rows, now.pairs).notes == note
    assert set(values(now).values()) == {0.0}
    assert "do not differ" in verdict(now, "a", "b", region="cosine").sentence


def test_versions_of_no_overlap_and_one_that_found_nothing(workspace: Workspace) -> None:
    save_versions(
        workspace, Version("left", 7, ids_of(0, 6)), Version("right", 8, ids_of(20, 30)), Version("empty", 9, ())
    )
    now, waiting = compare_now(workspace, TOPIC, ["left", "right", "empty"], regions=REGIONS)
    full = compare_in_full(workspace, TOPIC, ["left", "right", "empty"], regions=REGIONS)
    assert waiting == ("cluster",)
    assert (now.pairs[0].n_both, now.pairs[0].core_lost) == (0, ids_of(0, 6))
    found = values(full)
    assert found["left", "right", "f_beta", "cosine"] < 0
    assert found["left", "empty", "recall", None] == -6 / 8
    assert found["left", "empty", "f_beta", "cosine"] is None
    quick = {name: value for name, value in found.items() if name[3] != "cluster"}
    assert values(now) == quick


def test_publications_without_a_vector(workspace: Workspace) -> None:
    save_versions(workspace, Version("bare", 7, ("x1", "x2", "x3")))
    now, _ = compare_now(workspace, TOPIC, ["baseline", "bare"], embedder=MODEL, regions=("cosine", "hull"))
    found = {(d.metric, d.region): d for d in now.differences}
    assert_notes([found["f_beta", "cosine"].reason], ("bare: ", "has a vector"))
    assert found["recall", None].difference == -5 / 8
    assert now.pairs[0].n_only_b == 3


def test_three_core_publications(workspace: Workspace) -> None:
    save_versions(workspace, Version("a", 7, ids_of(1, 30)), Version("b", 8, ids_of(0, 20)), core_ids=CORE[:3])
    full = compare_in_full(workspace, TOPIC, ["a", "b"], regions=REGIONS)
    for evaluation in full.versions:
        assert is_noted(evaluation.warnings, "only 3 core publications")
        assert evaluation.recall_interval.high - evaluation.recall_interval.low > 0.4
    (recall,) = [d for d in full.differences if d.metric == "recall"]
    assert recall.interval == (0, 1)
    assert_notes([recall.sentence], ("not clear", "a and b differ"))


@pytest.mark.parametrize(
    ("labels", "kind", "said"),
    [
        (("baseline", "nope"), NotFoundError, 'no version "nope"; available: baseline, review'),
        (("baseline", "predicted"), NotFoundError, "but no results"),
        (("baseline", "review", "baseline"), InputError, "compared with itself: baseline"),
        (("baseline",), InputError, "got 1"),
        ((), InputError, "got 0"),
    ],
)
def test_labels_that_are_no_pair(workspace: Workspace, labels, kind, said) -> None:
    for ask in (compare_now, known_comparison, compare_in_full):
        with pytest.raises(kind, match=said):
            ask(workspace, TOPIC, labels)


# The sensitivity report


def test_a_report_is_remembered(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert known_robustness(workspace, TOPIC, LABELS) is None
    found = robustness_of(workspace, TOPIC, LABELS)
    assert isinstance(found, Robustness)
    assert found.left_out == ()
    monkeypatch.setattr("data.explore.versions.robustness", None)
    assert known_robustness(workspace, TOPIC, LABELS) == found
    assert robustness_of(workspace, TOPIC, LABELS) == found
    assert known_robustness(workspace, TOPIC, LABELS, settings=BETA_3) is None
    assert known_robustness(workspace, TOPIC, LABELS, region="hull") is None
    assert known_robustness(workspace, TOPIC, LABELS[:1]) is None
    over(workspace, "review", "two")
    assert known_robustness(workspace, TOPIC, LABELS) is None


def test_a_report_gives_what_evaluate_gives(workspace: Workspace) -> None:
    found = robustness_of(workspace, TOPIC, LABELS, settings=BETA_3, region="mvee")
    assert {o.choice.region for o in found.outcomes} == set(DEFAULT_REGIONS)
    for outcome in found.outcomes[::7]:
        kind = outcome.choice.region
        for label, value in zip(LABELS, outcome.f_beta, strict=True):
            scored = workspace.evaluate(TOPIC, label, settings=outcome.choice.applied(BETA_3), regions=(kind,))
            assert scored.regions[kind].f_beta == value


def test_long_cluster_searches_are_not_made(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.explore.versions.CHEAP_CLUSTERS", 10)
    found = robustness_of(workspace, TOPIC, LABELS)
    assert "Cluster: not evaluated yet" in found.left_out
    with refusal(InputError):
        robustness_of(workspace, TOPIC, LABELS, region="cluster")
    for label in LABELS:
        workspace.evaluate(TOPIC, label)
    assert known_robustness(workspace, TOPIC, LABELS) is None
    again = robustness_of(workspace, TOPIC, LABELS, region="cluster")
    assert again.spans[0].as_set == workspace.evaluate(TOPIC, "baseline").regions["cluster"].f_beta


def test_a_cluster_that_was_searched_for_a_report_is_that_of_evaluate(workspace: Workspace) -> None:
    robustness_of(workspace, TOPIC, LABELS)
    settings = replace(EvaluationSettings(), min_core_share=0.9)
    case = workspace.case(TOPIC, "review", None, ("cluster",))
    key = cluster_key(case, "cluster", settings.resolved(MODEL))
    assert workspace.store.recall(key) is not None
    there = workspace.evaluate(TOPIC, "review", settings=settings, regions=("cluster",)).regions["cluster"]
    workspace.store.execute("DELETE FROM remembered")
    fresh = workspace.evaluate(TOPIC, "review", settings=settings, regions=("cluster",)).regions["cluster"]
    assert (there.n_relevant, there.f_beta) == (fresh.n_relevant, fresh.f_beta)


def test_one_version_and_one_that_found_nothing(workspace: Workspace) -> None:
    save_versions(workspace, Version("one", 7, ("p0", "p20")), Version("empty", 9, ()))
    alone = robustness_of(workspace, TOPIC, ["one"])
    assert (alone.labels, alone.orders) == (("one",), ())
    both = robustness_of(workspace, TOPIC, ["one", "empty"])
    assert both.spans[0] == alone.spans[0]
    assert both.spans[1].highest is None
    assert "nothing was retrieved" in {s.reason for s in both.special}


def test_what_a_report_refuses(workspace: Workspace) -> None:
    with refusal(InputError):
        robustness_of(workspace, TOPIC, [])
    with refusal(InputError):
        robustness_of(workspace, TOPIC, ["review", "review"])
    with refusal(NotFoundError):
        known_robustness(workspace, TOPIC, ["nope"])
    with pytest.raises(SettingsError, match="be varied"):
        robustness_of(workspace, TOPIC, LABELS, settings=EvaluationSettings(compat="litqeval-2024"))


@pytest.mark.collections
@pytest.mark.slow
def test_business_process_meta_models_on_the_shipped_vectors(collections_dir: Path, tmp_path: Path) -> None:
    """Baseline against the review's own string, both judged by the full core set."""
    topic_id, labels = "Business Process Meta Models", ("baseline", "slr")
    with Workspace.open(tmp_path) as workspace:
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        workspace.add_vectors(collections_dir / "litqeval/vectors_minilm384.npz", "MiniLM")
        workspace.project(topic_id, "MiniLM", settings=ProjectionSettings(method="pca"))
        regions: tuple[RegionKind, ...] = ("cosine", "hull")
        full = compare_in_full(workspace, topic_id, labels, regions=regions)
        scene, _ = workspace.case(topic_id, "slr", None, regions).load(workspace.store, workspace.catalogue)
        report = robustness_of(workspace, topic_id, labels)
    assert [(len(e.found_core_ids), len(e.core_ids)) for e in full.versions] == [(8, 26), (17, 26)]
    found = {(d.metric, d.region): d for d in full.differences}
    recall, cosine, hull = found["recall", None], found["f_beta", "cosine"], found["f_beta", "hull"]
    assert recall.difference == 9 / 26
    assert 0 < recall.interval.low < 9 / 26 < recall.interval.high < 1
    scores = [e.regions["cosine"].f_beta for e in full.versions]
    assert cosine.difference == scores[1] - scores[0] > 0
    assert 0 < cosine.interval.low < cosine.interval.high
    # Around all core publications, found or not.
    area = hull_around(scene.projection.take(scene.core.ids).points)
    n_relevant = int(area.contains(scene.points).sum())
    assert n_relevant > full.versions[1].regions["hull"].n_relevant
    assert hull.interval.low <= hull.interval.high
    said = verdict(full, *labels, region="cosine")
    assert said.sentence.startswith(
        "slr finds 9 more of 26 core publications than baseline and retrieves 1.3 times as many; its F2 (Cosine) is 0."
    )
    assert said.clear
    assert report.orders[0].difference == cosine.difference
