"""Which entities a question names: whole titles word for word, and parts that look like a name with a typo or two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from core.knowledge.spans import (
    INITIALS,
    PARTICLES,
    Candidate,
    Entity,
    Mention,
    Piece,
    Span,
    capitalised,
    chosen,
    inflected,
    likeness,
    parts,
    pieces,
    quoted,
    title_key,
    uncapitalised,
)
from core.text import STOP_WORDS
from data.knowledge.base import KnowledgeBase
from data.knowledge.titles import encodable, few_of_each_type, open_titles, type_numbers

MOST_QUESTION_CHARACTERS = 10_000
"""Of a question; what comes behind is not looked at."""
MOST_QUESTION_WORDS = 40
"""Of a title that is looked for word for word; a longer one has to be quoted."""
MOST_INFLECTED = 5
"""Words of a title that may stand in the other number."""
MOST_HITS, MOST_ROWS = 400, 4_000
"""Parts of a question that have the words of a title, and entities that they may name, the longest parts first."""
MOST_TRIES, TRIES_PER_RUN = 40, 24
"""Parts that are looked up with typos, of a question and of one run of words."""
MOST_TITLES = 3
"""Different titles that a part with typos may mean; beyond these it means none."""
LEAST_LETTERS, LEAST_LOWER_LETTERS = 6, 8
"""Of a word that stands alone and may hold a typo: with a capital, and without."""
OTHER_NUMBER = 0.8
"""How like a title is that stands there in the other number, where that takes more letters than a typo."""
ALMOST = 0.99
CANDIDATES = 40
ASKED_WORDS, LONG_TITLES, LEAST_OF_A_LONG_ONE = 60, 12, 4
"""Words of a question by which long titles are looked for, how many of these are compared, and their fewest words."""


def find_mentions(base: KnowledgeBase, text: str, *, types: Sequence[str] | None = None) -> tuple[Mention, ...]:
    """Parts of a question that may name entities, by place; none overlaps another. `types`: of the entities wanted."""
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


def _says(piece: Piece) -> bool:
    return piece.key not in STOP_WORDS and piece.key not in PARTICLES


class _Linker:
    """A question, and where its parts are looked up."""

    def __init__(self, base: KnowledgeBase, text: str, types: Sequence[str] | None) -> None:
        self.text = text
        self.pieces: tuple[Piece, ...] = pieces(text)
        self._base = base
        self._types = types
        self._numbers = type_numbers(base, types)
        self._titles = open_titles(base)

    def mention(self, candidate: Candidate) -> Mention:
        """With its place in the text."""
        start, end = candidate.span
        return Mention(self.pieces[start].start, self.pieces[end - 1].end, candidate.entities, candidate.score)

    def key(self, span: Span) -> str:
        """The words of a part."""
        return " ".join(piece.key for piece in self.pieces[span[0] : span[1]])

    def names(self) -> Iterator[Span]:
        """Parts that look like names, those with capitals first; nobody has to care for capitals."""
        yield from capitalised(self.text, self.pieces)
        yield from uncapitalised(self.pieces)

    def places_left(self, found: Sequence[Candidate]) -> set[int]:
        """Pieces that say something and are of no title of several words."""
        taken = {place for each in found if each.span[1] - each.span[0] > 1 for place in range(*each.span)}
        return {place for place, piece in enumerate(self.pieces) if _says(piece) and place not in taken}

    def is_worth_a_try(self, span: Span, open_places: set[int]) -> bool:
        """Whether it may be a name with typos. A single word has to be long, and not the first: that has a capital."""
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

    def word_for_word(self, marked: set[Span]) -> list[Candidate]:
        """Parts with all words of a title, and its last one in the singular or plural."""
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
                found.append(Candidate(span, same, 1.0 if is_same else likeness(self.key(span), key) or OTHER_NUMBER))
        return found

    def _keys(self, marked: set[Span]) -> Iterator[tuple[Span, str, bool]]:
        """Every part with its words, and with its last one in the other number: then it is not the same."""
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

    def with_typos(self, spans: Sequence[Span]) -> list[Candidate]:
        """Parts that are like a title; those that could mean many things are left out."""
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
                continue  # two typos make another word of one
            if best > 0 and n_titles <= (1 if best == INITIALS else MOST_TITLES):
                named = sorted((entities[row] for row in likest), key=lambda entity: entity.row)
                found.append(Candidate(span, tuple(named), self._score(span, best)))
        return found

    def _score(self, span: Span, likest: float) -> float:
        """1 only where the very text is that of the title."""
        return likest if likest < 1 or title_key(self._written(span)) == self.key(span) else ALMOST

    def _like(self, key: str) -> list[int]:
        words = key.split(" ")[:MOST_QUESTION_WORDS]
        if max(map(len, words)) < 3:
            return []
        said = [word for word in words if word not in STOP_WORDS or len(word) == 1] or words
        return [int(row) for row in self._titles.with_words_like(said, CANDIDATES, self._numbers)]

    def long_titles(self, open_places: set[int]) -> list[Candidate]:
        """Long titles of which a word is mistyped or left out, wherever they stand."""
        said = [word for place in sorted(open_places) for word in self.pieces[place].key.split(" ")]
        asked = list(dict.fromkeys(said))[:ASKED_WORDS]
        if len(asked) < LEAST_OF_A_LONG_ONE:
            return []
        rows = self._titles.with_some_words(asked, LONG_TITLES, self._numbers).tolist()
        found = (self._lies_at(entity) for entity in self._entities(rows).values())
        return [candidate for candidate in found if candidate is not None]

    def _lies_at(self, entity: Entity) -> Candidate | None:
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
        return Candidate(span, (entity,), self._score(span, best)) if best else None
