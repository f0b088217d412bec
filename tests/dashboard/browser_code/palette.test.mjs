import assert from "node:assert/strict";
import test from "node:test";

import { matching } from "../../../dashboard/browser/navigation/palette.js";

const PLACES = [
  { kind: "Page", title: "About the numbers", name: "a" },
  { kind: "Topic", title: "Heat in towns", name: "h" },
  { kind: "Version", title: "baseline", name: "b" },
  { kind: "Version", title: "v2: wheat and heat", name: "v" },
];
const found = (typed, most) => matching(PLACES, typed, most).map(({ name }) => name).join("");

test("every typed word must be there, in any order and in any case; the kind counts, too", () => {
  assert.equal(found(""), "ahbv");
  assert.equal(found("HEAT"), "hv");
  assert.equal(found("towns heat"), "h");
  assert.equal(found("version"), "bv");
  assert.equal(found("heat version"), "v");
  assert.equal(found("tea"), "");
});

test("what begins with the typed text comes first, then what has a word that does; no more than asked for", () => {
  assert.equal(found("he"), "hva");
  assert.equal(found("eat"), "hv");
  assert.equal(found("", 2), "ah");
});
