// The search string in the languages of other databases, with what gets lost on the way. And the lines of a long search.
import { make } from "../shared/elements.js";
import { count, countOf, NOTHING } from "../shared/format.js";
import { copiedLines } from "../shared/text.js";
import { copyButton, nothing, placeButton, redraw } from "../shared/controls.js";

/** One box for each database. Python is asked when the tab is opened. */
export class Translate {
  constructor({ editor }) {
    this.editor = editor;
    this.element = make("div", { class: "translate" });
  }

  update({ translations, text, nodes = [] }, isAwaited) {
    const isWhole = !nodes.some(({ off }) => off);
    redraw(this.element, JSON.stringify([translations, isAwaited, isWhole]), () => this.#build(translations, text, isAwaited, isWhole));
  }

  #build(translations, text, isAwaited, isWhole) {
    if (!translations) return [nothing(isAwaited ? "Translating …" : "There is nothing to translate yet.")];
    if (!translations.length) return [nothing("There is nothing to translate yet.")];
    const note = isWhole ? [] : [make("p", { class: "panel-line weights" }, "What is switched off is still in here.")];
    return [...note, make("div", { class: "boxes" }, ...translations.map((each) => this.#box(each, text)))];
  }

  #box({ dialect, label, text: written, losses = [] }, text) {
    const state = losses.length ? countOf(losses.length, "difference") : "says the same";
    const head = make("header", {}, make("h4", {}, label), make("span", { class: losses.length ? "losses-state" : "exact" }, state),
      copyButton("Copy", () => written, { "aria-label": `Copy for ${label}`, "data-stay": `copy-${dialect}` }));
    const body = make("pre", { tabindex: 0, "aria-label": `${label}, search string` }, written);
    const items = losses.map(({ start, end, status, message }, at) => {
      const words = text.slice(start, end).replace(/\s+/g, " ").trim();
      const place = end > start ? placeButton(words.length > 36 ? `${words.slice(0, 35)}…` : words, { start, end }, this.editor, {
        "data-stay": `loss-${dialect}-${at}`,
      }) : "";
      return make("li", {}, make("span", { class: "status" }, String(status ?? "").replaceAll("_", " ")), place, make("span", {}, message));
    });
    return make("article", { class: "box" }, head, body, ...(items.length ? [make("ul", { class: "losses" }, ...items)] : []));
  }
}

/** The lines of a search in lines: their hits, and which ones nothing uses. */
export class Lines {
  constructor({ editor }) {
    this.editor = editor;
    this.lines = [];
    this.copy = copyButton("Copy lines", () => copiedLines(this.lines), { title: "As numbered lines with their hits" });
    this.list = make("div", {});
    this.element = make("div", { class: "search-lines" }, make("div", { class: "panel-line" }, this.copy), this.list);
  }

  update({ lines = [] }) {
    this.lines = lines;
    redraw(this.list, JSON.stringify(lines), () => [this.#table(lines)]);
  }

  #table(lines) {
    const head = ["Line", "Search", "Hits", ""].map((words) => make("th", { scope: "col" }, words));
    const rows = lines.map(({ number, text, hits, used, start, end }) => make("tr", { class: used ? "" : "unused" },
      make("th", { scope: "row" }, String(number)),
      make("td", { class: "line-text" }, placeButton(text, { start, end }, this.editor, { "data-stay": `line-${number}` })),
      make("td", { class: "number" }, typeof hits === "number" ? count(hits) : NOTHING),
      make("td", {}, used ? "" : make("span", { class: "flag warns", title: "No later line uses it, so it changes nothing." }, "not used"))));
    return make("table", { class: "line-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }
}
