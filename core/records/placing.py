"""Which publication a record is of: by DOI, PMID, the source's own id, or title with year and first author.

Records are placed one after another. What is merely likely is not decided here but named as a rival, for a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from core.records.identity import Identity, same_author
from core.types import Ids

Rule = Literal["doi", "pmid", "own_id", "title", "same"]
"""What a record was recognised by. "same": it says exactly what an earlier one says, but too little to tell more."""

MOST_LOOKED_AT = 20
"""Publications of one title that are compared with a record; keeps files that repeat one title from taking for ever."""
MOST_SAID = 8
"""Different DOIs, years or authors of one publication that are remembered."""
MOST_RIVALS = 5

T = TypeVar("T")

_Key = tuple[str, str] | tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a record belongs."""

    publication_id: str | None
    """None: a publication that is not known yet."""
    rule: Rule | None
    rivals: Ids = ()
    """Publications that it may be of as well, the likeliest first."""


@dataclass(slots=True)
class _Said:
    """What the records of one publication say together."""

    dois: Ids = ()
    pmids: Ids = ()
    years: tuple[int, ...] = ()
    authors: Ids = ()

    def add(self, identity: Identity) -> None:
        """What a further record says."""
        self.dois = _with(self.dois, identity.doi)
        self.pmids = _with(self.pmids, identity.pmid)
        self.years = _with(self.years, identity.year)
        self.authors = _with(self.authors, identity.first_author)

    def same_year(self, year: int | None) -> bool | None:
        """None: one of the two has none."""
        return None if year is None or not self.years else year in self.years

    def same_author(self, author: str | None) -> bool | None:
        """None: one of the two has none."""
        if author is None or not self.authors:
            return None
        return author in self.authors or any(same_author(author, known) for known in self.authors)

    def contradicts(self, identity: Identity) -> bool:
        """Whether both have a DOI, or a PMID, and it is another one."""
        if identity.doi and self.dois and identity.doi not in self.dois:
            return True
        return bool(identity.pmid and self.pmids and identity.pmid not in self.pmids)


def _with(there: tuple[T, ...], said: T | None) -> tuple[T, ...]:
    return there if said is None or said in there or len(there) >= MOST_SAID else (*there, said)


class Placer:
    """Knows publications by their records' identities, and says of a further record which of them it is of."""

    def __init__(self, known: Iterable[tuple[str, Identity]] = (), kept_apart: Iterable[tuple[str, str]] = ()) -> None:
        """`known` in the order in which it was added; `kept_apart`: pairs that a person separated.

        Each name of a pair is a publication's, or the record name that `place` is told.
        """
        self._known: dict[_Key, Ids] = {}
        self._said: dict[str, _Said] = {}
        self._apart: dict[str, frozenset[str]] = {}
        for one, other in kept_apart:
            self._apart[one] = self._apart.get(one, frozenset()) | {other}
            self._apart[other] = self._apart.get(other, frozenset()) | {one}
        for publication_id, identity in known:
            self.add(publication_id, identity)

    def add(self, publication_id: str, identity: Identity) -> None:
        """The publication can from now on be recognised by this identity as well."""
        said = self._said.get(publication_id)
        if said is None:
            said = self._said[publication_id] = _Said()
        said.add(identity)
        alone = (publication_id,)
        for key in (*_names(identity), *_title_keys(identity)):
            there = self._known.get(key)
            if there is None:
                self._known[key] = alone
            elif len(there) < MOST_LOOKED_AT and publication_id not in there:
                self._known[key] = (*there, publication_id)

    def place(self, identity: Identity, record_name: str | None = None) -> Placed:
        """Where a record belongs; `add` then tells it to the placer."""
        found: dict[str, Rule] = {}
        repeats: Ids = ()
        for key in _names(identity):
            there = self._known.get(key, ())
            if key[0] == "same":
                repeats = there
            else:
                found.update({known: key[0] for known in there if known not in found})
        sufficing, doubtful = self._titled(identity)
        for publication_id in sufficing:
            found.setdefault(publication_id, "title")
        for publication_id in reversed(repeats):  # an exact repeat goes where it was the first time
            found = {publication_id: found.get(publication_id, "same")} | found
        barred = self._apart.get(record_name, frozenset()) if record_name else frozenset()
        return self._chosen([(known, rule) for known, rule in found.items() if known not in barred], doubtful, barred)

    def _chosen(self, found: list[tuple[str, Rule]], doubtful: Ids, barred: frozenset[str]) -> Placed:
        chosen, rule = found[0] if found else (None, None)
        apart = barred | self._apart.get(chosen, frozenset()) if chosen else barred
        others = dict.fromkeys((*(known for known, _ in found[1:]), *doubtful))
        rivals = tuple(known for known in others if known != chosen and known not in apart)
        return Placed(chosen, rule, rivals[:MOST_RIVALS])

    def _titled(self, identity: Identity) -> tuple[Ids, Ids]:
        """Publications of the same title: those of which it is one, and those of which it may be one."""
        candidates: dict[str, None] = {}
        for key in _title_keys(identity):
            candidates.update(dict.fromkeys(self._known.get(key, ())))
        sufficing, doubtful = [], []
        for publication_id in candidates:
            said = self._said[publication_id]
            year, author = said.same_year(identity.year), said.same_author(identity.first_author)
            if suffices(identity, year=year, author=author) and not said.contradicts(identity):
                sufficing.append((not (year and author), publication_id))
            elif identity.telling or not (identity.generic or year is False or author is False):
                doubtful.append(publication_id)
        return tuple(publication_id for _, publication_id in sorted(sufficing, key=lambda pair: pair[0])), (*doubtful,)


def suffices(identity: Identity, *, year: bool | None, author: bool | None) -> bool:
    """Whether two records of one title are of one publication; None: one of the two does not say.

    A title that tells something needs one of year and author beside it, any other one both.
    """
    if not identity.telling:
        return bool(year and author)
    return year is not False and author is not False and bool(year or author)


def _names(identity: Identity) -> list[tuple[Rule, str]]:
    names: list[tuple[Rule, str]] = []
    if identity.doi:
        names.append(("doi", identity.doi))
    if identity.pmid:
        names.append(("pmid", identity.pmid))
    if identity.own_id:
        names.append(("own_id", identity.own_id))
    if identity.exact:
        names.append(("same", identity.exact))
    return names


def _title_keys(identity: Identity) -> list[tuple[str, str] | tuple[str, str, int]]:
    """The narrow ones first: where many publications have one title, only the likely ones are looked at."""
    title = identity.title_key
    if not title:
        return []
    keys: list[tuple[str, str] | tuple[str, str, int]] = []
    if identity.first_author and identity.year is not None:
        keys.append((title, identity.first_author, identity.year))
    if identity.generic:
        return keys
    if identity.year is not None:
        keys.append((title, "", identity.year))
    if identity.first_author:
        keys.append((title, identity.first_author))
    return [*keys, (title, "")]
