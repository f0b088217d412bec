"""Retrievers over 100,000 made-up documents, beside bm25s and a plain numpy argsort, all in one run.

python -m tests.benchmarks.bench_retrieval
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bm25s
import numpy as np

from core.collections import Document, Query
from core.protocols import silent
from core.retrieval.bm25 import Bm25Retriever, gains, idf
from core.retrieval.specs import Spec
from data.retrieval.bm25 import Analysis, open_bm25
from data.retrieval.collections import RetrievalCorpus
from tests.benchmarks import made_up

N = 100_000
N_QUERIES = 300
K = 100
Answer = Callable[[Query], object]


@dataclass(frozen=True)
class Measured:
    """One retriever."""

    name: str
    index_seconds: tuple[float, float] | None
    """By the clock, and of all processors; None: it is not asked for."""
    milliseconds: np.ndarray
    """Of each query, by the clock and of the processor."""

    def at(self, percent: float, column: int = 0) -> float:
        """The time within which so many per cent are answered."""
        return float(np.percentile(self.milliseconds[:, column], percent))


def clocks() -> np.ndarray:
    """By the clock, and of all processors: on a busy machine the second tells more."""
    return np.array([time.perf_counter(), time.process_time()])


def timed(name: str, index_seconds: tuple[float, float] | None, queries: Sequence[Query], answer: Answer) -> Measured:
    """Every query by itself; a few before, so that files are in memory."""
    for query in queries[:10]:
        answer(query)
    found = []
    for query in queries:
        start = clocks()
        answer(query)
        found.append((clocks() - start) * 1e3)
    return Measured(name, index_seconds, np.array(found))


def by_bm25s(documents: Sequence[Document], queries: Sequence[Query]) -> Measured:
    """Cut by our own analysis, which is not part of its time; Lucene's form, the same k1 and b."""
    analysis = Analysis("english")
    texts = [analysis.cut(document.whole) for document in documents]
    asked = {query.query_id: [analysis.cut(query.text)] for query in queries}
    start = clocks()
    model = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    model.index(texts, show_progress=False)
    seconds = clocks() - start
    return timed(
        "bm25s (texts already cut)",
        (seconds[0], seconds[1]),
        queries,
        lambda query: model.retrieve(asked[query.query_id], k=K, show_progress=False),
    )


def by_argsort(counted: Bm25Retriever, queries: Sequence[Query]) -> Measured:
    """What BM25 takes without a heap or partition: add up what is worked out beforehand, sort every document."""
    index, cut = counted.index, Analysis("english").cut
    n_holding = np.diff(index.starts)
    rarity = np.repeat([idf(n, index.n) for n in n_holding.tolist()], n_holding)
    worth = rarity * gains(np.asarray(index.counts), index.norms[index.rows], k1=index.k1)

    def answer(query: Query) -> object:
        total = np.zeros(index.n)
        for term in cut(query.text):
            if (number := index.numbers.get(term)) is not None:
                part = slice(index.starts[number], index.starts[number + 1])
                total[index.rows[part]] += worth[part]
        return np.argsort(-total, kind="stable")[:K]

    return timed("numpy argsort", None, queries, answer)


def bm25(folder: Path) -> list[Measured]:
    """Ours, by tantivy and by our own counts, and the others."""
    documents = tuple(made_up.documents(N))
    queries = made_up.queries(N_QUERIES)
    corpus = RetrievalCorpus(documents, "made-up", folder)
    found = []
    for name, spec in (("ours, tantivy", Spec("bm25")), ("ours, own counts", Spec("bm25", k1=1.2 + 1e-9))):
        start = clocks()
        opened = open_bm25(corpus, spec, silent)
        seconds = clocks() - start
        retriever = opened.retriever
        found.append(timed(name, (seconds[0], seconds[1]), queries, lambda query, r=retriever: r.search(query, K)))
        print(f"{name}: {(opened.index_bytes or 0) / 1e6:,.1f} MB on disk")
    assert isinstance(retriever, Bm25Retriever)
    long_one = Query("long", " ".join(query.text for query in made_up.queries(1_250, seed=9)))
    start = time.perf_counter()
    open_bm25(corpus, Spec("bm25"), silent).retriever.search(long_one, K)
    print(f"opened again, and one query of {len(long_one.text.split()):,} words: {time.perf_counter() - start:.2f} s")
    return [*found, by_bm25s(documents, queries), by_argsort(retriever, queries)]


def show(measured: Sequence[Measured]) -> None:
    """One row each; ratios of processor time are to the first, above 1 where the first is faster."""
    heads = ("index, s", "of CPU", "p50, ms", "p95, ms", "p50 of CPU", "ratio")
    print(f"\n{'BM25':<28}" + "".join(f"{head:>12}" for head in heads))
    for one in measured:
        index = ["", ""] if one.index_seconds is None else [f"{seconds:.2f}" for seconds in one.index_seconds]
        times = [f"{one.at(50):.2f}", f"{one.at(95):.2f}", f"{one.at(50, 1):.2f}"]
        cells = [*index, *times, f"{one.at(50, 1) / measured[0].at(50, 1):.1f}"]
        print(f"{one.name:<28}" + "".join(f"{cell:>12}" for cell in cells))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(f"{N:,} documents of {made_up.N_WORDS} words, {N_QUERIES} queries of 8 words, the best {K}")
        show(bm25(Path(folder)))


if __name__ == "__main__":
    main()
