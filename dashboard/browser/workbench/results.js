// What a search string gives: how it was read, the ranking of a question, and translations.
import { bar, button, copyButton, nothing, placeButton, redraw, setOptions } from "../shared/controls.js";
import { make, show, write } from "../shared/elements.js";
import { count, countOf, NOTHING, significant } from "../shared/format.js";
import { copiedLines } from "../shared/text.js";

/** Places in the text that are shown for one loss. */
const MOST_PLACES = 8;

/** Where the list of a version and its search string, as it is read here, disagree; and how many terms are left out. */
export class Reading {
  constructor() {
    this.untestable = make("p", { class: "untestable" });
    this.element = make("div", { class: "version-note", "data-testid": "version-note" });
  }

  update({ summary, version_note: note = "", disagrees = [], n_disagreeing: nDisagreeing = 0 }) {
    show(this.element, Boolean(note));
    redraw(this.element, JSON.stringify([note, disagrees]), () => (note ? [versionNote(note, disagrees, nDisagreeing)] : []));
    const n = summary?.n_untestable;
    const words = `${countOf(n, "term")} can’t be tested here and ${n === 1 ? "is" : "are"} left out`;
    write(this.untestable, n ? words : "");
  }
}

/** Where the version and its search string, as it is read here, disagree: the sentence, and below it the publications. */
function versionNote(note, disagrees, n) {
  if (!disagrees.length) return make("p", { class: "note" }, note);
  const rows = disagrees.map(({ title, publication_id: id, message, is_core: core }) => make("li", { class: "row" },
    make("div", { class: "wording" }, make("span", {}, title || id), make("p", { class: "effect" }, `${core ? "Core. " : ""}${message}`))));
  const more = n > disagrees.length ? [make("li", { class: "row" }, `and ${count(n - disagrees.length)} more`)] : [];
  return make("details", {}, make("summary", {}, note), make("ul", { class: "rows" }, ...rows, ...more));
}

// A question in words is not matched but ranked: the list, with the cut drawn where reading ends.

/** Shown in place of the tree. */
export class Ranked {
  constructor() {
    this.note = make("p", { class: "note" });
    this.list = make("ol", { class: "ranked-list", tabindex: 0, "aria-label": "Ranking", "data-testid": "ranked" });
    const go = button("Go to the cut-off", () => this.#showCut());
    this.element = make("div", { class: "ranked" }, make("div", { class: "panel-line" }, this.note, go), this.list);
  }

  update({ ranked }) {
    redraw(this.note, ranked?.note ?? "", () => [ranked?.note ?? ""]);
    redraw(this.list, JSON.stringify(ranked), () => this.#build(ranked));
  }

  #showCut() {
    /** @type {HTMLElement | null} */ const line = this.list.querySelector(".cut");
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
  return make("li", { class: "cut" }, make("span", {}, `Cut-off after ${count(cut)}: everything above counts as retrieved`));
}

// The search string in the languages of other databases, with what gets lost on the way. And the lines of a long search.

/** One box for each database. Python is asked when the tab is opened, and when another database is chosen. */
export class Translate {
  constructor({ ask, editor }) {
    this.ask = ask;
    this.editor = editor;
    /** Databases that were chosen, until the answer has them: by dialect, for the source and for the targets. */
    this.chosen = { from: {}, to: {} };
    this.element = make("div", { class: "translate" });
  }

  update(data, isAwaited) {
    if (!isAwaited) this.chosen = { from: {}, to: {} };
    const { translations, reading_summary: reading, database, nodes = [] } = data;
    const isWhole = !nodes.some(({ off }) => off);
    redraw(this.element, JSON.stringify([translations, reading, database, isAwaited, isWhole]), () => this.#build(data, isAwaited, isWhole));
  }

  #build({ translations, reading_summary: reading, database, dialect, dialects = [], text }, isAwaited, isWhole) {
    if (!translations) return [nothing(isAwaited ? "Translating …" : "Nothing to translate yet.")];
    if (!translations.length) return [nothing("Nothing to translate yet.")];
    const lines = [];
    if (database) {
      const label = dialects.find(({ id }) => id === dialect)?.label ?? dialect;
      const choice = this.#choice("from", dialect, `Written for this database of ${label}`, database);
      lines.push(make("label", { class: "labelled panel-line" }, make("span", {}, `Written for ${label},`), choice));
    }
    if (reading) lines.push(make("p", { class: "panel-line unread" }, reading));
    if (!isWhole) lines.push(make("p", { class: "panel-line weights" }, "Switched-off parts are included here."));
    return [...lines, make("div", { class: "boxes" }, ...translations.map((each) => this.#box(each, text)))];
  }

  /** A list of the databases of a platform. @param {DatabaseChoice} database */
  #choice(side, dialect, label, database) {
    const { chosen, options } = database;
    const list = make("select", { class: "field", "aria-label": label, "data-stay": `database-${side}-${dialect}` });
    setOptions(list, options.map(({ id, label: words }) => [id, words]));
    list.value = this.chosen[side][dialect] ?? chosen;
    list.addEventListener("change", () => {
      this.chosen[side][dialect] = list.value;
      this.ask("translate", { from: { ...this.chosen.from }, to: { ...this.chosen.to } });
    });
    return list;
  }

  /** What could not be read is the same for all, and stands once above them. */
  #box({ dialect, label, database, text: written, losses: all = [], n_unread: unread = 0 }, text) {
    const losses = all.slice(unread);
    const state = losses.length ? countOf(losses.length, "difference") : unread ? "read with errors" : "exact";
    const choice = database ? [this.#choice("to", dialect, `Database of ${label}`, database)] : [];
    const head = make("header", {}, make("h2", {}, label), ...choice, make("span", { class: all.length ? "losses-state" : "exact" }, state),
      copyButton("Copy", () => written, { "aria-label": `Copy for ${label}`, "data-stay": `copy-${dialect}` }));
    const body = make("pre", { tabindex: 0, "aria-label": `${label}, search string` }, written);
    const place = ({ start, end }, at) => {
      if (end <= start) return "";
      const words = text.slice(start, end).replace(/\s+/g, " ").trim();
      const shown = words.length > 36 ? `${words.slice(0, 35)}…` : words;
      return placeButton(shown, { start, end }, this.editor, { "data-stay": `loss-${dialect}-${at}` });
    };
    const alike = new Map();
    losses.forEach((loss, at) => {
      const key = `${loss.status}: ${loss.message}`;
      alike.set(key, [...(alike.get(key) ?? []), { ...loss, at }]);
    });
    const items = [...alike.values()].map((several) => {
      const [{ status, message }] = several;
      const places = several.slice(0, MOST_PLACES).map((loss) => place(loss, loss.at));
      const more = several.length > MOST_PLACES ? make("span", {}, `and ${several.length - MOST_PLACES} more`) : "";
      return make("li", {}, make("span", { class: "status" }, String(status ?? "").replaceAll("_", " ")), ...places, more, make("span", {}, message));
    });
    return make("article", { class: "box" }, head, body, ...(items.length ? [make("ul", { class: "losses" }, ...items)] : []));
  }
}

/** The lines of a search in lines: their hits, and which ones nothing uses. */
export class Lines {
  constructor({ editor }) {
    this.editor = editor;
    this.lines = [];
    this.copy = copyButton("Copy lines", () => copiedLines(this.lines), { title: "As numbered lines with their hits" });
    this.list = make("div", {});
    this.element = make("div", { class: "search-lines" }, make("div", { class: "panel-line" }, this.copy), this.list);
  }

  update({ lines = [] }) {
    this.lines = lines;
    redraw(this.list, JSON.stringify(lines), () => [this.#table(lines)]);
  }

  #table(lines) {
    const head = ["Line", "Search", "Hits", ""].map((words) => make("th", { scope: "col" }, words));
    const rows = lines.map(({ number, text, hits, used, start, end }) => make("tr", { class: used ? "" : "unused" },
      make("th", { scope: "row" }, String(number)),
      make("td", { class: "line-text" }, placeButton(text, { start, end }, this.editor, { "data-stay": `line-${number}` })),
      make("td", { class: "number" }, typeof hits === "number" ? count(hits) : NOTHING),
      make("td", {}, used ? "" : make("span", { class: "flag warns", title: "No later line uses it, so it changes nothing." }, "not used"))));
    return make("table", { class: "line-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }
}
