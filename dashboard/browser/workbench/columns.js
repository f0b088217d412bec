// The columns of the tree: their heads, what they mean, and how a cell is filled.
import { attribute, make, write } from "../shared/elements.js";
import { count, NOTHING, significant } from "../shared/format.js";
import { signedScore } from "../shared/numbers.js";

/** In their order on screen. `whole`: a count. `bars`: with a bar against the largest of all terms. */
export const COLUMNS = [
  { key: "n_alone", label: "Alone", whole: true, help: "Publications that it matches by itself." },
  { key: "n_in_context", label: "In context", whole: true, help: "Retrieved publications that it matches." },
  { key: "n_unique", label: "Unique", whole: true, bars: true, help: "Retrieved publications that only it brings: they are lost without it." },
  { key: "core", label: "Core", whole: true, help: "Core publications that it matches by itself." },
  { key: "core_unique", label: "Core unique", whole: true, help: "Core publications that only it brings: they are lost without it." },
  { key: "semantic_precision_unique", label: "Precision unique", help: "Semantic precision of what only it brings." },
  { key: "read_per_core", label: "Read per core", help: "Publications to read for each core publication, among those it matches of the retrieved." },
  { key: "f_beta_change_if_removed", label: "F-beta without", signed: true, help: "How the F-beta changes without it. Above zero: better without." },
];

/** The head of the table. */
export function headCells() {
  const head = (name, words, help) => make("span", { class: `cell ${name}`, role: "columnheader", title: help }, words);
  return [
    head("use", "Use", "Switch parts off to see what is left without them."), head("what", "Term or group", null),
    ...COLUMNS.map(({ label, help }) => head("number", label, help)),
  ];
}

const SHORTEST_BAR = 0.08; // a shorter one looks like a speck

/** Write a number, or a dash where it isn't known. */
export function fillCell({ key, label, whole, signed, help }, { cell, value, track }, node, most, isGroup) {
  const number = unknown(node) ? null : node[key];
  const text = signed ? signedScore(number) : (whole ? count : significant)(number);
  write(value, text);
  cell.classList.toggle("none", text === NOTHING || number === 0);
  attribute(cell, "title", `${label}: ${text === NOTHING ? "not known" : text}. ${help}${key === "n_unique" ? keptOut(node) : ""}`);
  cell.classList.toggle("better", Boolean(signed) && typeof number === "number" && number > 0.0005);
  if (!track) return;
  const share = isGroup ? 0 : Math.min(1, (number ?? 0) / most);
  track.style.setProperty("--share", share < SHORTEST_BAR ? 0 : share);
}

/** What is switched off or can't be tested here matches nothing in particular: a 0 would be wrong. */
function unknown({ untestable, off, flags = [] }) {
  return untestable || off || flags.includes("not_testable");
}

/** A part of an AND brings nothing that goes with it: what comes without it says more. */
function keptOut({ n_gained_if_removed: gained }) {
  return gained > 0 ? ` Without it ${count(gained)} more are retrieved.` : "";
}
