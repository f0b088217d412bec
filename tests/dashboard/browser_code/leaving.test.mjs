import assert from "node:assert/strict";
import test from "node:test";

import { isOnTheWay, sayUnlessLeaving, watchLeaving } from "../../../dashboard/browser/shared/messages.js";

const HERE = "/explore";
const LINK = "http://localhost:1/versions";

/** A page on which a click on a link, or beside one, can be made. */
function pageWithLink() {
  let hear;
  const page = { addEventListener: (_, listener) => { hear = listener; } };
  const click = (onLink, keys = {}) => hear({ target: { closest: () => (onLink ? { href: LINK } : null) }, ...keys });
  return { page, click };
}

test("a link to another page is believed in until that page is there, and for some seconds", () => {
  const { page, click } = pageWithLink();
  const way = watchLeaving(page);
  assert.ok(!isOnTheWay(way, HERE, performance.now()));
  click(false);
  assert.ok(!isOnTheWay(way, HERE, performance.now()));
  click(true);
  assert.ok(isOnTheWay(way, HERE, performance.now()));
  assert.ok(!isOnTheWay(way, "/versions", performance.now()));
  assert.ok(!isOnTheWay(way, HERE, performance.now() + 60_000));
});

test("a link that is opened in another tab leaves nothing", () => {
  for (const keys of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) {
    const { page, click } = pageWithLink();
    const way = watchLeaving(page);
    click(true, keys);
    assert.ok(!isOnTheWay(way, HERE, performance.now()));
  }
});

test("what is said on the way waits, and is said if the page stays", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.location = { pathname: HERE };
  globalThis.queryscapeWay = { to: "/versions", until: performance.now() + 60_000 };
  const said = [];
  sayUnlessLeaving(() => said.push("stays"), () => true);
  let isHere = true;
  sayUnlessLeaving(() => said.push("leaves"), () => isHere);
  t.mock.timers.tick(1000);
  assert.deepEqual(said, []);
  isHere = false;
  globalThis.queryscapeWay.until = -Infinity;
  t.mock.timers.tick(1000);
  assert.deepEqual(said, ["stays"]);
});
