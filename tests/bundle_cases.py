"""Bundles of made-up facts, and what somebody might do to one."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from core.audit.press import Person, Request, Review
from core.audit.press_exchange import press_document
from core.audit.prisma_report import prisma_s
from core.audit.quality_facts import QualityFacts
from core.audit.quality_report import quality_report
from core.explore.compare import Entrant, compare
from core.explore.evaluate import evaluate_scene
from core.explore.landscape import lay_out
from core.explore.regions.nearest_core import mean_of_nearest
from core.explore.scene import Scene
from core.explore.uncertainty import sensitivity
from core.report import ReportDocument
from core.settings import EvaluationSettings
from core.types import Projection, RegionKind, RetrievedSet
from core.vectors import embedded_set, similarities
from data.audit.bundle import read_bundle, write_bundle
from data.audit.bundle_archive import MANIFEST, Bundle, json_bytes, manifest, write_archive
from data.store import content_hash
from tests.audit_cases import audit_facts, quality_facts
from tests.core.scenes import random_topic

MADE_AT, MADE_WITH = "2026-05-06T10:00:00+00:00", "Queryscape 1.0"
SETTINGS = EvaluationSettings()
ALL: tuple[RegionKind, ...] = ("cosine", "nearest_core", "mvee", "hull", "cluster")
HOSTILE_TITLES = ("=1+1", '<b>bold</b> & "quoted", $x$', "\ud800 half a character", "a\nb\rc\x00", "@SUM(A1)")


@cache
def facts(
    n_versions: int = 2, *, n: int = 120, settings: EvaluationSettings = SETTINGS, n_core: int = 12
) -> QualityFacts:
    """Facts that agree with themselves: scored over vectors, with arrays that say the same."""
    made_up = quality_facts(n, n_versions, n_core=n_core, n_found=n_core - 4, ranges=False)
    topic = random_topic(0, n=n, n_core=n_core, n_found=n_core - 4, model_id="lsa")
    versions, entrants = [], []
    for each in made_up.versions:
        ids = each.evaluation.scorable_ids
        scene = replace(topic, retrieved_ids=ids).scene
        evaluation = evaluate_scene(
            scene,
            topic_id=made_up.topic_id,
            query_id=each.evaluation.query_id,
            settings=settings,
            regions=ALL,
            sensitivity=sensitivity(scene, ("cosine",), settings),
        )
        landscape = lay_out(scene)
        masks = {
            k: landscape.in_order(s.relevant_mask) for k, s in evaluation.regions.items() if s.relevant_mask is not None
        }
        nearest = mean_of_nearest(similarities(topic.embedded.take(each.rows.ids).vectors, scene.core.vectors))
        titles = (*HOSTILE_TITLES, *each.rows.titles[len(HOSTILE_TITLES) :])
        rows = replace(each.rows, nearest=nearest, masks=masks, titles=titles)
        versions.append(replace(each, evaluation=evaluation, rows=rows, retrieved_hash=content_hash(ids)))
        entrants.append(Entrant(each.label, scene, ids, evaluation))
    comparison = compare(entrants, settings=settings) if n_versions > 1 else None
    return replace(made_up, versions=tuple(versions), comparison=comparison, core_hash=content_hash(topic.core_ids))


def review() -> Review:
    """A request that nobody has worked on."""
    return Review(
        review_id="0123456789abcdef",
        topic="Urban heat",
        version="version 1",
        text="heat AND trees",
        dialect="pubmed",
        requested_at=MADE_AT,
        counted_in="the 120 publications of this topic",
        request=Request(question="Do trees cool?"),
        requestor=Person("A. Person"),
    )


def documents(quality: QualityFacts, abstracts: Mapping[str, str] | None = None) -> list[ReportDocument]:
    """The reports of a bundle."""
    labels = tuple(version.label for version in quality.versions)
    return [
        prisma_s(audit_facts(labels), made_at=MADE_AT, made_with=MADE_WITH),
        press_document(review(), made_at=MADE_AT, made_with=MADE_WITH),
        quality_report(quality, made_at=MADE_AT, made_with=MADE_WITH, abstracts=abstracts),
    ]


def bundle_bytes(quality: QualityFacts, *, abstracts: Mapping[str, str] | None = None) -> bytes:
    """A bundle with all three reports."""
    out = io.BytesIO()
    labels = tuple(version.label for version in quality.versions)
    write_bundle(
        out,
        audit_facts(labels),
        quality,
        documents(quality, abstracts),
        made_at=MADE_AT,
        abstracts=abstracts,
        reviews=[review()],
    )
    return out.getvalue()


def read(content: bytes) -> Bundle:
    """What is in a bundle."""
    return read_bundle(io.BytesIO(content), name="search.zip")


def members(content: bytes) -> dict[str, bytes]:
    """Every file of a zip."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files as they are, the manifest with them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def resealed(content: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """A bundle that was edited together with its checksums."""
    files = members(content)
    files.pop(MANIFEST)
    change(files)
    out = io.BytesIO()
    write_archive(out, files)
    return out.getvalue()


def with_json(file: str, change: Callable[[Any], None]) -> Callable[[dict[str, bytes]], None]:
    """An edit within a JSON file."""

    def edit(files: dict[str, bytes]) -> None:
        value = json.loads(files[file])
        change(value)
        files[file] = json_bytes(value)

    return edit


def with_manifest(content: bytes, change: Callable[[Any], None]) -> bytes:
    """A bundle whose manifest says something else."""
    files = members(content)
    told = json.loads(files[MANIFEST])
    change(told)
    return zipped(files | {MANIFEST: json.dumps(told).encode()})


def sums(files: Mapping[str, bytes]) -> bytes:
    """The manifest of these files."""
    return manifest(files)


def with_unscored(n: int = 120) -> QualityFacts:
    """Two of the retrieved publications have no vector, one of them core; a core publication without one is missed."""
    topic = random_topic(3, n=n, n_core=10, n_found=6, model_id="lsa")
    quality = facts(1, n=n)
    core = ("no-vector-found", "no-vector-missed", *topic.core_ids)
    retrieved = (*topic.retrieved_ids, "no-vector-found", "no-vector-other")
    scene = Scene.of(
        RetrievedSet.of("q1", retrieved), topic.with_(core_ids=core).core, topic.embedded, topic.projection
    )
    evaluation = evaluate_scene(scene, topic_id="t", query_id="q1", settings=EvaluationSettings(), regions=ALL)
    landscape = lay_out(scene)
    m = len(landscape)
    masks = {
        k: landscape.in_order(s.relevant_mask) for k, s in evaluation.regions.items() if s.relevant_mask is not None
    }
    old = quality.versions[0]
    rows = replace(
        old.rows,
        ids=landscape.ids,
        n_retrieved=landscape.n_retrieved,
        similarities=landscape.similarities,
        nearest=None,
        points=landscape.points,
        core_mask=landscape.core_mask,
        titles=tuple(f"Title {row}" for row in range(m)),
        years=np.zeros(m, dtype=np.int16),
        dois=("",) * m,
        masks=masks,
        outlines={},
        groups=replace(old.rows.groups, group_of=np.full(m, 255, dtype=np.uint8)),
    )
    similarity = dict(zip(landscape.ids, landscape.similarities.tolist(), strict=True))
    told = tuple(
        replace(old.core[0], publication_id=i, is_found=i in retrieved, similarity=similarity.get(i)) for i in core
    )
    version = replace(
        old,
        evaluation=evaluation,
        rows=rows,
        core=told,
        unscored_ids=("no-vector-found", "no-vector-other"),
        retrieved_hash=content_hash(retrieved),
    )
    return replace(quality, versions=(version,), comparison=None, core_hash=content_hash(core))


def without_vectors() -> QualityFacts:
    """A version that retrieved three publications, none of which has a vector."""
    made = with_unscored()
    embedded, _ = embedded_set(["c1"], np.array([[1.0, 0.0]]), "lsa")
    scene = Scene.of(
        RetrievedSet.of("q1", ["a", "b", "c2"]),
        random_topic(0, n=30).with_(core_ids=("c1", "c2")).core,
        embedded,
        Projection(("c1",), np.zeros((1, 2)), "map"),
    )
    evaluation = evaluate_scene(scene, topic_id="t", query_id="q1", settings=EvaluationSettings(), regions=ALL)
    landscape = lay_out(scene)
    old = made.versions[0]
    rows = replace(
        old.rows,
        ids=landscape.ids,
        n_retrieved=0,
        similarities=landscape.similarities,
        points=landscape.points,
        core_mask=landscape.core_mask,
        titles=("Core",),
        years=np.zeros(1, dtype=np.int16),
        dois=("",),
        masks={},
        groups=replace(old.rows.groups, group_of=np.full(1, 255, dtype=np.uint8)),
    )
    version = replace(old, evaluation=evaluation, rows=rows, core=(), unscored_ids=("a", "b", "c2"))
    return replace(made, versions=(version,), core_hash=content_hash(("c1", "c2")))
