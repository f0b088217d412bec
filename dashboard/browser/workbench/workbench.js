// The workbench: a search string, what it finds and misses, and what would make it better. Python reads and counts; what
// the hand does shows at once and is put right by the answer.
import { button, copyButton, enable, MessageLine, setOptions, Tabs } from "../shared/controls.js";
import { WriterBoard } from "../board/board.js";
import { CorpusMap } from "../shared/corpus_map.js";
import { attribute, bringIntoSight, make, show, write } from "../shared/elements.js";
import { countOf, percentWords } from "../shared/format.js";
import { Asks } from "../shared/messages.js";
import { Part } from "../shared/part.js";
import { inUnits, nodeAt } from "../shared/text.js";
import { isDark, wearColours } from "../shared/theme.js";
import { keepDraft, keptDraft } from "./drafts.js";
import { Editor } from "./editor.js";
import { Findings } from "./findings.js";
import { Lines, Ranked, Reading, Translate } from "./results.js";
import { MissedCore } from "./missed.js";
import { Reshape, Suggestions } from "./suggestions.js";
import { offWith, switchedOff, Tree } from "./tree.js";

const QUIET_MS = 150; // what is answered sooner needs no sign
/** What is kept of asks until they are answered, and under which name. */
const KEPT = [["switch", "switched"], ["dialect", "dialect"], ["semantics", "semantics"]];
/** Where Streamlit draws the publications of a number. */
const LISTED = ".st-key-publications-of-workbench";
const DRAFT_IS_BACK = { kind: "info", text: "Your unsaved edits are back. Undo returns to the version." };
const RUN = "Save the search string as a version and evaluate it (Ctrl+Enter)";
const TOO_SOON = "The text has just changed. Try again in a moment.";

/** Two boxes: the search string at the head of the page, and the panel beside the landscape. */
export class Workbench extends Part {
  /** @type {any} */ data = null;
  /** @type {number[] | null} What the hand switched off, until it is answered; so for the next two. */ switched = null;
  /** @type {string | null} */ dialect = null;
  /** @type {string | null} */ semantics = null;
  /** @type {string | null} The wording that translations were asked for. */ translated = null;
  /** @type {string | null} The wording that the reasons for missing were priced for. */ priced = null;
  /** @type {string | null} The wording that the board was asked for. */ boarded = null;
  /** @type {string | null} The number whose publications are listed. */ listed = null;
  /** @type {string[]} The texts that were run, until their versions are here. */ ran = [];
  /** @type {string | null} The version whose draft was looked for. */ minded = null;
  /** @type {HTMLElement & { open?: boolean }} What folds the translations. */ translations;
  isBack = false;
  /** @type {{ kind: string, text?: string }[]} What was asked while the version changed and is meant for the new one, too. */ again = [];
  /** Whether the last ask was a turn on the board, which then says what came of it. */ isSorting = false;
  quiet = 0;

  constructor(root, store, python) {
    super(root, store, python);
    // Asks name the bench they are about, since Streamlit shows the last one again to whatever comes next.
    this.asks = new Asks((ask) => python.setStateValue("ask", { ...ask, bench: this.data?.bench ?? null }));
    const ask = (kind, more) => this.ask(kind, more);
    this.editor = new Editor({
      onEdit: (text) => this.#edit(text), onCaret: (place) => this.#showNode(place), onRun: () => this.ask("run"),
    });
    const tools = { ask, editor: this.editor, open: (id) => this.#openPublication(id), read: (id) => this.#readPublication(id) };
    this.bar = new Bar({ ask, flush: () => this.editor.flush(), textOf: () => this.editor.text });
    this.problems = new Problems((how) => this.ask("run", { how }));
    this.reading = new Reading();
    this.tree = new Tree({
      onSwitch: (off) => this.ask("switch", { off }),
      onMark: (node) => this.editor.mark(node),
      onGo: (node) => this.editor.select(node.start, node.end),
      onList: ({ number }, key) => this.#list(number, key),
    });
    this.map = new CorpusMap(root);
    this.ranked = new Ranked();
    this.panels = {
      missed: new MissedCore(tools), suggest: new Suggestions(tools), reshape: new Reshape(tools),
      findings: new Findings(tools), translate: new Translate(tools), lines: new Lines(tools),
    };
    this.boardRoot = make("div", { class: "queryscape writer_board" });
    this.board = new WriterBoard(this.boardRoot, store, { setStateValue: (_, turn) => this.#sort(turn), setTriggerValue() {} }, true);
    this.busyBar = make("div", { class: "busy-bar", role: "progressbar", "aria-label": "Computing" });
    this.message = new MessageLine(this.bar.note);
    this.publication = make("div", { class: "publication" });
    this.tuning = make("div", {});
    this.tabs = new Tabs("The search string and what it finds", this.#panels(), (id) => this.#openTab(id));
    this.head = make("section", { class: "queryscape workbench head", "aria-label": "Search string" }, this.bar.element,
      this.busyBar, this.editor.element, this.bar.note, this.message.element, this.problems.element, this.reading.element);
    root.append(this.tabs.element);
    this.#settle();
    store.offerPlace("publication", this.publication);
    store.offerPlace("tuning", this.tuning);
    store.anchor("query", this.editor.element);
    store.anchor("core", this.panels.missed.reasons);
    this.followTheme(() => this.#look());
    this.flush = () => this.editor.flush();
    window.addEventListener("pagehide", this.flush);
    this.run = () => this.bar.run.click();
    this.edit = (event) => {
      event.preventDefault();
      this.editor.field.focus();
    };
    document.addEventListener("queryscape-run", this.run); // from the command palette
    document.addEventListener("queryscape-edit", this.edit); // from the link that skips the navigation
    this.listen({
      data: () => this.#drawMap(), look: () => this.#look(), focus: () => this.#takeFocus(), place: () => this.#settle(),
    });
  }

  #panels() {
    const { panels } = this;
    const map = make("section", { class: "corpus", "aria-label": "The whole topic" }, this.map.element);
    this.lines = make("details", { class: "lines-of-search" }, make("summary", {}, "Line by line, with hits"), panels.lines.element);
    this.translations = make("details", { class: "translations" }, make("summary", {}, "In the syntax of other databases"), panels.translate.element);
    this.translations.addEventListener("toggle", () => this.#translate());
    const terms = make("div", { class: "terms" }, this.reading.untestable, this.tree.element, this.ranked.element, this.lines, this.translations, map);
    const suggest = make("div", {}, panels.findings.element, panels.suggest.element, panels.reshape.element);
    return [
      ["missed", panels.missed.element], ["terms", terms], ["suggest", suggest],
      ["board", make("div", {}, this.boardRoot)], ["publication", this.publication],
      ["tune", this.tuning],
    ];
  }

  /** The search string stands at the head of the page, once that has a place for it. */
  #settle() {
    const place = this.store.places.get("search-string");
    if (!place) this.root.prepend(this.head);
    else if (this.head.parentNode !== place) place.replaceChildren(this.head); // one that leaves may still be here
  }

  /** What was chosen on the landscape or in a list: why it is missed, or else its record. */
  #takeFocus() {
    const { focused, points } = this.store;
    if (focused === null) return;
    const chosen = points?.header.core_list.find(({ row }) => row === focused);
    const isMissed = chosen && this.data?.core?.some(({ publication_id: id, found }) => id === chosen.id && !found);
    if (!isMissed) return this.tabs.open("publication");
    this.tabs.open("missed");
    return this.panels.missed.unfold(chosen.id);
  }

  /** Ring a core publication on the landscape; one without a place there is left out. */
  #openPublication(id) {
    const row = this.store.points?.header.core_list.find((entry) => entry.id === id)?.row ?? null;
    if (row !== null && row !== this.store.focused) this.store.focusOn(row);
  }

  #edit(text) {
    this.isBack = false;
    if (this.data) keepDraft(this.data.topic, this.data.bench, text);
    this.ask("edit", { text });
  }

  /** A draft of this version that was left behind comes back; one that is the version again is forgotten. */
  #mindDraft() {
    const { topic, bench, text, is_edited: isEdited } = this.data;
    if (this.minded !== bench) {
      this.minded = bench;
      const kept = isEdited ? null : keptDraft(topic, bench, this.data.benches);
      if (kept !== null && kept !== text) {
        this.editor.type(kept);
        this.isBack = true;
        this.message.say(DRAFT_IS_BACK);
      }
    } else if (!this.editor.isAhead && !this.asks.isEditing) keepDraft(topic, bench, isEdited ? text : null);
  }

  /** List the publications of a number below, or hide them again. */
  #list(node, key) {
    this.ask("list", { node, count: key });
  }

  #readPublication(id) {
    this.#openPublication(id);
    this.tabs.open("publication");
  }

  #look() {
    this.#wear();
    this.map.look();
  }

  #wear() {
    for (const box of [this.root, this.head]) {
      attribute(box, "data-theme", isDark(this.root) ? "dark" : "light");
      wearColours(box, this.store);
    }
  }

  destroy() {
    clearTimeout(this.quiet);
    super.destroy();
    for (const part of [this.editor, this.tree, this.map, this.board]) part.destroy();
    window.removeEventListener("pagehide", this.flush);
    document.removeEventListener("queryscape-run", this.run);
    document.removeEventListener("queryscape-edit", this.edit);
    this.head.remove();
    this.store.tell("place"); // one that came before this one left may stand there now
    this.store.draft = null;
    this.store.withdrawPlace("publication", this.publication);
    this.store.withdrawPlace("tuning", this.tuning);
  }

  /** Ask Python. False: not now, since the text has just changed. */
  ask(kind, more = {}) {
    this.isSorting = kind === "sort";
    this.#keep(kind, more);
    const text = kind === "run" ? { text: this.editor.text } : {}; // a server that was started again knows of no draft
    const asked = this.asks.ask(kind, { ...more, ...text });
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
    if (kind === "run") this.ran.push(this.editor.text);
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
    this.tabs.element.style.setProperty("--height", `${data.height}px`);
    this.#wear();
    attribute(this.root, "data-seq", data.seq);
    this.bar.update(data, this);
    this.editor.take(data, asks.isNews("edit", data.seq));
    this.reading.update(data);
    this.#tellDraft();
    this.#drawMiddle();
    this.#drawMap();
    this.#drawPanels();
    this.message.say((this.isSorting ? null : data.message) ?? (this.isBack && data.is_edited ? DRAFT_IS_BACK : null));
    this.problems.update(data.problems);
    this.#mindDraft();
    for (const { kind, ...more } of this.again.splice(0)) this.ask(kind, more);
    this.#showWork();
  }

  /** Numbers are in one place of the page, which shows those of a draft as long as it is not run. */
  #tellDraft() {
    const { summary, before, is_edited: isEdited } = this.data;
    const errors = (this.data.findings ?? []).filter(({ severity }) => severity === "error").length;
    this.store.draft = isEdited && summary && before ? { summary, before, n_errors: errors, list: (key) => this.#list(null, key) } : null;
    this.store.tell("draft");
  }

  /** Another version or topic was chosen: what is not answered was about the one before, and what is typed, too, unless
   * the version is what was run: then it was typed since. */
  #tellApart(data) {
    const before = this.data;
    if (!before || (before.bench === data.bench && before.topic === data.topic && data.seq >= before.seq)) return;
    this.minded = null; // a server that was started again knows of no draft, but the browser does
    const isRun = this.ran.includes(data.text);
    const left = this.asks.reset();
    this.again = left.filter(({ kind, text }) => {
      if (kind === "run") return before.bench === data.bench || (isRun && text !== data.text); // run on the way here
      return kind === "rescue" && isRun;
    });
    if (isRun) {
      this.editor.goOn(data.text);
      keepDraft(before.topic, before.bench, null);
    } else this.editor.reset(data.text);
    this.ran = []; // one that is asked again is added again
    this.switched = this.dialect = this.semantics = this.translated = this.boarded = null;
  }

  #drawMiddle() {
    const { data } = this;
    const question = data.kind === "question";
    show(this.tree.element, !question);
    show(this.ranked.element, question);
    attribute(this.root, "data-kind", data.kind);
    this.tree.element.classList.toggle("empty", data.kind === "empty");
    if (question) this.ranked.update(data);
    this.tree.update(data.nodes ?? [], this.switched);
    this.#strike();
  }

  #drawMap() {
    if (this.data) this.map.update(this.store.corpus, this.data.retrieved);
  }

  #drawPanels() {
    const { data, asks, panels, tabs } = this;
    const isWhole = data.kind === "boolean"; // where nothing is left to look for, the findings say why
    const missed = (data.core ?? []).filter(({ found }) => !found).length;
    tabs.name("missed", "Missed", missed);
    tabs.name("terms", data.kind === "question" ? "Ranking" : "Terms");
    const findings = data.findings?.length ?? 0;
    tabs.name("suggest", "Suggest", findings || null, isWhole || findings > 0);
    show(panels.findings.element, findings > 0);
    for (const panel of [panels.suggest, panels.reshape]) show(panel.element, isWhole);
    tabs.name("board", "Board", null, isWhole);
    show(this.lines, Boolean(data.lines?.length));
    show(this.translations, isWhole);
    tabs.name("publication", "Publication");
    tabs.name("tune", "Tune");
    panels.findings.update(data);
    panels.missed.update(data, asks.isAwaited("rescues"));
    panels.lines.update(data);
    this.#drawBoard();
    this.#drawAwaited();
    this.#openTab(tabs.chosen);
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
    if (this.data?.kind !== "boolean") return;
    if (id === "terms") this.#translate();
    if (id === "missed") this.#priceReasons();
    if (id === "board") this.#openBoard();
  }

  /** Ask for the terms in lists, and not again for the same wording where they could not be had. */
  #openBoard() {
    const { data } = this;
    if (data.board) {
      this.boarded = null;
      return;
    }
    const wording = this.#wording();
    if (this.boarded === wording || this.asks.isEditing || this.asks.isAwaited("sort")) return;
    this.boarded = wording;
    this.ask("board");
  }

  /** A turn on the board is one of the editor: its undo takes it back. */
  #sort(turn) {
    if (turn.kind === "undo" || turn.kind === "redo") this.ask(turn.kind);
    else this.ask("sort", { turn });
  }

  /** The board numbers its own asks: all that were sent are answered once nothing of it is awaited here. */
  #drawBoard() {
    const { data, asks, board } = this;
    if (!data.board) return;
    const isAwaited = ["sort", "undo", "redo"].some((kind) => asks.isAwaited(kind));
    board.update({ ...data.board, bench: data.bench, seq: isAwaited ? 0 : board.asks.seq, history: data.history, message: this.isSorting ? data.message : null });
  }

  /** What prices are about: the search string, and the settings that they are computed with. */
  #wording() {
    const { bench, desk, text, dialect, semantics, nodes } = this.data;
    return JSON.stringify([bench, desk, text, dialect, semantics, switchedOff(nodes ?? [])]);
  }

  /** Ask once for each wording what would bring back those that are missed for one reason. */
  #priceReasons() {
    const { data } = this;
    const wording = this.#wording();
    if (!data.missed?.length || data.missed_priced || this.priced === wording || this.asks.isEditing) return;
    this.priced = wording;
    this.ask("reasons");
  }

  /** Ask for the translations once for each wording. */
  #translate() {
    const { data } = this;
    if (!data || data.kind !== "boolean" || !this.translations.open) return;
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
  ["stemmed", "Stemmed", "A word also finds its other forms: cat finds cats. Exact databases don't do this."],
];

const OVER = "A live source opens the Sources page first, to review what is sent, lost and paid";

/** What is no search string is in no dialect. */
const AUTO_WORDS = { empty: "Auto", question: "Auto: plain words" };

/** Calls `ask(kind, more)`; `flush()` tells first what was typed, `textOf()` gives it. */
class Bar {
  constructor({ ask, flush, textOf }) {
    this.ask = ask;
    this.dialect = make("select", { class: "field", "aria-label": "Written for", "data-stay": "dialect" });
    this.dialect.addEventListener("change", () => ask("dialect", { dialect: this.dialect.value }));
    this.semantics = make("select", { class: "field", "aria-label": "How words are matched", "data-stay": "semantics" });
    setOptions(this.semantics, SEMANTICS);
    this.semantics.addEventListener("change", () => ask("semantics", { semantics: this.semantics.value }));
    this.undo = button("Undo", () => { flush(); ask("undo"); });
    this.redo = button("Redo", () => ask("redo"));
    this.run = button("Run", () => { flush(); ask("run"); }, {
      kind: "primary", title: RUN,
    });
    this.copy = copyButton("Copy", textOf, { title: "Copy the search string" });
    this.copy.classList.add("copy-string");
    this.working = make("span", { class: "working", role: "status" });
    const read = make("label", { class: "labelled" }, make("span", {}, "Written for"), this.dialect);
    const left = make("div", { class: "bar-group" }, read, this.semantics);
    this.over = make("select", { class: "field", "aria-label": "Run over", title: OVER });
    this.over.addEventListener("change", () => this.#elsewhere(flush));
    this.place = make("label", { class: "labelled" }, make("span", {}, "Run over"), this.over);
    const right = make("div", { class: "bar-group end" }, this.working, this.undo, this.redo, this.copy, this.place, this.run);
    this.noteWords = make("span", {});
    this.note = make("p", { class: "note" }, this.noteWords);
    this.element = make("div", { class: "bar-line", role: "group", "aria-label": "Search string" }, left, right);
  }

  update(data, { dialect, semantics }) {
    this.#options(data, dialect);
    this.#places(data);
    this.semantics.value = semantics ?? data.semantics;
    attribute(this.semantics, "title", SEMANTICS.find(([value]) => value === this.semantics.value)?.[2]);
    write(this.noteWords, data.semantics_note || "");
    const { undo, redo, label } = data.history ?? {};
    enable(this.undo, Boolean(undo));
    enable(this.redo, Boolean(redo));
    for (const step of [this.undo, this.redo]) step.classList.toggle("unneeded", !undo && !redo);
    attribute(this.undo, "title", undo && label ? `Undo: ${label}` : null);
    const canRun = data.kind !== "empty" || Boolean(data.text);
    enable(this.run, canRun);
    attribute(this.run, "title", canRun ? RUN : "Type a search string to run it");
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

/** Asks what to do about a search string with errors before it becomes a version. Calls `run(how)`. */
class Problems {
  constructor(run) {
    this.words = make("span", {});
    this.preview = make("code", {});
    this.fixed = make("p", { class: "fixed" }, "Fixed: ", this.preview);
    this.fix = button("Fix and run", () => run("fix"), { kind: "primary" });
    this.asIs = button("Run as is", () => run("as_is"));
    this.element = make("div", { class: "message error problems", role: "alert", hidden: "" }, this.words, this.fix, this.asIs, this.fixed);
  }

  /** @param {{ n: number, n_fixable: number, messages: string[], fixed: string | null, waits: boolean } | null} problems */
  update(problems) {
    show(this.element, Boolean(problems));
    if (!problems) return;
    const { n, n_fixable: fixable, messages, fixed, waits } = problems;
    write(this.words, `${countOf(n, "problem")}: ${messages.join(" ")}`);
    write(this.preview, fixed ?? "");
    show(this.fixed, fixed !== null);
    show(this.fix, fixable > 0);
    show(this.asIs, waits);
    attribute(this.fix, "title", fixable < n ? `${countOf(fixable, "problem")} can be fixed automatically.` : null);
  }
}
