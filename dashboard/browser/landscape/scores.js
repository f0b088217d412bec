// The scores: one line for the region that is chosen, and below it, when asked for, core recall and a card per region.
import { button, Whisker } from "../shared/controls.js";
import { attribute, hit, make, oncePerFrame, show, write } from "../shared/elements.js";
import { betaIndex, count, countOf, interval, NOTHING, significant } from "../shared/format.js";
import { Part } from "../shared/part.js";
import { wearColours } from "../shared/theme.js";
import { splitIndex } from "./counting.js";
import { Strip } from "./strip.js";

/** Hides the sentence that compares the open version with its parent, since the numbers are a draft's. */
const DRAFTED = "data-draft";
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Shows what Python computed; while the similarity threshold moves, what Python computed for where it is. */
export class Scores extends Part {
  constructor(root, store, python) {
    super(root, store, python);
    /** @type {Map<string, RegionCard>} */ this.cards = new Map();
    /** @type {any} */ this.data = null;
    this.open = false;
    this.recall = new RecallCard();
    this.choice = make("div", { class: "regions", role: "radiogroup", "aria-label": "Region" });
    this.choice.addEventListener("keydown", (event) => this.key(event));
    this.choice.addEventListener("click", (event) => this.choose(hit(event, ".card")?.dataset.kind));
    for (const event of ["pointerover", "focusin"]) {
      this.choice.addEventListener(event, (moved) => store.hover(hit(moved, ".card")?.dataset.kind ?? null));
    }
    for (const event of ["pointerleave", "focusout"]) this.choice.addEventListener(event, () => store.hover(null));
    this.cardRow = make("div", { class: "cards", id: "regions" }, this.recall.element, this.choice);
    this.strip = new Strip({
      choose: (kind) => this.choose(kind), list: (filter) => this.#list(filter), unfold: () => this.#showAll(),
    });
    this.showsAll = false;
    this.cardRow.addEventListener("click", (event) => this.#list(hit(event, "[data-filter]")?.dataset.filter));
    this.warning = make("span", { class: "warning-text" });
    this.more = button("", () => this.#unfold(), { kind: "link", "aria-controls": "warnings" });
    const icon = make("span", { class: "warning-icon", "aria-hidden": "true" });
    this.warningLine = make("span", { class: "warning" }, icon, this.warning, this.more);
    this.unscorable = make("span", { class: "unscorable" });
    this.others = make("ul", { class: "warnings", id: "warnings", hidden: "" });
    this.notes = make("div", { class: "notes" }, this.warningLine, this.unscorable);
    root.append(this.strip.element, this.cardRow, make("div", { role: "status" }, this.notes, this.others));
    this.frame = oncePerFrame(() => this.draw());
    const wear = () => wearColours(root, store);
    this.listen({ live: () => this.frame.ask(), draft: () => this.draw(), data: () => { wear(); this.frame.ask(); }, look: wear });
  }

  /** List what a number counts in the table, whose chips do the same by keyboard. */
  #list(filter) {
    if (filter) this.store.list(filter);
  }

  #showAll() {
    this.showsAll = !this.showsAll;
    this.draw();
  }

  #unfold() {
    this.open = !this.open;
    this.drawNotes();
  }

  update(data) {
    this.data = data;
    this.store.scores = data;
    wearColours(this.root, this.store);
    attribute(this.root, "data-echo", data.echo);
    this.arrange();
    this.draw();
    this.drawNotes();
    this.store.tell("scores");
  }

  destroy() {
    super.destroy();
    document.body.removeAttribute(DRAFTED);
    this.frame.stop();
  }

  /** One card for each region there is now, in Python's order; cards that stay are kept. */
  arrange() {
    const kinds = this.data.regions.map(({ kind }) => kind);
    for (const [kind, card] of this.cards) {
      if (kinds.includes(kind)) continue;
      card.element.remove();
      this.cards.delete(kind);
    }
    kinds.forEach((kind, at) => {
      const { element } = this.#cardOf(kind);
      if (this.choice.children[at] !== element) this.choice.insertBefore(element, this.choice.children[at] ?? null);
    });
    this.cardRow.style.setProperty("--n", String(kinds.length));
  }

  #cardOf(kind) {
    const card = this.cards.get(kind) ?? new RegionCard(kind);
    this.cards.set(kind, card);
    return card;
  }

  draw() {
    if (!this.data) return;
    const { beta, regions } = this.data;
    const { texts = {}, labels = {} } = this.store.points?.header ?? {};
    this.recall.update({ ...this.data, texts, labels });
    const chosen = this.chosen();
    for (const region of regions) {
      const card = this.#cardOf(region.kind);
      const live = region.kind === "cosine" ? this.underTheHand(region) : null;
      const coverage = region.kind === "cosine" ? this.data.coverage : "";
      card.update(region, live ?? region, { beta, texts, labels, coverage, live: live !== null });
      attribute(card.element, "aria-checked", region.kind === chosen);
      attribute(card.element, "tabindex", region.kind === chosen ? 0 : -1);
    }
    document.body.toggleAttribute(DRAFTED, Boolean(this.store.draft));
    this.#drawStrip(regions.find(({ kind }) => kind === chosen), texts);
  }

  /** The chosen region in one line; a report has no line, and all regions. */
  #drawStrip(region, texts) {
    const { strip, store, data } = this;
    show(strip.element, Boolean(data.in_strip));
    show(this.cardRow, !data.in_strip || this.showsAll);
    attribute(strip.more, "aria-expanded", this.showsAll);
    if (!data.in_strip) return;
    const live = region.kind === "cosine" ? this.underTheHand(region) : null;
    if (store.draft) strip.drawDraft(store.draft, { beta: data.beta, texts });
    else strip.drawVersion(data, region, live ?? region, { live: live !== null, texts, before: store.before });
  }

  /** The region that is chosen: as the hand has it, else the first. */
  chosen() {
    return this.cards.has(this.store.live.region) ? this.store.live.region : this.data.regions[0]?.kind;
  }

  /**
   * What Python computed for the similarity threshold where the hand has it, or null if the server's scores are of the
   * same split. So the live numbers stay until the answer to the last move is there, however late an older one comes.
   */
  underTheHand(region) {
    const { points, curve, live } = this.store;
    if (live.region !== "cosine" || region.status !== "ok" || region.pending) return null;
    if (!points || !curve || live.min_similarity === undefined) return null;
    const { n } = points.header;
    if (n !== this.data.n_scorable || curve.arrays.f_beta.length !== n + 1) return null;
    const split = splitIndex(points.arrays.similarity, n, live.min_similarity);
    if (n - split === region.n_relevant) return null;
    return {
      n_relevant: n - split,
      semantic_precision: points.arrays.semantic_precision[split],
      decay: curve.arrays.decay[split],
      f_beta: curve.arrays.f_beta[split],
    };
  }

  choose(kind) {
    if (!kind || !this.cards.has(kind)) return;
    if (kind !== this.chosen()) this.store.commit({ region: kind });
  }

  key(event) {
    const kinds = [...this.cards.keys()].filter((kind) => this.data.regions.some((region) => region.kind === kind));
    const at = kinds.indexOf(hit(event, ".card")?.dataset.kind ?? "");
    if (at < 0) return;
    const next = { Home: 0, End: kinds.length - 1, " ": at, Enter: at }[event.key]
      ?? (event.key in STEPS ? (at + STEPS[event.key] + kinds.length) % kinds.length : null);
    if (next === null) return;
    event.preventDefault();
    this.choose(kinds[next]);
    this.#cardOf(kinds[next]).element.focus();
  }

  drawNotes() {
    const { warnings, n_unscorable: nUnscorable } = this.data;
    const [first, ...others] = warnings;
    show(this.warningLine, warnings.length > 0);
    write(this.warning, first ?? "");
    attribute(this.warning, "title", first ?? null);
    show(this.more, others.length > 0);
    write(this.more, this.open ? "fewer" : `${count(others.length)} more`);
    attribute(this.more, "aria-expanded", this.open);
    show(this.others, this.open && others.length > 0);
    while (this.others.children.length > others.length) this.others.lastChild?.remove();
    while (this.others.children.length < others.length) this.others.append(make("li"));
    others.forEach((text, at) => write(this.others.children[at], text));
    show(this.notes, warnings.length > 0 || nUnscorable > 0);
    write(this.unscorable, nUnscorable ? `${count(nUnscorable)} without a vector` : "");
    const words = `${countOf(nUnscorable, "retrieved publication")} without a vector: no region counts them.`;
    attribute(this.unscorable, "title", nUnscorable ? words : null);
  }
}

const LISTS = "Click to list them in the table.";
const READ_PER_CORE = "Retrieved publications to read for each core publication found.";

/** What both kinds of card have: label, large value, whisker, two small lines, and a description to be read out. */
class Card {
  constructor(attributes) {
    this.label = make("span", { class: "label" });
    this.value = make("span", { class: "value" });
    this.whisker = new Whisker();
    this.first = make("div", { class: "small" });
    this.second = make("div", { class: "small" });
    this.words = make("span", { class: "unseen" });
    this.head = make("div", { class: "head" }, this.label);
    this.main = make("div", { class: "main" }, this.value);
    this.element = make("div", { class: "card", ...attributes });
    this.element.append(this.head, this.main, this.whisker.element, this.first, this.second, this.words);
  }

  /** Texts of one small line, with their tooltips and what of the table they count: [[text, definition, filter], ...]. */
  line(target, parts) {
    while (target.children.length > parts.length) target.lastChild.remove();
    while (target.children.length < parts.length) target.append(make("span"));
    parts.forEach(([text, definition, filter], at) => {
      write(target.children[at], text);
      attribute(target.children[at], "title", [definition, filter && LISTS].filter(Boolean).join(" ") || null);
      attribute(target.children[at], "data-filter", filter);
    });
  }

  /** What is read out: `id` has to be the card's own in its shadow root. */
  describe(id, text) {
    this.words.id = id;
    write(this.words, text);
    attribute(this.element, "aria-describedby", id);
  }
}

/** Core recall with its interval. */
class RecallCard extends Card {
  constructor() {
    super({ class: "card recall", role: "group", tabindex: 0, "data-testid": "recall-card" });
  }

  update({ recall, texts, labels }) {
    const { value, low, high, n_found: nFound, n_core: nCore, attainable, read_per_core: readPerCore } = recall;
    const ends = `95 % interval (Wilson): ${interval(low, high)}.`;
    const definition = `${texts.recall ?? ""} ${ends}`.trim();
    write(this.label, labels.recall ?? "Core recall");
    write(this.value, significant(value));
    this.head.title = this.main.title = this.whisker.element.title = definition;
    this.whisker.set(value, [low, high]);
    const found = [[`${count(nFound)} of ${count(nCore)} core found`, definition, "core"]];
    if (attainable !== null && attainable !== undefined && significant(attainable) !== significant(value)) {
      found.push([`attainable ${significant(attainable)}`, texts.attainable_recall]);
    }
    this.line(this.first, found);
    const read = readPerCore === null || readPerCore === undefined
      ? [] : [[`read ${significant(readPerCore)} publications per core found`, texts.read_per_core ?? READ_PER_CORE]];
    this.line(this.second, read);
    attribute(this.element, "aria-label", `${this.label.textContent} ${significant(value)}`);
    const rest = [...found, ...read].map(([text]) => text).join(", ");
    this.describe("recall-words", `${definition} ${rest}. ${found[1]?.[1] ?? ""}`);
  }
}

/** One region: its F-beta, what it is made of, and whether it is the one that is shown. */
class RegionCard extends Card {
  constructor(kind) {
    super({ role: "radio", "aria-checked": "false", tabindex: -1, "data-testid": `region-${kind}`, "data-kind": kind });
    this.kind = kind;
    this.beta = make("sub", {});
    this.name = make("span", { class: "beta" }, "F", this.beta);
    this.waiting = make("span", { class: "waiting", hidden: "" });
    this.main.append(this.name, this.waiting);
    this.head.append(make("span", { class: "live-dot", title: "Follows the similarity threshold as it moves" }));
  }

  /** `numbers` are what is shown: the server's, or those under the hand when `live`. */
  update(region, numbers, { beta, texts, labels, coverage, live }) {
    const isDefined = region.status === "ok" && !region.pending;
    const range = live ? null : region.f_beta_range;
    this.element.classList.toggle("live", live);
    this.element.classList.toggle("degenerate", isDefined && Boolean(region.degenerate) && !live);
    this.element.classList.toggle("undefined", !isDefined);
    write(this.label, region.label);
    this.head.title = [region.label, live ? "" : region.defines].filter(Boolean).join(": ");
    write(this.beta, betaIndex(beta));
    show(this.value, !region.pending);
    show(this.name, isDefined);
    show(this.waiting, Boolean(region.pending));
    write(this.waiting, region.pending ?? "");
    write(this.value, isDefined ? significant(numbers.f_beta) : NOTHING);
    this.main.title = this.whisker.element.title = this.definition(region, texts, range, coverage);
    this.whisker.set(isDefined ? numbers.f_beta : null, range);
    this.small(region, numbers, { isDefined, live, texts, labels });
    const value = region.pending ?? (isDefined ? `F${betaIndex(beta)} ${significant(numbers.f_beta)}` : region.status);
    attribute(this.element, "aria-label", `${region.label}: ${value}`);
  }

  definition(region, texts, range, coverage) {
    const moves = range && `Between ${interval(...range)} as the core set varies.`;
    const degenerate = region.degenerate && `Degenerate: ${region.degenerate}.`;
    return [texts.f_beta, moves, moves && coverage, degenerate].filter(Boolean).join(" ");
  }

  small(region, numbers, { isDefined, live, texts, labels }) {
    const relevant = [countOf(numbers.n_relevant, "relevant", "relevant"), relevantWords(region, live), "relevant"];
    const decay = [`decay ${significant(numbers.decay)}`, texts.decay];
    const range = live ? null : region.semantic_precision_range;
    const moves = range ? ` Between ${interval(...range)} as the core set varies.` : "";
    const name = (labels.semantic_precision ?? "Semantic precision").toLowerCase();
    const definition = `${texts.semantic_precision ?? ""}${moves}`;
    const precision = [`${name} ${significant(numbers.semantic_precision)}`, definition];
    const reason = region.pending ? "" : region.status;
    const degenerate = !live && region.degenerate;
    this.first.classList.toggle("reason", !isDefined || Boolean(degenerate));
    this.second.hidden = !isDefined;
    if (!isDefined) this.line(this.first, [[reason, reason]]);
    else if (degenerate) this.line(this.first, [[region.degenerate, `Degenerate: ${region.degenerate}.`]]);
    else this.line(this.first, [relevant, decay]);
    this.line(this.second, degenerate ? [relevant, decay] : [precision]);
    const parts = isDefined ? [relevant, precision, decay].map(([text, words]) => `${text}: ${words ?? ""}`) : [];
    const sentences = [live ? "" : region.defines && `${region.defines}.`, texts.f_beta, ...parts, degenerate];
    this.describe(`words-${region.kind}`, sentences.filter(Boolean).join(" "));
  }
}

function relevantWords({ label, n_accepted: nAccepted, core_accepted: coreAccepted, defines }, live) {
  if (live) return `Retrieved publications that the region “${label}” accepts.`;
  const accepted = typeof nAccepted === "number" && typeof coreAccepted === "number"
    ? ` Core accepted: ${significant(coreAccepted)} (${countOf(nAccepted, "core publication")}).` : "";
  return `Retrieved publications that the region “${label}” accepts${defines ? ` (${defines})` : ""}.${accepted}`;
}

/** What the version before had, in the region that is shown; it draws nothing itself. */
export class ScoresBefore extends Part {
  update({ before }) {
    this.root.hidden = true;
    this.store.before = before;
    this.store.tell("draft");
  }

  destroy() {
    super.destroy();
    this.store.before = null;
  }
}
