import assert from "node:assert/strict";
import test from "node:test";

import { guidePlace, opensHere } from "../../../dashboard/browser/navigation/guide_links.js";

test("a link leads to a page of the guide, and to a heading of it", () => {
  assert.deepEqual(guidePlace("?guide=numbers"), { name: "numbers", heading: "" });
  assert.deepEqual(guidePlace("?guide=install#where-your-data-is"), { name: "install", heading: "where-your-data-is" });
  for (const href of ["#guide", "https://example.org/?guide=numbers", "", undefined, null]) assert.equal(guidePlace(href), null);
});

test("only a plain click opens a link here", () => {
  const plain = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, defaultPrevented: false };
  assert.equal(opensHere(plain), true);
  for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey", "defaultPrevented"]) assert.equal(opensHere({ ...plain, [key]: true }), false);
  assert.equal(opensHere({ ...plain, button: 1 }), false);
});
