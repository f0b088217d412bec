// The numbers of what is shown, each once: the version by the region that is chosen, or a draft that was not run yet.
import { button, numberCell, setOptions } from "../shared/controls.js";
import { attribute, make, show, write } from "../shared/elements.js";
import { betaIndex, changeSince, count, countOf, interval, NOTHING, signedCount, signedScore, significant } from "../shared/format.js";

const CELLS = [
  ["n_found", "Core found", "Core publications retrieved, of all in the topic."],
  ["n_retrieved", "Retrieved", "Publications retrieved."],
  ["semantic_precision", "Semantic precision", ""],
  ["f_beta", "F", ""],
];
const COUNTS = new Set(["n_found", "n_retrieved"]);
/** What a number lists in the table below. */
const FILTERS = { n_found: "core", n_retrieved: "all" };

/** Calls `choose(kind)` for another region, `list(filter)` for what a number counts, `unfold()` for all regions. */
export class Strip {
  constructor({ choose, list, unfold }) {
    this.list = list;
    this.cells = Object.fromEntries(CELLS.map(([key, label, help]) => [key, this.#cell(key, label, help)]));
    this.numbers = make("dl", { class: "numbers" }, ...Object.values(this.cells).map(({ element }) => element));
    this.region = make("select", { class: "field", "aria-label": "Measured by", "data-testid": "measured-by" });
    this.region.addEventListener("change", () => choose(this.region.value));
    this.measured = make("label", { class: "measured" }, make("span", {}, "Measured by"), this.region);
    this.more = button("All regions", unfold, { kind: "quiet", "aria-expanded": "false", "aria-controls": "regions" });
    this.note = make("p", { class: "draft-note" });
    const side = make("div", { class: "side" }, this.measured, this.more, this.note);
    this.element = make("section", { class: "strip", "aria-label": "What it retrieves", "data-testid": "strip" }, this.numbers, side);
    /** @type {import("../shared/store.js").Draft | null} */ this.draft = null;
  }

  #cell(key, label, help) {
    const cell = numberCell(label, help);
    if (!COUNTS.has(key)) return cell;
    const value = button("", () => this.#list(key), { kind: "value lists", title: "List them" });
    cell.value.replaceWith(value);
    return { ...cell, value };
  }

  #list(key) {
    if (this.draft) this.draft.list(key);
    else this.list(FILTERS[key]);
  }

  /** The version, in numbers of a region as the hand has it. `before`: the version that it was made from,
   * if any; the sentence above says how the counts have changed. */
  drawVersion({ recall, n_retrieved: retrieved, beta, regions }, region, numbers, { live, texts, before }) {
    this.draft = null;
    const isDefined = region.status === "ok" && !region.pending;
    const why = isDefined ? "" : `Undefined: ${region.pending ?? region.status}.`;
    const was = before?.region === region.kind && !live ? before : null;
    const { n_found: found, n_core: core, value, low, high } = recall;
    const known = (name) => (isDefined ? numbers[name] : null);
    this.#fill("n_found", found, { of: core, at: value, ends: [low, high], title: `Core recall ${significant(value)}, 95 % interval ${interval(low, high)}.` });
    this.#fill("n_retrieved", retrieved, {});
    for (const name of ["semantic_precision", "f_beta"]) {
      const ends = live ? null : region[`${name}_range`];
      const moves = ends ? `Between ${interval(...ends)} as the core set varies.` : "";
      this.#fill(name, known(name), { at: known(name), ends, was: was?.[name], title: [texts[name], moves, why].filter(Boolean).join(" ") });
    }
    this.element.classList.toggle("degenerate", isDefined && Boolean(region.degenerate) && !live);
    this.#name(beta, was ? `since ${was.label}` : "");
    setOptions(this.region, regions.map(({ kind, label }) => [kind, label]));
    this.region.value = region.kind;
    show(this.measured, true);
    write(this.note, "");
  }

  /** A draft: what a run would give, with the change since the version that is open. */
  drawDraft(draft, { beta, texts }) {
    this.draft = draft;
    const { summary, before } = draft;
    const { n_found: found, n_core: core, recall, recall_interval: ends } = summary;
    this.#fill("n_found", found, { of: core, at: recall, ends, was: before.n_found });
    this.#fill("n_retrieved", summary.n_retrieved, { of: summary.n_corpus, was: before.n_retrieved });
    const why = summary.undefined ? `Undefined: ${summary.undefined}.` : "";
    for (const name of ["semantic_precision", "f_beta"]) {
      this.#fill(name, summary[name], { at: summary[name], was: before[name], title: [texts[name], why].filter(Boolean).join(" ") });
    }
    this.element.classList.remove("degenerate");
    this.#name(beta, "since the open version");
    show(this.measured, false);
    write(this.note, draft.n_errors ? `Not run yet: measured by cosine, in spite of ${countOf(draft.n_errors, "problem")}` : "Not run yet: measured by cosine");
  }

  #name(beta, since) {
    write(this.cells.f_beta.term, `F${betaIndex(beta)}`);
    for (const { change } of Object.values(this.cells)) attribute(change, "title", change.textContent ? `Change ${since}` : null);
  }

  /** @param {string} key @param {any} number @param {Record<string, any>} more */
  #fill(key, number, { of = null, at = null, ends = null, was = undefined, title = "" }) {
    const cell = this.cells[key];
    const isCount = COUNTS.has(key);
    write(cell.value, typeof number === "number" ? (isCount ? count : significant)(number) : NOTHING);
    if (isCount) attribute(cell.value, "aria-disabled", number > 0 ? null : "true");
    write(cell.of, of === null ? "" : `of ${count(of)}`);
    write(cell.change, changeSince(was, number, isCount ? signedCount : signedScore));
    show(cell.whisker.element, at !== null || Boolean(ends));
    cell.whisker.set(at, ends);
    attribute(cell.element, "title", [cell.help, title].filter(Boolean).join(" ") || null);
  }
}
