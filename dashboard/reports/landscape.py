"""The live landscape of a report: what the browser needs so that the similarity threshold can be dragged offline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.audit.quality.types import QualityFacts, VersionFacts


@dataclass(frozen=True, slots=True)
class LiveLandscape:
    """One landscape that is drawn by the browser where the picture of the same name stands."""

    figure: str
    """The name of the figure that it takes the place of: "landscape-1" for version number 1."""
    payloads: tuple[bytes, ...]
    """Points, curve and regions, as the landscape of the app takes them."""
    document: dict[str, Any]
    """What the part is told: which region and threshold stand at first, and the scores of the other regions."""


def live_landscape(version: VersionFacts, facts: QualityFacts) -> LiveLandscape:
    """The landscape of one version. It is never asked for anything: every number that it shows goes with it."""
    return LiveLandscape(f"landscape-{version.number}", (), {})
