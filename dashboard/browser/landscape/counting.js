// What counts as relevant under the hand. Rows come by rising similarity, so a similarity threshold is a split.
// Scores are looked up in what Python computed; nothing here knows a formula.
import { attribute, make, show, write } from "../shared/elements.js";
import { count, fBetaName, NOTHING, significant } from "../shared/format.js";
import { bitAt } from "../shared/store.js";

const SLACK = 1e-6;
const COUNTS_OF = new WeakMap();

/** The first of `n` rising similarities that reaches the threshold; `n` if none does. */
export function splitIndex(similarity, n, minSimilarity) {
  const least = minSimilarity - SLACK;
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (similarity[middle] >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many of rows i..n-1 are core publications, for every i up to n. */
export function coreFrom(core, n) {
  const counts = new Uint32Array(n + 1);
  for (let i = n - 1; i >= 0; i--) counts[i] = counts[i + 1] + core[i];
  return counts;
}

/** Rows of the core publications: those found, and those missed that have a place. */
export function coreRows(core, n) {
  const found = [];
  const missed = [];
  for (let row = 0; row < core.length; row++) if (core[row]) (row < n ? found : missed).push(row);
  return { found: Uint32Array.from(found), missed: Uint32Array.from(missed) };
}

/** What is counted once per points payload. */
export function countsOf(points) {
  if (!COUNTS_OF.has(points)) {
    const { core } = points.arrays;
    COUNTS_OF.set(points, { accepted: coreFrom(core, points.header.n), rows: coreRows(core, points.header.n) });
  }
  return COUNTS_OF.get(points);
}

/** How many rows a bitset holds, and how many of them are core. */
export function countMask(mask, core, n) {
  let nRelevant = 0;
  let nAccepted = 0;
  for (let row = 0; row < n; row++) {
    if (!bitAt(mask, row)) continue;
    nRelevant++;
    nAccepted += core[row];
  }
  return { nRelevant, nAccepted };
}

/** Which rows the current region accepts. One object, changed in place: nothing is allocated while the hand moves. */
export class Relevance {
  constructor() {
    /** @type {PointsPayload | null} */ this.points = null;
    this.n = 0;
    /** @type {string | null} */ this.region = null;
    /** Region cosine: rows from here on are relevant. */
    this.split = 0;
    /** @type {Uint8Array | null} The other regions: a bitset over the rows; null where the region is undefined. */
    this.mask = null;
    /** @type {string | null} Why nothing is known to be relevant. */ this.reason = null;
    this.nRelevant = 0;
    this.nAccepted = 0;
  }

  /**
   * Follow the hand. Tells how much changed: "same", "split" (rows between two splits), or "all".
   * @param {PointsPayload} points
   * @param {RegionsPayload | null} regions
   * @param {Live} live
   */
  follow(points, regions, live) {
    const other = points !== this.points || live.region !== this.region;
    this.points = points;
    this.n = points.header.n;
    this.region = live.region;
    return live.region === "cosine" ? this.#followSplit(points, live.min_similarity, other) : this.#followMask(points, regions, other);
  }

  has(row) {
    if (row >= this.n) return false;
    if (this.region === "cosine") return row >= this.split;
    return this.mask !== null && bitAt(this.mask, row) === 1;
  }

  #followSplit(points, minSimilarity, other) {
    const known = Number.isFinite(minSimilarity);
    const split = known ? splitIndex(points.arrays.similarity, this.n, minSimilarity) : this.n;
    this.reason = known ? null : "there is no similarity threshold";
    if (!other && split === this.split) return "same";
    this.split = split;
    this.mask = null;
    this.nRelevant = this.n - split;
    this.nAccepted = countsOf(points).accepted[split];
    return other ? "all" : "split";
  }

  #followMask(points, regions, other) {
    const mask = regions?.arrays[`mask_${this.region}`] ?? null;
    this.reason = mask ? null : regions?.header.undefined?.[this.region ?? ""] ?? "not computed yet";
    if (!other && mask === this.mask) return "same";
    this.mask = mask;
    const counts = mask ? countMask(mask, points.arrays.core, this.n) : { nRelevant: 0, nAccepted: 0 };
    this.nRelevant = counts.nRelevant;
    this.nAccepted = counts.nAccepted;
    return "all";
  }
}

/** The scores to show under the hand. Undefined ones are NaN, and `reason` says why. */
export class Readout {
  constructor() {
    this.coreAccepted = this.semanticPrecision = this.decay = this.fBeta = NaN;
    /** @type {string | null} */ this.reason = null;
  }

  /** Look the scores up: at the split for cosine, else in what the server sent of the region. */
  follow(relevance, curve, scores) {
    const ofRegion = scores?.regions?.find(({ kind }) => kind === relevance.region);
    if (relevance.region === "cosine") this.#atSplit(relevance, curve, ofRegion?.status);
    else this.#ofRegion(relevance, ofRegion);
  }

  #atSplit({ points, split, n, reason }, curve, status) {
    const fits = curve !== null && curve.arrays.f_beta.length === n + 1;
    const undefinedBecause = reason ?? (n > 0 ? null : status && status !== "ok" ? status : "nothing was retrieved");
    const at = (scores) => (undefinedBecause ? NaN : scores?.[split] ?? NaN);
    this.coreAccepted = at(points.arrays.core_accepted);
    this.semanticPrecision = at(points.arrays.semantic_precision);
    this.decay = at(fits ? curve.arrays.decay : null);
    this.fBeta = at(fits ? curve.arrays.f_beta : null);
    this.reason = undefinedBecause ?? (fits ? "not defined at this similarity threshold" : "computing");
  }

  #ofRegion(relevance, scores) {
    const known = scores?.status === "ok" && !relevance.reason;
    this.coreAccepted = known ? scores.core_accepted ?? NaN : NaN;
    this.semanticPrecision = known ? scores.semantic_precision ?? NaN : NaN;
    this.decay = known ? scores.decay ?? NaN : NaN;
    this.fBeta = known ? scores.f_beta ?? NaN : NaN;
    const status = !scores || scores.status === "ok" ? "computing" : scores.status;
    this.reason = scores?.pending ?? relevance.reason ?? status;
  }
}

/** Of these rows, how many are relevant. */
export function countRelevant(rows, relevance) {
  let n = 0;
  for (let i = 0; i < rows.length; i++) if (relevance.has(rows[i])) n++;
  return n;
}

const SPOKEN_AFTER_MS = 500;
const SHOWS_VERSION = "The landscape shows the open version. Run the search string to update it.";

/** Counts and scores that follow the hand, and, when it rests, are read by screen readers. */
export class ReadoutLine {
  /** `hear(words)` is called with the words for screen readers. */
  constructor(hear) {
    this.hear = hear;
    this.items = {
      relevant: readoutItem("relevant"), core_accepted: readoutItem("core accepted"),
      semantic_precision: readoutItem("semantic precision"), decay: readoutItem("decay"), f_beta: readoutItem("F2"),
    };
    this.kept = readoutItem("core kept,");
    this.toRead = readoutItem("to read");
    this.note = make("span", { class: "readout-name" });
    this.isDraft = false;
    this.isEmpty = false;
    this.element = make("div", { class: "readout", "data-testid": "readout" }, ...this.#all());
    this.status = make("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.timer = 0;
  }

  #all() {
    return Object.values(this.items).map(({ element }) => element);
  }

  /** Where the scores stand elsewhere on the page: only what moving the threshold trades, in one sentence. */
  makeSentence() {
    this.element.classList.add("sentence");
    this.element.replaceChildren(this.kept.element, this.toRead.element, this.note);
    this.#explain();
  }

  /** While a search string is edited, the landscape and its counts are those of the version that is open. */
  showDraft(isDraft) {
    this.isDraft = isDraft;
    this.#explain();
  }

  /** Say in words what numbers would get wrong. */
  #explain() {
    const words = this.isDraft ? SHOWS_VERSION : this.isEmpty ? "No retrieved publication can be scored." : "";
    write(this.note, words);
    for (const { element } of [this.kept, this.toRead]) show(element, !words);
  }

  /** Definitions, and room for the longest number so that nothing jumps. */
  describe({ header }) {
    for (const name of ["core_accepted", "semantic_precision", "decay", "f_beta"]) {
      this.items[name].help = header.texts?.[name] ?? "";
    }
    this.kept.help = this.items.core_accepted.help;
    this.toRead.help = "Retrieved publications that the region accepts as relevant.";
    this.items.relevant.value.style.minWidth = `${2 * count(header.n).length + 4}ch`;
    this.items.core_accepted.value.style.minWidth = `${2 * count(header.n_core).length + 12}ch`;
  }

  follow(relevance, readout, { header }, live) {
    const { items } = this;
    this.isEmpty = relevance.n === 0;
    this.#explain();
    const isDefined = relevance.n > 0 && !relevance.reason;
    const counted = (n, all) => (isDefined ? `${count(n)} of ${count(all)}` : null);
    const share = scoreText(readout.coreAccepted);
    const accepted = share && `${counted(relevance.nAccepted, header.n_core)} (${share})`;
    const why = relevance.reason ?? readout.reason;
    this.#write(items.relevant, counted(relevance.nRelevant, relevance.n), why);
    this.#write(this.toRead, counted(relevance.nRelevant, relevance.n), why);
    this.#write(this.kept, counted(relevance.nAccepted, countsOf(relevance.points).rows.found.length), why);
    this.#write(items.core_accepted, accepted, readout.reason);
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
    write(this.status, parts.join(", "));
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
