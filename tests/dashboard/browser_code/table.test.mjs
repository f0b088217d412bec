// Which rows the table shows, and in which order.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  FILTERS, foundRows, marksOf, rankedRows, rankOf, shownRows, sortableTitle, sortedRows, sourcesOf, toggled,
} from "../../../dashboard/browser/landscape/rows.js";
import { Titles } from "../../../dashboard/browser/shared/store.js";

// Four rows were retrieved (the last one is the most similar), two core publications were missed.
const N = 4;
const TOTAL = 6;
const CORE = Uint8Array.from([0, 1, 0, 1, 1, 1]);
const YEARS = [2011, 0, 1999, 2011, 0, 2024];

const lines = (...texts) => new Titles(new TextEncoder().encode(texts.join("\n")));
const inColumn = (keys, descending) => [...sortedRows(TOTAL, N, (row) => keys[row], descending)];
const PLAIN = { n: N, core: CORE, isRelevant: (row) => row >= 2, picked: null, found: null };
const shown = (filter, more = {}) => [...shownRows(rankedRows(TOTAL, N), { ...PLAIN, filter, ...more })];

test("rank 1 is the most similar, and what was not retrieved has none", () => {
  assert.deepEqual([0, 3, 4].map((row) => rankOf(row, N)), [4, 1, null]);
  assert.deepEqual([...rankedRows(TOTAL, N)], [3, 2, 1, 0, 4, 5]);
  assert.deepEqual([...rankedRows(0, 0)], []);
});

test("equal keys keep the order of rank, whichever way a column is sorted", () => {
  const years = YEARS.map((year) => year || null);
  assert.deepEqual(inColumn(years, false), [2, 3, 0, 5, 1, 4]);
  assert.deepEqual(inColumn(years, true), [5, 3, 0, 2, 1, 4]);
});

test("rows without a key come last both ways", () => {
  for (const nothing of [null, undefined, NaN]) {
    assert.deepEqual(inColumn([nothing, -2, 0.5, nothing, 10, nothing], false), [1, 2, 4, 3, 0, 5]);
    assert.deepEqual(inColumn([nothing, -2, 0.5, nothing, 10, nothing], true), [4, 2, 1, 3, 0, 5]);
  }
  assert.deepEqual(inColumn(["b", "", "a", "", "c", ""], true), [4, 0, 2, 3, 1, 5]);
  assert.deepEqual(inColumn(new Array(TOTAL).fill(null), true), [3, 2, 1, 0, 4, 5]);
});

test("sorting agrees with a plain sort, and loses no row", () => {
  const total = 2000;
  const keys = Array.from({ length: total }, (_, row) => ((row * 7919) % 101) / 7 - 5);
  for (const descending of [false, true]) {
    const plain = [...rankedRows(total, total)].sort((a, b) => (descending ? keys[b] - keys[a] : keys[a] - keys[b]));
    assert.deepEqual([...sortedRows(total, total, (row) => keys[row], descending)], plain);
  }
});

test("titles sort by their first letter, without case, accents and quotation marks", () => {
  const titles = ["“Zebra” studies", "über alles", "Uber cars", "apple", "Éclair", "2020 vision"];
  const sorted = [...titles].sort((a, b) => (sortableTitle(a) < sortableTitle(b) ? -1 : 1));
  assert.deepEqual(sorted, ["2020 vision", "apple", "Éclair", "über alles", "Uber cars", "“Zebra” studies"]);
  assert.equal(sortableTitle("???"), "???");
  assert.equal(sortableTitle(""), "");
});

test("each chip shows its rows in the order of the column", () => {
  assert.deepEqual(FILTERS.map((filter) => shown(filter)), [[3, 2, 1, 0], [3, 2], [3, 1], [], [4, 5]]);
});

test("missed core publications show as missed, or because they were picked", () => {
  const picked = marksOf([0, 5], TOTAL);
  assert.deepEqual(shown("picked", { picked }), [0, 5]);
  assert.deepEqual(shown("all", { picked }), [3, 2, 1, 0]);
  assert.deepEqual(shown("relevant", { isRelevant: () => true }), [3, 2, 1, 0]);
});

test("what is typed narrows every chip", () => {
  const found = marksOf([1, 3, 4], TOTAL);
  assert.deepEqual(shown("all", { found }), [3, 1]);
  assert.deepEqual(shown("missed", { found }), [4]);
  assert.deepEqual(shown("all", { found: new Uint8Array(TOTAL) }), []);
});

test("every word has to occur: in the title, in the DOI, or as the year", () => {
  const titles = lines("Query expansion", "", "Expansion of 2011 queries", "Boolean QUERY", "x", "Überblick");
  const dois = lines("10.1/abc", "", "10.2/query", "", "", "10.3/Z");
  const find = (typed) => {
    const found = foundRows(typed, { titles, dois, year: YEARS }, TOTAL);
    return found && [...found.keys()].filter((row) => found[row]);
  };
  assert.deepEqual(find("query"), [0, 2, 3]);
  assert.deepEqual(find("  expansion   QUERY "), [0, 2]);
  assert.deepEqual(find("2011"), [0, 2, 3]);
  assert.deepEqual(find("2011 boolean"), [3]);
  assert.deepEqual(find("10.3/z"), [5]);
  assert.deepEqual(find("überblick"), [5]);
  assert.deepEqual(find("nothing like it"), []);
  assert.equal(find("   "), null);
  assert.equal(find("q"), null);
});

test("picking a row again lets go of it", () => {
  assert.deepEqual(toggled(Uint32Array.from([2, 5]), 3), [2, 5, 3]);
  assert.deepEqual(toggled(Uint32Array.from([2, 5]), 5), [2]);
  assert.equal(marksOf([], TOTAL), null);
  assert.deepEqual([...marksOf([1, 99], TOTAL)], [0, 1, 0, 0, 0, 0]);
});

test("the source mask counts its query versions", () => {
  assert.deepEqual([0, 1, 0b101, 0xff].map(sourcesOf), [0, 1, 2, 8]);
});
