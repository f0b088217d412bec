"""A report as one HTML file that opens without Queryscape and asks nobody for anything."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from core.audit.document import Document
from dashboard.reports.landscape import LiveLandscape


def html(document: Document, *, live: Sequence[LiveLandscape] = ()) -> bytes:
    """The whole file, UTF-8. Each landscape in `live` takes the place of the figure of its name."""
    return f"<!doctype html><title>{escape(document.title)}</title>".encode()
