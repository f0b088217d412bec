"""The style of a report: rules from page.css, colours from the one table that the app has them from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.audit.pictures.svg import Box, Dots, Picture, Words
from core.audit.pictures.svg import Path as Line
from dashboard.figures.theme import COLOURS, FONT, Role, Theme

PAGE = Path(__file__).parent / "page.css"
VARIABLES: dict[str, Role] = {
    "--st-text-color": "text",
    "--st-background-color": "background",
    "--st-secondary-background-color": "panel",
    "--st-primary-color": "accent",
    "--st-border-color": "border",
    "--faint": "faint",
    "--grid": "grid",
    "--warning": "warning",
}
"""As the parts of the app ask for them, and a few for the page itself."""


@cache
def page_style() -> str:
    """Every rule of the page. Dark only on a screen whose reader wants it so: paper is light."""
    light, dark = _variables("light"), _variables("dark")
    return "\n".join(
        (
            f":root {{ color-scheme: light; --st-font: {FONT}; {light} }}",
            PAGE.read_text(encoding="utf-8"),
            "@media screen and (prefers-color-scheme: dark) {",
            f":root {{ color-scheme: dark; {dark} }}",
            *_recoloured(),
            "}\n",
        )
    )


def in_role_colours(picture: Picture) -> bool:
    """Whether every colour of a picture is one of a role; one of its own would stay light among dark ones."""
    known = set(COLOURS["light"].values())
    return _colours(picture) <= known


def _colours(picture: Picture) -> set[str]:
    found: set[str | None] = {picture.ground}
    for shape in picture.shapes:
        match shape:
            case Words():
                found.add(shape.colour)
            case Dots() | Line() | Box():
                found |= {shape.fill, shape.line}
    return {colour.lower() for colour in found if colour}


def _variables(theme: Theme) -> str:
    return " ".join(f"{name}: {COLOURS[theme][role]};" for name, role in VARIABLES.items())


def _recoloured() -> list[str]:
    """A picture in the colours of the roles is dark in the dark."""
    pairs = {COLOURS["light"][role]: COLOURS["dark"][role] for role in COLOURS["light"]}
    return [
        f'.roles svg [{name}="{light}"] {{ {name}: {dark}; }}'
        for light, dark in pairs.items()
        for name in ("fill", "stroke")
    ]
