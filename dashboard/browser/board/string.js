// The string that the lists make, each keyword in the colour of its list, in any dialect.
import { attribute, make, show, write } from "../shared/elements.js";
import { copyButton } from "../shared/controls.js";
import { unitsOf } from "../shared/text.js";

const OPERATORS = /\b(AND NOT|AND|OR|NOT)\b/g;

/** `ask(kind, more)`; `mark(key)` and `go(key)` tell the lists which keyword is meant. */
export class BoardString {
  constructor({ ask, mark, go }) {
    Object.assign(this, { mark, go, text: "", spans: new Map() });
    this.dialect = make("select", { class: "field", "aria-label": "Written for", "data-stay": "board-dialect" });
    this.dialect.addEventListener("change", () => ask("dialect", { dialect: this.dialect.value }));
    this.copy = copyButton("Copy", () => this.text, { title: "Copy the search string" });
    const written = make("label", { class: "labelled" }, make("span", {}, "Written for"), this.dialect);
    const head = make("div", { class: "section-head" }, make("h3", {}, "Search string"), make("span", { class: "bar-group end" }, written, this.copy));
    this.box = make("div", { class: "board-string", tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true", "aria-label": "Search string", "data-testid": "board-string" });
    this.losses = make("p", { class: "note board-losses", hidden: "" });
    this.element = make("section", { class: "board-text", "aria-label": "Search string" }, head, this.box, this.losses);
    this.#listen();
  }

  #listen() {
    const keyAt = (event) => event.target.closest?.("[data-word]")?.dataset.word ?? null;
    this.box.addEventListener("pointerover", (event) => this.mark(keyAt(event)));
    this.box.addEventListener("pointerleave", () => this.mark(null));
    this.box.addEventListener("click", (event) => {
      const key = keyAt(event);
      if (key !== null && getSelection()?.isCollapsed !== false) this.go(key);
    });
  }

  update({ text, spans = [], dialect, dialects = [], losses = [] }) {
    this.#options(dialects, dialect);
    const key = JSON.stringify([text, spans]);
    if (this.drawnFor !== key) {
      this.drawnFor = key;
      this.text = text;
      this.#draw(text, spans);
    }
    show(this.losses, losses.length > 0);
    const more = losses.length > 1 ? ` (and ${losses.length - 1} more)` : "";
    write(this.losses, losses.length ? `Not exactly the same here: ${losses[0].message}${more}` : "");
    attribute(this.losses, "title", losses.map(({ message }) => message).join("\n") || null);
  }

  #options(dialects, chosen) {
    const key = JSON.stringify(dialects);
    if (this.optionsKey !== key) {
      this.optionsKey = key;
      this.dialect.replaceChildren(...dialects.map(({ id, label }) => make("option", { value: id }, label)));
    }
    this.dialect.value = chosen;
  }

  #draw(text, spans) {
    this.spans = new Map();
    this.box.classList.toggle("empty", !text);
    if (!text) {
      this.box.replaceChildren("No string yet: put a keyword into Specific, or one each into General and Overarching.");
      return;
    }
    const units = unitsOf(text);
    const parts = [];
    let done = 0;
    for (const { start, end, list, key } of [...spans].sort((a, b) => a.start - b.start)) {
      const [from, to] = [units(start), units(end)];
      if (from < done) continue;
      parts.push(...between(text.slice(done, from)));
      const made = make("span", { class: `in-${list}`, "data-word": key }, text.slice(from, to));
      this.spans.set(key, made);
      parts.push(made);
      done = to;
    }
    parts.push(...between(text.slice(done)));
    this.box.replaceChildren(...parts);
  }

  /** The keyword that the hand is on. */
  show(key) {
    for (const [name, made] of this.spans) made.classList.toggle("marked", name === key);
  }
}

/** Signs and operators as text, the operators by themselves. */
function between(text) {
  return text.split(OPERATORS).filter(Boolean).map((part) => {
    return /^(AND NOT|AND|OR|NOT)$/.test(part) ? make("span", { class: "is-operator" }, part) : part;
  });
}
