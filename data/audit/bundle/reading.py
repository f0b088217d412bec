"""A bundle is read: checked file by file, bounded, and never unpacked to disk."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from data.audit.bundle.layout import Bundle


def read_bundle(file: Path | BinaryIO, *, name: str = "") -> Bundle:
    """Read the zip. `name`: what to call it in messages where it is no path."""
    raise NotImplementedError
