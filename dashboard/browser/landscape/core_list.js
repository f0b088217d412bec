// The core publications of the topic, the missed ones first: what stands beside the landscape until a record is opened.
import { attribute, make, show, write } from "../shared/elements.js";
import { NOTHING, significant } from "../shared/format.js";

/** Lists core publications; `open(row)` shows the record of one. */
export class CoreList {
  constructor(open) {
    this.open = open;
    this.heading = make("h3", { class: "core-heading" });
    this.note = make("p", { class: "core-note" }, "Click one, a dot or a row to read its record.");
    this.list = make("ol", { class: "core-items" });
    this.element = make("div", { class: "core-list", "data-testid": "core-list" }, this.heading, this.note, this.list);
    this.drawn = null;
  }

  /** Of the version that this header of its points describes. */
  draw(header) {
    if (this.drawn === header) return;
    this.drawn = header;
    const { core_list: core, n_core_missed: missed } = header;
    write(this.heading, missed ? `Core missed: ${missed} of ${core.length}` : `All ${core.length} core publications found`);
    this.list.replaceChildren(...core.map((entry) => make("li", {}, this.line(entry))));
  }

  line({ row, title, year, found, similarity }) {
    const mark = make("span", { class: `mark ${found ? "core-found" : "core-missed"}`, role: "img" });
    attribute(mark, "aria-label", found ? "found" : "missed");
    const words = make("span", { class: "core-title", title }, title || "No title");
    const about = make("span", { class: "core-about" });
    const near = similarity === null ? "no vector" : significant(similarity);
    write(about, `${year ?? NOTHING} · ${near}`);
    const button = make("button", { type: "button" }, mark, words, about);
    button.disabled = row === null;
    attribute(button, "title", row === null ? "It has no vector, so it is not on the landscape." : null);
    button.addEventListener("click", () => this.open(row));
    return button;
  }

  show(shown) {
    show(this.element, shown);
  }
}
