// One keyword of a board: its numbers, its flags, and what can be done with it by pointer and by key.
import { attribute, make, show, write } from "../shared/elements.js";
import { button } from "../shared/controls.js";
import { BOARD_LISTS, listLabel } from "./keywords.js";
import { keywordFlags, keywordNumbers, moveWords, raisesScore, spokenKeyword } from "./words.js";

const NUMBER_CELLS = ["n_alone", "core_found", "unique", "price"];

/** Made once for each keyword, patched with every answer. `does` has move, edit, remove and change. */
export class KeywordRow {
  constructor(key, does) {
    Object.assign(this, { key, does, row: null, list: null });
    this.words = make("span", { class: "kw-words" });
    this.field = make("span", { class: "kw-field", hidden: "" });
    this.numbers = new Map(NUMBER_CELLS.map((id) => [id, make("span", { class: `kw-number ${id}` })]));
    this.flags = make("span", { class: "kw-flags" });
    this.moves = new Map(BOARD_LISTS.map(({ id, key: letter, label }) => {
      const made = button(letter.toUpperCase(), () => does.move(key, id), { kind: "kw-act", "aria-label": `Move to ${label}` });
      return [id, made];
    }));
    this.editButton = button("✎", () => this.edit(), { kind: "kw-act", "aria-label": "Change", title: "Change its wording (Enter)" });
    const remove = button("×", () => does.remove(key), { kind: "kw-act", "aria-label": "Delete", title: "Delete (Delete)" });
    this.acts = make("span", { class: "kw-acts" }, ...this.moves.values(), this.editButton, remove);
    const grip = make("span", { class: "kw-grip", "aria-hidden": "true" });
    const what = make("span", { class: "kw-what" }, this.words, this.field);
    this.line = make("div", { class: "kw-line" }, grip, what, ...this.numbers.values());
    this.below = make("div", { class: "kw-below" }, this.flags, this.acts);
    this.element = make("li", { class: "kw", tabindex: "-1", "data-key": key, "data-stay": `kw-${key}` }, this.line, this.below);
  }

  update(row, list, { now, nCore, beta, marked }) {
    Object.assign(this, { row, list });
    const { element } = this;
    write(this.words, row.text);
    element.classList.toggle("all-words", !row.phrase && row.text.includes(" "));
    show(this.field, row.fields?.length > 0);
    write(this.field, (row.fields ?? []).join(", "));
    const [numbers, raises] = [keywordNumbers(row, list), raisesScore(row, list)];
    for (const id of NUMBER_CELLS) write(this.numbers.get(id), numbers[id]);
    for (const id of ["unique", "price"]) this.numbers.get(id).classList.toggle("better", raises[id]);
    element.classList.toggle("stale", Boolean(row.stale));
    element.classList.toggle("marked", marked);
    attribute(element, "data-list", list);
    attribute(element, "aria-label", spokenKeyword(row, listLabel(list), nCore, beta));
    this.#showFlags(row, beta);
    for (const { id, key, label } of BOARD_LISTS) {
      const made = this.moves.get(id);
      const words = moveWords(row.if_moved?.[id], now, beta);
      show(made, id !== list);
      attribute(made, "title", `${label} (${key.toUpperCase()})${words ? `: ${words}` : ""}`);
    }
  }

  /** Where there is nothing to say of it: who proposed it. */
  #showFlags(row, beta) {
    const flags = keywordFlags(row, beta).map(({ words, help, warns }) => [words, help, warns ? "kw-flag warns" : "kw-flag"]);
    if (!flags.length && row.who?.length) flags.push([row.who[0].by, row.who[0].reason, "kw-by"]);
    const key = JSON.stringify(flags);
    if (this.flagsKey === key) return;
    this.flagsKey = key;
    this.flags.replaceChildren(...flags.map(([words, title, kind]) => make("span", { class: kind, title }, words)));
  }

  /** Buttons are reached by Tab in the row that has the keyboard alone. */
  activate(isActive) {
    attribute(this.element, "tabindex", isActive ? "0" : "-1");
    for (const made of this.acts.children) attribute(made, "tabindex", isActive ? "0" : "-1");
  }

  /** Change the wording in its place. */
  edit() {
    if (this.editing) return;
    const { row } = this;
    const field = make("input", { class: "field kw-input", type: "text", value: row.text, "aria-label": `Change ${row.text}`, maxlength: "200" });
    const box = make("input", { type: "checkbox" });
    box.checked = row.phrase;
    const together = make("label", { class: "kw-phrase", title: "Its words stand side by side, in this order; else all must occur, anywhere" }, box, "side by side");
    const end = (isKept) => {
      if (this.editing !== form) return;
      this.editing = null;
      const isChanged = field.value.trim() !== row.text || box.checked !== row.phrase;
      form.remove();
      this.element.classList.remove("editing");
      if (isKept && isChanged) this.does.change(this.key, field.value, box.checked);
      this.element.focus({ preventScroll: true });
    };
    const done = button("Done", () => end(true), { kind: "quiet" });
    const form = make("div", { class: "kw-edit" }, field, together, done);
    form.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") end(true);
      if (event.key === "Escape") end(false);
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    });
    form.addEventListener("focusout", (event) => {
      if (!form.contains(event.relatedTarget)) end(true);
    });
    this.editing = form;
    this.element.append(form);
    this.element.classList.add("editing");
    field.focus({ preventScroll: true });
    field.select();
  }
}
