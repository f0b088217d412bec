"""The `bm25` retriever over a corpus, with tantivy's index or exact counts."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from sys import intern
from typing import Any, Literal

import numpy as np
import tantivy

from core.collections import Document, Query, Rows
from core.protocols import OnProgress, OnStage
from core.retrieval.bm25 import K1, B, Bm25Index, Bm25Retriever, TermShare, gains, idf, length_norms, shares
from core.retrieval.retriever import NO_HITS, Hits, SequentialRetriever, Timing, best, untimed
from core.retrieval.specs import Spec
from core.text import STOP_WORDS, words
from core.types import Floats
from data.files import open_or_make
from data.query.index import mapped_arrays, prepared
from data.retrieval.collections import OpenedRetriever, RetrievalCorpus

# Splitting a text into the terms that BM25 counts, in the same way for tantivy's index, exact counts and queries.

AnalysisId = Literal["english", "words"]
LONGEST = 255
"""Maximum letters of a word that are used."""
MOST_KEPT = 500_000
"""Maximum number of words whose terms are cached."""
_PLAIN = "".join(chr(i).lower() if chr(i).isalnum() else " " for i in range(128))
"""ASCII in lower case; characters other than letters and digits separate words."""


class _Terms(dict[str, str]):
    """A cache of the term of each word; empty for one that is left out."""

    def __init__(self, term_of: Callable[[str], str]) -> None:
        self._term_of = term_of

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_KEPT:
            self.clear()
        self[word] = term = self._term_of(word[:LONGEST])
        return term


def _english() -> Callable[[str], str]:
    """Return a function from a word to its stem, or to nothing for a stop word."""
    cutter = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    analyzer = cutter.filter(tantivy.Filter.stemmer("english")).build()

    def term_of(word: str) -> str:
        # Words with the same stem share one string, which halves the memory.
        return "" if word in STOP_WORDS else intern(str((analyzer.analyze(word) or [word])[0]))

    return term_of


@dataclass(frozen=True, slots=True)
class AnalysisInfo:
    sentence: str
    """A description for readers of the results."""
    terms: Callable[[], Callable[[str], str]]
    """Creates the function from a word to its term, or to nothing for one that is left out."""


ANALYSES: dict[AnalysisId, AnalysisInfo] = {
    "english": AnalysisInfo(
        f"Words in lower case and without accents, {len(STOP_WORDS)} English stop words left out, "
        "English stems (Snowball).",
        _english,
    ),
    "words": AnalysisInfo(
        "Words in lower case and without accents; no stop words are left out, no stems are taken.",
        lambda: lambda word: word,
    ),
}


class Analysis:
    """A splitter of texts into terms: the words of `core.text.words`, each replaced by its stem or left out.

    >>> Analysis("english").cut("The naïve warehouses")
    ['naiv', 'warehous']
    >>> Analysis("words").cut("The naïve warehouses")
    ['the', 'naive', 'warehouses']
    """

    def __init__(self, analysis_id: AnalysisId) -> None:
        self.analysis_id = analysis_id
        self.sentence = ANALYSES[analysis_id].sentence
        self._terms = _Terms(ANALYSES[analysis_id].terms())

    def cut(self, text: str) -> list[str]:
        return self.joined(text).split()

    def joined(self, text: str) -> str:
        """Return the terms separated by spaces, for an index that splits there."""
        # For ASCII, which most texts are, this takes a third of the time of a regular expression.
        found = text.translate(_PLAIN).split() if text.isascii() else words(text)
        return " ".join(filter(None, map(self._terms.__getitem__, found)))


# BM25 over a collection's documents: tantivy with k1 1.2 and b 0.75, exact counts with any other values.
#
# tantivy stores a document's length in one byte, exact up to 40 terms and slightly too small above, so its scores
# differ slightly from the formula's. It also adds in 32 bits, so scores with a relative difference below 0.00001 count
# as tied.

LAYOUT = 1
"""Increased when stored indexes can't be used any more."""
TEXT, ROW = "text", "row"
CUTTER = "whitespace"
HEAP = 1_000_000_000
"""Maximum bytes that tantivy buffers before it writes a segment; it uses only what it needs."""
EVERY = 500
"""Documents between two progress reports."""
MORE = 16
"""Extra documents requested so that ties with the last one become visible."""
EXACT_LENGTH = 40
MOST_CHECKED = 1_000_000
ARRAYS = ("starts", "rows", "counts", "lengths")
TERMS = "terms.txt"


def open_bm25(corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage) -> OpenedRetriever:
    """Open the retriever over these documents; a missing index is built."""
    analysis = Analysis(spec.analysis)
    if (spec.k1, spec.b) == (K1, B):
        return _open_tantivy(corpus, analysis, on_stage)
    return _open_counts(corpus, analysis, spec, on_stage)


def _made_of(corpus: RetrievalCorpus, analysis: Analysis, by: str) -> str:
    return f"{LAYOUT} {by} {corpus.key} {analysis.sentence} {unicodedata.unidata_version} {version('tantivy')}"


def _texts(documents: Sequence[Document], order: Iterable[int], on_progress: OnProgress) -> Iterator[tuple[int, str]]:
    """Yield rows and texts one by one, so that they need not be in memory together."""
    n = len(documents)
    for i, row in enumerate(order):
        if i % EVERY == 0:
            on_progress(i, n)
        yield row, documents[row].whole
    on_progress(n, n)


def _open_tantivy(corpus: RetrievalCorpus, analysis: Analysis, on_stage: OnStage) -> OpenedRetriever:
    def make(folder: Path) -> Mapping[str, Any]:
        # In the order of ids, so that documents with equal scores are returned in that order.
        texts = _texts(corpus.documents, np.argsort(corpus.id_ranks).tolist(), on_stage("indexing words"))
        return write_index(folder, texts, analysis, corpus.id_ranks)

    kept = open_or_make(corpus.folder / f"bm25-{analysis.analysis_id}", _made_of(corpus, analysis, "tantivy"), make)
    index = prepared(tantivy.Index.open(str(kept.folder)))
    retriever = TantivyBm25(index, analysis, corpus.documents, corpus.id_ranks, kept.facts)
    return OpenedRetriever(retriever, kept.seconds, kept.n_bytes, (analysis.sentence,))


def write_index(
    folder: Path, texts: Iterable[tuple[int, str]], analysis: Analysis, id_ranks: Rows
) -> Mapping[str, Any]:
    """Fill a folder with the index of these rows and texts; return facts that tantivy does not store."""
    schema = tantivy.SchemaBuilder()
    schema.add_text_field(TEXT, tokenizer_name=CUTTER, index_option="freq")
    index = prepared(tantivy.Index(schema.add_integer_field(ROW, fast=True).build(), path=str(folder)))
    writer = index.writer(heap_size=HEAP, num_threads=1)
    n_terms = 0
    for row, text in texts:
        terms = analysis.joined(text)
        n_terms += terms.count(" ") + bool(terms)
        document = tantivy.Document()
        document.add_text(TEXT, terms)
        document.add_integer(ROW, row)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return {"n_terms": n_terms, "in_order": _is_in_order(index, id_ranks)}


def _is_in_order(index: tantivy.Index, id_ranks: Rows) -> bool:
    """Return True if documents with equal scores are returned by id, which fails if the index has several segments."""
    searcher = index.searcher()
    n = len(id_ranks)
    if searcher.num_segments > 1 or not 0 < n <= MOST_CHECKED:
        return False
    rows, _ = _found(searcher, tantivy.Query.all_query(), n)
    return len(rows) == n and bool((np.diff(id_ranks[rows]) > 0).all())


def _found(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> tuple[Rows, Floats]:
    hits = searcher.search(query, limit=limit, count=False).hits
    rows = searcher.fast_field_values(ROW, [address for _, address in hits])
    return np.array(rows, dtype=np.int64), np.array([score for score, _ in hits], dtype=np.float64)


def rounded(scores: Floats) -> Floats:
    """Round to 17 binary digits, a relative 0.00001: the precision of 32 bits after adding many terms.

    >>> rounded(np.array([3.0000001, 3.0, 2.9999999])).tolist()
    [3.0, 3.0, 3.0]
    """
    parts, exponents = np.frexp(scores)
    return np.asarray(np.ldexp(np.rint(np.ldexp(parts, 17)), exponents - 17), dtype=np.float64)


def kept_length(length: int) -> int:
    """Return the length that tantivy stores for a document: of the part beyond 24, the first four binary digits.

    >>> [kept_length(n) for n in (7, 40, 41, 43, 120, 1000)]
    [7, 40, 40, 42, 120, 984]
    """
    if length <= EXACT_LENGTH:
        return length
    beyond = length - 24
    spare = beyond.bit_length() - 4
    return 24 + (beyond >> spare << spare)


class TantivyBm25(SequentialRetriever):
    def __init__(
        self,
        index: tantivy.Index,
        analysis: Analysis,
        documents: Sequence[Document],
        id_ranks: Rows,
        facts: Mapping[str, Any],
    ) -> None:
        self._searcher = index.searcher()
        self._schema = index.schema
        self._analysis = analysis
        self._documents = documents
        self._id_ranks = id_ranks
        self._n_terms = int(facts["n_terms"])
        self._in_order = bool(facts["in_order"])

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the k best documents that share a term with the query."""
        with timing("read the query"):
            asked = Counter(self._analysis.cut(query.text))
        if not asked or k < 1 or not self._documents:
            return NO_HITS
        with timing("score"):
            return self._best(asked, k)

    def _best(self, asked: Counter[str], k: int) -> Hits:
        n, query = len(self._documents), self._query(asked)
        if len(asked) == 1 and self._in_order:
            rows, scores = _found(self._searcher, query, min(k, n))
            return best(scores, k, self._id_ranks, rows)
        limit = min(k + MORE, n)
        while True:
            rows, scores = _found(self._searcher, query, limit)
            scores = rounded(scores)
            if len(rows) < limit or limit == n or scores[-1] < scores[k - 1]:
                return best(scores, k, self._id_ranks, rows)
            limit = min(limit * 8, n)

    def _query(self, asked: Counter[str]) -> tantivy.Query:
        """Match any of the terms; a repeated term counts each time."""
        parts = []
        for term, times in asked.items():
            part = tantivy.Query.term_query(self._schema, TEXT, term, index_option="freq")
            part = tantivy.Query.boost_query(part, float(times)) if times > 1 else part
            parts.append((tantivy.Occur.Should, part))
        return parts[0][1] if len(parts) == 1 else tantivy.Query.boolean_query(parts)

    def among(self, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
        """Score these documents if they share a term with the query; each is read again."""
        with timing("score"):
            asked = Counter(self._analysis.cut(query.text))
            held = [Counter(self._analysis.cut(self._documents[row].whole)) for row in rows.tolist()]
            lengths = np.array([kept_length(one.total()) for one in held], dtype=np.int64)
            n = len(self._documents)
            norms = length_norms(lengths, self._n_terms / max(n, 1), k1=K1, b=B)
            scores = np.zeros(len(rows))
            for term, times in asked.items():
                counts = np.array([one[term] for one in held], dtype=np.int64)
                if counts.any():
                    n_holding = int(self._searcher.doc_freq(TEXT, term))
                    scores += times * idf(n_holding, n) * gains(counts, norms, k1=K1)
            found = scores > 0
            return best(rounded(scores[found]), len(rows), self._id_ranks, rows[found])

    def explain(self, query: Query, row: int) -> tuple[TermShare, ...]:
        """Return the contribution of each query term to a document, largest first, missing terms last."""
        held = Counter(self._analysis.cut(self._documents[row].whole))
        n = len(self._documents)
        length = np.array([kept_length(held.total())])
        norm = float(length_norms(length, self._n_terms / n, k1=K1, b=B)[0])
        terms = {
            term: (times, held[term], int(self._searcher.doc_freq(TEXT, term)))
            for term, times in Counter(self._analysis.cut(query.text)).items()
        }
        return shares(terms, n, norm, K1)


# Exact counts


def _open_counts(corpus: RetrievalCorpus, analysis: Analysis, spec: Spec, on_stage: OnStage) -> OpenedRetriever:
    def make(folder: Path) -> Mapping[str, Any]:
        texts = _texts(corpus.documents, range(len(corpus.documents)), on_stage("counting words"))
        write_counts(folder, Bm25Index.of(analysis.cut(text) for _, text in texts))
        return {}

    kept = open_or_make(
        corpus.folder / f"bm25-{analysis.analysis_id}-counts", _made_of(corpus, analysis, "counts"), make
    )
    index = read_counts(kept.folder, spec.k1, spec.b)
    retriever = Bm25Retriever(index, analysis.cut, corpus.id_ranks)
    return OpenedRetriever(retriever, kept.seconds, kept.n_bytes, (analysis.sentence,))


def write_counts(folder: Path, index: Bm25Index) -> None:
    """Write the counts as arrays and the terms as lines; k1 and b are chosen when they are read."""
    for name in ARRAYS:
        np.save(folder / f"{name}.npy", getattr(index, name), allow_pickle=False)
    (folder / TERMS).write_text("\n".join(index.numbers), encoding="utf-8")


def read_counts(folder: Path, k1: float, b: float) -> Bm25Index:
    """Read the stored counts; the arrays stay on disk until they are needed."""
    arrays = mapped_arrays(folder, ARRAYS)
    text = (folder / TERMS).read_text(encoding="utf-8")
    numbers = {term: i for i, term in enumerate(text.split("\n") if text else [])}
    return Bm25Index(numbers, **arrays, k1=k1, b=b)
