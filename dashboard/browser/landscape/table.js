// The table of the retrieved publications, from what the browser already has.
import { button } from "../shared/controls.js";
import { attribute, make, oncePerFrame, show, write } from "../shared/elements.js";
import { csvOf, fileName, saveFile } from "../shared/files.js";
import { count } from "../shared/format.js";
import { Part } from "../shared/part.js";
import { bitAt, retractedOf, Titles, titlesOf } from "../shared/store.js";
import { wearColours } from "../shared/theme.js";
import { countsOf, Relevance, splitIndex } from "./counting.js";
import { Grid } from "./grid.js";
import { columnsFor, FILTERS, foundRows, marksOf, retractedColumn, shownRows, sortedRows, toggled } from "./rows.js";

const CHIPS = {
  all: "All", relevant: "Relevant in this region", core: "Core found", picked: "Picked", missed: "Core missed",
};

/** A virtual table with search, chips, sorting, picking and a file to take away. */
export class Table extends Part {
  /** @type {PointsPayload} */ points;

  constructor(root, store, python) {
    super(root, store, python);
    /** @type {any} */ this.data = null;
    this.n = this.total = 0;
    this.titles = this.dois = new Titles(new Uint8Array(0));
    this.filter = "all";
    this.typed = "";
    this.verdicts = new Map();
    /** @type {number | null} */ this.lastFocused = null;
    /** The rows as they are sorted, and by what. */
    this.ordered = { name: "", rows: new Uint32Array(0) };
    /** @type {Uint8Array | null} */ this.picked = null;
    /** @type {Uint8Array | null} */ this.found = null;
    this.view = new Uint32Array(0);
    this.picksHere = this.pickedOnLandscape = false;
    this.relevance = new Relevance();
    this.sort = { key: "rank", descending: false };
    this.grid = new Grid("Retrieved publications", {
      onOpen: (row) => store.focusOn(row), dress: (line, row) => this.dress(line, row),
      onMark: (row) => this.pickHere(row),
      onSort: (key) => this.sortBy(key),
    });
    this.search = make("input", {
      type: "search", class: "field", placeholder: "Search titles, years, DOIs", autocomplete: "off",
      spellcheck: "false", "aria-label": "Search the table by title, year or DOI",
    });
    this.search.addEventListener("input", () => this.searchFor(this.search.value));
    // Streamlit's shortcuts (R, C) listen on the document and would take letters typed in here for theirs.
    this.search.addEventListener("keydown", (event) => event.stopPropagation());
    this.chips = Object.fromEntries(FILTERS.map((filter) => [filter, this.chip(filter)]));
    this.download = button("Download CSV", () => this.save());
    const chips = make("div", { class: "chips", role: "group", "aria-label": "Rows to show" }, ...Object.values(this.chips));
    this.empty = make("p", { class: "empty", hidden: "" });
    const body = make("div", { class: "grid-frame", "data-testid": "retrieved-table" }, this.grid.element, this.empty);
    this.shown = make("span", { class: "shown", role: "status" });
    this.pickedText = make("span", {});
    const clear = button("Clear", () => store.pick([]), { kind: "link" });
    this.pickedNote = make("span", { class: "picked-note", hidden: "" }, this.pickedText, clear);
    this.reveal = button("Show the open record in the table", () => this.showFocused(), { kind: "link", hidden: "" });
    this.beyond = make("span", { class: "beyond" });
    const foot = make("div", { class: "foot" }, this.shown, this.pickedNote, this.reveal, this.beyond);
    root.append(make("div", { class: "bar" }, this.search, chips, this.download), body, foot);
    attribute(root, "aria-busy", "true");
    this.frame = oncePerFrame(() => this.takeLive());
    this.listen({
      data: () => this.takeData(), live: () => this.frame.ask(), look: () => this.takeLook(),
      picked: () => this.takePicked(), focus: () => this.takeFocus(), list: () => this.takeList(),
    });
    store.anchor("table", root);
  }

  chip(filter) {
    const chip = button("", () => this.filterBy(filter), { kind: "chip", "aria-pressed": "false", "data-filter": filter });
    chip.append(make("span", {}, CHIPS[filter]), make("span", { class: "number" }));
    return chip;
  }

  update(data) {
    this.data = data;
    this.takeData();
  }

  destroy() {
    super.destroy();
    this.frame.stop();
    this.grid.destroy();
  }

  /** Another payload, or the first one. */
  takeData() {
    const { points } = this.store;
    wearColours(this.root, this.store);
    attribute(this.root, "aria-busy", points ? null : "true");
    if (points && points !== this.points) this.takePoints(points);
    if (!points) return;
    this.ordered.name = ""; // regions may have changed, and columns sort by them
    this.verdicts.clear();
    this.grid.setColumns(columnsFor(points, this));
    this.grid.setSort(this.sort.key, this.sort.descending);
    this.refresh();
    this.takeFocus();
  }

  takePoints(points) {
    this.points = points;
    this.n = points.header.n;
    this.total = this.n + points.header.n_missed;
    this.titles = titlesOf(points);
    this.dois = new Titles(points.arrays.dois);
    this.picked = marksOf(this.store.picked, this.total);
    this.found = this.foundFor(this.typed);
    if (this.filter === "picked" && !this.picked) this.filter = "all";
  }

  takeLook() {
    wearColours(this.root, this.store);
    this.frame.ask();
  }

  /** The hand moves: rows are chosen and sorted again only where relevance decides on that. */
  takeLive() {
    if (!this.points) return;
    if (this.filter === "relevant" || this.sort.key.startsWith("relevant:")) {
      this.refresh();
      return;
    }
    this.followRegion();
    this.grid.refresh();
    this.tellChips();
  }

  followRegion() {
    this.verdicts.clear();
    this.relevance.follow(this.points, this.store.regions, this.store.live);
  }

  titleOf(row) { return this.titles.title(row); }
  isRetracted(row) { return retractedOf(this.points).has(row); }
  doiOf(row) { return this.dois.title(row); }
  isPicked(row) { return this.picked !== null && this.picked[row] === 1; }
  undefinedReason(kind) { return this.store.regions?.header.undefined?.[kind] ?? null; }

  /** What a region says of a row: a function, or null while the region is undefined or unknown. */
  verdict(kind) {
    if (!this.verdicts.has(kind)) this.verdicts.set(kind, this.verdictNow(kind));
    return this.verdicts.get(kind);
  }

  verdictNow(kind) {
    if (kind === "cosine") {
      const split = this.split();
      return split === null || this.undefinedReason(kind) ? null : (row) => row >= split;
    }
    const mask = this.store.regions?.arrays[`mask_${kind}`];
    return mask ? (row) => bitAt(mask, row) === 1 : null;
  }

  split() {
    const { min_similarity: minSimilarity } = this.store.live;
    return minSimilarity === undefined ? null : splitIndex(this.points.arrays.similarity, this.n, minSimilarity);
  }

  get region() {
    return this.points.header.kinds.find(({ kind }) => kind === this.store.live.region) ?? this.points.header.kinds[0];
  }

  /** Work out again which rows are shown, and draw. */
  refresh() {
    if (!this.points) return;
    this.followRegion();
    const { core } = this.points.arrays;
    const { filter, n, picked, found, relevance } = this;
    const isRelevant = (row) => relevance.has(row);
    this.view = shownRows(this.order(), { filter, n, core, isRelevant, picked, found });
    this.grid.setView(this.view);
    this.tellChips();
    this.tellFoot();
  }

  order() {
    const { key, descending } = this.sort;
    const split = key === "relevant:cosine" ? this.split() : "";
    const name = `${key} ${descending} ${split}`;
    if (this.ordered.name !== name) {
      const { sortKey } = this.grid.columns.find((column) => column.key === key);
      this.ordered = { name, rows: sortedRows(this.total, this.n, sortKey, descending) };
    }
    return this.ordered.rows;
  }

  tellChips() {
    const { rows } = countsOf(this.points);
    const numbers = {
      all: this.n, relevant: this.relevance.nRelevant, core: rows.found.length,
      picked: this.store.picked.length, missed: this.total - this.n,
    };
    for (const [filter, chip] of Object.entries(this.chips)) {
      attribute(chip, "aria-pressed", filter === this.filter);
      write(chip.lastChild, count(numbers[filter]));
    }
    attribute(this.chips.relevant, "title", `Region: ${this.region.label}`);
    attribute(this.chips.picked, "disabled", numbers.picked === 0 && this.filter !== "picked");
  }

  tellFoot() {
    const { store, view, filter } = this;
    const missed = filter === "missed";
    const all = missed ? this.total - this.n : this.n;
    write(this.shown, `${count(view.length)} of ${count(all)}${missed ? " missed core publications" : ""} shown`);
    const n = store.picked.length;
    write(this.pickedText, `${count(n)} picked${this.pickedOnLandscape ? " on the landscape" : ""}`);
    show(this.pickedNote, n > 0);
    show(this.reveal, store.focused !== null && !view.includes(store.focused));
    write(this.beyond, missed ? this.missedBeyond() : this.unranked());
    show(this.empty, view.length === 0);
    if (view.length === 0) write(this.empty, this.emptyWords());
    attribute(this.download, "disabled", view.length === 0);
  }

  unranked() {
    const n = this.data?.n_without_vector ?? 0;
    return n ? `${count(n)} more ${n === 1 ? "has" : "have"} no vector and can't be ranked` : "";
  }

  missedBeyond() {
    const { recall } = this.store.scores ?? {};
    const n = recall ? recall.n_core - recall.n_found - (this.total - this.n) : 0;
    return n > 0 ? `${count(n)} more ${n === 1 ? "has" : "have"} no vector` : "";
  }

  emptyWords() {
    const { filter, n, typed, region } = this;
    if (filter === "picked" && !this.picked) {
      return "Nothing is picked. Draw around dots on the landscape, or tick rows here.";
    }
    if (this.found) return `No title, year or DOI here matches “${typed.trim()}”.`;
    if (filter === "missed") return "Every core publication with a vector was found.";
    if (n === 0) return "This query retrieved no publication with a vector.";
    if (filter === "core") return "The query found no core publication with a vector.";
    const { reason } = this.relevance;
    if (reason) return `${region.label} is not defined: ${reason}.`;
    return `${region.label} accepts no publication as relevant.`;
  }

  sortBy(key) {
    const column = this.grid.columns.find((candidate) => candidate.key === key);
    const again = this.sort.key === key;
    this.sort = { key, descending: again ? !this.sort.descending : column.descendingFirst };
    this.grid.setSort(key, this.sort.descending);
    this.refresh();
  }

  filterBy(filter) {
    this.filter = filter;
    this.grid.element.scrollTop = 0;
    this.refresh();
  }

  searchFor(typed) {
    this.typed = typed;
    if (!this.points) return;
    this.found = this.foundFor(typed);
    this.grid.element.scrollTop = 0;
    this.refresh();
  }

  foundFor(typed) {
    const { titles, dois, total } = this;
    return foundRows(typed, { titles, dois, year: this.points.arrays.year }, total);
  }

  /** A tick in the table: the rows shown stay the rows shown. */
  pickHere(row) {
    this.picksHere = true;
    this.store.pick(toggled(this.store.picked, row));
    this.picksHere = false;
  }

  takePicked() {
    if (!this.points) return;
    const { picked } = this.store;
    this.picked = marksOf(picked, this.total);
    this.pickedOnLandscape = picked.length > 0 && !this.picksHere;
    if (this.pickedOnLandscape) {
      this.#clearSearch();
      this.filterBy("picked");
    } else if (!picked.length && this.filter === "picked") this.filterBy("all");
    else this.refresh();
  }

  takeFocus() {
    if (!this.points) return;
    const { focused } = this.store;
    if (focused !== null && focused !== this.lastFocused) this.grid.reveal(focused);
    this.lastFocused = focused;
    this.grid.refresh();
    this.tellFoot();
  }

  /** A number of the scores was clicked: all that it counts, in sight. */
  takeList() {
    if (!this.points) return;
    this.#clearSearch();
    this.filterBy(this.store.listed);
    this.root.scrollIntoView({ block: "nearest" });
  }

  #clearSearch() {
    this.search.value = this.typed = "";
    this.found = null;
  }

  /** Take away what hides the row of the open record, and go there. */
  showFocused() {
    this.#clearSearch();
    const { focused } = this.store;
    if (focused === null) return;
    this.filterBy(focused < this.n ? "all" : "missed");
    this.grid.reveal(focused);
    this.grid.element.focus({ preventScroll: true });
  }

  dress(line, row) {
    const focused = row === this.store.focused;
    line.classList.toggle("focused", focused);
    attribute(line, "aria-current", focused ? "true" : null);
    attribute(line, "aria-selected", this.isPicked(row));
  }

  /** The rows shown, as a file. */
  save() {
    const columns = [...this.grid.columns.filter(({ value }) => value), retractedColumn(this)];
    const rows = Array.from(this.view, (row) => columns.map((column) => column.value(row)));
    const { topic, version } = this.points.header;
    const text = csvOf([columns.map(({ label }) => label), ...rows]);
    // The mark at its head tells spreadsheets that it is UTF-8.
    saveFile(`\ufeff${text}`, "text/csv;charset=utf-8", `${fileName(topic, version, this.filter)}.csv`);
  }
}
