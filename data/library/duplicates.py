"""Merged records: the log, undo, and decisions about similar pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError, NotFoundError
from core.library.duplicates import NearPair, PairKind, near_pairs
from core.library.identity import Identity
from core.library.preprints import VersionForm
from core.types import Ids, unique_ids
from data.explore.workspace import Workspace
from data.library.filing import drop_orphans, free_id, keep_what_was_here, new_id, refile, renew, save_publications
from data.library.records import (
    ASKED,
    apart,
    identities,
    keep_apart,
    load_details,
    load_record,
    records_of,
    sources_of,
)
from data.store import Store

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


def undo(workspace: Workspace, topic_id: str, source_id: str, number: int) -> str:
    """Undo a merge: restore the publication of a record, or the one before a manual merge. Return its id."""
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
        own = began_as or _own_id(workspace, topic_id, source_id, number)
        if began_as:
            store.execute(
                """
                UPDATE records SET publication_id = $own, rule = NULL, began_as = NULL
                WHERE publication_id = $here AND began_as = $own
                    AND source_id IN (SELECT source_id FROM sources WHERE topic_id = $topic)
                """,
                {"own": own, "here": here, "topic": topic_id},
            )
        else:
            store.execute(
                "UPDATE records SET publication_id = ?, rule = NULL WHERE source_id = ? AND number = ?",
                [own, source_id, number],
            )
        keep_apart(store, topic_id, here, own)
        _swap_in_runs(workspace, topic_id, {here: (here, str(own))})
        renew(store, topic_id, (here, own))
        workspace.corpora.forget()
    return str(own)


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


def join(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Merge two publications; the earlier one remains."""
    if a == b:
        raise InputError("these are already one publication")
    with workspace.store.transaction():
        reconsider(workspace, topic_id, [(a, b)])
        _join(workspace, topic_id, [(a, b)])


def join_all(workspace: Workspace, topic_id: str, pairs: Pairs) -> Pairs:
    """Merge each pair; of all publications that become one, the earliest remains.

    Return the pairs left out, because with the others they would merge publications marked as different.
    """
    with workspace.store.transaction():
        return _join(workspace, topic_id, pairs)


def _join(workspace: Workspace, topic_id: str, pairs: Pairs) -> Pairs:
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
    refile(store, topic_id, merged, ASKED)
    _swap_in_runs(workspace, topic_id, {second: (first,) for second, first in merged.items()})
    renew(store, topic_id, unique_ids(merged.values()))
    drop_orphans(store, tuple(merged))
    workspace.corpora.forget()
    return left_out


@dataclass(frozen=True, slots=True)
class FilingBefore:
    """The filing of publications before some of them were merged."""

    ids: Ids
    records: tuple[tuple[str, int, str, str | None, str | None], ...]
    """Source, number, publication, rule and began_as of each of their records."""
    retrieved: tuple[tuple[str, Ids, str | None], ...]
    """Each query version over the corpus that had one of them: id, publications and corpus_state."""


def filing_of(workspace: Workspace, topic_id: str, ids: Ids) -> FilingBefore:
    """Return the state that `restore` needs to undo merges of these exactly. Call it before `join` or `join_all`."""
    store = workspace.store
    records = store.rows(
        """
        SELECT r.source_id, r.number, r.publication_id, r.rule, r.began_as
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = $topic AND r.publication_id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY s.number, r.number
        """,
        {"topic": topic_id, "ids": list(ids)},
    )
    states = store.rows(
        "SELECT query_id, corpus_state FROM query_versions WHERE topic_id = ? AND over_corpus", [topic_id]
    )
    versions = [(query_id, tuple(store.load_retrieved_ids(query_id)), state) for query_id, state in states]
    return FilingBefore(ids, tuple(records), tuple(v for v in versions if not set(ids).isdisjoint(v[1])))


def restore(workspace: Workspace, topic_id: str, before: FilingBefore) -> None:
    """Undo merges exactly: the records of the publications and the sets of versions are as before."""
    store = workspace.store
    with store.transaction():
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
        save_publications(store, records_of(store, before.ids))
        for query_id, ids, state in before.retrieved:
            store.replace_retrieved(query_id, ids)
            store.execute("UPDATE query_versions SET corpus_state = ? WHERE query_id = ?", [state, query_id])
        renew(store, topic_id, before.ids)
        workspace.corpora.forget()


def separate(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Record that two similar publications are different, so that they are never proposed again."""
    separate_all(workspace, topic_id, [(a, b)])


def separate_all(workspace: Workspace, topic_id: str, pairs: Pairs) -> None:
    """Record that the two of each pair are different, so that they are never proposed again."""
    known = set(workspace.store.topic_publication_ids(topic_id))
    if strange := [each for pair in pairs for each in pair if each not in known]:
        raise NotFoundError(f'{topic_id} has no publication "{strange[0][:80]}": reload the list')
    with workspace.store.transaction():
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
