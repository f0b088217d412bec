// Lines and letters over the points: contours, outlines, names of themes, the focused row.
import { contextOf } from "../shared/elements.js";
import { drawMark, MARK_RADII } from "../shared/marks.js";

/** How the outlines differ: by dash as well as by colour. */
export const OUTLINES = { mvee: { role: "ellipsoid", dash: [8, 4] }, hull: { role: "hull", dash: [] } };
const PATHS_OF = new WeakMap();
const LABEL_SIZES = [13, 12, 11];
/** How close one must be to read the names of each level. */
const LEVEL_FROM = [0, 1.35, 3];
const LABEL_GAP = 6;
const LABEL_LIMIT = 40;
/** Where tools and legend lie, no name is read. */
const LABEL_ROOM = { top: 46, bottom: 38 };

/** Draws over the points. `scene` says what there is to draw. */
export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas, { willReadFrequently: true });
    this.font = "sans-serif";
  }

  resize(width, height, scale) {
    this.scale = scale;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.max(1, Math.round(width * scale));
    this.canvas.height = Math.max(1, Math.round(height * scale));
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { context, scale } = this;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    if (scene.show.contours) this.#contours(scene);
    if (scene.regions) this.#outlines(scene);
    if (scene.show.labels) this.#labels(scene);
    this.#focus(scene);
  }

  /** Lines from landscape units to pixels. The pen is set after the way back, so its width stays. */
  #stroke(path, camera) {
    const { context, scale } = this;
    const s = camera.scale * scale;
    context.setTransform(s, 0, 0, -s, camera.pixelX(0) * scale, camera.pixelY(0) * scale);
    context.lineWidth /= camera.scale;
    context.setLineDash(context.getLineDash().map((dash) => dash / camera.scale));
    context.stroke(path);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.setLineDash([]);
  }

  #contours({ points, camera, colours }) {
    const { context } = this;
    context.strokeStyle = colours.faint;
    for (const [depth, path] of contourPaths(points).entries()) {
      context.globalAlpha = 0.3 + 0.06 * depth;
      context.lineWidth = 1;
      this.#stroke(path, camera);
    }
    context.globalAlpha = 1;
  }

  /** That of the region that is chosen, and of the one that is pointed at. */
  #outlines({ regions, camera, colours, region, hovered }) {
    const { context } = this;
    for (const [kind, path] of outlinePaths(regions)) {
      const current = kind === region;
      if (!current && kind !== hovered) continue;
      context.strokeStyle = colours[OUTLINES[kind].role];
      context.globalAlpha = current ? 1 : 0.5;
      context.lineWidth = current ? 2.4 : 1.3;
      context.setLineDash(OUTLINES[kind].dash);
      this.#stroke(path, camera);
    }
    context.globalAlpha = 1;
  }

  #labels({ points, camera, colours }) {
    const { context } = this;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    const measure = (text, level) => {
      context.font = labelFont(level, this.font);
      return context.measureText(text).width;
    };
    for (const { text, level, px, py } of placedLabels(points.header.groups ?? [], camera, measure)) {
      context.font = labelFont(level, this.font);
      context.strokeStyle = colours.background;
      context.globalAlpha = 0.85;
      context.strokeText(text, px, py);
      context.globalAlpha = 1;
      context.fillStyle = colours.text;
      context.fillText(text, px, py);
    }
  }

  #focus({ points, camera, colours, focused }) {
    if (focused === null || focused >= points.arrays.x.length) return;
    const px = camera.pixelX(points.arrays.x[focused]);
    const py = camera.pixelY(points.arrays.y[focused]);
    drawMark(this.context, "focused", px, py, MARK_RADII.focused, colours);
  }
}

/** Contours as paths in landscape units, made once, the outermost first. */
function contourPaths(points) {
  if (!PATHS_OF.has(points)) PATHS_OF.set(points, contoursOf(points).map(pathOf));
  return PATHS_OF.get(points);
}

/** Outlines of the regions that have one: [kind, path]. */
function outlinePaths(regions) {
  if (!PATHS_OF.has(regions)) {
    const kinds = Object.keys(OUTLINES).filter((kind) => regions.arrays[`outline_${kind}`]?.length);
    PATHS_OF.set(regions, kinds.map((kind) => [kind, pathOf([regions.arrays[`outline_${kind}`]])]));
  }
  return PATHS_OF.get(regions);
}

function pathOf(lines) {
  const path = new Path2D();
  for (const line of lines) {
    path.moveTo(line[0], line[1]);
    for (let i = 2; i < line.length; i += 2) path.lineTo(line[i], line[i + 1]);
    path.closePath();
  }
  return path;
}

/** The font of a name, coarse themes larger. */
export function labelFont(level, family) {
  return `${level === 0 ? 600 : 500} ${LABEL_SIZES[level] ?? 11}px ${family}`;
}

/** The names that have room, coarse and large themes first: { text, level, px, py, width }. */
export function placedLabels(groups, camera, measure) {
  const placed = [];
  const wanted = groups.filter(({ level }) => camera.closeness >= (LEVEL_FROM[level] ?? 3));
  wanted.sort((a, b) => a.level - b.level || b.n - a.n);
  for (const { text, x, y, level } of wanted) {
    const px = camera.pixelX(x);
    const py = camera.pixelY(y);
    if (px < 0 || py < LABEL_ROOM.top || px > camera.width || py > camera.height - LABEL_ROOM.bottom) continue;
    const width = measure(text, level);
    const box = { text, level, px: Math.min(Math.max(px, width / 2 + 4), camera.width - width / 2 - 4), py, width };
    if (placed.some((other) => overlap(box, other))) continue;
    placed.push(box);
    if (placed.length >= LABEL_LIMIT) break;
  }
  return placed;
}

function overlap(a, b) {
  const high = ((LABEL_SIZES[a.level] ?? 11) + (LABEL_SIZES[b.level] ?? 11)) / 2 + LABEL_GAP;
  return Math.abs(a.px - b.px) < (a.width + b.width) / 2 + LABEL_GAP && Math.abs(a.py - b.py) < high;
}

// How densely publications lie: counted on a grid, smoothed, and cut at levels (marching squares).

const CELLS = 120;
const SMOOTHING = [[1000, 5], [5000, 3], [Infinity, 2]]; // fewer publications, wider hills
const CONTOURS_OF = new WeakMap();
/** Each contour holds this share of the publications. */
const CONTOUR_SHARES = [0.95, 0.8, 0.55, 0.3];

/** Contour lines of a points payload, made once: for each level closed lines [x0, y0, x1, y1, ...]. */
export function contoursOf(points) {
  if (!CONTOURS_OF.has(points)) {
    const { arrays, header } = points;
    const grid = densityGrid(arrays.x, arrays.y, header.n, header.bounds);
    CONTOURS_OF.set(points, levelsAt(grid, CONTOUR_SHARES).map((level) => contourLines(grid, level)));
  }
  return CONTOURS_OF.get(points);
}

/** Publications per cell, smoothed. The edge is empty, so that every line closes. */
export function densityGrid(x, y, n, [x0, y0, x1, y1]) {
  const step = Math.max(x1 - x0, y1 - y0, 1e-9) / CELLS;
  const reach = SMOOTHING.find(([most]) => n < most)?.[1] ?? 0;
  const margin = 3 * reach + 2;
  const wide = Math.ceil((x1 - x0) / step) + 1 + 2 * margin;
  const high = Math.ceil((y1 - y0) / step) + 1 + 2 * margin;
  const values = new Float32Array(wide * high);
  const grid = { values, wide, high, step, x0: x0 - margin * step, y0: y0 - margin * step };
  for (let row = 0; row < n; row++) {
    const i = Math.round((x[row] - grid.x0) / step);
    const j = Math.round((y[row] - grid.y0) / step);
    if (i >= margin && j >= margin && i < wide - margin && j < high - margin) grid.values[j * wide + i]++;
  }
  const scratch = new Float32Array(grid.values.length);
  for (let pass = 0; pass < 3; pass++) {
    smooth(grid.values, scratch, wide, high, 1, wide, reach);
    smooth(scratch, grid.values, high, wide, wide, 1, reach);
  }
  return grid;
}

/** A moving mean along one direction; three of them are close to a bell. */
function smooth(from, to, along, across, step, line, reach) {
  for (let j = 0; j < across; j++) {
    let sum = 0;
    for (let i = -reach; i < along; i++) {
      if (i + reach < along) sum += from[j * line + (i + reach) * step];
      if (i - reach - 1 >= 0) sum -= from[j * line + (i - reach - 1) * step];
      if (i >= 0) to[j * line + i * step] = sum / (2 * reach + 1);
    }
  }
}

/** The density above which each share of all publications lies. */
export function levelsAt(grid, shares) {
  const sorted = Float32Array.from(grid.values).sort().reverse();
  const total = sorted.reduce((sum, value) => sum + value, 0);
  return shares.map((share) => {
    let held = 0;
    for (const value of sorted) if ((held += value) >= share * total) return value;
    return 0;
  }).filter((level) => level > 0);
}

/** Closed lines where the density crosses a level. */
export function contourLines(grid, level) {
  const links = crossings(grid, level);
  const done = new Set();
  const lines = [];
  for (const first of links.keys()) {
    if (done.has(first)) continue;
    const line = [];
    let before = -1;
    let edge = first;
    while (edge !== undefined && !done.has(edge)) {
      done.add(edge);
      line.push(...placeOnEdge(grid, edge, level));
      const next = links.get(edge).find((other) => other !== before && !done.has(other));
      before = edge;
      edge = next;
    }
    if (line.length >= 6) lines.push(Float32Array.from(line));
  }
  return lines;
}

/** Edges of the grid that the level crosses, with those they are joined to. An edge is 2 * corner, + 1 if upward. */
function crossings({ values, wide, high }, level) {
  const links = new Map();
  const link = (a, b) => {
    if (!links.has(a)) links.set(a, []);
    if (!links.has(b)) links.set(b, []);
    links.get(a).push(b);
    links.get(b).push(a);
  };
  for (let j = 0; j < high - 1; j++) {
    for (let i = 0; i < wide - 1; i++) {
      const corner = j * wide + i;
      const a = values[corner] > level;
      const b = values[corner + 1] > level;
      const c = values[corner + wide + 1] > level;
      const d = values[corner + wide] > level;
      if (a === b && b === c && c === d) continue;
      const [below, right, above, left] = [2 * corner, 2 * corner + 3, 2 * (corner + wide), 2 * corner + 1];
      /** @type {[number, number, number, number]} */ const edges = [below, right, above, left];
      const crosses = [a !== b, b !== c, c !== d, d !== a];
      const crossed = edges.filter((_, side) => crosses[side]);
      if (crossed.length === 2) link(crossed[0], crossed[1]);
      else joinSaddle(link, edges, a, middleAbove(values, corner, wide, level));
    }
  }
  return links;
}

function middleAbove(values, corner, wide, level) {
  return (values[corner] + values[corner + 1] + values[corner + wide] + values[corner + wide + 1]) / 4 > level;
}

/** Two opposite corners are above: the middle tells whether they hang together. */
function joinSaddle(link, [below, right, above, left], firstAbove, middle) {
  if (firstAbove === middle) {
    link(below, right);
    link(above, left);
  } else {
    link(below, left);
    link(above, right);
  }
}

function placeOnEdge({ values, wide, step, x0, y0 }, edge, level) {
  const corner = edge >> 1;
  const upward = edge & 1;
  const from = values[corner];
  const share = (level - from) / (values[corner + (upward ? wide : 1)] - from);
  const i = corner % wide;
  const j = (corner - i) / wide;
  return upward ? [x0 + i * step, y0 + (j + share) * step] : [x0 + (i + share) * step, y0 + j * step];
}
