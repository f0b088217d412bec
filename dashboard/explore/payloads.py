"""Documents and binary payloads of scores, landscapes and texts for the browser."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.explore.evaluate import Evaluation, RegionScores
from core.explore.landscape import Landscape, LandscapeGroups, split_curve
from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS, REGION_LABELS, REGIONS
from core.explore.uncertainty import Sensitivity, coverage_sentence
from core.library.preprints import WorkVersions
from core.library.records import Record
from core.library.retractions import RetractionNotice
from core.metrics import METRICS, SimilaritySweep, read_per_core
from core.query.dialects import DIALECTS, known_dialect
from core.query.differences import DifferencePiece, QueryChange, token_difference, tree_difference
from core.query.match import mask_of
from core.query.parser import parse
from core.query.tree import ParsedQuery, Span
from core.settings import EvaluationSettings
from core.stats import Interval
from core.types import Ids, Mask, Points, Publication, QueryVersion, RegionKind
from dashboard.controls import CONTROLS
from dashboard.kit.browser import lines, pack
from dashboard.kit.theme import COLOURS, THEMES, browser_colours
from dashboard.library.details import facts_of, headings_of, kind_and_notice
from data.explore.desk import Desk
from data.explore.scoring import Neighbour
from data.explore.workspace import Workspace
from data.store import Headlines, VersionRow, content_hash

DEFINITIONS = {metric_id: f"{m.sentence} {m.formula}. {m.undefined}" for metric_id, m in METRICS.items()}
LABELS = {metric_id: m.label for metric_id, m in METRICS.items()}
Document = dict[str, Any]


def _ends(interval: Interval | None) -> list[float] | None:
    return list(interval) if interval is not None else None


def scores_document(
    evaluation: Evaluation,
    kinds: Sequence[RegionKind],
    *,
    waiting: Mapping[RegionKind, str],
    ranges: Mapping[RegionKind, Sensitivity],
) -> Document:
    """Build the scores of one version. `waiting`: regions still being computed, with their progress."""
    n_found = len(evaluation.found_core_ids)
    return {
        "n_retrieved": evaluation.n_retrieved,
        "n_scorable": evaluation.n_scorable,
        "n_unscorable": evaluation.n_unscorable,
        "recall": {
            "value": evaluation.recall,
            "low": evaluation.recall_interval.low,
            "high": evaluation.recall_interval.high,
            "n_found": n_found,
            "n_core": len(evaluation.core_ids),
            "attainable": evaluation.attainable_recall,
            "read_per_core": read_per_core(n_retrieved=evaluation.n_retrieved, n_found=n_found),
        },
        "regions": [_region(kind, evaluation, ranges.get(kind), waiting.get(kind)) for kind in kinds],
        "beta": evaluation.settings.beta,
        "coverage": coverage_sentence(evaluation.settings.cosine_mode),
        "warnings": [f"{warning[:1].upper()}{warning[1:]}" for warning in evaluation.warnings],
    }


def _region(kind: RegionKind, evaluation: Evaluation, ranges: Sensitivity | None, pending: str | None) -> Document:
    scores = evaluation.regions.get(kind) or RegionScores(kind, pending or "not computed")
    defined = scores.status == "ok"
    return {
        "kind": kind,
        "label": REGION_LABELS[kind],
        "status": scores.status,
        "degenerate": scores.degenerate,
        "n_relevant": scores.n_relevant,
        "n_accepted": len(scores.accepted_core_ids) if defined else None,
        "semantic_precision": scores.semantic_precision,
        "decay": scores.decay,
        "recall_used": scores.recall_used,
        "core_accepted": evaluation.core_accepted(kind),
        "f_beta": scores.f_beta,
        "f_beta_range": _ends(ranges.f_beta_range) if ranges else None,
        "semantic_precision_range": _ends(ranges.semantic_precision_range) if ranges else None,
        "pending": pending,
        "defines": _defines(scores),
    }


def _defines(scores: RegionScores) -> str:
    numbers = scores.defines
    if "min_similarity" in numbers:
        return f"similarity ≥ {numbers['min_similarity']:.3f}"
    if "k" in numbers:
        return f"one of {numbers['k']} clusters"
    if "n_corners" in numbers:
        return f"{numbers['n_corners']} corners"
    return ""


def why(evaluation: Evaluation, landscape: Landscape, publication_id: str) -> list[Document]:
    """List for each region if it accepts this publication, and the reason."""
    row = landscape.row_of.get(publication_id)
    retrieved = row is not None and row < landscape.n_retrieved
    out: list[Document] = []
    for kind, scores in evaluation.regions.items():
        inside: bool | None = None
        if scores.relevant_mask is None:
            text = scores.status
        elif row is None or not retrieved:
            text = "not retrieved"
        else:
            inside = bool(scores.relevant_mask[landscape.order[row]])
            reason = REGIONS[kind].inside if inside else REGIONS[kind].outside
            threshold = scores.defines.get("min_similarity")
            text = reason.format(similarity=float(landscape.similarities[row]), threshold=threshold)
        out.append({"kind": kind, "label": REGION_LABELS[kind], "inside": inside, "text": text})
    return out


def record_document(
    publication: Publication,
    landscape: Landscape,
    evaluation: Evaluation,
    neighbours: Sequence[tuple[Neighbour, Publication]],
    *,
    details: Record | None = None,
    retracted: Collection[str] = (),
    versions: WorkVersions | None = None,
    notice: RetractionNotice | None = None,
) -> Document:
    """Build the document of a publication. `details`: from all its records. `retracted`: ids, including neighbours.

    `versions`: preprint and published version. `notice`: of Retraction Watch.
    """
    facts = facts_of(details, versions, notice) if details else ()
    row = landscape.row_of.get(publication.publication_id)
    retrieved = row is not None and row < landscape.n_retrieved
    is_core = publication.publication_id in set(evaluation.core_ids)
    found = publication.publication_id in set(evaluation.found_core_ids)
    return {
        "row": row,
        "title": publication.title,
        "abstract": publication.abstract,
        "year": publication.year,
        "doi": publication.doi,
        "times_cited": publication.times_cited,
        "retracted": publication.publication_id in retracted,
        "kind": kind_and_notice(details, notice) if details else None,
        "facts": [[fact.name, fact.value, fact.address] for fact in facts],
        "headings": [[text, is_major] for text, is_major in headings_of(details)] if details else [],
        "similarity": float(landscape.similarities[row]) if row is not None else None,
        "rank": landscape.n_retrieved - row if row is not None and retrieved else None,
        "role": ("core found" if found else "core missed") if is_core else "retrieved",
        "why": why(evaluation, landscape, publication.publication_id),
        "nearest": [_neighbour(neighbour, known, landscape, retracted) for neighbour, known in neighbours],
    }


def _neighbour(
    neighbour: Neighbour, publication: Publication, landscape: Landscape, retracted: Collection[str]
) -> Document:
    row = landscape.row_of.get(neighbour.publication_id)
    return {
        "row": row,
        "title": publication.title,
        "year": publication.year,
        "retracted": neighbour.publication_id in retracted,
        "similarity": neighbour.similarity,
        "core": row is not None and bool(landscape.core_mask[row]),
        "retrieved": row is not None and row < landscape.n_retrieved,
    }


def core_document(
    publications: Sequence[Publication],
    found_ids: Collection[str],
    landscape: Landscape,
    retracted: Collection[str] = (),
) -> Document:
    """List the core publications, missed ones before found ones."""
    listed: list[Document] = [
        {
            "id": p.publication_id,
            "row": landscape.row_of.get(p.publication_id),
            "title": p.title,
            "year": p.year,
            "found": p.publication_id in found_ids,
            "retracted": p.publication_id in retracted,
            "similarity": _similarity(landscape, p.publication_id),
        }
        for p in publications
    ]
    listed.sort(key=lambda entry: (entry["found"], entry["similarity"] is None, -(entry["similarity"] or 0.0)))
    return {"core_list": listed, "n_core_missed": sum(not entry["found"] for entry in listed)}


def _similarity(landscape: Landscape, publication_id: str) -> float | None:
    row = landscape.row_of.get(publication_id)
    return float(landscape.similarities[row]) if row is not None else None


# Two wordings for the browser: their pieces, the changes, and each version as parsed.

MOST_SPANS = 200
"""Places of one change that are shown in a text."""
SEMANTICS = {"literal": "Exact words", "stemmed": "Stemmed words"}
ORIGINS = {
    "baseline": "Baseline",
    "generated": "Generated by a model",
    "manual": "Written by hand",
    "review": "Search string of a review",
}


def wordings_document(first: VersionRow, second: VersionRow) -> dict[str, Any]:
    """Build the document of two versions for the browser part `versions_text`."""
    a, b = read(first.version), read(second.version)
    found = tree_difference(a, b)
    return {
        "names": [heading(first.version), heading(second.version)],
        "pieces": runs(token_difference(a, b)),
        "summary": found.summary,
        "same": found.same,
        "changes": [_change(change) for change in found.changes],
        "readings": [_reading(first, a), _reading(second, b)],
        "colours": {t: {"first": COLOURS[t]["relevant"], "second": COLOURS[t]["second"]} for t in THEMES},
    }


def read(version: QueryVersion) -> ParsedQuery:
    """Parse a version's text in the dialect in which it was run, else in the detected one."""
    return parse(version.text, known_dialect(version.dialect))


def heading(version: QueryVersion) -> str:
    return f"{version.label}: {version.name}" if version.name else version.label


def runs(pieces: Sequence[DifferencePiece]) -> list[list[str]]:
    """Merge adjacent pieces of the same fate: fate, text before, text after."""
    joined = []
    for fate, group in groupby(pieces, key=lambda piece: piece.fate):
        parts = list(group)
        joined.append([fate, "".join(p.before for p in parts), "".join(p.after for p in parts)])
    return joined


def _change(change: QueryChange) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "sentence": change.sentence,
        "first": _places(change.in_first),
        "second": _places(change.in_second),
    }


def _places(spans: Sequence[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans[:MOST_SPANS]]


def _reading(row: VersionRow, parsed: ParsedQuery) -> dict[str, Any]:
    version = row.version
    facts = {
        "Read as": _read_as(version, parsed),
        "Words": SEMANTICS.get(version.semantics or "") or "Not run here",
        "Origin": ORIGINS[version.origin],
        "Made by": row.made_by,
        "When": version.made_at.replace("T", " ")[:16] + " UTC" if version.made_at else None,
        "Retrieved": None if row.n_retrieved is None else f"{row.n_retrieved:,} publications",
        "Findings": _findings(parsed),
        "Note": version.note,
    }
    return {"name": heading(version), "facts": [[name, value] for name, value in facts.items() if value]}


def _read_as(version: QueryVersion, parsed: ParsedQuery) -> str:
    if not version.text.strip():
        return "The text is unknown"
    if parsed.kind == "question":
        return "Plain-language question, ranked"
    label = DIALECTS[parsed.dialect].label
    return label if version.dialect == parsed.dialect else f"{label}, detected ({parsed.confidence:.0%} sure)"


def _findings(parsed: ParsedQuery) -> str | None:
    errors = sum(finding.severity == "error" for finding in parsed.findings)
    return f"{errors:,} that may change its meaning; see the Workbench" if errors else None


# The payloads of the landscape: data that is sent once and stays in the browser.


def points_payload(
    landscape: Landscape,
    headlines: Headlines,
    groups: LandscapeGroups,
    found_by: tuple[tuple[str, ...], npt.NDArray[np.uint8]],
    core: Document,
    *,
    payload_id: str,
    scape: str,
    topic: str,
    version: str,
    embedder: str,
    made_up: bool,
    retracted: Collection[str] = (),
    points_besides: Points | None = None,
) -> bytes:
    """Pack every publication of one version, with all data that stay the same while it is open.

    `points_besides`: positions of the topic's other publications, so that all its versions have the same frame.
    """
    n = landscape.n_retrieved
    rows = len(landscape)
    points = landscape.points if landscape.points is not None else np.zeros((rows, 2))
    besides = np.zeros((0, 2)) if points_besides is None else points_besides
    framed = np.concatenate([points, besides])
    low, high = (framed.min(axis=0), framed.max(axis=0)) if len(framed) else (np.zeros(2), np.ones(2))
    curve = split_curve(landscape, EvaluationSettings())
    header: dict[str, Any] = {
        "kind": "points",
        "id": payload_id,
        "scape": scape,
        "n": n,
        "n_missed": rows - n,
        "n_core": landscape.n_core,
        "topic": topic,
        "version": version,
        "embedder": embedder,
        "made_up": made_up,
        "has_landscape": landscape.points is not None,
        "bounds": [*low.tolist(), *high.tolist()],
        "sources": list(found_by[0]),
        "groups": [{"text": g.name, "x": g.x, "y": g.y, "n": g.n, "level": g.level} for g in groups.named],
        "group_names": list(groups.coloured),
        "retracted": sorted(row for i in retracted if (row := landscape.row_of.get(i)) is not None),
        **core,
        "texts": DEFINITIONS,
        "labels": LABELS,
        "kinds": [
            {
                "kind": kind,
                "label": REGION_LABELS[kind],
                "help": REGIONS[kind].accepts,
                "space": "projection" if kind in PROJECTION_REGIONS else "embedding",
            }
            for kind in DEFAULT_REGIONS
        ],
        "controls": CONTROLS,
        **browser_colours(),
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "x": points[:, 0].astype(np.float32),
        "y": points[:, 1].astype(np.float32),
        "similarity": landscape.similarities,
        "year": headlines.years,
        "group": groups.group_of,
        "source": found_by[1],
        "core": landscape.core_mask.astype(np.uint8),
        "titles": lines(list(headlines.titles)),
        "dois": lines(list(headlines.dois)),
        "core_accepted": curve.core_accepted.astype(np.float32),
        "semantic_precision": curve.semantic_precision.astype(np.float32),
        "besides_x": besides[:, 0].astype(np.float32),
        "besides_y": besides[:, 1].astype(np.float32),
    }
    return pack(header, arrays)


CORE, ACCEPTED = 1, 2
"""Bits of a corpus publication's flags."""


def corpus_payload(desk: Desk, *, payload_id: str, scape: str) -> bytes:
    """Pack position and flags of every publication of a topic; the retrieved ones are sent with each answer."""
    n = len(desk.corpus.ids)
    core, accepted = (mask_of(bits, n) for bits in (desk.stakes.core, desk.stakes.accepted))
    header = {"kind": "corpus", "id": payload_id, "scape": scape, "n": n, **browser_colours()}
    arrays: dict[str, npt.NDArray[Any]] = {
        "x": desk.points[:, 0].astype(np.float32),
        "y": desk.points[:, 1].astype(np.float32),
        "flags": (core * CORE + accepted * ACCEPTED).astype(np.uint8),
    }
    return pack(header, arrays)


def curve_payload(curve: SimilaritySweep, *, payload_id: str, scape: str) -> bytes:
    """Pack the scores that depend on decay and beta, at every threshold."""
    header = {"kind": "curve", "id": payload_id, "scape": scape}
    return pack(header, {"decay": curve.decay.astype(np.float32), "f_beta": curve.f_beta.astype(np.float32)})


def regions_payload(
    landscape: Landscape,
    evaluation: Evaluation,
    outlines: Mapping[RegionKind, Points],
    *,
    payload_id: str,
    scape: str,
) -> bytes:
    """Pack the members of each region but cosine, whose threshold the browser applies itself."""
    masks = {
        kind: landscape.in_order(scores.relevant_mask)
        for kind, scores in evaluation.regions.items()
        if scores.relevant_mask is not None
    }
    return masks_payload(evaluation, masks, outlines, payload_id=payload_id, scape=scape)


def masks_payload(
    evaluation: Evaluation,
    masks: Mapping[RegionKind, Mask],
    outlines: Mapping[RegionKind, Points],
    *,
    payload_id: str,
    scape: str,
) -> bytes:
    """Pack masks that are in the order of the rows already. A missing mask has its reason in the status."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    undefined: dict[str, str] = {}
    for kind, scores in evaluation.regions.items():
        if kind == "cosine":
            continue
        if kind in masks:
            arrays[f"mask_{kind}"] = np.packbits(masks[kind])
        else:
            undefined[kind] = scores.status
    for kind, outline in outlines.items():
        arrays[f"outline_{kind}"] = outline.astype(np.float32).ravel()
    return pack({"kind": "regions", "id": payload_id, "scape": scape, "undefined": undefined}, arrays)


def threshold_marks(landscape: Landscape, curve: SimilaritySweep) -> list[Document]:
    """Return notable thresholds: that of the least similar core publication, and the one with the highest F-beta."""
    marks: list[Document] = []
    if landscape.core_mask.any():
        marks.append(
            {"at": float(landscape.similarities[landscape.core_mask].min()), "label": "Least similar core publication"}
        )
    best = curve.best
    if best < landscape.n_retrieved and curve.f_beta[best] > 0:
        marks.append({"at": float(curve.min_similarity[best]), "label": f"Best F-beta, {curve.f_beta[best]:.3f}"})
    return marks


# One landscape for several versions: the versions that retrieve each publication, for the browser and as counts.

MOST_VERSIONS = 3
"""Maximum number of versions that a landscape distinguishes by colour."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """Publications of a topic, those with a place on the landscape first."""

    ids: Ids
    points: Points
    """Of the first rows; the others have no place."""
    members: npt.NDArray[np.uint8]
    """Bit k: version k retrieves it."""
    core_mask: Mask
    labels: tuple[str, ...]

    @property
    def n_placed(self) -> int:
        return len(self.points)


Counted = Literal["all", "core", "unplaced"]


@dataclass(frozen=True, slots=True)
class GroupCount:
    name: str
    n: int
    n_core: int
    n_unplaced: int
    """Number of publications without a place on the landscape."""


def overlay_of(
    placed_ids: Sequence[str], points: Points, core_ids: Sequence[str], versions: Sequence[tuple[str, Sequence[str]]]
) -> Overlay:
    """Combine all publications that have a place, are core or are retrieved by a version (label and ids each)."""
    ids = tuple(dict.fromkeys([*placed_ids, *core_ids, *(i for _, retrieved in versions for i in retrieved)]))
    row_of = {publication_id: row for row, publication_id in enumerate(ids)}
    members = np.zeros(len(ids), dtype=np.uint8)
    for bit, (_, retrieved) in enumerate(versions[:MOST_VERSIONS]):
        members[[row_of[i] for i in dict.fromkeys(retrieved)]] |= np.uint8(1 << bit)
    core_mask = np.zeros(len(ids), dtype=np.bool_)
    core_mask[[row_of[i] for i in core_ids]] = True
    return Overlay(ids, points, members, core_mask, tuple(label for label, _ in versions[:MOST_VERSIONS]))


def group_of(members: npt.NDArray[np.uint8], n_versions: int) -> npt.NDArray[np.uint8]:
    """Return the group: 0 for no version, k for version k alone, the number of versions plus 1 for several of them.

    >>> group_of(np.array([0, 1, 2, 3], dtype=np.uint8), 2).tolist()
    [0, 1, 2, 3]
    >>> group_of(np.array([4, 5, 7], dtype=np.uint8), 3).tolist()
    [3, 4, 4]
    """
    alone = np.full(1 << n_versions, n_versions + 1, dtype=np.uint8)
    alone[0] = 0
    for bit in range(n_versions):
        alone[1 << bit] = bit + 1
    return alone[members]


def group_names(labels: Sequence[str]) -> list[str]:
    """Return the names of the groups, in the order of `group_of`."""
    several = "Both" if len(labels) == 2 else "Several"
    none = "Neither" if len(labels) == 2 else "None"
    return [none, *(f"Only {label}" for label in labels), several]


def counted_in(overlay: Overlay, group: int, counted: Counted) -> Ids:
    """Return the publications behind a count of `group_counts`."""
    mask = group_of(overlay.members, len(overlay.labels)) == group
    if counted == "core":
        mask = mask & overlay.core_mask
    elif counted == "unplaced":
        mask = mask & (np.arange(len(mask)) >= overlay.n_placed)
    return tuple(overlay.ids[row] for row in np.flatnonzero(mask))


def group_counts(overlay: Overlay) -> list[GroupCount]:
    groups = group_of(overlay.members, len(overlay.labels))
    unplaced = np.arange(len(groups)) >= overlay.n_placed
    return [
        GroupCount(
            name,
            int(np.count_nonzero(groups == code)),
            int(np.count_nonzero((groups == code) & overlay.core_mask)),
            int(np.count_nonzero((groups == code) & unplaced)),
        )
        for code, name in enumerate(group_names(overlay.labels))
    ]


def overlay_payload(
    overlay: Overlay, headlines: Headlines, *, payload_id: str, scape: str, topic: str, embedder: str, made_up: bool
) -> bytes:
    points = overlay.points
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
    header: dict[str, Any] = {
        "kind": "overlay",
        "id": payload_id,
        "scape": scape,
        "n": len(overlay.ids),
        "n_placed": overlay.n_placed,
        "labels": list(overlay.labels),
        "groups": group_names(overlay.labels),
        "topic": topic,
        "embedder": embedder,
        "made_up": made_up,
        "bounds": [*low.tolist(), *high.tolist()],
        **browser_colours(),
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "x": points[:, 0].astype(np.float32),
        "y": points[:, 1].astype(np.float32),
        "members": overlay.members,
        "core": overlay.core_mask.astype(np.uint8),
        "year": headlines.years,
        "titles": lines(list(headlines.titles)),
        "ids": lines(list(overlay.ids)),
    }
    return pack(header, arrays)


# The landscape of several versions, loaded from the workspace.


@dataclass(frozen=True, eq=False)
class VersionsOverlay:
    overlay: Overlay
    payload: bytes
    payload_id: str


def overlay_state(workspace: Workspace, topic_id: str, labels: tuple[str, ...], embedder: str) -> str:
    """Return a key that changes with anything that the landscape of these versions shows."""
    return content_hash([workspace.view_state(topic_id, label, embedder) for label in labels])


def make_overlay(
    workspace: Workspace, topic_id: str, labels: tuple[str, ...], embedder: str, *, payload_id: str, scape: str
) -> VersionsOverlay:
    """Load places, members and titles. The landscape is always the topic's."""
    store = workspace.store
    embedding = workspace.embedding(topic_id, embedder)
    projection_id = workspace.landscapes.current_id(topic_id, embedding)
    placed: tuple[str, ...] = ()
    points = np.zeros((0, 2))
    if projection_id is not None:
        projection = workspace.landscapes.load(projection_id)
        known = set(store.topic_publication_ids(topic_id))
        here = np.array([i in known for i in projection.ids], dtype=np.bool_)
        placed = tuple(i for i in projection.ids if i in known)
        points = projection.points[here]
    versions = [
        (label, store.load_retrieved_ids(workspace.version(topic_id, label).version.query_id)) for label in labels
    ]
    overlay = overlay_of(placed, points, store.load_core(topic_id).ids, versions)
    payload = overlay_payload(
        overlay,
        store.headlines(overlay.ids),
        payload_id=payload_id,
        scape=scape,
        topic=topic_id,
        embedder=embedding.embedder,
        made_up=any(row.topic_id == topic_id and row.made_up for row in store.topics()),
    )
    return VersionsOverlay(overlay, payload, payload_id)
