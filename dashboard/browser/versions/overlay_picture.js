// The overlaid landscape as a file: pixels at twice the size, or vectors, with title, legend and what must be read beside it.
import { contextOf, svgElement } from "../shared/elements.js";
import { svgSheet, svgText } from "../shared/files.js";
import { count, topicTitle } from "../shared/format.js";
import { coreShrink } from "../shared/marks.js";
import { channels } from "../shared/theme.js";
import { CAPTION } from "../landscape/picture.js";

const OVERLAY_HEAD = 44;
const ENTRY_HIGH = 20;
const ENTRY_GAP = 30;
const SIDE = 18;
const LETTER_PX = 6.7;

/** Where each entry of the legend goes in a picture of this width, and how high all of them are. */
export function placedEntries(entries, width, wideOf) {
  let [x, row] = [SIDE, 0];
  const places = entries.map((entry) => {
    const words = `${entry.label} ${count(entry.n)}`;
    const wide = wideOf(words) + ENTRY_GAP;
    if (x + wide > width - SIDE && x > SIDE) [x, row] = [SIDE, row + 1];
    const place = { entry, words, x, y: row * ENTRY_HIGH };
    x += wide;
    return place;
  });
  return { places, high: (row + 1) * ENTRY_HIGH };
}

function overlayTitle(header) {
  return `${topicTitle(header)}: ${header.labels.join(", ")}`;
}

function overlayCaption({ embedder }) {
  return `${CAPTION} Embedding: ${embedder}.`;
}

/** A PNG of the scene, as a blob. */
export function overlayPng(scene, font) {
  const { camera, colours, scale, header, nVersions } = scene;
  const measure = contextOf(document.createElement("canvas"));
  measure.font = `12px ${font}`;
  const { places, high: legendHigh } = placedEntries(scene.entries, camera.width, (words) => measure.measureText(words).width);
  const canvas = document.createElement("canvas");
  canvas.width = camera.width * scale;
  canvas.height = (OVERLAY_HEAD + camera.height + legendHigh + 44) * scale;
  const context = contextOf(canvas);
  context.fillStyle = colours.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const image = context.getImageData(0, OVERLAY_HEAD * scale, canvas.width, Math.round(camera.height * scale));
  paintDots(image, { ...scene, shows: scene.showsDots });
  context.putImageData(image, 0, OVERLAY_HEAD * scale);
  context.scale(scale, scale);
  context.save();
  context.beginPath();
  context.rect(0, OVERLAY_HEAD, camera.width, camera.height);
  context.clip();
  context.translate(0, OVERLAY_HEAD);
  paintCore(context, { ...scene, shows: scene.showsCore });
  context.restore();
  context.fillStyle = colours.text;
  context.font = `600 17px ${font}`;
  context.fillText(overlayTitle(header), SIDE, 28, camera.width - 2 * SIDE);
  context.font = `12px ${font}`;
  const foot = OVERLAY_HEAD + camera.height + 18;
  for (const { entry, words, x, y } of places) {
    entryMark(context, entry, x + 5, foot + y - 4, colours, nVersions);
    context.fillStyle = colours.text;
    context.fillText(words, x + 15, foot + y);
  }
  context.fillStyle = colours.faint;
  context.fillText(overlayCaption(header), SIDE, foot + legendHigh + 6, camera.width - 2 * SIDE);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The mark of a legend entry. */
export function entryMark(context, { kind, code }, x, y, colours, nVersions) {
  if (kind === "core") return drawCoreMark(context, code, x, y, 4.6, colours, nVersions);
  context.beginPath();
  context.arc(x, y, 4, 0, 2 * Math.PI);
  context.fillStyle = groupColours(colours, nVersions)[code];
  context.globalAlpha = code === 0 ? 0.5 : 1;
  context.fill();
  context.globalAlpha = 1;
}

/** An SVG of the scene, as text. Dots of one group are one path. */
export function overlaySvg(scene, font) {
  const { camera, colours, header } = scene;
  const { places, high: legendHigh } = placedEntries(scene.entries, camera.width, (words) => words.length * LETTER_PX);
  const high = OVERLAY_HEAD + camera.height + legendHigh + 44;
  const root = svgSheet(camera.width, high, {
    title: overlayTitle(header), description: `${scene.description} ${overlayCaption(header)}`, background: colours.background, "font-family": font,
  });
  const clip = svgElement("clipPath", { id: "frame" });
  clip.append(svgElement("rect", { width: camera.width, height: camera.height }));
  const inner = svgElement("g", { transform: `translate(0 ${OVERLAY_HEAD})`, "clip-path": "url(#frame)" });
  inner.append(...svgDots(scene), ...svgCore(scene));
  root.append(clip, inner, svgElement("text", { x: SIDE, y: 28, "font-size": 17, "font-weight": 600, fill: colours.text }, overlayTitle(header)));
  const foot = OVERLAY_HEAD + camera.height + 18;
  for (const { entry, words, x, y } of places) {
    root.append(...svgEntry(entry, x + 5, foot + y - 4, scene));
    root.append(svgElement("text", { x: x + 15, y: foot + y, "font-size": 12, fill: colours.text }, words));
  }
  root.append(svgElement("text", { x: SIDE, y: foot + legendHigh + 6, "font-size": 12, fill: colours.faint }, overlayCaption(header)));
  return svgText(root);
}

function inFrame(camera, px, py) {
  return px > -5 && py > -5 && px < camera.width + 5 && py < camera.height + 5;
}

function svgDots({ arrays, groups, nPlaced, nVersions, camera, colours, showsDots }) {
  const palette = groupColours(colours, nVersions);
  return drawingOrder(nVersions).filter(showsDots).map((code) => {
    const places = [];
    for (let row = 0; row < nPlaced; row++) {
      if (groups[row] !== code || arrays.core[row]) continue;
      const [px, py] = [camera.pixelX(arrays.x[row]), camera.pixelY(arrays.y[row])];
      if (inFrame(camera, px, py)) places.push(`M${px.toFixed(1)} ${py.toFixed(1)}h0`);
    }
    return svgElement("path", {
      d: places.join("") || "M0 0", stroke: palette[code], fill: "none", "stroke-linecap": "round",
      "stroke-width": (2 * overlayDot(nPlaced, camera.closeness) + 0.6).toFixed(2), "stroke-opacity": groupOpacity(code, nVersions).toFixed(2),
    });
  });
}

function svgCore({ arrays, groups, nPlaced, nVersions, camera, colours, showsCore, titleOf }) {
  const marks = [];
  const radius = 5.2 * coreShrink(arrays.core.reduce((n, is) => n + is, 0));
  for (const code of drawingOrder(nVersions).filter(showsCore)) {
    for (let row = 0; row < nPlaced; row++) {
      if (!arrays.core[row] || groups[row] !== code) continue;
      const [px, py] = [camera.pixelX(arrays.x[row]), camera.pixelY(arrays.y[row])];
      if (inFrame(camera, px, py)) marks.push(svgMark(code, px, py, radius, colours, nVersions, titleOf(row)));
    }
  }
  return marks;
}

function svgMark(code, x, y, radius, colours, nVersions, title) {
  const group = svgElement("g", {});
  if (title) group.append(svgElement("title", {}, title));
  const at = { cx: x.toFixed(1), cy: y.toFixed(1), r: radius };
  group.append(svgElement("circle", { ...at, r: radius + 1.6, fill: colours.background }));
  const slice = coreSlice(code, nVersions);
  if (slice && slice[1] - slice[0] === 1) group.append(svgElement("circle", { ...at, fill: colours.core }));
  else if (slice) {
    const [from, to] = slice.map((turns) => turns * 2 * Math.PI);
    const end = (angle) => `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
    group.append(svgElement("path", { d: `M${end(from)}A${radius} ${radius} 0 0 1 ${end(to)}Z`, fill: colours.core }));
  }
  const width = code === 0 ? 1.7 : 1.9;
  group.append(svgElement("circle", { ...at, fill: "none", stroke: coreEdge(code, colours, nVersions), "stroke-width": width }));
  return group;
}

function svgEntry({ kind, code }, x, y, { colours, nVersions }) {
  if (kind === "core") return [svgMark(code, x, y, 4.6, colours, nVersions, "")];
  const look = { fill: groupColours(colours, nVersions)[code], "fill-opacity": code === 0 ? 0.5 : 1 };
  return [svgElement("circle", { cx: x, cy: y, r: 4, ...look })];
}

const CORE_RADIUS = 5.2;
const NONE_SHARE = 0.42;
const DOT_DEPTH = { alone: 0.86, several: 0.6, none: 0.5 };

/** The colours of each group, by its number. */
function groupColours(colours, nVersions) {
  return [colours.not_relevant, ...["relevant", "second", "third"].slice(0, nVersions).map((role) => colours[role]), colours.text];
}

/** The groups in the order in which they are drawn: what no version has at the bottom, what only one has on top. */
export function drawingOrder(nVersions) {
  return [0, nVersions + 1, ...Array.from({ length: nVersions }, (_, k) => k + 1)];
}

/** How large a dot is: smaller where there are many, larger from near. */
function overlayDot(n, closeness) {
  const base = n > 20_000 ? 1.1 : n > 8_000 ? 1.4 : n > 2_000 ? 1.8 : 2.6;
  return Math.min(base * Math.sqrt(Math.max(closeness, 1)), 4.5);
}

/** How strongly a group is drawn. */
function groupOpacity(code, nVersions) {
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
function drawCoreMark(context, code, x, y, radius, colours, nVersions) {
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
function coreEdge(code, colours, nVersions) {
  if (code === 0) return colours.core;
  return code > nVersions ? colours.core_edge : groupColours(colours, nVersions)[code];
}

function circle(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}
