import assert from "node:assert/strict";
import test from "node:test";
import { isInside, RowGrid } from "../../../dashboard/browser/landscape/picking.js";

let seed = 11;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const N = 3000;
const X = Float32Array.from({ length: N }, () => random() * 20 - 10);
const Y = Float32Array.from({ length: N }, () => random() ** 3 * 8);
const GRID = new RowGrid(X, Y);

function nearestByLooking(px, py, reach) {
  let best = -1;
  let least = reach;
  for (let row = 0; row < N; row++) {
    const away = Math.hypot(X[row] - px, Y[row] - py);
    if (away <= least) [best, least] = [row, away];
  }
  return best;
}

test("the nearest row is the one that looking at all of them finds", () => {
  for (let k = 0; k < 300; k++) {
    const [px, py, reach] = [random() * 24 - 12, random() * 10 - 1, random() * 0.6];
    assert.equal(GRID.nearest(px, py, reach), nearestByLooking(px, py, reach));
  }
});

test("a row with a head start wins over a nearer one, but only within reach", () => {
  const grid = new RowGrid(Float32Array.of(0, 1), Float32Array.of(0, 0));
  const head = (row) => (row === 1 ? 0.5 : 0);
  assert.equal(grid.nearest(0.4, 0, 2), 0);
  assert.equal(grid.nearest(0.4, 0, 2, head), 1);
  assert.equal(grid.nearest(0, 0, 0.9, () => 5), 0);
});

test("a lasso picks exactly the rows inside it, ascending", () => {
  const star = Array.from({ length: 40 }, (_, i) => {
    const radius = i % 2 ? 1.2 : 3.4;
    return [radius * Math.cos((i / 40) * 2 * Math.PI), 2 + radius * Math.sin((i / 40) * 2 * Math.PI)];
  }).flat();
  const expected = [...X.keys()].filter((row) => isInside(star, X[row], Y[row]));
  assert.ok(expected.length > 20);
  assert.deepEqual([...GRID.inside(star)], expected);
});

test("a lasso beside everything picks nothing", () => {
  assert.equal(GRID.inside([50, 50, 60, 50, 60, 60]).length, 0);
});

test("inside of a notched shape", () => {
  const notched = [0, 0, 4, 0, 4, 4, 2, 1, 0, 4];
  assert.equal(isInside(notched, 2, 0.5), true);
  assert.equal(isInside(notched, 2, 3), false);
  assert.equal(isInside(notched, 0.3, 3), true);
});

test("no rows, and rows at one place", () => {
  const none = new RowGrid(new Float32Array(0), new Float32Array(0));
  assert.equal(none.nearest(0, 0, 5), -1);
  assert.equal(none.inside([0, 0, 1, 0, 1, 1]).length, 0);
  const same = new RowGrid(new Float32Array(9).fill(2), new Float32Array(9).fill(3));
  assert.equal(same.inside([0, 0, 9, 0, 9, 9, 0, 9]).length, 9);
});
