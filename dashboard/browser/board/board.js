// The board: keywords in their lists, the string that they make, its scores and the landscape. Python counts; what the
// hand does shows at once and is put right by the answer.
import { button, enable, focusIn, MessageLine } from "../shared/controls.js";
import { CorpusMap } from "../shared/corpus_map.js";
import { attribute, hit, make, write } from "../shared/elements.js";
import { Asks } from "../shared/messages.js";
import { Part } from "../shared/part.js";
import { isDark, wearColours } from "../shared/theme.js";
import { BOARD_LISTS, keyAfter, lastWords, listOfKey, moveWords, nextKey, placeOf, withChanges } from "./keywords.js";
import { Dragging, HeldBackRows, KeywordCard, KeywordList, KeywordRow } from "./lists.js";
import { BoardScores, BoardString } from "./results.js";

const QUIET_BOARD_MS = 150;
const BOARD_ARROWS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);
const KEYS_HINT = "Drag a keyword, or press S, G, O, X or A on it. Enter changes it, Delete deletes it, Ctrl+Z undoes.";
const EMPTY_WORDS = {
  specific: "Keywords that identify the topic by themselves.",
  general: "Common keywords: they need an overarching keyword.",
  overarching: "Every general keyword is combined with these.",
  excluded: "Keywords to exclude.",
  aside: "Proposals to sort, and keywords that were removed.",
};

/** The one part of the view “Sort”; in the panel of the Workbench, which shows the string, its scores and the landscape,
 * only the lists. */
export class WriterBoard extends Part {
  /** @type {any} */ data = null;
  /** @type {any[]} What the hand did and Python has not answered. */ changes = [];
  /** @type {string | null} The keyword that has the keyboard. */ active = null;
  /** @type {string | null} The keyword under the pointer. */ hovered = null;
  /** @type {Map<string | null, KeywordRow>} */ rows = new Map();
  /** @type {string | null} The list that a keyword was added to. */ addedTo = null;
  /** @type {any[]} The lists as they are drawn. */ drawn = [];
  turn = 0;
  quiet = 0;
  waysKey = "";

  constructor(root, store, python, isInPanel = false) {
    super(root, store, python);
    root.classList.add("workbench"); // buttons, fields, numbers and the map look as there
    this.asks = new Asks((ask) => {
      const change = this.changes.find(({ turn }) => turn === ask.turn && ask.turn !== undefined);
      if (change) change.seq = ask.seq;
      python.setStateValue("ask", { ...ask, bench: this.data?.bench ?? null });
    });
    const does = {
      move: (key, to, place) => this.#move(key, to, place), remove: (key) => this.#remove(key),
      change: (key, text, phrase) => this.ask("edit", { key, text, phrase }),
      add: (to, text) => this.#add(to, text), join: (joined) => this.ask("join", { joined }),
      take: (index, to) => this.ask("take", { index, to }),
      leave: () => this.#activate(null),
    };
    this.does = does;
    this.lists = new Map(BOARD_LISTS.map((list) => [list.id, new KeywordList(list, does)]));
    this.string = new BoardString({
      ask: (kind, more) => this.ask(kind, more), mark: (key) => this.#hover(key), go: (key) => this.#focus(key, true),
    });
    this.scores = new BoardScores();
    this.card = new KeywordCard(does);
    this.held = new HeldBackRows(does);
    this.map = isInPanel ? null : new CorpusMap(root);
    this.drag = new Dragging(root, {
      wordsFor: (key, list) => this.#effectOf(key, list), drop: (key, list, place) => this.#move(key, list, place, true),
    });
    this.ways = make("select", { class: "field ways", "aria-label": "Sort", title: "Keywords to sort: a step of this session, or a version split into keywords", "data-stay": "ways" });
    this.undo = button("Undo", () => this.ask("undo"), { title: "Ctrl+Z" });
    this.redo = button("Redo", () => this.ask("redo"), { title: "Ctrl+Shift+Z" });
    this.save = button("Save as version", () => this.ask("save"), { kind: "primary" });
    this.query = button("Open in the Workbench", () => this.ask("query"), { title: "Saves the string as a version and opens it there" });
    this.savedAs = make("span", { class: "saved-as" });
    this.working = make("span", { class: "working" });
    const open = make("label", { class: "labelled" }, make("span", {}, "Sort"), this.ways);
    const bar = make("div", { class: "bar-line", role: "group", "aria-label": "Board" },
      make("div", { class: "bar-group" }, open, this.undo, this.redo),
      make("div", { class: "bar-group end" }, this.working, this.savedAs, this.query, this.save));
    this.status = make("p", { class: "board-status", role: "status", "data-testid": "board-status" });
    this.message = new MessageLine(this.status);
    const [specific, general, over, excluded, aside] = [...this.lists.values()].map(({ element }) => element);
    const sign = (word, where) => make("span", { class: `joint ${where}`, "aria-hidden": "true" }, word);
    this.grid = make("div", { class: "kw-lists", role: "group", "aria-label": "Keywords" },
      specific, sign("OR", "or"), make("div", { class: "kw-group" }, general, sign("AND", "and"), over),
      aside, sign("NOT", "not"), excluded);
    if (this.map) {
      const side = make("aside", { class: "board-side" }, make("div", { class: "section-head" }, make("h2", {}, "Landscape")), this.map.element, this.card.element);
      root.append(bar, this.string.element, this.scores.element, this.status, this.message.element,
        make("div", { class: "board-columns" }, make("div", { class: "board-main" }, this.grid, this.held.left, this.held.element), side));
    } else root.append(this.status, this.message.element, this.held.left, this.grid, this.card.element);
    this.#listen();
    this.followTheme(() => this.#look());
    this.listen({ data: () => this.#drawMap(), look: () => this.#look() });
  }

  #listen() {
    this.ways.addEventListener("change", () => this.ask("open", { way: this.ways.value }));
    this.root.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => {
      const key = hit(event, ".kw")?.dataset.key;
      if (key !== undefined) this.#activate(key);
    });
    this.grid.addEventListener("pointerover", (event) => this.#hover(hit(event, ".kw")?.dataset.key ?? null));
    this.grid.addEventListener("pointerleave", () => this.#hover(null));
    this.grid.addEventListener("click", (event) => {
      const row = hit(event, ".kw");
      if (row && !hit(event, "button, input, label")) row.focus({ preventScroll: true });
    });
    this.grid.addEventListener("dblclick", (event) => {
      const key = hit(event, ".kw-line")?.parentElement?.dataset.key;
      if (key !== undefined) this.rows.get(key)?.edit();
    });
  }

  destroy() {
    clearTimeout(this.quiet);
    super.destroy();
    this.drag.destroy();
    this.map?.destroy();
  }

  #look() {
    this.#wear();
    this.map?.look();
  }

  #wear() {
    attribute(this.root, "data-theme", isDark(this.root) ? "dark" : "light");
    wearColours(this.root, this.store);
  }

  ask(kind, more = {}) {
    this.asks.ask(kind, more);
    this.#showWork();
  }

  #key(event) {
    const pressed = event.key;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && ["z", "y"].includes(pressed.toLowerCase())) {
      if (hit(event, "input") && event.target.value) return;
      event.preventDefault();
      event.stopPropagation();
      this.ask(pressed.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
      return;
    }
    const row = hit(event, ".kw");
    if (!row || event.target !== row || event.ctrlKey || event.metaKey) return;
    if (this.#keyOnRow(row.dataset.key, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Whether the key means something there. */
  #keyOnRow(key, { key: pressed, altKey }) {
    const lists = this.#now();
    const to = altKey ? null : listOfKey(pressed);
    if (to) {
      if (placeOf(lists, key)?.list === to) return true;
      const next = keyAfter(lists, key);
      this.#move(key, to);
      this.#focus(next);
    } else if (altKey && (pressed === "ArrowUp" || pressed === "ArrowDown")) this.#shift(lists, key, pressed === "ArrowUp" ? -1 : 1);
    else if (BOARD_ARROWS.has(pressed)) this.#focus(nextKey(lists, key, pressed));
    else if (pressed === "Enter" || pressed === "F2") this.rows.get(key)?.edit();
    else if (pressed === "Delete" || pressed === "Backspace") this.#remove(key);
    else return false;
    return true;
  }

  #shift(lists, key, step) {
    const { list, at } = placeOf(lists, key) ?? { list: null, at: 0 };
    const place = at + step;
    if (!list || place < 0 || place >= lists.find(({ id }) => id === list).rows.length) return;
    this.#move(key, list, place, true);
  }

  #move(key, to, place, isFollowed = false) {
    const here = placeOf(this.#now(), key);
    if (!here || (here.list === to && (place === undefined || place === here.at))) return;
    this.#change({ kind: "move", key, to, place });
    if (isFollowed) this.#focus(key);
  }

  #remove(key) {
    const next = keyAfter(this.#now(), key);
    this.#change({ kind: "delete", key });
    this.#focus(next);
  }

  #add(to, text) {
    this.addedTo = to;
    this.ask("add", { to, text });
  }

  /** Shown at once, and kept until an answer knows of it. */
  #change({ kind, ...more }) {
    this.turn += 1;
    this.changes.push({ kind, ...more, turn: this.turn, seq: Infinity });
    this.#drawLists();
    this.ask(kind, { ...more, place: more.place ?? null, turn: this.turn });
  }

  #now() {
    return withChanges(this.data?.lists ?? [], this.changes);
  }

  #effectOf(key, list) {
    const here = placeOf(this.#now(), key);
    if (!here || here.list === list) return "";
    const words = moveWords(here.row.if_moved?.[list], this.#retrieved(), this.data.scores.beta);
    return words || "";
  }

  /** What the string retrieves and finds of the core publications that count for keywords. */
  #retrieved() {
    const { scores } = this.data;
    const side = scores.sides.used ?? scores.sides.whole;
    return { n_retrieved: scores.n_retrieved, n_found: side.n_found, n_core: side.n_core };
  }

  #hover(key) {
    if (this.hovered === key || this.root.classList.contains("dragging")) return;
    this.hovered = key;
    this.#showMeant();
  }

  #activate(key) {
    if (this.active === key) return;
    this.rows.get(this.active)?.activate(false);
    this.active = key;
    this.rows.get(key)?.activate(true);
    this.#showMeant();
  }

  #focus(key, isShown = false) {
    const element = key === null ? null : this.rows.get(key)?.element;
    if (!element) return;
    element.focus({ preventScroll: true });
    const scroll = /** @type {Element} */ (element.closest(".kw-scroll"));
    const [box, inside] = [element.getBoundingClientRect(), scroll.getBoundingClientRect()];
    if (box.top < inside.top + 22) scroll.scrollTop -= inside.top + 22 - box.top;
    else if (box.bottom > inside.bottom) scroll.scrollTop += box.bottom - inside.bottom;
    if (isShown) element.scrollIntoView({ block: "nearest" });
  }

  /** The keyword under the pointer, else the one that has the keyboard: in the string and on its card. */
  #showMeant() {
    if (!this.data) return;
    const key = this.hovered ?? this.active;
    this.string.show(key);
    const { n_core: nCore, ...now } = this.#retrieved();
    const isSplit = Boolean(this.data.scores.sides.held_out);
    this.card.update(this.#now(), this.map ? key : this.active, { now, nCore, beta: this.data.scores.beta, isSplit });
    for (const [name, row] of this.rows) row.element.classList.toggle("marked", name === this.hovered);
  }

  update(data) {
    if (this.data && this.data.bench !== data.bench) {
      this.asks.reset();
      this.changes = [];
      this.active = this.hovered = null;
    }
    this.data = data;
    this.asks.hear(data.seq);
    this.changes = this.changes.filter(({ seq }) => seq > data.seq);
    if (data.message && this.addedTo) this.lists.get(this.addedTo)?.giveBack();
    if (!this.asks.isAwaited("add")) this.addedTo = null;
    this.store.useOnly("corpus", data.corpus_id);
    this.#wear();
    attribute(this.root, "data-seq", data.seq);
    this.#drawBar(data);
    this.string.update(data);
    this.scores.update(data);
    this.held.update(data);
    this.#drawLists();
    this.#drawMap();
    this.#say(data.message ?? null);
    this.#showWork();
  }

  #drawBar(data) {
    const key = JSON.stringify(data.ways);
    if (this.waysKey !== key) {
      this.waysKey = key;
      const groups = [...new Set(data.ways.map(({ of }) => of))];
      this.ways.replaceChildren(...groups.map((of) => make("optgroup", { label: of },
        ...data.ways.filter((way) => way.of === of).map(({ id, label }) => make("option", { value: id }, label)))));
    }
    this.ways.value = data.way;
    const { undo, redo, label } = data.history;
    enable(this.undo, undo);
    enable(this.redo, redo);
    attribute(this.undo, "title", undo && label ? `Undo: ${label} (Ctrl+Z)` : "Ctrl+Z");
    enable(this.save, Boolean(data.text) && !data.saved);
    enable(this.query, Boolean(data.text));
    write(this.savedAs, data.saved ? `Version ${data.saved}` : "");
    const words = lastWords(data.last, data.scores.beta);
    write(this.status, words || KEYS_HINT);
    this.status.classList.toggle("idle", !words);
  }

  #drawLists() {
    if (!this.data) return;
    const lists = this.#now();
    const active = focusIn(this.root);
    const held = active?.classList.contains("kw") ? active.getAttribute("data-key") : null;
    const before = held === null ? null : placeOf(this.drawn, held);
    this.drawn = lists;
    const hasOver = lists.find(({ id }) => id === "overarching").rows.length > 0;
    const { n_core: nCore, ...now } = this.#retrieved();
    const gone = new Set(this.rows.keys());
    for (const list of lists) {
      const part = this.lists.get(list.id);
      if (!part) continue;
      part.update(list, { joined: this.data.joined, hasOver, words: EMPTY_WORDS[list.id] });
      list.rows.forEach((row, at) => {
        gone.delete(row.key);
        const made = this.#rowFor(row.key);
        made.update(row, list.id, { now, nCore, beta: this.data.scores.beta, marked: row.key === this.hovered });
        if (part.rows.children[at] !== made.element) part.rows.insertBefore(made.element, part.rows.children[at] ?? null);
      });
    }
    for (const key of gone) {
      this.rows.get(key)?.element.remove();
      this.rows.delete(key);
    }
    this.grid.classList.toggle("waits", !hasOver);
    this.#keepReachable(lists);
    if (held !== null) this.#keepFocus(held, before);
    this.#showMeant();
  }

  /** Where a keyword was reworded or went, the one that stands in its place has the keyboard. */
  #keepFocus(key, before) {
    const { rows } = this.drawn.find(({ id }) => id === before?.list) ?? { rows: [] };
    const instead = rows[Math.min(before?.at ?? 0, rows.length - 1)]?.key;
    (this.rows.get(key) ?? this.rows.get(instead))?.element.focus({ preventScroll: true });
  }

  #rowFor(key) {
    const row = this.rows.get(key) ?? new KeywordRow(key, this.does);
    this.rows.set(key, row);
    return row;
  }

  /** One keyword can always be reached by Tab. */
  #keepReachable(lists) {
    if (this.active !== null && this.rows.has(this.active)) return;
    this.active = null;
    const first = lists.find(({ rows }) => rows.length)?.rows[0].key;
    if (first !== undefined) attribute(this.#rowFor(first).element, "tabindex", "0");
  }

  #drawMap() {
    if (this.data) this.map?.update(this.store.corpus, this.data.retrieved);
  }

  #say(message) {
    this.message.say(message && { ...message, text: message.text.replace(/[^.!?]$/, "$&.") });
  }

  /** A quiet sign that something is being counted. */
  #showWork() {
    clearTimeout(this.quiet);
    const sign = () => {
      this.working.classList.toggle("on", this.asks.isBusy);
      write(this.working, this.asks.isBusy ? "Counting …" : "");
      this.root.classList.toggle("behind", this.asks.isBusy);
    };
    if (this.asks.isBusy) this.quiet = setTimeout(sign, QUIET_BOARD_MS);
    else sign();
  }
}
