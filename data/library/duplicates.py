"""Merged records: the log, undo, and decisions about similar pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError, NotFoundError
from core.library.duplicates import NearPair, near_pairs
from core.library.identity import Identity
from core.library.preprints import VersionForm
from core.types import Ids, unique_ids
from data.explore.workspace import Workspace
from data.library.filing import drop_orphans, free_id, keep_what_was_here, new_id, refile, renew, save_publications
from data.library.records import ASKED, apart, identities, keep_apart, load_record, records_of, sources_of
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
        _swap_in_runs(workspace, topic_id, here, (here, own))
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


def join(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Merge two publications; the earlier one remains."""
    store = workspace.store
    if a == b:
        raise InputError("these are already one publication")
    with store.transaction():
        keep_what_was_here(store, topic_id)
        order = unique_ids(publication_id for publication_id, _ in identities(store, topic_id))
        if a not in order or b not in order:
            raise NotFoundError("one of the two publications no longer exists: reload the list")
        first, second = sorted((a, b), key=order.index)
        refile(store, topic_id, second, first, ASKED)
        store.execute("DELETE FROM kept_apart WHERE topic_id = ? AND a = ? AND b = ?", [topic_id, *sorted((a, b))])
        _swap_in_runs(workspace, topic_id, second, (first,))
        renew(store, topic_id, (first,))
        drop_orphans(store, (second,))
        workspace.corpora.forget()


@dataclass(frozen=True, slots=True)
class FilingBefore:
    """The filing of two publications before they were merged."""

    a: str
    b: str
    records: tuple[tuple[str, int, str, str | None, str | None], ...]
    """Source, number, publication, rule and began_as of each of their records."""
    retrieved: tuple[tuple[str, Ids], ...]
    """The publications of each query version over the corpus that had one of the two."""


def filing_of(workspace: Workspace, topic_id: str, a: str, b: str) -> FilingBefore:
    """Return the state that `restore` needs to undo a merge exactly. Call it before `join`."""
    store = workspace.store
    records = store.rows(
        """
        SELECT r.source_id, r.number, r.publication_id, r.rule, r.began_as
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = ? AND r.publication_id IN (?, ?) ORDER BY s.number, r.number
        """,
        [topic_id, a, b],
    )
    versions = [row.version.query_id for row in store.versions(topic_id, deleted=True) if row.over_corpus]
    retrieved = [(query_id, tuple(store.load_retrieved_ids(query_id))) for query_id in versions]
    return FilingBefore(a, b, tuple(records), tuple((q, ids) for q, ids in retrieved if {a, b} & set(ids)))


def restore(workspace: Workspace, topic_id: str, before: FilingBefore) -> None:
    """Undo a merge of two publications exactly: their records and the sets of versions are as before."""
    store = workspace.store
    with store.transaction():
        for source_id, number, publication_id, rule, began_as in before.records:
            store.execute(
                "UPDATE records SET publication_id = ?, rule = ?, began_as = ? WHERE source_id = ? AND number = ?",
                [publication_id, rule, began_as, source_id, number],
            )
        save_publications(store, records_of(store, (before.a, before.b)))
        for query_id, ids in before.retrieved:
            store.replace_retrieved(query_id, ids)
        renew(store, topic_id, (before.a, before.b))
        workspace.corpora.forget()


def separate(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Record that two similar publications are different, so that they are never proposed again."""
    if strange := [each for each in (a, b) if each not in set(workspace.store.topic_publication_ids(topic_id))]:
        raise NotFoundError(f'{topic_id} has no publication "{strange[0][:80]}": reload the list')
    with workspace.store.transaction():
        keep_apart(workspace.store, topic_id, a, b)


def reconsider(workspace: Workspace, topic_id: str, a: str, b: str) -> None:
    """Withdraw the decision that two publications are different: they can be proposed again."""
    workspace.store.execute(
        "DELETE FROM kept_apart WHERE topic_id = ? AND a = ? AND b = ?", [topic_id, *sorted((a, b))]
    )


def _swap_in_runs(workspace: Workspace, topic_id: str, old: str, new: Sequence[str]) -> None:
    store = workspace.store
    for row in store.versions(topic_id, deleted=True):
        if not row.over_corpus:
            continue
        ids = store.load_retrieved_ids(row.version.query_id)
        if old in ids:
            swapped = [n for i in ids for n in (new if i == old else (i,))]
            store.replace_retrieved(row.version.query_id, swapped)


def proposals(workspace: Workspace, topic_id: str, *, most: int = 200) -> tuple[DuplicateProposal, ...]:
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
