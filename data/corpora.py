"""The search indexes of a workspace's topics, each opened once.

A copy of a store, which is only looked at, has them in a folder of its own that goes with it.
"""

from __future__ import annotations

import shutil
from collections import OrderedDict
from contextlib import suppress
from threading import Lock

from core.protocols import OnProgress
from data.index import CorpusIndex
from data.indexing import ABOUT
from data.lookup import check_topic
from data.paths import WorkspacePaths
from data.store import Store
from data.versions.searched import Searched, searched

MOST_OPEN = 3
MOST_KEPT = 60
"""Folders on disk: of those that were not opened for longest, the rest are taken away."""


class Corpora:
    """What is kept open: the topics that were searched last."""

    def __init__(self, store: Store, paths: WorkspacePaths) -> None:
        self._store = store
        self._paths = WorkspacePaths(store.own_folder) if store.own_folder else paths
        self._open: OrderedDict[tuple[str, str], CorpusIndex] = OrderedDict()
        self._searched: dict[str, tuple[str, Searched]] = {}
        self._lock = Lock()

    def of(self, topic_id: str, on_progress: OnProgress | None = None) -> CorpusIndex:
        """What a topic's queries can find, ready to be searched; the first time it is indexed, which takes seconds."""
        check_topic(self._store, topic_id)
        key = (topic_id, self._store.topic_state(topic_id))
        with self._lock:
            found = self._open.get(key)
            if found is None:
                publications = self._store.load_publications(self._store.searchable_ids(topic_id))
                found = CorpusIndex.open(self._paths, publications, on_progress)
                self._open[key] = found
                self._tidy()
                while len(self._open) > MOST_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(key)
            return found

    def searched(self, topic_id: str) -> Searched:
        """What a query of this topic would be run over now; read once for each state of the topic."""
        state = self._store.topic_state(topic_id)
        with self._lock:
            kept = self._searched.get(topic_id)
            if kept is None or kept[0] != state:
                kept = self._searched[topic_id] = (state, searched(self._store, topic_id))
            return kept[1]

    def is_open(self, topic_id: str) -> bool:
        """Whether a topic can be searched at once."""
        return (topic_id, self._store.topic_state(topic_id)) in self._open

    def _tidy(self) -> None:
        """An index that was not opened for long belongs to a state that its topic is no longer in."""
        folders = [folder for folder in self._paths.index("").glob("*") if (folder / ABOUT).is_file()]
        folders.sort(key=lambda folder: (folder / ABOUT).stat().st_mtime, reverse=True)
        for folder in folders[MOST_KEPT:]:
            with suppress(OSError):
                shutil.rmtree(folder)

    def forget(self) -> None:
        """The texts of publications may have changed."""
        with self._lock:
            self._open.clear()
            self._searched.clear()
