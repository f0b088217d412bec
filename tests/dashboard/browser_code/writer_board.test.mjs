// The board of the Writer: what the hand did before it is answered, where keys lead, numbers in words.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  keyAfter, listOfKey, nextKey, placeAt, placeOf, withChanges, broughtWords, keywordFlags, keywordNumbers, lastWords,
  moveWords, raisesScore, spokenKeyword,
} from "../../../dashboard/browser/board/keywords.js";

const LISTS = [
  { id: "specific", rows: [{ key: "a" }, { key: "b" }, { key: "c" }] },
  { id: "general", rows: [{ key: "d" }] },
  { id: "overarching", rows: [] },
  { id: "excluded", rows: [] },
  { id: "aside", rows: [{ key: "e" }, { key: "f" }] },
];
const keysOf = (lists) => Object.fromEntries(lists.map(({ id, rows }) => [id, rows.map(({ key }) => key).join("")]));

test("what was moved or deleted shows at once, in the order in which it was done", () => {
  const changes = [
    { kind: "move", key: "b", to: "general", place: 0 }, { kind: "delete", key: "e" },
    { kind: "move", key: "b", to: "overarching" }, { kind: "move", key: "gone", to: "aside" },
  ];
  const now = withChanges(LISTS, changes);
  assert.deepEqual(keysOf(now), { specific: "ac", general: "d", overarching: "b", excluded: "", aside: "f" });
  assert.equal(placeOf(now, "b").row.stale, true);
  assert.equal(keysOf(LISTS).specific, "abc");
  assert.deepEqual(keysOf(withChanges(LISTS, [{ kind: "move", key: "a", to: "specific", place: 2 }])).specific, "bca");
});

test("any changes lose and double nothing but what is deleted", () => {
  let state = 5;
  const roll = (most) => (state = (state * 1103515245 + 12345) % 2147483648) % most;
  for (let round = 0; round < 200; round++) {
    const changes = Array.from({ length: roll(8) }, () => {
      return { kind: "move", key: "abcdefx"[roll(7)], to: LISTS[roll(5)].id, place: roll(2) ? roll(5) : undefined };
    });
    const all = Object.values(keysOf(withChanges(LISTS, changes))).join("");
    assert.equal([...all].sort().join(""), "abcdef");
  }
});

test("arrows lead through a list and to the next one that has something", () => {
  assert.deepEqual(["ArrowDown", "ArrowUp", "End", "Home", "ArrowRight", "x"].map((key) => nextKey(LISTS, "b", key)), ["c", "a", "c", "a", "d", "b"]);
  assert.equal(nextKey(LISTS, "d", "ArrowRight"), "e");
  assert.equal(nextKey(LISTS, "f", "ArrowRight"), "f");
  assert.equal(nextKey(LISTS, "f", "ArrowLeft"), "d");
  assert.equal(nextKey(LISTS, "a", "ArrowUp"), "a");
  assert.equal(nextKey(LISTS, "gone", "ArrowUp"), "a");
});

test("a pile is sorted key by key: the keyboard goes on to the next one", () => {
  assert.deepEqual(["a", "c", "d"].map((key) => keyAfter(LISTS, key)), ["b", "b", "d"]);
  assert.deepEqual(["s", "G", "o", "x", "A", "q"].map(listOfKey), ["specific", "general", "overarching", "excluded", "aside", null]);
});

test("what is let go falls between the rows above and below it", () => {
  assert.deepEqual([0, 15, 25, 99].map((y) => placeAt([10, 20, 30], y)), [0, 1, 2, 3]);
  assert.equal(placeAt([], 4), 0);
});

const ROW = {
  key: "shade", text: "shade", n_alone: 1234, core_found: 9, n_unique: 12, core_unique: 2, unique_share: 0.18, read_per_core: 21.66,
  without: 0.0031, flags: ["single_point_of_failure", "harmful"], waits: false,
  if_moved: { specific: { n_retrieved: 310, n_found: 12, f_beta: 0.5, f_beta_change: -0.02 }, general: { n_retrieved: 301, n_found: 9, f_beta: null, f_beta_change: null } },
};

test("numbers stand in their columns; aside, they say what it would change", () => {
  assert.deepEqual(keywordNumbers(ROW, "specific"), { n_alone: "1,234", core_found: "9", unique: "18 %", price: "+0.003" });
  assert.deepEqual(keywordNumbers(ROW, "aside"), { n_alone: "1,234", core_found: "9", unique: "−0.020", price: "–" });
  assert.deepEqual(raisesScore(ROW, "specific"), { unique: false, price: true });
  assert.deepEqual(raisesScore(ROW, "aside"), { unique: false, price: false });
  assert.equal(keywordNumbers({ text: "new" }, "general").n_alone, "–");
});

test("flags are in plain words, those that ask for something first", () => {
  const flags = keywordFlags({ ...ROW, waits: true }, 2);
  assert.deepEqual(flags.map(({ words }) => words), ["better without", "waits", "only this finds 2 core"]);
  assert.deepEqual(flags.map(({ warns }) => warns), [true, true, false]);
  assert.match(flags[0].help, /F2 is higher/);
});

test("moves, turns and keywords in words", () => {
  const now = { n_retrieved: 300, n_found: 9 };
  assert.equal(moveWords(ROW.if_moved.specific, now, 2), "F2 −0.020 · +10 publications · +3 core");
  assert.equal(moveWords(ROW.if_moved.general, now, 2), "+1 publication");
  assert.equal(moveWords(undefined, now, 2), "");
  assert.equal(lastWords({ message: "Moved “a” to General", n_retrieved: -4, n_found: 1, f_beta: 0.0123 }, 2), "Moved “a” to General. 4 publications fewer, +1 core, F2 +0.012.");
  assert.equal(lastWords({ message: "Deleted “a”", n_retrieved: 0, n_found: 0, f_beta: null }, 2), "Deleted “a”. No other change.");
  assert.equal(lastWords(null, 2), "");
  assert.equal(spokenKeyword(ROW, "Specific", 15, 2), "shade, in Specific, 1,234 publications, 9 of 15 core, without it F2 +0.003, better without, only this finds 2 core");
  assert.equal(broughtWords(ROW, 15, true)[0], "In 1,234 publications; among them 9 of the 15 core publications in use.");
  assert.equal(broughtWords(ROW, 15, false)[1], "12 publications depend on it alone, 2 of them core.");
  assert.deepEqual(broughtWords({}, 15, false), []);
});
