"""A search of a hundred terms over 50,000 publications, against regular expressions over the raw texts.

python -m tests.benchmarks.bench_query_matching
"""

from __future__ import annotations

import csv
import os
import random
import re
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from core.query.match import Semantics, combine, match, rows_of
from core.query.tree import Gap, Group, Near, Node, Term, walk
from core.types import Publication
from data.files import WorkspacePaths
from data.query.index import CorpusIndex, StoredIndex, open_or_build
from tests.benchmarks.timing import median_seconds, report
from tests.core.query_oracle import Fields, Stem, fields_of, holds

N = 50_000
N_BY_REGEX = 1_000
"""Publications that the regular expressions read; their time is extrapolated from there."""
ROUNDS = 7
BOTH: tuple[Semantics, ...] = ("literal", "stemmed")

BLOCKS = (
    """
    model models modeling modelling "process model" "business process" process* workflow "reference model" bpmn
    meta-model metamodel* "petri net" "petri nets" "process mining" ontolog* "event-driven" epc uml "activity diagram"
    "model transformation" "process-aware" "domain specific" conceptual NEAR(process,model*,3)
    """,
    """
    performance predict* "performance prediction" estimation "execution time" simulat* benchmark* energy efficiency
    "power consumption" multicore "multi-core" cache parallel* scalab* throughput latency optimi* "machine learning"
    neural regression "response time" "design space" workload* NEAR(energy,efficien*,5)
    """,
    """
    sustainab* green warehouse* logistics "supply chain" "carbon emissions" environment* tourism growth econom*
    "economic growth" "co2 emissions" causal* "panel data" "developing countries" GDP renewable "energy consumption"
    transport* cost* inventory storage "life cycle" polic* NEAR(tourism,growth,4)
    """,
    """
    method* approach* framework technique* analysis results "case study" evaluat* experiment* propose* system systems
    application* "state of the art" drug deliver* nano* particle* "software product" variability tailoring
    "best practices" quality data NEAR(stud*,show*,6)
    """,
)
"""Blocks of terms that are joined by OR; the blocks are joined by AND."""
_PART = re.compile(r'NEAR\((\S+?),(\S+?),(?:(\S+?),)?(\d+)\)|"([^"]+)"|(\S+)')


def term(text: str, *, quoted: bool = False) -> Term:
    """A word or phrase; * stands for any ending."""
    pieces = [Gap(0, None) if part == "*" else part for part in re.split(r"(\*)", text) if part]
    return Term(tuple(pieces), quoted=quoted)


def search() -> Group:
    """The blocks as a tree."""
    blocks: list[Node] = []
    for block in BLOCKS:
        terms: list[Node] = []
        for first, second, third, distance, phrase, word in _PART.findall(block):
            if distance:
                parts = tuple(term(each) for each in (first, second, third) if each)
                terms.append(Near(parts, int(distance)))
            else:
                terms.append(term(phrase or word, quoted=bool(phrase)))
        blocks.append(Group("OR", tuple(terms)))
    return Group("AND", tuple(blocks))


def sentences() -> list[tuple[str, str]]:
    """Titles and abstracts of the real collections, or generated ones."""
    root = os.environ.get("QUERYSCAPE_TEST_DATA")
    found: list[tuple[str, str]] = []
    for path in sorted(Path(root).glob("litqeval/data/text/*/*.csv")) if root else ():
        with path.open(encoding="utf-8", newline="") as file:
            found += [(row["title"] or "", row["abstract"] or "") for row in csv.DictReader(file)]
    if found:
        return found
    rng = random.Random(1)
    known = sorted({word for block in BLOCKS for word in re.findall(r"[a-z]+", block)})
    known += [f"word{i}" for i in range(20_000)]
    weights = [1 / (i + 10) for i in range(len(known))]
    return [
        (" ".join(rng.choices(known, weights, k=12)), " ".join(rng.choices(known, weights, k=180))) for _ in range(4000)
    ]


def publications() -> list[Publication]:
    """As many as wanted, each with the title of one and two halves of abstracts of others."""
    rng, texts = random.Random(7), sentences()
    out = []
    for i in range(N):
        first, second = rng.choice(texts)[1].split(". "), rng.choice(texts)[1].split(". ")
        abstract = ". ".join([*first[: len(first) // 2 + 1], *second[len(second) // 2 :]])
        out.append(Publication(f"p{i}", rng.choice(texts)[0], abstract, 1980 + i % 45))
    return out


def by_regex(root: Node, corpus: list[Publication], semantics: Semantics, stem: Stem) -> tuple[float, list[int]]:
    """The same search without an index: seconds for the whole corpus, and the rows among the first."""
    texts: list[Fields] = [{"title": [p.title], "abstract": [p.abstract or ""]} for p in corpus[:N_BY_REGEX]]
    known = fields_of(texts)
    start = time.perf_counter()
    rows = [row for row, text in enumerate(texts) if holds(root, text, semantics, stem, known)]
    return (time.perf_counter() - start) * len(corpus) / len(texts), rows


def main() -> None:
    corpus, root = publications(), search()
    n_terms = sum(not isinstance(node, Group) for node in walk(root))
    with tempfile.TemporaryDirectory() as folder:
        paths = WorkspacePaths(Path(folder))
        start = time.perf_counter()
        index = CorpusIndex.open(paths, corpus)
        built = time.perf_counter() - start
        start = time.perf_counter()
        index = CorpusIndex.open(paths, corpus)
        opened = time.perf_counter() - start
        n_words = len(index.texts.tokens)
        print(f"{N:,} publications, {n_words:,} words, {len(index.texts.vocabulary):,} different; {n_terms} terms")
        print(f"building {built:.2f} s; opening again {opened:.2f} s")
        stored = open_or_build(next((paths.root / "index").iterdir()), corpus)
        for semantics in BOTH:
            run(semantics, root, corpus, stored)


def run(semantics: Semantics, root: Group, corpus: list[Publication], stored: StoredIndex) -> None:
    """First run with no leaf remembered, one term switched off, and the brute force beside them."""
    fresh = [CorpusIndex(stored) for _ in range(ROUNDS + 1)]
    match(root, fresh.pop(), semantics)  # so that the files are in memory
    first, matched = median_seconds(lambda: match(root, fresh.pop(), semantics), rounds=ROUNDS)
    leaves = {i: matched.sets[i] for i, node in enumerate(matched.nodes) if not isinstance(node, Group)}
    switched, _ = median_seconds(lambda: combine(matched.nodes, leaves, matched.n, off=(5,)), rounds=50)
    stem = lru_cache(maxsize=None)(CorpusIndex(stored).stem)
    plain, rows = by_regex(root, corpus, semantics, stem)
    assert matched.root is not None
    found = rows_of(matched.root)
    assert found[found < N_BY_REGEX].tolist() == rows
    print(f"\n{semantics}: {len(found):,} retrieved", end="")
    report("first run", first, plain, f"regular expressions (from {N_BY_REGEX:,})")
    report("one term switched off", switched, plain, "the same")


if __name__ == "__main__":
    main()
