// All about the keyword that the hand is on: what it brings, what a move would do, who proposed it and why.
import { make } from "../shared/elements.js";
import { button, redraw } from "../shared/controls.js";
import { BOARD_LISTS, placeOf } from "./keywords.js";
import { broughtWords, keywordFlags, moveWords } from "./words.js";

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
    return make("p", { class: "kw-tip" }, "Point at a keyword to see what it brings, what moving it would change, and who proposed it.");
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
    const parts = [make("h4", {}, row.text, close), facts, make("h5", {}, "Move to"), make("ul", { class: "kw-moves" }, ...moves)];
    if (who.length) parts.push(make("h5", {}, "Proposed by"), make("ul", { class: "kw-who" }, ...who));
    return parts;
  }
}
