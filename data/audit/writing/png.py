"""A picture as PNG, drawn with Pillow and its own font: nothing of the machine's fonts is used.

Everything is drawn several times as large and then made small, as Pillow draws no soft edges.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from core.audit.pictures.svg import Box, Dots, Path, Picture, Place, Words
from core.errors import InputError
from data.audit.writing.plain_signs import plain_signs

MOST_PIXELS = 50_000_000
"""Of what is drawn before it is made small."""
FINEST = 4
"""How many times as large it is drawn where there is room for it."""
DOTS_PER_INCH = 96
"""A unit of a picture is a pixel of CSS."""
_BOLD = 0.02
"""Of the size of words: the line that makes them heavier, as the font has no bold."""


def png(picture: Picture, *, scale: float = 2.0) -> bytes:
    """The picture as pixels; scale: pixels for each unit of the picture."""
    width, height = round(picture.width * scale), round(picture.height * scale)
    if not (width > 0 and height > 0 and width * height <= MOST_PIXELS):
        raise InputError(f"a picture of {width} × {height} pixels can't be drawn: choose another size")
    finer = FINEST
    while finer > 1 and width * height * finer**2 > MOST_PIXELS:
        finer -= 1
    drawn = Image.new("RGB", (width * finer, height * finer), picture.ground)
    pen = _Pen(drawn, scale * finer)
    for shape in picture.shapes:
        pen.draw(shape)
    file = io.BytesIO()
    resolution = DOTS_PER_INCH * scale
    drawn.reduce(finer).save(file, "PNG", optimize=True, dpi=(resolution, resolution))
    return file.getvalue()


class _Pen:
    """Draws shapes onto an image that has `zoom` pixels for each unit."""

    def __init__(self, image: Image.Image, zoom: float) -> None:
        self.zoom = zoom
        # in this mode a colour with an opacity is laid over what is there
        self.on = ImageDraw.Draw(image, "RGBA")

    def draw(self, shape: Dots | Path | Box | Words) -> None:
        """One shape over those before it."""
        match shape:
            case Dots():
                self._dots(shape)
            case Path():
                self._path(shape)
            case Box():
                self._box(shape)
            case Words():
                self._words(shape)

    def _dots(self, dots: Dots) -> None:
        radius = dots.radius * self.zoom
        fill = _paint(dots.fill, dots.opacity)
        line = _paint(dots.line, dots.opacity) if dots.line else None
        for x, y in self._scaled(dots.places):
            box = (x - radius, y - radius, x + radius, y + radius)
            self.on.ellipse(box, fill=fill)
            if line:
                half = self.zoom / 2  # the rim lies half outside, as in SVG
                rim = (box[0] - half, box[1] - half, box[2] + half, box[3] + half)
                self.on.ellipse(rim, outline=line, width=max(1, round(self.zoom)))

    def _path(self, path: Path) -> None:
        places = self._scaled(path.places)
        if path.fill and len(places) > 2:
            self.on.polygon(places, fill=_paint(path.fill, path.opacity))
        if not path.line or len(places) < 2:
            return
        width = max(1, round(path.width * self.zoom))
        paint = _paint(path.line, path.opacity)
        if path.is_closed:
            places = [*places, places[0]] if path.dash else [*places, *places[:2]]
        if path.dash:
            for begin, end in _dashes(places, path.dash * self.zoom):
                self.on.line((begin, end), fill=paint, width=width)
        else:
            self.on.line(places, fill=paint, width=width, joint="curve")

    def _box(self, box: Box) -> None:
        (left, top), (right, bottom) = self._scaled(((box.x, box.y), (box.x + box.width, box.y + box.height)))
        if right <= left or bottom <= top:
            return
        if box.fill:
            self.on.rounded_rectangle((left, top, right, bottom), box.round * self.zoom, fill=_paint(box.fill, 1))
        if box.line:
            width = max(1, round(box.line_width * self.zoom))
            half = width / 2
            around = (left - half, top - half, right + half, bottom + half)
            self.on.rounded_rectangle(around, box.round * self.zoom + half, outline=_paint(box.line, 1), width=width)

    def _words(self, words: Words) -> None:
        size = words.size * self.zoom
        text = plain_signs(words.text, _has)
        if not text or size < 1:
            return
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[words.anchor]
        (place,) = self._scaled(((words.x, words.y),))
        heavier = size * _BOLD if words.is_bold else 0
        self.on.text(place, text, fill=words.colour, font=_font(size), anchor=anchor, stroke_width=heavier)

    def _scaled(self, places: Sequence[Place]) -> list[Place]:
        return [(x * self.zoom, y * self.zoom) for x, y in places]


def _paint(colour: str, opacity: float) -> tuple[int, int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue, round(255 * min(max(opacity, 0), 1))


def _dashes(places: Sequence[Place], length: float) -> list[tuple[Place, Place]]:
    """The pieces of a line that are drawn, each followed by a gap as long as a dash."""
    found: list[tuple[Place, Place]] = []
    at = 0.0  # how far along the pattern of a dash and a gap
    for (x, y), (to_x, to_y) in pairwise(places):
        whole = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        done = 0.0
        while done < whole:
            in_dash = at < length
            step = min(whole - done, (length if in_dash else 2 * length) - at)
            if in_dash:
                begin, end = done / whole, (done + step) / whole
                found.append(
                    ((x + (to_x - x) * begin, y + (to_y - y) * begin), (x + (to_x - x) * end, y + (to_y - y) * end))
                )
            done += max(step, length / 1000)
            at = (at + step) % (2 * length)
    return found


@cache
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise InputError("Pillow was built without its own font: install it from its usual package")
    return font


@cache
def _has(sign: str) -> bool:
    """Whether the font draws this sign itself and not the box of a missing one."""
    font = _font(20)
    box = font.getmask("\uffff")
    drawn = font.getmask(sign)
    return sign == " " or (drawn.size, bytes(drawn)) != (box.size, bytes(box))
