"""Versions with their vectors, for the labs."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock

import numpy as np

from core.errors import StoreError
from core.explore.labs import (
    LAYOUTS,
    LabLayout,
    LabTopic,
    Layouts,
    fit_layouts,
    judge_layouts,
    laid_out_of,
    made_up_topic,
    sample_of,
)
from core.explore.landscape import honesty
from core.explore.scene import Scene
from core.protocols import OnStage
from core.types import Ids, Projection
from data.explore.scoring import ScoringCase
from data.explore.workspace import Workspace
from data.lookup import embedding_named, version_named
from data.memory import key_for, packed, unpacked

MOST_TOPICS = 4
MOST_LAYOUTS = 16
FRESH_SECONDS = 3.0
MADE_UP_LAYOUTS = Path(__file__).with_name("made_up_layouts.json")
"""Written by `python -m data.explore.labs`."""
POINT_DECIMALS = 4

Names = tuple[str, str, str]
"""Topic, version label, embedder."""

Start = Callable[[str, str, Callable[[OnStage], None]], object]
"""Function that does slow work, or starts it in the background unless its key is already running: key, title, work."""


class WorkspaceTopics:
    """The versions of a workspace that have vectors. Computes no vectors and no landscape.

    Look-ups are reused for a few seconds, because a lab repeats them at every movement of a control.
    """

    def __init__(self, workspace: Workspace, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._workspace = workspace
        self._clock = clock
        self._kept: OrderedDict[str, LabTopic] = OrderedDict()
        self._listed: tuple[float, dict[str, Names]] | None = None
        self._asked: dict[str, tuple[float, LabTopic]] = {}
        self._lock = Lock()

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the value and label of each version with vectors."""
        return tuple((value, value) for value in self._versions())

    def topic(self, value: str) -> LabTopic | None:
        known = self._asked.get(value)
        if known and self._clock() - known[0] < FRESH_SECONDS:
            return known[1]
        named = self._versions().get(value)
        if named is None:
            return None
        found = self._loaded(value, self.case(*named))
        self._asked = {value: (self._clock(), found)}
        return found

    def _loaded(self, value: str, case: ScoringCase) -> LabTopic:
        with self._lock:
            if case.state not in self._kept:
                scene, _ = case.load(self._workspace.store, self._workspace.catalogue)
                self._kept[case.state] = LabTopic.of(value, scene)
                while len(self._kept) > MOST_TOPICS:
                    self._kept.popitem(last=False)
            return self._kept[case.state]

    def case(self, topic_id: str, label: str, embedder: str) -> ScoringCase:
        store = self._workspace.store
        row, core = version_named(store, topic_id, label), store.load_core(topic_id)
        embedding = embedding_named(store, self._workspace.catalogue, topic_id, embedder)
        return ScoringCase(row, core, store.core_hash(topic_id), embedding, None, store.topic_state(topic_id))

    def _versions(self) -> dict[str, Names]:
        now = self._clock()
        if self._listed is None or now - self._listed[0] >= FRESH_SECONDS:
            self._listed = (now, self._list())
        return self._listed[1]

    def _list(self) -> dict[str, Names]:
        return {
            f"{topic.topic_id} · {row.version.label} · {embedder}": (topic.topic_id, row.version.label, embedder)
            for topic in self._workspace.topics()
            for row in topic.versions
            if row.n_retrieved and row.deleted_at is None and topic.n_core
            for embedder in topic.embedders
        }


class WorkspaceLayouts(WorkspaceTopics):
    """The versions of a workspace with their layouts, computed on first use and cached."""

    def __init__(self, workspace: Workspace, start: Start) -> None:
        super().__init__(workspace)
        self._start = start
        self._made: OrderedDict[str, Layouts] = OrderedDict()

    def layouts(self, topic: LabTopic) -> Layouts | None:
        """Return the layouts of a version; None while they are being computed."""
        key = self._key(topic)
        if known := self._known(key, topic):
            return known
        self._start(key, f"Computing layouts of {topic.name}", lambda on_stage: self.lay_out(topic, on_stage))
        return self._known(key, topic)

    def lay_out(self, topic: LabTopic, on_stage: OnStage) -> None:
        """Compute the layouts of a version unless they exist. Slow."""
        key = self._key(topic)
        if self._known(key, topic):
            return
        sample = sample_of(topic.scene)
        fitted = fit_layouts(laid_out_of(sample), on_stage("computing the layouts"))
        self._keep(key, judge_layouts(sample, fitted, n_all=topic.n))
        with suppress(StoreError):  # computed again next time if it can't be stored
            self._workspace.store.remember(key, "lab_layouts", *encode_layouts(fitted))

    def _known(self, key: str, topic: LabTopic) -> Layouts | None:
        if key in self._made:
            return self._made[key]
        sample = sample_of(topic.scene)
        fitted = made_up_layouts(laid_out_of(sample).ids) if topic.made_up else None
        if fitted is None and (kept := self._workspace.store.recall(key)):
            fitted = decode_layouts(*kept)
        if fitted is None:
            return None
        found = judge_layouts(sample, fitted, n_all=topic.n)
        self._keep(key, found)
        return found

    def _keep(self, key: str, layouts: Layouts) -> None:
        with self._lock:
            self._made[key] = layouts
            while len(self._made) > MOST_LAYOUTS:
                self._made.popitem(last=False)

    def _key(self, topic: LabTopic) -> str:
        return key_for("lab_layouts", json.dumps(_layout_settings(), sort_keys=True), *_content(topic.scene))


def _layout_settings() -> dict[str, object]:
    return {name: asdict(settings) for name, (_, settings) in LAYOUTS.items()}


def _content(scene: Scene) -> tuple[str, ...]:
    of_vectors = sha256()
    for embedded in (scene.retrieved, scene.core):
        of_vectors.update(np.ascontiguousarray(embedded.vectors).data)
    return (of_vectors.hexdigest(), *scene.retrieved.ids, "", *scene.core.ids)


def encode_layouts(layouts: dict[str, LabLayout]) -> tuple[str, bytes]:
    believed = {name: [layout.trustworthiness, layout.continuity] for name, layout in layouts.items()}
    return json.dumps(believed), packed({name: layout.points for name, layout in layouts.items()})


def decode_layouts(document: str, content: bytes | None) -> dict[str, LabLayout]:
    points = unpacked(content or b"")
    return {name: LabLayout(name, points[name], *believed) for name, believed in json.loads(document).items()}


# The layouts of the demo topic are stored with the code, so that opening the lab does not run UMAP.


@cache
def made_up_layouts(ids: Ids) -> dict[str, LabLayout] | None:
    """Return the stored layouts of these publications; None if made with other settings or for other publications."""
    stored = json.loads(MADE_UP_LAYOUTS.read_text("utf-8"))
    if stored["settings"] != json.loads(json.dumps(_layout_settings())) or stored["ids"] != list(ids):
        return None
    return {
        name: LabLayout(name, np.array(layout["points"]), layout["trustworthiness"], layout["continuity"])
        for name, layout in stored["layouts"].items()
    }


def write_made_up_layouts() -> None:
    """Fit the layouts of the demo topic and store them. Points are rounded before their quality is measured."""
    embedded = laid_out_of(sample_of(made_up_topic().scene))
    lines = []
    for name, layout in fit_layouts(embedded).items():
        points = layout.points.astype(np.float64).round(POINT_DECIMALS)
        judged = honesty(embedded, Projection(embedded.ids, points, name))
        stored = {
            "trustworthiness": round(judged.trustworthiness, 6),
            "continuity": round(judged.continuity, 6),
            "points": points.tolist(),
        }
        lines.append(f"{json.dumps(name)}: {json.dumps(stored)}")
    head = f'"settings": {json.dumps(_layout_settings())},\n"ids": {json.dumps(embedded.ids)},\n"layouts": '
    MADE_UP_LAYOUTS.write_text("{" + head + "{\n" + ",\n".join(lines) + "\n}}\n", "utf-8")


if __name__ == "__main__":
    write_made_up_layouts()
