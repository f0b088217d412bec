"""A picture as SVG: the same text on every machine."""

from __future__ import annotations

import re

from core.audit.pictures.shapes import Box, Dots, Path, Picture, Place, Shape, Words

FONT = "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML has no way to write."""
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": " ", "\n": " ", "\r": " "}
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
    lines += [f"<title>{said}</title>"] if said.strip() else []
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
    """One group: what the dots share is said once, so that thousands of them stay small."""
    if not dots.places:
        return ""
    look = f'fill="{_colour(dots.fill)}"' + (f' stroke="{_colour(dots.line)}"' if dots.line else "")
    radius = _n(dots.radius)
    circles = "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{radius}"/>' for x, y in dots.places)
    return f"<g {look}{_opacity(dots.opacity)}>{circles}</g>"


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
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0", 1) if abs(value) < 0.005 else _two(value)


def _two(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _colour(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f'"{colour[:20]}" is no colour: write #rrggbb')
    return colour


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text).translate(_ESCAPED)
