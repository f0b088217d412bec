"""The title index of a knowledge base: whole titles by their keys, and their words, also beginnings and typos.

Whole titles are found in a sorted list of the hashes of their keys; what is found is compared with the title itself.
Words are found by tantivy.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import tantivy

from core.knowledge.spans import Entity, Rows, forgiven, likeness, pieces, title_key
from core.protocols import OnStage, silent
from core.text import STOP_WORDS
from data.knowledge.base import KnowledgeBase
from data.retrieval.kept import Kept, open_or_make

LAYOUT = 1
"""Rises when an index that was made before can't be used any more."""
FOLDER = "titles"
WORDS, ROW = "words", "row"
CUTTER = "whitespace"
HEAP = 500_000_000
PART = 100_000
MOST_TITLE_CHARACTERS = 1_000
"""Of a text that is looked up."""
MOST_TITLE_WORDS = 24
MOST_OF_A_TITLE = 50
"""Entities of one type and title that are looked at."""
ROUNDS = 4
"""Fuzzy finds that are looked at for each that is wanted."""
LEAST_FUZZY = 3
"""Characters of a word that may hold a typo."""

Query, Must, Should = tantivy.Query, tantivy.Occur.Must, tantivy.Occur.Should
_opened: WeakKeyDictionary[KnowledgeBase, TitleIndex] = WeakKeyDictionary()
_lock = Lock()


class TitleIndex:
    """What is found by title. Threads may share it."""

    def __init__(self, kept: Kept) -> None:
        self._hashes = np.load(kept.folder / "hashes.npy", mmap_mode="r")
        self._rows = np.load(kept.folder / "rows.npy", mmap_mode="r")
        index = _prepared(tantivy.Index.open(str(kept.folder / WORDS)))
        index.reload()
        self._schema, self._searcher = index.schema, index.searcher()
        self.most_words = int(kept.facts["most_words"])
        """Of any title."""

    def rows_of_keys(self, keys: Sequence[str]) -> Iterator[tuple[int, Rows]]:
        """For keys that are there: the key's place, and rising rows. A hash stands for a key: compare the titles."""
        hashes = _hashes(keys)
        first = np.searchsorted(self._hashes, hashes, side="left")
        last = np.searchsorted(self._hashes, hashes, side="right")
        for place in np.flatnonzero(last > first).tolist():
            yield place, self._rows[first[place] : last[place]].astype(np.int64)

    def with_words(self, asked: Sequence[str], limit: int, types: Sequence[int] | None = None) -> Rows:
        """Titles that hold every word; the last one may be a beginning."""
        *front, last = asked
        clauses = [self._term(word) for word in front] + [self._beginning(last)]
        whole = [(Should, self._term(last))]
        return self._found([(Must, clause) for clause in clauses] + whole, limit, types)

    def with_some_words(self, asked: Sequence[str], limit: int, types: Sequence[int] | None = None) -> Rows:
        """Titles that hold a word; more and rarer ones are better."""
        some = Query.boolean_query([(Should, self._term(word)) for word in asked])
        return self._found([(Must, some)], limit, types)

    def with_words_like(self, asked: Sequence[str], limit: int, types: Sequence[int] | None = None) -> Rows:
        """Titles that hold every word or one like it, those with the very words first; a letter is an initial.

        With two long words, the short ones need not be there: they may be mistyped.
        """
        long = [word for word in asked if len(word) > LEAST_FUZZY]
        clauses = [(Must, self._like(word)) for word in (long if len(long) > 1 else asked)]
        return self._found(clauses + [(Should, self._term(word)) for word in asked], limit, types)

    def _term(self, word: str) -> tantivy.Query:
        return Query.term_query(self._schema, WORDS, word)

    def _beginning(self, word: str) -> tantivy.Query:
        return Query.fuzzy_term_query(self._schema, WORDS, word, distance=0, prefix=True)

    def _like(self, word: str) -> tantivy.Query:
        if len(word) == 1:
            return self._beginning(word)
        distance = 0 if len(word) < LEAST_FUZZY else max(1, forgiven(word))
        return Query.fuzzy_term_query(self._schema, WORDS, word, distance=distance) if distance else self._term(word)

    def _found(
        self, clauses: list[tuple[tantivy.Occur, tantivy.Query]], limit: int, types: Sequence[int] | None
    ) -> Rows:
        if types is not None:
            wanted = [(Should, self._term(_type_word(number))) for number in types]
            clauses = [*clauses, (Must, Query.const_score_query(Query.boolean_query(wanted), 0.0))]
        hits = self._searcher.search(Query.boolean_query(clauses), limit=limit, count=False).hits
        rows = self._searcher.fast_field_values(ROW, [address for _, address in hits])
        return np.array([int(row or 0) for row in rows], dtype=np.int64)


# Making


def open_titles(base: KnowledgeBase, on_stage: OnStage = silent) -> TitleIndex:
    """Its title index, made if it is not there."""
    with _lock:
        if base not in _opened:
            _opened[base] = TitleIndex(keep_titles(base, on_stage))
        return _opened[base]


def keep_titles(base: KnowledgeBase, on_stage: OnStage = silent) -> Kept:
    """Its title index as it lies in the base's folder, made if it is not there."""
    made_of = f"{LAYOUT} {base.about.key} {unicodedata.unidata_version} {version('tantivy')}"
    return open_or_make(base.folder / FOLDER, made_of, lambda folder: _write(folder, base, on_stage))


def _prepared(index: tantivy.Index) -> tantivy.Index:
    """It never changes once it is written, so nobody has to watch its files."""
    index.config_reader(reload_policy="manual")
    index.register_tokenizer(CUTTER, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


def _write(folder: Path, base: KnowledgeBase, on_stage: OnStage) -> Mapping[str, Any]:
    schema = tantivy.SchemaBuilder().add_text_field(WORDS, tokenizer_name=CUTTER, index_option="basic")
    (folder / WORDS).mkdir()
    index = _prepared(tantivy.Index(schema.add_integer_field(ROW, fast=True).build(), path=str(folder / WORDS)))
    writer = index.writer(heap_size=HEAP, num_threads=1)
    hashes, rows, most_words = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)], 0
    on_progress = on_stage("indexing titles")
    for first, number, keys in _keys(base):
        of_type = _type_word(number)
        on_progress(first, base.about.n_entities)
        for row, key in enumerate(keys, start=first):
            document = tantivy.Document()
            document.add_text(WORDS, f"{key} {of_type}")
            document.add_integer(ROW, row)
            writer.add_document(document)
        hashes.append(_hashes(keys))
        rows.append(np.arange(first, first + len(keys), dtype=np.int32))
        most_words = max(most_words, *(key.count(" ") + 1 for key in keys))
    writer.commit()
    writer.wait_merging_threads()
    every = np.concatenate(hashes)
    order = np.argsort(every, kind="stable")
    np.save(folder / "hashes.npy", every[order])
    np.save(folder / "rows.npy", np.concatenate(rows)[order])
    return {"most_words": most_words}


def _keys(base: KnowledgeBase) -> Iterator[tuple[int, int, list[str]]]:
    """A first row, the number of its type, and the keys from there on. The database folds plain titles."""
    for number, kind in enumerate(base.types.values()):
        for first in range(kind.first, kind.first + kind.n, PART):
            last = min(first + PART, kind.first + kind.n) - 1
            found = base.rows(
                """
                SELECT strlen(title) = length(title),
                    CASE WHEN strlen(title) = length(title)
                        THEN trim(regexp_replace(lower(title), '[^a-z0-9]+', ' ', 'g')) ELSE title END
                FROM entities WHERE row BETWEEN $first AND $last ORDER BY row
                """,
                {"first": first, "last": last},
            )
            yield first, number, [text if is_key else title_key(text) for is_key, text in found]


def _type_word(number: int) -> str:
    """Stands beside the words of a title; no word of a title can be it."""
    return f":{number}"


def _hashes(keys: Sequence[str]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    joined = b"".join(blake2b(key.encode(errors="replace"), digest_size=8).digest() for key in keys)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)


# Looking up


def find_entities(base: KnowledgeBase, text: str, *, type: str | None = None, k: int = 20) -> tuple[Entity, ...]:
    """Entities for what somebody typed: by id, then by the whole title, by all its words, and by words like them.

    Where there is none of these, those with some of the words.
    """
    text = encodable(text[:MOST_TITLE_CHARACTERS]).strip()
    words = list(dict.fromkeys(word for piece in pieces(text) for word in piece.key.split(" ")))[:MOST_TITLE_WORDS]
    if not text or k < 1 or (type is not None and type not in base.types):
        return ()
    rows = list(base.rows_of([text]).values())
    if words:
        rows += _by_title(base, title_key(text), words, type, k)
    entities = base.entities(list(dict.fromkeys(rows))) if rows else ()
    return tuple(entity for entity in entities if type is None or entity.type == type)[:k]


def _by_title(base: KnowledgeBase, key: str, words: Sequence[str], type: str | None, k: int) -> list[int]:
    titles, numbers = open_titles(base), type_numbers(base, None if type is None else [type])
    same = [few_of_each_type(base, rows, None if type is None else [type]) for _, rows in titles.rows_of_keys([key])]
    rows: list[int] = [row for some in same for row in some.tolist()]
    rows += titles.with_words(words, k, numbers).tolist()
    if len(set(rows)) < k:
        known = set(rows)
        like = [row for row in titles.with_words_like(words, ROUNDS * k, numbers).tolist() if row not in known]
        found = base.entities(like) if like else ()
        rows += [e.row for e in sorted(found, key=lambda e: -likeness(key, title_key(e.title)))]
    if not rows:
        says = [word for word in words if word not in STOP_WORDS] or words
        rows += titles.with_some_words(says, k, numbers).tolist()
    return rows


def few_of_each_type(base: KnowledgeBase, rows: Rows, types: Sequence[str] | None = None) -> Rows:
    """Some of these rising rows, so that many of one type don't hide another; what questions don't ask for is first."""
    kinds = sorted(base.types.values(), key=lambda kind: kind.is_answer)
    kept = [np.zeros(0, dtype=np.int64)]
    for kind in kinds:
        if types is None or kind.name in types:
            first, last = np.searchsorted(rows, [kind.first, kind.first + kind.n])
            kept.append(rows[first : min(last, first + MOST_OF_A_TITLE)])
    return np.concatenate(kept)


def type_numbers(base: KnowledgeBase, types: Sequence[str] | None) -> list[int] | None:
    """The places of these types among the base's; None: all of them."""
    return None if types is None else [place for place, name in enumerate(base.types) if name in types]


def encodable(text: str) -> str:
    """What can be stored can be looked up; halves of a character can't, nor what ends a text."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")
