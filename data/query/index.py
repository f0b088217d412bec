"""Search indexes of publications: built with tantivy, stored on disk, searched exactly and by rank."""

from __future__ import annotations

import json
import os
import unicodedata
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, reduce
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import tantivy

from core.library.headings import HeadingIndex
from core.library.mesh import MeshThesaurus, heading_key
from core.protocols import OnProgress, silent
from core.query.dialects.values import SUBHEADING_FIELDS, code_of
from core.query.match import (
    Bits,
    CorpusTexts,
    NearSearch,
    Numbers,
    Postings,
    RunTest,
    Semantics,
    StemLexicon,
    none_of,
    of_mask,
    of_rows,
    qualifier_test,
    qualifier_words,
    run_test,
    searched_fields,
    searched_in_headings,
    without_untestable,
)
from core.query.tree import TEXT_FIELDS, Heading, Leaf, Near, Range, Term
from core.text import STOP_WORDS, clauses
from core.types import Ids, Publication
from data.files import ABOUT, CachedFolder, WorkspacePaths, open_or_make

# Build a search index of publications, store it on disk, and open it again.
#
# A folder holds the words and their positions as arrays, and tantivy's index of their stems.

LAYOUT = 2
"""Version of the folder's layout; increase it when older folders can no longer be used."""
NO_YEAR = -(2**63)
ROW = "row"
RANKING = "ranking"
"""Folder of tantivy's own files."""
CUTTER = "whitespace"
HEAP = 256_000_000
"""Bytes that tantivy may buffer before it writes."""
EVERY = 500
"""Number of publications between two progress reports."""
ARRAYS = ("tokens", "starts", "breaks", "pauses", "stems", "years", "places", "fields")


@dataclass(frozen=True, eq=False)
class StoredIndex:
    ids: Ids
    texts: CorpusTexts
    stem_words: tuple[str, ...]
    """Every stem, by its number."""
    years: npt.NDArray[np.int64]
    postings: Postings
    ranking: tantivy.Index


def index_key(publications: Sequence[Publication]) -> str:
    """Return a name that changes with the publications, their order and every searched text."""
    digest = sha256(f"{LAYOUT} {unicodedata.unidata_version}".encode())
    for p in publications:
        parts = (p.publication_id, p.title, p.abstract or "", *p.keywords)
        text = "".join(f"{len(part)}:{part}" for part in parts)
        digest.update(f"\n{len(parts)} {p.year} {text}".encode(errors="surrogatepass"))
    return digest.hexdigest()[:16]


def open_or_build(
    folder: Path, publications: Sequence[Publication], on_progress: OnProgress | None = None
) -> StoredIndex:
    """Open the index in this folder; build it if it is missing or incomplete."""
    return read_index(keep_index(folder, publications, on_progress).folder)


def keep_index(
    folder: Path, publications: Sequence[Publication], on_progress: OnProgress | None = None
) -> CachedFolder:
    """Return the folder of the index; build it if it is missing or incomplete."""

    def make(aside: Path) -> Mapping[str, Any]:
        _build(aside, publications, on_progress or silent(""))
        return {}

    kept = open_or_make(folder, f"{LAYOUT} {folder.name} {version('tantivy')}", make)
    with suppress(OSError):
        os.utime(folder / ABOUT)  # time of the last use
    return kept


# Building


@dataclass(eq=False)
class _Cut:
    number: dict[str, int]
    tokens: array[int]
    starts: array[int]
    breaks: array[int]
    pauses: array[int]


def _values(publication: Publication) -> tuple[tuple[str, ...], ...]:
    return (publication.title,), (publication.abstract or "",), publication.keywords


def _cut(publications: Sequence[Publication], on_progress: OnProgress) -> _Cut:
    cut = _Cut({}, array("i"), array("q", [0]), array("q"), array("q"))
    number, tokens = cut.number, cut.tokens
    for i, publication in enumerate(publications):
        if i % EVERY == 0:
            on_progress(i // 2, len(publications))
        for values in _values(publication):
            start = len(tokens)
            for value in values:
                for place, found in enumerate(clauses(value)):
                    if len(tokens) > start:
                        cut.pauses.append(len(tokens))
                        if not place:
                            cut.breaks.append(len(tokens))
                    tokens.extend([number.setdefault(word, len(number)) for word in found])
            cut.starts.append(len(tokens))
    return cut


def stemmer() -> tantivy.TextAnalyzer:
    """Return an analyser that splits at spaces and reduces each word to its English stem."""
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.stemmer("english")).build()


def _numbered(cut: _Cut) -> tuple[CorpusTexts, tuple[str, ...]]:
    vocabulary = tuple(sorted(cut.number))
    ranks = np.zeros(len(vocabulary), dtype=np.int32)
    ranks[[cut.number[word] for word in vocabulary]] = np.arange(len(vocabulary), dtype=np.int32)
    stems = stemmer().analyze(" ".join(vocabulary)) if vocabulary else []
    stem_words = tuple(sorted(set(stems)))
    stem_number = {stem: i for i, stem in enumerate(stem_words)}
    tokens = np.frombuffer(cut.tokens, dtype=np.int32) if cut.tokens else np.zeros(0, dtype=np.int32)
    texts = CorpusTexts(
        vocabulary=vocabulary,
        stems=np.array([stem_number[stem] for stem in stems], dtype=np.int32),
        tokens=ranks[tokens],
        starts=np.array(cut.starts, dtype=np.int64),
        fields=TEXT_FIELDS,
        breaks=np.array(cut.breaks, dtype=np.int64),
        pauses=np.array(cut.pauses, dtype=np.int64),
    )
    return texts, stem_words


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in TEXT_FIELDS:
        builder.add_text_field(field, tokenizer_name=CUTTER, index_option="freq")
    return builder.add_integer_field(ROW, fast=True).build()


def prepared(index: tantivy.Index) -> tantivy.Index:
    """Set up an index that never changes once written, so that tantivy does not watch its files."""
    index.config_reader(reload_policy="manual")
    index.register_tokenizer(CUTTER, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


def _documents(texts: CorpusTexts) -> Iterator[tantivy.Document]:
    """Yield a document for tantivy per publication: stems as their numbers, so that the text is not tokenised twice."""
    names = [str(i) for i in range(len(texts.vocabulary))]
    stem_names = [names[stem] for stem in texts.stems.tolist()]
    for row in range(texts.n):
        values: dict[str, Any] = {ROW: row}
        for field in texts.fields:
            values[field] = " ".join([stem_names[i] for i in texts.tokens_of(row, field).tolist()])
        yield tantivy.Document(**values)


def made(publications: Sequence[Publication], ranking: tantivy.Index, on_progress: OnProgress) -> StoredIndex:
    """Build an index of these publications and fill `ranking`."""
    texts, stem_words = _numbered(_cut(publications, on_progress))
    total = len(publications)
    writer = prepared(ranking).writer(heap_size=HEAP, num_threads=1)
    for i, document in enumerate(_documents(texts)):
        if i % EVERY == 0:
            on_progress((total + i) // 2, total)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    years = np.array([NO_YEAR if p.year is None else p.year for p in publications], dtype=np.int64)
    return StoredIndex(
        tuple(p.publication_id for p in publications), texts, stem_words, years, Postings.of(texts), ranking
    )


def in_memory(publications: Sequence[Publication]) -> StoredIndex:
    return made(publications, tantivy.Index(_schema()), silent(""))


def _build(folder: Path, publications: Sequence[Publication], on_progress: OnProgress) -> None:
    ranking = folder / RANKING
    ranking.mkdir(parents=True)
    stored = made(publications, tantivy.Index(_schema(), path=str(ranking)), on_progress)
    texts, places = stored.texts, stored.postings
    arrays: tuple[npt.NDArray[Any], ...] = (
        *(texts.tokens, texts.starts, texts.breaks, texts.pauses, texts.stems),
        *(stored.years, places.places, places.fields),
    )
    for name, values in zip(ARRAYS, arrays, strict=True):
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
    lists = {"ids": stored.ids, "vocabulary": texts.vocabulary, "stems": stored.stem_words}
    for name, items in lists.items():
        (folder / f"{name}.json").write_text(json.dumps(items), encoding="ascii")
    on_progress(len(publications), len(publications))


# Opening


_ONE_HEADER_AT_A_TIME = Lock()


def mapped_arrays(folder: Path, names: Iterable[str]) -> dict[str, Any]:
    """Map the arrays of a folder into memory.

    NumPy reads a header with Python's parser, which in Python 3.11 can fail in one thread while another parses.
    """
    with _ONE_HEADER_AT_A_TIME:
        return {name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)) for name in names}


def read_index(folder: Path) -> StoredIndex:
    arrays = mapped_arrays(folder, ARRAYS)
    lists = {
        name: tuple(json.loads((folder / f"{name}.json").read_text(encoding="ascii")))
        for name in ("ids", "vocabulary", "stems")
    }
    ranking = prepared(tantivy.Index.open(str(folder / RANKING)))
    years, *where = (arrays.pop(name) for name in ("years", "places", "fields"))
    texts = CorpusTexts(vocabulary=lists["vocabulary"], fields=TEXT_FIELDS, **arrays)
    return StoredIndex(lists["ids"], texts, lists["stems"], years, Postings(texts, *where), ranking)


# Publications that can be searched exactly, by the positions of their words, and ranked for a question by tantivy.

Rows = npt.NDArray[np.intp]
MOST_KEPT = 4096
"""Largest number of leaf results in the cache."""
KEPT_BYTES = 2**26
"""Largest size of the cached leaf results, in bytes."""
LEAST_KEPT = 64


class CorpusIndex:
    """A searchable corpus; row r of every result is `ids[r]`. Threads may share it."""

    def __init__(
        self,
        stored: StoredIndex,
        headings: Callable[[], HeadingIndex | None] = lambda: None,
        mesh: Callable[[], MeshThesaurus | None] = lambda: None,
    ) -> None:
        self._stored = stored
        self._load_headings, self._load_mesh = headings, mesh
        self._searcher = stored.ranking.searcher()
        self._schema = stored.ranking.schema
        self._postings = stored.postings
        self._row_of = {publication_id: row for row, publication_id in enumerate(stored.ids)}
        self._stem_number = {stem: i for i, stem in enumerate(stored.stem_words)}
        self._stemmer = stemmer()
        self._lexicon = StemLexicon(stored.texts, lambda word: self._stem_number.get(self.stem(word), -1))
        self._known: OrderedDict[tuple[Leaf, Semantics], Bits | None] = OrderedDict()
        self._n_kept = max(min(MOST_KEPT, KEPT_BYTES // (len(stored.ids) // 8 + 1)), LEAST_KEPT)
        self._lock = Lock()

    @classmethod
    def open(
        cls,
        paths: WorkspacePaths,
        publications: Sequence[Publication],
        on_progress: OnProgress | None = None,
        headings: Callable[[], HeadingIndex | None] = lambda: None,
        mesh: Callable[[], MeshThesaurus | None] = lambda: None,
    ) -> CorpusIndex:
        """Open the index of these publications, or build it; `on_progress` receives the number of publications done.

        Headings and the thesaurus are loaded when the first heading is looked up.
        """
        return cls(open_or_build(paths.index(index_key(publications)), publications, on_progress), headings, mesh)

    @cached_property
    def headings(self) -> HeadingIndex | None:
        """Headings that the records carry; None: they are not known."""
        return self._load_headings()

    @cached_property
    def mesh(self) -> MeshThesaurus | None:
        return self._load_mesh()

    @property
    def ids(self) -> Ids:
        return self._stored.ids

    @property
    def texts(self) -> CorpusTexts:
        return self._stored.texts

    @cached_property
    def fields(self) -> frozenset[str]:
        n_words = self.texts.lengths.sum(axis=0)
        found = [field for field, n in zip(self.texts.fields, n_words, strict=True) if n]
        return frozenset([*found, "year"] if (self._stored.years != NO_YEAR).any() else found)

    def stem(self, word: str) -> str:
        """Return the English stem of a word, including words that no publication holds."""
        return str((self._stemmer.analyze(word) or [word])[0])

    def rows_of_ids(self, ids: Sequence[str]) -> Rows:
        """Return the rows of these publications, in their order; unknown ones are left out."""
        return np.array([self._row_of[i] for i in ids if i in self._row_of], dtype=np.intp)

    def look_up(self, leaf: Leaf, semantics: Semantics) -> Bits | None:
        """Return the rows that a leaf matches; None if it can't be tested here."""
        key = (leaf, semantics)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        found = self._look_up(leaf, stemmed=semantics == "stemmed")
        if found is not None:
            found.setflags(write=False)
        with self._lock:
            self._known[key] = found
            while len(self._known) > self._n_kept:
                self._known.popitem(last=False)
        return found

    def rank(self, asked: Sequence[str], limit: int) -> tuple[tuple[int, float], ...]:
        """Rank rows by their relevance to some words (BM25 over the stems in each field), best first."""
        stems = {self._stem_number.get(self.stem(word), -1) for word in asked if word not in STOP_WORDS} - {-1}
        if not stems or limit < 1:
            return ()
        queries = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, field, str(stem)))
            for stem in sorted(stems)
            for field in self.texts.fields
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(queries), limit=limit, count=False).hits
        rows = self._searcher.fast_field_values(ROW, [address for _, address in hits])
        return tuple((int(row or 0), float(score)) for row, (score, _) in zip(rows, hits, strict=True))

    def _look_up(self, leaf: Leaf, *, stemmed: bool) -> Bits | None:
        if isinstance(leaf, Term):
            fields = searched_fields(leaf, self.fields)
            in_text = self._term(leaf, fields, stemmed) if fields and leaf.chunks else None
            in_headings = self._term_in_headings(leaf, stemmed)
            return in_headings if in_text is None else in_text if in_headings is None else in_text | in_headings
        if isinstance(leaf, Range):
            return self._range(leaf) if "year" in self.fields else None
        if isinstance(leaf, Near):
            near = without_untestable(leaf, self.fields)
            return self._near(near, stemmed) if isinstance(near, Near) else None
        if isinstance(leaf, Heading) and leaf.thesaurus in ("", "mesh") and self.headings is not None:
            return self._heading(leaf, self.headings)
        return None

    def _heading(self, leaf: Heading, carried: HeadingIndex) -> Bits | None:
        """Look up a heading; without a thesaurus, narrower ones are unknown and it matches by its name alone."""
        if not carried.n_publications:
            return None
        keys = self.mesh.exploded(leaf.name) if self.mesh and leaf.explode else {heading_key(leaf.name)}
        codes = frozenset(map(code_of, leaf.subheadings))
        is_qualifier = (lambda name: code_of(name) in codes) if codes else None
        return of_rows(carried.rows(keys, major=leaf.major, is_qualifier=is_qualifier), len(self.ids))

    def _term_in_headings(self, term: Term, stemmed: bool) -> Bits | None:
        """Look up a term in the fields of headings and their qualifiers; None: it has none, or no record has any."""
        fields = searched_in_headings(term)
        if not fields or not term.chunks or (carried := self.headings) is None or not carried.n_publications:
            return None
        n, stem = len(self.ids), self.stem if stemmed and not term.exact else None
        is_named = qualifier_test(term, with_narrower="subheading_below" in fields)
        found = none_of(n)
        if not SUBHEADING_FIELDS.isdisjoint(fields):
            found |= of_rows(carried.rows_qualified(is_named), n)
        for field in set(fields) - SUBHEADING_FIELDS:
            sets = [self._run_in_headings(run_test(run, stem), field, carried) for run in term.chunks]
            found |= reduce(np.bitwise_and, sets)
        return found

    def _run_in_headings(self, is_there: RunTest, field: str, carried: HeadingIndex) -> Bits:
        if field == "subheading_words":
            return of_rows(carried.rows_qualified(lambda name: is_there(qualifier_words(name))), len(self.ids))
        return of_rows(carried.rows_named(is_there, major=field == "major_subject"), len(self.ids))

    def _range(self, leaf: Range) -> Bits:
        years = self._stored.years
        mask = years != NO_YEAR
        if leaf.low is not None:
            mask &= years >= leaf.low
        if leaf.high is not None:
            mask &= years <= leaf.high
        return of_mask(mask)

    def _term(self, term: Term, fields: tuple[str, ...], stemmed: bool) -> Bits:
        columns = [self.texts.fields.index(field) for field in fields]
        sets = []
        for meant in self._meaning(term, stemmed):
            postings = self._postings
            held = postings.holding(meant[0]) if len(meant) == 1 else postings.with_any_of(postings.side_by_side(meant))
            sets.append(reduce(np.logical_or, [held[:, column] for column in columns]))
        return of_mask(reduce(np.logical_and, sets))

    def _near(self, near: Near, stemmed: bool) -> Bits:
        def meaning(term: Term) -> list[Numbers | None]:
            return [numbers for chunk in self._meaning(term, stemmed) for numbers in chunk]

        return of_mask(NearSearch(self._postings, meaning, self.fields).rows(near))

    def _meaning(self, term: Term, stemmed: bool) -> list[list[Numbers | None]]:
        stemmed = stemmed and not term.exact
        return [[self._lexicon.numbers(word, stemmed=stemmed) for word in chunk] for chunk in term.chunks]


# English stems of words, each computed once.


class Stems:
    """A cached stemmer. Threads may share one: the stemmer serves one at a time."""

    def __init__(self) -> None:
        self._stemmer = stemmer()
        self._lock = Lock()
        self._stem_of: dict[str, str] = {}

    def of(self, words: Iterable[str]) -> list[str]:
        """Return the stems in the order of the words.

        >>> Stems().of(["trees", "shading"])
        ['tree', 'shade']
        """
        kept, known = list(words), self._stem_of
        with self._lock:
            for word in kept:
                if word not in known:
                    known[word] = (self._stemmer.analyze(word) or [word])[0]
        return [known[word] for word in kept]
