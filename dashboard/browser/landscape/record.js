// The card of one publication: what it is, why it counts or not, and what lies nearest to it.
import { button } from "../shared/controls.js";
import { attribute, make, show, write } from "../shared/elements.js";
import { count, countOf, doiAddress, listedTitle, NOTHING, significant } from "../shared/format.js";
import { Part } from "../shared/part.js";
import { retractedOf, titlesOf } from "../shared/store.js";
import { wearColours } from "../shared/theme.js";

const ROLES_OF_RECORD = {
  "core found": { mark: "core-found", words: "Core found" },
  "core missed": { mark: "core-missed", words: "Core missed" },
  retrieved: { mark: "plain", words: "Retrieved" },
};
const VERDICTS = {
  true: { mark: "relevant", words: "inside" },
  false: { mark: "outside", words: "outside" },
  null: { mark: "undefined", words: "not defined" },
};

/** Shows the record that Python sent for the focused row; its head at once, from what the browser has. */
export class RecordCard extends Part {
  constructor(root, store, python) {
    super(root, store, python);
    /** @type {any} */ this.data = null;
    /** @type {ReturnType<typeof whyLine>[]} */ this.lines = [];
    /** @type {ReturnType<typeof nearLine>[]} */ this.near = [];
    /** @type {any} The record that is drawn, and its row, which stays known while another is awaited. */
    this.drawn = null;
    this.shownRow = -1;
    this.unfolded = false;
    /** @type {number | undefined} */ this.echoBefore = undefined;
    this.mark = make("span", { class: "mark", "aria-hidden": "true" });
    this.role = make("span", { class: "role" });
    const close = button("×", () => store.focusOn(null), { kind: "close", "aria-label": "Close the record" });
    this.title = make("h2", { class: "title", tabindex: -1 });
    this.kind = make("span", {});
    this.year = make("span", {});
    this.doi = make("a", { target: "_blank", rel: "noopener noreferrer" });
    this.cited = make("span", {});
    this.place = make("span", {});
    this.retracted = make("p", { class: "retracted-note" }, "Retracted");
    const top = make("div", { class: "top" }, this.mark, this.role, this.place, close);
    const meta = make("div", { class: "meta" }, this.kind, this.year, this.cited, this.doi);
    const head = make("header", {}, top, this.retracted, this.title, meta);
    this.abstract = make("p", { class: "abstract", id: "abstract" });
    this.more = button("More", () => this.unfold(!this.unfolded), { kind: "link", "aria-controls": "abstract" });
    this.why = make("ul", { class: "why" });
    this.nearest = make("ol", { class: "nearest" });
    this.facts = make("dl", { class: "facts" });
    this.details = make("div", { class: "part" }, make("h3", {}, "Details"), this.facts);
    this.card = make("article", { class: "record-body", "aria-live": "polite" }, head,
      make("div", { class: "part" }, this.abstract, this.more),
      make("div", { class: "part" }, make("h3", {}, "Why"), this.why),
      make("div", { class: "part" }, make("h3", {}, "Nearest by cosine"), this.nearest),
      this.details);
    this.hint = make("p", { class: "hint" });
    this.core = new CoreList((row) => store.focusOn(row));
    const frame = make("section", { class: "frame", "data-testid": "record", "aria-label": "Record" });
    frame.append(this.hint, this.core.element, this.card);
    root.append(frame);
    this.listen({
      focus: () => this.takeFocus(), data: () => this.draw(), look: () => wearColours(root, store),
      place: () => this.#settle(),
    });
    this.#settle();
    this.observer = new ResizeObserver(() => this.fold());
    this.observer.observe(this.abstract);
  }

  update(data) {
    this.data = data;
    wearColours(this.root, this.store);
    this.draw();
  }

  destroy() {
    this.observer.disconnect();
    super.destroy();
    this.root.remove();
  }

  /** Move to where the page has a place for it. */
  #settle() {
    const place = this.store.places.get("publication");
    if (place && this.root.parentNode !== place) place.append(this.root);
  }

  takeFocus() {
    this.echoBefore = this.data?.echo_focus;
    if (this.store.focused !== this.drawn?.row) this.card.scrollTop = 0;
    this.draw();
  }

  /** "empty", "waiting" (Python hasn't sent this row yet), "gone" (it has no record of it) or "shown". */
  get state() {
    const { focused } = this.store;
    const record = this.data?.record ?? null;
    if (focused === null) return "empty";
    if (record?.row === focused) return "shown";
    const answered = this.echoBefore !== undefined && this.data.echo_focus > this.echoBefore;
    return answered && record === null ? "gone" : "waiting";
  }

  draw() {
    const { state } = this;
    attribute(this.root, "data-state", state);
    attribute(this.card, "aria-busy", state === "waiting");
    show(this.card, state === "shown" || state === "waiting");
    show(this.hint, state === "gone");
    write(this.hint, "No record of this publication.");
    this.core.show(state === "empty");
    if (this.store.points) this.core.draw(this.store.points.header);
    if (state === "waiting") this.drawHead(this.preview());
    if (state === "shown" && this.drawn !== this.data.record) this.drawRecord(this.data.record);
    if (state !== "shown") this.drawn = null;
  }

  /** What the browser knows of the focused row before Python answers. */
  preview() {
    const { points, focused: row } = this.store;
    if (!points || row === null) return { title: "", role: null };
    const { n } = points.header;
    const { core, year, similarity } = points.arrays;
    return {
      title: titlesOf(points).title(row), year: year[row] || null, doi: null, times_cited: null,
      kind: null, retracted: retractedOf(points).has(row), similarity: similarity[row], rank: row < n ? n - row : null,
      role: row >= n ? "core missed" : core[row] ? "core found" : "retrieved",
    };
  }

  /** @param {any} record */
  drawHead({ title, year, doi, times_cited: cited, similarity, rank, role, kind, retracted }) {
    const { mark, words } = ROLES_OF_RECORD[role] ?? { mark: "plain", words: "" };
    attribute(this.mark, "class", `mark ${mark}`);
    write(this.role, words);
    show(this.retracted, retracted);
    write(this.title, title || "No title");
    write(this.kind, kind ?? "");
    write(this.year, year ? String(year) : "Year unknown");
    write(this.cited, typeof cited === "number" ? `cited ${countOf(cited, "time")}` : "");
    const address = doiAddress(doi);
    attribute(this.doi, "href", address);
    attribute(this.doi, "title", address && "Opens in a new tab");
    write(this.doi, address ? doi : "");
    const n = this.store.points?.header.n;
    const ranked = typeof rank === "number" ? `rank ${count(rank)}${n ? ` of ${count(n)}` : ""}` : "";
    write(this.place, [`similarity ${significant(similarity)}`, ranked].filter(Boolean).join(" · "));
  }

  drawRecord(record) {
    const other = this.shownRow !== record.row;
    this.drawn = record;
    this.shownRow = record.row;
    this.drawHead(record);
    write(this.abstract, record.abstract || "No abstract.");
    this.abstract.classList.toggle("none", !record.abstract);
    if (other) this.card.scrollTop = 0;
    this.unfold(other ? false : this.unfolded);
    this.drawWhy(record.why);
    this.drawNearest(record.nearest);
    this.drawDetails(record);
  }

  /** Facts and subject headings; a major heading is bold and says so. */
  drawDetails({ facts, headings }) {
    const lines = facts.map(([name, value, address]) => factLine(name, address
      ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer", title: "Opens in a new tab" }, value)
      : value));
    if (headings.length) {
      const items = headings.map(([text, major]) => make("li", {}, major ? make("strong", {}, `${text} (major)`) : text));
      lines.push(factLine("Subject headings", make("ul", { class: "headings" }, ...items)));
    }
    this.facts.replaceChildren(...lines);
    show(this.details, lines.length > 0);
  }

  /** Unfold the abstract, or clamp it. */
  unfold(unfolded) {
    this.unfolded = unfolded;
    this.abstract.classList.toggle("clamped", !unfolded);
    attribute(this.more, "aria-expanded", unfolded);
    write(this.more, unfolded ? "Less" : "More");
    this.fold();
  }

  /** The button is there only where something is cut off. */
  fold() {
    show(this.more, this.unfolded || this.abstract.scrollHeight > this.abstract.clientHeight + 1);
  }

  drawWhy(why) {
    fit(this.why, this.lines, why.length, whyLine);
    why.forEach(({ label, inside, text }, at) => {
      const { mark, words } = VERDICTS[String(inside ?? null)];
      const line = this.lines[at];
      attribute(line.mark, "class", `mark ${mark}`);
      attribute(line.mark, "aria-label", words);
      write(line.label, label);
      write(line.text, text || words);
    });
  }

  drawNearest(nearest) {
    fit(this.nearest, this.near, nearest.length, () => nearLine((row) => this.store.focusOn(row)));
    nearest.forEach((neighbour, at) => this.near[at].draw(neighbour));
  }
}

/** Make or take away list items until there are `n`. */
function fit(list, items, n, create) {
  while (items.length > n) items.pop().element.remove();
  while (items.length < n) {
    const item = create();
    items.push(item);
    list.append(item.element);
  }
}

function factLine(name, value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value));
}

function whyLine() {
  const mark = make("span", { class: "mark", role: "img" });
  const label = make("span", { class: "why-label" });
  const text = make("span", { class: "why-text" });
  return { mark, label, text, element: make("li", {}, mark, label, text) };
}

function nearLine(open) {
  const similarity = make("span", { class: "near-similarity" });
  const mark = make("span", { class: "mark", role: "img" });
  const title = make("span", { class: "near-title" });
  const year = make("span", { class: "near-year" });
  const button = make("button", { type: "button" }, similarity, mark, title, year);
  let row = null;
  button.addEventListener("click", () => open(row));
  function draw(neighbour) {
    row = neighbour.row ?? null;
    button.disabled = row === null;
    const facts = [neighbour.core && "core publication", !neighbour.retrieved && "not retrieved"];
    const words = facts.filter(Boolean).join(", ");
    const [found, missed] = neighbour.core ? ["core-found", "core-missed"] : ["plain", "absent"];
    attribute(mark, "class", `mark ${neighbour.retrieved ? found : missed}`);
    attribute(mark, "aria-label", words || "retrieved");
    attribute(mark, "title", words || null);
    write(similarity, significant(neighbour.similarity));
    write(title, listedTitle(neighbour.title, neighbour.retracted));
    attribute(title, "title", neighbour.title || null);
    write(year, neighbour.year ? String(neighbour.year) : NOTHING);
  }
  return { draw, element: make("li", {}, button) };
}

/** Lists core publications; `open(row)` shows the record of one. */
class CoreList {
  constructor(open) {
    this.open = open;
    this.heading = make("h2", { class: "core-heading" });
    this.note = make("p", { class: "core-note" }, "Click one, a dot or a row to read its record.");
    this.list = make("ol", { class: "core-items" });
    this.element = make("div", { class: "core-list", "data-testid": "core-list" }, this.heading, this.note, this.list);
    /** @type {PointsPayload["header"] | undefined} */ this.header = undefined;
  }

  /** Of the version that this header of its points describes. */
  draw(header) {
    if (this.header === header) return;
    this.header = header;
    const { core_list: core, n_core_missed: missed } = header;
    write(this.heading, missed ? `Core missed: ${missed} of ${core.length}` : `All ${core.length} core publications found`);
    this.list.replaceChildren(...core.map((entry) => make("li", {}, this.line(entry))));
  }

  line({ row, title, year, found, retracted, similarity }) {
    const mark = make("span", { class: `mark ${found ? "core-found" : "core-missed"}`, role: "img" });
    attribute(mark, "aria-label", found ? "found" : "missed");
    const words = make("span", { class: "core-title", title }, listedTitle(title, retracted));
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
