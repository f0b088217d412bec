"""Peer reviews of search strings: evidence, saving, signing and replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import uuid4

from core.audit.press import (
    DOMAINS,
    NO_TOPIC,
    PASTED,
    DomainId,
    DomainReview,
    Person,
    PressEvidence,
    Request,
    Review,
    edited_parts,
    marks,
    signed,
)
from core.audit.press_concepts import EvidenceGrounds, StringCounts
from core.audit.press_evidence import evidence_by_domain, with_search_facts
from core.audit.press_exchange import LONGEST_STRING, as_json, merge, read_review
from core.audit.press_exchange import choose as choose_text
from core.audit.searches import Search
from core.audit.searches import dialect_of as dialect_of_search
from core.audit.strategies import SearchFacts
from core.errors import CorruptStoreError, FormatError, InputError, NotFoundError
from core.library.mesh import MeshThesaurus
from core.query.checks.headings import lint_headings
from core.query.contributions import MatchedQuery, Stakes
from core.query.match import Semantics, match, none_of, of_rows
from core.query.parser import parse
from core.query.translation import DialectWriter
from core.query.tree import DialectId, Finding, ParsedQuery
from core.settings import EvaluationSettings
from core.text import many
from core.types import Ids
from data.access import check_allowed
from data.audit.searches import live_search
from data.explore.desk import set_up, stored_result
from data.explore.workspace import Workspace
from data.library.searches import load_searches, search_names
from data.lookup import check_topic, version_named
from data.query.index import CorpusIndex
from data.query.search import dialect_of, semantics_of
from data.sources.runs import live_runs
from data.store import Clock, Store, VersionRow, utc_now

MOST_NODES = 5_000
"""Larger strings are not counted part by part."""


@dataclass(frozen=True, slots=True)
class ReviewEvidence:
    text: str
    dialect: str | None
    counted_in: str
    domains: tuple[DomainReview, ...]


@dataclass(frozen=True, eq=False)
class EvidenceTopic:
    """The topic whose publications the evidence is counted in."""

    workspace: Workspace
    topic_id: str
    row: VersionRow | None = None
    """The version with this string; None: the string is no version."""
    embedder: str | None = None


def gather_evidence(workspace: Workspace, topic_id: str, label: str, embedder: str | None = None) -> ReviewEvidence:
    """Gather the evidence of all six domains. Vectors are optional; they improve the suggestions of missing words."""
    row = _row(workspace, topic_id, label)
    version = row.version
    if not version.text.strip():
        raise InputError(f'version "{label}" has no search string: add one to review it')
    named = dialect_of(version)
    topic = EvidenceTopic(workspace, topic_id, row, embedder)
    return _evidence(parse(version.text, named), topic, is_named=named is not None)


def check_string(
    parsed: ParsedQuery,
    topic: EvidenceTopic | None = None,
    *,
    is_named: bool,
    mesh: MeshThesaurus | None = None,
    search: Search | None = None,
) -> ReviewEvidence:
    """Gather the evidence of all six domains for any search string. `topic`: count in its publications as well.

    `is_named`: the dialect was given, not detected. `mesh`: the thesaurus of the workspace, if it has one.
    `search`: the recorded search with this string.
    """
    if not parsed.text.strip():
        raise InputError("there is no search string to check: paste one, or choose a file")
    if len(parsed.text) > LONGEST_STRING:
        n = len(parsed.text)
        raise InputError(f"the search string has {n:,} characters; at most {LONGEST_STRING:,} can be checked")
    if topic is not None:
        check_topic(topic.workspace.store, topic.topic_id)
    found = _evidence(parsed, topic, is_named=is_named, mesh=mesh)
    return found if search is None else replace(found, domains=with_search_facts(found.domains, search))


def _evidence(
    parsed: ParsedQuery, topic: EvidenceTopic | None, *, is_named: bool, mesh: MeshThesaurus | None = None
) -> ReviewEvidence:
    counted, where, search, year = None, "", None, int(utc_now()[:4])
    is_large = len(parsed.nodes) > MOST_NODES
    is_version = topic is not None and topic.row is not None
    of_headings: tuple[Finding, ...] = ()
    if topic is not None:
        n = len(topic.workspace.store.searchable_ids(topic.topic_id))
        where = f"the {many(n, 'publication')} of this topic"
        if parsed.root is not None and n and not is_large:
            counted = _counted(topic, parsed)
            corpus = topic.workspace.corpora.of(topic.topic_id)
            of_headings = lint_headings(parsed, corpus.mesh, corpus.headings)
        search = None if topic.row is None else _live(topic.workspace, topic.row)
    if counted is None and mesh is not None and not is_large:
        of_headings = lint_headings(parsed, mesh)
    found = evidence_by_domain(EvidenceGrounds(parsed, is_named, counted, where, search, is_version, year, of_headings))
    if is_large:
        note = PressEvidence(
            f"The string has {len(parsed.nodes):,} parts, too many to count the hits of each.", look=True
        )
        found = tuple(
            DomainReview(d.domain, (note, *d.evidence), d.tables) if d.domain == DOMAINS[0].id else d for d in found
        )
    return ReviewEvidence(parsed.text, parsed.dialect, where, found)


def _row(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    """Return a version, even one that was never run: its string can be reviewed all the same."""
    check_topic(workspace.store, topic_id)
    rows = {row.version.label: row for row in workspace.store.versions(topic_id)}
    return rows[label] if label in rows else version_named(workspace.store, topic_id, label)


def _counted(topic: EvidenceTopic, parsed: ParsedQuery) -> StringCounts:
    assert parsed.root is not None
    workspace, topic_id, row = topic.workspace, topic.topic_id, topic.row
    semantics: Semantics = "literal" if row is None else semantics_of(row.version)
    core_ids = workspace.store.load_core_ids(topic_id)
    corpus = workspace.corpora.of(topic_id)
    core_rows = corpus.rows_of_ids(core_ids)
    stakes = _stakes(workspace, topic_id, corpus, core_ids, topic.embedder)
    asked = MatchedQuery(
        text=parsed.text,
        matched=match(parsed.root, corpus, semantics),
        corpus=corpus,
        texts=corpus.texts,
        semantics=semantics,
        stakes=stakes,
        writer=DialectWriter(parsed.dialect),
        stored=None if row is None else stored_result(workspace.store, corpus, row),
    )
    titles = {p.publication_id: p.title for p in workspace.publications(core_ids)}
    names = {int(i): titles.get(corpus.ids[int(i)], "") for i in core_rows}
    return StringCounts(asked, names, core_ids)


def _stakes(workspace: Workspace, topic_id: str, corpus: CorpusIndex, core_ids: Ids, embedder: str | None) -> Stakes:
    if embedder is not None and core_ids:
        return set_up(workspace, topic_id, embedder).stakes
    n = len(corpus.ids)
    core = of_rows(corpus.rows_of_ids(core_ids), n)
    return Stakes(core, len(core_ids), none_of(n), none_of(n), EvaluationSettings())


def _live(workspace: Workspace, row: VersionRow) -> SearchFacts | None:
    store = workspace.store
    runs = live_runs(store, row.version.topic_id)
    run = next((run for run in runs if run.state == "done" and run.label == row.version.label), None)
    return None if run is None else live_search(store, row, run)


# Stored peer reviews: starting, saving, importing a file, signing, replying.


@dataclass(frozen=True, slots=True)
class ReviewImport:
    review: Review
    """The review as it is stored now."""
    is_new: bool
    """True: it was not stored here before."""
    taken: Ids
    """Changes made by the file, in words."""
    both_kept: Ids
    """Conflicts in words: the other side's text is among `review.others`."""
    edited: Ids
    """Parts changed after signing, in words."""
    notes: Ids


_ALL = """
    SELECT document::VARCHAR FROM press_reviews
    WHERE ($review IS NULL OR review_id = $review) AND ($topic IS NULL OR topic_id = $topic)
    ORDER BY changed_at DESC, review_id
"""


def reviews(store: Store, topic_id: str | None = None) -> tuple[Review, ...]:
    """Return the reviews of a topic, or all, last changed first."""
    return tuple(_read(text) for (text,) in store.rows(_ALL, {"review": None, "topic": topic_id}))


def load_review(store: Store, review_id: str) -> Review:
    """Load a review; raise an error if it does not exist."""
    found = store.rows(_ALL, {"review": review_id, "topic": None})
    if not found:
        raise NotFoundError(f'there is no review "{review_id[:80]}": reload the list')
    return _read(found[0][0])


def _read(text: str) -> Review:
    try:
        return read_review(text).review
    except FormatError as e:
        raise CorruptStoreError(f"a peer review in the store can't be read ({e}): restore a backup of the store") from e


def new_review(
    workspace: Workspace,
    topic_id: str,
    label: str,
    *,
    requestor: Person,
    request: Request,
    embedder: str | None = None,
    clock: Clock = utc_now,
) -> Review:
    """Start a review of a version's string; its evidence is gathered and stored with it."""
    found = gather_evidence(workspace, topic_id, label, embedder)
    return _begun(workspace, topic_id, label, found, requestor, request, clock())


def review_of_string(
    workspace: Workspace,
    parsed: ParsedQuery,
    topic_id: str | None = None,
    *,
    is_named: bool,
    requestor: Person,
    clock: Clock = utc_now,
) -> Review:
    """Start a review of any search string. If the topic has a version with this string, the review is about it."""
    row = None if topic_id is None else version_of(workspace.store, topic_id, parsed.text)
    topic = None if topic_id is None else EvidenceTopic(workspace, topic_id, row)
    found = check_string(parsed, topic, is_named=is_named, mesh=workspace.corpora.mesh())
    label = PASTED if row is None else row.version.label
    return _begun(workspace, topic_id or NO_TOPIC, label, found, requestor, Request(), clock())


def review_of_search(
    workspace: Workspace,
    topic_id: str,
    search: Search,
    *,
    dialect: DialectId | None = None,
    is_counted: bool = True,
    embedder: str | None = None,
    requestor: Person,
    request: Request | None = None,
    clock: Clock = utc_now,
) -> Review:
    """Start a review of the string of a recorded search. `dialect`: default: that of its platform."""
    if not search.text.strip():
        raise InputError(f'the search "{search.name}" has no search string: add one to review it')
    named = dialect or dialect_of_search(search)
    topic = EvidenceTopic(workspace, topic_id, version_of(workspace.store, topic_id, search.text), embedder)
    found = check_string(
        parse(search.text, named),
        topic if is_counted else None,
        is_named=named is not None,
        mesh=workspace.corpora.mesh(),
        search=search,
    )
    label = search_names(load_searches(workspace.store, topic_id)).get(search.search_id, search.name)
    request = request or Request()
    request = replace(request, database=request.database or search.name)
    return _begun(workspace, topic_id, label, found, requestor, request, clock(), is_search=True)


def version_of(store: Store, topic_id: str, text: str) -> VersionRow | None:
    """Return the topic's version with this search string; None: it has none."""
    return next((row for row in store.versions(topic_id) if row.version.text.strip() == text.strip()), None)


def _begun(
    workspace: Workspace,
    topic_id: str,
    label: str,
    found: ReviewEvidence,
    requestor: Person,
    request: Request,
    now: str,
    *,
    is_search: bool = False,
) -> Review:
    review = Review(
        review_id=uuid4().hex,
        topic=topic_id,
        version=label,
        text=found.text,
        dialect=found.dialect,
        requested_at=now,
        counted_in=found.counted_in,
        made_up=any(topic.made_up for topic in workspace.store.topics() if topic.topic_id == topic_id),
        request=request,
        requestor=requestor,
        domains=found.domains,
        is_search=is_search,
    )
    return _keep(workspace.store, review, topic_id, now)


def save_review(store: Store, review: Review, *, clock: Clock = utc_now) -> Review:
    """Save a review and return it with the time. A signature stays, and later changes are visible."""
    kept = load_review(store, review.review_id)
    if replace(review, written_at=kept.written_at) == kept:
        return kept
    return _keep(store, review, None, clock())


def _keep(store: Store, review: Review, topic_id: str | None, now: str) -> Review:
    """Store a review. `topic_id`: the topic to list it under; None: it is already listed."""
    written = replace(review, written_at=now)
    text = as_json(written)
    written = read_review(text).review  # checks that it can be read again
    if topic_id is None:
        store.execute(
            "UPDATE press_reviews SET document = ?, changed_at = ? WHERE review_id = ?", [text, now, review.review_id]
        )
    else:
        store.execute(
            "INSERT INTO press_reviews VALUES (?, ?, ?, ?, ?)", [review.review_id, topic_id, review.version, text, now]
        )
    return written


def bring_review(
    workspace: Workspace, content: bytes, *, topic_id: str | None = None, clock: Clock = utc_now
) -> ReviewImport:
    """Import a file as a new review, or merge it into the stored one. `topic_id`: for a new one; default: its own."""
    store, read, now = workspace.store, read_review(content), clock()
    known = store.rows(_ALL, {"review": read.review.review_id, "topic": None})
    if not known:
        kept = _keep(store, _as_other_side(read.review), topic_id or read.review.topic, now)
        return ReviewImport(kept, True, (), (), read.edited, read.notes)
    merged = merge(_read(known[0][0]), read.review)
    kept = _keep(store, merged.review, None, now)
    # Edits are visible in the file, and where the stored review differs from what was signed.
    edited = tuple(dict.fromkeys((*read.edited, *edited_parts(kept))))
    return ReviewImport(kept, False, merged.taken, merged.both_kept, edited, (*merged.notes, *read.notes))


def _as_other_side(review: Review) -> Review:
    return replace(
        review,
        side="reviewer" if review.side == "requestor" else "requestor",
        seen_at=review.written_at,
        base=marks(review),
    )


def sign(store: Store, review_id: str, *, clock: Clock = utc_now) -> Review:
    now = clock()
    return _keep(store, signed(load_review(store, review_id), at=now), None, now)


def reply(
    store: Store,
    review_id: str,
    *,
    replies: Mapping[DomainId, str] | None = None,
    overall: str | None = None,
    clock: Clock = utc_now,
) -> Review:
    """Save the requestor's replies and mark them as done. The signature stays valid."""
    review, now = load_review(store, review_id), clock()
    if review.signature is None:
        raise InputError("the review is not signed yet: reply after the reviewer has signed")
    for domain, text in (replies or {}).items():
        review = review.with_domain(replace(review.domain(domain), reply=text))
    if overall is not None:
        review = replace(review, overall_reply=overall)
    return _keep(store, replace(review, replied_at=now), None, now)


def choose(store: Store, review_id: str, number: int, *, take_it: bool, clock: Clock = utc_now) -> Review:
    """Resolve one of `review.others`: use it or drop it. `number`: its index, from 0."""
    review = load_review(store, review_id)
    if not 0 <= number < len(review.others):
        raise InputError("this text is no longer available: open the review again")
    return _keep(store, choose_text(review, review.others[number], take_it=take_it), None, clock())


def delete_review(store: Store, review_id: str) -> None:
    check_allowed("delete")
    load_review(store, review_id)
    store.execute("DELETE FROM press_reviews WHERE review_id = ?", [review_id])
