"""What labs take from a workspace: versions with their vectors, loaded when they are first looked at."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from core.labs.topics import LabTopic
from data.cases import Case
from data.lookup import embedding_named, version_named
from data.workspace import Workspace

MOST_TOPICS = 4


class WorkspaceTopics:
    """The versions of a workspace that have vectors. Makes no vectors and no landscape."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._kept: OrderedDict[str, LabTopic] = OrderedDict()
        self._lock = Lock()

    def options(self) -> tuple[tuple[str, str], ...]:
        """Value and label of each version that can be looked at."""
        return tuple((value, value) for value in self._versions())

    def topic(self, value: str) -> LabTopic | None:
        """The version of this value; None if it is not there any more."""
        named = self._versions().get(value)
        if named is None:
            return None
        case = self.case(*named)
        with self._lock:
            if case.state not in self._kept:
                scene = case.load(self._workspace.store, self._workspace.catalogue).scene
                self._kept[case.state] = LabTopic.of(value, scene)
                while len(self._kept) > MOST_TOPICS:
                    self._kept.popitem(last=False)
            return self._kept[case.state]

    def case(self, topic_id: str, label: str, embedder: str) -> Case:
        """A version by its names, without a landscape."""
        store = self._workspace.store
        row, core = version_named(store, topic_id, label), store.load_core(topic_id)
        embedding = embedding_named(store, self._workspace.catalogue, topic_id, embedder)
        return Case(row, core, store.core_hash(topic_id), embedding, None, store.topic_state(topic_id))

    def _versions(self) -> dict[str, tuple[str, str, str]]:
        """Topic, label and embedder by value."""
        return {
            f"{topic.topic_id} · {row.version.label} · {embedder}": (topic.topic_id, row.version.label, embedder)
            for topic in self._workspace.topics()
            for row in topic.versions
            if row.n_retrieved and row.deleted_at is None and topic.n_core
            for embedder in topic.embedders
        }
