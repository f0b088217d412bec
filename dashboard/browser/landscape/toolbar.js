// The tools on the picture: find, lasso, home, colours, files and the link.
import { COLOURINGS } from "./colouring.js";
import { countRelevant } from "./counting.js";
import { attribute, make, show, write } from "../shared/elements.js";
import { count, countOf } from "../shared/format.js";
import { svgElement } from "./sparkline.js";
import { SHORTEST_FIND, titlesOf } from "../shared/titles.js";

const COPIED_MS = 1600;
const ICONS = {
  lasso: "M8 3c-3 0-6 1.7-6 4s3 4 6 4 6-1.7 6-4-3-4-6-4ZM4.6 10c-1 .6-1.5 1.6-.7 2.4.7.7 1.7.5 1.9 1.6",
  home: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  reset: "M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.6v3.2h3.2",
  link: "M7 9l2-2M7 4.6l2-1.5a2.9 2.9 0 0 1 4 4l-1.6 1.6M9 11.4l-2 1.5a2.9 2.9 0 0 1-4-4l1.6-1.6",
};

/** The row of tools. `actions`: lasso(on), home(), save(kind), colourBy(how), clear(). */
export class Toolbar {
  constructor(store, actions) {
    Object.assign(this, { store, actions, points: null });
    this.#buildFind();
    this.lasso = toolButton("Lasso: draw around publications to pick them", "lasso");
    this.lasso.addEventListener("click", () => actions.lasso(this.lasso.getAttribute("aria-pressed") !== "true"));
    this.setLasso(false);
    const home = toolButton("Show the whole landscape", "home");
    home.addEventListener("click", () => actions.home());
    const files = ["PNG", "SVG"].map((kind) => {
      const title = `Save this picture as ${kind}`;
      const button = make("button", { type: "button", class: "tool words", title }, kind);
      button.addEventListener("click", () => actions.save(kind));
      return button;
    });
    const buttons = make("div", { class: "tools-right" }, this.#buildColours(), this.lasso, home, ...files);
    this.element = make("div", { class: "tools" }, this.findBox, buttons);
  }

  #buildColours() {
    const options = COLOURINGS.map(({ value, label, help }) => make("option", { value, title: help }, label));
    const look = { class: "field colour-by", "aria-label": "Colour by", title: "Colour by" };
    this.colours = make("select", { ...look, "data-setting": "colour_by" }, ...options);
    this.colours.addEventListener("change", () => this.actions.colourBy(this.colours.value));
    return make("label", { class: "colour-label" }, make("span", { class: "only-wide" }, "Colour by"), this.colours);
  }

  #buildFind() {
    this.find = make("input", {
      type: "search", class: "field find", placeholder: "Find in titles", "aria-label": "Find in titles",
      "data-testid": "find", autocomplete: "off", spellcheck: "false",
    });
    this.findNote = make("span", { class: "note", role: "status", hidden: "" });
    this.pickNote = make("span", { class: "note picked", hidden: "" });
    this.pickText = make("span", {});
    const says = "Clear the picked publications";
    const clear = make("button", { type: "button", class: "note-clear", "aria-label": says, title: says }, "×");
    clear.addEventListener("click", () => this.actions.clear());
    this.pickNote.append(this.pickText, clear);
    this.notice = make("span", { class: "note notice", role: "status", hidden: "" });
    this.findBox = make("div", { class: "find-box" }, this.find, this.findNote, this.pickNote, this.notice);
    this.find.addEventListener("input", () => this.#search());
    this.find.addEventListener("keydown", (event) => this.#keyInFind(event));
  }

  #search() {
    const { points } = this.store;
    if (points) this.store.find(titlesOf(points).find(this.find.value));
  }

  #keyInFind(event) {
    event.stopPropagation(); // Streamlit's shortcuts listen on the document
    if (event.key === "Enter" && this.store.found?.length) this.store.focusOn(this.store.found.at(-1));
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

/** A small button with an icon; its label is what it does. */
export function toolButton(label, icon) {
  const drawing = svgElement("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" });
  drawing.append(svgElement("path", { d: ICONS[icon] }));
  return make("button", { type: "button", class: "tool", title: label, "aria-label": label }, drawing);
}

/** A button that copies the address of what is shown. */
export function copyLinkButton() {
  const button = toolButton("Copy the link to this view", "link");
  const said = make("span", { class: "said", role: "status" });
  button.append(said);
  button.addEventListener("click", async () => {
    write(said, (await copyText(location.href, button)) ? "Copied" : "Not copied");
    setTimeout(() => write(said, ""), COPIED_MS);
  });
  return button;
}

/** Copy a text; where the clipboard is not given, through a selection. */
export async function copyText(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { class: "only-said", "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    beside.focus();
    return copied;
  }
}
