"""The view "Search"."""

from __future__ import annotations


def keep_search() -> None:
    """What the form says stays while another view is looked at."""


def draw_search() -> None:
    """A form from top to bottom."""
