// How densely publications lie: counted on a grid, smoothed, and cut at levels (marching squares).

const CELLS = 120;
const SMOOTHING = [[1000, 5], [5000, 3], [Infinity, 2]]; // fewer publications, wider hills
const CONTOURS_OF = new WeakMap();
/** Each contour holds this share of the publications. */
export const CONTOUR_SHARES = [0.95, 0.8, 0.55, 0.3];

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
  const reach = SMOOTHING.find(([most]) => n < most)[1];
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
      const edges = [below, right, above, left];
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
