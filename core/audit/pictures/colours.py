"""The few colours of a printed picture: the light ones that the app has for the same roles."""

from __future__ import annotations

BACKGROUND = "#ffffff"
TEXT = "#1b1f24"
FAINT = "#59626d"
GRID = "#e3e6ea"
ACCENT = "#1f4e79"
NOT_RELEVANT = "#98a1ad"
RELEVANT = "#0068b8"
CORE = "#d55e00"
CORE_EDGE = "#3a1500"
ELLIPSOID = "#5b3fb5"
HULL = "#00756a"
