import assert from "node:assert/strict";
import test from "node:test";
import { Activity } from "../../../dashboard/browser/shared/changes.js";

function activity() {
  const clock = { now: 10_000 };
  const found = new Activity(() => clock.now);
  return { found, wait: (ms) => { clock.now += ms; } };
}

test("somebody who types is left alone until the text is sent", () => {
  const { found, wait } = activity();
  assert.ok(found.isIdle);
  found.hear("keydown");
  found.hear("input");
  wait(60_000);
  assert.ok(!found.isIdle);
  found.hear("focusout");
  assert.ok(!found.isIdle);
  wait(1200);
  assert.ok(found.isIdle);
  found.hear("input");
  found.hear("keydown", { isCommitting: true });
  wait(1200);
  assert.ok(found.isIdle);
});

test("nothing happens during a drag, however long, and at once after it", () => {
  const { found, wait } = activity();
  found.hear("pointerdown");
  wait(60_000);
  assert.ok(!found.isIdle);
  found.hear("pointerup");
  assert.ok(found.isIdle);
});
