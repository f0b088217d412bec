"""Looking publications up in a source: by their names first, by their titles where those are not known there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.records.cleaning import Record, doi_of, plain_text, pmid_of, title_key
from core.records.identity import Identity
from core.text import STOP_WORDS, words
from data.sources.types import Fetched, Located, Wanted

N_NAMED = 100
"""Publications that are looked for by name in one request."""
N_TITLED = 10
"""By title: their records may be many more than are wanted."""
MOST_WORDS = 12
"""Of a title in a search."""
YEARS_APART = 1
"""Online and in print, a work may have two years."""

ByName = Callable[[Sequence[Wanted]], Sequence[Fetched]]
"""The records that have one of these DOIs and PubMed numbers; where several have one, the best first."""
ByTitle = Callable[[Sequence[Wanted]], Sequence[Fetched] | None]
"""The records that may have one of these titles; None: more than can be looked through."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a publication can be looked for by, in normal form."""

    doi: str | None
    pmid: str | None
    title_key: str

    @classmethod
    def of(cls, wanted: Wanted) -> Names:
        """All that is there."""
        pmid = pmid_of(wanted.pmid) if wanted.pmid else None
        return cls(doi_of(wanted.doi) if wanted.doi else None, pmid, title_key(plain_text(wanted.title)))


def locate(wanted: Sequence[Wanted], by_name: ByName, by_title: ByTitle) -> tuple[Located, ...]:
    """Whether a source has these, in their order. It is asked for many at once."""
    found: dict[int, Located] = {}
    names = [Names.of(each) for each in wanted]
    named = [i for i, name in enumerate(names) if name.doi or name.pmid]
    for batch in _batches(named, N_NAMED):
        records = by_name([wanted[i] for i in batch])
        found |= {i: there for i in batch if (there := _by_name(wanted[i], names[i], records)) is not None}
    titled = [i for i in range(len(wanted)) if i not in found and names[i].title_key and title_words(wanted[i].title)]
    for batch in _batches(titled, N_TITLED):
        found |= _by_titles(batch, wanted, by_title)
    return tuple(found[i] if i in found else _nowhere(wanted[i], names[i]) for i in range(len(wanted)))


def title_words(title: str) -> list[str]:
    """The words of a title that a search by words can hold, each once, without those that say nothing.

    >>> title_words("The role of CO<sub>2</sub> in Ménière's disease")
    ['role', 'co2', 'meniere', 'disease']
    """
    said = dict.fromkeys(word for word in words(plain_text(title)) if word.isascii() and len(word) > 1)
    telling = [word for word in said if word not in STOP_WORDS]
    if len(telling) > MOST_WORDS:
        longest = set(sorted(telling, key=len, reverse=True)[:MOST_WORDS])
        telling = [word for word in telling if word in longest]
    return telling


def is_closed(text: str) -> bool:
    """Whether quotes and round brackets are all closed: then brackets around it hold it together.

    >>> is_closed('(tea OR "green (tea")'), is_closed("tea) OR (coffee"), is_closed('"tea')
    (True, False, False)
    """
    depth, is_quoted = 0, False
    for sign in text:
        if sign == '"':
            is_quoted = not is_quoted
        elif not is_quoted:
            depth += (sign == "(") - (sign == ")")
            if depth < 0:
                return False
    return depth == 0 and not is_quoted


def _batches(numbers: list[int], n: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), n):
        yield numbers[start : start + n]


def _by_name(wanted: Wanted, names: Names, records: Sequence[Fetched]) -> Located | None:
    for each in records:
        if names.pmid and each.record.pmid == names.pmid:
            return Located(wanted.publication_id, "indexed", each.key, "pmid", each.record)
    for each in records:
        if names.doi and each.record.doi == names.doi:
            return Located(wanted.publication_id, "indexed", each.key, "doi", each.record)
    return None


def _by_titles(batch: list[int], wanted: Sequence[Wanted], by_title: ByTitle) -> dict[int, Located]:
    """Half of them at a time where a source has too many that may be meant."""
    records = by_title([wanted[i] for i in batch])
    if records is not None:
        return {i: _by_title(wanted[i], records) for i in batch}
    if len(batch) == 1:
        return {batch[0]: _unsure(wanted[batch[0]], "too many publications there have the words of its title")}
    half = len(batch) // 2
    return _by_titles(batch[:half], wanted, by_title) | _by_titles(batch[half:], wanted, by_title)


def _by_title(wanted: Wanted, records: Sequence[Fetched]) -> Located:
    names = Names.of(wanted)
    same = {each.key: each for each in records if title_key(each.record.title) == names.title_key}
    near = [each for each in same.values() if _is_near(wanted.year, each.record.year)]
    is_telling = Identity.of(Record(1, title=plain_text(wanted.title))).telling
    if not near:
        apart = [each for each in same.values() if not _has_other_name(names, each.record)]
        if apart and is_telling:
            return _unsure(wanted, f"a publication there has its title, but is from {apart[0].record.year}")
        return Located(wanted.publication_id, "not indexed")
    if not is_telling:
        return _unsure(wanted, "a publication there has its title, but so may many others")
    best = [each for each in near if each.record.year == wanted.year] or near
    best = [each for each in best if each.record.kind != "preprint"] or best
    if len(best) > 1:
        return _unsure(wanted, f"{len(best)} publications there have its title")
    record = best[0].record
    if names.doi and record.doi and record.doi != names.doi:
        return _unsure(wanted, f"a publication there has its title, but another DOI ({record.doi})")
    if names.pmid and record.pmid and record.pmid != names.pmid:
        return _unsure(wanted, f"a publication there has its title, but another PubMed number ({record.pmid})")
    return Located(wanted.publication_id, "indexed", best[0].key, "title", record)


def _has_other_name(names: Names, record: Record) -> bool:
    return bool(names.doi and record.doi and record.doi != names.doi) or bool(
        names.pmid and record.pmid and record.pmid != names.pmid
    )


def _is_near(one: int | None, other: int | None) -> bool:
    return one is None or other is None or abs(one - other) <= YEARS_APART


def _nowhere(wanted: Wanted, names: Names) -> Located:
    if names.doi or names.pmid:
        return Located(wanted.publication_id, "not indexed")
    if names.title_key:
        return _unsure(wanted, "there is no DOI or PubMed number, and its title has no words that are looked for")
    return _unsure(wanted, "there is no DOI, PubMed number or title to look for it by")


def _unsure(wanted: Wanted, why: str) -> Located:
    return Located(wanted.publication_id, "unsure", why=why)
