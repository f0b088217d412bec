// The dots and marks of several versions on one landscape.
import { coreShrink } from "../shared/marks.js";
import { channels } from "../shared/theme.js";

const CORE_RADIUS = 5.2;
const NONE_SHARE = 0.42;
const DOT_DEPTH = { alone: 0.86, several: 0.6, none: 0.5 };

/** The colours of each group, by its number. */
export function groupColours(colours, nVersions) {
  return [colours.not_relevant, ...["relevant", "second", "third"].slice(0, nVersions).map((role) => colours[role]), colours.text];
}

/** The groups in the order in which they are drawn: what nobody has below, what one alone has on top. */
export function drawingOrder(nVersions) {
  return [0, nVersions + 1, ...Array.from({ length: nVersions }, (_, k) => k + 1)];
}

/** How large a dot is: smaller where there are many, larger from near. */
export function overlayDot(n, closeness) {
  const base = n > 20_000 ? 1.1 : n > 8_000 ? 1.4 : n > 2_000 ? 1.8 : 2.6;
  return Math.min(base * Math.sqrt(Math.max(closeness, 1)), 4.5);
}

/** How strongly a group is drawn. */
export function groupOpacity(code, nVersions) {
  if (code === 0) return DOT_DEPTH.none * NONE_SHARE * 2;
  return code > nVersions ? DOT_DEPTH.several : DOT_DEPTH.alone;
}

/** All dots into the pixels of an image; `side` is its width and height in its own pixels. */
export function paintDots(image, { arrays, groups, nPlaced, nVersions, camera, colours, shows, scale }) {
  const stamp = discStamp(overlayDot(nPlaced, camera.closeness) * scale);
  const palette = groupColours(colours, nVersions).map(channels);
  const { x, y } = arrays;
  for (const code of drawingOrder(nVersions)) {
    if (!shows(code)) continue;
    const opacity = groupOpacity(code, nVersions);
    for (let row = 0; row < nPlaced; row++) {
      if (groups[row] !== code || arrays.core[row]) continue;
      stampAt(image, stamp, camera.pixelX(x[row]) * scale, camera.pixelY(y[row]) * scale, palette[code], opacity);
    }
  }
}

/** A disc as offsets and how much of each pixel it covers. */
function discStamp(radius) {
  const reach = Math.ceil(radius);
  const places = [];
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(dx, dy)));
      if (cover > 0.05) places.push([dx, dy, cover]);
    }
  }
  return { reach, places };
}

function stampAt({ data, width, height }, { reach, places }, px, py, [r, g, b], opacity) {
  const [left, top] = [Math.round(px), Math.round(py)];
  if (left < reach || top < reach || left >= width - reach || top >= height - reach) return;
  for (const [dx, dy, cover] of places) {
    const at = ((top + dy) * width + left + dx) * 4;
    const share = cover * opacity;
    data[at] += (r - data[at]) * share;
    data[at + 1] += (g - data[at + 1]) * share;
    data[at + 2] += (b - data[at + 2]) * share;
  }
}

/** Core publications on top, those that are missed first. */
export function paintCore(context, { arrays, groups, nPlaced, nVersions, camera, colours, shows }) {
  const radius = CORE_RADIUS * coreShrink(arrays.core.reduce((n, is) => n + is, 0));
  for (const code of drawingOrder(nVersions)) {
    if (!shows(code)) continue;
    for (let row = 0; row < nPlaced; row++) {
      if (!arrays.core[row] || groups[row] !== code) continue;
      drawCoreMark(context, code, camera.pixelX(arrays.x[row]), camera.pixelY(arrays.y[row]), radius, colours, nVersions);
    }
  }
}

/** Where the filled part of a core mark begins and ends, in turns of a circle from the right, clockwise; null: none. */
export function coreSlice(code, nVersions) {
  if (code === 0) return null;
  if (code > nVersions || nVersions === 1) return [0, 1];
  return [[0.25, 0.75], [0.75, 1.25], [0, 0.5]][code - 1];
}

/** Filled: found by several; a part: by the version of that part, edged in its colour; a ring: missed. */
export function drawCoreMark(context, code, x, y, radius, colours, nVersions) {
  const slice = coreSlice(code, nVersions);
  const turn = 2 * Math.PI;
  circle(context, x, y, radius + 1.6, colours.background);
  circle(context, x, y, radius, colours.background);
  if (slice) {
    context.beginPath();
    if (slice[1] - slice[0] < 1) context.moveTo(x, y);
    context.arc(x, y, radius, slice[0] * turn, slice[1] * turn);
    context.closePath();
    context.fillStyle = colours.core;
    context.fill();
  }
  context.beginPath();
  context.arc(x, y, radius, 0, turn);
  context.strokeStyle = coreEdge(code, colours, nVersions);
  context.lineWidth = code === 0 ? 1.7 : 1.9;
  context.stroke();
}

/** The colour around a core mark. */
export function coreEdge(code, colours, nVersions) {
  if (code === 0) return colours.core;
  return code > nVersions ? colours.core_edge : groupColours(colours, nVersions)[code];
}

function circle(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}
