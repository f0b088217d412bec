// The row of numbers under the editor: what the search string retrieves and is worth, and what has changed.
import { attribute, make, show, write } from "../shared/elements.js";
import { count, countOf, interval, NOTHING, percentAlong, significant } from "../shared/format.js";
import { changeSince, signedCount, signedScore } from "../shared/numbers.js";

const SUMMARY_CELLS = [
  ["n_retrieved", "Retrieved", "Publications of the corpus that the search string matches."],
  ["n_found", "Core found", "Core publications among them, of all that the topic has."],
  ["recall", "Core recall", "Share of all core publications that are found."],
  ["semantic_precision", "Semantic precision", "Share of the retrieved that lie close enough to the core, by cosine."],
  ["f_beta", "F-beta", "Core recall and semantic precision in one number; it falls the more there is to read."],
];
const WHOLE_NUMBERS = new Set(["n_retrieved", "n_found"]);

/** Patched with every answer. `untestable` says how many terms are left out; it stands beside the terms. */
export class Summary {
  constructor() {
    this.cells = new Map(SUMMARY_CELLS.map(([key, label, help]) => [key, this.#cell(key, label, help)]));
    this.untestable = make("p", { class: "untestable" });
    this.row = make("dl", { class: "numbers", "data-testid": "summary" });
    this.row.append(...[...this.cells.values()].map(({ element }) => element));
    this.element = make("section", { class: "summary", "aria-label": "What it retrieves" }, this.row);
  }

  #cell(key, label, help) {
    const value = make("span", { class: "value" });
    const of = make("span", { class: "of" });
    const change = make("span", { class: "change" });
    const parts = [make("span", { class: "figures" }, value, of, change)];
    const range = make("span", { class: "range" });
    const at = make("span", { class: "at" });
    const whisker = make("span", { class: "whisker", "aria-hidden": "true" }, range, at);
    if (!WHOLE_NUMBERS.has(key)) parts.push(whisker);
    const data = make("dd", {}, ...parts);
    const element = make("div", { class: "number-cell", title: help }, make("dt", {}, label), data);
    return { element, value, of, change, whisker, range, at, help };
  }

  update({ summary, before }) {
    show(this.row, Boolean(summary));
    if (!summary) return write(this.untestable, "");
    for (const [key, cell] of this.cells) this.#fill(key, cell, summary, before);
    const n = summary.n_untestable;
    const words = `${countOf(n, "term")} can’t be tested here and ${n === 1 ? "is" : "are"} left out`;
    write(this.untestable, n ? words : "");
    return undefined;
  }

  #fill(key, cell, summary, before) {
    const whole = WHOLE_NUMBERS.has(key);
    const number = summary[key];
    write(cell.value, (whole ? count : significant)(number));
    if (key === "n_retrieved") write(cell.of, summary.n_corpus ? `of ${count(summary.n_corpus)}` : "");
    if (key === "n_found") write(cell.of, `of ${count(summary.n_core)}`);
    const change = changeSince(before?.[key], number, whole ? signedCount : signedScore);
    write(cell.change, change);
    const was = `${(whole ? count : significant)(before?.[key])} in the version that is open`;
    attribute(cell.change, "title", change ? was : null);
    const ends = key === "recall" ? summary.recall_interval : null;
    attribute(cell.element, "title", ends ? `${cell.help} 95 % interval: ${interval(ends[0], ends[1])}.` : cell.help);
    if (whole) return;
    const known = typeof number === "number";
    show(cell.at, known);
    show(cell.range, known && Boolean(ends));
    if (known) cell.at.style.left = percentAlong(number);
    if (known && ends) {
      cell.range.style.left = percentAlong(ends[0]);
      cell.range.style.right = percentAlong(1 - ends[1]);
    }
    cell.element.classList.toggle("unknown", cell.value.textContent === NOTHING);
  }
}
