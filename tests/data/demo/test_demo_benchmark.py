"""The made-up collection that retrievers are tried on: repeatable, labelled, and neither trivial nor impossible."""

from __future__ import annotations

import math
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from core.collections import Collection
from core.text import STOP_WORDS, words
from data.collections import list_collections, load_collection, save_collection
from data.demo import loading
from data.demo.loading import bring_benchmark
from data.demo.publications import DEMO_COLLECTION, KINDS, QUERIES, build_benchmark, load_topics, write_documents
from data.explore.workspace import Workspace
from tests.data.benchmarks import SOUP, same_collection


@pytest.fixture(scope="module")
def demo() -> Collection:
    return build_benchmark()


@pytest.fixture(scope="module")
def relevant(demo: Collection) -> dict[str, dict[str, int]]:
    """The judgments by query."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for judgment in demo.judgments:
        found[judgment.query_id][judgment.doc_id] = judgment.relevance
    return found


def test_it_is_the_same_at_every_build(demo: Collection) -> None:
    write_documents.cache_clear()
    assert same_collection(build_benchmark(), demo)


def test_everything_is_labelled_as_made_up(demo: Collection) -> None:
    assert demo.made_up
    assert demo.name == DEMO_COLLECTION
    assert all("made up" in document.whole.lower() for document in demo.documents)
    assert all(i.startswith("demo.") for i in demo.doc_ids)
    assert all(i.startswith("demo-q") for i in demo.query_ids)


def test_counts(demo: Collection) -> None:
    assert len(demo.documents) == 3000
    assert 60 <= len(demo.queries) <= 90
    kinds = Counter(dict(query.labels)["kind"] for query in demo.queries)
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 15
    topics = Counter(dict(query.labels)["topic"] for query in demo.queries)
    assert set(topics) == {topic.topic_id for topic in load_topics()}
    assert len({query.text for query in demo.queries}) == len(demo.queries)


def test_splits_share_out_the_queries_of_each_kind(demo: Collection) -> None:
    assert list(demo.splits) == ["tune", "test"]
    tune, test = (set(demo.splits[split]) for split in ("tune", "test"))
    assert tune | test == set(demo.query_ids)
    assert not tune & test
    for kind in KINDS:
        of_kind = {query.query_id for query in demo.queries if ("kind", kind) in query.labels}
        assert len(of_kind & tune) == math.ceil(len(of_kind) / 3)


def test_every_query_has_documents_on_it_and_beside_it(demo: Collection, relevant: dict[str, dict[str, int]]) -> None:
    known = set(demo.doc_ids)
    for query in demo.queries:
        grades = Counter(relevant[query.query_id].values())
        assert set(grades) == {1, 2}, query
        assert 20 <= grades[2] <= 120, query
        assert set(relevant[query.query_id]) <= known
    assert len({(j.query_id, j.doc_id) for j in demo.judgments}) == len(demo.judgments)


def test_every_sub_theme_is_asked_for(demo: Collection) -> None:
    lists = tomllib.loads(QUERIES.read_text(encoding="utf-8"))
    names = [entry["name"] for entry in lists["themes"]]
    of_topics = {theme.name: topic for topic in load_topics() for theme in topic.themes if theme.relevant}
    assert len(set(names)) == len(names)
    assert set(names) == set(of_topics)
    for entry in lists["themes"]:
        near = set(entry["near"])
        assert near <= {theme.name for theme in of_topics[entry["name"]].themes if theme.relevant} - {entry["name"]}


def test_a_query_looks_like_one(demo: Collection) -> None:
    for query in demo.queries:
        kind = dict(query.labels)["kind"]
        assert not set("{}|") & set(query.text), query
        assert query.text.endswith("?") == (kind == "question"), query
        assert query.text.endswith(".") == (kind == "sentence"), query
        assert len(query.text.split()) <= (9 if kind == "few words" else 25), query


def best_ten(demo: Collection, texts: list[Counter[str]], asked: list[str]) -> list[str]:
    """By BM25 on words as they are, found slowly."""
    scores: dict[str, float] = defaultdict(float)
    lengths = [text.total() for text in texts]
    mean = sum(lengths) / len(texts)
    for word in asked:
        holding = [(i, t[word], n) for i, t, n in zip(demo.doc_ids, texts, lengths, strict=True) if word in t]
        weight = math.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for i, n, length in holding:
            scores[i] += weight * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length / mean))
    return sorted(scores, key=lambda i: (-scores[i], i))[:10]


def ndcg(found: list[str], grades: dict[str, int]) -> float:
    def gain(values: list[int]) -> float:
        return sum(value / math.log2(place + 2) for place, value in enumerate(values))

    return gain([grades.get(i, 0) for i in found]) / gain(sorted(grades.values(), reverse=True)[:10])


def test_word_search_neither_solves_it_nor_fails(demo: Collection, relevant: dict[str, dict[str, int]]) -> None:
    """And it fails where the words are others, which is what the paraphrases are for."""
    texts = [Counter(word for word in words(d.whole) if word not in STOP_WORDS) for d in demo.documents]
    scores: dict[str, list[float]] = defaultdict(list)
    for query in demo.queries:
        asked = [word for word in words(query.text) if word not in STOP_WORDS]
        found = best_ten(demo, texts, asked)
        scores[dict(query.labels)["kind"]].append(ndcg(found, relevant[query.query_id]))
    means = {kind: sum(values) / len(values) for kind, values in scores.items()}
    overall = sum(map(sum, scores.values())) / len(demo.queries)
    assert 0.4 < overall < 0.8
    assert 0.1 < means["paraphrase"] < 0.5 < min(means["few words"], means["sentence"])


@pytest.fixture
def built_before(demo: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Building takes a second, and gives the same every time."""
    monkeypatch.setattr(loading, "build_benchmark", lambda: demo)


@pytest.mark.usefixtures("built_before")
def test_it_comes_with_the_demo_and_only_once(tmp_path: Path, demo: Collection) -> None:
    with Workspace.open(tmp_path) as workspace:
        assert bring_benchmark(workspace)
        assert not bring_benchmark(workspace)
        (row,) = list_collections(workspace.store)
        assert (row.name, row.made_up, row.labels, row.splits) == ("demo", True, ("kind", "topic"), ("tune", "test"))
        assert row.n_judged_queries == row.n_queries
        assert same_collection(load_collection(workspace.store, "demo"), demo)


@pytest.mark.usefixtures("built_before")
def test_one_that_was_made_up_otherwise_is_replaced_and_a_persons_own_is_not(tmp_path: Path, demo: Collection) -> None:
    with Workspace.open(tmp_path) as workspace:
        earlier = Collection("demo", demo.documents, demo.queries, demo.judgments[:9], made_up=True)
        save_collection(workspace.store, earlier, origin="")
        assert bring_benchmark(workspace)
        assert same_collection(load_collection(workspace.store, "demo"), demo)
        own = Collection("demo", SOUP.documents, SOUP.queries, SOUP.judgments)
        save_collection(workspace.store, own, origin="a kitchen", replace=True)
        assert not bring_benchmark(workspace)
        assert same_collection(load_collection(workspace.store, "demo"), own)
