// The row of scores: core recall, then one card per region, of which one is chosen.
import { splitIndex } from "./counting.js";
import { attribute, make, oncePerFrame, show, wearColours, write } from "../shared/elements.js";
import { count, countOf } from "../shared/format.js";
import { RecallCard, RegionCard } from "./score_cards.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Shows what Python computed; while the similarity threshold moves, what Python computed for where it is. */
export class Scores {
  constructor(root, store) {
    Object.assign(this, { root, store, cards: new Map(), data: null, open: false });
    this.recall = new RecallCard();
    this.choice = make("div", { class: "regions", role: "radiogroup", "aria-label": "Region" });
    this.choice.addEventListener("keydown", (event) => this.key(event));
    this.choice.addEventListener("click", (event) => this.choose(event.target.closest(".card")?.dataset.kind));
    this.cardRow = make("div", { class: "cards" }, this.recall.element, this.choice);
    root.append(this.cardRow, this.notes());
    this.frame = oncePerFrame(() => this.draw());
    const wear = () => wearColours(root, store);
    this.leave = [
      store.on("live", () => this.frame.ask()),
      store.on("data", () => { wear(); this.frame.ask(); }),
      store.on("look", wear),
    ];
    store.anchor("scores", root);
  }

  notes() {
    this.warning = make("span", { class: "warning-text" });
    this.more = make("button", { type: "button", class: "link", "aria-controls": "warnings" });
    this.more.addEventListener("click", () => {
      this.open = !this.open;
      this.drawNotes();
    });
    const icon = make("span", { class: "warning-icon", "aria-hidden": "true" });
    this.warningLine = make("span", { class: "warning" }, icon, this.warning, this.more);
    this.unscorable = make("span", { class: "unscorable" });
    this.others = make("ul", { class: "warnings", id: "warnings", hidden: "" });
    const line = make("div", { class: "notes" }, this.warningLine, this.unscorable);
    return make("div", { role: "status" }, line, this.others);
  }

  update(data) {
    this.data = data;
    this.store.scores = data;
    wearColours(this.root, this.store);
    attribute(this.root, "data-echo", data.echo);
    this.arrange();
    this.draw();
    this.drawNotes();
    this.store.tell("scores");
  }

  destroy() {
    this.leave.forEach((leave) => leave());
    this.frame.stop();
  }

  /** One card for each region there is now, in Python's order; cards that stay are kept. */
  arrange() {
    const kinds = this.data.regions.map(({ kind }) => kind);
    for (const [kind, card] of this.cards) {
      if (kinds.includes(kind)) continue;
      card.element.remove();
      this.cards.delete(kind);
    }
    kinds.forEach((kind, at) => {
      if (!this.cards.has(kind)) this.cards.set(kind, new RegionCard(kind));
      const { element } = this.cards.get(kind);
      if (this.choice.children[at] !== element) this.choice.insertBefore(element, this.choice.children[at] ?? null);
    });
    this.cardRow.style.setProperty("--n", kinds.length);
  }

  draw() {
    if (!this.data) return;
    const { beta, regions } = this.data;
    const { texts = {}, labels = {} } = this.store.points?.header ?? {};
    this.recall.update({ ...this.data, texts, labels });
    const chosen = this.chosen();
    for (const region of regions) {
      const card = this.cards.get(region.kind);
      const live = region.kind === "cosine" ? this.underTheHand(region) : null;
      const coverage = region.kind === "cosine" ? this.data.coverage : "";
      card.update(region, live ?? region, { beta, texts, labels, coverage, live: live !== null });
      attribute(card.element, "aria-checked", region.kind === chosen);
      attribute(card.element, "tabindex", region.kind === chosen ? 0 : -1);
    }
  }

  /** The region that is chosen: as the hand has it, else the first. */
  chosen() {
    return this.cards.has(this.store.live.region) ? this.store.live.region : this.data.regions[0]?.kind;
  }

  /**
   * What Python computed for the similarity threshold where the hand has it, or null if the server's scores are of the
   * same split. So the live numbers stay until the answer to the last move is there, however late an older one comes.
   */
  underTheHand(region) {
    const { points, curve, live } = this.store;
    if (live.region !== "cosine" || region.status !== "ok" || region.pending) return null;
    if (!points || !curve || live.min_similarity === undefined) return null;
    const { n } = points.header;
    if (n !== this.data.n_scorable || curve.arrays.f_beta.length !== n + 1) return null;
    const split = splitIndex(points.arrays.similarity, n, live.min_similarity);
    if (n - split === region.n_relevant) return null;
    return {
      n_relevant: n - split,
      semantic_precision: points.arrays.semantic_precision[split],
      decay: curve.arrays.decay[split],
      f_beta: curve.arrays.f_beta[split],
    };
  }

  choose(kind) {
    if (!kind || !this.cards.has(kind)) return;
    if (kind !== this.chosen()) this.store.commit({ region: kind });
  }

  key(event) {
    const kinds = [...this.cards.keys()].filter((kind) => this.data.regions.some((region) => region.kind === kind));
    const at = kinds.indexOf(event.target.closest?.(".card")?.dataset.kind);
    if (at < 0) return;
    const next = { Home: 0, End: kinds.length - 1, " ": at, Enter: at }[event.key]
      ?? (event.key in STEPS ? (at + STEPS[event.key] + kinds.length) % kinds.length : null);
    if (next === null) return;
    event.preventDefault();
    this.choose(kinds[next]);
    this.cards.get(kinds[next]).element.focus();
  }

  drawNotes() {
    const { warnings, n_unscorable: nUnscorable } = this.data;
    const [first, ...others] = warnings;
    show(this.warningLine, warnings.length > 0);
    write(this.warning, first ?? "");
    attribute(this.warning, "title", first ?? null);
    show(this.more, others.length > 0);
    write(this.more, this.open ? "fewer" : `${count(others.length)} more`);
    attribute(this.more, "aria-expanded", this.open);
    show(this.others, this.open && others.length > 0);
    while (this.others.children.length > others.length) this.others.lastChild.remove();
    while (this.others.children.length < others.length) this.others.append(make("li"));
    others.forEach((text, at) => write(this.others.children[at], text));
    write(this.unscorable, nUnscorable ? `${count(nUnscorable)} without a vector` : "");
    const words = `${countOf(nUnscorable, "retrieved publication")} without a vector: no region counts them.`;
    attribute(this.unscorable, "title", nUnscorable ? words : null);
  }
}
