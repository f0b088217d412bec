import assert from "node:assert/strict";
import test from "node:test";
import { Camera, INSETS } from "../../../dashboard/browser/shared/camera.js";

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

function camera(bounds = [-4, -2, 6, 3]) {
  const made = new Camera();
  made.resize(1000, 500);
  made.frame(bounds);
  return made;
}

test("at home everything lies between the insets, and up is up", () => {
  const { left, right, top, bottom } = INSETS;
  const at = camera();
  assert.ok(at.pixelX(-4) >= left - 1e-6 && at.pixelX(6) <= 1000 - right + 1e-6);
  assert.ok(at.pixelY(3) >= top - 1e-6 && at.pixelY(-2) <= 500 - bottom + 1e-6);
  assert.ok(at.pixelY(3) < at.pixelY(-2));
});

test("pixels and places undo each other", () => {
  const at = camera();
  at.zoom(3, 200, 100);
  near(at.placeX(at.pixelX(1.5)), 1.5);
  near(at.pixelY(at.placeY(321)), 321);
});

test("zoom keeps what is under the pointer, and has ends", () => {
  const at = camera();
  const [x, y] = [at.placeX(420), at.placeY(260)];
  at.zoom(2.5, 420, 260);
  near(at.pixelX(x), 420);
  near(at.pixelY(y), 260);
  near(at.closeness, 2.5);
  for (let k = 0; k < 100; k++) at.zoom(2, 420, 260);
  assert.ok(at.closeness <= 400);
  for (let k = 0; k < 100; k++) at.zoom(0.5, 420, 260);
  assert.ok(at.closeness >= 0.5);
});

test("a drag moves the picture with the hand", () => {
  const at = camera();
  at.zoom(4, 500, 250);
  const before = [at.pixelX(1), at.pixelY(1)];
  at.pan(30, -20);
  near(at.pixelX(1), before[0] + 30);
  near(at.pixelY(1), before[1] - 20);
});

test("nobody gets lost: the middle stays within the bounds", () => {
  const at = camera();
  at.pan(-1e6, 1e6);
  assert.deepEqual([at.cx, at.cy], [6, 3]);
});

test("the same bounds keep the view, others show the whole landscape", () => {
  const at = camera();
  at.zoom(4, 300, 200);
  const { cx, scale } = at;
  at.frame([-4, -2, 6, 3]);
  assert.deepEqual([at.cx, at.scale], [cx, scale]);
  at.frame([0, 0, 1, 1]);
  assert.ok(at.isHome);
  near(at.closeness, 1);
});

test("a new size keeps the middle and the closeness", () => {
  const at = camera();
  at.zoom(4, 500, 250);
  const { cx, cy } = at;
  at.resize(560, 400);
  near(at.closeness, 4);
  assert.deepEqual([at.cx, at.cy], [cx, cy]);
  at.home();
  at.resize(900, 700);
  assert.ok(at.isHome);
});

test("one single place is no division by nothing", () => {
  const at = camera([2, 2, 2, 2]);
  assert.ok(Number.isFinite(at.pixelX(2)) && Number.isFinite(at.scale));
});
