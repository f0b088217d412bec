// Dragging a keyword from list to list, by mouse, pen or finger. What a drop would change is told on the way.
import { make, write } from "../shared/elements.js";
import { placeAt } from "./keywords.js";

const FAR_ENOUGH_PX = 5;
const EDGE_OF_LIST_PX = 28;
const SCROLL_PX = 9;

/** `wordsFor(key, list)` says what a drop there would change; `drop(key, list, place)` is told of it. */
export class Dragging {
  constructor(root, { wordsFor, drop }) {
    Object.assign(this, { root, wordsFor, drop, held: null });
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
    const row = event.target.closest?.(".kw");
    if (!row || event.button !== 0 || event.target.closest("button, input, label, .kw-edit")) return;
    if (event.pointerType === "touch" && !event.target.closest(".kw-grip")) return;
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
