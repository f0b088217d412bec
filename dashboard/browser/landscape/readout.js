// The line of numbers under the hand.
import { attribute, make, write } from "../shared/elements.js";
import { count, NOTHING, significant } from "../shared/format.js";
import { fBetaName } from "./tuning.js";

const SPOKEN_AFTER_MS = 500;

/** Counts and scores that follow the hand, and, when it rests, are said to screen readers. */
export class ReadoutLine {
  /** `said(words)` hears what was said. */
  constructor(said) {
    this.hear = said;
    this.items = {
      relevant: readoutItem("relevant"), accepted: readoutItem("core accepted"), recall: readoutItem("recall"),
      semantic_precision: readoutItem("semantic precision"), decay: readoutItem("decay"), f_beta: readoutItem("F2"),
    };
    const items = Object.values(this.items).map(({ element }) => element);
    this.element = make("div", { class: "readout", "data-testid": "readout" }, ...items);
    this.said = make("div", { class: "only-said", role: "status", "aria-live": "polite" });
    this.timer = null;
  }

  /** Definitions, and room for the longest number so that nothing jumps. */
  describe({ header }) {
    for (const name of ["recall", "semantic_precision", "decay", "f_beta"]) {
      this.items[name].help = header.texts?.[name] ?? "";
    }
    this.items.relevant.value.style.minWidth = `${2 * count(header.n).length + 4}ch`;
    this.items.accepted.value.style.minWidth = `${2 * count(header.n_core).length + 4}ch`;
  }

  follow(relevance, readout, { header }, live) {
    const { items } = this;
    const counted = (n, all) => (relevance.reason ? null : `${count(n)} of ${count(all)}`);
    this.#write(items.relevant, counted(relevance.nRelevant, relevance.n), relevance.reason);
    this.#write(items.accepted, counted(relevance.nAccepted, header.n_core), relevance.reason);
    this.#write(items.recall, scoreText(readout.recall), readout.reason);
    this.#write(items.semantic_precision, scoreText(readout.semanticPrecision), readout.reason);
    this.#write(items.decay, scoreText(readout.decay), readout.reason);
    this.#write(items.f_beta, scoreText(readout.fBeta), readout.reason);
    write(items.f_beta.name, fBetaName(live.beta));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#say(), SPOKEN_AFTER_MS);
  }

  #write({ element, value, help }, text, reason) {
    write(value, text ?? NOTHING);
    attribute(element, "title", text === null ? `Undefined: ${reason}` : help || null);
  }

  #say() {
    const parts = Object.values(this.items).map(({ name, value }) => `${name.textContent} ${value.textContent}`);
    write(this.said, parts.join(", "));
    this.hear(parts.join(", "));
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

function readoutItem(label) {
  const name = make("span", { class: "readout-name" }, label);
  const value = make("span", { class: "readout-value" }, NOTHING);
  return { element: make("span", { class: "readout-item" }, name, value), name, value, help: "" };
}

function scoreText(value) {
  return Number.isNaN(value) ? null : significant(value);
}
