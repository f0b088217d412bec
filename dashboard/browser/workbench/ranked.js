// A question in words is not matched but ranked: the list, with the cut drawn where reading ends.
import { make } from "../shared/elements.js";
import { count, significant } from "../shared/format.js";
import { bar, button, nothing, redraw } from "../shared/controls.js";

/** Shown in place of the tree. */
export class Ranked {
  constructor() {
    this.note = make("p", { class: "note" });
    this.list = make("ol", { class: "ranked-list", tabindex: 0, "aria-label": "Ranking", "data-testid": "ranked" });
    const go = button("Show the cut", () => this.#showCut());
    this.element = make("div", { class: "ranked" }, make("div", { class: "panel-line" }, this.note, go), this.list);
  }

  update({ ranked }) {
    redraw(this.note, ranked?.note ?? "", () => [ranked?.note ?? ""]);
    redraw(this.list, JSON.stringify(ranked), () => this.#build(ranked));
  }

  #showCut() {
    const line = this.list.querySelector(".cut");
    if (line) this.list.scrollTop = line.offsetTop - this.list.clientHeight / 2;
    this.list.focus({ preventScroll: true });
  }

  #build(ranked) {
    if (!ranked?.items.length) return [make("li", {}, nothing("Nothing is ranked yet."))];
    const { items, cut } = ranked;
    const most = Math.max(...items.map(({ score }) => score ?? 0), 1e-9);
    const rows = [];
    items.forEach(({ rank, title, score, core }, at) => {
      if (rank > cut && (at === 0 || items[at - 1].rank <= cut)) rows.push(cutLine(cut));
      const mark = make("span", { class: `mark ${core ? (rank <= cut ? "core-found" : "core-missed") : "plain"}`, role: "img" });
      mark.setAttribute("aria-label", core ? "core publication" : "publication");
      const number = make("span", { class: "rank" }, count(rank));
      const worth = make("span", { class: "score" }, bar((score ?? 0) / most, "strength"), significant(score));
      rows.push(make("li", { class: rank > cut ? "beyond" : "" }, number, mark, make("span", { class: "ranked-title", title }, title || "No title"), worth));
    });
    if (items.at(-1).rank <= cut) rows.push(cutLine(cut));
    return rows;
  }
}

function cutLine(cut) {
  return make("li", { class: "cut" }, make("span", {}, `Cut after ${count(cut)}: what is above counts as retrieved`));
}
