// Core publications that the search string misses: why, and which small edits would bring them back.
import { make } from "../shared/elements.js";
import { count, countOf } from "../shared/format.js";
import { priceWords } from "../shared/numbers.js";
import { button, enable, nothing, placeButton, redraw } from "../shared/controls.js";

const WHY_MISSED = {
  near_miss: ["near miss", "One part of the search string keeps it out, and it nearly matches."],
  fails_block: ["fails a block", "At least one part of the search string doesn’t match it."],
  removed_by_not: ["removed by NOT", "A NOT takes it out again."],
  no_abstract: ["no abstract", "Its abstract isn’t known here, so only its title can match."],
  not_in_corpus: ["not in the corpus", "No wording finds it here."],
  found: ["found", "The search string retrieves it."],
};
const VERDICT_ORDER = Object.keys(WHY_MISSED);
const HOPELESS = new Set(["not_in_corpus", "found"]);

/** Calls `ask(kind, more)`. */
export class MissedCore {
  constructor({ ask, editor }) {
    Object.assign(this, { ask, editor, asked: null });
    this.list = make("ul", { class: "rows" });
    this.found = make("ul", { class: "rows found-list" });
    this.summary = make("summary", {});
    this.details = make("details", {}, this.summary, this.found);
    this.note = make("div", {});
    this.element = make("div", { class: "missed-core" }, this.note, this.list, this.details);
  }

  update({ core = [], seq }, isAwaited) {
    if (!isAwaited) this.asked = null;
    const missed = core.filter(({ found }) => !found).sort((a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict));
    const found = core.filter((entry) => entry.found);
    redraw(this.note, `${core.length} ${missed.length}`, () => this.#words(core, missed));
    redraw(this.list, JSON.stringify([missed, this.asked]), () => missed.map((entry) => this.#row(entry)));
    this.details.hidden = found.length === 0;
    const head = `${countOf(found.length, "core publication")} found`;
    redraw(this.summary, head, () => [head]);
    redraw(this.found, JSON.stringify(found.map((entry) => entry.publication_id)), () => found.map(foundRow));
    this.last = { core, seq };
  }

  #words(core, missed) {
    if (!core.length) return [nothing("This topic has no core publications to check the search string with.")];
    return missed.length ? [] : [nothing(`All ${count(core.length)} core publications are found.`)];
  }

  #row(entry) {
    const { publication_id: id, title, verdict, sentence, failing = [], evidence = [], rescues } = entry;
    const [words, help] = WHY_MISSED[verdict] ?? [verdict, ""];
    const places = failing.map((span, at) => {
      const said = span.text.replace(/\s+/g, " ");
      return placeButton(said.length > 60 ? `${said.slice(0, 59)}…` : said, span, this.editor, { "data-stay": `fails-${id}-${at}` });
    });
    const [only] = failing.length === 1 ? failing : [];
    const show = only ? placeButton("Show", only, this.editor, { "data-stay": `fails-${id}`, "aria-label": `Show ${only.text}` }) : "";
    const body = make("div", { class: "said" }, make("strong", {}, title || "No title"), make("p", {}, `${sentence} `, show));
    if (places.length > 1) body.append(make("p", { class: "fails" }, ...places));
    const more = evidence.filter(({ message }) => !says(sentence, message));
    if (more.length) body.append(make("ul", { class: "evidence" }, ...more.map(({ message }) => make("li", {}, message))));
    if (rescues) body.append(this.#rescues(id, rescues));
    const row = make("li", { class: "row missed" }, make("span", { class: `verdict ${verdict}`, title: help }, words), body);
    if (!rescues && !HOPELESS.has(verdict)) row.append(make("div", { class: "act" }, this.#how(id)));
    return row;
  }

  #how(id) {
    const waits = this.asked === id;
    const press = button(waits ? "Looking for edits …" : "How to rescue it", () => {
      if (this.ask("rescues", { publication_id: id }) === false) return;
      this.asked = id;
      this.update(this.last, true);
    }, { "data-stay": `how-${id}` });
    enable(press, !waits);
    return press;
  }

  #rescues(id, rescues) {
    if (!rescues.length) {
      const none = { class: "nothing", tabindex: -1, "data-stay": `how-${id}` };
      return make("p", none, "No small edit brings it back without more noise than it is worth.");
    }
    // The list takes over the keyboard from the button that asked for it.
    return make("ol", { class: "rescues", tabindex: -1, "aria-label": "Edits that rescue it", "data-stay": `how-${id}` }, ...rescues.slice(0, 5).map((rescue, index) => {
      const accept = button("Accept", () => this.ask("rescue", { publication_id: id, index }), {
        "aria-label": `Accept: ${rescue.label}`, "data-stay": `rescue-${id}-${index}`,
      });
      const said = make("div", { class: "said" }, make("span", {}, rescue.label), make("span", { class: "effect" }, priceWords(rescue)));
      return make("li", {}, said, accept);
    }));
  }
}

/** Whether a sentence ends with a message: then it needn't stand there twice. */
function says(sentence, message) {
  return Boolean(message) && sentence.toLowerCase().endsWith(message.toLowerCase());
}

function foundRow({ title }) {
  return make("li", { class: "row" }, make("span", { class: "mark core-found", "aria-hidden": "true" }), make("span", {}, title || "No title"));
}
