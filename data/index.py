"""Publications that can be searched: exactly, by where their words stand, and ranked for a question by tantivy."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property, reduce
from threading import Lock

import numpy as np
import numpy.typing as npt
import tantivy

from core.query.matching.matched import (
    Bits,
    Lexicon,
    Numbers,
    Search,
    Semantics,
    Texts,
    of_mask,
    searched_fields,
    without_untestable,
)
from core.query.tree import Leaf, Near, Range, Term
from core.text import STOP_WORDS
from core.types import Ids, Publication
from data.indexing import NO_YEAR, ROW, OnProgress, Stored, index_key, open_or_build, stemmer
from data.paths import WorkspacePaths

Rows = npt.NDArray[np.intp]
MOST_KEPT = 4096
"""Sets of leaves that are remembered."""
KEPT_BYTES = 2**26
"""And the room they may take."""
LEAST_KEPT = 64


class CorpusIndex:
    """Publications that can be searched; row r of every set is `ids[r]`. Threads may share it."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._searcher = stored.ranking.searcher()
        self._schema = stored.ranking.schema
        self._postings = stored.postings
        self._row_of = {publication_id: row for row, publication_id in enumerate(stored.ids)}
        self._stem_number = {stem: i for i, stem in enumerate(stored.stem_words)}
        self._stemmer = stemmer()
        self._lexicon = Lexicon(stored.texts, lambda word: self._stem_number.get(self.stem(word), -1))
        self._known: OrderedDict[tuple[Leaf, Semantics], Bits | None] = OrderedDict()
        self._n_kept = max(min(MOST_KEPT, KEPT_BYTES // (len(stored.ids) // 8 + 1)), LEAST_KEPT)
        self._lock = Lock()

    @classmethod
    def open(
        cls, paths: WorkspacePaths, publications: Sequence[Publication], on_progress: OnProgress | None = None
    ) -> CorpusIndex:
        """The index of these publications, made if it is not there; `on_progress` hears how many are done."""
        return cls(open_or_build(paths.index(index_key(publications)), publications, on_progress))

    @property
    def ids(self) -> Ids:
        """All publications."""
        return self._stored.ids

    @property
    def texts(self) -> Texts:
        """Their words."""
        return self._stored.texts

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields that hold something."""
        n_words = self.texts.lengths.sum(axis=0)
        found = [field for field, n in zip(self.texts.fields, n_words, strict=True) if n]
        return frozenset([*found, "year"] if (self._stored.years != NO_YEAR).any() else found)

    def stem(self, word: str) -> str:
        """The English stem of a word, also of one that no publication holds."""
        return str((self._stemmer.analyze(word) or [word])[0])

    def rows_of_ids(self, ids: Sequence[str]) -> Rows:
        """The rows of these publications, in their order; those that are not here are left out."""
        return np.array([self._row_of[i] for i in ids if i in self._row_of], dtype=np.intp)

    def look_up(self, leaf: Leaf, semantics: Semantics) -> Bits | None:
        """Where a leaf matches; None if that can't be tested here."""
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
        """Rows by how much they have to do with some words (BM25, by their stems in each field), best first."""
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
            return self._term(leaf, fields, stemmed) if fields and leaf.chunks else None
        if isinstance(leaf, Range):
            return self._range(leaf) if "year" in self.fields else None
        if isinstance(leaf, Near):
            near = without_untestable(leaf, self.fields)
            return self._near(near, stemmed) if isinstance(near, Near) else None
        return None

    def _range(self, leaf: Range) -> Bits:
        years = self._stored.years
        mask = years != NO_YEAR
        if leaf.low is not None:
            mask &= years >= leaf.low
        if leaf.high is not None:
            mask &= years <= leaf.high
        return of_mask(mask)

    def _term(self, term: Term, fields: tuple[str, ...], stemmed: bool) -> Bits:
        """Every chunk in one of the fields."""
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

        return of_mask(Search(self._postings, meaning, self.fields).rows(near))

    def _meaning(self, term: Term, stemmed: bool) -> list[list[Numbers | None]]:
        """For each word of each chunk, what it stands for."""
        stemmed = stemmed and not term.exact
        return [[self._lexicon.numbers(word, stemmed=stemmed) for word in chunk] for chunk in term.chunks]
