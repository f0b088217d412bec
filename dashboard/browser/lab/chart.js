// One chart of a lab: drawn from its document as SVG, patched while the hand moves, read with the pointer.
import { attribute, contextOf, hit, make, placeCard, show, svgElement, write } from "../shared/elements.js";
import { drawingOf } from "./drawing.js";
import { snapped, valueAfterKey } from "./values.js";

const WIDTHS = new Map();
const MOST_WIDTHS = 4000;
const KEY_STEPS = 50;
const FAST_STEPS = 5;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
/** @type {CanvasRenderingContext2D | undefined} */ let widthContext;

/** `movedPoint(number, placed, rests)` is called while a dot is moved and when it is let go (no `placed`): `placed` makes
 * its new place of the one before, which may be newer than what is drawn. `movedLine(control, change, rests)` is called while
 * the line of a slider is dragged: `change` makes the new value of the one before. */
export class ChartView {
  /** @type {any} */ chart;
  /** @type {any} */ look;
  /** @type {any} What is drawn: see drawing.js. */ drawing;

  constructor({ movedPoint, movedLine }) {
    this.movedPoint = movedPoint;
    this.movedLine = movedLine;
    this.svg = svgElement("svg", { class: "chart-picture" });
    this.card = make("div", { class: "chart-card", "aria-hidden": "true", hidden: "" });
    this.element = make("div", { class: "chart" }, this.svg, this.card);
    this.parts = new Map();
    /** @type {{ number: number, dx: number, dy: number } | null} The dot that the pointer holds. */ this.held = null;
    /** @type {{ slider: any, axis: "x" | "y", away: number, scale: any, value: number } | null} The line that it holds. */
    this.heldLine = null;
    this.svg.addEventListener("pointerdown", (event) => this.#grab(event));
    this.svg.addEventListener("pointermove", (event) => this.#follow(event));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, () => this.#letGo());
    this.svg.addEventListener("pointerleave", () => show(this.card, false));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draw, or draw again; only what has changed is touched. `look` as in drawing.js. */
  draw(chart, look) {
    const known = this.chart?.id === chart.id && this.look?.width === look.width;
    this.chart = chart;
    this.look = { ...look, titleRows: known ? this.drawing.titleRows : 1 };
    this.drawing = drawingOf(chart, this.look);
    const { width, height, nodes, grips, handles } = this.drawing;
    const size = { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font };
    const attributes = { role: grips.length || handles.length ? "group" : "img", "aria-label": chart.title, "aria-description": chart.description || null };
    for (const [name, value] of Object.entries({ ...size, ...attributes })) attribute(this.svg, name, value);
    patchNodes(this.svg, nodes, this.parts);
  }

  #place(event) {
    const box = this.svg.getBoundingClientRect();
    const zoom = box.width / this.drawing.width || 1;
    return [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
  }

  #grab(event) {
    const grip = hit(event, ".grip, .handle");
    if (!grip || event.button > 0) return this.#read(event);
    event.preventDefault();
    grip.focus({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
    if (grip.matches(".handle")) {
      const { slider, axis, px, value } = this.#handleOf(grip);
      const [x, y] = this.#place(event);
      this.heldLine = { slider, axis, away: px - (axis === "x" ? x : y), scale: this.drawing.scales[axis], value };
      return show(this.card, false);
    }
    const number = Number(grip.dataset.number);
    const { x, y } = this.drawing.grips.find((each) => each.number === number);
    const [px, py] = this.#place(event);
    this.held = { number, dx: x - px, dy: y - py };
    return show(this.card, false);
  }

  #handleOf({ dataset }) {
    return this.drawing.handles.find(({ slider, axis }) => slider.name === dataset.control && axis === dataset.axis);
  }

  /** The line is under the pointer, on the axis as it was when it was grabbed. */
  #drag(event) {
    const { slider, axis, away, scale, value } = /** @type {NonNullable<typeof this.heldLine>} */ (this.heldLine);
    const next = snapped(slider, scale.value(this.#place(event)[axis === "x" ? 0 : 1] + away));
    if (next === value) return;
    this.heldLine = { slider, axis, away, scale, value: next };
    this.movedLine(slider.name, () => next, false);
  }

  #follow(event) {
    if (this.heldLine) return this.#drag(event);
    if (!this.held) return this.#read(event);
    const [px, py] = this.#place(event);
    const { number, dx, dy } = this.held;
    const { x, y } = this.drawing.scales;
    return this.movedPoint(number, () => [x.value(px + dx), y.value(py + dy)], false);
  }

  #letGo() {
    if (this.heldLine) {
      const { slider, value } = this.heldLine;
      this.heldLine = null;
      return this.movedLine(slider.name, () => value, true);
    }
    if (!this.held) return undefined;
    const { number } = this.held;
    this.held = null;
    return this.movedPoint(number, null, true);
  }

  #key(event) {
    const handle = hit(event, ".handle");
    if (!handle) return this.#moveDot(event);
    const { slider, value } = this.#handleOf(handle);
    if (valueAfterKey(slider, value, event) === null) return undefined;
    event.preventDefault();
    event.stopPropagation();
    return this.movedLine(slider.name, (before) => valueAfterKey(slider, before, event), true);
  }

  #moveDot(event) {
    const way = ARROWS[event.key];
    const grip = hit(event, ".grip");
    if (!way || !grip) return;
    event.preventDefault();
    event.stopPropagation();
    const { frame } = this.drawing;
    const number = Number(grip.dataset.number);
    const times = event.shiftKey ? FAST_STEPS : 1;
    const step = (from, to) => (Math.abs(to - from) / KEY_STEPS) * times;
    const [dx, dy] = [way[0] * step(frame.left, frame.right), -way[1] * step(frame.top, frame.bottom)];
    const { x, y } = this.drawing.scales;
    // From where the dot is by now: several keys can come before the next drawing.
    this.movedPoint(number, ([vx, vy]) => [x.value(x.at(vx) + dx), y.value(y.at(vy) + dy)], true);
  }

  /** The card beside the pointer. */
  #read(event) {
    const [px, py] = this.#place(event);
    const found = readDrawing(this.drawing, px, py);
    show(this.card, Boolean(found));
    if (!found) return;
    this.card.replaceChildren(...found.lines.map((line) => make("p", {}, line)));
    const { width, height } = this.drawing;
    const place = placeCard(found.x, found.y, this.card.offsetWidth, this.card.offsetHeight, width, height);
    this.card.style.transform = `translate(${place.x}px, ${place.y}px)`;
  }
}

/**
 * Make the children of an element those of the list, by their keys; an element that stays is never moved needlessly.
 * @param {ChartNode[]} nodes
 */
function patchNodes(parent, nodes, known) {
  const wanted = new Set(nodes.map(({ key }) => key));
  for (const [key, part] of known) {
    if (wanted.has(key)) continue;
    part.element.remove();
    known.delete(key);
  }
  let next = parent.firstChild;
  for (const node of nodes) {
    let part = known.get(node.key);
    if (!part) {
      part = { element: svgElement(node.tag), at: {}, parts: new Map() };
      known.set(node.key, part);
    }
    patchAttributes(part, node.at);
    if (node.text !== undefined) write(part.element, node.text);
    if (node.children) patchNodes(part.element, node.children, part.parts);
    if (part.element === next) next = next.nextSibling;
    else parent.insertBefore(part.element, next);
  }
}

function patchAttributes(part, at) {
  for (const name of Object.keys(part.at)) {
    if (at[name] === undefined || at[name] === null) part.element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(at)) {
    if (value !== null && value !== undefined && part.at[name] !== value) part.element.setAttribute(name, value);
  }
  part.at = at;
}

/** How wide a text is in this font, in pixels. */
export function textMeasure(font) {
  return (text, size) => {
    const key = `${size}|${text}`;
    let width = WIDTHS.get(key);
    if (width === undefined) {
      widthContext ??= contextOf(document.createElement("canvas"));
      if (widthContext) {
        widthContext.font = `${size}px ${font}`;
        width = widthContext.measureText(text).width;
      } else width = text.length * size * 0.55;
      if (WIDTHS.size > MOST_WIDTHS) WIDTHS.clear();
      WIDTHS.set(key, width);
    }
    return width;
  };
}

const REACH_OF_DOT = 18;
const REACH_OF_LINE = 40;

/** { x, y, lines } of what is nearest to a pixel, or null: a movable dot, a dot, a cell, a bar, else the lines at that x. */
export function readDrawing({ frame, grips, targets }, px, py) {
  const inside = px >= frame.left - 4 && px <= frame.right + 4 && py >= frame.top - 4 && py <= frame.bottom + 4;
  if (!inside) return null;
  const dots = [
    ...grips.map((grip) => ({ ...grip, lines: [`${grip.name}${grip.series.label ? `: ${grip.series.label}` : ""}`, "Drag it, or move it with the arrow keys."] })),
    ...targets.filter(({ kind }) => kind === "dot"),
  ];
  const dot = nearestOf(dots, ({ x, y }) => Math.hypot(x - px, y - py), REACH_OF_DOT);
  if (dot) return { x: dot.x, y: dot.y, lines: dot.lines };
  const lines = linesAt(targets, px);
  if (lines) return lines;
  const box = targets.filter(({ kind }) => kind === "cell" || kind === "bar")
    .find(({ left, right, top, bottom }) => px >= left && px < right && py >= top && py < bottom);
  return box ? { x: px, y: py, lines: box.lines } : null;
}

/** Every line's value at the x that is nearest. */
function linesAt(targets, px) {
  const each = new Map();
  for (const target of targets) {
    if (target.kind !== "line" || !Number.isFinite(target.x) || !Number.isFinite(target.y)) continue;
    const best = each.get(target.n);
    if (!best || Math.abs(target.x - px) < Math.abs(best.x - px)) each.set(target.n, target);
  }
  const near = [...each.values()].filter(({ x }) => Math.abs(x - px) <= REACH_OF_LINE);
  if (!near.length) return null;
  const { x, y, head } = nearestOf(near, (target) => Math.abs(target.x - px), Infinity);
  return { x, y, lines: [head, ...new Set(near.flatMap(({ lines }) => lines))] };
}

function nearestOf(list, distance, reach) {
  /** @type {any} */ let best = null;
  let least = reach;
  for (const each of list) {
    const away = distance(each);
    if (away <= least) [best, least] = [each, away];
  }
  return best;
}
