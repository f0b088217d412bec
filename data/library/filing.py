"""Filing records: each under the publication of a topic that it is taken to be, or under a new one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from core.protocols import OnProgress
from core.records.cleaning import Record
from core.records.core_matching import CoreMatch, match_core
from core.records.identity import Identity, Placer, suffices
from core.types import Ids
from data.library.membership import save_publications
from data.library.names import OwnNames
from data.library.tables import Filed, apart, identities, records_of, save_records
from data.store import Store

EVERY = 5_000
"""Records between two reports of progress."""


@dataclass
class Filer:
    """Knows a topic's publications, and files records under them."""

    store: Store
    topic_id: str
    _placer: Placer = field(init=False)
    _known: set[str] = field(init=False)
    _names: OwnNames = field(init=False)

    def __post_init__(self) -> None:
        there = identities(self.store, self.topic_id)
        self._placer = Placer(there, apart(self.store, self.topic_id))
        self._known = {publication_id for publication_id, _ in there}
        self._names = OwnNames(self.store, self.topic_id)

    def file(self, records: Sequence[Record], on_record: OnProgress | None = None) -> list[Filed]:
        """Each record under the publication that it is of; a new one where there is none."""
        filed = []
        for n, record in enumerate(records, start=1):
            filed.append(self._file(record))
            if on_record and n % EVERY == 0:
                on_record(n, len(records))
        return filed

    def _file(self, record: Record) -> Filed:
        identity = Identity.of(record)
        named = self._names.described(record)
        if len(named) == 1:
            return self._keep(record, identity, named[0], "own_id")
        own = new_id(record, identity)
        placed = self._placer.place(identity, own)
        if placed.publication_id is None and (waiting := self._names.waiting(record)):
            return self._keep(record, identity, waiting, "own_id")
        publication_id = placed.publication_id or free_id(own, self._known)
        return self._keep(record, identity, publication_id, placed.rule)

    def _keep(self, record: Record, identity: Identity, publication_id: str, rule: str | None) -> Filed:
        self._placer.add(publication_id, identity)
        self._known.add(publication_id)
        self._names.add(publication_id, record)
        return Filed(record, identity, publication_id, rule)

    def file_core(self, records: Sequence[Record]) -> tuple[list[Filed], tuple[CoreMatch, ...]]:
        """A person's list of known publications; what could be several of the corpus is left for the person."""
        matches = tuple(map(self._names.match, match_core(records, identities(self.store, self.topic_id))))
        filed = []
        for match in matches:
            if match.status == "ambiguous":
                continue
            if match.publication_id is not None:
                identity = Identity.of(match.record)
                filed.append(self._keep(match.record, identity, match.publication_id, match.by))
            else:
                filed.append(self._file(match.record))
        return filed, matches

    def rematch_core(self, store: Store) -> Ids:
        """Core publications that waited for the corpus to bring them; returns those that are others now."""
        waiting = waiting_core(store, self.topic_id)
        if not waiting:
            return ()
        gone = []
        others = [(i, identity) for i, identity in identities(store, self.topic_id) if i not in waiting]
        for publication_id, records in records_of(store, waiting, self.topic_id).items():
            found = {m.publication_id: m.by for m in match_core(records, others) if m.status == "matched"}
            if len(found) == 1:
                ((there, by),) = found.items()
                assert there is not None
                refile(store, self.topic_id, publication_id, there, by or "title")
                gone.append(publication_id)
                for record in records:
                    self._placer.add(there, Identity.of(record))
        return tuple(gone)


def keep_filed(store: Store, source_id: str, filed: Sequence[Filed]) -> None:
    """Keep records under their source, and what publications say now; the caller holds the transaction."""
    save_records(store, source_id, filed)
    touched: dict[str, list[Record]] = {}
    for f in filed:
        touched.setdefault(f.publication_id, []).append(f.record)
    known = store.known_ids(tuple(touched))
    touched |= records_of(store, known)
    save_publications(store, touched)


def waiting_core(store: Store, topic_id: str) -> Collection[str]:
    """Core publications that only core lists know."""
    found = store.rows(
        """
        SELECT r.publication_id FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = ? GROUP BY ALL HAVING bool_and(s.role = 'core')
        """,
        [topic_id],
    )
    return [i for (i,) in found]


def refile(store: Store, topic_id: str, publication_id: str, there: str, rule: str) -> None:
    """All of a topic's records of one publication become records of another."""
    store.execute(
        """
        UPDATE records SET publication_id = $there, rule = $rule, began_as = coalesce(began_as, $here)
        WHERE publication_id = $here AND source_id IN (SELECT source_id FROM sources WHERE topic_id = $topic)
        """,
        {"there": there, "here": publication_id, "rule": rule, "topic": topic_id},
    )
    save_publications(store, records_of(store, [there]))


def new_id(record: Record, identity: Identity) -> str:
    """A name for a publication that only depends on what its first record says."""
    if identity.own_id and record.own_id:
        return record.own_id.strip()
    if identity.doi:
        return f"doi:{identity.doi}"
    if identity.pmid:
        return f"pmid:{identity.pmid}"
    tells = suffices(identity, year=bool(identity.year) or None, author=bool(identity.first_author) or None)
    titled = [identity.title_key, str(identity.year), identity.first_author or ""]
    said = titled if record.title and tells else [identity.exact]
    return f"title:{sha256(chr(0).join(said).encode(errors='surrogatepass')).hexdigest()[:16]}"


def free_id(wanted: str, known: Collection[str]) -> str:
    """This name, or one like it that is not taken.

    >>> free_id("doi:10.1/x", {"doi:10.1/x"})
    'doi:10.1/x~2'
    """
    name, number = wanted, 1
    while name in known:
        number += 1
        name = f"{wanted}~{number}"
    return name
