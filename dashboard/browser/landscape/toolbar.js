// The tools on the picture: find, lasso, home, colours, files and the link.
import { button, Foldout, toolButton } from "../shared/controls.js";
import { attribute, make, show, write } from "../shared/elements.js";
import { count, countOf } from "../shared/format.js";
import { SHORTEST_FIND, titlesOf } from "../shared/store.js";
import { countRelevant } from "./counting.js";
import { COLOURINGS, LINES } from "./legend.js";

/** The row of tools. `actions`: lasso(on), home(), save(kind), colourBy(how), toggle(name), clear(). */
export class Toolbar {
  /** @param {import("../shared/store.js").Store} store */
  constructor(store, actions) {
    this.store = store;
    this.actions = actions;
    /** @type {PointsPayload | null} */ this.points = null;
    this.find = make("input", {
      type: "search", class: "field find", placeholder: "Find in titles", "aria-label": "Find in titles",
      "data-testid": "find", autocomplete: "off", spellcheck: "false",
    });
    this.find.addEventListener("input", () => this.#search());
    this.find.addEventListener("keydown", (event) => this.#keyInFind(event));
    this.findNote = make("span", { class: "note", role: "status", hidden: "" });
    this.pickText = make("span", {});
    const says = "Clear the picked publications";
    const clear = button("×", () => actions.clear(), { kind: "note-clear", "aria-label": says, title: says });
    this.pickNote = make("span", { class: "note picked", hidden: "" }, this.pickText, clear);
    this.notice = make("span", { class: "note notice", role: "status", hidden: "" });
    const findBox = make("div", { class: "find-box" }, this.find, this.findNote, this.pickNote, this.notice);
    const options = COLOURINGS.map(({ value, label, help }) => make("option", { value, title: help }, label));
    const look = { class: "field colour-by", "aria-label": "Colour by", title: "Colour by" };
    this.colours = make("select", { ...look, "data-setting": "colour_by" }, ...options);
    this.colours.addEventListener("change", () => actions.colourBy(this.colours.value));
    const colourBy = make("label", { class: "colour-label" }, make("span", { class: "only-wide" }, "Colour by"), this.colours);
    this.lasso = toolButton("Lasso: draw around publications to pick them", "lasso");
    this.lasso.addEventListener("click", () => actions.lasso(this.lasso.getAttribute("aria-pressed") !== "true"));
    this.setLasso(false);
    const home = toolButton("Show the whole landscape", "home");
    home.addEventListener("click", () => actions.home());
    const lines = LINES.map(({ name, label }) => {
      const box = make("input", { type: "checkbox", checked: "", "data-role": name });
      box.addEventListener("change", () => actions.toggle(name));
      return make("label", { class: "menu-entry" }, box, label);
    });
    const files = ["PNG", "SVG"].map((kind) => {
      return button(`Save as ${kind}`, () => { actions.save(kind); this.menu.open(false); }, { kind: "menu-entry" });
    });
    const panel = make("div", { class: "menu", role: "group", "aria-label": "Picture" }, ...lines, ...files);
    this.menu = new Foldout(button("Picture", () => {}, { kind: "tool words more" }), panel);
    const buttons = make("div", { class: "tools-right" }, colourBy, this.lasso, home, this.menu.opener, panel);
    this.element = make("div", { class: "tools" }, findBox, buttons);
  }

  destroy() {
    this.menu.destroy();
  }

  #search() {
    const { points } = this.store;
    if (points) this.store.find(titlesOf(points).find(this.find.value));
  }

  #keyInFind(event) {
    event.stopPropagation(); // Streamlit's shortcuts listen on the document
    if (event.key === "Enter" && this.store.found?.length) this.store.focusOn(this.store.found[this.store.found.length - 1]);
    if (event.key !== "Escape") return;
    this.find.value = "";
    this.#search();
  }

  setLasso(on) {
    attribute(this.lasso, "aria-pressed", String(on));
  }

  /** Another version: what was typed is looked for there too. */
  describe(points) {
    if (this.points === points) return;
    this.points = points;
    const { sources = [], group_names: names = [] } = points.header;
    const lacking = { source: sources.length < 2, theme: names.length === 0 };
    for (const option of this.colours.options) option.disabled = Boolean(lacking[option.value]);
    if (this.find.value.trim().length >= SHORTEST_FIND) this.#search();
  }

  /** Follow what is found, picked and relevant. */
  follow(relevance, live, notice) {
    const { found, picked } = this.store;
    const how = live.colour_by ?? "region";
    if (this.colours.value !== how) this.colours.value = how;
    show(this.findNote, found !== null);
    if (found?.length) write(this.findNote, relevantAmong(countOf(found.length, "title"), found, relevance));
    else write(this.findNote, "No title");
    show(this.pickNote, picked.length > 0);
    if (picked.length) write(this.pickText, relevantAmong(`${count(picked.length)} picked`, picked, relevance));
    show(this.notice, Boolean(notice));
    write(this.notice, notice ?? "");
  }
}

function relevantAmong(counted, rows, relevance) {
  if (relevance.reason) return counted;
  return `${counted}, ${count(countRelevant(rows, relevance))} of them relevant`;
}
