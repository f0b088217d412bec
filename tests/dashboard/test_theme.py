"""Colours that everyone can tell apart, in every theme, and the same ones everywhere."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest

from dashboard.kit import theme
from dashboard.kit.theme import CATEGORIES, COLOURS, DASHES, ENTITIES, RAMPS, THEMES, Role, Theme

TOP = Path(__file__).parents[2]

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISIONS = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
SEEN_TOGETHER: tuple[Role, ...] = ("not_relevant", "relevant", "core", "second", "third", "selection")

Floats = npt.NDArray[np.float64]


def linear(colour: str) -> Floats:
    encoded = np.array(list(bytes.fromhex(colour[1:]))) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (a, b))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Floats) -> Floats:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    ratio = to_xyz @ rgb / np.array([0.9505, 1.0, 1.089])
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(a: str, b: str, vision: str) -> float:
    seen = [lab(np.clip(VISIONS[vision] @ linear(colour), 0, 1)) for colour in (a, b)]
    return float(np.linalg.norm(seen[0] - seen[1]))


def test_both_themes_have_every_role() -> None:
    for roles in COLOURS.values():
        assert set(roles) == set(get_args(Role))
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in roles.values())


def _tinted(ground: str, colour: str) -> str:
    """The ground of what is chosen among several: a fifth of the accent, as Streamlit mixes it."""
    mixed = [
        round(0.8 * a + 0.2 * b) for a, b in zip(bytes.fromhex(ground[1:]), bytes.fromhex(colour[1:]), strict=True)
    ]
    return "#" + bytes(mixed).hex()


@pytest.mark.parametrize("mode", THEMES)
def test_text_and_marks_stand_out(mode: Theme) -> None:
    colours = COLOURS[mode]
    for ground in ("background", "panel"):
        for role in ("text", "faint"):
            assert contrast(colours[role], colours[ground]) >= 4.5, (role, ground)
    assert contrast(colours["accent"], colours["background"]) >= 4.5  # also of the words on a button
    assert contrast(colours["accent"], _tinted(colours["background"], colours["accent"])) >= 4.5
    marks: tuple[Role, ...] = ("core", "relevant", "second", "third", "ellipsoid", "hull", "cluster", "warning")
    for role in (*marks, "selection"):
        assert contrast(colours[role], colours["background"]) >= 3, role
    assert contrast(colours["core_edge"], colours["core"]) >= 2
    assert 2 <= contrast(colours["not_relevant"], colours["background"]) <= 4.5  # there, but behind the others


@pytest.mark.parametrize("mode", THEMES)
def test_types_of_entity_stand_out_and_differ(mode: Theme) -> None:
    colours = ENTITIES[mode]
    assert len(set(colours)) == 10  # as many as the largest of the known knowledge bases has
    for colour in colours:
        assert contrast(colour, COLOURS[mode]["background"]) >= 3, colour
    for vision in VISIONS:
        for a, b in combinations((*colours, COLOURS[mode]["core"]), 2):
            assert distance(a, b, vision) >= 10, (a, b, vision)


@pytest.mark.parametrize("mode", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_roles_can_be_told_apart_by_everyone(mode: Theme, vision: str) -> None:
    colours = COLOURS[mode]
    for a, b in combinations(SEEN_TOGETHER, 2):
        assert distance(colours[a], colours[b], vision) >= 18, (a, b)
    for a, b in combinations(("ellipsoid", "hull", "cluster"), 2):
        assert distance(colours[a], colours[b], vision) >= 25, (a, b)
    for a, b in combinations((*CATEGORIES[mode], colours["core"]), 2):
        assert distance(a, b, vision) >= 10, (a, b)


def test_outlines_differ_by_dash_too() -> None:
    outlined = ("ellipsoid", "hull", "cluster")
    assert len({DASHES[role].plotly for role in outlined}) == len({DASHES[role].canvas for role in outlined}) == 3


@pytest.mark.parametrize("mode", THEMES)
@pytest.mark.parametrize("ramp", ["decay", "year"])
@pytest.mark.parametrize("vision", VISIONS)
def test_ramps_run_evenly_away_from_the_background(mode: Theme, ramp: theme.Ramp, vision: str) -> None:
    steps = RAMPS[ramp][mode]
    seen = np.array([lab(np.clip(VISIONS[vision] @ linear(colour), 0, 1)) for colour in steps])
    assert len(steps) == 256
    towards = -1 if mode == "light" else 1
    assert (np.diff(seen[:, 0]) * towards).min() > -0.5  # up to what eight bits can hold
    assert abs(seen[-1, 0] - seen[0, 0]) > 45
    assert contrast(steps[0], COLOURS[mode]["background"]) >= 1.5
    if vision == "full":
        lengths = np.linalg.norm(seen[16:] - seen[:-16], axis=1)
        assert lengths.max() < 1.5 * lengths.min()


def test_the_browser_gets_what_its_contract_says() -> None:
    sent = theme.browser_colours()
    assert json.loads(json.dumps(sent)) == sent
    assert set(sent) == {"colours", "ramps", "categories"}
    assert set(sent["colours"]) == set(sent["categories"]) == {"light", "dark"}
    assert {name: {mode: len(steps) for mode, steps in ramp.items()} for name, ramp in sent["ramps"].items()} == {
        "decay": {"light": 256, "dark": 256},
        "year": {"light": 256, "dark": 256},
    }
    assert [len(set(colours)) for colours in sent["categories"].values()] == [10, 10]


# ---- .streamlit/config.toml


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    return tomllib.loads((TOP / ".streamlit" / "config.toml").read_text("utf-8"))


@pytest.mark.parametrize("mode", THEMES)
def test_streamlit_has_our_colours(config: dict[str, Any], mode: Theme) -> None:
    roles: dict[str, Role] = {
        "primaryColor": "accent",
        "backgroundColor": "background",
        "secondaryBackgroundColor": "panel",
        "textColor": "text",
        "linkColor": "accent",
        "borderColor": "border",
        "codeBackgroundColor": "panel",
        "codeTextColor": "text",
        "dataframeBorderColor": "grid",
        "dataframeHeaderBackgroundColor": "panel",
        "yellowColor": "warning",
        "grayColor": "faint",
    }
    section, colours = dict(config["theme"][mode]), COLOURS[mode]
    sidebar = section.pop("sidebar")
    assert section.pop("chartCategoricalColors") == list(CATEGORIES[mode])
    assert section == {option: colours[role] for option, role in roles.items()}
    assert sidebar == {
        "backgroundColor": colours["panel"],
        "secondaryBackgroundColor": colours["background"],
        "borderColor": colours["border"],
    }
    assert config["theme"]["font"] == "sans-serif"
    assert theme.FONT.endswith(", sans-serif")


def test_streamlit_fetches_tells_and_shows_nothing_more(config: dict[str, Any]) -> None:
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["toolbarMode"] == "minimal"
    assert config["client"]["showErrorDetails"] == "none"
    assert config["server"]["address"] == "localhost"
    assert "http" not in json.dumps(config)


def test_streamlit_knows_every_option(config: dict[str, Any]) -> None:
    from streamlit.config import get_option

    def names(section: dict[str, Any], path: str) -> list[str]:
        nested = [names(v, f"{path}{k}.") if isinstance(v, dict) else [f"{path}{k}"] for k, v in section.items()]
        return [name for part in nested for name in part]

    for name in names(config, ""):
        get_option(name)  # RuntimeError for a name it does not know
