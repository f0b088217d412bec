"""Colour ramps whose steps look alike: walked in CIE Lab, where equal distances are about equally visible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.types import Floats

N_STEPS = 256

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = _TO_XYZ.sum(axis=1)
_KNEE = 6 / 29


def channels(colour: str) -> Floats:
    """Red, green and blue of "#rrggbb", each in [0, 1].

    >>> channels("#ff0033").tolist()
    [1.0, 0.0, 0.2]
    """
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def lab_of(colour: str) -> Floats:
    """Lightness (0 black, 100 white), green to red, blue to yellow.

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
    """`n` colours through the stops, in steps of equal length.

    >>> even_ramp(["#000000", "#ffffff"], 3)
    ('#000000', '#777777', '#ffffff')
    """
    corners = np.array([lab_of(stop) for stop in stops])
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    at = np.linspace(0, walked[-1], n)
    return tuple(_hex_of(row) for row in np.column_stack([np.interp(at, walked, axis) for axis in corners.T]))
