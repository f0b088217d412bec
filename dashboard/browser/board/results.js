// What the lists of a board make: the search string and its scores.
import { copyButton, numberCell, setOptions } from "../shared/controls.js";
import { attribute, hit, make, show, write } from "../shared/elements.js";
import {
  betaIndex, changeSince, count, interval, signedCount, signedScore, significant,
} from "../shared/format.js";
import { unitsOf } from "../shared/text.js";

const OPERATORS = /\b(AND NOT|AND|OR|NOT)\b/g;

/** `ask(kind, more)`; `mark(key)` and `go(key)` tell the lists which keyword is meant. */
export class BoardString {
  constructor({ ask, mark, go }) {
    this.mark = mark;
    this.go = go;
    this.text = "";
    this.spans = new Map();
    this.dialect = make("select", { class: "field", "aria-label": "Written for", "data-stay": "board-dialect" });
    this.dialect.addEventListener("change", () => ask("dialect", { dialect: this.dialect.value }));
    this.copy = copyButton("Copy", () => this.text, { title: "Copy the search string" });
    const written = make("label", { class: "labelled" }, make("span", {}, "Written for"), this.dialect);
    const head = make("div", { class: "section-head" }, make("h2", {}, "Search string"), make("span", { class: "bar-group end" }, written, this.copy));
    this.box = make("div", { class: "board-string", tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true", "aria-label": "Search string", "data-testid": "board-string" });
    this.losses = make("p", { class: "note board-losses", hidden: "" });
    this.element = make("section", { class: "board-text", "aria-label": "Search string" }, head, this.box, this.losses);
    this.#listen();
  }

  #listen() {
    const keyAt = (event) => hit(event, "[data-word]")?.dataset.word ?? null;
    this.box.addEventListener("pointerover", (event) => this.mark(keyAt(event)));
    this.box.addEventListener("pointerleave", () => this.mark(null));
    this.box.addEventListener("click", (event) => {
      const key = keyAt(event);
      if (key !== null && getSelection()?.isCollapsed !== false) this.go(key);
    });
  }

  update(/** @type {any} */ { text, spans = [], dialect, dialects = [], losses = [] }) {
    setOptions(this.dialect, dialects.map(({ id, label }) => [id, label]));
    this.dialect.value = dialect;
    const key = JSON.stringify([text, spans]);
    if (this.drawnFor !== key) {
      this.drawnFor = key;
      this.text = text;
      this.#draw(text, spans);
    }
    show(this.losses, losses.length > 0);
    const more = losses.length > 1 ? ` (and ${losses.length - 1} more)` : "";
    write(this.losses, losses.length ? `Changed in translation: ${losses[0].message}${more}` : "");
    attribute(this.losses, "title", losses.map(({ message }) => message).join("\n") || null);
  }

  #draw(text, spans) {
    this.spans = new Map();
    this.box.classList.toggle("empty", !text);
    if (!text) {
      this.box.replaceChildren("No search string yet: add a keyword to Specific, or one each to General and Overarching.");
      return;
    }
    const units = unitsOf(text);
    const parts = [];
    let done = 0;
    for (const { start, end, list, key } of [...spans].sort((a, b) => a.start - b.start)) {
      const [from, to] = [units(start), units(end)];
      if (from < done) continue;
      parts.push(...between(text.slice(done, from)));
      const made = make("span", { class: `in-${list}`, "data-word": key }, text.slice(from, to));
      this.spans.set(key, made);
      parts.push(made);
      done = to;
    }
    parts.push(...between(text.slice(done)));
    this.box.replaceChildren(...parts);
  }

  /** The keyword that the hand is on. */
  show(key) {
    for (const [name, made] of this.spans) made.classList.toggle("marked", name === key);
  }
}

/** Signs and operators as text, the operators by themselves. */
function between(text) {
  return text.split(OPERATORS).filter(Boolean).map((part) => {
    return /^(AND NOT|AND|OR|NOT)$/.test(part) ? make("span", { class: "is-operator" }, part) : part;
  });
}

const BOARD_CELLS = [
  ["n_retrieved", "Publications", "Publications of this corpus that the string retrieves."],
  ["n_found", "Core found", "Core publications among them. The line is the 95 % interval of their share."],
  ["semantic_precision", "Semantic precision", "Share of retrieved publications that are close enough to the core, by cosine."],
  ["f_beta", "F", "Core recall and semantic precision in one number; it falls as the size grows."],
];
const HELD_OUT_HELP = "Held out: these were not marked as core while the string was written. Sorting by them makes them less informative.";

/** Patched with every answer. */
export class BoardScores {
  constructor() {
    this.cells = Object.fromEntries(BOARD_CELLS.map(([id, label, help]) => {
      const cell = { ...numberCell(label, help), sides: make("span", { class: "sides" }) };
      cell.data.append(cell.sides);
      return [id, cell];
    }));
    this.element = make("section", { class: "summary board-scores", "aria-label": "What it retrieves" },
      make("dl", { class: "numbers", "data-testid": "board-scores" }, ...Object.values(this.cells).map(({ element }) => element)));
  }

  update({ scores, first }) {
    if (!scores) return;
    const { whole, used, held_out: heldOut } = scores.sides;
    const { cells } = this;
    write(cells.f_beta.term, `F${betaIndex(scores.beta)}`);
    write(cells.n_retrieved.value, count(scores.n_retrieved));
    write(cells.n_retrieved.of, `of ${count(scores.n_corpus)}`);
    write(cells.n_found.value, count(whole.n_found));
    write(cells.n_found.of, `of ${count(whole.n_core)}`);
    write(cells.semantic_precision.value, significant(whole.semantic_precision));
    write(cells.f_beta.value, significant(whole.f_beta));
    this.#changes(cells, scores.n_retrieved, whole, first);
    this.#whiskers(cells, scores, whole);
    const sided = (told) => (used && heldOut ? `in use ${told(used)} · held out ${told(heldOut)}` : "");
    write(cells.n_retrieved.sides, share(scores));
    write(cells.n_found.sides, sided(({ n_found: n, n_core: all }) => `${count(n)}/${count(all)}`));
    write(cells.semantic_precision.sides, sided(({ semantic_precision: value }) => significant(value)));
    write(cells.f_beta.sides, sided(({ f_beta: value }) => significant(value)));
    for (const cell of Object.values(cells)) attribute(cell.sides, "title", heldOut ? HELD_OUT_HELP : null);
    const [low, high] = whole.recall_interval;
    attribute(cells.n_found.element, "title", `${cells.n_found.help} ${significant(whole.recall)}, ${interval(low, high)}.`);
    const reason = scores.why_no_region ? ` ${scores.why_no_region}` : "";
    for (const id of ["semantic_precision", "f_beta"]) attribute(cells[id].element, "title", `${cells[id].help}${reason}`);
  }

  #changes(cells, n, whole, first) {
    const told = [
      ["n_retrieved", first?.n_retrieved, n, signedCount], ["n_found", first?.n_found, whole.n_found, signedCount],
      ["semantic_precision", first?.semantic_precision, whole.semantic_precision, signedScore],
      ["f_beta", first?.f_beta, whole.f_beta, signedScore],
    ];
    for (const [id, before, after, signed] of told) {
      write(cells[id].change, changeSince(before, after, signed));
      attribute(cells[id].change, "title", "Change since opening");
    }
  }

  #whiskers(cells, scores, whole) {
    const places = {
      n_retrieved: scores.n_corpus ? scores.n_retrieved / scores.n_corpus : null, n_found: whole.recall,
      semantic_precision: whole.semantic_precision, f_beta: whole.f_beta,
    };
    for (const [id, place] of Object.entries(places)) {
      cells[id].whisker.set(place, id === "n_found" ? whole.recall_interval : null);
    }
  }
}

function share({ n_retrieved: n, n_corpus: all }) {
  if (!all) return "";
  const percent = (100 * n) / all;
  return `${percent > 0 && percent < 1 ? "less than 1" : Math.round(percent)} % of the corpus`;
}
