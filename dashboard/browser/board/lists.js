// The lists of a board: their keywords, the card of one keyword, what was held back, and dragging.
import { button, Choice, redraw } from "../shared/controls.js";
import { attribute, hit, make, show, write } from "../shared/elements.js";
import { count, countOf } from "../shared/format.js";
import {
  BOARD_LISTS, broughtWords, keywordFlags, keywordNumbers, listLabel, moveWords, placeAt, placeOf, raisesScore,
  spokenKeyword,
} from "./keywords.js";

const COLUMN_HEADS = [
  ["n_alone", "Found", "Publications that have it"],
  ["core_found", "Core", "Core publications in use among them"],
  ["unique", "Only it", "Share of its publications that no other keyword retrieves"],
  ["price", "Without", "Score change without it: a minus means that it is useful"],
];
const ASIDE_HEADS = [
  ...COLUMN_HEADS.slice(0, 2),
  ["unique", "Specific", "Score change with it in Specific"],
  ["price", "General", "Score change with it in General"],
];
const JOINS = [
  ["OR", "or", "A general keyword is combined with any of these"],
  ["AND", "and", "A general keyword is combined with all of these"],
];

/** `does` has add and join; rows are put in by the board. */
export class KeywordList {
  constructor({ id, label, hint }, does) {
    this.id = id;
    this.does = does;
    this.added = "";
    this.number = make("span", { class: "kw-count" });
    const title = make("h2", { id: `list-${id}` }, label);
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
      const { selectionStart, selectionEnd } = this.field;
      this.field.setRangeText(text.trim().replace(/\s*[\r\n]+\s*/g, "; "), selectionStart ?? 0, selectionEnd ?? 0, "end");
    });
  }

  /** What was typed comes back if it could not be added. */
  giveBack() {
    if (this.added && !this.field.value) this.field.value = this.added;
    this.added = "";
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

const NUMBER_CELLS = ["n_alone", "core_found", "unique", "price"];

/** Made once for each keyword, patched with every answer. `does` has move, edit, remove and change. */
export class KeywordRow {
  constructor(key, does) {
    this.key = key;
    this.does = does;
    /** @type {any} */ this.row = null;
    this.flagsKey = "";
    /** @type {HTMLElement | null} Where its wording is changed. */ this.editing = null;
    this.words = make("span", { class: "kw-words" });
    this.field = make("span", { class: "kw-field", hidden: "" });
    this.numbers = new Map(NUMBER_CELLS.map((id) => [id, make("span", { class: `kw-number ${id}` })]));
    this.flags = make("span", { class: "kw-flags" });
    this.moves = new Map(BOARD_LISTS.map(({ id, key: letter, label }) => {
      const made = button(letter.toUpperCase(), () => does.move(key, id), { kind: "kw-act", "aria-label": `Move to ${label}` });
      return [id, made];
    }));
    this.editButton = button("✎", () => this.edit(), { kind: "kw-act", "aria-label": "Change", title: "Change the wording (Enter)" });
    const remove = button("×", () => does.remove(key), { kind: "kw-act", "aria-label": "Delete", title: "Delete (Delete)" });
    this.acts = make("span", { class: "kw-acts" }, ...this.moves.values(), this.editButton, remove);
    const grip = make("span", { class: "kw-grip", "aria-hidden": "true" });
    const what = make("span", { class: "kw-what" }, this.words, this.field);
    this.line = make("div", { class: "kw-line" }, grip, what, ...this.numbers.values());
    this.below = make("div", { class: "kw-below" }, this.flags, this.acts);
    this.element = make("li", { class: "kw", tabindex: "-1", "data-key": key, "data-stay": `kw-${key}` }, this.line, this.below);
  }

  update(row, list, { now, nCore, beta, marked }) {
    this.row = row;
    const { element } = this;
    write(this.words, row.text);
    element.classList.toggle("all-words", !row.phrase && row.text.includes(" "));
    show(this.field, row.fields?.length > 0);
    write(this.field, (row.fields ?? []).join(", "));
    const [numbers, raises] = [keywordNumbers(row, list), raisesScore(row, list)];
    for (const id of NUMBER_CELLS) write(this.numbers.get(id), numbers[id]);
    for (const id of ["unique", "price"]) this.numbers.get(id)?.classList.toggle("better", raises[id]);
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
    const together = make("label", { class: "kw-phrase", title: "Its words are adjacent, in this order; otherwise all must occur, anywhere" }, box, "adjacent");
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
      if (!form.contains(/** @type {Node | null} */ (event.relatedTarget))) end(true);
    });
    this.editing = form;
    this.element.append(form);
    this.element.classList.add("editing");
    field.focus({ preventScroll: true });
    field.select();
  }
}

/** `does` has move, and leave for where the card lies over the lists. */
export class KeywordCard {
  constructor(does) {
    this.does = does;
    this.element = make("section", { class: "kw-card", "aria-label": "About the keyword" });
  }

  update(lists, key, { now, nCore, beta, isSplit }) {
    const here = key === null ? null : placeOf(lists, key);
    this.element.classList.toggle("idle", !here);
    redraw(this.element, JSON.stringify([here, now, nCore, beta]), () => (here ? this.#about(here, { now, nCore, beta, isSplit }) : [this.#nothing()]));
  }

  #nothing() {
    return make("p", { class: "kw-tip" }, "Point at a keyword to see its publications, the effect of moving it, and its source.");
  }

  #about({ row, list }, { now, nCore, beta, isSplit }) {
    const flags = keywordFlags(row, beta).map(({ help, warns }) => make("li", { class: warns ? "warns" : "" }, help));
    const facts = make("ul", { class: "kw-facts" }, ...broughtWords(row, nCore, isSplit).map((words) => make("li", {}, words)), ...flags);
    const moves = BOARD_LISTS.filter(({ id }) => id !== list).map(({ id, label }) => {
      const words = moveWords(row.if_moved?.[id], now, beta);
      const press = button(label, () => this.does.move(row.key, id), { "data-stay": `card-${id}` });
      return make("li", {}, press, make("span", { class: "effect" }, words));
    });
    const who = (row.who ?? []).map(({ by, reason }) => make("li", {}, make("b", {}, by), reason ? `: ${reason}` : ""));
    const close = button("×", () => this.does.leave(), { kind: "close kw-close", "aria-label": "Close", "data-stay": "card-close" });
    const parts = [make("h3", {}, row.text, close), facts, make("h4", {}, "Move to"), make("ul", { class: "kw-moves" }, ...moves)];
    if (who.length) parts.push(make("h4", {}, "Proposed by"), make("ul", { class: "kw-who" }, ...who));
    return parts;
  }
}

// What was held back, and what has no place in the lists: below them, and nothing of it in the string unasked.

/** `take(index, list)` is told what a person asks for. */
export class HeldBackRows {
  constructor({ take }) {
    this.take = take;
    this.left = make("div", { class: "board-left", role: "note", hidden: "" });
    this.summary = make("summary", {});
    this.rows = make("ul", { class: "held-rows" });
    this.element = make("details", { class: "board-held" }, this.summary, this.rows);
  }

  update({ held_back: held = [], left = [], kind, is_whole: isWhole }) {
    const open = held.filter(({ taken }) => !taken);
    show(this.element, held.length > 0);
    this.summary.textContent = `Held back: ${open.length}`;
    redraw(this.rows, JSON.stringify(held), () => held.filter(({ taken }) => !taken).map((each) => this.#row(each)));
    show(this.left, kind === "version" && (left.length > 0 || !isWhole));
    redraw(this.left, JSON.stringify([left, isWhole]), () => [
      make("p", {}, left.length
        ? `${countOf(left.length, "part")} of the version ${left.length === 1 ? "has" : "have"} no place in the lists, so the string here has another meaning:`
        : "The lists don't express everything in the version, so the string here has another meaning."),
      make("ul", {}, ...left.map(({ text, why }) => make("li", {}, make("code", {}, text), ` ${why}`))),
    ]);
  }

  #row({ index, text, why, by, keyword }) {
    const words = make("span", { class: "held-text" }, text);
    const reason = make("span", { class: "held-why" }, `${why} · ${by}${keyword === null || keyword === text ? "" : ` · can be added as “${keyword}”`}`);
    const acts = keyword === null ? [] : [["specific", "Specific"], ["general", "General"], ["aside", "Aside"]].map(([list, label]) => {
      return button(label, () => this.take(index, list), {
        title: `Add “${keyword}” to ${label}`, "aria-label": `Add ${keyword} to ${label}`, "data-stay": `held-${index}-${list}`,
      });
    });
    return make("li", {}, words, reason, make("span", { class: "held-acts" }, ...acts));
  }
}

const FAR_ENOUGH_PX = 5;
const EDGE_OF_LIST_PX = 28;
const SCROLL_PX = 9;

/** `wordsFor(key, list)` says what a drop there would change; `drop(key, list, place)` is told of it. */
export class Dragging {
  constructor(root, { wordsFor, drop }) {
    this.root = root;
    this.wordsFor = wordsFor;
    this.drop = drop;
    /** @type {any} The row that is dragged, where it was taken, and the list that it is over. */ this.held = null;
    this.line = make("div", { class: "kw-drop", "aria-hidden": "true" });
    this.onDown = (event) => this.#down(event);
    this.onMove = (event) => this.#move(event);
    this.onUp = (event) => this.#up(event);
    this.onKey = (event) => event.key === "Escape" && this.#end();
    root.addEventListener("pointerdown", this.onDown);
  }

  destroy() {
    this.#end();
    this.root.removeEventListener("pointerdown", this.onDown);
  }

  #down(event) {
    const row = hit(event, ".kw");
    if (!row || event.button !== 0 || hit(event, "button, input, label, .kw-edit")) return;
    if (event.pointerType === "touch" && !hit(event, ".kw-grip")) return;
    this.held = { row, key: row.dataset.key, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
    addEventListener("pointermove", this.onMove);
    addEventListener("pointerup", this.onUp);
    addEventListener("pointercancel", this.onUp);
    addEventListener("keydown", this.onKey, true);
  }

  #move(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR_ENOUGH_PX;
    if (!held.ghost && !far) return;
    event.preventDefault();
    if (!held.ghost) this.#lift(held);
    held.ghost.style.transform = `translate(${event.clientX + 12}px, ${event.clientY + 10}px)`;
    this.#over(event.clientX, event.clientY);
  }

  #lift(held) {
    getSelection()?.removeAllRanges();
    held.effect = make("span", { class: "kw-ghost-effect" });
    held.ghost = make("div", { class: "kw-ghost" }, make("b", {}, held.row.querySelector(".kw-words").textContent), held.effect);
    this.root.append(held.ghost);
    held.row.classList.add("lifted");
    this.root.classList.add("dragging");
  }

  /** Which list and place it would fall into here. */
  #over(x, y) {
    const { held } = this;
    const under = this.root.getRootNode().elementFromPoint(x, y);
    const list = under?.closest?.(".kw-list") ?? null;
    if (held.list !== list) {
      held.list?.classList.remove("over");
      list?.classList.add("over");
      held.list = list;
      write(held.effect, list ? this.wordsFor(held.key, list.dataset.list) : "");
    }
    if (!list) return this.line.remove();
    const scroll = list.querySelector(".kw-scroll");
    const box = scroll.getBoundingClientRect();
    if (y < box.top + EDGE_OF_LIST_PX) scroll.scrollTop -= SCROLL_PX;
    else if (y > box.bottom - EDGE_OF_LIST_PX) scroll.scrollTop += SCROLL_PX;
    const rows = [...list.querySelectorAll(".kw")].filter((row) => row !== held.row);
    held.place = placeAt(rows.map((row) => { const { top, height } = row.getBoundingClientRect(); return top + height / 2; }), y);
    const parent = list.querySelector(".kw-rows");
    const before = rows[held.place] ?? null;
    if (this.line.parentElement !== parent || this.line.nextElementSibling !== before) parent.insertBefore(this.line, before);
    return undefined;
  }

  #up(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.id) return;
    const { list, place, key, ghost } = held;
    this.#end();
    if (event.type === "pointerup" && ghost && list) this.drop(key, list.dataset.list, place);
  }

  #end() {
    const { held } = this;
    this.held = null;
    this.line.remove();
    removeEventListener("pointermove", this.onMove);
    removeEventListener("pointerup", this.onUp);
    removeEventListener("pointercancel", this.onUp);
    removeEventListener("keydown", this.onKey, true);
    if (!held) return;
    held.ghost?.remove();
    held.row.classList.remove("lifted");
    held.list?.classList.remove("over");
    this.root.classList.remove("dragging");
  }
}
