// The publication that was opened on the landscape or in the table of a report, from what the page carries.
import { attribute, make, show, wearColours, write } from "./shared/elements.js";
import { doiAddress } from "./shared/format.js";
import { factsOf } from "./landscape/hover.js";
import { bitAt } from "./shared/payload.js";
import { Relevance } from "./landscape/counting.js";
import { Titles, titlesOf } from "./shared/titles.js";

const INVITATION = "Select a dot or a row to see which publication it is.";

/** Title, what is known of it, and which regions accept it; they follow the similarity threshold. */
export class OpenedPublication {
  constructor(root, store) {
    Object.assign(this, { root, store, points: null, relevance: new Relevance() });
    this.hint = make("p", { class: "hint" }, INVITATION);
    this.title = make("p", { class: "opened-title" });
    this.facts = make("span", {});
    this.doi = make("a", { target: "_blank", rel: "noopener noreferrer" });
    this.accepts = make("p", { class: "opened-regions" });
    const close = make("button", { type: "button", class: "close", "aria-label": "Close the publication" }, "×");
    close.addEventListener("click", () => store.focusOn(null));
    const line = make("p", { class: "opened-facts" }, this.facts, this.doi);
    this.card = make("div", { class: "opened-card", "data-testid": "opened", hidden: "" });
    this.card.append(close, this.title, line, this.accepts);
    root.append(make("div", { role: "status" }, this.hint, this.card));
    for (const event of ["focus", "live", "data"]) store.on(event, () => this.draw());
    store.on("look", () => wearColours(root, store));
  }

  update() {
    wearColours(this.root, this.store);
    this.draw();
  }

  draw() {
    const { points, focused: row } = this.store;
    show(this.hint, row === null);
    show(this.card, row !== null);
    if (row === null || !points) return;
    if (points !== this.points) {
      this.points = points;
      this.dois = new Titles(points.arrays.dois);
    }
    this.relevance.follow(points, this.store.regions, this.store.live);
    const doi = this.dois.title(row);
    const address = doiAddress(doi);
    write(this.title, titlesOf(points).title(row) || "No title");
    write(this.facts, factsOf(row, points, this.relevance).join(" · "));
    attribute(this.doi, "href", address);
    write(this.doi, address ? doi : "");
    write(this.accepts, this.regionsOf(row));
  }

  /** "Accepted by Cosine and Cluster; left out by Convex hull." */
  regionsOf(row) {
    const { header } = this.points;
    if (row >= header.n) return "The query did not retrieve it, so no region decides about it.";
    const said = { true: [], false: [] };
    for (const { kind, label } of header.kinds) {
      const verdict = this.verdict(kind, row);
      if (verdict !== null) said[verdict].push(label);
    }
    const parts = [];
    if (said.true.length) parts.push(`accepted by ${said.true.join(", ")}`);
    if (said.false.length) parts.push(`left out by ${said.false.join(", ")}`);
    const words = parts.join("; ") || "no region is defined";
    return `${words[0].toUpperCase()}${words.slice(1)}.`;
  }

  /** What a region says of a row; null while it says nothing. */
  verdict(kind, row) {
    if (kind === "cosine") {
      const threshold = this.store.live.min_similarity;
      return Number.isFinite(threshold) ? this.points.arrays.similarity[row] >= threshold - 1e-6 : null;
    }
    const mask = this.store.regions?.arrays[`mask_${kind}`];
    return mask ? bitAt(mask, row) === 1 : null;
  }
}
