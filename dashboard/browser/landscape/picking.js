// Picking: which row is under the pointer, which rows are inside a lasso, and the card beside the pointer.
import { boundsOf } from "../shared/camera.js";
import { make, placeCard, show, write } from "../shared/elements.js";
import { fixedThree } from "../shared/format.js";
import { titlesOf } from "../shared/store.js";

const ROWS_PER_CELL = 4;
const MOST_CELLS_PER_SIDE = 384;
const GRIDS = new WeakMap();

/** The grid of a points payload, made once. @param {PointsPayload} points @returns {RowGrid} */
export function gridOf(points) {
  if (!GRIDS.has(points)) GRIDS.set(points, new RowGrid(points.arrays.x, points.arrays.y));
  return GRIDS.get(points);
}

/** Rows by where they lie. */
export class RowGrid {
  constructor(x, y) {
    this.x = x;
    this.y = y;
    this.side = Math.max(1, Math.min(MOST_CELLS_PER_SIDE, Math.ceil(Math.sqrt(x.length / ROWS_PER_CELL))));
    const [x0, y0, x1, y1] = boundsOf(x, y);
    this.x0 = x0;
    this.y0 = y0;
    this.perX = this.side / Math.max(x1 - x0, 1e-9);
    this.perY = this.side / Math.max(y1 - y0, 1e-9);
    // Counting sort of the rows by cell.
    const n = x.length;
    this.starts = new Uint32Array(this.side * this.side + 2);
    for (let row = 0; row < n; row++) this.starts[this.#cellOf(row) + 2]++;
    for (let cell = 2; cell < this.starts.length; cell++) this.starts[cell] += this.starts[cell - 1];
    this.rows = new Uint32Array(n);
    for (let row = 0; row < n; row++) this.rows[this.starts[this.#cellOf(row) + 1]++] = row;
  }

  /** The row nearest to a place within `reach`, or -1. `head(row)` is a head start, for marks that are drawn larger. */
  nearest(px, py, reach, head = /** @type {(row: number) => number} */ (() => 0)) {
    let best = -1;
    let least = reach;
    const [i0, i1, j0, j1] = this.#cells(px - reach, py - reach, px + reach, py + reach);
    for (let j = j0; j <= j1; j++) {
      const from = this.starts[j * this.side + i0];
      const to = this.starts[j * this.side + i1 + 1];
      for (let k = from; k < to; k++) {
        const row = this.rows[k];
        const away = Math.hypot(this.x[row] - px, this.y[row] - py);
        if (away > reach || away - head(row) > least) continue;
        best = row;
        least = away - head(row);
      }
    }
    return best;
  }

  /** Rows inside a polygon [x0, y0, x1, y1, ...], ascending. */
  inside(polygon) {
    const [left, low, right, high] = boundsOf(polygon.filter((_, i) => i % 2 === 0), polygon.filter((_, i) => i % 2));
    const found = [];
    const [i0, i1, j0, j1] = this.#cells(left, low, right, high);
    for (let j = j0; j <= j1; j++) {
      for (let k = this.starts[j * this.side + i0]; k < this.starts[j * this.side + i1 + 1]; k++) {
        const row = this.rows[k];
        if (isInside(polygon, this.x[row], this.y[row])) found.push(row);
      }
    }
    return Uint32Array.from(found).sort();
  }

  #cellOf(row) {
    const i = this.#clamp((this.x[row] - this.x0) * this.perX);
    return this.#clamp((this.y[row] - this.y0) * this.perY) * this.side + i;
  }

  #cells(left, low, right, high) {
    return [
      this.#clamp((left - this.x0) * this.perX), this.#clamp((right - this.x0) * this.perX),
      this.#clamp((low - this.y0) * this.perY), this.#clamp((high - this.y0) * this.perY),
    ];
  }

  #clamp(cell) {
    return cell > 0 ? Math.min(Math.floor(cell), this.side - 1) : 0;
  }
}

/** Whether a place lies in a polygon: a ray from it crosses the edge an odd number of times. */
export function isInside(polygon, x, y) {
  let inside = false;
  const n = polygon.length;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
    const yi = polygon[i + 1];
    const yj = polygon[j + 1];
    if (yi > y === yj > y) continue;
    if (x < ((polygon[j] - polygon[i]) * (y - yi)) / (yj - yi) + polygon[i]) inside = !inside;
  }
  return inside;
}

/** A small card that never leaves the picture. */
export class HoverCard {
  constructor() {
    this.title = make("p", { class: "card-title" });
    this.facts = make("p", { class: "card-facts" });
    this.why = make("p", { class: "card-why" });
    this.element = make("div", { class: "hover-card", "aria-hidden": "true", hidden: "" });
    this.element.append(this.title, this.facts, this.why);
    this.row = -1;
  }

  /** Show a row at a pixel of a picture of this size. */
  show(row, px, py, width, height, scene, live) {
    this.row = row;
    const { points, relevance } = scene;
    write(this.title, titlesOf(points).title(row) || "Untitled");
    write(this.facts, factsOf(row, points, relevance).join(" · "));
    write(this.why, whyOf(row, points, relevance, live));
    show(this.element, true);
    const { x, y } = placeCard(px, py, this.element.offsetWidth, this.element.offsetHeight, width, height);
    this.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  hide() {
    this.row = -1;
    show(this.element, false);
  }
}

/** Year, similarity and role of a row. */
export function factsOf(row, { header, arrays }, relevance) {
  const facts = /** @type {string[]} */ ([]);
  if (arrays.year[row]) facts.push(String(arrays.year[row]));
  facts.push(`similarity ${fixedThree(arrays.similarity[row])}`);
  if (row >= header.n) facts.push("core missed");
  else if (arrays.core[row]) facts.push(relevance.has(row) ? "core found and accepted" : "core found");
  return facts;
}

/** One sentence on why a row counts as relevant or not. */
function whyOf(row, { header, arrays }, relevance, live) {
  if (row >= header.n) return "The query did not retrieve it, so no region can accept it.";
  const inside = relevance.has(row);
  if (live.region === "cosine" && !relevance.reason) {
    const least = fixedThree(live.min_similarity);
    const own = fixedThree(arrays.similarity[row]);
    const close = own === least ? "at" : inside ? "above" : "below";
    return `${inside ? "Relevant" : "Not relevant"}: its similarity is ${close} the similarity threshold of ${least}.`;
  }
  const label = header.kinds.find(({ kind }) => kind === live.region)?.label ?? live.region;
  if (relevance.reason) return `${label} is undefined: ${relevance.reason}.`;
  return inside ? `Relevant: ${label} accepts it.` : `Not relevant: ${label} excludes it.`;
}
