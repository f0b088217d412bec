"""Which of a topic's publications a person means by a list of DOIs, PMIDs or titles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.records.cleaning import title_key
from core.records.identity import Identity, same_author
from core.records.likeness import MOST_COMPARED, edits
from core.records.record import Record
from core.types import Ids, unique_ids

MatchedBy = Literal["doi", "pmid", "own_id", "title"]
Status = Literal["matched", "not_in_corpus", "ambiguous"]

MOST_CANDIDATES = 5
RUN = 9
"""Letters in a row that a title like another one has in common with it."""
STRIDE = 4
"""Letters between two runs that are looked up."""
MOST_SHARING = 10
"""Wanted titles that may share a run; a run of more of them says nothing."""


@dataclass(frozen=True, slots=True)
class CoreMatch:
    """What became of one line of the list."""

    record: Record
    status: Status
    publication_id: str | None = None
    """Only where it is matched."""
    by: MatchedBy | None = None
    candidates: Ids = ()
    """Ambiguous: the publications that fit equally well. Not in the corpus: "did you mean", the likeliest first."""


def match_core(wanted: Sequence[Record], known: Sequence[tuple[str, Identity]]) -> tuple[CoreMatch, ...]:
    """What each record of the list is among the known publications, which may come with several identities each.

    A name decides before a title; year and first author only decide between several publications of one title.
    """
    looked_up = _Known(known)
    found = [looked_up.match(record) for record in wanted]
    left = [i for i, match in enumerate(found) if match.status == "not_in_corpus" and not match.candidates]
    for i, candidates in zip(left, _near([wanted[i] for i in left], known), strict=True):
        found[i] = CoreMatch(wanted[i], "not_in_corpus", candidates=candidates)
    return tuple(found)


class _Known:
    def __init__(self, known: Iterable[tuple[str, Identity]]) -> None:
        self._named: defaultdict[tuple[MatchedBy, str], list[tuple[str, Identity]]] = defaultdict(list)
        for publication_id, identity in known:
            for name in _names(identity):
                self._named[name].append((publication_id, identity))

    def match(self, record: Record) -> CoreMatch:
        wanted = Identity.of(record)
        rejected: Ids = ()
        for by, name in _names(wanted):
            there = self._named.get((by, name), [])
            fitting = [pair for pair in there if by != "title" or not _contradicted(wanted, pair[1])]
            if ids := _best(wanted, fitting):
                if len(ids) > 1 or (by == "title" and wanted.generic and not _some_agreement(wanted, fitting)):
                    return CoreMatch(record, "ambiguous", by=by, candidates=ids)
                return CoreMatch(record, "matched", ids[0], by)
            rejected = unique_ids(publication_id for publication_id, _ in there)
        return CoreMatch(record, "not_in_corpus", candidates=rejected[:MOST_CANDIDATES])


def _names(identity: Identity) -> list[tuple[MatchedBy, str]]:
    names: list[tuple[MatchedBy, str | None]] = [
        ("doi", identity.doi),
        ("pmid", identity.pmid),
        ("own_id", identity.own_id),
        ("title", identity.title_key),
    ]
    return [(by, name) for by, name in names if name]


def _contradicted(wanted: Identity, there: Identity) -> bool:
    """Whether year and first author both say that a publication of this title is another one."""
    return _years_apart(wanted, there) is True and _other_author(wanted, there) is True


def _years_apart(wanted: Identity, there: Identity) -> bool | None:
    return None if wanted.year is None or there.year is None else abs(wanted.year - there.year) > 1


def _other_author(wanted: Identity, there: Identity) -> bool | None:
    if wanted.first_author is None or there.first_author is None:
        return None
    return not same_author(wanted.first_author, there.first_author)


def _some_agreement(wanted: Identity, there: Sequence[tuple[str, Identity]]) -> bool:
    """Whether year or first author speaks for one of them: "Editorial" alone says nothing."""
    return any(
        _other_author(wanted, identity) is False or (wanted.year is not None and wanted.year == identity.year)
        for _, identity in there
    )


def _best(wanted: Identity, there: Sequence[tuple[str, Identity]]) -> Ids:
    """The publications that agree best in year and first author; several where they agree equally well."""
    agreed: dict[str, int] = {}
    for publication_id, identity in there:
        points = (
            2 * (wanted.year is not None and wanted.year == identity.year)
            - 2 * (_years_apart(wanted, identity) is True)
            + 3 * (_other_author(wanted, identity) is False)
            - 3 * (_other_author(wanted, identity) is True)
        )
        agreed[publication_id] = max(points, agreed.get(publication_id, points))
    most = max(agreed.values(), default=0)
    return tuple(publication_id for publication_id, points in agreed.items() if points == most)


def _near(wanted: Sequence[Record], known: Sequence[tuple[str, Identity]]) -> list[Ids]:
    """Publications with nearly the title of each record."""
    keys = [title_key(record.title)[:MOST_COMPARED] for record in wanted]
    runs: defaultdict[str, set[int]] = defaultdict(set)
    for i, key in enumerate(keys):
        for start in range(len(key) - RUN + 1):
            runs[key[start : start + RUN]].add(i)
    telling = {run: rows for run, rows in runs.items() if len(rows) <= MOST_SHARING}
    found: list[dict[str, float]] = [{} for _ in wanted]
    for publication_id, identity in known:
        key = identity.title_key[:MOST_COMPARED]
        shared = [key[start : start + RUN] for start in range(0, len(key) - RUN + 1, STRIDE)]
        for i, n_shared in Counter(i for run in shared if run in telling for i in telling[run]).most_common(3):
            if 4 * STRIDE * n_shared < min(len(key), len(keys[i])):
                continue
            likeness = _likeness(keys[i], key)
            if likeness > found[i].get(publication_id, 0.0):
                found[i][publication_id] = likeness
    return [tuple(sorted(by_id, key=lambda name: (-by_id[name], name))[:MOST_CANDIDATES]) for by_id in found]


def _likeness(one: str, other: str) -> float:
    """0: not alike; that of a title and the same with a subtitle is 0.92."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 20 and long.startswith(short):
        return 0.92
    distance = edits(one, other, most=len(long) // 5)
    return 0.0 if distance is None else 1 - distance / len(long)
