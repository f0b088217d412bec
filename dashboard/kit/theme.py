"""Colours by role for the light and dark themes, colour ramps, and the style of score tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from core.types import Floats

if TYPE_CHECKING:
    import plotly.graph_objects as go


# Colour ramps with visually equal steps: spaced in CIE Lab, where equal distances are about equally visible.

N_STEPS = 256

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = _TO_XYZ.sum(axis=1)
_KNEE = 6 / 29


def channels(colour: str) -> Floats:
    """Return red, green and blue of "#rrggbb", each in [0, 1].

    >>> channels("#ff0033").tolist()
    [1.0, 0.0, 0.2]
    """
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def lab_of(colour: str) -> Floats:
    """Return lightness (0 black, 100 white), green to red, blue to yellow.

    >>> lab_of("#ffffff").round(1)[0]
    np.float64(100.0)
    """
    encoded = channels(colour)
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    ratio = _TO_XYZ @ linear / _WHITE
    f = np.where(ratio > _KNEE**3, np.cbrt(ratio), ratio / (3 * _KNEE**2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _hex_of(lab: Floats) -> str:
    middle = (lab[0] + 16) / 116
    f = np.array([middle + lab[1] / 500, middle, middle - lab[2] / 200])
    ratio = np.where(f > _KNEE, f**3, 3 * _KNEE**2 * (f - 4 / 29))
    linear = np.clip(np.linalg.solve(_TO_XYZ, ratio * _WHITE), 0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(channel) * 255):02x}" for channel in encoded)


def even_ramp(stops: Sequence[str], n: int = N_STEPS) -> tuple[str, ...]:
    """Return `n` colours through the stops, in steps of equal length.

    >>> even_ramp(["#000000", "#ffffff"], 3)
    ('#000000', '#777777', '#ffffff')
    """
    corners = np.array([lab_of(stop) for stop in stops])
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    at = np.linspace(0, walked[-1], n)
    return tuple(_hex_of(row) for row in np.column_stack([np.interp(at, walked, axis) for axis in corners.T]))


# Colours by role, light and dark: the one table for figures, exports, controls and the browser part.
#
# Okabe-Ito based. tests/dashboard/test_theme.py checks contrast, colour blindness and .streamlit/config.toml.

Theme = Literal["light", "dark"]
Role = Literal[
    "background",
    "panel",
    "text",
    "faint",
    "grid",
    "border",
    "accent",
    "not_relevant",
    "relevant",
    "core",
    "core_edge",
    "second",
    "third",
    "ellipsoid",
    "hull",
    "cluster",
    "warning",
    "selection",
]
Ramp = Literal["decay", "year"]
THEMES: tuple[Theme, ...] = get_args(Theme)

FONT = (
    "'Source Sans', 'Source Sans Pro', system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif"
)
"""Streamlit's own font on its pages, else a system font: no font is downloaded."""

COLOURS: Mapping[Theme, Mapping[Role, str]] = MappingProxyType(
    {
        "light": MappingProxyType[Role, str](
            {
                "background": "#ffffff",
                "panel": "#f5f6f8",  # behind the sidebar, inputs and notes
                "text": "#1b1f24",
                "faint": "#59626d",  # secondary text and axes
                "grid": "#e3e6ea",
                "border": "#c3c9d1",  # around clickable and editable elements
                "accent": "#1f4e79",  # controls only
                "not_relevant": "#98a1ad",  # most points: pale on purpose, so that the others stand out
                "relevant": "#0068b8",
                "core": "#d55e00",
                "core_edge": "#3a1500",  # around the accepted
                "second": "#00a161",
                "third": "#7b3a75",
                "ellipsoid": "#5b3fb5",
                "hull": "#00756a",
                "cluster": "#735800",
                "warning": "#b26a00",
                "selection": "#101418",
            }
        ),
        "dark": MappingProxyType[Role, str](
            {
                "background": "#111318",
                "panel": "#1a1d23",
                "text": "#e8eaed",
                "faint": "#a2aab5",
                "grid": "#2a2e36",
                "border": "#474e59",
                "accent": "#76abe0",  # text on a button has the colour of the background, in both themes
                "not_relevant": "#69727f",
                "relevant": "#5a9ef5",
                "core": "#ff7a33",
                "core_edge": "#ffe6d6",  # a dark edge would be invisible here
                "second": "#2be08c",
                "third": "#d29fd8",
                "ellipsoid": "#b7a4ff",
                "hull": "#4fd1bd",
                "cluster": "#e0c56a",
                "warning": "#ffc14d",
                "selection": "#ffffff",
            }
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Dash:
    plotly: str
    """A name; WebGL traces accept no lengths."""
    canvas: tuple[int, ...]
    """Lengths of strokes and gaps in pixels, for canvas and SVG; empty for a solid line."""


DASHES: Mapping[Role, Dash] = MappingProxyType(
    {
        "ellipsoid": Dash("dash", (8, 4)),
        "hull": Dash("solid", ()),
        "cluster": Dash("dot", (2, 4)),
        "relevant": Dash("dash", (6, 3)),
        "faint": Dash("dot", (2, 3)),
    }
)
"""A second cue besides colour, where lines of these roles meet."""

RAMPS: Mapping[Ramp, Mapping[Theme, tuple[str, ...]]] = MappingProxyType(
    {
        # From closest to the background (decay 0, the oldest) to most prominent (decay 1, the newest).
        "decay": MappingProxyType[Theme, tuple[str, ...]](
            {
                "light": even_ramp(["#cbc1e3", "#8a69c0", "#380f5e"]),
                "dark": even_ramp(["#453a60", "#6c56a0", "#9a82cf", "#c6b6ea", "#eee4ff"]),
            }
        ),
        "year": MappingProxyType[Theme, tuple[str, ...]](
            {
                "light": even_ramp(["#c3d08f", "#43a897", "#1d6093", "#111d58"]),
                "dark": even_ramp(["#2a4377", "#2f98a3", "#8fce8f", "#f1f4b0"]),
            }
        ),
    }
)

CATEGORIES: Mapping[Theme, tuple[str, ...]] = MappingProxyType(
    {
        "light": (
            *("#2d6fd7", "#c2a500", "#039660", "#60255d", "#56b4e9"),
            *("#c88ea2", "#97301a", "#332288", "#5b5652", "#8fb54f"),
        ),
        "dark": (
            *("#6e8ef9", "#e8b596", "#5cf9c6", "#d28fc0", "#a5ebf2"),
            *("#acb9ff", "#8f7a42", "#7468b8", "#969690", "#e1e167"),
        ),
    }
)
"""For groups without a role, such as themes. None of them is close to the colour of the core."""

ENTITIES: Mapping[Theme, tuple[str, ...]] = MappingProxyType(
    {
        "light": (
            *("#0068b8", "#00a161", "#7b3a75", "#956bff", "#832e09"),
            *("#aa7f97", "#33523a", "#4b32b7", "#ad5d3c", "#910191"),
        ),
        "dark": (
            *("#5a9ef5", "#2be08c", "#d29fd8", "#ffbd06", "#9a5582"),
            *("#a2dbca", "#6952e1", "#6d6b4c", "#c33717", "#c431b3"),
        ),
    }
)
"""For types of entity, by their position in the knowledge base. Each also has its own symbol."""


def browser_colours() -> dict[str, Any]:
    """Return colours, ramps and categories for the header of the browser's points, ready for JSON."""
    return {
        "colours": {theme: dict(roles) for theme, roles in COLOURS.items()},
        "ramps": {name: {theme: list(steps) for theme, steps in ramp.items()} for name, ramp in RAMPS.items()},
        "categories": {theme: list(colours) for theme, colours in CATEGORIES.items()},
    }


def template(theme: Theme) -> go.layout.Template:
    """Return the common style of all charts: fonts, a thin grid, narrow margins, no clutter."""
    import plotly.graph_objects as go  # here, so that exports and the browser part work without plotly

    colours = COLOURS[theme]
    axis = {
        "gridcolor": colours["grid"],
        "gridwidth": 1,
        "linecolor": colours["grid"],
        "zeroline": False,
        "ticks": "",
        "tickfont": {"size": 11, "color": colours["faint"]},
        "title": {"font": {"size": 12, "color": colours["faint"]}, "standoff": 6},
        "automargin": True,
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT, "size": 13, "color": colours["text"]},
            "title": {
                "x": 0,
                "xref": "container",
                "xanchor": "left",
                "pad": {"l": 12},
                "font": {"size": 15, "color": colours["text"]},
                "subtitle": {"font": {"size": 12, "color": colours["faint"]}},
            },
            "paper_bgcolor": colours["background"],
            "plot_bgcolor": colours["background"],
            "colorway": list(CATEGORIES[theme]),
            "xaxis": axis,
            "yaxis": axis,
            "margin": {"l": 12, "r": 12, "t": 48, "b": 12},
            "hoverlabel": {
                "bgcolor": colours["panel"],
                "bordercolor": colours["grid"],
                "align": "left",
                "font": {"family": FONT, "size": 12, "color": colours["text"]},
            },
            "legend": {
                "font": {"size": 12, "color": colours["text"]},
                "bgcolor": "rgba(0,0,0,0)",
                "itemsizing": "trace",
            },
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": colours["faint"], "activecolor": colours["accent"]},
            "separators": ".,",
        }
    )


# The style of the table of scores. Static rules; they never contain user text.


def range_track(value: float, ends: tuple[float, float] | None, span: tuple[float, float]) -> str:
    """Render a value in a cell as a dot with the whisker of its interval; `span` is the width of the cell."""

    def along(value: float) -> float:
        return min(max(100 * (value - span[0]) / (span[1] - span[0]), 0.0), 100.0)

    whisker = ""
    if ends is not None:
        low, high = map(along, ends)
        whisker = f'<i class="whisker" style="left:{low:.1f}%;width:{max(high - low, 0.5):.1f}%"></i>'
    dot = f'<i class="dot clear" style="left:{along(value):.1f}%"></i>'
    return f'<i class="track" role="presentation">{whisker}{dot}</i>'


def difference_track(value: float, ends: tuple[float, float], span: float, *, is_clear: bool) -> str:
    """Render a difference in a cell around 0, from -span to span, as a dot with the whisker of its interval."""
    low, high, dot = (50 + 50 * end / span for end in (*ends, value))
    return (
        '<i class="track" role="presentation"><i class="zero"></i>'
        f'<i class="whisker" style="left:{low:.1f}%;width:{high - low:.1f}%"></i>'
        f'<i class="dot {"clear" if is_clear else "unclear"}" style="left:{dot:.1f}%"></i></i>'
    )


def score_table_style(theme: Theme) -> str:
    c = COLOURS[theme]
    return f"""<style>
.qs-scores {{ overflow-x: auto; position: relative; }}
.qs-scores table {{
  border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.93rem;
}}
.qs-scores th, .qs-scores td {{
  padding: 3px 0 3px 22px; text-align: right; vertical-align: top; white-space: nowrap; border: 0;
}}
.qs-scores thead th {{ border-bottom: 3px solid {c["grid"]}; vertical-align: bottom; white-space: normal; }}
.qs-scores th:first-child {{
  text-align: left; font-weight: 400; padding: 3px 18px 3px 0;
  position: sticky; left: 0; z-index: 1; background: {c["background"]};
}}
.qs-scores .group th {{
  font-weight: 600; padding-top: 12px; color: {c["faint"]}; text-align: left;
  box-shadow: inset 0 -1px {c["grid"]}; z-index: 2;
}}
.qs-scores b {{ font-weight: 700; }}
.qs-scores s {{ color: {c["faint"]}; }}
.qs-scores small {{ display: block; color: {c["faint"]}; font-size: 0.78rem; line-height: 1.15; }}
.qs-scores .difference {{ padding: 3px 0 3px 22px; text-align: left; }}
.qs-scores .difference div {{ display: flex; align-items: center; gap: 12px; }}
.qs-scores .difference div > span {{ min-width: 70px; text-align: right; }}
.qs-scores .difference small {{ min-width: 112px; }}
.qs-scores .track {{ position: relative; display: block; width: 190px; height: 11px; }}
.qs-scores .track i {{ position: absolute; display: block; }}
.qs-scores .zero {{ left: 50%; top: 0; bottom: 0; width: 1px; background: {c["border"]}; }}
.qs-scores .whisker {{ top: 5px; height: 1px; background: {c["text"]}; }}
.qs-scores .dot {{
  top: 2px; width: 7px; height: 7px; margin-left: -3.5px; border-radius: 50%; box-sizing: border-box;
  border: 1.5px solid {c["text"]}; background: {c["background"]};
}}
.qs-scores .dot.clear {{ background: {c["text"]}; }}
.qs-scores .bar {{ left: 0; top: 1px; bottom: 1px; background: {c["core"]}; opacity: 0.55; }}
.qs-scores .waits {{ background: linear-gradient({c["grid"]}, {c["grid"]}) center / 60% 1px no-repeat; }}
.qs-scores .unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
@media (max-width: 640px) {{
  .qs-scores th, .qs-scores td {{ padding-left: 14px; }}
  .qs-scores .difference {{ padding-left: 10px; }}
  .qs-scores .difference div > span {{ min-width: 50px; }}
}}
</style>"""
