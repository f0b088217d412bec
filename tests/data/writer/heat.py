"""The smallest topic of the demo in a workspace of its own, with vectors that serve any topic over its publications."""

from __future__ import annotations

from pathlib import Path

from core.text import publication_text
from core.types import Ids
from data.demo.publications import build_topic, load_topics
from data.explore.workspace import Workspace
from data.models.local_embedders import LsaModel
from tests.data.workspaces import write_npz

HEAT = "Urban heat and street trees (made up)"
ABOUT = "Urban heat and street trees"
EMBEDDER = "own"


def build(root: Path) -> None:
    """Its core publications and one in two of the others, made up; no landscape and no versions."""
    (words,) = (each for each in load_topics() if each.topic_id == HEAT)
    topic = build_topic(words)
    core = set(topic.core_ids)
    publications = [p for n, p in enumerate(topic.publications) if n % 2 or p.publication_id in core]
    texts = [publication_text(p.title, p.abstract) for p in publications]
    ids = tuple(p.publication_id for p in publications)
    with Workspace.open(root) as workspace:
        workspace.store.save_publications(publications)
        workspace.save_topic(HEAT, topic.core_ids, (), made_up=True, corpus_ids=ids)
        workspace.add_vectors(write_npz(root / "own.npz", ids, LsaModel.fit(texts).embed(texts)), EMBEDDER)


def twin(workspace: Workspace, topic_id: str, core_ids: Ids) -> None:
    """Another topic over the same publications, with a core set of its own."""
    workspace.save_topic(topic_id, core_ids, (), made_up=True, corpus_ids=workspace.corpora.of(HEAT).ids)
