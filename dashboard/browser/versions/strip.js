// The versions of a topic: how much of the core each finds over how much there is to read, a dot for each.
import { button } from "../shared/controls.js";
import { attribute, make, oncePerFrame, show, svgElement, write } from "../shared/elements.js";
import { count, countOf, significant } from "../shared/format.js";
import { Part } from "../shared/part.js";
import { keepLooked, lookedAt } from "./looked.js";

const HIGH = 132;
const APART = 16;
/** Beyond this share of the width, a name stands left of its dot. */
const NAME_LEFT_FROM = 0.86;
const EDGE = { left: 34, right: 24, top: 16, bottom: 20 };

/** Lines lead from each version to those that were made from it; a click on a dot opens it. */
export class VersionsStrip extends Part {
  constructor(root, store, python) {
    super(root, store, python);
    /** @type {any} */ this.data = null;
    this.showsAll = false;
    this.title = make("h2", {}, "Versions");
    this.about = make("p", { class: "about" }, "Core found over publications retrieved; lines lead from a version to what was made from it.");
    this.more = button("", () => this.#showAll(), { kind: "quiet", "aria-pressed": "false" });
    this.lines = svgElement("svg", { class: "lines", "aria-hidden": "true" });
    this.dots = make("ol", { class: "dots" });
    this.plot = make("div", { class: "plot" }, this.lines, this.dots);
    root.append(make("div", { class: "line" }, this.title, this.about, this.more), this.plot);
    this.frame = oncePerFrame(() => this.draw());
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.plot);
  }

  destroy() {
    super.destroy();
    this.observer.disconnect();
    this.frame.stop();
  }

  update(data) {
    this.data = data;
    this.looked = keepLooked(data.topic, data.opened === data.newest ? null : data.opened);
    this.draw();
  }

  #showAll() {
    this.showsAll = !this.showsAll;
    attribute(this.more, "aria-pressed", String(this.showsAll));
    this.draw();
  }

  #open(label) {
    if (label !== this.data.opened) this.python.setStateValue("ask", { seq: Math.max(Date.now(), this.data.seq + 1), label });
  }

  draw() {
    const { data, plot } = this;
    if (!data || !plot.clientWidth) return;
    const folded = foldedOf(data, this.looked ?? lookedAt(data.topic));
    show(this.more, folded.size > 0);
    write(this.more, this.showsAll ? "Fold runs" : `Show ${countOf(folded.size, "more run")}`);
    attribute(this.more, "title", "Unnamed runs that were not opened again");
    const shown = data.versions.filter(({ label }) => this.showsAll || !folded.has(label));
    const places = placesOf(shown, plot.clientWidth);
    const place = ({ label: name }) => places.get(name) ?? { x: 0, y: 0 };
    this.#drawLines(shown, place);
    const focused = /** @type {ShadowRoot | Document} */ (this.root.getRootNode()).activeElement?.getAttribute("data-label");
    this.dots.replaceChildren(...shown.map((version) => this.#dot(version, place(version))));
    if (focused) /** @type {HTMLElement | null} */ (this.dots.querySelector(`[data-label="${CSS.escape(focused)}"]`))?.focus();
  }

  #drawLines(shown, place) {
    const { clientWidth: width } = this.plot;
    const of = new Map(shown.map((version) => [version.label, version]));
    const links = shown.filter(({ parent }) => of.has(parent)).map((version) => {
      const [from, to] = [place(of.get(version.parent)), place(version)];
      const opened = version.label === this.data.opened || version.parent === this.data.opened;
      return svgElement("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: opened ? "link opened" : "link" });
    });
    const low = HIGH - EDGE.bottom;
    const sizes = shown.map(({ n_retrieved: n }) => n).sort((a, b) => a - b);
    const axes = [
      svgElement("path", { class: "axis", d: `M${EDGE.left} ${EDGE.top}V${low}H${width - EDGE.right}` }),
      label(EDGE.left - 6, EDGE.top + 4, count(shown[0].n_core), "end"), label(EDGE.left - 6, low + 4, "0", "end"),
      label(EDGE.left + 20, HIGH - 4, `${count(sizes[0])} retrieved`, "start"),
      label(width - EDGE.right, HIGH - 4, `${count(sizes[sizes.length - 1])} retrieved`, "end"),
    ];
    attribute(this.lines, "viewBox", `0 0 ${width} ${HIGH}`);
    this.lines.replaceChildren(...axes, ...links);
  }

  #dot(version, { x, y }) {
    const { label: name, n_found: found, n_core: core, n_retrieved: retrieved, f_beta: score } = version;
    const isOpened = name === this.data.opened;
    const words = [`${found} of ${core} core found`, `${count(retrieved)} retrieved`];
    if (typeof score === "number") words.push(`F2 ${significant(score)}`);
    const title = `${version.name ? `${name}: ${version.name}` : name}. ${words.join(", ")}`;
    const dot = make("button", { type: "button", "data-label": name, title, "aria-label": title, "aria-current": isOpened ? "true" : null },
      make("span", { class: "dot" }), make("span", { class: "dot-name", "aria-hidden": "true" }, name));
    dot.addEventListener("click", () => this.#open(name));
    const item = make("li", { class: x > NAME_LEFT_FROM * this.plot.clientWidth ? "name-left" : null }, dot);
    Object.assign(item.style, { left: `${x}px`, top: `${y}px` });
    return item;
  }
}

function label(x, y, words, anchor) {
  return svgElement("text", { x, y, "text-anchor": anchor, class: "axis-label" }, words);
}

/**
 * The place of each version in pixels: the number to read by its logarithm, the core found from nothing to all. One that
 * would lie on another is moved beside it.
 */
export function placesOf(versions, width) {
  const sizes = versions.map(({ n_retrieved: n }) => Math.log(1 + n));
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  const wide = width - EDGE.left - EDGE.right - 40;
  const tall = HIGH - EDGE.top - EDGE.bottom;
  /** @type {Map<string, { x: number, y: number }>} */ const places = new Map();
  for (const { label: name, n_retrieved: n, n_found: found, n_core: core } of versions) {
    let x = EDGE.left + 20 + (high > low ? (wide * (Math.log(1 + n) - low)) / (high - low) : wide / 2);
    const y = EDGE.top + tall * (1 - (core ? found / core : 0));
    const isTaken = (other) => Math.abs(other.x - x) < APART && Math.abs(other.y - y) < APART;
    while ([...places.values()].some(isTaken)) x += APART;
    places.set(name, { x, y });
  }
  return places;
}

/** Runs without a name that were left behind: neither opened, nor the newest, nor next to what is opened, nor looked at. */
export function foldedOf({ versions, opened, newest }, looked) {
  const parent = versions.find(({ label: name }) => name === opened)?.parent;
  const stays = new Set([opened, newest, parent, ...looked]);
  return new Set(versions.filter(({ label: name, is_run: isRun }) => isRun && !stays.has(name)).map(({ label: name }) => name));
}
