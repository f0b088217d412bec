"""Load the demo data and LitQEval into a workspace.

python -m data.demo.loading     recomputes the stored landscapes of the demo after a change of texts or vectors
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.collections import Collection
from core.errors import CorruptStoreError
from core.knowledge.synthesis import SynthesisSettings
from core.protocols import OnStage, silent
from core.settings import ProjectionSettings
from core.types import Ids, Points, Projection
from data.access import check_allowed
from data.collections import find_collection, is_stored, load_collection, save_collection
from data.demo.knowledge import DEMO_BASE, build_demo_knowledge
from data.demo.publications import DEMO_COLLECTION, TopicWords, build_benchmark, build_topic, load_topics
from data.explore.studies import fill_survey_kind, save_published_curves, save_published_scores
from data.explore.workspace import Workspace
from data.http.download import OnProgress
from data.knowledge.base import KnowledgeBase
from data.knowledge.builder import content_key
from data.knowledge.demo_writer import VERSION
from data.knowledge.synthesis import open_models, synthesise
from data.knowledge.synthesis_runs import MemorySynthesisLog, as_collection
from data.knowledge.templates import published
from data.library.filing import keep_what_came
from data.library.litqeval import (
    LitQEvalCollection,
    OnLoad,
    PublishedNumbers,
    download_litqeval,
    load_litqeval,
    read_published,
)
from data.store import content_hash

# Synthetic questions that mix text with relations over the demo knowledge base, by the rule-based demo model.

DEMO_RELATIONS = "demo-relations"
SETTINGS = SynthesisSettings(n=120)


def build_demo_relations(base: KnowledgeBase) -> Collection:
    """Build the same collection at every call. Every published template has its share of the questions."""
    done = synthesise(base, published(base.about.templates), SETTINGS, open_models(SETTINGS), MemorySynthesisLog())
    return as_collection(base.documents(), done.made, DEMO_RELATIONS, made_up=True)


# Load collections into the workspace: the built-in demo, and public ones.


@dataclass(frozen=True, slots=True)
class Intake:
    folder: Path
    collection: LitQEvalCollection
    missing_files: Ids
    published: PublishedNumbers
    """The authors' published numbers, as far as their files exist."""


def bring_litqeval(
    workspace: Workspace, where: str, *, on_download: OnProgress | None = None, on_load: OnLoad | None = None
) -> Intake:
    """Load LitQEval from a folder or a web address into the workspace, all topics or none."""
    check_allowed("server")
    folder = Path(where).expanduser()
    if "://" in where:
        # One folder per address: complete files are not requested again.
        into = workspace.paths.downloads(f"litqeval-{content_hash([where])[:8]}")
        folder = download_litqeval(where, into, on_progress=on_download).folder
    collection = load_litqeval(folder, on_load)
    published = read_published(Path(collection.folder), [topic.topic_id for topic in collection.topics])
    with workspace.store.transaction():
        workspace.store.save_publications(collection.publications)
        for topic in collection.topics:
            survey_id = topic.survey_ids[0] if topic.survey_ids else None
            workspace.save_topic(topic.topic_id, topic.core_ids, topic.versions, survey_id=survey_id)
            fill_survey_kind(workspace.store, topic.topic_id, topic.survey_kind)
            keep_what_came(workspace.store, topic.topic_id)
        save_published_scores(workspace.store, published.scores)
        save_published_curves(workspace.store, published.curves)
    return Intake(folder, collection, collection.missing_files, published)


# The landscapes of the demo topics are stored with the code, because computing them with UMAP takes most of a minute.

DEMO_EMBEDDER = "lsa"
STORED = Path(__file__).with_name("landscapes.npz")
DEMO_LANDSCAPE = ProjectionSettings(n_neighbors=36, min_dist=0.9)
"""Settings that spread the dots: texts from word lists cluster more tightly than real ones."""


def stored_points(ids: Ids, settings: ProjectionSettings) -> Points | None:
    """Return the points of exactly these publications with these settings; None if they are not stored."""
    with np.load(STORED, allow_pickle=False) as stored:
        key = _key(ids, settings)
        return stored[key].astype(np.float64) if key in stored else None


def store_points(landscapes: Iterable[Projection]) -> None:
    """Store the points as float32; UMAP computes in float32, so nothing is lost."""
    points = {_key(found.ids, DEMO_LANDSCAPE): found.points.astype(np.float32) for found in landscapes}
    np.savez_compressed(STORED, allow_pickle=False, **points)


def _key(ids: Ids, settings: ProjectionSettings) -> str:
    return content_hash([json.dumps(asdict(settings), sort_keys=True), *ids])


# The demo itself.


def bring_demo(
    workspace: Workspace, on_stage: OnStage = silent, *, landscape: ProjectionSettings = DEMO_LANDSCAPE
) -> Ids:
    """Load the built-in demo data, ready to view; existing data stays unchanged."""
    topics = load_topics()
    for number, topic in enumerate(topics, start=1):
        bring_demo_topic(workspace, topic, on_stage, step=f"topic {number} of {len(topics)}", landscape=landscape)
    on_stage("writing the demo queries and judgments")
    bring_benchmark(workspace)
    on_stage("writing the demo knowledge base")
    bring_demo_knowledge(workspace)
    on_stage("writing the demo questions about relations")
    bring_demo_relations(workspace)
    return tuple(topic.topic_id for topic in topics)


def first_topic() -> TopicWords:
    """Return the smallest demo topic, which loads in a moment."""
    return min(load_topics(), key=lambda topic: topic.n_publications)


def bring_demo_topic(
    workspace: Workspace,
    words: TopicWords,
    on_stage: OnStage = silent,
    *,
    step: str,
    landscape: ProjectionSettings = DEMO_LANDSCAPE,
) -> None:
    topic_id = words.topic_id
    if topic_id not in {row.topic_id for row in workspace.store.topics()}:
        on_stage(f"{step}: writing publications")
        topic = build_topic(words)
        with workspace.store.transaction():
            workspace.store.save_publications(topic.publications)
            workspace.save_topic(
                topic_id,
                topic.core_ids,
                topic.versions,
                made_up=True,
                corpus_ids=tuple(p.publication_id for p in topic.publications),
                relevant_ids=topic.relevant_ids,
            )
    workspace.embed(topic_id, DEMO_EMBEDDER, on_progress=on_stage(f"{step}: embedding"))
    embedding = workspace.embedding(topic_id, DEMO_EMBEDDER)
    if workspace.landscapes.current_id(topic_id, embedding) is None:
        on_step = on_stage(f"{step}: computing the landscape")
        workspace.landscapes.fit(topic_id, embedding, landscape, on_step, known=stored_points)


def fit_demo_landscapes() -> tuple[Projection, ...]:
    """Compute the stored landscape of each demo topic; slow."""
    with TemporaryDirectory() as folder, Workspace.open(Path(folder)) as workspace:
        return tuple(_fit_landscape(workspace, topic) for topic in load_topics())


def _fit_landscape(workspace: Workspace, words: TopicWords) -> Projection:
    bring_demo_topic(workspace, words, step=words.topic_id)
    embedding = workspace.embedding(words.topic_id, DEMO_EMBEDDER)
    return workspace.landscapes.load(workspace.landscapes.fit(words.topic_id, embedding, DEMO_LANDSCAPE))


def n_missing_demo_topics(workspace: Workspace) -> int:
    """Count the demo topics that are not ready to view."""
    return sum(not workspace.is_ready(topic.topic_id, DEMO_EMBEDDER) for topic in load_topics())


def bring_benchmark(workspace: Workspace) -> bool:
    """Save the demo collection for retrievers; return True if it had to be saved.

    A person's own collection of that name stays unchanged. One that an earlier Queryscape generated is replaced.
    """
    store = workspace.store
    there = is_stored(store, DEMO_COLLECTION)
    if there and not find_collection(store, DEMO_COLLECTION).made_up:
        return False
    built = build_benchmark()
    if there:
        before = load_collection(store, DEMO_COLLECTION)
        if (before.documents, before.queries, before.judgments, before.splits) == (
            built.documents,
            built.queries,
            built.judgments,
            built.splits,
        ):
            return False
    save_collection(store, built, origin="generated by Queryscape", notes=(DEMO_NOTE,), replace=True)
    return True


def bring_demo_knowledge(workspace: Workspace) -> bool:
    """Save the demo knowledge base; return True if it had to be saved.

    A person's own knowledge base of that name stays unchanged. One that an earlier Queryscape generated is replaced.
    """
    parts = build_demo_knowledge()
    key = content_key(parts)
    there = DEMO_BASE in workspace.knowledge.names()
    if there:
        with suppress(CorruptStoreError):
            about = workspace.knowledge.open(DEMO_BASE).about
            if not about.made_up or about.key == key:
                return False
    workspace.knowledge.save(DEMO_BASE, parts, origin="generated by Queryscape", replace=there, key=key)
    return True


def bring_demo_relations(workspace: Workspace) -> bool:
    """Save the demo questions over the demo knowledge base; return True if they had to be saved.

    Nothing is written over a person's own knowledge base, and a person's own collection of that name stays unchanged.
    """
    base, store = workspace.knowledge.open(DEMO_BASE), workspace.store
    notes = (RELATIONS_NOTE, f"knowledge base {base.about.key}, {VERSION}")
    there = is_stored(store, DEMO_RELATIONS)
    found = find_collection(store, DEMO_RELATIONS) if there else None
    if not base.about.made_up or (found is not None and (not found.made_up or found.notes == notes)):
        return False
    built = build_demo_relations(base)
    save_collection(store, built, origin="generated by Queryscape", notes=notes, replace=there)
    return True


DEMO_NOTE = "documents, queries and judgments are synthetic; the judgments follow from the theme of each document"
RELATIONS_NOTE = (
    "documents, relations and queries are made up; the queries were written and their answers checked by a script that "
    "is no language model, in the words of the templates: an easy set for the retriever graph"
)


if __name__ == "__main__":
    store_points(fit_demo_landscapes())
