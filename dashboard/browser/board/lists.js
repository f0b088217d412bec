// One list of a board: its head, its keywords, and a field to add one.
import { attribute, make, show, write } from "../shared/elements.js";
import { count } from "../shared/format.js";
import { Choice } from "../shared/controls.js";

const COLUMN_HEADS = [
  ["n_alone", "Found", "Publications that have it"],
  ["core_found", "Core", "Core publications among them, of those in use"],
  ["unique", "Only it", "Share of what it brings that nothing else in the string brings"],
  ["price", "Without", "What the score would change without it: a minus says that it earns its place"],
];
const ASIDE_HEADS = [
  ...COLUMN_HEADS.slice(0, 2),
  ["unique", "Specific", "What the score would change with it in Specific"],
  ["price", "General", "What the score would change with it in General"],
];
const JOINS = [
  ["OR", "or", "A general keyword goes with any of these"],
  ["AND", "and", "A general keyword goes with all of these together"],
];

/** `does` has add and join; rows are put in by the board. */
export class KeywordList {
  constructor({ id, label, hint }, does) {
    Object.assign(this, { id, does });
    this.number = make("span", { class: "kw-count" });
    const title = make("h3", { id: `list-${id}` }, label);
    this.head = make("div", { class: "kw-head" }, title, this.number, make("span", { class: "kw-hint" }, hint));
    if (id === "overarching") {
      this.join = new Choice("How overarching keywords are joined", JOINS, (joined) => does.join(joined));
      this.head.append(this.join.element);
    }
    const heads = (id === "aside" ? ASIDE_HEADS : COLUMN_HEADS).map(([name, words, help]) => make("span", { class: `kw-number ${name}`, title: help }, words));
    this.columns = make("div", { class: "kw-line kw-columns", "aria-hidden": "true" }, make("span", {}), make("span", {}), ...heads);
    this.rows = make("ul", { class: "kw-rows", role: "list", "aria-labelledby": `list-${id}` });
    this.empty = make("p", { class: "kw-empty" });
    this.field = make("input", {
      class: "kw-add", type: "text", placeholder: "Add a keyword", "aria-label": `Add a keyword to ${label}`, maxlength: "4000",
    });
    this.#listen();
    const scroll = make("div", { class: "kw-scroll" }, this.columns, this.rows, this.empty);
    this.scroll = scroll;
    this.element = make("section", { class: `kw-list is-${id}`, "data-list": id, "aria-label": label }, this.head, scroll, this.field);
  }

  #listen() {
    this.field.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      if (event.key !== "Enter" || !this.field.value.trim()) return;
      this.added = this.field.value;
      this.does.add(this.id, this.field.value);
      this.field.value = "";
    });
    this.field.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!/[\r\n]/.test(text.trim())) return;
      event.preventDefault();
      this.field.setRangeText(text.trim().replace(/\s*[\r\n]+\s*/g, "; "), this.field.selectionStart, this.field.selectionEnd, "end");
    });
  }

  /** What was typed comes back if it could not be added. */
  giveBack() {
    if (this.added && !this.field.value) this.field.value = this.added;
    this.added = null;
  }

  update({ rows }, { joined, hasOver, words }) {
    write(this.number, rows.length ? count(rows.length) : "");
    show(this.columns, rows.length > 0);
    show(this.empty, !rows.length);
    write(this.empty, words);
    this.element.classList.toggle("waits", this.id === "general" && rows.length > 0 && !hasOver);
    if (!this.join) return;
    this.join.set(joined);
    this.join.element.style.visibility = rows.length > 1 ? "" : "hidden";
    attribute(this.join.element, "aria-hidden", rows.length > 1 ? null : "true");
  }
}
