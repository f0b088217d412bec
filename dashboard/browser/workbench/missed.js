// Core publications that are missed, grouped by what keeps them out, and the edits that bring them back.
import { button, nothing, placeButton, redraw } from "../shared/controls.js";
import { make, scrollWithin } from "../shared/elements.js";
import { count, countOf, priceWords } from "../shared/format.js";

const HELP = {
  near_miss: "One part of the search string excludes them, but they nearly match.",
  fails_block: "At least one part of the search string doesn’t match them.",
  removed_by_not: "A NOT excludes them.",
  no_abstract: "Their abstracts are missing here, so only their titles can match.",
  not_in_version: "The search string as read here matches them, but the version does not contain them.",
  not_in_corpus: "No wording finds them here.",
};
const HOPELESS = new Set(["not_in_version", "not_in_corpus"]);
const LONGEST_PART = 40;
const MOST_RESCUES = 5;

/** Calls `ask(kind, more)`, `open(id)` to show one on the landscape, `read(id)` to open its record. */
export class MissedCore {
  constructor({ ask, editor, open, read }) {
    this.ask = ask;
    this.editor = editor;
    this.show = open;
    this.read = read;
    /** @type {string | null} The publication whose reason is unfolded. */ this.unfolded = null;
    this.waits = false;
    /** @type {any} */ this.last = {};
    this.reasons = make("div", { class: "reasons" });
    this.found = make("ul", { class: "rows found-list" });
    this.summary = make("summary", {});
    this.details = make("details", {}, this.summary, this.found);
    this.note = make("div", {});
    this.element = make("div", { class: "missed-core" }, this.note, this.reasons, this.details);
  }

  update(data, waits) {
    this.last = data;
    this.waits = waits;
    const { core = [], missed = [], missed_priced: priced } = data;
    const found = core.filter((entry) => entry.found);
    redraw(this.note, `${core.length} ${missed.length}`, () => words(core, missed));
    redraw(this.reasons, JSON.stringify([core, missed, priced, this.unfolded, waits]), () => this.#build(data));
    this.details.hidden = found.length === 0;
    const head = `${countOf(found.length, "core publication")} found`;
    redraw(this.summary, head, () => [head]);
    redraw(this.found, JSON.stringify(found.map((entry) => [entry.publication_id, entry.sentence])), () => found.map(foundRow));
  }

  /** Show why this one is missed, and what would bring it back. */
  unfold(id) {
    const entry = this.last.core?.find(({ publication_id: each }) => each === id);
    if (!entry) return;
    this.unfolded = id;
    this.editor.mark(...(entry.failing ?? []));
    const isAsked = !entry.rescues && !HOPELESS.has(entry.verdict) && this.ask("rescues", { publication_id: id }) !== false;
    this.update(this.last, isAsked);
    const row = this.reasons.querySelector(".missed.unfolded");
    const panel = this.element.closest('[role="tabpanel"]');
    if (row && panel) scrollWithin(panel, row);
  }

  #fold() {
    this.unfolded = null;
    this.editor.mark(null);
    this.update(this.last, this.waits);
  }

  #build({ core = [], missed = [], missed_priced: priced }) {
    const known = new Map(core.map((entry) => [entry.publication_id, entry]));
    return missed.map((reason) => this.#reason(reason, reason.publication_ids.map((id) => known.get(id)).filter(Boolean), priced));
  }

  #reason({ verdict, rescue }, entries, priced) {
    const [first] = entries;
    const head = make("h2", { title: HELP[verdict] }, ...this.#because(verdict, entries.length, first?.failing ?? []));
    const section = make("section", { class: "reason" }, head);
    if (rescue) section.append(this.#best(rescue));
    else if (!priced && !HOPELESS.has(verdict) && first?.failing?.length) section.append(make("p", { class: "effect" }, "Looking for an edit …"));
    section.append(make("ul", { class: "rows" }, ...entries.map((entry) => this.#row(entry))));
    return section;
  }

  /** "11 fail only batter*", with the parts of the search string as buttons that go to them. */
  #because(verdict, n, failing) {
    const one = n === 1;
    const plain = {
      removed_by_not: one ? "1 is removed by NOT" : `${count(n)} are removed by NOT`,
      no_abstract: one ? "1 has no abstract here" : `${count(n)} have no abstract here`,
      not_in_version: one ? "1 is not in the version" : `${count(n)} are not in the version`,
      not_in_corpus: one ? "1 is not in the corpus" : `${count(n)} are not in the corpus`,
    }[verdict];
    if (!failing.length) return [plain ?? (one ? "1 is missed" : `${count(n)} are missed`)];
    const parts = failing.flatMap((span, at) => {
      const wording = span.text.replace(/\s+/g, " ");
      const short = wording.length > LONGEST_PART ? `${wording.slice(0, LONGEST_PART - 1)}…` : wording;
      const place = placeButton(short, span, this.editor, { "data-stay": `fails-${verdict}-${at}-${span.start}` });
      return at ? [at === failing.length - 1 ? " and " : ", ", place] : [place];
    });
    const fail = `${count(n)} ${one ? "fails" : "fail"} ${failing.length === 1 ? "only " : ""}`;
    return [plain ? `${plain}: ` : fail, ...parts];
  }

  #best(rescue) {
    const { publication_id: id, index } = rescue;
    const wording = make("div", { class: "wording" }, make("strong", {}, rescue.label), make("span", { class: "effect" }, priceWords(rescue)));
    const accept = button("Accept", () => this.ask("rescue", { publication_id: id, index }), {
      "aria-label": `Accept: ${rescue.label}`, "data-stay": `best-${id}`,
    });
    return make("div", { class: "best" }, wording, accept);
  }

  #row(entry) {
    const { publication_id: id, title } = entry;
    const isUnfolded = this.unfolded === id;
    const press = make("button", { type: "button", class: "missed-title", "aria-expanded": isUnfolded, "data-stay": `missed-${id}` },
      make("span", { class: "mark core-missed", "aria-hidden": "true" }), make("span", {}, title || "No title"));
    press.addEventListener("click", () => {
      if (isUnfolded) return this.#fold();
      this.show(id);
      return this.unfold(id);
    });
    const row = make("li", { class: `missed${isUnfolded ? " unfolded" : ""}` }, press);
    if (isUnfolded) row.append(this.#why(entry));
    return row;
  }

  #why({ publication_id: id, verdict, sentence, evidence = [], rescues }) {
    const body = make("div", { class: "why" }, make("p", {}, sentence));
    const more = evidence.filter(({ message }) => !says(sentence, message));
    if (more.length) body.append(make("ul", { class: "evidence" }, ...more.map(({ message }) => make("li", {}, message))));
    if (rescues) body.append(this.#rescues(id, rescues));
    else if (this.waits) body.append(make("p", { class: "effect" }, "Looking for edits …"));
    else if (!HOPELESS.has(verdict)) body.append(button("How to rescue it", () => this.unfold(id), { "data-stay": `how-${id}` }));
    body.append(button("Read it", () => this.read(id), { kind: "link", "data-stay": `read-${id}` }));
    return body;
  }

  #rescues(id, rescues) {
    if (!rescues.length) return make("p", { class: "nothing" }, "No small edit finds it without adding too much noise.");
    return make("ol", { class: "rescues", "aria-label": "Edits that rescue it" }, ...rescues.slice(0, MOST_RESCUES).map((rescue, index) => {
      const accept = button("Accept", () => this.ask("rescue", { publication_id: id, index }), {
        "aria-label": `Accept: ${rescue.label}`, "data-stay": `rescue-${id}-${index}`,
      });
      const wording = make("div", { class: "wording" }, make("span", {}, rescue.label), make("span", { class: "effect" }, priceWords(rescue)));
      return make("li", {}, wording, accept);
    }));
  }
}

function words(core, missed) {
  if (!core.length) return [nothing("This topic has no core publications to check the search string with.")];
  return missed.length ? [] : [nothing(`All ${count(core.length)} core publications are found.`)];
}

/** Whether a sentence ends with a message: then it needn't stand there twice. */
function says(sentence, message) {
  return Boolean(message) && sentence.toLowerCase().endsWith(message.toLowerCase());
}

function foundRow({ title, sentence = "" }) {
  const wording = make("div", { class: "wording" }, make("span", {}, title || "No title"));
  if (sentence && sentence !== "Found.") wording.append(make("p", {}, sentence));
  return make("li", { class: "row" }, make("span", { class: "mark core-found", "aria-hidden": "true" }), wording);
}
