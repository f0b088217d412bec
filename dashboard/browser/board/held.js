// What was held back, and what has no place in the lists: below them, and nothing of it in the string unasked.
import { make, show } from "../shared/elements.js";
import { countOf } from "../shared/format.js";
import { button, redraw } from "../shared/controls.js";

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
        ? `${countOf(left.length, "part")} of the version ${left.length === 1 ? "has" : "have"} no place in the lists, so the string here asks for something else:`
        : "The lists do not say all that the version says, so the string here asks for something else."),
      make("ul", {}, ...left.map(({ text, why }) => make("li", {}, make("code", {}, text), ` ${why}`))),
    ]);
  }

  #row({ index, text, why, by, keyword }) {
    const words = make("span", { class: "held-text" }, text);
    const reason = make("span", { class: "held-why" }, `${why} · ${by}${keyword === null || keyword === text ? "" : ` · to be taken as “${keyword}”`}`);
    const acts = keyword === null ? [] : [["specific", "Specific"], ["general", "General"], ["aside", "Aside"]].map(([list, label]) => {
      return button(label, () => this.take(index, list), {
        title: `Take “${keyword}” into ${label}`, "aria-label": `Take ${keyword} into ${label}`, "data-stay": `held-${index}-${list}`,
      });
    });
    return make("li", {}, words, reason, make("span", { class: "held-acts" }, ...acts));
  }
}
