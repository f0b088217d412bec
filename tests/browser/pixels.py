"""Counts pixels by the colours of the roles."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dashboard.kit.theme import COLOURS, Role, Theme


@dataclass(frozen=True)
class Ink:
    """A colour on a background. Dots are transparent, so their pixels lie between the two."""

    ink: str
    background: str
    least: float = 0.35
    """How much of the way from the background to the colour counts."""
    off: float = 26.0
    """How far, of 255, a pixel may lie beside that way."""

    def asked(self) -> dict[str, Any]:
        """As COUNT_PIXELS takes it."""
        return asdict(self)


COUNT_PIXELS = """(canvas, { ink, background, least, off }) => {
  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const [from, to] = [channels(background), channels(ink)];
  const way = to.map((channel, i) => channel - from[i]);
  const length = way.reduce((sum, step) => sum + step * step, 0);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let n = 0;
  for (let at = 0; at < data.length; at += 4) {
    let along = 0;
    for (let i = 0; i < 3; i++) along += (data[at + i] - from[i]) * way[i];
    along /= length;
    if (along < least || along > 1.15) continue;
    let beside = 0;
    for (let i = 0; i < 3; i++) beside += (data[at + i] - from[i] - along * way[i]) ** 2;
    if (beside <= off * off) n++;
  }
  return n;
}"""


def colour(role: Any, theme: Any) -> str:
    """The colour of a role in a theme."""
    of_theme: dict[Role, str] = dict(COLOURS[_theme(theme)])
    return of_theme[role]


def _theme(name: str) -> Theme:
    return "dark" if name == "dark" else "light"
