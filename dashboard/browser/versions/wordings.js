// Two wordings side by side, with what is gone and new marked, and below them the effects, in sentences.
import { copyButton, redraw } from "../shared/controls.js";
import { make, write } from "../shared/elements.js";
import { Part } from "../shared/part.js";
import { columnRuns, cutAtSpans, spansInUnits } from "../shared/text.js";
import { isDark } from "../shared/theme.js";

const SIGNS = { kept: "", gone: "del", new: "ins" };

/** Text goes in as text nodes; nothing that a user wrote is ever read as markup. */
export class VersionsText extends Part {
  constructor(root, store, python) {
    super(root, store, python);
    this.columns = [0, 1].map((side) => new TextColumn(side));
    this.inline = make("pre", { class: "wording inline", tabindex: "0", "aria-label": "Both texts in one" });
    this.summary = make("p", { class: "summary", role: "status" });
    this.list = make("ol", { class: "changes" });
    this.readings = make("table", { class: "readings" });
    const texts = make("div", { class: "texts" }, ...this.columns.map((column) => column.element), this.inline);
    const scrolled = make("div", { class: "scroll", role: "group", "aria-label": "How each was read", tabindex: 0 }, this.readings);
    root.append(texts, this.summary, this.list, make("h2", {}, "How each was read"), scrolled);
  }

  update(document) {
    this.root.dataset.theme = isDark(this.root) ? "dark" : "light";
    for (const [name, colour] of Object.entries(document.colours[this.root.dataset.theme])) {
      this.root.style.setProperty(`--${name}`, colour);
    }
    const key = JSON.stringify([document.pieces, document.changes, document.readings]);
    redraw(this.list, key, () => {
      for (const column of this.columns) column.show(document);
      this.#fillInline(document.pieces);
      write(this.summary, document.summary);
      this.readings.replaceChildren(...readingRows(document.readings));
      return document.changes.map((change) => this.#change(change));
    });
  }

  #fillInline(pieces) {
    this.inline.replaceChildren(...pieces.flatMap(([fate, before, after]) => marked(fate, fate === "new" ? after : before)));
  }

  /** One sentence. With the pointer or the keyboard on it, its places in both texts are lit. */
  #change({ kind, sentence, first, second }) {
    const press = make("button", { type: "button", class: "change", "data-stay": sentence }, sentence);
    const light = (on) => {
      for (const [at, column] of this.columns.entries()) column.light(on ? [first, second][at] : []);
    };
    press.addEventListener("pointerenter", () => light(true));
    press.addEventListener("pointerleave", () => light(false));
    press.addEventListener("focus", () => light(true));
    press.addEventListener("blur", () => light(false));
    press.addEventListener("click", () => {
      light(true);
      for (const column of this.columns) column.scrollToLight();
    });
    return make("li", { "data-kind": kind.replace(" ", "-") }, press);
  }
}

/** One of the two texts. */
class TextColumn {
  constructor(side) {
    this.side = side;
    this.name = make("h2", {});
    this.text = make("pre", { class: "wording", tabindex: "0" });
    this.copy = copyButton("Copy", () => this.whole, { class: "quiet" });
    this.element = make("section", { class: `column side-${side}` }, make("header", {}, this.name, this.copy), this.text);
    this.lit = "[]";
  }

  show({ names, pieces }) {
    write(this.name, names[this.side]);
    this.copy.setAttribute("aria-label", `Copy the text of ${names[this.side]}`);
    this.text.setAttribute("aria-label", `Text of ${names[this.side]}`);
    this.runs = columnRuns(pieces, this.side);
    this.whole = this.runs.map(([, text]) => text).join("");
    this.lit = "[]";
    this.#draw([]);
  }

  light(spans) {
    const key = JSON.stringify(spans);
    if (key === this.lit) return;
    this.lit = key;
    this.#draw(spansInUnits(this.whole, spans));
  }

  scrollToLight() {
    /** @type {HTMLElement | null} */ const lit = this.text.querySelector(".lit");
    if (lit) this.text.scrollTo({ top: lit.offsetTop - this.text.clientHeight / 3, behavior: "smooth" });
  }

  #draw(spans) {
    const { scrollTop } = this.text;
    if (!this.whole) this.text.replaceChildren(make("span", { class: "none" }, "The text is unknown."));
    else this.text.replaceChildren(...cutAtSpans(this.runs, spans).flatMap(([fate, text, isLit]) => marked(fate, text, isLit)));
    this.text.scrollTop = scrollTop;
  }
}

/** A run as elements. White space around a mark is not marked. */
function marked(fate, text, isLit = false) {
  if (!text) return [];
  const tag = SIGNS[fate];
  if (!tag && !isLit) return [text];
  const [, lead, body, trail] = /** @type {RegExpExecArray} */ (/^(\s*)([^]*?)(\s*)$/.exec(text));
  if (!body) return [text];
  return [lead, make(tag || "span", isLit ? { class: "lit" } : {}, body), trail];
}

function readingRows(readings) {
  const facts = [...new Set(readings.flatMap(({ facts: pairs }) => pairs.map(([name]) => name)))];
  const head = make("tr", {}, make("td", {}), ...readings.map(({ name }) => make("th", { scope: "col" }, name)));
  return [head, ...facts.map((fact) => make("tr", {}, make("th", { scope: "row" }, fact), ...readings.map(({ facts: pairs }) => {
    return make("td", {}, pairs.find(([name]) => name === fact)?.[1] ?? "–");
  })))];
}
