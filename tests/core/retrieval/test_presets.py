"""Retrievers of the literature: each can be written and read, and what is published of it holds together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.retrieval.leaderboard import (
    KNOWLEDGE_BASES,
    PUBLISHED,
    PUBLISHED_METRICS,
    QUERY_PARTS,
    SECONDS,
    PublishedRow,
    published,
    published_for,
)
from core.retrieval.specs import PRESETS, read_spec

NAMES = [preset.name for preset in PRESETS]
RERANKERS = {"Claude reranker", "GPT-4 reranker"}


def test_names_are_unique_and_only_what_needs_nothing_says_so() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert [preset.name for preset in PRESETS if preset.needs == "nothing"] == ["BM25"]


@pytest.mark.parametrize("preset", PRESETS, ids=NAMES)
def test_a_preset_is_told_in_words_and_its_spec_is_read_back(preset) -> None:  # type: ignore[no-untyped-def]
    assert preset.needs
    assert preset.reference
    assert preset.sentence.endswith(".")
    if preset.spec is None:
        assert "encoders" in preset.needs or "only published" in preset.needs
        return
    assert preset.spec.label == preset.name
    assert replace(read_spec(preset.spec.text), name=preset.spec.name) == preset.spec
    named = preset.spec.model or preset.spec.embedder
    assert named is None or preset.model in named


def test_every_retriever_is_published_on_all_knowledge_bases() -> None:
    for base in KNOWLEDGE_BASES:
        for part in QUERY_PARTS:
            there = {row.retriever for row in PUBLISHED if (row.knowledge_base, row.part) == (base, part)}
            assert there == (set(NAMES) - RERANKERS if part == "synthesized" else set(NAMES))
    assert len(PUBLISHED) == 3 * (10 + 12 + 12)


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row.retriever}-{row.knowledge_base}-{row.part}")
def test_what_is_printed_can_be_true(row: PublishedRow) -> None:
    """A first place counts for hit@5 and, in full, for the reciprocal rank."""
    hit_1, hit_5, _, mrr = row.percent
    assert all(0 < value < 100 for value in row.percent)
    assert hit_1 <= hit_5
    assert row.source.startswith("arXiv 2404.13207, Table ")
    if row.oddity:
        assert mrr < hit_1
        assert row.share("mrr") is None
        assert row.share("hit@1") == pytest.approx(hit_1 / 100)
    else:
        assert hit_1 <= mrr <= hit_1 + (100 - hit_1) / 2


def test_one_printed_value_cannot_be_true_and_is_left_out() -> None:
    odd = [(row.retriever, row.knowledge_base, row.part) for row in PUBLISHED if row.oddity]
    assert odd == [("BM25", "STaRK-Amazon", "human-generated")]


@pytest.mark.parametrize(
    ("retriever", "base", "part", "percent"),
    [
        ("multi-ada-002", "STaRK-Prime", "synthesized", (15.10, 33.56, 38.05, 23.49)),
        ("GPT-4 reranker", "STaRK-Prime", "synthesized, 10 %", (18.28, 37.28, 34.05, 26.55)),
        ("GritLM-7b", "STaRK-Prime", "human-generated", (25.51, 41.84, 48.10, 34.28)),
        ("QAGNN", "STaRK-Amazon", "synthesized", (26.56, 50.01, 52.05, 37.75)),
        ("voyage-large-2-instruct", "STaRK-MAG", "synthesized", (30.06, 50.58, 50.49, 39.66)),
        ("Claude reranker", "STaRK-MAG", "synthesized, 10 %", (36.54, 53.17, 48.36, 44.15)),
    ],
)
def test_rows_are_as_other_papers_cite_them(retriever, base, part, percent) -> None:  # type: ignore[no-untyped-def]
    row = published(retriever, base, part)
    assert row is not None
    assert row.percent == percent
    assert [row.share(metric) for metric in PUBLISHED_METRICS] == pytest.approx([value / 100 for value in percent])


@pytest.mark.parametrize(
    ("retriever", "average"),
    [
        ("DPR", 1.40),
        ("QAGNN", 1.65),
        ("ada-002", 2.83),
        ("multi-ada-002", 2.97),
        ("Claude reranker", 26.33),
        ("GPT-4 reranker", 25.05),
    ],
)
def test_seconds_agree_with_the_averages_printed_beside_them(retriever: str, average: float) -> None:
    assert sum(SECONDS[retriever]) / 3 == pytest.approx(average, abs=0.0051)
    assert published(retriever, "STaRK-Prime", "human-generated").seconds == SECONDS[retriever][2]  # type: ignore[union-attr]


def test_rows_stand_only_beside_the_collection_they_were_measured_on() -> None:
    assert {row.knowledge_base for row in published_for("STaRK-MAG")} == {"STaRK-MAG"}
    assert {row.part for row in published_for("stark amazon", "test")} == {"synthesized"}
    assert {row.part for row in published_for("stark_qa_human_generated_eval of stark_prime")} == {"human-generated"}
    for other in ("cranfield", "stark magazine", "magazine", "prime", "stark_prime_and_mag"):
        assert published_for(other) == ()
    assert published_for("cranfield", "human") == published_for("stark_prime", "train") == ()
