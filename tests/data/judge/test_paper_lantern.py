"""Paper Lantern's two files: the kinds of queries they hold, that they are pairs, how they are asked of documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.collections import Collection, Document
from core.errors import InputError
from core.judge.sampling import dimension_counts, missing_combinations, paired, sample_queries, value_of
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.importers.collection_files import pasted_queries, read_collection
from data.judge.fields import queries_of, retriever_field
from data.retrieval.collections import CollectionImportOptions, bring_collection
from data.retrieval.runs import run_retriever

pytestmark = pytest.mark.collections
AI, OTHERS = "computer_science_ai_search_queries", "computer_science_non_ai_search_queries"
COUNTS = {
    "query type": [50, 50, 40, 20, 20, 20],
    "length": [100, 50, 50],
    "problem framing": [57, 57, 54, 32],
    "specificity level": [69, 67, 64],
    "research stage": [44, 42, 41, 41, 32],
}
NAMED = {("How To", "Gap to identify"), ("Gap to identify", "Starting research")}
DOCUMENTS = tuple(
    Document(f"d{n}", title, f"This work is about {title.lower()}.")
    for n, title in enumerate(("Language model agents", "Memory architectures", "Learning with rewards", "Graphs"))
)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "ws") as opened:
        save_collection(opened.store, Collection("small", DOCUMENTS, (), ()), origin="a test")
        yield opened


@pytest.mark.parametrize("name", [AI, OTHERS])
def test_each_file_has_the_published_counts(collections_dir: Path, name: str) -> None:
    read = read_collection(collections_dir / "paperlantern" / f"{name}.json")
    queries = read.collection.queries
    assert (len(queries), read.rejected, read.notes) == (200, (), ())
    counts = dimension_counts(queries)
    assert {dimension: list(values.values()) for dimension, values in counts.items()} == COUNTS
    assert all(len(query.labels) == 5 and query.text.isascii() for query in queries)
    assert counts["length"]["Sentence"] == 100
    assert counts["problem framing"]["Gap to identify"] == counts["research stage"]["Starting research"] == 32


@pytest.mark.parametrize("name", [AI, OTHERS])
def test_the_two_combinations_that_never_occur_are_those_that_chance_does_not_explain(
    collections_dir: Path, name: str
) -> None:
    missing = missing_combinations(
        read_collection(collections_dir / "paperlantern" / f"{name}.json").collection.queries
    )
    assert {(each.first[1], each.second[1]) for each in missing if each.is_telling} == NAMED
    assert [each.first[1] for each in missing if not each.is_telling] == ["Highly technical terminology"]


def test_both_files_are_one_collection_of_pairs_with_the_same_settings(collections_dir: Path) -> None:
    collection = read_collection(collections_dir / "paperlantern").collection
    assert {name: len(ids) for name, ids in collection.splits.items()} == {AI: 200, OTHERS: 200}
    found = paired(collection.of_split(AI), collection.of_split(OTHERS))
    assert (found.is_paired, len(found.alike)) == (True, 200)
    assert found.keys[:2] == ("query_0", "query_1")
    assert all(a.labels == b.labels and a.text != b.text for a, b in found.pairs)


def test_its_keys_are_ordered_by_type_and_a_sample_has_all_types(collections_dir: Path) -> None:
    queries = read_collection(collections_dir / "paperlantern" / f"{AI}.json").collection.queries
    assert len({value_of(query, "query type") for query in queries[:20]}) == 1
    sample = dimension_counts(sample_queries(queries, 40))
    for dimension, values in dimension_counts(queries).items():
        for value, n in values.items():
            assert abs(sample[dimension].get(value, 0) - n / 5) <= 3
    assert list(sample["query type"].values()) == [10, 10, 8, 4, 4, 4]


def test_its_queries_are_asked_of_the_documents_of_another_collection(
    collections_dir: Path, workspace: Workspace
) -> None:
    lantern = str(collections_dir / "paperlantern")
    with pytest.raises(InputError, match="no documents"):
        retriever_field(workspace, lantern, ["bm25"], split=AI)
    field = retriever_field(workspace, lantern, ["bm25"], k=2, split=AI, documents="small")
    assert len(field.queries) == 200
    assert {each.doc_id for each in field.candidates} <= {document.doc_id for document in DOCUMENTS}
    assert max(Counter((each.engine, each.query_id) for each in field.candidates).values()) == 2
    assert any('"paperlantern"' in note and '"small"' in note for note in field.notes)
    again = retriever_field(workspace, "small", ["bm25"], k=2, queries=queries_of(workspace, lantern, AI))
    assert again.candidates == field.candidates


def test_it_becomes_a_collection_with_those_documents_for_which_a_run_is_one_and_the_same(
    collections_dir: Path, workspace: Workspace
) -> None:
    from core.retrieval.specs import read_spec
    from data.retrieval.collections import open_collection

    lantern = str(collections_dir / "paperlantern")
    bring_collection(workspace, lantern, CollectionImportOptions(name="lantern", documents="small"))
    field = retriever_field(workspace, "lantern", ["bm25"], k=3)
    assert len(field.queries) == 400
    saved = run_retriever(workspace, open_collection(workspace, "lantern"), read_spec("bm25"))
    first = field.candidates[0]
    assert saved.run.ranking(first.query_id).doc_ids[0] == first.doc_id


def test_it_can_be_pasted(collections_dir: Path) -> None:
    path = collections_dir / "paperlantern" / f"{AI}.json"
    assert pasted_queries(path.read_text("utf-8")).queries == read_collection(path).collection.queries
