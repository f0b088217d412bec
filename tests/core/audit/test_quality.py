"""The quality report: what it holds, in which order, and that it stays truthful where there is little to say."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from core.audit.quality_facts import FindingFacts, QualityFacts, summary
from core.audit.quality_pictures import curve_of
from core.audit.quality_report import LANDSCAPE_MEANINGS, MEANINGS, MODES, quality_report
from core.metrics import METRICS, similar_mask
from core.report import Figure, Remark, ReportDocument, ReportHeading, Strategy, Table, shown
from core.settings import CosineMode, EvaluationSettings, ProjectionSettings
from tests.audit_cases import HOSTILE, STRATEGY, quality_facts, without_results


def report(facts: QualityFacts, **more: dict[str, str]) -> ReportDocument:
    return quality_report(facts, made_at="2026-05-04T08:00:00+00:00", made_with="Queryscape 1", **more)


def table(document: ReportDocument, name: str) -> Table:
    return next(each for each in document.tables if each.name == name)


def words_of(document: ReportDocument) -> str:
    return " ".join(str(getattr(block, "text", "")) for block in document.blocks)


def heads(document: ReportDocument) -> list[str]:
    """The first words of the headings of parts."""
    found = [block for block in document.blocks if isinstance(block, ReportHeading) and block.level == 2]
    return [block.text.split()[0] for block in found]


@pytest.fixture(scope="module")
def facts() -> QualityFacts:
    return quality_facts(n_versions=3)


@pytest.fixture(scope="module")
def whole(facts: QualityFacts) -> ReportDocument:
    return report(facts)


def test_parts_come_in_their_order(whole: ReportDocument) -> None:
    assert heads(whole) == [
        *("What", "Scores", "Versions", "Figures", "Core", "Terms", "Checks", "Reliability", "How", "References"),
    ]
    assert getattr(whole.blocks[0], "is_lead", False)
    assert whole.made_up


def test_every_setting_stands_there_with_its_value_and_its_meaning(facts: QualityFacts, whole: ReportDocument) -> None:
    rows = {row[0]: row for row in table(whole, "settings").rows}
    settings = facts.versions[0].evaluation.settings
    assert len(rows) == len(fields(EvaluationSettings))
    assert rows["Beta"][1] == settings.beta
    assert rows["Decay limit"][1] == 50_000
    assert all(row[1] is not None and row[2] for row in rows.values())
    assert set(MEANINGS) == {field.name for field in fields(EvaluationSettings)}
    assert set(LANDSCAPE_MEANINGS) == {field.name for field in fields(ProjectionSettings)}
    assert set(MODES) == set(CosineMode.__args__)


def test_the_strategy_is_kept_sign_by_sign(whole: ReportDocument) -> None:
    assert [block.text for block in whole.blocks if isinstance(block, Strategy)] == [STRATEGY] * 3


def test_scores_are_those_of_the_evaluation(facts: QualityFacts, whole: ReportDocument) -> None:
    rows = [row for row in table(whole, "scores").rows if row[:2] == ("version 2", "Cosine")]
    scores = facts.versions[1].evaluation.regions["cosine"]
    assert rows[0][2] == scores.n_relevant
    accepted = facts.versions[1].evaluation.core_accepted("cosine")
    assert rows[0][3] == accepted == scores.recall_used
    assert (rows[0][4], rows[0][7]) == (scores.semantic_precision, scores.f_beta)


def test_numbers_look_alike_in_sentences_and_tables(facts: QualityFacts, whole: ReportDocument) -> None:
    said = " ".join(summary(facts))
    for row in table(whole, "core-recall").rows:
        assert all(shown(value, "number") in said for value in row[4:7])


def test_a_degenerate_region_says_so(facts: QualityFacts) -> None:
    first = facts.versions[0]
    regions = {**first.evaluation.regions}
    regions["cluster"] = replace(regions["cluster"], degenerate="it is all")
    changed = replace(first, evaluation=replace(first.evaluation, regions=regions))
    document = report(replace(facts, versions=(changed, *facts.versions[1:])))
    rows = [row for row in table(document, "scores").rows if row[:2] == ("version 1", "Cluster")]
    assert rows[0][-1] == "Meaningless: it is all"


def test_missed_core_publications_have_reasons_and_what_would_find_them(
    facts: QualityFacts, whole: ReportDocument
) -> None:
    rows = table(whole, "missed-3").rows
    assert [row[0] for row in rows] == list(facts.versions[2].evaluation.missed_core_ids)
    assert all(row[2] and row[3] for row in rows)
    found_by = [row[5] for row in table(whole, "core").rows]
    assert found_by[0] == "none"
    assert found_by[-1] == "all 3"


@pytest.mark.parametrize("title", HOSTILE)
def test_titles_stay_titles(facts: QualityFacts, title: str) -> None:
    first = facts.versions[0]
    core = tuple(replace(each, title=title) for each in first.core)
    document = report(replace(facts, versions=(replace(first, core=core),), comparison=None))
    assert {row[1] for row in table(document, "core").rows} == {title}
    assert title not in words_of(document)


def test_metrics_are_told_in_their_own_words(whole: ReportDocument) -> None:
    rows = {row[0]: row for row in table(whole, "metrics").rows}
    assert rows["F-beta"][1] == METRICS["f_beta"].sentence
    assert "True recall" not in rows


def test_abstracts_stand_there_only_if_asked_for(facts: QualityFacts) -> None:
    one = facts.versions[0].core[0].publication_id
    assert all(each.name != "core-abstracts" for each in report(facts).tables)
    asked = report(facts, abstracts={one: "Trees cool streets.", "stranger": "No core publication."})
    assert [row[0] for row in table(asked, "core-abstracts").rows] == [one]
    assert "no core publication" in words_of(report(facts, abstracts={}))


def test_a_report_of_nothing_retrieved_is_truthful() -> None:
    document = report(without_results())
    figures = {figure.name: figure.alternative for figure in document.figures}
    assert list(figures) == ["versions-recall", "versions-f-beta", "landscape-1"]
    missed = figures["landscape-1"]
    assert "0 core publications" in missed
    assert "12 missed" in missed
    assert all("No region: nothing was retrieved" in str(row[-1]) for row in table(document, "scores").rows)


def test_one_core_publication_is_a_report_all_the_same() -> None:
    document = report(quality_facts(60, n_core=1, n_found=1, ranges=False))
    assert "only 1 core publication" in words_of(document)
    assert table(document, "core").rows[0][-1] == "found"


def test_a_single_version_is_not_set_beside_others() -> None:
    document = report(quality_facts(60))
    assert "Versions" not in heads(document)
    assert {"landscape-1", "curve-1"} <= {figure.name for figure in document.figures}


def test_without_ranges_a_warning_stands_there(facts: QualityFacts) -> None:
    document = report(quality_facts(120, 2, ranges=False))
    warnings = [block.text for block in document.blocks if isinstance(block, Remark) and block.is_warning]
    assert any("no ranges yet" in text for text in warnings)
    assert any("No ranges were" in text for text in warnings)
    assert "differences-f-beta" not in {figure.name for figure in document.figures}


def test_no_vectors_and_no_text_are_said(facts: QualityFacts) -> None:
    first = facts.versions[0]
    bare = replace(first, text="", terms=(), findings=(), core=tuple(replace(c, reason="") for c in first.core))
    document = report(
        replace(facts, versions=(bare,), comparison=None, landscape=None, honesty=None, notes=("x differ",))
    )
    said = words_of(document)
    assert "The text of “version 1” is unknown" in said
    assert "“version 1” has no search" in said
    assert "string explains why" in said
    assert "no landscape, so" in said
    assert "X differ." in said


def test_the_curve_is_that_of_the_decisions(facts: QualityFacts) -> None:
    version = facts.versions[0]
    scores, curve = version.evaluation.regions["cosine"], curve_of(version)
    assert curve is not None
    cut = float(scores.defines["min_similarity"])
    kept = similar_mask(version.rows.similarities[: version.rows.n_retrieved], cut)
    row = int(np.argmax(kept))
    assert curve.f_beta[row] == pytest.approx(scores.f_beta, abs=1e-12)
    assert curve.n_relevant[row] == scores.n_relevant


def test_pictures_have_their_numbers_in_words(facts: QualityFacts, whole: ReportDocument) -> None:
    figures: dict[str, Figure] = {figure.name: figure for figure in whole.figures}
    n_relevant = facts.versions[0].evaluation.regions["cosine"].n_relevant
    for fact in (f"{n_relevant} of them relevant", "11 core publications", "5 missed"):
        assert fact in figures["landscape-1"].alternative
    assert shown(facts.versions[1].evaluation.recall, "number") in figures["versions-recall"].alternative


def test_the_same_facts_make_the_same_report(facts: QualityFacts, whole: ReportDocument) -> None:
    assert report(facts) == whole


def test_what_the_checks_say_of_several_places_stands_in_one_row(facts: QualityFacts) -> None:
    first = facts.versions[0]
    said = [FindingFacts("zero-hits", "warning", place, "No publication matches.") for place in ("icy", "snowy")]
    other = FindingFacts("zero-hits", "warning", "hail", "Something else.")
    document = report(replace(facts, versions=(replace(first, findings=(*said, other)),), comparison=None))
    assert [row[3] for row in table(document, "findings").rows] == ["icy, snowy", "hail"]


def test_notes_tell_the_threshold_used_and_how_far_an_interval_holds(
    facts: QualityFacts, whole: ReportDocument
) -> None:
    at = facts.versions[0].evaluation.regions["cosine"].defines["min_similarity"]
    assert f"Similarity threshold of Cosine: {shown(at, 'number')} for “{facts.versions[0].label}”" in (
        table(whole, "scores").note or ""
    )
    assert "random sample" in (table(whole, "core-recall").note or "")
    n_ranges = sum(row[5] is not None for row in table(whole, "differences").rows)
    assert f"The {n_ranges} ranges" in (table(whole, "differences").note or "")
    assert "None of these" in (table(whole, f"terms-{facts.versions[0].number}").note or "")
