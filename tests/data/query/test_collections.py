"""Every published search string over real publications, against regular expressions over their raw texts."""

from __future__ import annotations

import csv
import json
import random
from functools import lru_cache
from pathlib import Path

import pytest

from core.query.explanations import failing
from core.query.match import Semantics, mask_of, match, rows_of
from core.query.parser import parse
from core.query.tree import Node
from core.types import Publication
from data.files import WorkspacePaths
from data.library.litqeval import load_litqeval
from data.query.index import CorpusIndex
from tests.core.query_oracle import Fields, fields_of, holds

pytestmark = pytest.mark.collections
both = pytest.mark.parametrize("semantics", ["literal", "stemmed"])


def strings(root: Path) -> list[str]:
    """All strings of both collections."""
    litqeval = json.loads((root / "litqeval/data/queries.json").read_text(encoding="utf-8"))
    lines = (root / "ielab_seed/topics.jsonl").read_text(encoding="utf-8").splitlines()
    found = [text for topic in litqeval for text in topic.values()]
    return [*found, *(json.loads(line)["query"] for line in lines)]


def texts(root: Path) -> dict[str, list[Publication]]:
    """The publications of every topic that has a list of texts."""
    found: dict[str, dict[str, Publication]] = {}
    for path in sorted((root / "litqeval/data/text").glob("*/*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                publication = Publication(row["id"], row["title"] or "", row["abstract"] or None)
                found.setdefault(path.parent.name, {})[row["id"]] = publication
    return {topic: list(publications.values()) for topic, publications in found.items()}


def tree(text: str) -> Node:
    root = parse(text).root
    assert root is not None
    return root


def agree(publications: list[Publication], asked: list[str], semantics: Semantics, folder: Path) -> int:
    """Compares both ways; gives back how many were retrieved in all."""
    index = CorpusIndex.open(WorkspacePaths(folder), publications)
    raw: list[Fields] = [{"title": [p.title], "abstract": [p.abstract or ""]} for p in publications]
    fields, stem, n = fields_of(raw), lru_cache(maxsize=None)(index.stem), 0
    for text in asked:
        matched = match(tree(text), index, semantics)
        slow = [holds(tree(text), each, semantics, stem, fields) for each in raw]
        if matched.root is None:
            assert set(slow) == {None}, text
            continue
        assert mask_of(matched.root, len(raw)).tolist() == slow, text
        n += len(rows_of(matched.root))
    return n


def sampled(root: Path, n: int, seed: int) -> list[Publication]:
    """Some publications of every topic."""
    known = {p.publication_id: p for publications in texts(root).values() for p in publications}
    return random.Random(seed).sample(list(known.values()), n)


@pytest.mark.slow
@both
@pytest.mark.parametrize(("n", "seed", "least"), [(30, 5, 20), (250, 6, 100)])
def test_every_string_over_some_publications(
    collections_dir: Path, tmp_path: Path, semantics: Semantics, n: int, seed: int, least: int
) -> None:
    assert agree(sampled(collections_dir, n, seed), strings(collections_dir), semantics, tmp_path) > least


@pytest.mark.slow
@both
def test_the_strings_of_a_topic_over_all_of_its_publications(
    collections_dir: Path, tmp_path: Path, semantics: Semantics
) -> None:
    litqeval = json.loads((collections_dir / "litqeval/data/queries.json").read_text(encoding="utf-8"))
    asked = {topic["baseline"].replace(" ", "_"): list(topic.values()) for topic in litqeval}
    for topic, publications in texts(collections_dir).items():
        assert agree(publications, asked[topic], semantics, tmp_path) > 0, topic


@pytest.mark.parametrize(
    ("semantics", "n_found", "n_missed", "n_by_one"), [("literal", 92, 202, 138), ("stemmed", 161, 133, 111)]
)
def test_most_missed_core_publications_of_the_reviews_fail_one_block(
    collections_dir: Path, tmp_path: Path, semantics: Semantics, n_found: int, n_missed: int, n_by_one: int
) -> None:
    """So that a sentence can usually say why. How words are matched decides more than any term."""
    loaded = load_litqeval(collections_dir / "litqeval")
    known = {p.publication_id: p for p in loaded.publications}
    counts = [0, 0, 0]
    for topic in loaded.topics:
        for version in topic.versions:
            if version.label != "slr":
                continue
            core = [known[i] for i in topic.core_ids if i in known]
            matched = match(tree(version.text), CorpusIndex.open(WorkspacePaths(tmp_path), core), semantics)
            blocks = [len(failing(matched, row).numbers) for row in range(len(core))]
            counts[0] += blocks.count(0)
            counts[1] += len(blocks) - blocks.count(0)
            counts[2] += blocks.count(1)
    assert counts == [n_found, n_missed, n_by_one]
