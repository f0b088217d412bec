"""What a quality report is built from: gathered from a workspace, also where little is known."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from core.audit.quality_facts import QualityFacts
from core.audit.quality_report import quality_report
from core.errors import InputError, NotFoundError
from core.report import ReportDocument
from core.settings import EvaluationSettings, ProjectionSettings
from data.audit.quality import gather_quality
from data.demo.loading import DEMO_EMBEDDER, bring_demo
from data.explore.workspace import Workspace
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, fill, ids_of, publications, toy_vectors, write_npz
from tests.messages import refusal

pytestmark = pytest.mark.usefixtures("few_resamples")


def reported(facts: QualityFacts) -> ReportDocument:
    return quality_report(facts, made_at="2026-05-04T08:00:00+00:00", made_with="Queryscape 1")


def said_in(document: ReportDocument) -> str:
    """Every sentence and every point."""
    said = [getattr(block, "text", "") for block in document.blocks]
    return " ".join([*said, *(item for block in document.blocks for item in getattr(block, "items", ()))])


def opened(root: Path, **how: object) -> Workspace:
    fill(root, **how)  # type: ignore[arg-type]
    return Workspace.open(root)


def test_scores_are_those_of_the_workspace(workspace: Workspace) -> None:
    facts = gather_quality(workspace, TOPIC, ["baseline", "review"])
    for version in facts.versions:
        expected = workspace.evaluate(TOPIC, version.label)
        assert version.evaluation.recall == expected.recall
        assert version.evaluation.regions["cosine"].f_beta == expected.regions["cosine"].f_beta
        assert version.evaluation.sensitivity["cosine"].f_beta_range is not None
    assert facts.comparison is not None
    assert facts.comparison.labels == ("baseline", "review")
    assert facts.embedder.embedder == MODEL
    assert not facts.embedder.fitted_here
    assert facts.landscape is not None
    assert facts.landscape.settings["method"] == "pca"


def test_rows_hold_what_was_retrieved_then_the_missed_core(workspace: Workspace) -> None:
    version = gather_quality(workspace, TOPIC, ["baseline"]).versions[0]
    rows, found = version.rows, version.evaluation
    assert set(rows.ids[: rows.n_retrieved]) == set(found.scorable_ids)
    assert rows.ids[rows.n_retrieved :] == found.missed_core_ids
    assert (np.diff(rows.similarities[: rows.n_retrieved]) >= 0).all()
    for kind, mask in rows.masks.items():
        assert int(mask.sum()) == found.regions[kind].n_relevant
    assert rows.nearest is not None
    assert len(rows.nearest) == len(rows.titles) == len(rows.groups.group_of) == len(rows.ids)
    assert {i for i, is_core in zip(rows.ids, rows.core_mask, strict=True) if is_core} == set(CORE)


def test_every_core_publication_is_explained(workspace: Workspace) -> None:
    version = gather_quality(workspace, TOPIC, ["baseline"]).versions[0]
    assert [each.publication_id for each in version.core] == list(CORE)
    assert {each.publication_id for each in version.core if not each.is_found} == {"p0", "p1", "p2"}
    assert all(each.reason for each in version.core)
    assert {each.kind for each in version.terms} == {"OR", "term"}
    assert [each.depth for each in version.terms] == [0, 1, 1]


def test_the_second_time_is_the_same(workspace: Workspace) -> None:
    first = reported(gather_quality(workspace, TOPIC, ["baseline", "review"]))
    assert reported(gather_quality(workspace, TOPIC, ["baseline", "review"])) == first


def test_settings_change_what_is_gathered(workspace: Workspace) -> None:
    facts = gather_quality(workspace, TOPIC, ["review"], settings=EvaluationSettings(beta=1))
    assert facts.versions[0].evaluation.settings.beta == 1
    assert "F1 with decay" in said_in(reported(facts))


def test_published_choices_are_not_compared(workspace: Workspace) -> None:
    settings = EvaluationSettings(compat="litqeval-2024")
    facts = gather_quality(workspace, TOPIC, ["baseline", "review"], settings=settings)
    assert facts.comparison is None
    assert "compat reproduces" in facts.notes[-1]
    assert "are not compared" in said_in(reported(facts))


def test_without_vectors_what_was_found_is_reported(tmp_path: Path) -> None:
    with opened(tmp_path / "bare", models=()) as workspace:
        facts = gather_quality(workspace, TOPIC, ["baseline", "review"])
    assert facts.embedder.embedder == ""
    assert facts.landscape is None
    assert facts.honesty is None
    baseline = facts.versions[0]
    assert baseline.evaluation.recall == 5 / 8
    assert len(baseline.unscored_ids) == baseline.evaluation.n_retrieved == 27
    assert baseline.terms
    said = said_in(reported(facts))
    assert "“baseline” has no score" in said
    assert re.search(r"can't be determined [^.]* F2 \(Cosine\): “baseline” and “review”\.", said)


def test_without_a_landscape_there_is_none(tmp_path: Path) -> None:
    few = Version("few", 1, ids_of(0, 2))
    with Workspace.open(tmp_path / "few") as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(publications(ids_of(0, 2)))
            workspace.save_topic(TOPIC, ("p0",), [few])
        workspace.add_vectors(write_npz(tmp_path / "v.npz", ids_of(0, 2), toy_vectors(ids_of(0, 2))), MODEL)
        facts = gather_quality(workspace, TOPIC, ["few"])
    assert facts.landscape is None
    assert facts.changed_decisions == {}
    assert facts.versions[0].rows.points is None
    document = reported(facts)
    assert "only 1 core publication" in said_in(document)
    assert {figure.name for figure in document.figures} == {"versions-recall", "versions-f-beta"}


def test_nothing_retrieved_is_reported(tmp_path: Path) -> None:
    versions = (Version("nothing", 1, ()), Version("all", 2, ids_of(0, 40)))
    with opened(tmp_path / "none", versions=versions) as workspace:
        facts = gather_quality(workspace, TOPIC, ["nothing", "all"])
    nothing = facts.versions[0]
    assert nothing.evaluation.recall == 0
    assert nothing.rows.n_retrieved == 0
    assert "“nothing” retrieves nothing" in said_in(reported(facts))
    assert "has a higher" not in said_in(reported(facts))


def test_a_text_that_is_not_read_explains_nothing(tmp_path: Path) -> None:
    versions = (
        Version("no text", 1, ids_of(3, 30), text=""),
        Version("question", 2, ids_of(3, 30), text="How does one brew tea well?"),
        Version("broken", 3, ids_of(3, 30), text='(tea AND "leaf'),
    )
    with opened(tmp_path / "texts", versions=versions) as workspace:
        facts = gather_quality(workspace, TOPIC, [version.label for version in versions])
    empty, question, broken = facts.versions
    assert empty.terms == question.terms == ()
    assert not any(each.reason or each.rescue for each in (*empty.core, *question.core))
    assert broken.terms
    assert any(each.severity == "error" for each in broken.findings)
    assert "The text of “no text” is unknown" in said_in(reported(facts))


def test_a_list_that_its_text_does_not_make_is_said_to_be_one(tmp_path: Path) -> None:
    """Brought in from outside: the text would find the missed ones here."""
    with opened(tmp_path / "outside", versions=(Version("brought", 1, ids_of(10, 30), text="tea OR leaves"),)) as ws:
        version = gather_quality(ws, TOPIC, ["brought"]).versions[0]
    reasons = [each.reason for each in version.core if each.verdict == "not_in_version"]
    assert reasons
    assert all("in the version" in reason for reason in reasons)
    assert not any(each.is_found for each in version.core if each.verdict == "not_in_version")


def test_versions_over_different_publications_are_told_apart(workspace: Workspace) -> None:
    old = workspace.run_query(TOPIC, "tea")
    with workspace.store.transaction():
        workspace.store.save_publications(publications(ids_of(0, 41))[40:])
        workspace.store.save_corpus(TOPIC, ids_of(0, 41))
    workspace.corpora.forget()
    new = workspace.run_query(TOPIC, "tea OR kettle")
    labels = [old.version.label, new.version.label]
    facts = gather_quality(workspace, TOPIC, labels)
    assert any("different publications" in note for note in facts.notes)
    said = said_in(reported(facts))
    assert "has a higher" not in said
    assert "can't be determined" in said


def test_bad_questions_are_answered_with_a_reason(workspace: Workspace) -> None:
    with refusal(InputError):
        gather_quality(workspace, TOPIC, [])
    with refusal(InputError):
        gather_quality(workspace, TOPIC, ["baseline", "baseline"])
    with pytest.raises(NotFoundError, match="no version"):
        gather_quality(workspace, TOPIC, ["stranger"])
    with pytest.raises(NotFoundError, match="no topic"):
        gather_quality(workspace, "No such topic", ["baseline"])


@pytest.mark.slow
def test_the_demo_is_reported_from_its_first_to_its_last_word(tmp_path: Path) -> None:
    """A filled example: every part has something to say, and no figure or sentence is left empty."""
    with Workspace.open(tmp_path / "demo") as workspace:
        bring_demo(workspace, landscape=ProjectionSettings(method="pca"))
        topic = next(each for each in workspace.topics() if each.made_up)
        labels = [row.version.label for row in topic.versions]
        facts = gather_quality(workspace, topic.topic_id, labels, embedder=DEMO_EMBEDDER)
    document = reported(facts)
    assert document.made_up
    assert facts.comparison is not None
    assert facts.comparison.has_ranges
    assert all(version.terms for version in facts.versions)
    assert all(each.rescue for version in facts.versions for each in version.core if not each.is_found)
    assert set(facts.changed_decisions) == {"mvee", "hull"}
    names = {figure.name for figure in document.figures}
    assert {f"{kind}-{n}" for kind in ("landscape", "curve") for n in range(1, len(labels) + 1)} <= names
    assert all(table.rows for table in document.tables)
    assert all(figure.alternative and figure.caption for figure in document.figures)
    assert "is demo data" in said_in(document)
