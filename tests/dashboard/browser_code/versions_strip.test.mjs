// Where the dots of versions stand, and which of them are folded.
import assert from "node:assert/strict";
import { test } from "node:test";

import { foldedOf, placesOf } from "../../../dashboard/browser/versions/strip.js";

const version = (label, more = {}) => ({ label, n_retrieved: 100, n_found: 5, n_core: 10, parent: null, is_run: true, ...more });

test("no dot lies on another, and more to read is never left of less", () => {
  const versions = [...Array.from({ length: 9 }, (_, i) => version(`v${i}`)), version("large", { n_retrieved: 5000, n_found: 9 })];
  const places = [...placesOf(versions, 800).values()];
  for (const [i, a] of places.entries()) {
    for (const b of places.slice(i + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= 12, `${i}`);
  }
  const large = placesOf(versions, 800).get("large");
  assert.ok(places.slice(0, -1).every(({ x, y }) => x < large.x && y > large.y));
  assert.equal(placesOf([version("only", { n_core: 0 })], 800).size, 1);
});

test("runs without a name that were left are folded, unless they were looked at again", () => {
  const versions = [
    version("named", { is_run: false }), version("v1"), version("v2", { parent: "v1" }), version("v3", { parent: "v2" }), version("v4"),
  ];
  const open = { versions, opened: "v3", newest: "v4" };
  assert.deepEqual([...foldedOf(open, new Set())], ["v1"]);
  assert.deepEqual([...foldedOf(open, new Set(["v1"]))], []);
  assert.deepEqual([...foldedOf({ ...open, opened: "named" }, new Set())], ["v1", "v2", "v3"]);
});
