"""Results cached in server memory for all visitors. The only module with st.cache_*."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import signature
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import NotFoundError
from core.explore.compare import Comparison, VersionChanges
from core.explore.evaluate import RegionScores
from core.explore.landscape import Landscape, LandscapeGroups, split_curve
from core.explore.regions import DEFAULT_REGIONS
from core.library.duplicates import PairKind
from core.metrics import SimilaritySweep
from core.settings import EvaluationSettings
from core.types import Ids, RegionKind, unique_ids
from dashboard.explore.figures.thresholds import VersionCurve, thin_out
from dashboard.explore.figures.versions import ParetoPoint
from dashboard.explore.payloads import (
    VersionsOverlay,
    core_document,
    corpus_payload,
    curve_payload,
    make_overlay,
    overlay_state,
    points_payload,
)
from dashboard.jobs import Jobs
from dashboard.kit.browser import SCAPE
from dashboard.visits import current_visit, running_server
from dashboard.workbench.bench import DraftResults, QueryDraft
from data.collections import SavedRun, load_run
from data.copies import try_daily_copy
from data.explore.desk import Desk, set_up, stored_result
from data.explore.embedding import EmbedPreview, EmbedRequest
from data.explore.landscapes import TopicLandscape
from data.explore.scoring import VersionView
from data.explore.versions import HistoryEntry, compare_now, history, known_comparison, load_changes
from data.explore.workspace import Workspace
from data.library import duplicates, records
from data.library.duplicates import DuplicateProposal
from data.library.imports import ImportPreview, ImportReport
from data.library.records import RetractionStatus, retracted_ids, sources_key
from data.library.selection import ExportSelection, SelectedPublications, select
from data.retrieval import collections
from data.retrieval.collections import OpenedCollection, open_collection
from data.store import Headlines, VersionRow, content_hash

P = ParamSpec("P")
T = TypeVar("T")

# Results that one server caches for all its visitors, up to a maximum number.


class ResultCache(dict[Hashable, Any]):
    """Cached results by key. The oldest are dropped.

    >>> kept = ResultCache(2)
    >>> kept["a"], kept["b"], kept["a"], kept["c"] = 1, 2, 3, 4
    >>> list(kept.items())
    [('a', 3), ('c', 4)]
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Hashable, found: object) -> None:
        self.pop(key, None)
        super().__setitem__(key, found)
        for old in list(self)[: -self._most]:
            self.pop(old, None)

    def of(self, key: Hashable, make: Callable[[], T], *, doing: str = "") -> T:
        """Return the result of this key; without one, make and keep it. `doing`: shown while it is made."""
        if key not in self:
            with st.spinner(doing) if doing else nullcontext():
                found = make()
            self[key] = found
            return found
        there: T = self[key]
        return there


# Files that one visitor is about to import, once read, and reports of those imported.


@dataclass
class ImportDesk:
    """Files read by the server, so that each is read once however often the page is drawn."""

    _looked: dict[str, ImportPreview] = field(default_factory=dict, repr=False)
    _reports: dict[str, ImportReport] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def find(self, key: str) -> ImportPreview | None:
        return self._looked.get(key)

    def keep(self, key: str, looked: ImportPreview) -> None:
        with self._lock:
            self._looked[key] = looked

    def keep_only(self, keys: set[str]) -> None:
        """Drop files that the visitor removed or chose to read differently."""
        with self._lock:
            for key in [key for key in self._looked if key not in keys]:
                del self._looked[key]

    def report(self, key: str) -> ImportReport | None:
        return self._reports.get(key)

    def keep_report(self, key: str, report: ImportReport) -> None:
        """Store a report; only the last one is kept."""
        with self._lock:
            self._reports = {key: report}


# Results that one server caches for all its visitors. The only module with st.cache_*.
#
# All entries are keyed by ids and states, never by arrays: Streamlit samples large arrays when it compares them.

MOST_UNLIMITED = 100
MOST_RANKED = 32
MOST_OPENED = 200
MOST_FOUND = 100


def per_visit(*, most: int | None = None, doing: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the last results of a function for all visitors; in the public demo, for each visit alone.

    As with st.cache_resource, arguments whose names begin with "_" are no part of the key.
    """

    def cached(make: Callable[P, T]) -> Callable[P, T]:
        shared: Callable[P, T] = st.cache_resource(max_entries=most, show_spinner=doing or False)(make)
        signed = signature(make)

        @wraps(make)
        def found(*values: P.args, **named: P.kwargs) -> T:
            visit = current_visit()
            if visit is None:
                return shared(*values, **named)
            given = signed.bind(*values, **named).arguments
            key = tuple(value for name, value in given.items() if not name.startswith("_"))
            results: ResultCache = visit.results.setdefault(make.__name__, ResultCache(most or MOST_UNLIMITED))
            return results.of(key, lambda: make(*values, **named), doing=doing)

        return found

    return cached


def workspace() -> Workspace:
    """Return the workspace that this server shows, or this visitor's copy of the public demo."""
    visit = current_visit()
    return _shared_workspace() if visit is None else visit.workspace


@st.cache_resource(show_spinner="Opening the workspace")
def _shared_workspace() -> Workspace:
    """Open the workspace. A server keeps a copy for each day."""
    opened = Workspace.open()
    if running_server() is not None:
        Thread(target=try_daily_copy, args=(opened.store,), daemon=True).start()
    return opened


def jobs() -> Jobs:
    """Return the background jobs of this server, or of this visitor of the public demo."""
    visit = current_visit()
    return _shared_jobs() if visit is None else visit.jobs


@st.cache_resource(show_spinner=False)
def _shared_jobs() -> Jobs:
    return Jobs(visitor=_session_id)


def _session_id() -> str:
    run = get_script_run_ctx(suppress_warning=True)
    return run.session_id if run else ""


def view(topic_id: str, label: str, embedder: str) -> VersionView:
    """Load one version; cached until something that it shows changes."""
    return _view(topic_id, label, embedder, workspace().view_state(topic_id, label, embedder))


@per_visit(most=3)
def _view(topic_id: str, label: str, embedder: str, state: str) -> VersionView:
    return workspace().view(topic_id, label, embedder)


@per_visit(most=3)
def headlines(state: str, _view: VersionView) -> Headlines:
    return workspace().store.headlines(_view.landscape.ids)


def topic_landscape(view: VersionView) -> TopicLandscape | None:
    """Return the landscape that all versions of a view's topic share; None with too few publications for one."""
    if view.landscape.points is None or view.case.projection_id is None:
        return None
    return _topic_landscape(view.case.core.topic_id, view.case.projection_id, view.case.topic_state)


@per_visit(most=3)
def _topic_landscape(topic_id: str, projection_id: str, state: str) -> TopicLandscape:
    return workspace().landscapes.of_topic(topic_id, projection_id)


def points_id(view: VersionView) -> str:
    """Return the key of a view's points in the browser. It covers the other versions: they change "found by"."""
    rows = workspace().store.versions(view.case.core.topic_id)
    found = (f"{row.version.label}={row.retrieved_hash}" for row in rows)
    return content_hash([view.case.state, *found, "retracted", *sorted(retracted(view))])


def retracted(view: VersionView) -> frozenset[str]:
    """Return the publications of a view that were retracted, by their records or by Retraction Watch."""
    return _retracted(view.case.state, sources_key(workspace().store), view)


def retraction_statuses(topic_id: str) -> dict[str, RetractionStatus]:
    """Return the publications of a topic that were retracted, or have an expression of concern."""
    store = workspace().store
    return _statuses(topic_id, str(store.path), store.topic_state(topic_id), sources_key(store))


@per_visit(most=3)
def _statuses(topic_id: str, path: str, state: str, sources: str) -> dict[str, RetractionStatus]:
    store = workspace().store
    return records.retraction_statuses(store, store.topic_publication_ids(topic_id))


@per_visit(most=3)
def _retracted(state: str, sources: str, _view: VersionView) -> frozenset[str]:
    return retracted_ids(workspace().store, unique_ids((*_view.landscape.ids, *_view.scene.core_ids)))


def points(view: VersionView, made_up: bool) -> bytes:
    return _points(points_id(view), view.case.state, made_up, view)


@per_visit(most=3)
def _points(payload_id: str, state: str, made_up: bool, _view: VersionView) -> bytes:
    version = _view.case.row.version
    topic = topic_landscape(_view)
    ids = _view.landscape.ids
    return points_payload(
        _view.landscape,
        headlines(state, _view),
        topic.groups_of(ids) if topic else LandscapeGroups.none(len(ids)),
        workspace().store.found_by(version.topic_id, ids),
        core_document(
            workspace().publications(_view.scene.core_ids),
            set(_view.retrieved_ids),
            _view.landscape,
            retracted(_view),
        ),
        retracted=retracted(_view),
        points_besides=topic.points_besides(ids) if topic else None,
        payload_id=payload_id,
        scape=SCAPE,
        topic=version.topic_id,
        version=version.label,
        embedder=_view.case.embedding.embedder,
        made_up=made_up,
    )


@per_visit(most=8)
def curve(state: str, limit: float, onset: float, steepness: float, beta: float, _view: VersionView) -> SimilaritySweep:
    settings = EvaluationSettings(decay_limit=limit, decay_onset=onset, decay_steepness=steepness, beta=beta)
    return split_curve(_view.landscape, settings)


@per_visit(most=8)
def curve_bytes(payload_id: str, _curve: SimilaritySweep) -> bytes:
    return curve_payload(_curve, payload_id=payload_id, scape=SCAPE)


@per_visit(most=8)
def true_relevance(state: str, topic_id: str) -> frozenset[str]:
    """Return the publications truly relevant to a topic; empty if that is unknown."""
    return workspace().store.true_relevance(topic_id)


def desk(topic_id: str, embedder: str) -> Desk:
    """Return all data for work on a topic's query; cached until the topic or its vectors change."""
    found = workspace().embedding(topic_id, embedder)
    places = workspace().landscapes.current_id(topic_id, found)
    return _desk(topic_id, embedder, workspace().corpora.state(topic_id), found.fingerprint, places or "")


@per_visit(most=3, doing="Indexing the publications")
def _desk(topic_id: str, embedder: str, state: str, fingerprint: str, places: str) -> Desk:
    return set_up(workspace(), topic_id, embedder)


def tuned_desk(topic_id: str, embedder: str, settings: EvaluationSettings) -> Desk:
    """Return the desk with the settings of the landscape."""
    untuned = desk(topic_id, embedder)
    return _tuned_desk(untuned.state, settings, untuned)


@per_visit(most=3)
def _tuned_desk(state: str, settings: EvaluationSettings, _desk: Desk) -> Desk:
    return _desk.tuned(settings)


def corpus_points(desk: Desk) -> bytes:
    return _corpus_points(desk.untuned_state, desk)


@per_visit(most=3)
def _corpus_points(payload_id: str, _desk: Desk) -> bytes:
    return corpus_payload(_desk, payload_id=payload_id, scape=SCAPE)


def overlay(topic_id: str, embedder: str, labels: tuple[str, ...]) -> VersionsOverlay:
    state = overlay_state(workspace(), topic_id, labels, embedder)
    return _overlay(f"{state}-{len(labels)}", topic_id, embedder, labels)


@per_visit(most=4)
def _overlay(payload_id: str, topic_id: str, embedder: str, labels: tuple[str, ...]) -> VersionsOverlay:
    return make_overlay(workspace(), topic_id, labels, embedder, payload_id=payload_id, scape=SCAPE)


def work(desk: Desk, draft: QueryDraft, row: VersionRow | None = None) -> DraftResults:
    """Return a draft evaluated on a desk; the last ones are cached, so that undoing costs nothing.

    `row`: the version with this text, as it was run. Its publications take precedence.
    """
    all_on = work(desk, replace(draft, off=frozenset())) if draft.off else None
    held = None if row is None else (row.version.query_id, row.retrieved_hash)
    parts = (desk.state, draft.text, draft.dialect, draft.semantics, tuple(sorted(draft.off)), held)
    return _work(parts, desk, draft, all_on, row)


@per_visit(most=24)
def _work(
    parts: tuple[object, ...], _desk: Desk, _draft: QueryDraft, _all_on: DraftResults | None, _row: VersionRow | None
) -> DraftResults:
    stored = None if _row is None else stored_result(workspace().store, _desk.corpus, _row)
    return DraftResults(_desk, _draft, _all_on, stored)


@per_visit(most=24)
def import_desk(visitor: str) -> ImportDesk:
    """Return the files that one visitor reviews before importing them; other visitors don't see them."""
    return ImportDesk()


@per_visit(most=4, doing="Looking for possible duplicates")
def proposals(topic_id: str, state: str) -> tuple[DuplicateProposal, ...]:
    """Return pairs that may be one publication. `state` changes with the topic's sources."""
    return duplicates.proposals(workspace(), topic_id)


@per_visit(most=4)
def kinds_of_pairs(
    _pairs: tuple[DuplicateProposal, ...], n_changes: int, pairs_key: str
) -> dict[PairKind, tuple[DuplicateProposal, ...]]:
    """Return open pairs by their kind. `n_changes`: of the store; `pairs_key` names the pairs and the workspace."""
    return duplicates.kinds_of(workspace().store, _pairs)


@per_visit(most=8, doing="Selecting")
def selected(
    topic_id: str, state: str, selection: ExportSelection, embedder: str | None, region: RegionKind
) -> SelectedPublications:
    """Return the publications to export. `state` changes with everything that they depend on."""
    return select(workspace(), topic_id, selection, embedder=embedder, regions=(region,))


@per_visit(most=8, doing="Counting the texts")
def embed_preview(topic_id: str, state: str, wish: EmbedRequest) -> EmbedPreview:
    """Estimate the cost of embedding. `state` changes with the texts and with the available vectors."""
    return workspace().preview_embedding(topic_id, wish)


@per_visit()
def lab_materials() -> dict[str, Any]:
    return {}


def version_states(topic_id: str, labels: tuple[str, ...], embedder: str) -> tuple[str, ...]:
    """Return one key per version that covers everything it would show."""
    corpora = {row.version.label: row.corpus_state or "" for row in workspace().store.versions(topic_id)}
    return tuple(
        content_hash([workspace().view_state(topic_id, label, embedder), corpora.get(label, "")]) for label in labels
    )


def comparison(
    topic_id: str, labels: tuple[str, ...], embedder: str, settings: EvaluationSettings, states: tuple[str, ...]
) -> tuple[Comparison, tuple[RegionKind, ...]]:
    """Compare versions, with intervals where they are cached, and list the regions still to be computed.

    `states` are those of `version_states`.
    """
    with suppress(NotFoundError):
        return _in_full(topic_id, labels, embedder, settings, states, DEFAULT_REGIONS), ()
    now, waiting = _now(topic_id, labels, embedder, settings, states)
    if waiting:
        with suppress(NotFoundError):
            at_once = tuple(kind for kind in DEFAULT_REGIONS if kind not in waiting)
            return _in_full(topic_id, labels, embedder, settings, states, at_once), waiting
    return now, waiting


@per_visit(most=16)
def _in_full(
    topic_id: str,
    labels: tuple[str, ...],
    embedder: str,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    regions: tuple[RegionKind, ...],
) -> Comparison:
    """Load a stored comparison. Raise an error, which is not cached, if there is none."""
    known = known_comparison(workspace(), topic_id, labels, embedder=embedder, settings=settings, regions=regions)
    if known is None:
        raise NotFoundError("this comparison is no longer cached")
    return known


@per_visit(most=16)
def _now(
    topic_id: str, labels: tuple[str, ...], embedder: str, settings: EvaluationSettings, states: tuple[str, ...]
) -> tuple[Comparison, tuple[RegionKind, ...]]:
    return compare_now(workspace(), topic_id, labels, embedder=embedder, settings=settings)


@per_visit(most=16)
def _now_in_region(
    topic_id: str,
    labels: tuple[str, ...],
    embedder: str,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    region: RegionKind,
) -> Comparison:
    return compare_now(workspace(), topic_id, labels, embedder=embedder, settings=settings, regions=(region,))[0]


def region_comparison(
    topic_id: str,
    labels: tuple[str, ...],
    embedder: str,
    settings: EvaluationSettings,
    states: tuple[str, ...],
    region: RegionKind,
) -> Comparison:
    """Compare versions in one region, with intervals where they are cached."""
    with suppress(NotFoundError):
        return _in_full(topic_id, labels, embedder, settings, states, (region,))
    return _now_in_region(topic_id, labels, embedder, settings, states, region)


def version_curve(
    topic_id: str, label: str, embedder: str, state: str, settings: EvaluationSettings, cosine: RegionScores
) -> VersionCurve:
    """Return F-beta of a version over the similarity threshold, in few points; `cosine` holds the current threshold.

    `state` is that of `version_states`.
    """
    at = cosine.defines.get("min_similarity")
    current = None if at is None else float(at)
    name = workspace().version(topic_id, label).version.name
    return _version_curve(topic_id, label, name, embedder, state, settings, current, cosine.status)


@per_visit(most=64)
def _version_curve(
    topic_id: str,
    label: str,
    name: str | None,
    embedder: str,
    state: str,
    settings: EvaluationSettings,
    current: float | None,
    reason: str,
) -> VersionCurve:
    found = split_curve(_landscape(topic_id, label, embedder, state), settings)
    return thin_out(found, label=label, name=name, current=current, reason=reason)


@per_visit(most=24)
def _landscape(topic_id: str, label: str, embedder: str, state: str) -> Landscape:
    """Load a version without its vectors: many fit, and no view shown elsewhere is evicted."""
    return workspace().view(topic_id, label, embedder).landscape


def versions_of(topic_id: str) -> tuple[HistoryEntry, ...]:
    """Return every version of a topic with its core found."""
    store = workspace().store
    rows = [
        f"{row.version.label}={row.version.name}={row.version.note}={row.retrieved_hash}"
        for row in store.versions(topic_id)
    ]
    return _versions_of(topic_id, content_hash([store.core_hash(topic_id), store.topic_state(topic_id), *rows]))


@per_visit(most=8)
def _versions_of(topic_id: str, state: str) -> tuple[HistoryEntry, ...]:
    return history(workspace(), topic_id)


def version_scores() -> ResultCache:
    """Return the cache of F2 by version, for the cosine region under default settings; keyed by all it depends on."""
    return kept("version scores", 500)


def standings(topic_id: str) -> tuple[ParetoPoint, ...]:
    return tuple(
        ParetoPoint(
            entry.row.version.label, entry.row.version.name, entry.row.n_retrieved, entry.n_core_found, entry.n_core
        )
        for entry in versions_of(topic_id)
        if entry.row.n_retrieved is not None
    )


@per_visit(most=6)
def changes(topic_id: str, labels: tuple[str, ...], state: str) -> VersionChanges:
    """Return the publications that versions share. `state` changes with them, with the core and with the texts."""
    return load_changes(workspace(), topic_id, labels)


@per_visit(most=6, doing="Looking up titles")
def changes_headlines(topic_id: str, labels: tuple[str, ...], state: str) -> Headlines:
    return workspace().store.headlines(changes(topic_id, labels, state).ids)


@per_visit()
def _collections() -> dict[str, int]:
    return {"changes": 0}


def collections_changed() -> None:
    """Mark collections as changed after an import, a fix or a deletion, so that they are read again."""
    _collections()["changes"] += 1


def collection_state(name: str) -> str:
    """Return a key that changes with anything in a collection: documents, queries, judgments, splits."""
    return f"{collections.collection_state(workspace(), name)}-{_collections()['changes']}"


def collection(name: str) -> OpenedCollection:
    """Load a collection; cached until something in it changes."""
    return _collection(name, collection_state(name))


@per_visit(most=2, doing="Opening the collection")
def _collection(name: str, state: str) -> OpenedCollection:
    return open_collection(workspace(), name)


@per_visit(most=10)
def saved_run(run_id: str, made_at: str, n_failed: int, _doc_ids: Ids) -> SavedRun | None:
    """Load a complete run with its rankings. Two runs can have the same `made_at`, to the second."""
    return load_run(workspace().store, run_id, _doc_ids)


@per_visit()
def kept(what: str, most: int) -> ResultCache:
    """Return the cache of one kind of result for all visitors; it holds the last `most`."""
    return ResultCache(most)


def ranked() -> ResultCache:
    """Return the cache of leaderboards and their derivatives, keyed by the collection's state and the runs."""
    return kept("ranked", MOST_RANKED)


def keep_ranked(key: str, found: object) -> None:
    ranked()[key] = found


def opened_queries() -> ResultCache:
    return kept("opened_queries", MOST_OPENED)


def knowledge_found() -> ResultCache:
    return kept("knowledge_found", MOST_FOUND)
