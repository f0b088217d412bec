"""Where publications lie on the screen, found by pointing at the landscape and reading the card beside the pointer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from tests.browser.pages import Explore

POINTED_AT = """(card) => {
  if (card.hidden) return null;
  const ring = card.getRootNode().querySelector(".hover-ring");
  const at = (name) => Number(ring.getAttribute(name));
  return [card.querySelector(".card-title").textContent, at("cx"), at("cy")];
}"""
STEPS = 24
FAR_PX = 120
ENOUGH = 6
EDGE = (0.1, 0.9, 0.18, 0.8)
"""Where neither tools nor legend lie: left, right, top, bottom, as shares of the picture."""
AT_PIXEL = """(canvas, [x, y]) => {
  const scale = canvas.width / canvas.clientWidth;
  return [...canvas.getContext("2d").getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data];
}"""
Rows = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """A publication that was pointed at, and the middle of the ring around it, from the picture's upper left."""

    title: str
    x: float
    y: float


class Places:
    """From landscape coordinates to the screen, as long as nobody moves the picture."""

    def __init__(self, explore: Explore, points: npt.NDArray[np.floating], titles: list[str]) -> None:
        self.explore = explore
        self.points = points
        self.titles = titles
        self.box = explore.box(explore.overlay)
        self.anchors = self._point_around()
        self.pixels = self._pixels()
        """Every row, from the picture's upper left."""

    def point_at(self, x: float, y: float) -> Seen | None:
        """What the card says there."""
        self.explore.page.mouse.move(self.box["x"] + x, self.box["y"] + y)
        seen = self.explore.hover_card.evaluate(POINTED_AT)
        return Seen(*seen) if seen else None

    def _point_around(self) -> list[Seen]:
        left, right, top, bottom = EDGE
        once = {title for title, n in Counter(self.titles).items() if n == 1}
        xs = np.linspace(left, right, STEPS) * self.box["width"]
        ys = np.linspace(top, bottom, STEPS) * self.box["height"]
        found: list[Seen] = []
        everywhere = list(product(xs.tolist(), ys.tolist()))
        np.random.default_rng(0).shuffle(everywhere)
        for x, y in everywhere:
            seen = self.point_at(x, y)
            if seen is None or seen.title not in once:
                continue
            if any(abs(seen.x - other.x) + abs(seen.y - other.y) <= FAR_PX for other in found):
                continue
            # A core publication beside it may be what its very middle shows.
            if self.point_at(seen.x, seen.y) == seen:
                found.append(seen)
            if len(found) == ENOUGH:
                break
        assert len(found) >= 3, f"only {found} could be pointed at"
        return found

    def _pixels(self) -> Rows:
        """One scale for both axes, up is up; the anchors must agree on it."""
        rows = [self.titles.index(seen.title) for seen in self.anchors]
        known = np.array([[seen.x, -seen.y] for seen in self.anchors])
        places = self.points[rows].astype(np.float64)
        moved = places - places.mean(axis=0)
        scale = float((moved * (known - known.mean(axis=0))).sum() / (moved**2).sum())
        pixels = (self.points - places.mean(axis=0)) * scale + known.mean(axis=0)
        assert np.abs(pixels[rows] - known).max() < 0.5, "the anchors don't fit"
        return np.column_stack([pixels[:, 0], -pixels[:, 1]])

    def have_stayed(self) -> bool:
        """Whether every anchor is still where it was."""
        return all(self.point_at(seen.x, seen.y) == seen for seen in self.anchors)

    def on_page(self, x: float, y: float) -> tuple[float, float]:
        """A place of the picture as a place of the page."""
        return self.box["x"] + x, self.box["y"] + y

    def lonely_row(self) -> int:
        """The row that is farthest from all others, among those in the middle of the picture."""
        left, right, top, bottom = EDGE
        share = self.pixels / [self.box["width"], self.box["height"]]
        inside = (share[:, 0] > left) & (share[:, 0] < right) & (share[:, 1] > top) & (share[:, 1] < bottom)
        apart = np.hypot(*(self.pixels[:, None] - self.pixels[None]).transpose(2, 0, 1))
        np.fill_diagonal(apart, np.inf)
        return int(np.argmax(np.where(inside, apart.min(axis=1), -1)))

    def nearest_row(self, x: float, y: float) -> int:
        """The row nearest to a place of the picture."""
        return int(np.argmin(np.hypot(*(self.pixels - [x, y]).T)))

    def rows_inside(self, polygon: Rows, margin: float) -> set[int]:
        """Rows inside a convex polygon that is grown by so many pixels (shrunk, if it is negative)."""
        middle = polygon.mean(axis=0)
        following = np.roll(polygon, -1, axis=0)
        normals = np.column_stack([following[:, 1] - polygon[:, 1], polygon[:, 0] - following[:, 0]])
        normals /= np.hypot(*normals.T)[:, None]
        normals *= np.sign(((middle - polygon) * normals).sum(axis=1))[:, None]
        depth = ((self.pixels[:, None] - polygon[None]) * normals[None]).sum(axis=2).min(axis=1)
        return set(np.flatnonzero(depth >= -margin).tolist())

    def crosshair_is_at(self, row: int) -> bool:
        """Whether the overlay has the four arms of the crosshair around this row."""
        x, y = self.pixels[row]
        arms = [(x + dx, y + dy) for dx, dy in ((12, 0), (-12, 0), (0, 12), (0, -12))]
        return all(self.explore.overlay.evaluate(AT_PIXEL, list(arm))[3] > 120 for arm in arms)
