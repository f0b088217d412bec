"""Find entities by title, and the entities that a question mentions."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import tantivy

from core.knowledge.entities import (
    INITIALS,
    PARTICLES,
    Entity,
    Mention,
    MentionCandidate,
    PositionedWord,
    Rows,
    Span,
    capitalised,
    chosen,
    forgiven,
    inflected,
    likeness,
    parts,
    pieces,
    quoted,
    title_key,
    uncapitalised,
)
from core.knowledge.proposals import TemplateProposal
from core.knowledge.templates import Template, question_words
from core.protocols import OnStage, silent
from core.text import STOP_WORDS
from data.files import CachedFolder, open_or_make
from data.knowledge.base import KnowledgeBase
from data.query.index import prepared

# The title index of a knowledge base: whole titles by their keys, and their words, including prefixes and typos.
#
# Whole titles are found in a sorted list of hashed keys; results are compared with the title itself. Words are found by
# tantivy.

LAYOUT = 1
"""Version of the layout; increase it when older indexes can no longer be used."""
FOLDER = "titles"
WORDS, ROW = "words", "row"
CUTTER = "whitespace"
HEAP = 500_000_000
PART = 100_000
MOST_TITLE_CHARACTERS = 1_000
"""Largest length of a text to look up."""
MOST_TITLE_WORDS = 24
MOST_OF_A_TITLE = 50
"""Largest number of entities of one type and title to consider."""
ROUNDS = 4
"""Number of fuzzy matches to check per wanted result."""
LEAST_FUZZY = 3
"""Smallest length of a word that may contain a typo."""

Query, Must, Should = tantivy.Query, tantivy.Occur.Must, tantivy.Occur.Should
_opened: WeakKeyDictionary[KnowledgeBase, TitleIndex] = WeakKeyDictionary()
_lock = Lock()


class TitleIndex:
    """An index to find entities by title. Threads may share it."""

    def __init__(self, kept: CachedFolder) -> None:
        self._hashes = np.load(kept.folder / "hashes.npy", mmap_mode="r")
        self._rows = np.load(kept.folder / "rows.npy", mmap_mode="r")
        index = prepared(tantivy.Index.open(str(kept.folder / WORDS)))
        index.reload()
        self._schema, self._searcher = index.schema, index.searcher()
        self.most_words = int(kept.facts["most_words"])
        """Largest number of words in any title."""

    def rows_of_keys(self, keys: Sequence[str]) -> Iterator[tuple[int, Rows]]:
        """Yield position and ascending rows of known keys. Hashes can collide: compare the titles."""
        hashes = _hashes(keys)
        first = np.searchsorted(self._hashes, hashes, side="left")
        last = np.searchsorted(self._hashes, hashes, side="right")
        for place in np.flatnonzero(last > first).tolist():
            yield place, self._rows[first[place] : last[place]].astype(np.int64)

    def with_words(self, asked: Sequence[str], limit: int, types: Sequence[int] | None = None) -> Rows:
        """Find titles with every word; the last one may be a prefix."""
        *front, last = asked
        clauses = [self._term(word) for word in front] + [self._beginning(last)]
        whole = [(Should, self._term(last))]
        return self._found([(Must, clause) for clause in clauses] + whole, limit, types)

    def with_some_words(self, asked: Sequence[str], limit: int, types: Sequence[int] | None = None) -> Rows:
        """Find titles with some of the words; more and rarer words rank higher."""
        some = Query.boolean_query([(Should, self._term(word)) for word in asked])
        return self._found([(Must, some)], limit, types)

    def with_words_like(self, asked: Sequence[str], limit: int, types: Sequence[int] | None = None) -> Rows:
        """Find titles with every word or a similar one, exact matches first; a single letter is an initial.

        With two long words, the short ones are optional: they may be mistyped.
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


# Building


def open_titles(base: KnowledgeBase, on_stage: OnStage = silent) -> TitleIndex:
    """Open the base's title index; build it if needed."""
    with _lock:
        if base not in _opened:
            _opened[base] = TitleIndex(keep_titles(base, on_stage))
        return _opened[base]


def keep_titles(base: KnowledgeBase, on_stage: OnStage = silent) -> CachedFolder:
    """Return the title index in the base's folder; build it if needed."""
    made_of = f"{LAYOUT} {base.about.key} {unicodedata.unidata_version} {version('tantivy')}"
    return open_or_make(base.folder / FOLDER, made_of, lambda folder: _write(folder, base, on_stage))


def _write(folder: Path, base: KnowledgeBase, on_stage: OnStage) -> Mapping[str, Any]:
    schema = tantivy.SchemaBuilder().add_text_field(WORDS, tokenizer_name=CUTTER, index_option="basic")
    (folder / WORDS).mkdir()
    index = prepared(tantivy.Index(schema.add_integer_field(ROW, fast=True).build(), path=str(folder / WORDS)))
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
    """Return a marker for a type, indexed with the words of a title; no title contains it as a word."""
    return f":{number}"


def _hashes(keys: Sequence[str]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    joined = b"".join(blake2b(key.encode(errors="replace"), digest_size=8).digest() for key in keys)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)


# Lookup


def find_entities(base: KnowledgeBase, text: str, *, type: str | None = None, k: int = 20) -> tuple[Entity, ...]:
    """Find entities for typed text: by id, then by the whole title, by all its words, and by similar words.

    If there are none, find those with some of the words.
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
    """Limit ascending rows per type, so that no type hides another; types without questions come first."""
    kinds = sorted(base.types.values(), key=lambda kind: kind.is_answer)
    kept = [np.zeros(0, dtype=np.int64)]
    for kind in kinds:
        if types is None or kind.name in types:
            first, last = np.searchsorted(rows, [kind.first, kind.first + kind.n])
            kept.append(rows[first : min(last, first + MOST_OF_A_TITLE)])
    return np.concatenate(kept)


def type_numbers(base: KnowledgeBase, types: Sequence[str] | None) -> list[int] | None:
    """Return the positions of these types in the base; None: all types."""
    return None if types is None else [place for place, name in enumerate(base.types) if name in types]


def encodable(text: str) -> str:
    """Make a text storable, and so searchable: replace lone surrogates and NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


# Entities mentioned in a question: whole titles word for word, and parts that look like a name with a typo or two.

MOST_QUESTION_CHARACTERS = 10_000
"""Largest length of a question; the rest is ignored."""
MOST_QUESTION_WORDS = 40
"""Largest number of words of a title that is found word for word; a longer one must be quoted."""
MOST_INFLECTED = 5
"""Largest number of words of a title that may be in the singular instead of the plural, or vice versa."""
MOST_HITS, MOST_ROWS = 400, 4_000
"""Largest number of parts with the words of a title, and of entities that they may mean; longer parts come first."""
MOST_TRIES, TRIES_PER_RUN = 40, 24
"""Largest number of parts to look up with typos, per question and per run of words."""
MOST_TITLES = 3
"""Largest number of different titles for a part with typos; with more, it counts as none."""
LEAST_LETTERS, LEAST_LOWER_LETTERS = 6, 8
"""Smallest length of a single word that may contain a typo: with a capital, and without."""
OTHER_NUMBER = 0.8
"""Likeness of a title in the other number, if that changes more letters than a typo."""
ALMOST = 0.99
CANDIDATES = 40
ASKED_WORDS, LONG_TITLES, LEAST_OF_A_LONG_ONE = 60, 12, 4
"""Words of a question used to find long titles, number of titles to compare, and smallest number of their words."""


def find_mentions(base: KnowledgeBase, text: str, *, types: Sequence[str] | None = None) -> tuple[Mention, ...]:
    """Find parts of a question that may mention entities, by position and without overlaps. `types`: wanted types."""
    linker = _Linker(base, encodable(text[:MOST_QUESTION_CHARACTERS]), types)
    marked = set(quoted(linker.text, linker.pieces))
    found = linker.word_for_word(marked)
    known = {candidate.span for candidate in found}
    open_places = linker.places_left(found)
    unsure = [span for span in sorted(marked) if span not in known]
    for run in linker.names():
        unsure += islice((span for span in parts(run, 1) if linker.is_worth_a_try(span, open_places)), TRIES_PER_RUN)
    found += linker.with_typos(list(dict.fromkeys(unsure))[:MOST_TRIES])
    found += linker.long_titles(open_places)
    return tuple(linker.mention(candidate) for candidate in chosen(found, marked))


def _says(piece: PositionedWord) -> bool:
    return piece.key not in STOP_WORDS and piece.key not in PARTICLES


class _Linker:
    def __init__(self, base: KnowledgeBase, text: str, types: Sequence[str] | None) -> None:
        self.text = text
        self.pieces: tuple[PositionedWord, ...] = pieces(text)
        self._base = base
        self._types = types
        self._numbers = type_numbers(base, types)
        self._titles = open_titles(base)

    def mention(self, candidate: MentionCandidate) -> Mention:
        start, end = candidate.span
        return Mention(self.pieces[start].start, self.pieces[end - 1].end, candidate.entities, candidate.score)

    def key(self, span: Span) -> str:
        return " ".join(piece.key for piece in self.pieces[span[0] : span[1]])

    def names(self) -> Iterator[Span]:
        """Yield parts that look like names, those with capitals first; capitals are not required."""
        yield from capitalised(self.text, self.pieces)
        yield from uncapitalised(self.pieces)

    def places_left(self, found: Sequence[MentionCandidate]) -> set[int]:
        taken = {place for each in found if each.span[1] - each.span[0] > 1 for place in range(*each.span)}
        return {place for place, piece in enumerate(self.pieces) if _says(piece) and place not in taken}

    def is_worth_a_try(self, span: Span, open_places: set[int]) -> bool:
        """Return True for a possible name with typos. A single word must be long, and not the first (a capital)."""
        first, last = span[0], span[1] - 1
        if first == last:
            piece = self.pieces[first]
            least = LEAST_LETTERS if self.text[piece.start].isupper() else LEAST_LOWER_LETTERS
            return first > 0 and first in open_places and len(piece.key) >= least
        if len(self.pieces[last].key) == 1 and self.pieces[last].key.isascii():
            return False  # the s of a genitive
        ends = _says(self.pieces[last]) and (_says(self.pieces[first]) or len(self.pieces[first].key) == 1)
        return ends and not open_places.isdisjoint(range(*span))

    # Word for word

    def word_for_word(self, marked: set[Span]) -> list[MentionCandidate]:
        """Find parts with all words of a title, its last one in the singular or plural."""
        keys = list(self._keys(marked))
        hits = [(*keys[place], rows) for place, rows in self._titles.rows_of_keys([key for _, key, _ in keys])]
        hits.sort(key=lambda hit: (hit[0][0] - hit[0][1], not hit[2], hit[0]))
        few = ((*hit[:3], few_of_each_type(self._base, hit[3], self._types)) for hit in hits)
        kept = list(islice((hit for hit in few if len(hit[3])), MOST_HITS))
        while sum(len(rows) for *_, rows in kept) > MOST_ROWS:
            kept.pop()
        entities = self._entities(row for *_, rows in kept for row in rows.tolist())
        found = []
        for span, key, is_same, rows in kept:
            named = [entities[row] for row in rows.tolist()]
            same = tuple(entity for entity in named if title_key(entity.title) == key)
            if same and is_same == (title_key(self._written(span)) == key):
                found.append(
                    MentionCandidate(span, same, 1.0 if is_same else likeness(self.key(span), key) or OTHER_NUMBER)
                )
        return found

    def _keys(self, marked: set[Span]) -> Iterator[tuple[Span, str, bool]]:
        most = min(MOST_QUESTION_WORDS, self._titles.most_words)
        for start in range(len(self.pieces)):
            key, says = "", False
            for end in range(start + 1, min(len(self.pieces), start + most) + 1):
                word = self.pieces[end - 1].key
                key = f"{key} {word}" if key else word
                says = says or (word not in STOP_WORDS and len(word) > 1 and not word.isdigit()) or not word.isascii()
                if says or (start, end) in marked:
                    yield (start, end), key, True
                    if end - start <= MOST_INFLECTED:
                        yield from (((start, end), other, False) for other in inflected(key))
        yield from ((span, self.key(span), True) for span in sorted(marked) if span[1] - span[0] > most)

    def _written(self, span: Span) -> str:
        return self.text[self.pieces[span[0]].start : self.pieces[span[1] - 1].end]

    def _entities(self, rows: Iterable[int]) -> dict[int, Entity]:
        wanted = list(dict.fromkeys(rows))
        return {entity.row: entity for entity in self._base.entities(wanted)} if wanted else {}

    # With typos

    def with_typos(self, spans: Sequence[Span]) -> list[MentionCandidate]:
        """Find parts similar to a title; parts that could mean many titles are left out."""
        looked = [(span, key, self._like(key)) for span in spans if (key := self.key(span))]
        entities = self._entities(row for *_, rows in looked for row in rows)
        keys = {row: title_key(entity.title) for row, entity in entities.items()}
        found = []
        for span, key, rows in looked:
            scores = {row: likeness(key, keys[row]) for row in rows}
            best = max(scores.values(), default=0.0)
            likest = [row for row in rows if scores[row] == best]
            n_titles = len({keys[row] for row in likest})
            if " " not in key and best <= 1 - 2 / len(key):
                continue  # two typos make it another word
            if best > 0 and n_titles <= (1 if best == INITIALS else MOST_TITLES):
                named = sorted((entities[row] for row in likest), key=lambda entity: entity.row)
                found.append(MentionCandidate(span, tuple(named), self._score(span, best)))
        return found

    def _score(self, span: Span, likest: float) -> float:
        """Return 1 only if the part is exactly the title."""
        return likest if likest < 1 or title_key(self._written(span)) == self.key(span) else ALMOST

    def _like(self, key: str) -> list[int]:
        words = key.split(" ")[:MOST_QUESTION_WORDS]
        if max(map(len, words)) < 3:
            return []
        parts = [word for word in words if word not in STOP_WORDS or len(word) == 1] or words
        return [int(row) for row in self._titles.with_words_like(parts, CANDIDATES, self._numbers)]

    def long_titles(self, open_places: set[int]) -> list[MentionCandidate]:
        """Find long titles anywhere in the text, with one word mistyped or left out."""
        parts = [word for place in sorted(open_places) for word in self.pieces[place].key.split(" ")]
        asked = list(dict.fromkeys(parts))[:ASKED_WORDS]
        if len(asked) < LEAST_OF_A_LONG_ONE:
            return []
        rows = self._titles.with_some_words(asked, LONG_TITLES, self._numbers).tolist()
        found = (self._lies_at(entity) for entity in self._entities(rows).values())
        return [candidate for candidate in found if candidate is not None]

    def _lies_at(self, entity: Entity) -> MentionCandidate | None:
        key = title_key(entity.title)
        words = key.split(" ")
        if len(words) < LEAST_OF_A_LONG_ONE:
            return None
        starts = [place for place, piece in enumerate(self.pieces) if piece.key in words[:2]]
        spans = [
            (first, first + length)
            for place in starts[:LONG_TITLES]
            for first in (place - 1, place)
            for length in (len(words) - 1, len(words), len(words) + 1)
            if first >= 0 and first + length <= len(self.pieces)
        ]
        scored = [(likeness(self.key(span), key), span) for span in spans]
        best, span = max(scored, default=(0.0, (0, 0)))
        return MentionCandidate(span, (entity,), self._score(span, best)) if best else None


# Mentions of entities in a question, and its possible relational requirements.

LONGEST_READ = 2_000
"""Largest length of a question to search for names."""


def mentions_in(base: KnowledgeBase, templates: Sequence[Template]) -> Callable[[str], tuple[Mention, ...]]:
    """Return a function that finds mentions of the types that any template starts from."""
    types = tuple(dict.fromkeys(kind for template in templates for kind in template.slots.values()))

    def mentions(text: str) -> tuple[Mention, ...]:
        return find_mentions(base, text[:LONGEST_READ], types=types) if types else ()

    return mentions


def in_words(proposal: TemplateProposal) -> str:
    text = question_words(proposal.template, proposal.titles)
    return (
        f"{text} [{proposal.n_meant:,} entities have these names]" if proposal.n_meant > len(proposal.given) else text
    )
