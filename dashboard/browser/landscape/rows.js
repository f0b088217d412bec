// The rows and columns of the table of publications.
import { attribute, make } from "../shared/elements.js";
import { count, doiAddress, listedTitle, NOTHING, significant } from "../shared/format.js";
import { SHORTEST_FIND } from "../shared/store.js";
import { fillText } from "./grid.js";

// Which rows the table shows, and in which order. Pure: arrays in, arrays out.
// Rows below `n` were retrieved, most similar last; rows from `n` on are core publications that were missed.

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

// The columns of the table: what stands in each, how it sorts, what it is in a file.

const SHORT = { cosine: "Cos", nearest_core: "Near", mvee: "Ell", hull: "Hull", cluster: "Clus" };

/**
 * Columns for a payload. `table` tells what moves: isPicked(row), titleOf(row), isRetracted(row), doiOf(row), verdict(kind) as a function
 * of a row (null: the region is undefined) and undefinedReason(kind). Besides what a Grid needs, each column has
 * sortKey(row), descendingFirst, and value(row), which goes into a file.
 */
export function columnsFor(points, table) {
  const { header, arrays } = points;
  return [
    pickColumn(table),
    rankColumn(header),
    titleColumn(table),
    yearColumn(arrays),
    similarityColumn(arrays),
    ...header.kinds.map((kind) => regionColumn(kind, header.n, table)),
    coreColumn(header, arrays),
    sourcesColumn(header, arrays),
    doiColumn(table),
  ];
}

function pickColumn(table) {
  return {
    key: "pick", label: "Picked", size: "pick", sortable: false,
    start: (cell) => cell.append(make("span", { class: "tick", "aria-hidden": "true" })),
    fill(cell, row) {
      const picked = table.isPicked(row);
      cell.classList.toggle("on", picked);
      attribute(cell, "aria-label", picked ? "picked" : "not picked");
    },
  };
}

function rankColumn({ n }) {
  return {
    key: "rank", label: "Rank", size: "rank", sortable: true, descendingFirst: false,
    help: "Rank by similarity to the core: 1 is the most similar.",
    fill: (cell, row) => fillText(cell, count(rankOf(row, n))),
    sortKey: (row) => rankOf(row, n),
    value: (row) => rankOf(row, n),
  };
}

function titleColumn(table) {
  return {
    key: "title", label: "Title", size: "title", sortable: true, descendingFirst: false,
    fill(cell, row) {
      const retracted = table.isRetracted(row);
      fillText(cell, listedTitle(table.titleOf(row), retracted), table.titleOf(row) || null);
      cell.classList.toggle("retracted", retracted);
    },
    sortKey: (row) => sortableTitle(table.titleOf(row)),
    value: (row) => table.titleOf(row),
  };
}

/** What only a file has a column for; the grid says it before the title. */
export function retractedColumn(table) {
  return { label: "Retracted", value: (row) => (table.isRetracted(row) ? "yes" : "") };
}

function yearColumn({ year }) {
  return {
    key: "year", label: "Year", size: "year", sortable: true, descendingFirst: true,
    fill: (cell, row) => fillText(cell, year[row] ? String(year[row]) : NOTHING),
    sortKey: (row) => year[row] || null,
    value: (row) => year[row] || null,
  };
}

function similarityColumn({ similarity }) {
  return {
    key: "similarity", label: "Similarity", size: "similarity", sortable: true, descendingFirst: true,
    help: "Cosine similarity to the centre of the core publications.",
    fill: (cell, row) => fillText(cell, significant(similarity[row])),
    sortKey: (row) => similarity[row],
    value: (row) => Number(similarity[row].toPrecision(7)),
  };
}

function regionColumn({ kind, label, help }, n, table) {
  const reason = table.undefinedReason(kind);
  const verdictOf = (row) => (row < n ? table.verdict(kind)?.(row) ?? null : null);
  return {
    key: `relevant:${kind}`, label: `Relevant: ${label}`, short: SHORT[kind] ?? label.slice(0, 4), size: "region",
    help: reason ? `${label}: not defined (${reason})` : `${label}: ${help}`, sortable: true, descendingFirst: true,
    start: (cell) => cell.append(make("span", { class: "mark", "aria-hidden": "true" })),
    fill(cell, row) {
      const verdict = verdictOf(row);
      cell.firstChild.className = verdict ? "mark relevant" : verdict === null ? "mark undefined" : "mark outside";
      attribute(cell, "aria-label", verdict ? "relevant" : verdict === null ? "not defined" : "not relevant");
    },
    sortKey: (row) => (verdictOf(row) === null ? null : Number(verdictOf(row))),
    value: (row) => (verdictOf(row) === null ? null : verdictOf(row) ? "yes" : "no"),
  };
}

function coreColumn({ n }, { core }) {
  const words = (row) => (core[row] ? (row < n ? "core found" : "core missed") : "");
  return {
    key: "core", label: "Core", size: "core", sortable: true, descendingFirst: true,
    help: "Core publications: found by the query, or missed.",
    start: (cell) => cell.append(make("span", { class: "mark", "aria-hidden": "true" })),
    fill(cell, row) {
      cell.firstChild.className = core[row] ? `mark ${row < n ? "core-found" : "core-missed"}` : "mark";
      attribute(cell, "aria-label", words(row) || null);
      attribute(cell, "title", words(row) || null);
    },
    sortKey: (row) => core[row],
    value: words,
  };
}

function sourcesColumn({ sources = [] }, { source }) {
  const names = (row) => sources.filter((_, bit) => (source[row] >> bit) & 1).join("; ");
  return {
    key: "sources", label: "Found by", size: "sources", sortable: true, descendingFirst: true,
    help: "Number of query versions that retrieve it.",
    fill: (cell, row) => fillText(cell, count(sourcesOf(source[row])), names(row) || "no query version"),
    sortKey: (row) => sourcesOf(source[row]),
    value: names,
  };
}

function doiColumn(table) {
  return {
    key: "doi", label: "DOI", size: "doi", sortable: true, descendingFirst: false,
    start: (cell) => cell.append(make("a", { target: "_blank", rel: "noopener noreferrer", tabindex: -1 })),
    fill(cell, row) {
      const doi = table.doiOf(row);
      const address = doiAddress(doi);
      attribute(cell.firstChild, "href", address);
      attribute(cell.firstChild, "title", address && `${doi} (opens in a new tab)`);
      fillText(cell.firstChild, address ? doi : "", cell.firstChild.title || null);
    },
    sortKey: (row) => table.doiOf(row),
    value: (row) => table.doiOf(row),
  };
}
