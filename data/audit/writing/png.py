"""A picture as PNG, drawn with Pillow and its own font: the same picture on every machine."""

from __future__ import annotations

from core.audit.pictures.shapes import Picture


def png(picture: Picture, *, scale: float = 2.0) -> bytes:
    """The picture as pixels; scale: pixels for each unit of the picture."""
    raise NotImplementedError
