// One chart of a lab: drawn from its document as SVG, patched while the hand moves, read with the pointer.
import { attribute, make, show, write } from "../shared/elements.js";
import { readDrawing } from "./reading.js";
import { drawingOf } from "./drawing.js";
import { svgElement } from "../landscape/sparkline.js";
import { placeCard } from "../landscape/hover.js";

const WIDTHS = new Map();
const MOST_WIDTHS = 4000;
const KEY_STEPS = 50;
const FAST_STEPS = 5;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
let widthContext = null;

/** `moved(number, placed, rests)` is called while a dot is moved and when it is let go (no `placed`): `placed` makes its
 * new place of the one before, which may be newer than what is drawn. */
export class ChartView {
  constructor({ moved }) {
    this.moved = moved;
    this.svg = svgElement("svg", { class: "chart-picture" });
    this.card = make("div", { class: "chart-card", "aria-hidden": "true", hidden: "" });
    this.element = make("div", { class: "chart" }, this.svg, this.card);
    this.parts = new Map();
    this.held = null;
    this.svg.addEventListener("pointerdown", (event) => this.#grab(event));
    this.svg.addEventListener("pointermove", (event) => this.#follow(event));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, () => this.#letGo());
    this.svg.addEventListener("pointerleave", () => show(this.card, false));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draw, or draw again; only what has changed is touched. `look` as in chart_drawing.js. */
  draw(chart, look) {
    const known = this.chart?.id === chart.id && this.look?.width === look.width;
    this.chart = chart;
    this.look = { ...look, titleRows: known ? this.drawing.titleRows : 1 };
    this.drawing = drawingOf(chart, this.look);
    const { width, height, nodes, grips } = this.drawing;
    const size = { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": look.font };
    const said = { role: grips.length ? "group" : "img", "aria-label": chart.title, "aria-description": chart.description || null };
    for (const [name, value] of Object.entries({ ...size, ...said })) attribute(this.svg, name, value);
    patchNodes(this.svg, nodes, this.parts);
  }

  #place(event) {
    const box = this.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #grab(event) {
    const grip = event.target.closest?.(".grip");
    if (!grip || event.button > 0) return this.#read(event);
    event.preventDefault();
    grip.focus({ preventScroll: true });
    this.svg.setPointerCapture(event.pointerId);
    const number = Number(grip.dataset.number);
    const { x, y } = this.drawing.grips.find((each) => each.number === number);
    const [px, py] = this.#place(event);
    this.held = { number, dx: x - px, dy: y - py };
    return show(this.card, false);
  }

  #follow(event) {
    if (!this.held) return this.#read(event);
    const [px, py] = this.#place(event);
    const { number, dx, dy } = this.held;
    const { x, y } = this.drawing.scales;
    return this.moved(number, () => [x.value(px + dx), y.value(py + dy)], false);
  }

  #letGo() {
    if (!this.held) return;
    const { number } = this.held;
    this.held = null;
    this.moved(number, null, true);
  }

  #key(event) {
    const way = ARROWS[event.key];
    const grip = event.target.closest?.(".grip");
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
    this.moved(number, ([vx, vy]) => [x.value(x.at(vx) + dx), y.value(y.at(vy) + dy)], true);
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

/** Make the children of an element those of the list, by their keys; an element that stays is never moved needlessly. */
export function patchNodes(parent, nodes, known) {
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
      widthContext ??= document.createElement("canvas").getContext("2d");
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
