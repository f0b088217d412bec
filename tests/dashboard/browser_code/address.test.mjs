import assert from "node:assert/strict";
import test from "node:test";

import { wayToWrite, watchAddress } from "../../../dashboard/browser/navigation/address.js";

const STEPS = ["topic", "version", "part"];
const at = (address) => new URL(address, "http://localhost:1");
const way = (method, from, to, isByHand = false) => wayToWrite(method, at(from), at(to), { steps: STEPS, isByHand });

test("another page, topic, version or view is an entry of its own, and nothing else is", () => {
  assert.equal(way("push", "/?topic=a", "/query?topic=a"), "push");
  assert.equal(way("push", "/?topic=a&version=1", "/?topic=a&version=2"), "push");
  assert.equal(way("push", "/?topic=a&version=1", "/?topic=b&version=1"), "push");
  assert.equal(way("push", "/?topic=a&beta=1", "/?topic=a&beta=2"), "replace");
  assert.equal(way("push", "/", "/?topic=a&version=1"), "replace");
  assert.equal(way("push", "/?version=1&topic=a", "/?topic=a&version=1"), "replace");
});

test("a view that is chosen by hand is an entry, one that the session restores is none", () => {
  assert.equal(way("replace", "/library?topic=a", "/library?topic=a&part=Files", true), "push");
  assert.equal(way("replace", "/library?topic=a&part=Files", "/library?topic=a", true), "push");
  assert.equal(way("replace", "/library?topic=a", "/library?topic=a&part=Files", false), "replace");
  assert.equal(way("push", "/library?topic=a", "/library?topic=a&part=Files", true), "replace");
});

test("the address of a page that is left stays whole", () => {
  assert.equal(way("push", "/library?topic=a&part=Files", "/library"), "ignore");
});

/** A window with a history that remembers what was written. */
function aWindow(href) {
  const location = { href };
  const entries = [{ href, state: null }];
  const listeners = {};
  const write = (how) => (state, _, address) => {
    if (how === "push") entries.push({});
    Object.assign(entries.at(-1), { href: address, state });
    location.href = address;
  };
  const history = { state: null, pushState: write("push"), replaceState: write("replace") };
  const view = { history, location, addEventListener: (name, hear) => { listeners[name] = hear; } };
  return { view, entries, fire: (name, event = {}) => listeners[name](event) };
}

test("an entry from before the code was there is made equal to the one after it, and Streamlit hears nothing", () => {
  const { view, entries, fire } = aWindow("http://localhost:1/?topic=a&version=1");
  watchAddress(STEPS, view);
  view.history.pushState({}, "", "http://localhost:1/?topic=a&version=2");
  assert.deepEqual(entries.map(({ href }) => href.slice(-1)), ["1", "2"]);
  let stopped = 0;
  view.location.href = "http://localhost:1/";
  fire("popstate", { state: null, stopImmediatePropagation: () => (stopped += 1) });
  assert.equal(stopped, 1);
  assert.equal(entries.at(-1).href, "http://localhost:1/?topic=a&version=2");
  view.location.href = "http://localhost:1/?topic=a&version=1";
  fire("popstate", { state: { queryscape: true }, stopImmediatePropagation: () => (stopped += 1) });
  assert.equal(stopped, 1);
});

test("a view that is replaced after Back is no choice, until someone acts again", () => {
  const { view, entries, fire } = aWindow("http://localhost:1/library?topic=a");
  watchAddress(STEPS, view);
  fire("pointerdown");
  view.history.replaceState({}, "", "http://localhost:1/library?topic=a&part=Files");
  assert.equal(entries.length, 2);
  fire("popstate", { state: { queryscape: true } });
  view.history.replaceState({}, "", "http://localhost:1/library?topic=a&part=Import");
  assert.equal(entries.length, 2);
});

test("a choice that opens another page is one step; a page that is opened after a choice is another", () => {
  const { view, entries, fire } = aWindow("http://localhost:1/about?topic=a");
  watchAddress(STEPS, view);
  fire("keydown");
  view.history.pushState({}, "", "http://localhost:1/about?topic=b");
  view.history.pushState({}, "", "http://localhost:1/?topic=b");
  assert.deepEqual(entries.map(({ href }) => href.split("1/")[1]), ["about?topic=a", "?topic=b"]);
  fire("pointerdown");
  view.history.pushState({}, "", "http://localhost:1/?topic=c");
  fire("pointerdown");
  view.history.pushState({}, "", "http://localhost:1/query?topic=c");
  assert.equal(entries.length, 4);
});
