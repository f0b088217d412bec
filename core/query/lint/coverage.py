"""Which terms can only match where another one matches, told from their spelling alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from core.query.tree import Term, Word

Run = tuple[Word, ...]
LONGEST_RUN = 8
"""Words of a phrase that are looked at."""
MOST_TRIED = 20
"""Terms with the same beginning that are compared."""


class Coverage:
    """Terms, by the words that another term must hold to be covered by them."""

    def __init__(self, terms: Iterable[Term]) -> None:
        terms = list(terms)
        often = Counter(run for term in terms for run in term.chunks)
        self._plain: dict[tuple[tuple[str, ...], str], list[Term]] = defaultdict(list)
        self._stems: dict[tuple[str, ...], dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for term in terms:
            run = min(term.chunks, key=lambda r: often[r], default=())
            if not run or not all(word.is_plain for word in run[:-1]):
                continue
            head, last = tuple(map(str, run[:-1])), run[-1]
            if last.is_plain:
                self._plain[head, str(last)].append(term)
            elif last.is_stem:
                self._stems[head][str(last.pieces[0])].append(term)

    def broader(self, term: Term) -> Iterator[Term]:
        """Terms that match wherever this one does, the same one included."""
        for other in self._candidates(term):
            if covers(other, term):
                yield other

    def _candidates(self, term: Term) -> Iterator[Term]:
        for run in term.chunks:
            names = [str(word) for word in run[:LONGEST_RUN]]
            for start in range(len(names)):
                for last in range(start, len(names)):
                    head = tuple(names[start:last])
                    yield from islice(self._plain.get((head, names[last]), ()), MOST_TRIED)
                    if head in self._stems:
                        yield from self._stemmed(head, run[last])

    def _stemmed(self, head: tuple[str, ...], last: Word) -> Iterator[Term]:
        letters = last.pieces[0]
        if isinstance(letters, str):
            stems = self._stems[head]
            for n in range(1, len(letters) + 1):
                yield from islice(stems.get(letters[:n], ()), MOST_TRIED)


def covers(broad: Term, narrow: Term) -> bool:
    """Whether the first matches wherever the second does.

    >>> covers(Term(("heat",)), Term(("heat wave",), quoted=True, fields=("title",)))
    True
    """
    if broad.fields and not (narrow.fields and set(narrow.fields) <= set(broad.fields)):
        return False
    return all(any(_inside(run, longer) for longer in narrow.chunks) for run in broad.chunks)


def _inside(run: Run, longer: Run) -> bool:
    last_start = min(len(longer), LONGEST_RUN) - len(run)
    return any(
        all(_word_covers(word, longer[start + i]) for i, word in enumerate(run)) for start in range(last_start + 1)
    )


def _word_covers(broad: Word, narrow: Word) -> bool:
    letters, first = broad.pieces[0], narrow.pieces[0]
    if broad.is_stem and isinstance(letters, str) and isinstance(first, str):
        return first.startswith(letters)
    return broad == narrow
