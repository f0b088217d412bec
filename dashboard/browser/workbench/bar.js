// The line above the editor: how the search string is read, undo and redo, and Run.
import { attribute, make, show, write } from "../shared/elements.js";
import { Choice, button, copyButton, enable } from "../shared/controls.js";
import { percentWords } from "../shared/numbers.js";

const SEMANTICS = [
  ["literal", "Literal", "A word finds that word only: cat does not find cats. Wildcards work."],
  ["stemmed", "Stemmed", "A word finds its other forms too: cat also finds cats. What exact databases don't do."],
];

const OVER = "A live source opens the page Sources first: what is sent, lost and paid is seen before anything is sent";

const CHANGING = ["n_retrieved", "n_found", "recall", "semantic_precision", "f_beta"];
/** What is no search string is in no dialect. */
const AUTO_WORDS = { empty: "Auto", question: "Auto: plain words" };

/** Calls `ask(kind, more)`; `flush()` tells first what was typed, `textOf()` gives it. */
export class Bar {
  constructor({ ask, flush, textOf }) {
    this.ask = ask;
    this.dialect = make("select", { class: "field", "aria-label": "Written for", "data-stay": "dialect" });
    this.dialect.addEventListener("change", () => ask("dialect", { dialect: this.dialect.value }));
    this.semantics = new Choice("How words are matched", SEMANTICS, (value) => {
      this.semantics.set(value);
      ask("semantics", { semantics: value });
    });
    this.undo = button("Undo", () => { flush(); ask("undo"); });
    this.redo = button("Redo", () => ask("redo"));
    this.run = button("Run", () => { flush(); ask("run"); }, {
      kind: "primary", title: "Saves the search string as a version and evaluates it",
    });
    this.copy = copyButton("Copy", textOf, { title: "Copy the search string" });
    this.madeUp = make("span", { class: "badge", title: "This topic was made up to try things out" }, "made up");
    this.topic = make("span", { class: "topic" });
    this.working = make("span", { class: "working", role: "status" });
    const read = make("label", { class: "labelled" }, make("span", {}, "Written for"), this.dialect);
    const left = make("div", { class: "bar-group" }, this.topic, this.madeUp, read, this.semantics.element);
    this.over = make("select", { class: "field", "aria-label": "Run over", title: OVER });
    this.over.addEventListener("change", () => this.#elsewhere(flush));
    this.place = make("label", { class: "labelled" }, make("span", {}, "Run over"), this.over);
    const right = make("div", { class: "bar-group end" }, this.working, this.undo, this.redo, this.copy, this.place, this.run);
    this.noteWords = make("span", {});
    this.since = make("span", { class: "since" });
    this.note = make("p", { class: "note" }, this.noteWords, this.since);
    this.element = make("div", { class: "bar-line", role: "group", "aria-label": "Search string" }, left, right);
  }

  update(data, { dialect, semantics }) {
    write(this.topic, data.topic ?? "");
    show(this.topic, Boolean(data.topic));
    show(this.madeUp, Boolean(data.made_up));
    this.#options(data, dialect);
    this.#places(data);
    this.semantics.set(semantics ?? data.semantics);
    write(this.noteWords, data.semantics_note || "");
    write(this.since, isChanged(data) ? "Small numbers with a sign: change since the version that is open" : "");
    const { undo, redo, label } = data.history ?? {};
    enable(this.undo, Boolean(undo));
    enable(this.redo, Boolean(redo));
    attribute(this.undo, "title", undo && label ? `Takes back: ${label}` : null);
    enable(this.run, data.kind !== "empty" || Boolean(data.text));
  }

  /** The first option says what "Auto" made of it. */
  #options({ dialects = [], dialect, confidence, chosen, kind }, typed) {
    const label = dialects.find(({ id }) => id === dialect)?.label ?? dialect ?? "";
    const sure = typeof confidence === "number" ? `, ${percentWords(confidence)} sure` : "";
    const auto = chosen === "auto" && label && AUTO_WORDS[kind] === undefined ? `Auto: ${label}${sure}` : (AUTO_WORDS[kind] ?? "Auto");
    const options = [["auto", auto], ...dialects.map((each) => [each.id, each.label])];
    const key = JSON.stringify(options);
    if (this.optionsKey !== key) {
      this.optionsKey = key;
      this.dialect.replaceChildren(...options.map(([value, words]) => make("option", { value }, words)));
    }
    this.dialect.value = typed ?? chosen ?? "auto";
  }

  /** Here, or one of the live sources. */
  #places({ live_sources: sources = [] }) {
    show(this.place, sources.length > 0);
    const key = JSON.stringify(sources);
    if (this.placesKey === key) return;
    this.placesKey = key;
    const options = [["", "this topic"], ...sources.map(({ id, label }) => [id, `${label} …`])];
    this.over.replaceChildren(...options.map(([value, words]) => make("option", { value }, words)));
  }

  /** The local run stays what Run does: a source that is chosen is gone to at once. */
  #elsewhere(flush) {
    const source = this.over.value;
    this.over.value = "";
    if (!source) return;
    flush();
    this.ask("live", { source });
  }

  /** The quiet sign that something is being computed. */
  work(words) {
    this.working.classList.toggle("on", Boolean(words));
    write(this.working, words ?? "");
  }
}

/** Whether any number is another one than at the version that is open. */
function isChanged({ summary, before }) {
  return Boolean(summary && before) && CHANGING.some((key) => summary[key] !== before[key]);
}
