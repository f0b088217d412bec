// Tabs: one row of names, one panel in sight.
import { attribute, make, show, write } from "./elements.js";

const TAB_STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** `panels`: [[id, element], ...]. Calls `onOpen(id)` when another one comes into sight. */
export class Tabs {
  constructor(label, panels, onOpen) {
    this.onOpen = onOpen;
    this.list = make("div", { class: "tab-list", role: "tablist", "aria-label": label });
    this.tabs = new Map(panels.map(([id, panel]) => [id, this.#tab(id, panel)]));
    this.list.append(...[...this.tabs.values()].map(({ tab }) => tab));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.element = make("section", { class: "tabs" }, this.list, ...panels.map(([, panel]) => panel));
    this.chosen = panels[0][0];
    this.#draw();
  }

  #tab(id, panel) {
    const words = make("span", {});
    const number = make("span", { class: "tab-number" });
    const tab = make("button", { type: "button", role: "tab", class: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, words, number);
    tab.addEventListener("click", () => this.open(id));
    for (const [name, value] of Object.entries({ id: `panel-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, tabindex: 0 })) {
      attribute(panel, name, value);
    }
    panel.classList.add("tab-panel");
    return { tab, panel, words, number };
  }

  /** What a tab is called, and how many are in it (null: it isn't counted). */
  name(id, words, number = null, shown = true) {
    const entry = this.tabs.get(id);
    write(entry.words, words);
    write(entry.number, number === null ? "" : String(number));
    show(entry.number, number !== null);
    show(entry.tab, shown);
    if (!shown && this.chosen === id) this.open([...this.tabs.keys()][0]);
  }

  open(id) {
    if (this.chosen === id) return;
    this.chosen = id;
    this.#draw();
    this.onOpen(id);
  }

  #draw() {
    for (const [id, { tab, panel }] of this.tabs) {
      const chosen = id === this.chosen;
      attribute(tab, "aria-selected", String(chosen));
      attribute(tab, "tabindex", chosen ? 0 : -1);
      show(panel, chosen);
    }
  }

  #key(event) {
    const shown = [...this.tabs.keys()].filter((id) => !this.tabs.get(id).tab.hidden);
    const at = shown.indexOf(this.chosen);
    const to = event.key === "Home" ? 0 : event.key === "End" ? shown.length - 1 : at + (TAB_STEPS[event.key] ?? NaN);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    this.open(shown[(to + shown.length) % shown.length]);
    this.tabs.get(this.chosen).tab.focus();
  }
}
