"""Encode slow results as documents and arrays, under complete keys, for the store to cache."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.documents import decoded
from core.explore.compare import Comparison, Difference, VersionPair
from core.explore.evaluate import Evaluation, RegionScores
from core.explore.regions.cluster import ClusterProjectionRegion, ClusterRegion
from core.explore.scene import Fit, FittedRegion, UndefinedRegion
from core.explore.uncertainty import Sensitivity
from core.settings import EvaluationSettings
from core.types import Ids, Mask, RegionKind
from data.store import content_hash

VERSION = 1
"""Increase it whenever a cached number would come out differently."""
FIELDS = [*Evaluation.__dataclass_fields__, *RegionScores.__dataclass_fields__, *Sensitivity.__dataclass_fields__]
FIELDS += [*Difference.__dataclass_fields__, *VersionPair.__dataclass_fields__, *Comparison.__dataclass_fields__]
"""Part of every key: results cached with other fields are not used."""

Arrays = dict[str, npt.NDArray[Any]]


def key_for(kind: str, *depends_on: object) -> str:
    """Return a key of everything that a result depends on."""
    return f"{kind}-{content_hash([str(VERSION), *FIELDS, *map(str, depends_on)])}"


def settings_key(settings: EvaluationSettings) -> str:
    return json.dumps(asdict(settings), sort_keys=True)


def packed(arrays: Arrays) -> bytes:
    """Pack arrays as one compressed .npz."""
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def unpacked(content: bytes) -> Arrays:
    """Unpack the arrays of an .npz; nothing is unpickled."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def sound_arrays(path: Path, *names: str) -> tuple[npt.NDArray[Any], ...] | None:
    """Return these arrays of an .npz; None if it is damaged."""
    try:
        content = path.read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # numpy may stop reading before the end of a member, where the checksum would be compared.
            if archive.testzip() is not None:
                return None
        arrays = unpacked(content)
        return tuple(arrays[name] for name in names)
    # Zip and npy readers fail on damaged files in many ways.
    except Exception:
        return None


def are_sound_vectors(vectors: npt.NDArray[Any], scorable_mask: npt.NDArray[Any]) -> bool:
    fits = vectors.ndim == 2 and vectors.dtype == np.float32 and scorable_mask.dtype == np.bool_
    return fits and scorable_mask.shape == (len(vectors),) and bool(np.isfinite(vectors).all())


def ids_bytes(ids: Ids) -> bytes:
    return zlib.compress(json.dumps(ids).encode(), 1)


def ids_in(content: bytes) -> Ids:
    return tuple(json.loads(zlib.decompress(content)))


def _mask(array: npt.NDArray[np.uint8], n: int) -> Mask:
    return np.unpackbits(array, count=n).astype(np.bool_)


def encode_evaluation(evaluation: Evaluation) -> tuple[str, bytes]:
    """Encode an evaluation as a JSON document and packed arrays."""
    document: dict[str, Any] = {
        name: getattr(evaluation, name)
        for name in Evaluation.__dataclass_fields__
        if name not in ("settings", "regions", "sensitivity", "scorable_ids")
    }
    document["settings"] = asdict(evaluation.settings)
    document["sensitivity"] = {kind: asdict(s) for kind, s in evaluation.sensitivity.items()}
    regions: dict[str, dict[str, Any]] = {}
    arrays: Arrays = {"scorable_ids": np.frombuffer(ids_bytes(evaluation.scorable_ids), dtype=np.uint8)}
    for kind, scores in evaluation.regions.items():
        regions[kind] = {n: getattr(scores, n) for n in RegionScores.__dataclass_fields__ if n != "relevant_mask"}
        regions[kind]["defines"] = dict(scores.defines)
        if scores.relevant_mask is not None:
            arrays[kind] = np.packbits(scores.relevant_mask)
    document["regions"] = regions
    return json.dumps(document), packed(arrays)


def encode_sensitivity(found: Mapping[RegionKind, Sensitivity]) -> str:
    return json.dumps({kind: asdict(of_kind) for kind, of_kind in found.items()})


def decode_sensitivity(document: str) -> dict[RegionKind, Sensitivity]:
    return decoded(json.loads(document), dict[RegionKind, Sensitivity])


def decode_evaluation(document: str, content: bytes) -> Evaluation:
    fields, arrays = json.loads(document), unpacked(content)
    scorable_ids = ids_in(arrays["scorable_ids"].tobytes())
    evaluation = decoded(fields | {"scorable_ids": list(scorable_ids)}, Evaluation)
    regions = {
        kind: replace(scores, relevant_mask=_mask(arrays[kind], len(scorable_ids))) if kind in arrays else scores
        for kind, scores in evaluation.regions.items()
    }
    return replace(evaluation, regions=regions)


def encode_comparison(comparison: Comparison) -> str:
    """Encode the differences between versions; the versions' own scores are cached separately."""
    return json.dumps(
        {
            "pairs": [asdict(p) for p in comparison.pairs],
            "differences": [asdict(d) for d in comparison.differences],
            "has_ranges": comparison.has_ranges,
        }
    )


def decode_comparison(document: str, versions: tuple[Evaluation, ...]) -> Comparison:
    fields = json.loads(document)
    pairs = decoded(fields["pairs"], tuple[VersionPair, ...])
    return Comparison(versions, pairs, decoded(fields["differences"], tuple[Difference, ...]), fields["has_ranges"])


def encode_cluster(fit: Fit) -> tuple[str, bytes | None]:
    if isinstance(fit, UndefinedRegion):
        return json.dumps({"reason": fit.reason}), None
    region = fit.region
    if not isinstance(region, ClusterRegion):
        raise TypeError(f"not a cluster: {type(region).__name__}")
    document = {
        "kind": region.kind,
        "chosen": region.chosen,
        "min_core_share": region.min_core_share,
        "n": len(fit.relevant_mask),
        "warnings": fit.warnings,
        "n_core_reported": fit.n_core_reported,
    }
    return json.dumps(document), packed({"mask": np.packbits(fit.relevant_mask), "centers": region.centers})


def decode_cluster(document: str, content: bytes | None) -> Fit:
    fields = json.loads(document)
    if content is None:
        return UndefinedRegion(fields["reason"])
    arrays = unpacked(content)
    form = ClusterProjectionRegion if fields["kind"] == "cluster_projection" else ClusterRegion
    region = form(arrays["centers"], fields["chosen"], fields["min_core_share"])
    mask = _mask(arrays["mask"], fields["n"])
    return FittedRegion(region, mask, tuple(fields["warnings"]), fields["n_core_reported"])
