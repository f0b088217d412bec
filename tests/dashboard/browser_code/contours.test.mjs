import assert from "node:assert/strict";
import test from "node:test";
import { contourLines, densityGrid, levelsAt } from "../../../dashboard/browser/landscape/outlines.js";
import { isInside } from "../../../dashboard/browser/landscape/picking.js";

/** Two hills, from a fixed sequence. */
function hills(n = 4000) {
  const x = new Float32Array(n);
  const y = new Float32Array(n);
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const bell = () => random() + random() + random() + random() - 2;
  for (let i = 0; i < n; i++) {
    x[i] = (i % 2 ? 5 : -5) + bell() * 2;
    y[i] = bell() * 2;
  }
  return { x, y, n };
}

const BOUNDS = [-9, -4, 9, 4];

test("every publication is counted once, and the edge is empty", () => {
  const { x, y, n } = hills();
  const { values, wide, high } = densityGrid(x, y, n, BOUNDS);
  assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - n) < 1);
  for (let i = 0; i < wide; i++) assert.ok(values[i] === 0 && values[(high - 1) * wide + i] === 0);
});

test("levels fall as the share rises", () => {
  const { x, y, n } = hills();
  const levels = levelsAt(densityGrid(x, y, n, BOUNDS), [0.95, 0.5, 0.2]);
  assert.ok(levels[0] < levels[1] && levels[1] < levels[2] && levels[0] > 0);
});

test("a contour holds the share that it says, on both hills", () => {
  const { x, y, n } = hills();
  const grid = densityGrid(x, y, n, BOUNDS);
  for (const share of [0.9, 0.5]) {
    const lines = contourLines(grid, levelsAt(grid, [share])[0]);
    assert.ok(lines.length >= 2);
    let held = 0;
    for (let i = 0; i < n; i++) if (lines.filter((line) => isInside(line, x[i], y[i])).length % 2) held++;
    assert.ok(Math.abs(held / n - share) < 0.06, `${held / n} of the publications, not ${share}`);
  }
});

test("lines are closed: the last place lies beside the first", () => {
  const { x, y, n } = hills();
  const grid = densityGrid(x, y, n, BOUNDS);
  for (const line of contourLines(grid, levelsAt(grid, [0.8])[0])) {
    assert.ok(Math.hypot(line[0] - line.at(-2), line[1] - line.at(-1)) <= 1.5 * grid.step);
  }
});

test("nothing, or all at one place, is no error", () => {
  const none = densityGrid(new Float32Array(0), new Float32Array(0), 0, [0, 0, 1, 1]);
  assert.deepEqual(levelsAt(none, [0.9]), []);
  const one = densityGrid(new Float32Array(9), new Float32Array(9), 9, [0, 0, 0, 0]);
  assert.equal(contourLines(one, levelsAt(one, [0.5])[0]).length, 1);
});
