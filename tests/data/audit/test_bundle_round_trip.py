"""A bundle that is written, read and rebuilt is the same to the last byte; one that was edited with its sums is not."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audit.quality_facts import QualityFacts
from core.errors import InputError
from core.query.translation import read_documents
from core.settings import EvaluationSettings
from data.audit.bundle import rebuild, write_bundle
from data.audit.bundle_archive import LOCK, MANIFEST, QUALITY, json_bytes
from data.store import content_hash
from tests import bundle_cases as cases
from tests.audit_cases import audit_facts, without_results


@pytest.fixture(scope="module")
def quality() -> QualityFacts:
    return cases.facts()


@pytest.fixture(scope="module")
def content(quality: QualityFacts) -> bytes:
    return cases.bundle_bytes(quality)


def _no_results() -> QualityFacts:
    facts = without_results()
    core = facts.versions[0].evaluation.core_ids
    version = replace(facts.versions[0], retrieved_hash=content_hash(()))
    return replace(facts, versions=(version,), core_hash=content_hash(core))


def test_the_same_facts_are_the_same_bytes(quality: QualityFacts, content: bytes) -> None:
    cases.facts.cache_clear()
    assert cases.bundle_bytes(cases.facts()) == content
    assert cases.bundle_bytes(cases.read(content).quality) == content


@pytest.mark.parametrize(
    "make",
    [
        lambda: cases.facts(1),
        lambda: cases.facts(3),
        lambda: cases.facts(settings=EvaluationSettings(cosine_mode="best", beta=1, min_core_share=0.4)),
        lambda: cases.facts(settings=EvaluationSettings(cosine_mode="least_similar_core", decay_limit=100)),
        lambda: cases.facts(settings=EvaluationSettings(cosine_mode="fixed", min_similarity=0.3)),
        lambda: cases.facts(settings=EvaluationSettings(cosine_mode="quantile", quantile=0.25)),
        lambda: cases.facts(n_core=6),
        cases.with_unscored,
        cases.without_vectors,
        _no_results,
    ],
)
def test_everything_comes_out_as_it_was(make: Callable[[], QualityFacts]) -> None:
    written = cases.bundle_bytes(make())
    rebuilt = rebuild(cases.read(written))
    assert rebuilt.differing_scores == ()
    assert rebuilt.differing == ()
    assert rebuilt.largest_difference <= 1e-9
    files = cases.members(written)
    assert set(rebuilt.tables) == {name for name in files if name.endswith(".csv")}
    assert all(rebuilt.tables[name] == files[name] for name in rebuilt.tables)
    assert [document.kind for document in rebuilt.documents] == ["prisma-s", "press", "quality"]


def test_numbers_are_kept_to_the_last_digit(quality: QualityFacts, content: bytes) -> None:
    again = cases.read(content).quality
    for before, after in zip(quality.versions, again.versions, strict=True):
        assert np.array_equal(before.rows.similarities, after.rows.similarities)
        assert before.rows.points is not None
        assert after.rows.points is not None
        assert np.array_equal(before.rows.points, after.rows.points)
        assert before.rows.titles == after.rows.titles
        assert before.evaluation.sensitivity == after.evaluation.sensitivity
        assert before.evaluation.recall_interval == after.evaluation.recall_interval
        for kind, scores in before.evaluation.regions.items():
            assert scores.f_beta == after.evaluation.regions[kind].f_beta
            assert dict(scores.defines) == dict(after.evaluation.regions[kind].defines)
    assert quality.comparison is not None
    assert again.comparison is not None
    assert quality.comparison.differences == again.comparison.differences


EVALUATIONS = [("versions", n, "evaluation") for n in range(2)]
REGIONS = (*EVALUATIONS[0], "regions")
CORE_HASH = ("core_hash",)
RECALL = (*EVALUATIONS[1], "recall")


def _edited(content: bytes, path: tuple[Any, ...], value: Any) -> bytes:
    """A bundle in whose facts another value stands at a path."""

    def change(told: Any) -> None:
        for step in path[:-1]:
            told = told[step]
        told[path[-1]] = value(told[path[-1]]) if callable(value) else value

    return cases.resealed(content, cases.with_json(QUALITY, change))


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ((*REGIONS, "cosine", "f_beta"), 0.99, "F-beta"),
        (RECALL, 1.0, "core recall"),
        ((*EVALUATIONS[1], "recall_interval"), [0.9, 1.0], "interval"),
        (
            EVALUATIONS[0],
            lambda old: old | {"found_core_ids": old["core_ids"], "missed_core_ids": []},
            "core publications that were",
        ),
        ((*REGIONS, "mvee", "n_relevant"), lambda old: old + 5, "Ellipsoid"),
        ((*REGIONS, "cluster", "semantic_precision"), 0.999, "Cluster"),
        (("comparison", "differences", 0, "difference"), 0.5, "version 2 minus version 1 in recall"),
        (("comparison", "differences", 0, "sentence"), "version 2 is far better.", "its sentence"),
        (("comparison", "pairs", 0, "n_both"), 3, "as sets"),
        (CORE_HASH, "0" * 16, "do not match"),
        ((*EVALUATIONS[0], "n_core_with_vectors"), 3, "with a vector"),
    ],
)
def test_a_score_that_was_edited_with_its_sums_is_found_out(
    content: bytes, path: tuple[Any, ...], value: Any, words: str
) -> None:
    rebuilt = rebuild(cases.read(_edited(content, path, value)))
    assert any(words in sentence for sentence in rebuilt.differing_scores), rebuilt.differing_scores
    if path != CORE_HASH:
        assert QUALITY in rebuilt.differing
    truth = rebuild(cases.read(content))
    assert rebuilt.tables["results/1/results.csv"] == truth.tables["results/1/results.csv"]


def test_how_far_a_score_was_edited_is_said(content: bytes) -> None:
    truth = cases.read(content).quality.versions[1].evaluation.recall
    assert rebuild(cases.read(_edited(content, RECALL, 1.0))).largest_difference == pytest.approx(1 - truth)


@pytest.mark.parametrize("kind", [".csv", ".svg", ".md", LOCK, "README.txt", "queries/1-version-1.json"])
def test_a_file_that_does_not_follow_from_the_facts_is_named(content: bytes, kind: str) -> None:
    name = next(name for name in cases.members(content) if name.endswith(kind))

    def edit(files: dict[str, bytes]) -> None:
        files[name] = files[name].replace(b"1", b"7", 1) if kind == LOCK else files[name] + b" "

    rebuilt = rebuild(cases.read(cases.resealed(content, edit)))
    assert rebuilt.differing == (name,)


def test_a_similarity_that_was_edited_is_found_out(content: bytes) -> None:
    """The least similar publication becomes the most similar one of those that are not relevant."""

    def edit(files: dict[str, bytes]) -> None:
        array = files["results/1/similarities.npy"]
        files["results/1/similarities.npy"] = array[:128] + b"\0\0\x80\x3f" * ((len(array) - 128) // 4)

    rebuilt = rebuild(cases.read(cases.resealed(content, edit)))
    assert any("Cosine, relevant publications" in sentence for sentence in rebuilt.differing_scores)


def test_what_can_not_be_rebuilt_is_named_in_sentences(content: bytes) -> None:
    sentences = rebuild(cases.read(content)).taken_over
    assert len(sentences) == len(set(sentences)) >= 6
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)
    for words in ("threshold of Cosine", "vector regions", "resampling", "term", "landscape", "can be read"):
        assert any(words in sentence for sentence in sentences), words
    assert any(cases.MADE_WITH in sentence for sentence in sentences), "another version may word reports otherwise"
    of_unscored = rebuild(cases.read(cases.bundle_bytes(cases.with_unscored()))).taken_over
    assert any("without a vector" in sentence for sentence in of_unscored)


def test_abstracts_are_left_out_unless_handed_in(content: bytes, quality: QualityFacts) -> None:
    secret = "An abstract that nobody may hand on."
    assert not any(b"abstracts" in name.encode() for name in cases.members(content))
    written = cases.bundle_bytes(quality, abstracts={quality.versions[0].rows.ids[0]: secret})
    bundle = cases.read(written)
    assert bundle.abstracts is not None
    assert list(bundle.abstracts.values()) == [secret]
    assert secret.encode() in cases.members(written)["abstracts.csv"]
    assert rebuild(bundle).differing == ()


def test_results_hold_everything_that_was_retrieved_and_the_core_that_was_missed() -> None:
    quality = cases.with_unscored()
    version = quality.versions[0]
    text = cases.members(cases.bundle_bytes(quality))["results/1/results.csv"].decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["publication_id"] for row in rows} == {*version.rows.ids, *version.unscored_ids, "no-vector-missed"}
    assert len(rows) == len(version.rows.ids) + 3
    by_id = {row["publication_id"]: row for row in rows}
    assert by_id["no-vector-found"]["core"] == by_id["no-vector-found"]["retrieved"] == "1"
    assert by_id["no-vector-other"]["similarity"] == by_id["no-vector-other"]["cosine"] == ""
    assert by_id["no-vector-missed"]["retrieved"] == "0"
    similarities = [float(row["similarity"]) for row in rows[: version.rows.n_retrieved]]
    assert similarities == sorted(similarities, reverse=True)
    assert sum(int(row["cosine"] or 0) for row in rows) == version.evaluation.regions["cosine"].n_relevant


def test_cells_run_no_formula_and_hold_six_digits(content: bytes) -> None:
    text = cases.members(content)["results/1/results.csv"].decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    titles = {row["title"] for row in rows}
    assert {"'=1+1", "'@SUM(A1)"} <= titles
    assert all(
        len(row["similarity"].lstrip("-0.").replace(".", "")) <= 6 for row in rows if "e" not in row["similarity"]
    )


def test_the_lock_holds_what_the_same_numbers_need(content: bytes, quality: QualityFacts) -> None:
    lock = json.loads(cases.members(content)[LOCK])
    assert lock["embedder"]["fingerprint"] == quality.embedder.fingerprint
    assert lock["landscape"]["settings"]["seed"] == 0
    assert lock["versions"][0]["settings"]["decay_onset"] == 1.5
    assert lock["versions"][0]["settings"]["seed"] == 0
    assert lock["versions"][0]["retrieved_hash"] == quality.versions[0].retrieved_hash
    search = audit_facts().searches[0]
    assert lock["searches"][0]["text"] == search.text
    assert lock["searches"][0]["sent"] == list(search.sent)
    assert lock["searches"][0]["began"] == search.began
    assert lock["searches"][0]["n_total"] == search.n_total
    assert lock["software"].items() >= dict(audit_facts().software).items()
    assert lock["corpus"]["hash"] == quality.corpus_hash
    assert lock["python"].startswith("3.")


def test_queries_are_read_by_whatever_reads_searches(content: bytes, quality: QualityFacts) -> None:
    files = cases.members(content)
    names = [name for name in files if name.startswith("queries/")]
    assert names == ["queries/1-version-1.json", "queries/2-version-2.json"]
    (document,) = read_documents(files[names[0]].decode())
    assert document.search_string == quality.versions[0].text
    assert document.dialect == "pubmed"
    assert document.database == ("PubMed",)
    assert document.date == {"data_entry": "2026-05-04"}


def test_the_files_explain_themselves(content: bytes) -> None:
    files = cases.members(content)
    text = files.pop("README.txt").decode()
    for name in files:
        folder = name.split("/")[0]
        assert folder in text, name
    assert "made up" in text
    assert max(map(len, text.splitlines())) <= 120


def test_arrays_are_read_by_numpy(content: bytes, quality: QualityFacts) -> None:
    files = cases.members(content)
    rows = quality.versions[0].rows
    for name, array in {"similarities": rows.similarities, "points": rows.points, "core_mask": rows.core_mask}.items():
        assert array is not None
        assert np.array_equal(np.load(io.BytesIO(files[f"results/1/{name}.npy"]), allow_pickle=False), array)


def test_an_audit_is_handed_in_by_its_parts(quality: QualityFacts) -> None:
    one = replace(cases.documents(quality)[0], kind="audit")
    with pytest.raises(InputError, match="parts"):
        write_bundle(io.BytesIO(), audit_facts(), quality, [one], made_at=cases.MADE_AT)
    with pytest.raises(InputError, match="review"):
        write_bundle(io.BytesIO(), audit_facts(), quality, cases.documents(quality), made_at=cases.MADE_AT)


def test_no_reports_is_a_bundle_too(quality: QualityFacts) -> None:
    out = io.BytesIO()
    summary = write_bundle(out, audit_facts(), quality, [], made_at=cases.MADE_AT)
    assert summary.n_bytes == len(out.getvalue())
    assert summary.n_files == len(cases.members(out.getvalue()))
    assert rebuild(cases.read(out.getvalue())).differing == ()


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_a_number_that_was_changed_anywhere_in_the_scores_is_noticed(data: st.DataObject) -> None:
    """Whatever recall, precision, decay or F-beta says, the arrays say better."""
    content = _CONTENT
    value = json.loads(cases.members(content)[QUALITY])
    version = data.draw(st.sampled_from(value["versions"]))
    kind = data.draw(st.sampled_from(sorted(version["evaluation"]["regions"])))
    field = data.draw(st.sampled_from(["semantic_precision", "decay", "recall_used", "f_beta"]))
    scores = version["evaluation"]["regions"][kind]
    change = data.draw(st.floats(1e-6, 0.5))
    if scores[field] is None:
        return
    scores[field] += change
    rebuilt = rebuild(cases.read(cases.resealed(content, lambda files: files.update({QUALITY: json_bytes(value)}))))
    assert rebuilt.differing_scores
    assert QUALITY in rebuilt.differing
    assert rebuilt.largest_difference == pytest.approx(change)


_CONTENT = cases.bundle_bytes(cases.facts())
assert MANIFEST in cases.members(_CONTENT)
