"""Merged records: the log, undo, and decisions about similar pairs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from core.documents import decoded
from core.errors import InputError, NotFoundError
from core.library.duplicates import NearPair, PairKind, near_pairs
from core.library.identity import Identity
from core.library.preprints import VersionForm
from core.types import Ids, unique_ids
from data.changes import UNSEEN, Unseen, check_seen, record_changes
from data.explore.workspace import Workspace
from data.library.filing import drop_orphans, free_id, keep_what_was_here, new_id, refile, renew, save_publications
from data.library.records import (
    ASKED,
    apart,
    identities,
    keep_apart,
    load_details,
    load_record,
    load_sources,
    records_of,
    sources_of,
)
from data.store import Store, content_hash, utc_now

RULES = {
    "doi": "DOI",
    "pmid": "PMID",
    "own_id": "ID in the source",
    "title": "title",
    "same": "identical records",
    ASKED: "manual decision",
}
"""The rule that recognised a record, in words."""


MOST_PROPOSED = 1_000


@dataclass(frozen=True, slots=True)
class Merge:
    """A record that was filed under an existing publication."""

    source_id: str
    source: str
    number: int
    """The record's number in its source."""
    rule: str
    publication_id: str
    title: str
    """The record's title."""
    known_as: str
    """The publication's title."""
    began_as: str | None
    """The publication before the merge; undoing a merge of publications undoes it for all their records."""


@dataclass(frozen=True, slots=True)
class DuplicateProposal:
    pair: NearPair
    titles: tuple[str, str]
    years: tuple[int | None, int | None]
    dois: tuple[str | None, str | None]
    sources: tuple[Ids, Ids]

    @property
    def ids(self) -> tuple[str, str]:
        return self.pair.a, self.pair.b


def merges(
    workspace: Workspace, topic_id: str, *, rule: str | None = None, containing: str = "", most: int | None = 500
) -> tuple[Merge, ...]:
    """Return the merge log, newest first. `most`: None for all."""
    found = workspace.store.rows(
        """
        SELECT r.source_id, s.name, r.number, r.rule, r.publication_id,
               coalesce(json_extract_string(r.document, '$.title'), ''), coalesce(p.title, ''), r.began_as
        FROM records AS r JOIN sources AS s USING (source_id)
        LEFT JOIN publications AS p ON p.publication_id = r.publication_id
        WHERE s.topic_id = $topic AND r.rule IS NOT NULL AND ($rule IS NULL OR r.rule = $rule)
            AND contains(lower(coalesce(p.title, '')), lower($containing))
        ORDER BY s.number DESC, r.number DESC LIMIT $most
        """,
        {"topic": topic_id, "rule": rule, "containing": containing, "most": most},
    )
    return tuple(Merge(*row) for row in found)


def merge_counts(workspace: Workspace, topic_id: str) -> dict[str, int]:
    found = workspace.store.rows(
        """
        SELECT rule, count(*) FROM records AS r JOIN sources AS s USING (source_id)
        WHERE topic_id = ? AND rule IS NOT NULL GROUP BY rule ORDER BY 2 DESC, 1
        """,
        [topic_id],
    )
    return dict(found)


def n_merged_of_lists(workspace: Workspace, topic_id: str) -> int:
    """Count merged records of lists, such as core publications: the flow diagram doesn't count them as duplicates."""
    lists = [s.source_id for s in load_sources(workspace.store, topic_id) if not s.role.is_search]
    found = workspace.store.rows(
        "SELECT count(*) FROM records WHERE rule IS NOT NULL AND source_id IN (SELECT unnest($lists::VARCHAR[]))",
        {"lists": lists},
    )
    return int(found[0][0])


def undo(workspace: Workspace, topic_id: str, source_id: str, number: int) -> str:
    """Undo the last merge of a record, with all that a manual decision merged with it. Return its publication's id."""
    store = workspace.store
    found = store.rows(
        """
        SELECT r.publication_id, r.rule, r.began_as FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = ? AND r.source_id = ? AND r.number = ?
        """,
        [topic_id, source_id, number],
    )
    if not found or found[0][1] is None:
        raise NotFoundError("this record is not merged (any more): reload the list")
    here, _, began_as = found[0]
    with store.transaction():
        if began_as and (own := _undo_kept(workspace, topic_id, here, (source_id, number))):
            return own
        # An automatic merge, or a decision from before its filing was stored.
        own = began_as or _own_id(workspace, topic_id, source_id, number)
        records = store.rows(
            """
            SELECT r.source_id, r.number FROM records AS r JOIN sources AS s USING (source_id)
            WHERE s.topic_id = $topic AND r.publication_id = $here
                AND (r.began_as = $began OR (r.source_id = $source AND r.number = $number))
            """,
            {"topic": topic_id, "here": here, "began": began_as, "source": source_id, "number": number},
        )
        if not began_as:
            keep_apart(store, topic_id, here, own)
        before = FilingBefore((here, own), tuple((*record, own, None, None) for record in records), (), ())
        _restore(workspace, topic_id, before, swapped={here: (here, own)})
    return own


def _undo_kept(workspace: Workspace, topic_id: str, here: str, record: tuple[str, int]) -> str | None:
    """Undo the newest decision that filed this record under `here`, as far as it did; None: it was not stored."""
    store = workspace.store
    for key, before in kept_filings(store, topic_id):
        filed = {(source_id, number): i for source_id, number, i, *_ in before.records}
        if filed.get(record, here) == here:
            continue
        now = set(store.rows("SELECT source_id, number FROM records WHERE publication_id = ?", [here])) & filed.keys()
        part = before.of({filed[each] for each in now})
        _restore(workspace, topic_id, part.only(now))
        _keep_rest(store, key, before.of(set(before.ids) - set(part.ids)))
        return filed[record]
    return None


def undo_batch(workspace: Workspace, topic_id: str, key: str | None = None) -> Ids:
    """Undo a decision exactly, with all of its merges. Return the publications that are back. None: the last one."""
    store = workspace.store
    merged = {
        (source_id, number): publication_id
        for source_id, number, publication_id in store.rows(
            """
            SELECT r.source_id, r.number, r.publication_id FROM records AS r JOIN sources AS s USING (source_id)
            WHERE s.topic_id = ? AND r.began_as IS NOT NULL
            """,
            [topic_id],
        )
    }
    for at, before in kept_filings(store, topic_id):
        back = unique_ids(i for source_id, number, i, *_ in before.records if merged.get((source_id, number), i) != i)
        if key in (None, at) and back:
            with store.transaction():
                here = store.rows(
                    "SELECT source_id, number FROM records WHERE publication_id IN (SELECT unnest($ids::VARCHAR[]))",
                    {"ids": list(before.ids)},
                )
                _restore(workspace, topic_id, before.only(merged.keys() | set(here)))
                _keep_rest(store, at, before.of(()))
            return back
    raise InputError("no merge to undo: it was undone already, see the merge log")


def _own_id(workspace: Workspace, topic_id: str, source_id: str, number: int) -> str:
    record = load_record(workspace.store, source_id, number)
    known = {publication_id for publication_id, _ in identities(workspace.store, topic_id)}
    wanted = new_id(record, Identity.of(record))
    # An id with a number suffix identifies nothing: the same id in another topic means another publication.
    numbered = workspace.store.rows(
        "SELECT publication_id FROM publications WHERE starts_with(publication_id, ?)", [f"{wanted}~"]
    )
    return free_id(wanted, known | {i for (i,) in numbered})


Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class MergeBatch:
    """Pairs that were merged by one decision."""

    key: str
    """For `undo_batch`."""
    left_out: Pairs
    """With the others they would merge publications marked as different."""


def join(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Merge two publications; the earlier one remains."""
    if a == b:
        raise InputError("these are already one publication")
    with workspace.store.transaction():
        _record_decisions(workspace.store, topic_id, [(a, b)], UNSEEN)
        decided = tuple(pair for pair in apart(workspace.store, topic_id) if {*pair} == {a, b})
        reconsider(workspace, topic_id, [(a, b)])
        _join(workspace, topic_id, [(a, b)], decided)


def join_all(workspace: Workspace, topic_id: str, pairs: Pairs, *, seen: Decision | Unseen = UNSEEN) -> MergeBatch:
    """Merge each pair; of all publications that become one, the earliest remains. `seen`: the decision before."""
    with workspace.store.transaction():
        _record_decisions(workspace.store, topic_id, pairs, seen)
        return _join(workspace, topic_id, pairs)


def _join(workspace: Workspace, topic_id: str, pairs: Pairs, decided: Pairs = ()) -> MergeBatch:
    store = workspace.store
    keep_what_was_here(store, topic_id)
    place = {i: n for n, i in enumerate(unique_ids(i for i, _ in identities(store, topic_id)))}
    if any(i not in place for pair in pairs for i in pair):
        raise NotFoundError("one of the two publications no longer exists: reload the list")
    groups = {i: {i} for pair in pairs for i in pair}
    merged: dict[str, str] = {}
    left_out: list[tuple[str, str]] = []
    different = {frozenset(pair) for pair in apart(store, topic_id)}
    for a, b in pairs:
        first, second = sorted((merged.get(a, a), merged.get(b, b)), key=place.__getitem__)
        if first == second:
            continue
        if any(frozenset((i, j)) in different for i in groups[first] for j in groups[second]):
            left_out.append((a, b))
            continue
        groups[first] |= groups.pop(second)
        merged |= dict.fromkeys(groups[first] - {first}, first)
    key = _keep_filing(store, topic_id, _filing_of(store, topic_id, unique_ids([*merged.values(), *merged]), decided))
    refile(store, topic_id, merged, ASKED)
    _swap_in_runs(workspace, topic_id, {second: (first,) for second, first in merged.items()})
    renew(store, topic_id, unique_ids(merged.values()))
    drop_orphans(store, tuple(merged))
    workspace.corpora.forget()
    return MergeBatch(key, left_out)


# The filing of publications before a decision merged some of them: what an exact undo needs.


@dataclass(frozen=True, slots=True)
class VersionBefore:
    """The publications of a version over the corpus that a decision merged."""

    query_id: str
    places: tuple[tuple[int, str], ...]
    """The place of each in the version."""
    others: str
    """Hash of the other publications: another one shows that the version was run again since."""
    corpus_state: str | None


@dataclass(frozen=True, slots=True)
class FilingBefore:
    ids: Ids
    records: tuple[tuple[str, int, str, str | None, str | None], ...]
    """Source, number, publication, rule and began_as of each of their records."""
    versions: tuple[VersionBefore, ...]
    apart: tuple[tuple[str, str], ...]
    """Pairs that were marked as different until they were merged."""

    def only(self, records: Collection[tuple[str, int]]) -> FilingBefore:
        """Return it with these records only: others have a publication of their own again."""
        return replace(self, records=tuple(record for record in self.records if record[:2] in records))

    def of(self, ids: Collection[str]) -> FilingBefore:
        """Return the part about these publications."""
        versions = (replace(v, places=tuple(p for p in v.places if p[1] in ids)) for v in self.versions)
        return FilingBefore(
            tuple(i for i in self.ids if i in ids),
            tuple(record for record in self.records if record[2] in ids),
            tuple(version for version in versions if version.places),
            tuple(pair for pair in self.apart if {*pair} <= {*ids}),
        )


KEPT = "merge"


def kept_filings(store: Store, topic_id: str) -> list[tuple[str, FilingBefore]]:
    """Return what was stored before each decision to merge, by its key, newest first."""
    found = store.rows(
        "SELECT key, document::VARCHAR FROM remembered WHERE kind = ? AND starts_with(key, ?) ORDER BY key DESC",
        [KEPT, _prefix(topic_id)],
    )
    return [(key, decoded(json.loads(document), FilingBefore, "merge")) for key, document in found]


def _prefix(topic_id: str) -> str:
    return f"{KEPT}-{content_hash([topic_id])}-"


def _keep_filing(store: Store, topic_id: str, before: FilingBefore) -> str:
    prefix = _prefix(topic_id)
    last = store.rows("SELECT max(key) FROM remembered WHERE kind = ? AND starts_with(key, ?)", [KEPT, prefix])[0][0]
    key = f"{prefix}{int(last.rpartition('-')[2]) + 1 if last else 1:08}"
    _keep_rest(store, key, before)
    return key


def _keep_rest(store: Store, key: str, before: FilingBefore) -> None:
    """Store what can still be undone of a decision."""
    if before.ids:
        store.remember(key, KEPT, json.dumps(asdict(before)), None)
    else:
        store.execute("DELETE FROM remembered WHERE key = ?", [key])


def _filing_of(store: Store, topic_id: str, ids: Ids, decided: Pairs) -> FilingBefore:
    records = store.rows(
        """
        SELECT r.source_id, r.number, r.publication_id, r.rule, r.began_as
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = $topic AND r.publication_id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY s.number, r.number
        """,
        {"topic": topic_id, "ids": list(ids)},
    )
    affected = frozenset(ids)
    versions = []
    for row in store.versions(topic_id, deleted=True):
        found = store.load_retrieved_ids(row.version.query_id) if row.over_corpus else ()
        if places := tuple((place, i) for place, i in enumerate(found) if i in affected):
            others = content_hash([i for i in found if i not in affected])
            versions.append(VersionBefore(row.version.query_id, places, others, row.corpus_state))
    return FilingBefore(ids, tuple(records), tuple(versions), tuple(decided))


def _restore(
    workspace: Workspace, topic_id: str, before: FilingBefore, swapped: Mapping[str, Sequence[str]] | None = None
) -> None:
    """File the records as before. `swapped`: what stands for what in versions of which nothing was stored."""
    store = workspace.store
    store.execute(
        """
        UPDATE records SET publication_id = b.publication_id, rule = b.rule, began_as = b.began_as
        FROM (
            SELECT unnest($sources::VARCHAR[]) AS source_id, unnest($numbers::INTEGER[]) AS number,
                   unnest($ids::VARCHAR[]) AS publication_id, unnest($rules::VARCHAR[]) AS rule,
                   unnest($began::VARCHAR[]) AS began_as
        ) AS b WHERE records.source_id = b.source_id AND records.number = b.number
        """,
        {
            name: [record[n] for record in before.records]
            for n, name in enumerate(("sources", "numbers", "ids", "rules", "began"))
        },
    )
    there = records_of(store, before.ids)
    save_publications(store, there)
    for version in before.versions:
        places = tuple((place, i) for place, i in version.places if i in there)
        _restore_version(store, topic_id, replace(version, places=places), before.ids)
    if swapped:
        _swap_in_runs(workspace, topic_id, swapped)
    for a, b in before.apart:
        keep_apart(store, topic_id, a, b)
    renew(store, topic_id, before.ids)
    workspace.corpora.forget()


def _restore_version(store: Store, topic_id: str, before: VersionBefore, ids: Ids) -> None:
    """Put the publications of a version back in their places. One that was run again since gets them where it can."""
    row = next((row for row in store.versions(topic_id, deleted=True) if row.version.query_id == before.query_id), None)
    if row is None:
        return
    now = store.load_retrieved_ids(before.query_id)
    others = [i for i in now if i not in ids]
    is_unchanged = row.corpus_state is None and content_hash(others) == before.others
    if not is_unchanged and len(others) == len(now):
        return  # run again, and it doesn't find the merged publication
    for place, i in before.places:
        others.insert(place, i)
    store.replace_retrieved(before.query_id, others)
    if is_unchanged:
        store.execute(
            "UPDATE query_versions SET corpus_state = ? WHERE query_id = ?", [before.corpus_state, before.query_id]
        )


Decision = Literal["open", "merged", "separate"]


def _record_decisions(store: Store, topic_id: str, pairs: Pairs, seen: Decision | Unseen) -> None:
    """Record who decides about these pairs; all of them must still have the decision that the person saw."""
    subjects = [f"decision about {' and '.join(sorted(pair))}" for pair in pairs]
    if seen is not UNSEEN:
        known, kept = set(store.topic_publication_ids(topic_id)), {frozenset(pair) for pair in apart(store, topic_id)}
        for pair, subject in zip(pairs, subjects, strict=True):
            is_merged, is_separate = not known.issuperset(pair), frozenset(pair) in kept
            now: Decision = "merged" if is_merged else "separate" if is_separate else "open"
            check_seen(store, topic_id, subject, now=now, seen=seen)
    record_changes(store, topic_id, subjects, at=utc_now())


def separate(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Record that two similar publications are different, so that they are never proposed again."""
    separate_all(workspace, topic_id, [(a, b)])


def separate_all(workspace: Workspace, topic_id: str, pairs: Pairs, *, seen: Decision | Unseen = UNSEEN) -> None:
    """Record that the two of each pair are different, so that they are never proposed again.

    `seen`: the decision before, of all of them.
    """
    known = set(workspace.store.topic_publication_ids(topic_id))
    if strange := [each for pair in pairs for each in pair if each not in known]:
        raise NotFoundError(f'{topic_id} has no publication "{strange[0][:80]}": reload the list')
    with workspace.store.transaction():
        _record_decisions(workspace.store, topic_id, pairs, seen)
        for a, b in pairs:
            keep_apart(workspace.store, topic_id, a, b)


def reconsider(workspace: Workspace, topic_id: str, pairs: Pairs) -> None:
    """Withdraw the decision that the two of each pair are different: they can be proposed again."""
    for a, b in pairs:
        workspace.store.execute(
            "DELETE FROM kept_apart WHERE topic_id = ? AND a = ? AND b = ?", [topic_id, *sorted((a, b))]
        )


def _swap_in_runs(workspace: Workspace, topic_id: str, new: Mapping[str, Sequence[str]]) -> None:
    """Replace publications in the versions over the corpus by others."""
    store = workspace.store
    for row in store.versions(topic_id, deleted=True):
        if not row.over_corpus:
            continue
        ids = store.load_retrieved_ids(row.version.query_id)
        if not new.keys().isdisjoint(ids):
            store.replace_retrieved(row.version.query_id, [n for i in ids for n in new.get(i, (i,))])


def alike(workspace: Workspace, topic_id: str, a: str, b: str) -> tuple[PairKind, Pairs]:
    """Return the kind of a proposed pair, and all proposed pairs of this kind."""
    for kind, pairs in kinds_of(workspace.store, proposals(workspace, topic_id)).items():
        if any({a, b} == set(p.ids) for p in pairs):
            return kind, [p.ids for p in pairs]
    raise NotFoundError(f'"{a[:80]}" and "{b[:80]}" are not a suggested pair: "duplicates" lists the pairs')


def kinds_of(store: Store, pairs: Sequence[DuplicateProposal]) -> dict[PairKind, tuple[DuplicateProposal, ...]]:
    """Return the pairs by the kind of their evidence, in this order."""
    ids = [i for p in pairs for i in p.ids]
    details = dict(zip(ids, load_details(store, ids), strict=True))
    kinds: dict[PairKind, tuple[DuplicateProposal, ...]] = {}
    for p in pairs:
        kind = PairKind.of(details[p.pair.a], details[p.pair.b])
        kinds[kind] = (*kinds.get(kind, ()), p)
    return kinds


def proposals(workspace: Workspace, topic_id: str, *, most: int = MOST_PROPOSED) -> tuple[DuplicateProposal, ...]:
    """Return similar publications without a decision, the most likely duplicates first."""
    store = workspace.store
    ids = store.topic_publication_ids(topic_id)
    publications = {p.publication_id: p for p in store.load_publications(ids)}
    known: dict[str, Identity] = {}
    for publication_id, identity in identities(store, topic_id):
        known.setdefault(publication_id, identity)
    listed = [(i, known[i]) for i in publications if i in known]
    named = [publications[i].title for i, _ in listed]
    forms = _forms(store, topic_id, listed)
    pairs = near_pairs(listed, named, most=most, kept_apart=apart(store, topic_id), forms=forms)
    sources = sources_of(store, [i for pair in pairs for i in (pair.a, pair.b)], topic_id)
    out = []
    for pair in pairs:
        a, b = publications[pair.a], publications[pair.b]
        out.append(
            DuplicateProposal(
                pair,
                (a.title, b.title),
                (a.year, b.year),
                (a.doi, b.doi),
                (sources.get(pair.a, ()), sources.get(pair.b, ())),
            )
        )
    return tuple(out)


def _forms(store: Store, topic_id: str, listed: Sequence[tuple[str, Identity]]) -> dict[str, VersionForm]:
    """Return the forms of the publications that share their title with another one."""
    n_titled = Counter(identity.title_key for _, identity in listed)
    shared = [i for i, identity in listed if identity.title_key and n_titled[identity.title_key] > 1]
    return {i: VersionForm.of(records) for i, records in records_of(store, shared, topic_id).items()}
