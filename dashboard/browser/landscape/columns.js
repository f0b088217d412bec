// The columns of the table: what stands in each, how it sorts, what it is in a file.
import { attribute, make } from "../shared/elements.js";
import { count, doiAddress, NOTHING, significant } from "../shared/format.js";
import { fillText } from "./grid.js";
import { rankOf, sortableTitle, sourcesOf } from "./rows.js";

const SHORT = { cosine: "Cos", nearest_core: "Near", mvee: "Ell", hull: "Hull", cluster: "Clus" };

/**
 * Columns for a payload. `table` tells what moves: isPicked(row), titleOf(row), doiOf(row), verdict(kind) as a function
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
    fill: (cell, row) => fillText(cell, table.titleOf(row) || "No title", table.titleOf(row) || null),
    sortKey: (row) => sortableTitle(table.titleOf(row)),
    value: (row) => table.titleOf(row),
  };
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
    help: "How many of the query versions retrieve it.",
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
