"""A picture as SVG: the same text on every machine."""

from __future__ import annotations

import re

from core.audit.pictures.shapes import Box, Dots, Path, Picture, Place, Shape, Words
from core.audit.signs import for_xml
from core.errors import InputError

FONT = "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": " ", "\n": " "}
_ESCAPED = str.maketrans(_SIGNS)


def svg(picture: Picture, *, alternative: str = "") -> str:
    """The picture as one `<svg>` element, which scales with the room that it gets.

    alternative: what it shows in words, for those who can't see it. Without it the picture is decoration.
    """
    size = f'width="{_n(picture.width)}" height="{_n(picture.height)}"'
    said = _text(alternative)
    role = f'role="img" aria-label="{said}"' if said.strip() else 'aria-hidden="true"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(picture.width)} {_n(picture.height)}" {size} {role} '
        f'font-family="{_text(FONT)}">'
    )
    lines = [head]
    # not as <title>: a browser would show that wherever the mouse rests
    lines += [f"<desc>{said}</desc>"] if said.strip() else []
    lines.append(f'<rect {size} fill="{_colour(picture.ground)}"/>')
    lines += [drawn for shape in picture.shapes if (drawn := _shape(shape))]
    return "\n".join([*lines, "</svg>\n"])


def _shape(shape: Shape) -> str:
    match shape:
        case Dots():
            return _dots(shape)
        case Path():
            return _path(shape)
        case Box():
            return _box(shape)
        case Words():
            return _words(shape)


def _dots(dots: Dots) -> str:
    """One group that says once what the dots share, so that thousands of them stay small.

    A dot without a rim is a line of no length with round ends, which needs half as many signs as a circle.
    """
    if not dots.places:
        return ""
    fill, diameter = _colour(dots.fill), _n(2 * dots.radius)
    if dots.line:
        opacity = f' fill-opacity="{_n(dots.opacity)}" stroke-opacity="{_n(dots.opacity)}"' if dots.opacity < 1 else ""
        circles = (f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(dots.radius)}"/>' for x, y in dots.places)
        return f'<g fill="{fill}" stroke="{_colour(dots.line)}"{opacity}>{"".join(circles)}</g>'
    look = f'fill="none" stroke="{fill}" stroke-width="{diameter}" stroke-linecap="round"'
    spots = [f"M{_n(x)} {_n(y)}h0" for x, y in dots.places]
    if dots.opacity >= 1:
        return f'<path {look} d="{"".join(spots)}"/>'
    # each by itself, so that where many lie over each other it is darker
    lines = "".join(f'<path d="{spot}"/>' for spot in spots)
    return f'<g {look} stroke-opacity="{_n(dots.opacity)}">{lines}</g>'


def _path(path: Path) -> str:
    if not path.places:
        return ""
    fill = _colour(path.fill) if path.fill else "none"
    line = f' stroke="{_colour(path.line)}" stroke-width="{_n(path.width)}"' if path.line else ""
    dash = f' stroke-dasharray="{_n(path.dash)}"' if path.dash and path.line else ""
    way = "M" + "L".join(_place(place) for place in path.places) + ("Z" if path.is_closed else "")
    joins = ' stroke-linejoin="round" stroke-linecap="round"' if path.line and not dash else ""
    return f'<path d="{way}" fill="{fill}"{line}{dash}{joins}{_opacity(path.opacity)}/>'


def _place(place: Place) -> str:
    return f"{_n(place[0])} {_n(place[1])}"


def _box(box: Box) -> str:
    fill = _colour(box.fill) if box.fill else "none"
    line = f' stroke="{_colour(box.line)}" stroke-width="{_n(box.line_width)}"' if box.line else ""
    corner = f' rx="{_n(box.round)}"' if box.round else ""
    where = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(max(box.width, 0))}" height="{_n(max(box.height, 0))}"'
    return f'<rect {where}{corner} fill="{fill}"{line}/>'


def _words(words: Words) -> str:
    look = f'font-size="{_n(words.size)}" fill="{_colour(words.colour)}"'
    look += f' text-anchor="{words.anchor}"' if words.anchor != "start" else ""
    look += ' font-weight="600"' if words.is_bold else ""
    return f'<text x="{_n(words.x)}" y="{_n(words.y)}" {look}>{_text(words.text)}</text>'


def _opacity(opacity: float) -> str:
    return f' opacity="{_n(opacity)}"' if opacity < 1 else ""


def _n(value: float) -> str:
    """At most two decimals, none that say nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _colour(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise InputError(f'"{colour[:20]}" is no colour: write #rrggbb')
    return colour


def _text(text: str) -> str:
    return for_xml(text).translate(_ESCAPED)
