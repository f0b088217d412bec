"""The workspace: open it, load from it, compute, and cache slow results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Protocol, Unpack

from core.documents import decoded
from core.errors import InputError
from core.explore.evaluate import Evaluation
from core.explore.landscape import MIN_PUBLICATIONS, Honesty, changed_decisions, honesty, over_seeds, seed_ranges
from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS
from core.explore.uncertainty import Sensitivity
from core.protocols import OnProgress, OnStage, silent
from core.settings import EvaluationSettings, ProjectionSettings
from core.stats import Interval
from core.types import Ids, Origin, Projection, Publication, QueryVersion, RegionKind
from data.explore.embedding import EmbedPreview, EmbedReport, EmbedRequest, embed, preview, with_what_waits
from data.explore.landscapes import Landscapes
from data.explore.layout_process import lay_out, stage_of
from data.explore.scoring import (
    ScoringCase,
    VersionView,
    evaluate_view,
    fit_clusters,
    remembered_score,
    remembered_sensitivity,
    score_on_points,
    view_of,
)
from data.files import WorkspacePaths
from data.knowledge.bases import KnowledgeBases
from data.lookup import TopicSummary, embedding_named, topic_summaries, version_named
from data.memory import key_for, settings_key
from data.models.embedders import EMBEDDERS
from data.parts import remove_parts
from data.query.search import Corpora, QueryRunOptions, run_query
from data.sharing.opening import open_store
from data.store import Store, VersionRow, content_hash, utc_now
from data.vectors import Embedding, VectorCatalogue, load_vectors


class ImportedVersion(Protocol):
    @property
    def label(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def origin(self) -> Origin: ...
    @property
    def retrieved_ids(self) -> Ids | None: ...


@dataclass(frozen=True, slots=True)
class LandscapeEffect:
    seed_ranges: Mapping[RegionKind, Interval]
    """Lowest and highest semantic precision of each landscape region over six seeds."""
    changed_decisions: Mapping[RegionKind, int]
    """Publications that a landscape region decides differently from its counterpart in the embedding space."""


# The workspace: the one place where loading meets computing, and where slow results are cached.


class Workspace(AbstractContextManager["Workspace"]):
    def __init__(self, paths: WorkspacePaths, store: Store) -> None:
        self.paths = paths = replace(paths, scratch=store.own_folder)
        self.store = store
        self.catalogue = VectorCatalogue(store, paths.vectors)
        self.landscapes = Landscapes(store, self.catalogue)
        self.corpora = Corpora(store, paths)
        self.knowledge = KnowledgeBases(paths.knowledge)

    @classmethod
    def open(cls, data_dir: Path | None = None) -> Workspace:
        """Open the workspace in this folder, or create one; as a guest if another process has it open.

        A workspace that can't be written to is opened for reading.
        """
        paths = WorkspacePaths.of(data_dir)
        opened = cls(paths, open_store(Store, paths))
        if not opened.store.is_read_only:
            remove_parts(paths.root)
        return opened

    def close(self) -> None:
        self.corpora.forget()
        self.knowledge.forget()
        self.store.close()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # Contents

    def topics(self) -> tuple[TopicSummary, ...]:
        return topic_summaries(self.store, self.catalogue)

    def version(self, topic_id: str, label: str) -> VersionRow:
        return version_named(self.store, topic_id, label)

    def embedding(self, topic_id: str, embedder: str | None) -> Embedding:
        """Return the requested embedding, or the only one.

        A requested built-in embedding is made, or updated if publications were added to the topic since.
        """
        if embedder in EMBEDDERS and self.catalogue.find(embedder, topic_id) is None:
            self.embed(topic_id, embedder)
        found = embedding_named(self.store, self.catalogue, topic_id, embedder)
        if found.embedder in EMBEDDERS and not self.catalogue.is_covered(
            found.embedding_id, self.store.topic_state(topic_id)
        ):
            self.embed(topic_id, found.embedder)
            found = embedding_named(self.store, self.catalogue, topic_id, embedder)
        return found

    # Import

    def save_topic(
        self,
        topic_id: str,
        core_ids: Ids,
        versions: Iterable[ImportedVersion],
        *,
        survey_id: str | None = None,
        made_up: bool = False,
        corpus_ids: Ids | None = None,
        relevant_ids: Iterable[str] = (),
    ) -> None:
        """Add or replace one topic with its versions; the caller holds the transaction.

        With a corpus, the retrieved publications come from it. `relevant_ids`: the true relevance, where known.
        """
        self.store.save_topic(topic_id, core_ids, survey_id=survey_id, made_up=made_up)
        if corpus_ids is not None:
            self.store.save_corpus(topic_id, corpus_ids)
        self.store.save_true_relevance(topic_id, sorted(relevant_ids))
        self.corpora.forget()
        self.knowledge.forget()
        now, searched = utc_now(), None if corpus_ids is None else self.corpora.searched(topic_id)
        for v in versions:
            query_id = content_hash([topic_id, v.label])
            version = QueryVersion(query_id, topic_id, v.label, v.number, v.text, v.origin, made_at=now)
            self.store.save_version(version, v.retrieved_ids, over_corpus=searched is not None, searched=searched)

    def add_vectors(self, path: Path, model: str) -> EmbedReport:
        """Add vectors from a file to every topic whose publications they cover."""
        if not model.strip():
            raise InputError("the model needs a name: --model NAME")
        if model in EMBEDDERS:
            raise InputError(f'"{model}" is a built-in embedder: give your vectors another name')
        brought = load_vectors(path, model, self.store)
        if not brought.embedded.ids:
            raise InputError(f"{path} has no row that can be scored: every row is zero, not finite or missing")
        n_known = len(self.store.load_publications(brought.embedded.ids))
        if not n_known:
            raise InputError(
                f"{path} matches no publication of the workspace (it holds {len(brought.embedded)} vectors, the first "
                f"for {brought.embedded.ids[0]}): use the ids of the collection, and load the collection first"
            )
        embedding = self.catalogue.add(model, None, brought.embedded, brought.unscorable_ids)
        covered = tuple(c.topic_id for c in self.catalogue.coverage() if c.covers and c.embedding == embedding)
        n = len(brought.embedded)
        return EmbedReport(
            model, covered, n, len(brought.unscorable_ids), n, n_unmatched=n - n_known, n_repeated=brought.n_repeated
        )

    def embed(
        self, topic_id: str, embedder: str | EmbedRequest, *, on_progress: OnProgress | None = None
    ) -> EmbedReport:
        """Embed every publication without a vector of its text by this model; a killed run is resumed."""
        wish = EmbedRequest(embedder) if isinstance(embedder, str) else embedder
        return embed(self.store, self.catalogue, self.paths, topic_id, wish, on_progress)

    def preview_embedding(self, topic_id: str, wish: EmbedRequest) -> EmbedPreview:
        """Estimate what embedding a topic would take, without sending anything."""
        return preview(self.store, self.catalogue, self.paths, topic_id, wish)

    def run_query(self, topic_id: str, text: str, **how: Unpack[QueryRunOptions]) -> VersionRow:
        """Run this text over the topic's publications as a new version. A text that was run before is not repeated."""
        return run_query(self.store, self.corpora, topic_id, text, **how)

    # Landscapes

    def project(
        self,
        topic_id: str,
        embedder: str | None = None,
        *,
        settings: ProjectionSettings | None = None,
        refit: bool = False,
        on_stage: OnStage = silent,
    ) -> str:
        """Return the topic's landscape, fitted the first time. Later publications are placed on it and move nothing."""
        embedding = self.embedding(topic_id, embedder)
        current = self.landscapes.current_id(topic_id, embedding)
        if current is None or refit:
            fitted = settings or ProjectionSettings()
            return self.landscapes.fit(topic_id, embedding, fitted, on_stage(stage_of(fitted)))
        if settings is not None and settings != (there := self.landscapes.settings(current)):
            raise InputError(
                f'"{topic_id}" has a landscape already ({there.method}, seed {there.seed}): refit it to lay it out '
                "otherwise (--refit)"
            )
        self.landscapes.keep_up(current, topic_id, embedding)
        return current

    def honesty(self, topic_id: str, embedder: str | None = None) -> Honesty:
        """Measure the distortion of the current landscape; cached."""
        embedding = self.embedding(topic_id, embedder)
        projection_id = self.project(topic_id, embedding.embedder)
        if known := self._known_honesty(projection_id):
            return known
        projection = self.landscapes.load(projection_id)
        found = honesty(self.catalogue.load(embedding, projection.ids), projection)
        self.store.remember(self._honesty_key(projection_id), "honesty", json.dumps(asdict(found)), None)
        return found

    def _honesty_key(self, projection_id: str) -> str:
        return key_for("honesty", projection_id, self.landscapes.covers(projection_id))

    def _known_honesty(self, projection_id: str) -> Honesty | None:
        kept = self.store.recall(self._honesty_key(projection_id))
        return Honesty(**json.loads(kept[0])) if kept else None

    def landscape_effect(
        self,
        topic_id: str,
        label: str,
        *,
        embedder: str | None = None,
        settings: EvaluationSettings | None = None,
        on_progress: OnProgress | None = None,
    ) -> LandscapeEffect:
        """Measure how a version's scores depend on the landscape: six seeds, and the embedding space. Slow; cached."""
        case = self.case(topic_id, label, embedder, ("mvee",))
        if case.projection_id is None:
            raise InputError(f'topic "{topic_id}" has too few publications with a vector for a landscape')
        resolved = (settings or EvaluationSettings()).resolved(case.embedding.embedder)
        key = self._effect_key(case, resolved)
        if kept := self.store.recall(key):
            return decoded(json.loads(kept[0]), LandscapeEffect)
        scene, _ = case.load(self.store, self.catalogue)
        shaped_by = self.landscapes.load(case.projection_id)
        embedded = self.catalogue.load(case.embedding, shaped_by.ids)
        layouts = over_seeds(embedded, self.landscapes.settings(case.projection_id), on_progress, lay_out)
        found = LandscapeEffect(seed_ranges(scene, layouts, resolved), changed_decisions(scene, resolved))
        self.store.remember(key, "landscape_effect", json.dumps(asdict(found)), None)
        return found

    def known_landscape_effect(
        self, topic_id: str, label: str, embedder: str, settings: EvaluationSettings
    ) -> LandscapeEffect | None:
        case = self.case(topic_id, label, embedder, ("mvee",))
        kept = self.store.recall(self._effect_key(case, settings.resolved(embedder))) if case.projection_id else None
        return decoded(json.loads(kept[0]), LandscapeEffect) if kept else None

    def _effect_key(self, case: ScoringCase, settings: EvaluationSettings) -> str:
        covers = self.landscapes.covers(case.projection_id or "")
        return key_for("landscape_effect", *case.depends_on, covers, settings_key(settings))

    # Scores

    def evaluate(
        self,
        topic_id: str,
        label: str,
        *,
        embedder: str | None = None,
        settings: EvaluationSettings | None = None,
        regions: Sequence[RegionKind] = DEFAULT_REGIONS,
        intervals: bool = False,
        points: Projection | None = None,
        on_stage: OnStage = silent,
    ) -> Evaluation:
        """Score one version. A repeated request is answered from the store.

        `points`: coordinates to use in place of the topic's landscape.
        """
        case = self.case(topic_id, label, embedder, () if points else regions, on_stage)
        resolved = (settings or EvaluationSettings()).resolved(case.embedding.embedder)
        if points is not None:
            evaluation = score_on_points(
                self.store, self.catalogue, case, points, resolved, regions, intervals=intervals, on_stage=on_stage
            )
        else:
            evaluation = remembered_score(
                self.store, self.catalogue, case, resolved, regions, intervals=intervals, on_stage=on_stage
            )
        return with_what_waits(self.catalogue, case, evaluation)

    # One version for interactive use

    def is_ready(self, topic_id: str, embedder: str) -> bool:
        """Return True if a version can be shown without making vectors or a landscape first. Makes nothing."""
        embedding = self.catalogue.find(embedder, topic_id)
        if embedding is None:
            return False
        state = self.store.topic_state(topic_id)
        if embedder in EMBEDDERS and not self.catalogue.is_covered(embedding.embedding_id, state):
            return False
        if not self._enough_for_a_landscape(topic_id, embedding):
            return True
        current = self.landscapes.current_id(topic_id, embedding)
        return current is not None and self.landscapes.is_up_to_date(current, topic_id, embedding)

    def prepare(self, topic_id: str, embedder: str, *, on_stage: OnStage = silent) -> None:
        """Make vectors and a landscape where they are missing. Slow the first time."""
        self.store.load_core(topic_id)
        if embedder in EMBEDDERS and not self.is_ready(topic_id, embedder):
            self.embed(topic_id, embedder, on_progress=on_stage("embedding titles and abstracts"))
        embedding = self.embedding(topic_id, embedder)
        if self._enough_for_a_landscape(topic_id, embedding):
            self.project(topic_id, embedder, on_stage=on_stage)

    def view_state(self, topic_id: str, label: str, embedder: str) -> str:
        """Return a key that changes with anything a view of this version would show."""
        return self.case(topic_id, label, embedder, ("mvee",)).state

    def view(self, topic_id: str, label: str, embedder: str) -> VersionView:
        case = self.case(topic_id, label, embedder, ("mvee",))
        scene, retrieved_ids = case.load(self.store, self.catalogue)
        return view_of(case, scene, retrieved_ids)

    def evaluate_view(
        self, view: VersionView, settings: EvaluationSettings, regions: Sequence[RegionKind] = DEFAULT_REGIONS
    ) -> tuple[Evaluation, tuple[RegionKind, ...]]:
        """Score the available regions at once; also return the kinds of region that first need `fit_clusters`."""
        return evaluate_view(self.store, view, settings, regions)

    def fit_clusters(self, view: VersionView, settings: EvaluationSettings, *, on_stage: OnStage = silent) -> None:
        fit_clusters(self.store, view, settings.resolved(view.case.embedding.embedder), on_stage)

    def sensitivity(
        self,
        view: VersionView,
        settings: EvaluationSettings,
        regions: Sequence[RegionKind],
        *,
        only_known: bool = False,
    ) -> dict[RegionKind, Sensitivity]:
        """Return how much scores vary with the core set; cached. `only_known`: return cached results only."""
        return remembered_sensitivity(self.store, view, settings, regions, only_known=only_known)

    def publications(self, ids: Sequence[str]) -> tuple[Publication, ...]:
        """Return these publications, in this order, without unknown ones."""
        return self.store.load_publications(ids)

    def known_honesty(self, topic_id: str, embedder: str) -> Honesty | None:
        return self._known_honesty(self.project(topic_id, embedder))

    def case(
        self,
        topic_id: str,
        label: str,
        embedder: str | None,
        regions: Sequence[RegionKind],
        on_stage: OnStage = silent,
    ) -> ScoringCase:
        """Return what a version's scores depend on, before loading anything large; make its landscape if needed."""
        row = self.version(topic_id, label)
        core = self.store.load_core(topic_id)
        embedding = self.embedding(topic_id, embedder)
        projection_id = None
        if any(kind in PROJECTION_REGIONS for kind in regions) and self._enough_for_a_landscape(topic_id, embedding):
            projection_id = self.project(topic_id, embedding.embedder, on_stage=on_stage)
        core_hash, state = self.store.core_hash(topic_id), self.store.topic_state(topic_id)
        return ScoringCase(row, core, core_hash, embedding, projection_id, state)

    def _enough_for_a_landscape(self, topic_id: str, embedding: Embedding) -> bool:
        n = [c.n_with_vectors for c in self.catalogue.coverage(topic_id) if c.embedding == embedding]
        return bool(n) and n[0] >= MIN_PUBLICATIONS
