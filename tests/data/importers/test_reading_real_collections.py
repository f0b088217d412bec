"""The real collections as they were published: every document, query and judgment, and their oddities."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.collections import Collection, check, renumbered
from data.importers.collection_files import read_collection

pytestmark = pytest.mark.collections


def counts(collection: Collection) -> tuple[int, int, int]:
    return len(collection.documents), len(collection.queries), len(collection.judgments)


def test_cranfield_and_its_numbering_trap(collections_dir: Path) -> None:
    found = read_collection(collections_dir / "cranfield_trec")
    made = found.collection
    assert (counts(made), found.rejected, found.notes) == ((1400, 225, 1837), (), ())
    assert Counter(judgment.relevance for judgment in made.judgments) == {1: 1611, 0: 225, 3: 1}
    odd = {oddity.kind: oddity for oddity in check(made)}
    assert next(iter(odd)) == "numbering"
    assert "152 of 225 query ids" in odd["numbering"].sentence
    assert "150 of those" in odd["numbering"].sentence
    assert "1 to 225" in odd["numbering"].fix
    assert (odd["queries_without_judgments"].n, odd["judged_without_query"].n) == (73, 73)
    assert (odd["documents_empty"].n, odd["documents_empty"].examples) == (2, ("471", "995"))
    mended = renumbered(made)
    assert mended.query_ids == tuple(str(n) for n in range(1, 226))
    assert [query.text for query in mended.queries] == [query.text for query in made.queries]
    assert [oddity.kind for oddity in check(mended)] == ["relevance_levels", "documents_empty"]


def test_cranfield_as_smart_has_it_is_the_same(collections_dir: Path) -> None:
    smart = read_collection(collections_dir / "cranfield_smart")
    trec = read_collection(collections_dir / "cranfield_trec").collection
    assert counts(smart.collection) == (1400, 225, 0)
    assert smart.notes == ()  # that there are no judgments is said once, by the checker
    assert [query.text.split() for query in smart.collection.queries] == [query.text.split() for query in trec.queries]
    # The text of three documents holds lines that look like tags; they are left out here and kept there.
    tags = {".A", ".B", ".W"}
    differing = [
        ours.doc_id
        for ours, theirs in zip(smart.collection.documents, trec.documents, strict=True)
        if ours.whole.split() != [word for word in theirs.whole.split() if word not in tags]
    ]
    assert differing == []


def test_medline_has_no_titles(collections_dir: Path) -> None:
    found = read_collection(collections_dir / "medline")
    assert counts(found.collection) == (1033, 30, 696)
    assert all(document.text and not document.title for document in found.collection.documents)
    assert [oddity.kind for oddity in check(found.collection)] == ["documents_without_title"]
    assert (found.rejected, found.notes) == ((), ())


def test_paper_lantern_labels(collections_dir: Path) -> None:
    found = read_collection(collections_dir / "paperlantern")
    made = found.collection
    assert (counts(made), found.rejected) == ((0, 400, 0), ())
    assert [len(ids) for ids in made.splits.values()] == [200, 200]
    for split in made.splits:
        labels = Counter(label for query in made.of_split(split) for label in query.labels)
        of_name: dict[str, list[int]] = {}
        for (name, _), n in labels.items():
            of_name.setdefault(name, []).append(n)
        assert {name: sorted(ns, reverse=True) for name, ns in of_name.items()} == {
            "query type": [50, 50, 40, 20, 20, 20],
            "length": [100, 50, 50],
            "problem framing": [57, 57, 54, 32],
            "specificity level": [69, 67, 64],
            "research stage": [44, 42, 41, 41, 32],
        }
    assert read_collection(next((collections_dir / "paperlantern").glob("*_non_ai_*"))).collection.splits == {}
