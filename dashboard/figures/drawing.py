"""A composed landscape without a browser: SVG and PNG for reports, drawn by numpy and the standard library alone.

The SVG has title, legend and a description. The PNG has no letters in the picture, as there is no font to draw them
with: its title and description are in its metadata, and whoever places it writes the caption.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from core.errors import MisalignedError
from core.types import Floats, Points
from dashboard.figures.layers import EDGE_WIDTH, Layer, Outline, Picture
from dashboard.figures.ramps import channels
from dashboard.figures.theme import COLOURS, DASHES, FONT, Theme

Canvas = npt.NDArray[np.float64]
"""Red, green and blue in [0, 1], shape (height, width, 3)."""

PADDING = 16
HEADER = 84
LEGEND_ROW = 20
N_PHASES = 4
"""Discs are placed on quarters of a pixel."""


def landscape_svg(
    picture: Picture, *, theme: Theme, titles: Sequence[str] | None = None, width: int = 960, height: int = 720
) -> str:
    """The landscape as a document of its own, with words. `titles`, one per row, are shown over core publications."""
    if titles is not None and len(titles) != len(picture.points):
        raise MisalignedError(f"{len(picture.points)} publications but {len(titles)} titles")
    return "\n".join(_svg_lines(picture, theme, titles, width, height)) + "\n"


def landscape_png(picture: Picture, *, theme: Theme, width: int = 960, height: int = 720, scale: int = 2) -> bytes:
    """The landscape as pixels, `scale` of them for each of the width and height, without words in the picture."""
    canvas = _painted(picture, theme, width * scale, height * scale, scale)
    return _png(canvas, title=" ".join(picture.title), description=picture.description)


def _fitted(picture: Picture, width: float, height: float, padding: float) -> tuple[float, Floats]:
    """Pixels per unit, the same both ways, and where the origin comes to lie, so that all is seen and centred."""
    shown = np.vstack([picture.points, *(outline.corners for outline in picture.outlines)])
    low, high = shown.min(axis=0), shown.max(axis=0)
    room = np.array([width - 2 * padding, height - 2 * padding])
    spread = np.maximum(high - low, 1e-9)
    per_unit = float((room / spread).min())
    middle = (low + high) / 2 * np.array([1, -1])
    return per_unit, np.array([width, height]) / 2 - middle * per_unit


def _placed(points: Points, per_unit: float, origin: Floats) -> Floats:
    """Pixels of points; up is up."""
    places: Floats = points * np.array([per_unit, -per_unit]) + origin
    return places


def _svg_lines(picture: Picture, theme: Theme, titles: Sequence[str] | None, width: int, height: int) -> Iterator[str]:
    colours = COLOURS[theme]
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-labelledby="title desc" font-family={quoteattr(FONT)} font-size="13">'
    )
    yield f'<title id="title">{_text(" ".join(picture.title))}</title>'
    yield f'<desc id="desc">{_text(picture.description)}</desc>'
    yield f'<rect width="{width}" height="{height}" fill="{colours["background"]}"/>'
    for line, y in zip(picture.title, (28, 48), strict=True):
        yield f'<text x="{PADDING}" y="{y}" font-size="16" fill="{colours["text"]}">{_text(line)}</text>'
    yield f'<text x="{PADDING}" y="70" fill="{colours["faint"]}">{_text(picture.subtitle)}</text>'
    if picture.empty:
        middle = f'x="{width / 2:g}" y="{height / 2:g}" text-anchor="middle"'
        yield f'<text {middle} fill="{colours["faint"]}">{_text(picture.empty)}</text>'
    else:
        legend = list(_svg_legend(picture, theme, width))
        footer = LEGEND_ROW * (max(row for row, _ in legend) + 1) + PADDING
        per_unit, origin = _fitted(picture, width, height - HEADER - footer, PADDING)
        origin = origin + np.array([0, HEADER])
        for part in picture.parts:
            if isinstance(part, Layer):
                yield from _svg_layer(part, _placed(picture.points, per_unit, origin), theme, titles)
            else:
                yield from _svg_outline(part, _placed(part.corners, per_unit, origin), theme)
        yield f'<g class="legend" transform="translate({PADDING} {height - footer + LEGEND_ROW / 2:g})">'
        yield from (item for _, item in legend)
        yield "</g>"
    yield "</svg>"


def _text(text: str) -> str:
    """Escaped, and without the control characters that XML forbids even escaped."""
    return escape("".join(letter if letter.isprintable() else " " for letter in text))


def _svg_style(layer: Layer, theme: Theme) -> str:
    colours = COLOURS[theme]
    fill = colours[layer.fill] if layer.fill else "none"
    edge = f' stroke="{colours[layer.edge]}" stroke-width="{EDGE_WIDTH}"' if layer.edge else ""
    return f'fill="{fill}"{edge}' + (f' fill-opacity="{layer.opacity}"' if layer.opacity < 1 else "")


def _svg_layer(layer: Layer, places: Floats, theme: Theme, titles: Sequence[str] | None) -> Iterator[str]:
    yield f'<g class="{layer.role}" {_svg_style(layer, theme)}>'
    radius = layer.diameter / 2
    for row in layer.rows.tolist():
        circle = f'<circle cx="{places[row, 0]:.1f}" cy="{places[row, 1]:.1f}" r="{radius:g}"'
        yield f"{circle}><title>{_text(titles[row])}</title></circle>" if titles and layer.is_core else f"{circle}/>"
    yield "</g>"


def _svg_outline(outline: Outline, corners: Floats, theme: Theme) -> Iterator[str]:
    colours, width = COLOURS[theme], 2.5 if outline.is_current else 1.5
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners.tolist())
    yield f'<g class="{outline.role}" fill="none">'
    for colour, wide, more in (
        (colours["background"], width + 2, 'stroke-opacity="0.7"'),
        (colours[outline.role], width, _svg_dash(outline)),
    ):
        yield f'<polyline points="{path}" stroke="{colour}" stroke-width="{wide}" {more}/>'
    yield "</g>"


def _svg_dash(outline: Outline) -> str:
    return f'stroke-dasharray="{" ".join(map(str, DASHES[outline.role].canvas)) or "none"}"'


def _svg_legend(picture: Picture, theme: Theme, width: int) -> Iterator[tuple[int, str]]:
    """Each entry with its row; a new row where the next would not fit."""
    colours, x, row = COLOURS[theme], 0.0, 0
    parts: tuple[Layer | Outline, ...] = (*picture.layers, *picture.outlines)
    for part in parts:
        needs = 34 + 7 * len(part.label)
        if x and x + needs > width - 2 * PADDING:
            x, row = 0.0, row + 1
        y = row * LEGEND_ROW
        if isinstance(part, Layer):
            sign = f'<circle cx="{x + 8:g}" cy="{y}" r="{part.diameter / 2:g}" {_svg_style(part, theme)}/>'
        else:
            sign = f'<path d="M{x:g} {y}h18" stroke="{colours[part.role]}" stroke-width="2" {_svg_dash(part)}/>'
        words = f'<text x="{x + 22:g}" y="{y + 4}" fill="{colours["text"]}">{_text(part.label)}</text>'
        yield row, sign + words
        x += needs


def _painted(picture: Picture, theme: Theme, width: int, height: int, scale: int) -> Canvas:
    colours = COLOURS[theme]
    canvas = np.empty((height, width, 3))
    canvas[:] = channels(colours["background"])
    if picture.empty:
        return canvas
    per_unit, origin = _fitted(picture, width, height, PADDING * scale)
    for part in picture.parts:
        if isinstance(part, Layer):
            _paint_points(canvas, part, _placed(picture.points[part.rows], per_unit, origin), theme, scale)
        else:
            _paint_outline(canvas, part, _placed(part.corners, per_unit, origin), theme, scale)
    return canvas


def _paint_points(canvas: Canvas, layer: Layer, places: Floats, theme: Theme, scale: int) -> None:
    colours, radius, edge = COLOURS[theme], layer.diameter / 2 * scale, EDGE_WIDTH * scale
    outer = radius + edge / 2
    if layer.edge:
        _splat(canvas, places, channels(colours[layer.edge]), outer, hole=0.0 if layer.fill else outer - edge)
    if layer.fill:
        inner = outer - edge if layer.edge else radius
        _splat(canvas, places, channels(colours[layer.fill]), inner, opacity=layer.opacity)


def _paint_outline(canvas: Canvas, outline: Outline, line: Floats, theme: Theme, scale: int) -> None:
    colours, half = COLOURS[theme], (1.25 if outline.is_current else 0.75) * scale
    dashes = [length * scale for length in DASHES[outline.role].canvas]
    _splat(canvas, _walked(line, ()), channels(colours["background"]), half + scale, opacity=0.7, once=True)
    _splat(canvas, _walked(line, dashes), channels(colours[outline.role]), half, once=True)


def _walked(line: Floats, dashes: Sequence[float]) -> Floats:
    """Points on a line every half pixel, without those in the gaps of its dashes."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.arange(0, lengths[-1], 0.5)
    if dashes:
        stroke, gap = dashes
        at = at[at % (stroke + gap) < stroke]
    return np.column_stack([np.interp(at, lengths, axis) for axis in line.T])


def _splat(
    canvas: Canvas,
    places: Floats,
    colour: Floats,
    radius: float,
    *,
    hole: float = 0.0,
    opacity: float = 1.0,
    once: bool = False,
) -> None:
    """Lay discs, or rings with a hole, of one colour over the canvas. `once`: where they overlap they do not add up."""
    height, width, _ = canvas.shape
    let_through = np.ones(height * width)
    corner = np.floor(places).astype(np.intp)
    phases = np.floor((places - corner) * N_PHASES).astype(np.intp)
    reach = int(np.ceil(radius)) + 1
    offsets = np.arange(-reach, reach + 1)
    for phase in np.unique(phases, axis=0):
        centre = (phase + 0.5) / N_PHASES
        distance = np.hypot(*np.meshgrid(offsets + 0.5 - centre[0], offsets + 0.5 - centre[1]))
        covered = np.clip(radius - distance + 0.5, 0, 1) - (np.clip(hole - distance + 0.5, 0, 1) if hole else 0)
        here = corner[(phases == phase).all(axis=1)]
        for dy, dx in np.argwhere(covered > 0):
            x, y = here[:, 0] + offsets[dx], here[:, 1] + offsets[dy]
            pixels = (y * width + x)[(x >= 0) & (x < width) & (y >= 0) & (y < height)]
            left = 1 - opacity * covered[dy, dx]
            (np.minimum if once else np.multiply).at(let_through, pixels, left)
    touched = np.flatnonzero(let_through < 1)
    pixels = canvas.reshape(-1, 3)
    pixels[touched] += (1 - let_through[touched, None]) * (colour - pixels[touched])


def _png(canvas: Canvas, *, title: str, description: str) -> bytes:
    height, width, _ = canvas.shape
    rows = np.zeros((height, 1 + width * 3), dtype=np.uint8)  # each row starts with 0: no filter
    rows[:, 1:] = np.round(canvas * 255).astype(np.uint8).reshape(height, -1)
    words = [f"{key}\0\0\0\0\0{value}".encode() for key, value in (("Title", title), ("Description", description))]
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),  # 8 bits of red, green and blue
            *(_chunk(b"iTXt", text) for text in words),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
