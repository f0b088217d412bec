import assert from "node:assert/strict";
import test from "node:test";
import { attribute } from "../../../dashboard/browser/shared/elements.js";

/** As much of an element as `attribute` uses, and how often it was written to. */
function element(attributes = {}) {
  const held = new Map(Object.entries(attributes));
  const counts = { writes: 0 };
  return {
    held, counts,
    hasAttribute: (name) => held.has(name),
    getAttribute: (name) => held.get(name) ?? null,
    setAttribute: (name, value) => { counts.writes += 1; held.set(name, value); },
    removeAttribute: (name) => { counts.writes += 1; held.delete(name); },
  };
}

test("an ARIA attribute is kept where it is false, and removed where it has no value", () => {
  for (const name of ["aria-expanded", "aria-checked", "aria-selected", "aria-pressed", "aria-busy"]) {
    const target = element();
    attribute(target, name, true);
    assert.equal(target.held.get(name), "true");
    attribute(target, name, false);
    assert.equal(target.held.get(name), "false");
    for (const nothing of [null, undefined]) {
      attribute(target, name, false);
      attribute(target, name, nothing);
      assert.equal(target.held.has(name), false);
    }
  }
});

test("any other attribute is removed where it is false", () => {
  for (const nothing of [false, null, undefined]) {
    const target = element({ hidden: "" });
    attribute(target, "hidden", nothing);
    assert.equal(target.held.has("hidden"), false);
  }
});

test("an attribute that stays as it is is not written again", () => {
  const target = element({ "aria-expanded": "false", tabindex: "0" });
  attribute(target, "aria-expanded", false);
  attribute(target, "tabindex", 0);
  attribute(target, "aria-label", null);
  attribute(target, "hidden", false);
  assert.equal(target.counts.writes, 0);
});
