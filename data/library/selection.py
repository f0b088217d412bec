"""Select publications for export by version, region and similarity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Literal

from core.errors import InputError, NoCoreError, NotFoundError, SettingsError
from core.explore.evaluate import Evaluation
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.metrics import SIMILARITY_TOLERANCE
from core.protocols import OnStage, silent
from core.settings import EvaluationSettings
from core.types import Ids, RegionKind, unique_ids
from core.vectors import centroid, cosine
from data.explore.workspace import Workspace
from data.library.arrivals import new_ids
from data.library.export_formats import ExportRow
from data.library.records import load_details, sources_of
from data.library.searches import databases_of, phase_ids
from data.lookup import check_topic
from data.store import Store
from data.vectors import Embedding

ROWS = 20_000
"""Number of vectors that are compared at once."""


@dataclass(frozen=True, eq=False)
class RegionJudgments:
    """Similarities and decisions. All are empty if there are no vectors."""

    embedder: str | None = None
    similarities: Mapping[str, float] = field(default_factory=dict)
    """Cosine to the centre of the core."""
    accepted: Mapping[RegionKind, frozenset[str]] = field(default_factory=dict)
    """The publications that each region accepts, for the regions that could be fitted."""
    scorable: frozenset[str] = frozenset()
    """The publications that a region has judged: retrieved, with a vector."""
    why_not: str | None = None
    """The reason for missing similarities and decisions."""

    def verdict(self, kind: RegionKind, publication_id: str) -> bool | None:
        """Return True if the region accepts it, False if not; None if the region does not judge it."""
        if publication_id not in self.scorable:
            return None
        return publication_id in self.accepted.get(kind, frozenset())

    def relevant_by(self, publication_id: str) -> tuple[RegionKind, ...]:
        return tuple(kind for kind, accepted in self.accepted.items() if publication_id in accepted)


def judge(
    workspace: Workspace,
    topic_id: str,
    ids: Ids,
    labels: Sequence[str],
    *,
    embedder: str | None,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    asked: RegionKind | None,
    every_version: bool,
    is_needed: bool,
    on_stage: OnStage,
) -> RegionJudgments:
    """Judge these publications by the regions of these versions.

    With several versions, a region accepts what it accepts in any of them, or in each of them with `every_version`.
    `asked`: the region that is required.
    """
    try:
        core = workspace.store.load_core(topic_id)
        embedding = workspace.embedding(topic_id, embedder)
    except (NotFoundError, InputError) as e:
        if is_needed or (embedder is not None and not isinstance(e, NoCoreError)):
            raise
        return RegionJudgments(why_not=str(e))
    evaluations = [
        workspace.evaluate(
            topic_id, label, embedder=embedding.embedder, settings=settings, regions=regions, on_stage=on_stage
        )
        for label in labels
    ]
    accepted = _accepted(evaluations, regions, every_version=every_version)
    if asked is not None and evaluations and asked not in accepted:
        reason = evaluations[0].regions[asked].status
        raise InputError(f"{REGION_LABELS[asked]} can't be fitted: {reason}. Choose another region")
    return RegionJudgments(
        embedder=embedding.embedder,
        similarities=_similarities(workspace, embedding, ids, core.ids),
        accepted=accepted,
        scorable=frozenset().union(*(evaluation.scorable_ids for evaluation in evaluations)),
    )


def _similarities(workspace: Workspace, embedding: Embedding, ids: Ids, core_ids: Ids) -> dict[str, float]:
    """Return cosines to the centre of the core, for publications with a vector; none if the core has no centre."""
    centre = centroid(core) if len(core := workspace.catalogue.load(embedding, core_ids).vectors) else None
    if centre is None or not centre.any():
        return {}
    similar: dict[str, float] = {}
    for start in range(0, len(ids), ROWS):
        embedded = workspace.catalogue.load(embedding, ids[start : start + ROWS])
        similar |= zip(embedded.ids, cosine(embedded.vectors, centre).tolist(), strict=True)
    return similar


def _accepted(
    evaluations: Sequence[Evaluation], regions: Sequence[RegionKind], *, every_version: bool
) -> dict[RegionKind, frozenset[str]]:
    accepted: dict[RegionKind, frozenset[str]] = {}
    for kind in regions:
        sets = [_relevant_ids(e, kind) for e in evaluations if e.regions[kind].relevant_mask is not None]
        if sets:
            accepted[kind] = frozenset.intersection(*sets) if every_version else frozenset().union(*sets)
    return accepted


def _relevant_ids(evaluation: Evaluation, kind: RegionKind) -> frozenset[str]:
    mask = evaluation.regions[kind].relevant_mask
    return frozenset() if mask is None else frozenset(compress(evaluation.scorable_ids, mask.tolist()))


# The publications to export: by version, by region and by similarity, as the app shows them.

Among = Literal["retrieved", "corpus", "core", "core_missed", "screened", "included", "everything"]
AT_ONCE = 2_000
"""Number of publications whose texts are loaded together."""


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """The publications to export. Every condition that is set must hold."""

    versions: Ids = ()
    """Labels. Empty: any version that was run; for corpus, core and everything: no condition."""
    among: Among = "retrieved"
    all_versions: bool = False
    """Found by every version rather than by any; a region must accept it in each of them."""
    not_by: Ids = ()
    """Labels of versions that must not have found it."""
    region: RegionKind | None = None
    """Only publications that this region judges: those that a version found, with a vector."""
    relevant: bool | None = None
    """With a region: the publications it accepts (True or None), or those it does not (False)."""
    min_similarity: float | None = None
    """Smallest cosine to the centre of the core."""
    max_similarity: float | None = None
    """Largest cosine to the centre of the core."""
    since: str | None = None
    """A day; only publications that searches in live sources brought on it or later."""

    def __post_init__(self) -> None:
        if self.region is None and self.relevant is not None:
            raise InputError("relevance needs a region: choose one with --region")
        low, high = self.min_similarity, self.max_similarity
        for value in (low, high):
            if value is not None and not -1 <= value <= 1:
                raise SettingsError(f"a similarity must be in [-1, 1], got {value:g}")
        if low is not None and high is not None and low > high:
            raise SettingsError(f"the smallest similarity, {low:g}, is above the largest, {high:g}")

    @property
    def needs_vectors(self) -> bool:
        return self.region is not None or self.min_similarity is not None or self.max_similarity is not None


@dataclass(frozen=True, eq=False)
class SelectedPublications:
    """The publications of a selection, each once. Their texts are loaded while they are written."""

    store: Store
    topic_id: str
    ids: Ids
    judged: RegionJudgments
    core_ids: frozenset[str]
    found: Mapping[str, frozenset[str]]
    """The publications that each version retrieved, in the order of the versions; only versions that were run."""

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self) -> Iterator[ExportRow]:
        databases = databases_of(self.store, self.topic_id)
        for start in range(0, len(self.ids), AT_ONCE):
            ids = self.ids[start : start + AT_ONCE]
            sources = sources_of(self.store, ids, self.topic_id)
            of_searches = sources_of(self.store, ids, self.topic_id, of_searches=True)
            for publication_id, record in zip(ids, load_details(self.store, ids), strict=True):
                yield ExportRow(
                    record=record,
                    publication_id=publication_id,
                    sources=sources.get(publication_id, ()),
                    of_searches=of_searches.get(publication_id, ()),
                    found_by=tuple(label for label, found in self.found.items() if publication_id in found),
                    is_core=publication_id in self.core_ids,
                    similarity=self.judged.similarities.get(publication_id),
                    relevant_by=self.judged.relevant_by(publication_id),
                    embedder=self.judged.embedder,
                    databases=databases.get(publication_id, ()),
                )


def select(
    workspace: Workspace,
    topic_id: str,
    selection: ExportSelection,
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
    on_stage: OnStage = silent,
) -> SelectedPublications:
    """Return the selected publications, with the results of every version and region.

    `regions`: the regions that judge each publication, in addition to the selection's own. Without vectors there are no
    similarities or decisions; if the selection needs them, that is an error.
    """
    store = workspace.store
    check_topic(store, topic_id)
    found = _found(workspace, topic_id, (*selection.versions, *selection.not_by))
    core_ids = _core_ids(store, topic_id, selection)
    labels = selection.versions or tuple(found)
    ids = _pool(store, topic_id, selection, found, core_ids)
    judged = judge(
        workspace,
        topic_id,
        ids,
        [label for label in labels if selection.region or not found[label].isdisjoint(ids)],
        embedder=embedder,
        settings=settings or EvaluationSettings(),
        regions=tuple(dict.fromkeys((*regions, *([selection.region] if selection.region else [])))),
        asked=selection.region,
        every_version=selection.all_versions,
        is_needed=selection.needs_vectors,
        on_stage=on_stage,
    )
    new = frozenset(ids) if selection.since is None else new_ids(store, topic_id, selection.since)
    kept = tuple(each for each in ids if each in new and _is_kept(each, selection, judged))
    return SelectedPublications(store, topic_id, kept, judged, frozenset(core_ids), found)


def _found(workspace: Workspace, topic_id: str, named: Ids) -> dict[str, frozenset[str]]:
    """Return the publications that each version retrieved, for versions that were run; an unknown name is an error."""
    for label in named:
        workspace.version(topic_id, label)
    run = (row for row in workspace.store.versions(topic_id) if row.retrieved_hash is not None)
    load = workspace.store.load_retrieved_ids
    return {row.version.label: frozenset(load(row.version.query_id)) for row in run}


def _core_ids(store: Store, topic_id: str, selection: ExportSelection) -> Ids:
    """Return the core publications; a topic without any is an error only if the selection needs them."""
    try:
        return store.load_core(topic_id).ids
    except NoCoreError:
        if selection.needs_vectors or selection.among in ("core", "core_missed"):
            raise
        return ()


def _pool(
    store: Store, topic_id: str, selection: ExportSelection, found: Mapping[str, frozenset[str]], core_ids: Ids
) -> Ids:
    labels = selection.versions or tuple(found)
    together = _together([found[label] for label in labels], every=selection.all_versions)
    without = _together([found[label] for label in selection.not_by], every=False)
    if selection.among == "retrieved":
        rows = {row.version.label: row.version.query_id for row in store.versions(topic_id)}
        pool = unique_ids(i for label in labels for i in store.load_retrieved_ids(rows[label]))
    elif selection.among == "corpus":
        pool = store.corpus_ids(topic_id)
    elif selection.among == "everything":
        pool = store.topic_publication_ids(topic_id)
    elif selection.among in ("screened", "included"):
        phases = phase_ids(store, topic_id)
        if selection.among not in phases:
            raise InputError(f"no file of {topic_id} has the role {selection.among}: import one, or change its role")
        pool = unique_ids(phases[selection.among])
    else:
        pool = core_ids
    if selection.among == "core_missed":
        pool = tuple(i for i in pool if i not in together)
    elif selection.versions or selection.all_versions or selection.among == "retrieved":
        pool = tuple(i for i in pool if i in together)
    return tuple(i for i in pool if i not in without)


def _together(sets: Sequence[frozenset[str]], *, every: bool) -> frozenset[str]:
    if every and sets:
        return frozenset.intersection(*sets)
    return frozenset().union(*sets)


def _is_kept(publication_id: str, selection: ExportSelection, judged: RegionJudgments) -> bool:
    if not selection.needs_vectors:
        return True
    if selection.region is not None:
        verdict = judged.verdict(selection.region, publication_id)
        if verdict is None or verdict is (selection.relevant is False):
            return False
    low, high = selection.min_similarity, selection.max_similarity
    if low is None and high is None:
        return True
    similarity = judged.similarities.get(publication_id)
    if similarity is None or (low is not None and similarity < low - SIMILARITY_TOLERANCE):
        return False
    return high is None or similarity <= high + SIMILARITY_TOLERANCE


def what_to_loosen(selection: ExportSelection) -> str:
    """Suggest which conditions to relax if a selection is empty."""
    ways = []
    if selection.region is not None:
        ways.append("another region or none")
    if selection.min_similarity is not None or selection.max_similarity is not None:
        ways.append("a wider similarity range")
    if selection.all_versions:
        ways.append("any of the versions instead of all")
    if selection.since is not None:
        ways.append("an earlier day for --since")
    if selection.not_by:
        ways.append("fewer excluded versions")
    if selection.among == "core_missed":
        ways.append("all core publications")
    elif selection.versions:
        ways.append("other versions")
    if not ways:
        ways.append("another part of the topic, such as everything")
    return " or ".join([", ".join(ways[:-1]), ways[-1]] if len(ways) > 1 else ways)
