// The command palette: type a few letters of a page, a topic or a version, and go there.
import { attribute, make } from "../shared/elements.js";
import { button } from "../shared/controls.js";

const MOST_SHOWN = 40;

/** The places that hold every word of what was typed; those whose title begins with it come first. */
export function matching(places, typed, most = MOST_SHOWN) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ kind, title }) => `${title} ${kind}`.toLowerCase();
  const rank = (text) => (text.startsWith(words.join(" ")) ? 0 : words.every((word) => ` ${text}`.includes(` ${word}`)) ? 1 : 2);
  return places
    .map((place) => ({ place, text: textOf(place) }))
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .sort((a, b) => rank(a.text) - rank(b.text))
    .slice(0, most)
    .map(({ place }) => place);
}

/** A dialog with a combobox and its list. `go(place)` opens a place. */
export class Palette {
  constructor(root, go) {
    this.go = go;
    /** @type {{ kind: string, title: string, name: string }[]} */ this.places = [];
    this.at = 0;
    this.input = make("input", {
      type: "text", role: "combobox", "aria-label": "Go to", "aria-expanded": "true", "aria-controls": "places",
      "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", placeholder: "Page, topic or version",
    });
    this.list = make("div", { id: "places", role: "listbox", "aria-label": "Places" });
    this.none = make("p", { class: "none", role: "status" });
    this.dialog = make("dialog", { class: "palette", "aria-label": "Go to" }, this.input, this.list, this.none);
    this.input.addEventListener("input", () => this.#show());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    root.append(this.dialog);
  }

  open() {
    if (this.dialog.open) return;
    this.input.value = "";
    this.#show();
    this.dialog.showModal();
    this.input.focus();
  }

  #show() {
    const found = matching(this.places, this.input.value);
    this.list.replaceChildren(...found.map((place, i) => {
      const option = make("div", { id: `place-${i}`, role: "option" }, make("span", {}, place.title), make("span", { class: "kind" }, place.kind));
      option.addEventListener("click", () => this.#choose(place));
      return option;
    }));
    this.found = found;
    this.none.textContent = found.length ? "" : "No matches.";
    this.#move(0);
  }

  #move(to) {
    const options = [...this.list.children];
    this.at = Math.max(0, Math.min(to, options.length - 1));
    options.forEach((option, i) => attribute(option, "aria-selected", String(i === this.at)));
    attribute(this.input, "aria-activedescendant", options[this.at]?.id ?? null);
    options[this.at]?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    const to = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: Infinity, PageUp: 0 }[event.key];
    if (to !== undefined) this.#move(to);
    else if (event.key === "Enter" && this.found?.[this.at]) this.#choose(this.found[this.at]);
    else return;
    event.preventDefault();
  }

  #choose(place) {
    this.dialog.close();
    this.go(place);
  }
}

/** The visible way to the palette. */
export function paletteButton(open) {
  return button("Go to …", open, { kind: "open-palette", "aria-keyshortcuts": "Control+K" });
}
