"""The labs: each is a bench, computed here at every movement and drawn by the browser. LABS: id -> lab."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from dashboard.explore.labs.bench import Lab

ORDER = ("toy", "decay", "f_beta", "threshold", "projection", "sensitivity", "clusters")
"""Each is the module of that name, with its lab as LAB."""


def _there() -> dict[str, Lab]:
    return {name: import_module(f"{__name__}.{name}").LAB for name in ORDER if find_spec(f"{__name__}.{name}")}


LABS: dict[str, Lab] = _there()
