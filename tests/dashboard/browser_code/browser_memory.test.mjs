import assert from "node:assert/strict";
import test from "node:test";
import { BrowserMemory, keepText, keptText } from "../../../dashboard/browser/shared/browser_memory.js";

function storage() {
  const held = new Map();
  return {
    held,
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, text) => held.set(name, text),
    removeItem: (name) => held.delete(name),
  };
}

test("a text is kept until it is emptied", () => {
  const tab = storage();
  assert.equal(keptText("name", tab), null);
  keepText("name", "Ada", tab);
  assert.equal(keptText("name", tab), "Ada");
  assert.equal(keptText("other", tab), null);
  keepText("name", "", tab);
  assert.equal(keptText("name", tab), null);
  assert.equal(tab.held.size, 0);
});

test("a browser that keeps nothing is no error", () => {
  const refuse = () => { throw new Error("denied"); };
  const tab = { getItem: refuse, setItem: refuse, removeItem: refuse };
  keepText("name", "Ada", tab);
  assert.equal(keptText("name", tab), null);
});

test("Python hears of a kept text once, and only while it has none", (t) => {
  globalThis.localStorage = storage();
  t.after(() => delete globalThis.localStorage);
  const said = [];
  const mounted = () => new BrowserMemory({}, { on() {} }, { setStateValue: (name, text) => said.push([name, text]) });
  mounted().update({ name: "name", text: null });
  assert.deepEqual(said, []);
  mounted().update({ name: "name", text: "Ada" });
  const reloaded = mounted();
  reloaded.update({ name: "name", text: null });
  reloaded.update({ name: "name", text: null });
  assert.deepEqual(said, [["kept", "Ada"]]);
  reloaded.update({ name: "name", text: "" });
  mounted().update({ name: "name", text: null });
  assert.equal(said.length, 1);
});
