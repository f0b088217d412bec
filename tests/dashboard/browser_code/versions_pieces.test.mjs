import assert from "node:assert/strict";
import test from "node:test";
import { columnRuns, cutAtSpans, spansInUnits } from "../../../dashboard/browser/shared/text.js";

const PIECES = [
  ["kept", "heat", "Heat"], ["kept", " AND", " and"], ["gone", " tree", ""], ["new", "", " (tree*"], ["new", "", " OR"], ["kept", " x", " x"],
];

test("each column is its own text, neighbours of one fate joined", () => {
  assert.deepEqual(columnRuns(PIECES, 0), [["kept", "heat AND"], ["gone", " tree"], ["kept", " x"]]);
  assert.deepEqual(columnRuns(PIECES, 1), [["kept", "Heat and"], ["new", " (tree* OR"], ["kept", " x"]]);
});

test("spans count characters in Python and units here; overlapping ones become one after the other", () => {
  assert.deepEqual(spansInUnits("a😀b c", [[2, 3]]), [[3, 4]]);
  assert.deepEqual(spansInUnits("abcdef", [[3, 5], [0, 4], [1, 2]]), [[0, 4], [4, 5]]);
});

test("cutting loses nothing, and lit is what the spans hold", () => {
  const runs = columnRuns(PIECES, 1);
  const whole = runs.map(([, text]) => text).join("");
  for (const spans of [[], [[0, whole.length]], [[2, 6], [6, 7], [9, 30]], [[5, 5 + 1]]]) {
    const cut = cutAtSpans(runs, spans);
    assert.equal(cut.map(([, text]) => text).join(""), whole);
    const lit = [...whole].map((_, at) => spans.some(([start, end]) => start <= at && at < end));
    assert.deepEqual(cut.flatMap(([, text, isLit]) => [...text].map(() => isLit)), lit);
    assert.ok(cut.every(([, text]) => text));
  }
});
