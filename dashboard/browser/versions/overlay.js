// Several versions on one landscape: who has what. Nothing moves, whatever is chosen.
import { Camera, Hand } from "../shared/camera.js";
import { button } from "../shared/controls.js";
import { attribute, contextOf, make, oncePerFrame, placeCard, show, sizeCanvas, write } from "../shared/elements.js";
import { csvOf, fileName, saveFile } from "../shared/files.js";
import { count, topicTitle } from "../shared/format.js";
import { Part } from "../shared/part.js";
import { Titles } from "../shared/store.js";
import { isDark } from "../shared/theme.js";
import { RowGrid } from "../landscape/picking.js";
import { entryMark, overlayPng, overlaySvg, paintCore, paintDots } from "./overlay_picture.js";

const OVERLAY_REACH_PX = 9;
const OVERLAY_HEAD_START_PX = 5;
const OVERLAY_INSETS = { left: 14, right: 14, top: 14, bottom: 14 };
const LEGEND_ICON = 15;

/** The picture, its legend and its files. */
export class OverlayVersions extends Part {
  /** @type {any} */ document;
  /** @type {OverlayPayload} */ payload;
  /** @type {Theme | undefined} */ theme;
  /** @type {Colours} */ colours;
  groups = new Uint8Array(0);
  grid = new RowGrid([], []);
  titles = new Titles(new Uint8Array(0));
  ids = new Titles(new Uint8Array(0));
  /** @type {ReturnType<typeof overlayEntries>} */ entries = [];
  /** @type {Set<string>} The entries of the legend that are switched off. */ hidden = new Set();
  /** @type {string | null} The one that is shown alone. */ alone = null;
  focus = -1;

  constructor(root, store, python) {
    super(root, store, python);
    this.camera = new Camera();
    this.camera.insets = OVERLAY_INSETS;
    this.canvas = make("canvas", {
      class: "overlay-canvas", tabindex: "0", role: "img", "data-testid": "overlay-canvas",
    });
    this.context = contextOf(this.canvas, { alpha: false, willReadFrequently: true });
    this.card = make("div", { class: "hover-card", hidden: "" }, make("p", { class: "card-title" }), make("p", { class: "card-facts" }));
    this.stage = make("div", { class: "overlay-stage" }, this.canvas, this.card);
    this.legend = make("ul", { class: "overlay-legend", "aria-label": "Marks: press to show or hide" });
    this.status = make("span", { class: "unseen", role: "status" });
    this.foot = make("div", { class: "overlay-foot" }, ...this.#buttons(), this.status);
    root.append(this.stage, this.legend, this.foot);
    this.frame = oncePerFrame(() => this.draw());
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.stage);
    this.listen({ data: () => this.#take() });
    this.hand = new Hand(this.canvas, this.#actions());
    this.canvas.addEventListener("blur", () => this.#hover(-1));
    // The theme can change without a word from Python; the background that the style sheet gives then changes too.
    this.stage.addEventListener("transitionrun", () => this.#dress());
  }

  destroy() {
    super.destroy();
    this.observer.disconnect();
    this.frame.stop();
  }

  update(document) {
    this.document = document;
    this.stage.style.setProperty("--height", `${document.height}px`);
    this.store.useOnly("overlay", document.overlay);
    this.#take();
  }

  #buttons() {
    const label = make("span", { class: "label" }, "Save as");
    const files = ["PNG", "SVG", "CSV"].map((kind) => button(kind, () => this.#save(kind), { "data-file": kind.toLowerCase() }));
    const home = button("Whole landscape", () => this.#move(() => this.camera.home()), { "data-file": "home" });
    return [label, ...files, home];
  }

  #actions() {
    const move = (change) => this.#move(change);
    return {
      pan: (dx, dy) => move(() => this.camera.pan(dx, dy)),
      zoom: (factor, px, py) => move(() => this.camera.zoom(factor, px, py)),
      home: () => move(() => this.camera.home()),
      hover: (px, py) => this.#hover(this.#rowAt(px, py), px, py),
      click: (px, py) => this.#hover(this.#rowAt(px, py), px, py),
      leave: () => this.#hover(-1), escape: () => this.#hover(-1), enter: () => this.#enter(),
      lassoMove: () => {}, lassoEnd: () => {},
    };
  }

  #move(change) {
    change();
    this.#hover(-1);
    this.frame.now();
  }

  /** Take up the payload that is current, if it came. */
  #take() {
    const payload = this.store.overlay;
    if (!payload || payload === this.payload) return this.#dress();
    const { header, arrays } = payload;
    const before = this.payload?.header;
    this.payload = payload;
    this.groups = groupsOf(arrays.members, header.labels.length);
    this.grid = new RowGrid(arrays.x, arrays.y);
    this.titles = new Titles(arrays.titles);
    this.ids = new Titles(arrays.ids);
    this.camera.frame(header.bounds);
    if (before?.labels.join("\n") !== header.labels.join("\n")) {
      this.hidden = new Set();
      this.alone = null;
    }
    this.entries = overlayEntries(payload, this.groups);
    this.#fillLegend();
    return this.#dress();
  }

  #dress() {
    if (!this.payload) return;
    const theme = isDark(this.root) ? "dark" : "light";
    if (this.theme !== theme) {
      this.theme = theme;
      this.colours = this.payload.header.colours[theme];
      for (const icon of this.legend.querySelectorAll("canvas")) drawEntryIcon(icon, this.colours, this.payload.header.labels.length);
    }
    this.frame.ask();
  }

  #fillLegend() {
    this.theme = undefined;
    this.legend.replaceChildren(...this.entries.map((entry) => {
      const icon = make("canvas", { "aria-hidden": "true", "data-kind": entry.kind, "data-code": entry.code });
      const toggle = make("button", { type: "button", class: "entry", "data-entry": entry.name }, icon, entry.label, make("b", {}, count(entry.n)));
      toggle.addEventListener("click", () => this.#toggle(entry.name));
      const only = button("only", () => this.#alone(entry.name), { kind: "only", "aria-label": `Only: ${entry.label}` });
      return make("li", {}, toggle, only);
    }));
    this.#followLegend();
  }

  #toggle(name) {
    this.alone = null;
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.#followLegend();
  }

  #alone(name) {
    this.alone = this.alone === name ? null : name;
    this.hidden = new Set();
    this.#followLegend();
  }

  /** Whether these marks are drawn. A group that stands alone brings its core publications along. */
  shows(name) {
    return this.alone ? this.alone === name || this.alone.replace("group-", "core-") === name : !this.hidden.has(name);
  }

  #followLegend() {
    for (const item of this.legend.children) {
      const [toggle, only] = item.children;
      const name = toggle.getAttribute("data-entry") ?? "";
      attribute(toggle, "aria-pressed", String(this.shows(name)));
      attribute(only, "aria-pressed", String(this.alone === name));
    }
    attribute(this.canvas, "aria-label", this.description());
    this.frame.ask();
  }

  /** What there is to see, in words. */
  description() {
    const { header } = this.payload;
    const counts = this.entries.map(({ label, n }) => `${label} ${count(n)}`).join(", ");
    return `Landscape of ${topicTitle(header)}, publications and core publications by ` +
      `version: ${counts}. Arrow keys move, plus and minus zoom, 0 shows all, Enter names the publication in the middle.`;
  }

  /** All that is needed to draw, at so many pixels to one. */
  scene(scale) {
    const { header, arrays } = this.payload;
    return {
      arrays, groups: this.groups, nPlaced: header.n_placed, nVersions: header.labels.length, camera: this.camera,
      colours: this.colours, scale, header, entries: this.entries.filter(({ name }) => this.shows(name)),
      description: this.description(), titleOf: (row) => this.titles.title(row),
      showsDots: (code) => this.shows(`group-${code}`), showsCore: (code) => this.shows(`core-${code}`),
    };
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height || !this.context || !this.payload || !this.colours) return;
    const scale = Math.min(2, globalThis.devicePixelRatio || 1);
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    sizeCanvas(this.canvas, wide, high);
    this.camera.resize(width, height);
    drawScene(this.context, this.scene(scale), wide, high);
    this.#ring(scale);
  }

  #ring(scale) {
    if (this.focus < 0) return;
    const { arrays } = this.payload;
    this.context.save();
    this.context.scale(scale, scale);
    this.context.beginPath();
    this.context.arc(this.camera.pixelX(arrays.x[this.focus]), this.camera.pixelY(arrays.y[this.focus]), 8, 0, 2 * Math.PI);
    this.context.strokeStyle = this.colours.selection;
    this.context.lineWidth = 1.8;
    this.context.stroke();
    this.context.restore();
  }

  #rowAt(px, py) {
    if (!this.payload) return -1;
    const { arrays } = this.payload;
    const reach = OVERLAY_REACH_PX / this.camera.scale;
    const seen = (row) => this.shows(`${arrays.core[row] ? "core" : "group"}-${this.groups[row]}`);
    const head = (row) => (!seen(row) ? -Infinity : arrays.core[row] ? OVERLAY_HEAD_START_PX / this.camera.scale : 0);
    return this.grid.nearest(this.camera.placeX(px), this.camera.placeY(py), reach, head);
  }

  /** Name the publication nearest to the middle: the way in for those without a pointer. */
  #enter() {
    const [px, py] = [this.camera.width / 2, this.camera.height / 2];
    const { arrays } = this.payload;
    const seen = (row) => this.shows(`${arrays.core[row] ? "core" : "group"}-${this.groups[row]}`);
    const row = this.grid.nearest(this.camera.placeX(px), this.camera.placeY(py), this.#farthest(), (each) => (seen(each) ? 0 : -Infinity));
    this.#hover(row, px, py);
    if (row >= 0) write(this.status, this.card.textContent);
  }

  #farthest() {
    const [x0, y0, x1, y1] = this.payload.header.bounds;
    return 2 * (x1 - x0 + y1 - y0);
  }

  #hover(row, px = 0, py = 0) {
    if (row !== this.focus) this.frame.ask();
    this.focus = row;
    show(this.card, row >= 0);
    if (row < 0) return;
    const { header, arrays } = this.payload;
    const [title, facts] = this.card.children;
    write(title, this.titles.title(row) || this.ids.title(row));
    const core = arrays.core[row] ? [arrays.members[row] ? "core publication" : "core publication, missed"] : [];
    write(facts, [arrays.year[row] || null, ...core, heldBy(arrays.members[row], header.labels)].filter(Boolean).join(" · "));
    const { x, y } = placeCard(px, py, this.card.offsetWidth, this.card.offsetHeight, this.camera.width, this.camera.height);
    this.card.style.transform = `translate(${x}px, ${y}px)`;
  }

  async #save(kind) {
    if (!this.payload) return;
    const { header } = this.payload;
    const name = `${fileName(header.topic, header.labels.join(" "), "landscape")}.${kind.toLowerCase()}`;
    const font = getComputedStyle(this.root).fontFamily;
    if (kind === "CSV") {
      const isShown = (code, core) => this.shows(`${core ? "core" : "group"}-${code}`);
      const table = overlayTable(this.payload, this.groups, (row) => this.ids.title(row), (row) => this.titles.title(row), isShown);
      saveFile(csvOf(table), "text/csv;charset=utf-8", name);
    } else if (kind === "SVG") saveFile(overlaySvg(this.scene(1), font), "image/svg+xml", name);
    else saveFile(await overlayPng(this.scene(2), font), "image/png", name);
    write(this.status, `Saved ${name}.`);
  }
}

/** Dots, then the core, into a context of this many pixels. */
function drawScene(context, scene, wide, high) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = scene.colours.background;
  context.fillRect(0, 0, wide, high);
  const image = context.getImageData(0, 0, wide, high);
  paintDots(image, { ...scene, shows: scene.showsDots });
  context.putImageData(image, 0, 0);
  context.save();
  context.scale(scene.scale, scene.scale);
  paintCore(context, { ...scene, shows: scene.showsCore });
  context.restore();
}

function drawEntryIcon(icon, colours, nVersions) {
  const scale = Math.min(2, globalThis.devicePixelRatio || 1);
  icon.width = icon.height = LEGEND_ICON * scale;
  const context = contextOf(icon);
  context.scale(scale, scale);
  const { kind, code } = icon.dataset;
  entryMark(context, { kind, code: Number(code) }, LEGEND_ICON / 2, LEGEND_ICON / 2, colours, nVersions);
}

// Which of several versions has a publication, and how many there are of each group. Pure.

/** The group of each row: 0 none of the versions, k version k alone, one more than there are versions: several. */
export function groupsOf(members, nVersions) {
  const code = new Uint8Array(1 << nVersions).fill(nVersions + 1);
  code[0] = 0;
  for (let bit = 0; bit < nVersions; bit++) code[1 << bit] = bit + 1;
  return members.map((member) => code[member]);
}

/** Publications and core publications of each group, in its order: [{ n, nCore, nUnplaced }]. */
export function groupTallies(groups, core, nPlaced, nVersions) {
  const tallies = Array.from({ length: nVersions + 2 }, () => ({ n: 0, nCore: 0, nUnplaced: 0 }));
  for (let row = 0; row < groups.length; row++) {
    const tally = tallies[groups[row]];
    tally.n++;
    if (core[row]) tally.nCore++;
    if (row >= nPlaced) tally.nUnplaced++;
  }
  return tallies;
}

/** Entries of the legend: a group of publications each, then the core by who found it. */
export function overlayEntries({ header, arrays }, groups) {
  const n = header.labels.length;
  const tallies = groupTallies(groups, arrays.core, header.n_placed, n);
  const order = [...header.labels.keys()].map((k) => k + 1).concat(n + 1, 0);
  const dots = order.filter((code) => code <= n || n > 1).map((code) => ({
    name: `group-${code}`, kind: "dots", code, label: header.groups[code], n: tallies[code].n,
  }));
  const found = order.filter((code) => code && (code <= n || n > 1)).map((code) => ({
    name: `core-${code}`, kind: "core", code, n: tallies[code].nCore,
    label: code > n ? `Core found by ${n === 2 ? "both" : "several"}` : `Core: only ${header.labels[code - 1]}`,
  }));
  return [...dots, ...found, { name: "core-0", kind: "core", code: 0, label: "Core missed", n: tallies[0].nCore }];
}

/** One sentence on who has a publication. */
export function heldBy(member, labels) {
  const having = labels.filter((_, bit) => (member >> bit) & 1);
  if (!having.length) return labels.length === 2 ? "Neither version retrieves it." : "None of the versions retrieves it.";
  if (having.length === labels.length) return labels.length === 2 ? "Both versions retrieve it." : "All versions retrieve it.";
  const words = having.length > 1 ? `${having.slice(0, -1).join(", ")} and ${having.at(-1)} retrieve it.` : `Only ${having[0]} retrieves it.`;
  return words;
}

/** The rows of a table: who has each publication that is shown. */
export function overlayTable({ header, arrays }, groups, idOf, titleOf, isShown) {
  const head = ["Id", "Title", "Year", ...header.labels.map((label) => `In ${label}`), "Group", "Core"];
  const rows = [];
  for (let row = 0; row < groups.length; row++) {
    if (!isShown(groups[row], arrays.core[row])) continue;
    const held = header.labels.map((_, bit) => ((arrays.members[row] >> bit) & 1 ? "yes" : "no"));
    rows.push([idOf(row), titleOf(row), arrays.year[row] || null, ...held, header.groups[groups[row]], arrays.core[row] ? "yes" : "no"]);
  }
  return [head, ...rows];
}
