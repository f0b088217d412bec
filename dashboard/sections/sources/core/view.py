"""The view "Core publications"."""

from __future__ import annotations


def draw_core() -> None:
    """A table of the core publications, each with where it stands."""
