// Which rows the table shows, and in which order. Pure: arrays in, arrays out.
// Rows below `n` were retrieved, most similar last; rows from `n` on are core publications that were missed.
import { SHORTEST_FIND } from "../shared/titles.js";

const ASCII = /^[ -~]*$/;

/** What the chips above the table choose from. */
export const FILTERS = ["all", "relevant", "core", "picked", "missed"];

/** Rank by similarity to the core, 1 the most similar; null for what was not retrieved. */
export function rankOf(row, n) {
  return row < n ? n - row : null;
}

/** How many query versions found a row: the bits of its source mask. */
export function sourcesOf(mask) {
  let n = 0;
  for (let rest = mask; rest; rest &= rest - 1) n++;
  return n;
}

/**
 * All rows sorted by a key; rows without one (null, NaN, "") come last either way, equal ones by rank. `keyOf(row)`
 * gives numbers or strings. Keys become whole numbers first, because those sort without a call for each comparison.
 */
export function sortedRows(total, n, keyOf, descending) {
  const order = rankedRows(total, n);
  const keys = Array.from(order, keyOf);
  const distinct = ascending([...new Set(keys.filter(isKey))]);
  const codes = new Map();
  distinct.forEach((key, at) => codes.set(key, descending ? distinct.length - 1 - at : at));
  const packed = Float64Array.from(keys, (key, place) => (codes.get(key) ?? distinct.length) * total + place);
  return Uint32Array.from(packed.sort(), (code) => order[code % total]);
}

/** All rows by rank, the most similar first, those without a rank last. */
export function rankedRows(total, n) {
  const order = new Uint32Array(total);
  for (let place = 0; place < total; place++) order[place] = place < n ? n - 1 - place : place;
  return order;
}

function ascending(keys) {
  return typeof keys[0] === "number" ? Float64Array.from(keys).sort() : keys.sort();
}

function isKey(key) {
  return key !== null && key !== undefined && key !== "" && !Number.isNaN(key);
}

/** A title as it is sorted: small letters, no accents, no quotation marks before the first word. */
export function sortableTitle(title) {
  const small = title.toLowerCase();
  const plain = ASCII.test(small) ? small : small.normalize("NFKD").replace(/\p{M}+/gu, "");
  return plain.replace(/^[^\p{L}\p{N}]+/u, "") || plain;
}

/**
 * The rows of `order` that pass: `filter` is one of FILTERS, `isRelevant(row)` the region's verdict, `picked` and
 * `found` marks per row (null: nothing picked, nothing typed). Missed core rows show as missed, or when picked.
 */
export function shownRows(order, { filter, n, core, isRelevant, picked, found }) {
  const passes = {
    all: (row) => row < n,
    relevant: (row) => row < n && isRelevant(row),
    core: (row) => row < n && core[row] === 1,
    picked: (row) => picked !== null && picked[row] === 1,
    missed: (row) => row >= n,
  }[filter];
  return order.filter((row) => (found === null || found[row] === 1) && passes(row));
}

/** Marks per row from a list of rows, or null for an empty list. */
export function marksOf(rows, total) {
  if (!rows.length) return null;
  const marks = new Uint8Array(total);
  for (const row of rows) if (row < total) marks[row] = 1;
  return marks;
}

/** The list of rows with one of them added, or taken away if it was in it. */
export function toggled(rows, row) {
  const others = Array.from(rows).filter((other) => other !== row);
  return others.length === rows.length ? [...others, row] : others;
}

/**
 * Marks of the rows in which every word of what is typed occurs: in the title, in the DOI, or as the year. Null if too
 * little is typed. `titles` and `dois` are Titles.
 */
export function foundRows(typed, { titles, dois, year }, total) {
  const words = typed.split(/\s+/).filter((word) => word.trim().length >= SHORTEST_FIND);
  if (!words.length) return null;
  const found = new Uint8Array(total).fill(1);
  for (const word of words) {
    const hits = new Uint8Array(total);
    for (const rows of [titles.find(word), dois.find(word)]) for (const row of rows) hits[row] = 1;
    if (/^\d{4}$/.test(word)) markYear(year, Number(word), hits);
    for (let row = 0; row < total; row++) found[row] &= hits[row];
  }
  return found;
}

function markYear(year, wanted, hits) {
  for (let row = 0; row < hits.length; row++) if (year[row] === wanted) hits[row] = 1;
}
