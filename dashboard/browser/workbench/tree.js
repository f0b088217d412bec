// The search string as a table: a row for each node, indented, with what it brings and costs. Only rows in sight are there.
import { bar, switchFor } from "../shared/controls.js";
import { attribute, hit, make, oncePerFrame, show, write } from "../shared/elements.js";
import { count, NOTHING, signedScore, significant } from "../shared/format.js";

const TREE_ROW_PX = 32;
const TREE_HEAD_PX = 44;
const SPARE_ROWS = 6;
const INDENT_PX = 13;
const DEEPEST_INDENT = 10;

/** Calls `onSwitch(numbers)`, `onMark(node or null)`, `onGo(node)` and `onList(node, count)`. */
export class Tree {
  constructor({ onSwitch, onMark, onGo, onList }) {
    this.onSwitch = onSwitch;
    this.onList = onList;
    this.onMark = onMark;
    this.onGo = onGo;
    /** @type {TreeNode[]} All of them, and those that are not folded away. */ this.nodes = this.view = [];
    this.folded = new Set();
    this.parents = this.off = new Set();
    /** @type {any[]} The lines on the page. */ this.pool = [];
    this.active = this.version = 0;
    this.most = 1;
    this.blocks = this.nParts = new Map();
    /** @type {number[]} */ this.switched = [];
    /** @type {number | null} The node that the caret is in. */ this.current = null;
    /** @type {TreeNode | null} */ this.hovered = null;
    /** @type {number | null} Where the pointer is, so high above the rows. */ this.pointerY = null;
    this.head = make("div", { class: "tree-head tree-row", role: "row", "aria-rowindex": 1 }, ...headCells());
    this.space = make("div", { class: "tree-space", role: "presentation" });
    this.grid = make("div", {
      class: "tree", role: "treegrid", tabindex: 0, "aria-label": "Terms of the search string", "data-testid": "tree",
      "aria-colcount": COLUMNS.length + 2, "aria-describedby": "tree-keys",
    }, this.head, this.space);
    this.keys = make("p", { class: "unseen", id: "tree-keys" },
      "Arrow keys move and fold; Space switches a part off or on; Enter selects it in the search string; L lists its publications.");
    this.element = make("div", { class: "tree-frame" }, this.grid, this.keys);
    this.frame = oncePerFrame(() => this.paint());
    this.#listen();
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.grid);
  }

  #listen() {
    this.grid.addEventListener("scroll", () => this.frame.ask(), { passive: true });
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("click", (event) => this.click(event));
    this.grid.addEventListener("pointermove", ({ clientY }) => this.#point(clientY));
    this.grid.addEventListener("pointerleave", () => this.#point(null));
    this.grid.addEventListener("focus", () => this.#hover(this.pool.find((line) => line.index === this.active)));
    this.grid.addEventListener("blur", () => this.#hover(null));
  }

  destroy() {
    this.observer.disconnect();
    this.frame.stop();
  }

  /** Other numbers. `switched` is what the hand switched off and Python has not answered, else null. */
  update(nodes, switched) {
    this.nodes = nodes;
    this.parents = parentsOf(nodes);
    this.most = Math.max(1, ...nodes.filter(({ number }) => !this.parents.has(number)).map(({ n_unique: n }) => n ?? 0));
    this.blocks = blocksOf(nodes);
    this.nParts = new Map();
    for (const { parent } of nodes) this.nParts.set(parent, (this.nParts.get(parent) ?? 0) + 1);
    this.#switchTo(switched ?? switchedOff(nodes));
    this.folded = new Set([...this.folded].filter((number) => this.parents.has(number)));
    this.arrange();
  }

  #switchTo(switched) {
    this.switched = switched;
    this.off = offWith(this.nodes, switched);
  }

  arrange() {
    this.view = unfolded(this.nodes, this.folded);
    this.active = Math.min(this.active, Math.max(this.view.length - 1, 0));
    this.space.style.height = `${this.view.length * TREE_ROW_PX}px`;
    attribute(this.grid, "aria-rowcount", this.view.length + 1);
    this.version++;
    this.frame.ask();
  }

  /** Draw now what is in sight. */
  paint() {
    const height = Math.max(this.grid.clientHeight - TREE_HEAD_PX, 0);
    const n = Math.ceil(height / TREE_ROW_PX) + 2 * SPARE_ROWS + 1;
    while (this.pool.length < n) this.pool.push(this.#line(this.pool.length));
    const first = Math.max(0, Math.floor(this.grid.scrollTop / TREE_ROW_PX) - SPARE_ROWS);
    const used = new Set();
    for (let index = first; index < Math.min(this.view.length, first + n); index++) {
      const slot = index % this.pool.length;
      used.add(slot);
      this.#patch(this.pool[slot], index);
    }
    this.pool.forEach((line, slot) => show(line.element, used.has(slot)));
    const line = this.pool[this.active % this.pool.length];
    attribute(this.grid, "aria-activedescendant", line?.index === this.active ? line.element.id : null);
    if (this.pointerY !== null) this.#point(this.pointerY);
  }

  #line(slot) {
    const toggle = switchFor("In use", { tabindex: -1 });
    const fold = make("button", { type: "button", class: "fold", tabindex: -1, "aria-hidden": "true" });
    const words = make("span", { class: "node-words" });
    const block = make("span", {});
    const named = make("span", { class: "block" }, make("span", { class: "block-word" }, "Block "), block);
    const rest = make("span", { class: "node-rest", "aria-hidden": "true" });
    const flags = make("span", { class: "flags" });
    const what = make("span", { class: "cell what", role: "gridcell" }, fold, named, words, rest, flags);
    const numbers = COLUMNS.map(({ bars }) => {
      const value = make("span", {});
      const track = bars ? bar(0, "unique") : null;
      const cell = make("span", { class: "cell number", role: "gridcell" }, value, ...(track ? [track] : []));
      return { cell, value, track };
    });
    const use = make("span", { class: "cell use", role: "gridcell" }, toggle);
    const element = make("div", { class: "tree-row line", role: "row", id: `node-${slot}` }, use, what, ...numbers.map(({ cell }) => cell));
    this.space.append(element);
    return { element, toggle, fold, named, block, words, rest, flags, what, numbers, index: -1, version: -1 };
  }

  #patch(line, index) {
    const node = this.view[index];
    line.element.classList.toggle("active", index === this.active);
    line.element.classList.toggle("current", node.number === this.current);
    if (line.index === index && line.version === this.version) return;
    Object.assign(line, { index, version: this.version, node });
    const { element, toggle, fold, words, what, numbers } = line;
    const parent = this.parents.has(node.number);
    const off = this.off.has(node.number);
    element.style.transform = `translateY(${index * TREE_ROW_PX}px)`;
    attribute(element, "aria-rowindex", index + 2);
    attribute(element, "aria-level", node.depth + 1);
    attribute(element, "aria-expanded", parent ? String(!this.folded.has(node.number)) : null);
    element.classList.toggle("off", off);
    element.classList.toggle("group", parent);
    const wording = nodeWords(node, parent ? this.nParts.get(node.number) : 0);
    attribute(toggle, "aria-checked", String(!off));
    attribute(toggle, "aria-label", `Use ${wording}`);
    toggle.disabled = Boolean(node.untestable) && !off;
    what.style.paddingLeft = `${Math.min(node.depth, DEEPEST_INDENT) * INDENT_PX}px`;
    fold.classList.toggle("none", !parent);
    write(words, wording);
    const block = this.blocks.get(node.number);
    show(line.named, Boolean(block));
    write(line.block, block ? String(block) : "");
    write(line.rest, parent ? groupWords(node) : "");
    attribute(words, "class", `node-words kind-${parent ? "group" : node.kind.toLowerCase()}`);
    attribute(what, "title", node.text.length > 600 ? `${node.text.slice(0, 600)} …` : node.text);
    this.#flag(line, node, off);
    COLUMNS.forEach((column, at) => fillCell(column, numbers[at], node, this.most, parent));
  }

  #flag(line, node, off) {
    const named = flagsOf(node);
    const key = [...named, off].join();
    if (line.flagKey === key) return;
    line.flagKey = key;
    line.flags.replaceChildren(...[...named, ...(off ? ["off"] : [])].map((flag) => {
      const [words, help] = FLAGS[flag];
      return make("span", { class: `flag ${isWarning(flag) ? "warns" : ""}`, title: help }, words);
    }));
  }

  #lineOf(event) {
    const element = hit(event, ".line");
    return element ? this.pool.find((line) => line.element === element) : null;
  }

  /** The pointer is at this height of the window, also if it is the rows that moved. */
  #point(clientY) {
    this.pointerY = clientY;
    if (clientY === null) return this.#hover(null);
    const down = clientY - this.grid.getBoundingClientRect().top - TREE_HEAD_PX;
    const index = down < 0 ? -1 : Math.floor((down + this.grid.scrollTop) / TREE_ROW_PX);
    return this.#hover(this.pool.find((line) => line.index === index && !line.element.hidden));
  }

  #hover(line) {
    const node = (line && this.view[line.index]) ?? null;
    if (this.hovered === node) return;
    this.hovered = node;
    this.onMark(this.hovered);
  }

  /** Show which row the caret is in, and unfold what hides it. */
  show(number) {
    if (this.current === number) return;
    this.current = number;
    if (number !== null) {
      const hiding = above(this.nodes, number).filter((other) => this.folded.has(other));
      hiding.forEach((other) => this.folded.delete(other));
      if (hiding.length) this.arrange();
      const index = this.view.findIndex((node) => node.number === number);
      if (index >= 0) this.#reveal(index);
    }
    this.frame.ask();
  }

  #reveal(index) {
    const top = index * TREE_ROW_PX;
    const height = this.grid.clientHeight - TREE_HEAD_PX;
    const { scrollTop } = this.grid;
    if (top < scrollTop) this.grid.scrollTop = top;
    else if (top + TREE_ROW_PX > scrollTop + height) this.grid.scrollTop = top + TREE_ROW_PX - height;
  }

  fold(number, folded) {
    if (folded) this.folded.add(number);
    else this.folded.delete(number);
    this.arrange();
  }

  /** Switch one off or on, at once; Python hears of it. */
  press(node) {
    if (!node || (node.untestable && !this.off.has(node.number))) return;
    const switched = pressed(this.nodes, this.switched, node.number);
    if (this.onSwitch(switched) === false) return;
    this.#switchTo(switched);
    this.version++;
    this.frame.ask();
  }

  click(event) {
    const line = this.#lineOf(event);
    if (!line) return;
    const node = this.view[line.index];
    this.active = line.index;
    this.frame.ask();
    if (hit(event, ".switch")) this.press(node);
    else if (hit(event, ".fold")) this.fold(node.number, !this.folded.has(node.number));
    else if (hit(event, ".lists")) this.#list(node, hit(event, ".lists")?.dataset.count);
    else this.onGo(node);
    if (hit(event, ".switch, .fold, .lists")) this.grid.focus({ preventScroll: true });
  }

  key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const node = this.view[this.active];
    if (!node) return;
    const page = Math.max(1, Math.floor((this.grid.clientHeight - TREE_HEAD_PX) / TREE_ROW_PX) - 1);
    const last = this.view.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    if (event.key in steps) this.#move(this.active + steps[event.key]);
    else if (event.key === " ") this.press(node);
    else if (event.key === "Enter") this.onGo(node);
    else if (event.key.toLowerCase() === "l") this.#list(node, "n_in_context");
    else if (event.key === "ArrowRight" && this.folded.has(node.number)) this.fold(node.number, false);
    else if (event.key === "ArrowLeft") this.#out(node);
    else return;
    event.preventDefault();
  }

  /** What a count of the node stands for. */
  #list(node, key) {
    if (!unknown(node) && node[key] > 0) this.onList(node, key);
  }

  #out(node) {
    if (this.parents.has(node.number) && !this.folded.has(node.number)) this.fold(node.number, true);
    else this.#move(this.view.findIndex(({ number }) => number === node.parent));
  }

  #move(index) {
    if (index < 0 && this.active === 0) return;
    this.active = Math.min(Math.max(index, 0), this.view.length - 1);
    this.#reveal(this.active);
    this.paint();
    this.#hover(this.pool.find((line) => line.index === this.active));
  }
}

// The columns of the tree: their heads, what they mean, and how a cell is filled.

/** In their order on screen. `whole`: a count. `bars`: with a bar against the largest of all terms. */
const COLUMNS = [
  { key: "n_alone", label: "Alone", whole: true, help: "Publications that it matches on its own." },
  { key: "n_in_context", label: "In context", whole: true, help: "Retrieved publications that it matches." },
  { key: "n_unique", label: "Unique", whole: true, bars: true, help: "Retrieved publications that only it finds." },
  { key: "core", label: "Core", whole: true, help: "Core publications that it matches on its own." },
  { key: "core_unique", label: "Core unique", whole: true, help: "Core publications that only it finds." },
  { key: "semantic_precision_unique", label: "Precision unique", help: "Semantic precision of the publications that only it finds." },
  { key: "read_per_core", label: "Read per core", help: "Publications to read per core publication, among the retrieved ones that it matches." },
  { key: "f_beta_change_if_removed", label: "F2 if removed", signed: true, help: "Change of F2 if it is removed. Above zero: better without it." },
];

/** The head of the table. */
function headCells() {
  const head = (name, words, help) => make("span", { class: `cell ${name}`, role: "columnheader", title: help }, words);
  return [
    head("use", "Use", "Switch parts off to see the result without them."), head("what", "Term or group", null),
    ...COLUMNS.map(({ label, help }) => head("number", label, help)),
  ];
}

const SHORTEST_BAR = 0.08; // a shorter one looks like a speck

/** Write a number, or a dash where it isn't known. */
function fillCell(/** @type {any} */ { key, label, whole, signed, help }, { cell, value, track }, node, most, isGroup) {
  const number = unknown(node) ? null : node[key];
  const text = signed ? signedScore(number) : (whole ? count : significant)(number);
  write(value, text);
  const lists = Boolean(whole) && number > 0;
  cell.classList.toggle("none", text === NOTHING || number === 0);
  cell.classList.toggle("lists", lists);
  attribute(cell, "data-count", lists ? key : null);
  const more = `${key === "n_unique" ? keptOut(node) : ""}${lists ? " Click to list them." : ""}`;
  attribute(cell, "title", `${label}: ${text === NOTHING ? "not known" : text}. ${help}${more}`);
  cell.classList.toggle("better", Boolean(signed) && typeof number === "number" && number > 0.0005);
  if (!track) return;
  const share = isGroup ? 0 : Math.min(1, (number ?? 0) / most);
  track.style.setProperty("--share", share < SHORTEST_BAR ? 0 : share);
}

/** What is switched off or can't be tested here matches nothing in particular: a 0 would be wrong. */
function unknown({ untestable, off, flags = [] }) {
  return untestable || off || flags.includes("not_testable");
}

/** A part of an AND brings nothing that goes with it: what comes without it says more. */
function keptOut({ n_gained_if_removed: gained }) {
  return gained > 0 ? ` Without it ${count(gained)} more are retrieved.` : "";
}

// The rows of the tree of a search string: which are in sight, and what their flags say. Pure.

/** A node as one word or two, with what it means. */
const FLAGS = {
  zero_hit: ["no hits", "It matches no publication here. Check the spelling, or remove it."],
  subsumed: ["covered", "Other terms in its group find everything that it finds."],
  harmful: ["lowers F2", "F2 is higher without it: it costs more than it brings."],
  narrow: ["too narrow", "F2 is higher without it: it excludes more relevant publications than it saves reading."],
  single_point_of_failure: ["only finder", "It is the only term that finds some core publications. Keep it, or add synonyms."],
  not_testable: ["not testable", "This corpus can’t test it, so it is ignored here. It stays in the search string."],
  off: ["off", "Switched off here. It stays in the search string."],
};
const WARNS = new Set(["zero_hit", "harmful", "narrow"]);

/** Whether a flag asks for something to be done. */
function isWarning(flag) {
  return WARNS.has(flag);
}

/** The flags of a node by name. What is harmful either brings too much, or, if more comes without it, keeps too much out. */
export function flagsOf({ flags = [], n_gained_if_removed: gained }) {
  const named = flags.filter((flag) => flag in FLAGS && flag !== "off");
  return named.map((flag) => (flag === "harmful" && gained > 0 ? "narrow" : flag));
}

/** Which part of the AND at the root each node is, by its number, counted from 1; none if there is no such AND. */
export function blocksOf(nodes) {
  const root = nodes.find(({ depth }) => depth === 0);
  if (root?.kind !== "AND") return new Map();
  return new Map(nodes.filter(({ parent }) => parent === root.number).map(({ number }, at) => [number, at + 1]));
}

/** A text without line breaks. */
export function onOneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}

/** What stands behind the name of a group: what is in it. */
export function groupWords({ kind, text }) {
  return kind === "NOT" ? onOneLine(text).replace(/^not\s+/i, "") : onOneLine(text);
}

/** Which nodes have parts: their numbers. */
export function parentsOf(nodes) {
  return new Set(nodes.map(({ parent }) => parent).filter((parent) => parent !== null && parent !== undefined));
}

/** Nodes in sight: those with no folded node above them. Parents stand before their parts. */
export function unfolded(nodes, folded) {
  const hidden = new Set();
  return nodes.filter(({ number, parent }) => {
    const below = hidden.has(parent);
    if (below || folded.has(number)) hidden.add(number);
    return !below;
  });
}

/** The numbers of all nodes above one, the nearest first. */
export function above(nodes, number) {
  const byNumber = new Map(nodes.map((node) => [node.number, node]));
  const found = [];
  let node = byNumber.get(number);
  while (node && byNumber.has(node.parent) && !found.includes(node.parent)) {
    found.push(node.parent);
    node = byNumber.get(node.parent);
  }
  return found;
}

/** Numbers of nodes that are switched off themselves, ascending; those below them are off with them. */
export function switchedOff(nodes) {
  const off = new Set(nodes.filter((node) => node.off).map((node) => node.number));
  return nodes.filter(({ number, parent }) => off.has(number) && !off.has(parent)).map(({ number }) => number);
}

/** Nodes that are off with these switches: the switched ones and all below them. */
export function offWith(nodes, switched) {
  const off = new Set(switched);
  for (const { number, parent } of nodes) if (off.has(parent)) off.add(number);
  return off;
}

/** The switches after one was pressed. One below a switched-off group turns the group on. */
export function pressed(nodes, switched, number) {
  const off = new Set(switched);
  const blocked = above(nodes, number).filter((other) => off.has(other));
  if (blocked.length) blocked.forEach((other) => off.delete(other));
  else if (!off.delete(number)) off.add(number);
  return [...off].sort((a, b) => a - b);
}

/** What a node is called: a term by its text, a group by what it asks of its parts. */
export function nodeWords({ kind, text }, nParts = 0) {
  if (!nParts) return onOneLine(text);
  if (kind === "NOT") return "Not";
  return `${kind === "AND" ? "All of" : kind === "OR" ? "Any of" : "Near"} ${nParts}`;
}
