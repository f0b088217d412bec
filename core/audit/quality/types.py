"""Everything that the quality report of some versions is built from, without any way back to a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.comparing.compare import Comparison
from core.evaluate import Evaluation
from core.honesty import Honesty
from core.naming import Groups
from core.query.tree import Severity
from core.types import Ids, Mask, Points, RegionKind

Similarities = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Rows:
    """What was retrieved and can be scored, by rising similarity; then the core that was missed: as a `Landscape`."""

    ids: Ids
    n_retrieved: int
    """The first so many rows were retrieved; the others are missed core publications with a vector."""
    similarities: Similarities
    """Cosine to the core centroid."""
    nearest: Similarities | None
    """Mean cosine to the three nearest core publications; None: too few core publications for that."""
    points: Points | None
    """Where each row lies; None without a landscape."""
    core_mask: Mask
    titles: Ids
    years: npt.NDArray[np.int16]
    """0: not known."""
    dois: Ids
    """Empty: none."""
    masks: Mapping[RegionKind, Mask]
    """For each region that is defined, which of the retrieved rows it accepts."""
    outlines: Mapping[RegionKind, Points]
    """Boundaries of the regions that live on the landscape."""
    groups: Groups


@dataclass(frozen=True, slots=True)
class CoreFacts:
    """A core publication before one version."""

    publication_id: str
    title: str
    year: int | None
    doi: str | None
    is_found: bool
    similarity: float | None
    """None: it has no vector."""
    verdict: str
    """As `query explain` gives it; empty: not explained, as the version has no text that is read here."""
    reason: str
    """One sentence; empty as above."""
    rescue: str
    """The cheapest change of the string that would find it, with what it costs; empty: none is known."""


@dataclass(frozen=True, slots=True)
class TermFacts:
    """A part of the string against everything else in it."""

    text: str
    kind: str
    """term, AND, OR, NOT or near."""
    depth: int
    n_alone: int
    n_in_context: int
    n_unique: int
    n_core: int
    n_core_unique: int
    semantic_precision_unique: float | None
    f_beta_change_if_removed: float | None
    flags: Ids


@dataclass(frozen=True, slots=True)
class FindingFacts:
    """Something that the checks of the string noticed."""

    rule: str
    severity: Severity
    place: str
    """The words of the string that it is about."""
    message: str


@dataclass(frozen=True, eq=False)
class VersionFacts:
    """One version: its text, its scores, its rows, its core publications and its terms."""

    label: str
    number: int
    name: str | None
    note: str | None
    made_at: str | None
    text: str
    dialect: str | None
    semantics: str | None
    origin: str
    retrieved_hash: str
    n_searched: int | None
    """How many publications it was run over; None: not known, or not run here."""
    evaluation: Evaluation
    rows: Rows
    core: tuple[CoreFacts, ...]
    terms: tuple[TermFacts, ...]
    """Empty: the version has no text that is read here."""
    findings: tuple[FindingFacts, ...]
    unscored_ids: Ids
    """Retrieved, without a vector."""


@dataclass(frozen=True, slots=True)
class EmbedderFacts:
    """Where similarities come from."""

    embedder: str
    fingerprint: str
    """Names the model and its vectors."""
    n_dimensions: int
    fitted_here: bool
    """The model was fitted to this topic's texts, so its vectors exist nowhere else."""


@dataclass(frozen=True, slots=True)
class LandscapeFacts:
    """How the landscape was made."""

    projection_id: str
    settings: Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True, eq=False)
class QualityFacts:
    """The versions of one topic under one settings and one embedder."""

    topic_id: str
    made_up: bool
    core_hash: str
    corpus_hash: str | None
    n_corpus: int
    """Publications that the topic's queries are run over."""
    embedder: EmbedderFacts
    landscape: LandscapeFacts | None
    honesty: Honesty | None
    changed_decisions: Mapping[RegionKind, int]
    """For each region of the landscape, publications of the last version that its twin in the embedding space decides
    differently about."""
    versions: tuple[VersionFacts, ...]
    comparison: Comparison | None
    """None for a single version."""
    notes: Ids
    """What to know before comparing, such as versions that were run over different publications."""
    region: RegionKind = "cosine"
    """The region whose scores stand in front."""
