"""Small collections and runs for tests of what keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query, Run
from data.collections import SavedRun

SOUP = Collection(
    "soup",
    (Document("d2", "Broth", "Of bones."), Document("d1", "", "Soup ☕ of leeks"), Document("d3", "Stew", "")),
    (Query("q1", "leek soup", (("kind", "few words"), ("by", "cook"))), Query("q2", "bones"), Query("q3", "")),
    (Judgment("q1", "d1", 2), Judgment("q1", "d9", 1), Judgment("q2", "d2", 0), Judgment("q9", "d2", -1)),
    {"tune": ("q2",), "test": ("q3", "q1")},
)

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
labels = st.lists(st.tuples(any_text, any_text), max_size=2).map(tuple)


@st.composite
def collections(draw: st.DrawFn, name: str = "drawn") -> Collection:
    """Any collection, odd ones too: judgments of what is not there, empty texts, no documents."""
    doc_ids = draw(st.lists(any_text, unique=True, max_size=5))
    query_ids = draw(st.lists(any_text, unique=True, max_size=4))
    relevance = st.integers(-(2**63) + 1, 2**63 - 1)
    some = st.lists(st.sampled_from(query_ids or [""]), max_size=3).map(tuple)
    judgments = draw(st.lists(st.builds(Judgment, any_text, any_text, relevance), max_size=5))
    return Collection(
        name,
        tuple(Document(i, draw(any_text), draw(any_text)) for i in doc_ids),
        tuple(Query(i, draw(any_text), draw(labels)) for i in query_ids),
        tuple(judgments),
        draw(st.dictionaries(any_text, some, max_size=2)),
        draw(st.booleans()),
    )


def same_collection(a: Collection, b: Collection) -> bool:
    """Whether two collections are equal in everything."""
    parts = ("name", "documents", "queries", "judgments", "made_up")
    return all(getattr(a, part) == getattr(b, part) for part in parts) and list(a.splits.items()) == list(
        b.splits.items()
    )


def saved_run(run_id: str = "r1", *, n_done: int = 2, doc_ids: Sequence[str] = ("d2", "d1", "d3")) -> SavedRun:
    """A run over the soup, of which so many queries are done."""
    answers = [
        ("q1", np.array([1, 0]), np.array([0.1 + 0.2, -1e300])),
        ("q2", np.array([], dtype=np.int64), np.array([])),
        ("q3", np.array([2]), np.array([np.nextafter(1, 2)])),
    ][:n_done]
    return SavedRun(
        run_id=run_id,
        collection="soup",
        split=None,
        spec_text="bm25:k1=0.9",
        label="BM25, tuned",
        run=Run.of("a run", doc_ids, answers),
        n_queries=3,
        stages_ms={"all": np.array([1.5, np.nan, 0.25])[:n_done], "embed the query": np.zeros(n_done)},
        index_seconds=0.5,
        index_bytes=2**40,
        n_failed=3,
        notes=("English stop words and stems",),
        made_at="2026-01-01T00:00:00+00:00",
    )


def same_run(a: SavedRun, b: SavedRun) -> None:
    """Asserts that two runs are equal, every score to the last bit."""
    plain = {"run": None, "stages_ms": {}}
    assert replace(a, **plain).__dict__ == replace(b, **plain).__dict__
    assert (a.run.name, a.run.query_ids, a.run.doc_ids) == (b.run.name, b.run.query_ids, b.run.doc_ids)
    for part in ("starts", "rows", "scores"):
        x, y = getattr(a.run, part), getattr(b.run, part)
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(x, y)
    assert list(a.stages_ms) == list(b.stages_ms)
    for stage, times in a.stages_ms.items():
        np.testing.assert_array_equal(times, b.stages_ms[stage])
