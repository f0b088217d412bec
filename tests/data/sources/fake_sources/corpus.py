"""Made-up works that every stand-in for a source holds, and a search in them.

Nothing here was published by anybody. Works are the same at every call; those of a smaller corpus are the first ones
of a larger one. Every fiftieth is a second entry for the work before it, with a number and a title of its own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np

from core.library.records import plain_text, title_key
from core.query.match import CorpusTexts, Postings, Semantics, match, rows_of
from core.query.parser import parse
from core.query.tree import DialectId, Group, Near, Node, Not, Term
from core.text import words
from core.types import Ids, Publication
from data.query.index import NO_YEAR, CorpusIndex, StoredIndex, stemmer
from tests.data.sources.fake_sources.vocabulary import FAMILY, GIVEN, JOURNALS, KINDS, SUBJECTS, Subject

FIRST_YEAR, LAST_YEAR = 1995, 2025
EVERY_TWICE = 50
FIRST_PMID = 90_000_000


@dataclass(frozen=True, slots=True)
class Work:
    """A work as its author would describe it; each service says it in its own shape."""

    number: int
    """From 1: its name in every service follows from it."""
    title: str
    """With mark-up, where it has some."""
    sentences: tuple[str, ...]
    """Of its abstract; none: it has no abstract."""
    year: int | None
    doi: str | None
    """In normal form."""
    has_pmid: bool = True
    authors: tuple[tuple[str, str], ...] = ()
    """Family and given names."""
    journal: str = "Annals of Things That Are Not"
    keywords: tuple[str, ...] = ()
    kind: str = "article"
    cited: int = 0
    publication_id: str | None = None
    """Of the workspace that it was taken from."""

    @property
    def pmid(self) -> str | None:
        return str(FIRST_PMID + self.number) if self.has_pmid else None

    @property
    def abstract(self) -> str | None:
        return " ".join(self.sentences) or None

    @property
    def volume(self) -> str:
        return str(1 + self.number % 60)

    @property
    def issue(self) -> str:
        return str(1 + self.number % 12)

    @property
    def pages(self) -> tuple[int, int]:
        first = 1 + self.number % 900
        return first, first + 3 + self.number % 17


def _pick(rng: random.Random, entries: Sequence[Any]) -> Any:
    """Only rng.random() is used: its sequence is the same in every Python version."""
    return entries[int(rng.random() * len(entries))]


def _title(rng: random.Random, subject: Subject, number: int) -> str:
    title = f"{_pick(rng, subject.things)} and {_pick(rng, subject.effects)} in {_pick(rng, subject.places)}"
    title = f"{title[0].upper()}{title[1:]}: {_pick(rng, KINDS)[0]} {number}"
    sign = rng.random()
    if sign < 0.03:
        return title.replace(" and ", " <i>and</i> ", 1)
    if sign < 0.06:
        return title.replace(" and ", " &amp; ", 1)
    return title + " (CO<sub>2</sub>)" if sign < 0.07 else title


def _made_up(number: int) -> Work:
    rng = random.Random(f"work {number}")
    subject = _pick(rng, SUBJECTS)
    title = _title(rng, subject, number)
    n = 0 if rng.random() < 0.09 else 5 + int(rng.random() * 4)
    sentences = tuple(dict.fromkeys(_pick(rng, subject.sentences) for _ in range(n)))
    return Work(
        number,
        title,
        (*sentences, "This work was made up.") if sentences else (),
        None if rng.random() < 0.02 else FIRST_YEAR + int(rng.random() * (LAST_YEAR - FIRST_YEAR + 1)),
        f"10.5555/made.up.{number}" if rng.random() < 0.88 else None,
        has_pmid=rng.random() < 0.8,
        authors=tuple((_pick(rng, FAMILY), _pick(rng, GIVEN)) for _ in range(1 + int(rng.random() * 4))),
        journal=_pick(rng, JOURNALS),
        keywords=tuple(dict.fromkeys((_pick(rng, subject.things), _pick(rng, subject.effects)))),
        kind=_pick(rng, KINDS)[1],
        cited=int(rng.random() ** 4 * 300),
    )


def _second_entry(first: Work) -> Work:
    """The same work, as a service came by it once more."""
    return replace(first, number=first.number + 1, title=first.title.upper(), has_pmid=False, cited=0)


def works(n: int) -> list[Work]:
    made: list[Work] = []
    for number in range(1, n + 1):
        made.append(_second_entry(made[-1]) if number % EVERY_TWICE == 0 else _made_up(number))
    return made


@dataclass(eq=False)
class Corpus:
    """Works that can be searched; row r is `works[r]`."""

    works: list[Work]
    _known: dict[tuple[Any, ...], tuple[int, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def index(self) -> CorpusIndex:
        """What core's matcher looks into."""
        return _index_of(self.works)

    @cached_property
    def row_of_number(self) -> dict[int, int]:
        return {work.number: row for row, work in enumerate(self.works)}

    @cached_property
    def rows_of_doi(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, work in enumerate(self.works):
            if work.doi:
                found.setdefault(work.doi.lower(), []).append(row)
        return found

    @cached_property
    def _rows_of_title(self) -> dict[str, int]:
        return {title_key(plain_text(work.title)): row for row, work in reversed(list(enumerate(self.works)))}

    def row_of_title(self, key: str) -> int | None:
        """The first work whose title has this key."""
        return self._rows_of_title.get(key)

    def row_of_pmid(self, pmid: str) -> int | None:
        row = self.row_of_number.get(int(pmid) - FIRST_PMID) if pmid.isdigit() else None
        return row if row is not None and self.works[row].has_pmid else None

    def search(
        self, text: str, dialect: DialectId, semantics: Semantics = "stemmed", fields: tuple[str, ...] | None = None
    ) -> tuple[int, ...]:
        """Rows that a text finds, as our own reader and matcher understand it; ValueError: nothing of it is understood.

        One that asks for "everything" finds all, at once. `fields`: where words without a field are looked for.
        """
        key = (text, dialect, semantics, fields)
        if key not in self._known:
            root = parse(text, dialect).root
            if text == "everything":
                self._known[key] = tuple(range(len(self.works)))
            elif root is None:
                raise ValueError(text)
            else:
                self._known[key] = self.rows(root if fields is None else _looked_for_in(root, fields), semantics)
        return self._known[key]

    def rows(self, root: Node, semantics: Semantics = "stemmed") -> tuple[int, ...]:
        found = match(root, self.index, semantics).root
        return () if found is None else tuple(rows_of(found)[rows_of(found) < len(self.works)].tolist())


def revised(corpus: Corpus, every: int) -> Corpus:
    """The same some time later: every so many-th work has another title, and the one after it is withdrawn."""
    changed = [replace(w, title=f"{w.title}, revised") if w.number % every == 0 else w for w in corpus.works]
    return Corpus([work for work in changed if work.number % every != 1])


def _looked_for_in(node: Node, fields: tuple[str, ...]) -> Node:
    if isinstance(node, Group | Near):
        return replace(node, parts=tuple(_looked_for_in(part, fields) for part in node.parts))
    if isinstance(node, Not):
        return replace(node, part=_looked_for_in(node.part, fields))
    return replace(node, fields=fields) if isinstance(node, Term) and not node.fields else node


def _index_of(made: list[Work]) -> CorpusIndex:
    """Made from sentences whose words are known already, so that a hundred thousand works take seconds."""
    number: dict[str, int] = {}
    numbers_of = cache(lambda text: tuple(number.setdefault(word, len(number)) for word in words(plain_text(text))))
    fields: list[tuple[int, ...]] = []
    breaks: list[int] = []
    n_tokens = 0
    for work in made:
        title = words(plain_text(work.title))
        fields.append(tuple(number.setdefault(word, len(number)) for word in title))
        fields.append(tuple(chain.from_iterable(map(numbers_of, work.sentences))))
        keywords = [numbers_of(keyword) for keyword in work.keywords]
        fields.append(tuple(chain.from_iterable(keywords)))
        at = n_tokens + len(fields[-3]) + len(fields[-2])
        for keyword in keywords[:-1]:
            at += len(keyword)
            breaks.append(at)
        n_tokens += sum(map(len, fields[-3:]))
    vocabulary = tuple(sorted(number))
    ranks = np.zeros(len(vocabulary), dtype=np.int32)
    ranks[[number[word] for word in vocabulary]] = np.arange(len(vocabulary), dtype=np.int32)
    stems = stemmer().analyze(" ".join(vocabulary))
    stem_words = tuple(sorted(set(stems)))
    stem_number = {stem: i for i, stem in enumerate(stem_words)}
    texts = CorpusTexts(
        vocabulary,
        np.array([stem_number[stem] for stem in stems], dtype=np.int32),
        ranks[np.fromiter(chain.from_iterable(fields), dtype=np.int32, count=n_tokens)],
        np.concatenate(([0], np.cumsum([len(tokens) for tokens in fields]))).astype(np.int64),
        ("title", "abstract", "keywords"),
        np.array(breaks, dtype=np.int64),
    )
    years = np.array([NO_YEAR if work.year is None else work.year for work in made], dtype=np.int64)
    ids: Ids = tuple(str(work.number) for work in made)
    return CorpusIndex(StoredIndex(ids, texts, stem_words, years, Postings.of(texts), _Unranked()))  # type: ignore[arg-type]


class _Unranked:
    """Nobody asks a stand-in for a ranking."""

    schema = None

    def searcher(self) -> None:
        return None


@cache
def made_up(n: int) -> Corpus:
    """The first n works; kept, because tests share it."""
    return Corpus(works(n))


def like(publications: Sequence[Publication], n: int, *, left_out: Sequence[str] = ()) -> Corpus:
    """These publications first, without those that the sources shall not have, then made-up works up to n in all."""
    taken = [p for p in publications if p.publication_id not in left_out]
    first = [
        Work(
            number,
            p.title,
            (p.abstract,) if p.abstract else (),
            p.year,
            p.doi,
            has_pmid=number % 5 != 0,
            authors=((FAMILY[number % len(FAMILY)], GIVEN[number % len(GIVEN)]),),
            keywords=p.keywords,
            cited=p.times_cited or 0,
            publication_id=p.publication_id,
        )
        for number, p in enumerate(taken, 1)
    ]
    return Corpus(first + [_made_up(number) for number in range(len(first) + 1, n + 1)])
