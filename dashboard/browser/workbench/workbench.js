// The workbench: a search string, what it finds and misses, and what would make it better. Python reads and counts; what
// the hand does shows at once and is put right by the answer.
import { button, Choice, copyButton, enable, MessageLine, setOptions, Tabs } from "../shared/controls.js";
import { CorpusMap } from "../shared/corpus_map.js";
import { attribute, bringIntoSight, make, show, write } from "../shared/elements.js";
import { percentWords } from "../shared/format.js";
import { Asks } from "../shared/messages.js";
import { Part } from "../shared/part.js";
import { inUnits, nodeAt } from "../shared/text.js";
import { isDark, wearColours } from "../shared/theme.js";
import { Editor } from "./editor.js";
import { Findings } from "./findings.js";
import { Lines, Ranked, Summary, Translate } from "./results.js";
import { MissedCore, Reshape, Suggestions } from "./suggestions.js";
import { offWith, switchedOff, Tree } from "./tree.js";

const QUIET_MS = 150; // what is answered sooner needs no sign
/** What is kept of asks until they are answered, and under which name. */
const KEPT = [["switch", "switched"], ["dialect", "dialect"], ["semantics", "semantics"]];
/** Where Streamlit draws the publications of a number. */
const LISTED = ".st-key-publications-of-workbench";
const TOO_SOON = "The text has just changed. Try again when it has been read.";

/** The one part of the page “Query”. */
export class Workbench extends Part {
  /** @type {any} */ data = null;
  /** @type {number[] | null} What the hand switched off, until it is answered; so for the next two. */ switched = null;
  /** @type {string | null} */ dialect = null;
  /** @type {string | null} */ semantics = null;
  /** @type {string | null} The wording that translations were asked for. */ translated = null;
  /** @type {string | null} The number whose publications are listed. */ listed = null;
  quiet = 0;

  constructor(root, store, python) {
    super(root, store, python);
    // Asks name the bench they are about, since Streamlit shows the last one again to whatever comes next.
    this.asks = new Asks((ask) => python.setStateValue("ask", { ...ask, bench: this.data?.bench ?? null }));
    const ask = (kind, more) => this.ask(kind, more);
    this.editor = new Editor({ onEdit: (text) => this.ask("edit", { text }), onCaret: (place) => this.#showNode(place) });
    const tools = { ask, editor: this.editor };
    this.bar = new Bar({ ask, flush: () => this.editor.flush(), textOf: () => this.editor.text });
    this.summary = new Summary((key) => this.#list(null, key));
    this.tree = new Tree({
      onSwitch: (off) => this.ask("switch", { off }),
      onMark: (node) => this.editor.mark(node),
      onGo: (node) => this.editor.select(node.start, node.end),
      onList: ({ number }, key) => this.#list(number, key),
    });
    this.map = new CorpusMap(root);
    this.ranked = new Ranked();
    this.panels = {
      findings: new Findings(tools), missed: new MissedCore(tools), suggest: new Suggestions(tools),
      reshape: new Reshape(tools), translate: new Translate(tools), lines: new Lines(tools),
    };
    this.busyBar = make("div", { class: "busy-bar", role: "progressbar", "aria-label": "Being computed" });
    this.message = new MessageLine(this.bar.note);
    this.treeTitle = make("h2", {});
    const panels = Object.entries(this.panels).map(([id, panel]) => [id, panel.element]);
    this.tabs = new Tabs("What to do about it", panels, (id) => this.#openTab(id));
    const head = make("div", { class: "section-head" }, this.treeTitle, this.summary.untestable);
    const left = make("section", { class: "left", "aria-label": "Terms" }, head, this.tree.element, this.ranked.element);
    const mapHead = make("div", { class: "section-head" }, make("h2", {}, "Landscape"));
    const right = make("section", { class: "right", "aria-label": "Landscape" }, mapHead, this.map.element);
    const work = make("section", { class: "work", "aria-label": "Search string" }, this.bar.element, this.busyBar,
      this.editor.element, this.bar.note, this.message.element);
    root.append(work, this.summary.element, make("div", { class: "columns" }, left, right), this.tabs.element);
    this.followTheme(() => this.#look());
    this.listen({ data: () => this.#drawMap(), look: () => this.#look() });
  }

  /** List the publications of a number below, or hide them again. */
  #list(node, key) {
    this.ask("list", { node, count: key });
  }

  #look() {
    this.#wear();
    this.map.look();
  }

  #wear() {
    attribute(this.root, "data-theme", isDark(this.root) ? "dark" : "light");
    wearColours(this.root, this.store);
  }

  destroy() {
    clearTimeout(this.quiet);
    super.destroy();
    for (const part of [this.editor, this.tree, this.map]) part.destroy();
  }

  /** Ask Python. False: not now, since the text has just changed. */
  ask(kind, more = {}) {
    this.#keep(kind, more);
    const asked = this.asks.ask(kind, more);
    if (!asked) this.#refuse(kind);
    this.#showWork();
    this.#drawAwaited();
    return asked;
  }

  /** What the hand did shows at once. */
  #keep(kind, more) {
    if (kind === "switch") this.switched = more.off;
    if (kind === "dialect") this.dialect = more.dialect;
    if (kind === "semantics") this.semantics = more.semantics;
    if (kind === "switch" && this.data) this.#strike();
  }

  #refuse(kind) {
    if (kind === "switch") this.switched = null;
    this.#strike();
    this.message.say({ kind: "info", text: TOO_SOON });
  }

  update(received) {
    const data = inUnits(received);
    this.#tellApart(data);
    this.data = data;
    if (data.listed && data.listed !== this.listed) bringIntoSight(LISTED);
    this.listed = data.listed;
    this.asks.hear(data.seq);
    const { asks } = this;
    for (const [kind, name] of KEPT) if (asks.isNews(kind, data.seq)) this[name] = null;
    this.store.useOnly("corpus", data.corpus_id);
    this.#wear();
    attribute(this.root, "data-seq", data.seq);
    this.bar.update(data, this);
    this.editor.take(data, asks.isNews("edit", data.seq));
    this.summary.update(data);
    this.#drawMiddle();
    this.#drawMap();
    this.#drawPanels();
    this.message.say(data.message ?? null);
    this.#showWork();
  }

  /** Another version or topic was chosen: what is typed, and what is not answered, was about the one before. */
  #tellApart(data) {
    const before = this.data;
    if (!before || (before.bench === data.bench && before.topic === data.topic && data.seq >= before.seq)) return;
    this.asks.reset();
    this.editor.reset(data.text);
    this.switched = this.dialect = this.semantics = this.translated = null;
  }

  #drawMiddle() {
    const { data } = this;
    const question = data.kind === "question";
    const empty = data.kind === "empty";
    show(this.tree.element, !question);
    show(this.ranked.element, question);
    show(this.tabs.element, data.kind === "boolean" || (empty && data.findings?.length > 0));
    write(this.treeTitle, question ? "Ranking" : "Terms");
    attribute(this.root, "data-kind", data.kind);
    this.tree.element.classList.toggle("empty", empty);
    if (question) this.ranked.update(data);
    this.tree.update(data.nodes ?? [], this.switched);
    this.#strike();
  }

  #drawMap() {
    if (this.data) this.map.update(this.store.corpus, this.data.retrieved);
  }

  #drawPanels() {
    const { data, asks, panels, tabs } = this;
    if (data.kind === "question") return;
    const isWhole = data.kind === "boolean"; // where nothing is left to look for, the findings say why
    const missed = (data.core ?? []).filter(({ found }) => !found).length;
    tabs.name("findings", "Findings", data.findings?.length ?? 0);
    tabs.name("missed", "Missed core", missed, isWhole);
    tabs.name("suggest", "Suggestions", null, isWhole);
    tabs.name("reshape", "Slim down / widen", null, isWhole);
    tabs.name("translate", "Translate", null, isWhole);
    tabs.name("lines", "Lines", data.lines?.length ?? 0, Boolean(data.lines?.length));
    panels.findings.update(data);
    panels.missed.update(data, asks.isAwaited("rescues"));
    panels.lines.update(data);
    this.#drawAwaited();
    if (isWhole && tabs.chosen === "translate") this.#translate();
  }

  /** Panels that say that they wait. */
  #drawAwaited() {
    const { data, asks, panels } = this;
    if (!data || data.kind !== "boolean") return;
    panels.suggest.update(data, asks.isAwaited("suggest"));
    panels.reshape.update(data, asks.isAwaited("reshape"));
    panels.translate.update(data, asks.isAwaited("translate"));
  }

  #openTab(id) {
    if (id === "translate") this.#translate();
  }

  /** Ask for the translations once for each wording. */
  #translate() {
    const { data } = this;
    const wording = JSON.stringify([data.text, data.dialect, data.semantics, switchedOff(data.nodes ?? [])]);
    if (data.translations || this.translated === wording || this.asks.isEditing) return;
    this.translated = wording;
    this.ask("translate");
  }

  /** Strike what was just switched off, and only that: the rest is in the spans. */
  #strike() {
    const { data, switched } = this;
    if (!data?.nodes) return;
    const now = offWith(data.nodes, switchedOff(data.nodes));
    const wanted = switched ? offWith(data.nodes, switched) : now;
    this.editor.strike(
      data.nodes.filter(({ number }) => wanted.has(number) && !now.has(number)),
      data.nodes.filter(({ number }) => now.has(number) && !wanted.has(number)),
    );
  }

  #showNode(place) {
    const node = place === null || !this.data?.nodes ? null : nodeAt(this.data.nodes, place);
    this.tree.show(node?.number ?? null);
  }

  /** A quiet sign that something is being computed, and how far it is where that is known. */
  #showWork() {
    const { busy } = this.data ?? {};
    clearTimeout(this.quiet);
    const sign = () => {
      const words = busy?.title ?? (this.asks.isBusy ? "Counting …" : "");
      this.bar.work(words);
      this.busyBar.classList.toggle("on", Boolean(words));
      this.busyBar.classList.toggle("known", typeof busy?.share === "number");
      this.busyBar.style.setProperty("--share", String(busy?.share ?? 0));
      attribute(this.busyBar, "aria-valuenow", typeof busy?.share === "number" ? Math.round(100 * busy.share) : null);
    };
    if (this.asks.isBusy && !busy) this.quiet = setTimeout(sign, QUIET_MS);
    else sign();
  }
}

// The line above the editor: how the search string is read, undo and redo, and Run.

const SEMANTICS = [
  ["literal", "Literal", "A word finds that word only: cat does not find cats. Wildcards work."],
  ["stemmed", "Stemmed", "A word finds its other forms too: cat also finds cats. What exact databases don't do."],
];

const OVER = "A live source opens the page Sources first: what is sent, lost and paid is seen before anything is sent";

const CHANGING = ["n_retrieved", "n_found", "recall", "semantic_precision", "f_beta"];
/** What is no search string is in no dialect. */
const AUTO_WORDS = { empty: "Auto", question: "Auto: plain words" };

/** Calls `ask(kind, more)`; `flush()` tells first what was typed, `textOf()` gives it. */
class Bar {
  constructor({ ask, flush, textOf }) {
    this.ask = ask;
    this.dialect = make("select", { class: "field", "aria-label": "Written for", "data-stay": "dialect" });
    this.dialect.addEventListener("change", () => ask("dialect", { dialect: this.dialect.value }));
    this.semantics = new Choice("How words are matched", SEMANTICS, (value) => {
      this.semantics.set(value);
      ask("semantics", { semantics: value });
    });
    this.undo = button("Undo", () => { flush(); ask("undo"); });
    this.redo = button("Redo", () => ask("redo"));
    this.run = button("Run", () => { flush(); ask("run"); }, {
      kind: "primary", title: "Saves the search string as a version and evaluates it",
    });
    this.copy = copyButton("Copy", textOf, { title: "Copy the search string" });
    this.madeUp = make("span", { class: "badge", title: "This topic was made up to try things out" }, "made up");
    this.topic = make("span", { class: "topic" });
    this.working = make("span", { class: "working", role: "status" });
    const read = make("label", { class: "labelled" }, make("span", {}, "Written for"), this.dialect);
    const left = make("div", { class: "bar-group" }, this.topic, this.madeUp, read, this.semantics.element);
    this.over = make("select", { class: "field", "aria-label": "Run over", title: OVER });
    this.over.addEventListener("change", () => this.#elsewhere(flush));
    this.place = make("label", { class: "labelled" }, make("span", {}, "Run over"), this.over);
    const right = make("div", { class: "bar-group end" }, this.working, this.undo, this.redo, this.copy, this.place, this.run);
    this.noteWords = make("span", {});
    this.since = make("span", { class: "since" });
    this.note = make("p", { class: "note" }, this.noteWords, this.since);
    this.element = make("div", { class: "bar-line", role: "group", "aria-label": "Search string" }, left, right);
  }

  update(data, { dialect, semantics }) {
    write(this.topic, data.topic ?? "");
    show(this.topic, Boolean(data.topic));
    show(this.madeUp, Boolean(data.made_up));
    this.#options(data, dialect);
    this.#places(data);
    this.semantics.set(semantics ?? data.semantics);
    write(this.noteWords, data.semantics_note || "");
    write(this.since, isChanged(data) ? "Small numbers with a sign: change since the version that is open" : "");
    const { undo, redo, label } = data.history ?? {};
    enable(this.undo, Boolean(undo));
    enable(this.redo, Boolean(redo));
    attribute(this.undo, "title", undo && label ? `Takes back: ${label}` : null);
    enable(this.run, data.kind !== "empty" || Boolean(data.text));
  }

  /** The first option says what "Auto" made of it. */
  #options({ dialects = [], dialect, confidence, chosen, kind }, typed) {
    const label = dialects.find(({ id }) => id === dialect)?.label ?? dialect ?? "";
    const sure = typeof confidence === "number" ? `, ${percentWords(confidence)} sure` : "";
    const auto = chosen === "auto" && label && AUTO_WORDS[kind] === undefined ? `Auto: ${label}${sure}` : (AUTO_WORDS[kind] ?? "Auto");
    const options = [["auto", auto], ...dialects.map((each) => [each.id, each.label])];
    setOptions(this.dialect, options);
    this.dialect.value = typed ?? chosen ?? "auto";
  }

  /** Here, or one of the live sources. */
  #places({ live_sources: sources = [] }) {
    show(this.place, sources.length > 0);
    setOptions(this.over, [["", "this topic"], ...sources.map(({ id, label }) => [id, `${label} …`])]);
  }

  /** The local run stays what Run does: a source that is chosen is gone to at once. */
  #elsewhere(flush) {
    const source = this.over.value;
    this.over.value = "";
    if (!source) return;
    flush();
    this.ask("live", { source });
  }

  /** The quiet sign that something is being computed. */
  work(words) {
    this.working.classList.toggle("on", Boolean(words));
    write(this.working, words ?? "");
  }
}

/** Whether any number is another one than at the version that is open. */
function isChanged({ summary, before }) {
  return Boolean(summary && before) && CHANGING.some((key) => summary[key] !== before[key]);
}
