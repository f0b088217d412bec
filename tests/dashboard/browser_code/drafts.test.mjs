// Drafts that are kept in the browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { keepDraft, keptDraft } from "../../../dashboard/browser/workbench/drafts.js";

function storage() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name),
  };
}

test("a draft belongs to a topic and to the version it was made of", () => {
  const here = storage();
  keepDraft("Heat", "v1", "heat OR trees", here);
  assert.equal(keptDraft("Heat", "v1", null, here), "heat OR trees");
  assert.equal(keptDraft("Heat", "v2", null, here), null);
  assert.equal(keptDraft("Tea", "v1", null, here), null);
  keepDraft("Heat", "v2", null, here);
  assert.equal(keptDraft("Heat", "v1", null, here), "heat OR trees", "another version has no draft to forget");
  keepDraft("Heat", "v1", null, here);
  assert.equal(keptDraft("Heat", "v1", null, here), null);
});

test("a draft outlives the version that it was made of", () => {
  const here = storage();
  keepDraft("Heat", "v2", "heat OR trees", here);
  assert.equal(keptDraft("Heat", "v1", ["v1", "v2"], here), null, "v2 is still there");
  assert.equal(keptDraft("Heat", "v1", ["v1", "v3"], here), "heat OR trees");
});

test("an emptied search string is a draft, too", () => {
  const here = storage();
  keepDraft("Heat", "v1", "", here);
  assert.equal(keptDraft("Heat", "v1", null, here), "");
});

test("a browser that keeps nothing, or something else, is no fault", () => {
  const broken = { getItem: () => { throw new Error("denied"); }, setItem: () => { throw new Error("full"); }, removeItem: () => {} };
  keepDraft("Heat", "v1", "heat", broken);
  assert.equal(keptDraft("Heat", "v1", null, broken), null);
  for (const odd of ["{", "3", "[]", '{"bench":"v1","text":4}', "null"]) {
    assert.equal(keptDraft("Heat", "v1", null, { ...storage(), getItem: () => odd }), null);
  }
});
