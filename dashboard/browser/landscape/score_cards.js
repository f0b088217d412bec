// The cards of the score row. Python has computed every number; here they are written down.
import { attribute, make, show, write } from "../shared/elements.js";
import { betaIndex, count, countOf, interval, NOTHING, percentAlong, significant } from "../shared/format.js";

const READ_PER_CORE = "How many retrieved publications are read for each core publication that was found.";

/** A thin line from 0 to 1 with an interval on it. */
class Whisker {
  constructor() {
    this.range = make("span", { class: "range" });
    this.value = make("span", { class: "at" });
    this.element = make("div", { class: "whisker", "aria-hidden": "true" }, this.range, this.value);
  }

  set(value, ends) {
    const known = typeof value === "number";
    this.element.classList.toggle("unknown", !known);
    show(this.value, known);
    show(this.range, known && Boolean(ends));
    if (known) this.value.style.left = percentAlong(value);
    if (!known || !ends) return;
    this.range.style.left = percentAlong(ends[0]);
    this.range.style.right = percentAlong(1 - ends[1]);
  }
}

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

  /** Texts of one small line, each with its own tooltip: [[text, definition], ...]. */
  line(target, parts) {
    while (target.children.length > parts.length) target.lastChild.remove();
    while (target.children.length < parts.length) target.append(make("span"));
    parts.forEach(([text, definition], at) => {
      write(target.children[at], text);
      attribute(target.children[at], "title", definition || null);
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
export class RecallCard extends Card {
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
    const found = [[`${count(nFound)} of ${count(nCore)} core found`, definition]];
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
export class RegionCard extends Card {
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
    const relevant = [countOf(numbers.n_relevant, "relevant", "relevant"), relevantWords(region, live)];
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
    const said = [live ? "" : region.defines && `${region.defines}.`, texts.f_beta, ...parts, degenerate];
    this.describe(`words-${region.kind}`, said.filter(Boolean).join(" "));
  }
}

function relevantWords({ label, n_accepted: nAccepted, defines }, live) {
  if (live) return `Retrieved publications that the region “${label}” accepts.`;
  const accepted = typeof nAccepted === "number" ? ` ${countOf(nAccepted, "core publication")} accepted.` : "";
  return `Retrieved publications that the region “${label}” accepts${defines ? ` (${defines})` : ""}.${accepted}`;
}
