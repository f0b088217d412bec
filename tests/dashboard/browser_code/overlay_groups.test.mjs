// Who has what on the overlaid landscape. test_versions_text.py writes the file that the last tests read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { csvOf } from "../../../dashboard/browser/shared/files.js";
import { unpack, Titles } from "../../../dashboard/browser/shared/store.js";
import {
  groupsOf, groupTallies, heldBy, overlayEntries, overlayTable,
} from "../../../dashboard/browser/versions/overlay.js";
import {
  placedEntries, coreSlice, drawingOrder, paintDots,
} from "../../../dashboard/browser/versions/overlay_picture.js";

const PLACE = process.env.QUERYSCAPE_OVERLAYS;
const OPTIONS = PLACE ? {} : { skip: "run by test_versions_text.py, which writes what is expected" };

test("one alone, several, none", () => {
  assert.deepEqual([...groupsOf(Uint8Array.of(0, 1, 2, 3), 2)], [0, 1, 2, 3]);
  assert.deepEqual([...groupsOf(Uint8Array.of(0, 1, 2, 4, 3, 5, 6, 7), 3)], [0, 1, 2, 3, 4, 4, 4, 4]);
});

test("in words", () => {
  assert.equal(heldBy(0, ["a", "b"]), "Neither version retrieves it.");
  assert.equal(heldBy(1, ["a", "b"]), "Only a retrieves it.");
  assert.equal(heldBy(3, ["a", "b"]), "Both versions retrieve it.");
  assert.equal(heldBy(5, ["a", "b", "c"]), "a and c retrieve it.");
});

test("every group is drawn once, what nobody has below the others", () => {
  assert.deepEqual(drawingOrder(2), [0, 3, 1, 2]);
  assert.deepEqual(drawingOrder(3).toSorted(), [0, 1, 2, 3, 4]);
});

test("a core mark is whole, a part or a ring", () => {
  assert.deepEqual([coreSlice(0, 2), coreSlice(3, 2)], [null, [0, 1]]);
  assert.notDeepEqual(coreSlice(1, 2), coreSlice(2, 2));
});

test("dots are drawn where they are, and only those of groups that are shown", () => {
  const image = { width: 40, height: 20, data: new Uint8ClampedArray(40 * 20 * 4).fill(255) };
  const camera = { pixelX: (x) => x, pixelY: (y) => y, closeness: 1 };
  const colours = { not_relevant: "#888888", relevant: "#0000ff", second: "#00ff00", text: "#000000" };
  const arrays = { x: Float32Array.of(10, 30, 30), y: Float32Array.of(10, 10, NaN), core: Uint8Array.of(0, 0, 0) };
  paintDots(image, {
    arrays, groups: Uint8Array.of(1, 2, 1), nPlaced: 3, nVersions: 2, camera, colours, scale: 1, shows: (code) => code === 1,
  });
  const at = (x, y) => [...image.data.subarray((y * 40 + x) * 4, (y * 40 + x) * 4 + 3)];
  assert.ok(at(10, 10)[0] < 90 && at(10, 10)[2] === 255);
  assert.deepEqual(at(30, 10), [255, 255, 255]);
});

test("the legend of a file wraps, and leaves nothing out", () => {
  const entries = Array.from({ length: 9 }, (_, k) => ({ label: `entry ${k}`, n: k }));
  const { places, high } = placedEntries(entries, 300, (words) => words.length * 7);
  assert.equal(places.length, 9);
  assert.equal(high, places.at(-1).y + 20);
  assert.ok(places.every(({ words, x }) => x === 18 || x + words.length * 7 <= 300));
});

test("counts are those of Python, and the table lists every publication once", OPTIONS, () => {
  const scenes = JSON.parse(readFileSync(PLACE, "utf8"));
  assert.ok(scenes.length > 3);
  for (const { payload, counts, ids } of scenes) {
    const { header, arrays } = unpack(new Uint8Array(Buffer.from(payload, "base64")));
    const groups = groupsOf(arrays.members, header.labels.length);
    const tallies = groupTallies(groups, arrays.core, header.n_placed, header.labels.length);
    assert.deepEqual(tallies.map(({ n, nCore, nUnplaced }) => [n, nCore, nUnplaced]), counts);
    const entries = overlayEntries({ header, arrays }, groups);
    const shown = (kind) => entries.filter((entry) => entry.kind === kind).reduce((n, entry) => n + entry.n, 0);
    assert.equal(shown("dots"), ids.length);
    assert.equal(shown("core"), arrays.core.reduce((n, is) => n + is, 0));
    const named = new Titles(arrays.ids);
    const table = overlayTable({ header, arrays }, groups, (row) => named.title(row), () => "=t", () => true);
    assert.deepEqual(table.slice(1).map(([id]) => id), ids);
    assert.ok(ids.length === 0 || csvOf(table).includes("'=t"));
    assert.equal(overlayTable({ header, arrays }, groups, String, String, (code, core) => core && !code).length - 1, counts[0][1]);
  }
});
