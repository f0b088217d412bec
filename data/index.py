"""Publications, searched exactly: words and plain phrases by tantivy, the rest by looking through their words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property, reduce
from operator import itemgetter
from threading import Lock

import numpy as np
import numpy.typing as npt
import tantivy

from core.query.bits import Bits, none_of, of_mask, of_rows, rows_of
from core.query.matching import Semantics, searched_fields
from core.query.patterns import Lexicon, Numbers
from core.query.proximity import rows_near, rows_with_phrase, without_untestable
from core.query.texts import Texts
from core.query.tree import Group, Leaf, Near, Node, Range, Term, Word
from core.text import words
from core.types import Ids, Publication
from data.indexing import NO_YEAR, ROW, STEMS, OnProgress, Stored, index_key, open_or_build, stemmer
from data.paths import WorkspacePaths

Rows = npt.NDArray[np.intp]
MOST_KEPT = 4096
"""Sets of leaves that are remembered."""
KEPT_BYTES = 2**26
"""And the room they may take."""
FEW = 64
"""Up to so many words are asked for one by one, which is quicker than as a set."""
STOP_WORDS = frozenset(
    words("""
    a about after all also am an and any are as at be because been before between both but by can could did do does
    doing during each for from further had has have having he her here him his how i if in into is it its just me more
    most my no nor not of on once only or other our out over own same she should so some such than that the their them
    then there these they this those through to too under until up very was we were what when where which while who
    whom whose why will with would you your
    """)
)
"""Words of a question that say nothing of what it is about."""


class CorpusIndex:
    """Publications that can be searched; row r of every set is `ids[r]`. Threads may share it."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        stored.postings.reload()
        self._searcher = stored.postings.searcher()
        self._schema = stored.postings.schema
        self._row_of = {publication_id: row for row, publication_id in enumerate(stored.ids)}
        self._stem_number = {stem: i for i, stem in enumerate(stored.stem_words)}
        self._stemmer = stemmer()
        self._lexicon = Lexicon(stored.texts, lambda word: self._stem_number.get(self.stem(word), -1))
        self._known: OrderedDict[tuple[Leaf, Semantics], Bits | None] = OrderedDict()
        self._n_kept = max(min(MOST_KEPT, KEPT_BYTES // (len(stored.ids) // 8 + 1)), FEW)
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
        queries = [self._any_of(field + STEMS, [str(stem)]) for stem in sorted(stems) for field in self.texts.fields]
        hits = self._searcher.search(_either(queries), limit=limit, count=False).hits
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
        """Every chunk in one of the fields; those that tantivy knows are asked for together."""
        stemmed = stemmed and not term.exact
        asked: list[tantivy.Query] = []
        sets: list[Bits] = []
        for chunk in term.chunks:
            if len(chunk) > 1 and not all(word.is_plain for word in chunk):
                sets.append(self._phrase(chunk, fields, stemmed))
            elif len(chunk) == 1 and self._lexicon.numbers(chunk[0], stemmed=stemmed) is None:
                sets.append(self._holding_anything(fields))
            else:
                asked.append(self._chunk_query(chunk, fields, stemmed))
        if asked:
            sets.append(of_rows(self._rows(_all(asked)), len(self.ids)))
        return reduce(np.bitwise_and, sets)

    def _holding_anything(self, fields: tuple[str, ...]) -> Bits:
        columns = [self.texts.fields.index(field) for field in fields]
        return of_mask(self.texts.lengths[:, columns].sum(axis=1) > 0)

    def _phrase(self, chunk: tuple[Word, ...], fields: tuple[str, ...], stemmed: bool) -> Bits:
        """Words side by side, with wildcards among them: where all occur at all, the words are looked through."""
        meant = [self._lexicon.numbers(word, stemmed=stemmed) for word in chunk]
        if any(numbers is not None and not len(numbers) for numbers in meant):
            return none_of(len(self.ids))
        known = [word for word, numbers in zip(chunk, meant, strict=True) if numbers is not None]
        if known:
            asked = [_all([self._word_query(word, field, stemmed) for word in known]) for field in fields]
            rows = np.sort(self._rows(_either(asked)))
        else:
            rows = np.arange(len(self.ids))
        return of_rows(rows_with_phrase(self.texts, rows, meant, fields), len(self.ids))

    def _near(self, near: Near, stemmed: bool) -> Bits:
        def meaning(word: Word, exact: bool) -> Numbers | None:
            return self._lexicon.numbers(word, stemmed=stemmed and not exact)

        rows = rows_of(of_rows(self._rows(self._candidates(near, stemmed)), len(self.ids)))
        return of_rows(rows_near(self.texts, rows, near, meaning, self.fields), len(self.ids))

    def _candidates(self, part: Node, stemmed: bool) -> tantivy.Query:
        """Where a part of a Near may stand: at least all publications in which it does."""
        if isinstance(part, Term):
            stemmed = stemmed and not part.exact
            words = [word for chunk in part.chunks for word in chunk]
            fields = searched_fields(part, self.fields)
            return _either([_all([self._word_query(word, field, stemmed) for word in words]) for field in fields])
        parts = [self._candidates(each, stemmed) for each in part.parts] if isinstance(part, Group | Near) else []
        return _either(parts) if isinstance(part, Group) else _all(parts)

    def _chunk_query(self, chunk: tuple[Word, ...], fields: tuple[str, ...], stemmed: bool) -> tantivy.Query:
        if len(chunk) == 1:
            return _either([self._word_query(chunk[0], field, stemmed) for field in fields])
        names = [self._names(word, stemmed) for word in chunk]
        if not all(names):
            return tantivy.Query.empty_query()
        end = STEMS if stemmed else ""
        phrase: list[str | tuple[int, str]] = [name[0] for name in names]
        return _either([tantivy.Query.phrase_query(self._schema, field + end, phrase) for field in fields])

    def _word_query(self, word: Word, field: str, stemmed: bool) -> tantivy.Query:
        if not any(isinstance(piece, str) for piece in word.pieces):
            return tantivy.Query.all_query()
        stemmed = stemmed and word.is_plain
        return self._any_of(field + STEMS if stemmed else field, self._names(word, stemmed))

    def _names(self, word: Word, stemmed: bool) -> list[str]:
        """What tantivy knows a word as: the number of its stem, or of each word that it stands for."""
        if stemmed:
            stem = self._stem_number.get(self.stem(str(word)))
            return [] if stem is None else [str(stem)]
        numbers = self._lexicon.numbers(word, stemmed=False)
        return [] if numbers is None else [str(number) for number in numbers.tolist()]

    def _any_of(self, field: str, names: list[str]) -> tantivy.Query:
        if len(names) > FEW:
            return tantivy.Query.term_set_query(self._schema, field, names)
        return _either([tantivy.Query.term_query(self._schema, field, name) for name in names])

    def _rows(self, query: tantivy.Query) -> Rows:
        """Where a query matches. Ordered by row, a hit comes with its row and no score is computed."""
        if not self.ids:
            return np.zeros(0, dtype=np.intp)
        hits = self._searcher.search(query, limit=len(self.ids), count=False, order_by_field=ROW).hits
        return np.fromiter(map(itemgetter(0), hits), dtype=np.intp, count=len(hits))


def _either(queries: list[tantivy.Query]) -> tantivy.Query:
    return _combined(queries, tantivy.Occur.Should)


def _all(queries: list[tantivy.Query]) -> tantivy.Query:
    return _combined(queries, tantivy.Occur.Must)


def _combined(queries: list[tantivy.Query], occur: tantivy.Occur) -> tantivy.Query:
    if not queries:
        return tantivy.Query.empty_query()
    return queries[0] if len(queries) == 1 else tantivy.Query.boolean_query([(occur, query) for query in queries])
