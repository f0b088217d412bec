// The picture as a file: PNG at twice the size, or SVG with true vectors. Made here, so nothing leaves the computer.
import { contextOf, svgElement } from "../shared/elements.js";
import { svgSheet, svgText } from "../shared/files.js";
import { count, fixedThree, topicTitle } from "../shared/format.js";
import { coreShrink, MARK_RADII } from "../shared/marks.js";
import { titlesOf } from "../shared/store.js";
import { countsOf } from "./counting.js";
import { drawLegendMark, hasBesides, keyOf, LEGEND } from "./legend.js";
import { contoursOf, labelFont, OUTLINES, Overlay, placedLabels } from "./outlines.js";
import { BESIDES_SHARE, Splat } from "./splat.js";

const PNG_SCALE = 2;
const HEAD = 58;
const FOOT = 62;
const EDGE = 20;
/** What must be read beside every landscape. */
export const CAPTION = "Distances are not cosines: only neighbourhoods are reliable.";

/** The words above a saved picture: a title, and what there is to see. */
function headOf({ points, relevance }, live) {
  const { header } = points;
  const label = header.kinds.find(({ kind }) => kind === live.region)?.label ?? live.region;
  const by = live.region === "cosine" ? `similarity ≥ ${fixedThree(live.min_similarity)}` : label;
  const counts = relevance.reason
    ? `${label} is undefined: ${relevance.reason}`
    : `${count(relevance.nRelevant)} of ${count(relevance.n)} publications relevant (${by}), ` +
      `${count(relevance.nAccepted)} of ${count(header.n_core)} core publications accepted`;
  return { title: `${topicTitle(header)}: ${header.version}`, counts };
}

/** A PNG of the scene, as a blob. */
export function pngOf(scene, live, font) {
  const { camera, colours } = scene;
  const canvas = document.createElement("canvas");
  canvas.width = camera.width * PNG_SCALE;
  canvas.height = (camera.height + HEAD + FOOT) * PNG_SCALE;
  const context = contextOf(canvas);
  context.fillStyle = colours.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const lines = new Overlay(document.createElement("canvas"));
  lines.font = font;
  for (const layer of [new Splat(document.createElement("canvas")), lines]) {
    layer.resize(camera.width, camera.height, PNG_SCALE);
    layer.draw(scene);
    context.drawImage(layer.canvas, 0, HEAD * PNG_SCALE);
  }
  context.scale(PNG_SCALE, PNG_SCALE);
  drawHead(context, scene, live, font);
  drawFoot(context, scene, font);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function drawHead(context, scene, live, font) {
  const { title, counts } = headOf(scene, live);
  context.textBaseline = "alphabetic";
  context.fillStyle = scene.colours.text;
  context.font = `600 18px ${font}`;
  context.fillText(title, EDGE, 26, scene.camera.width - 2 * EDGE);
  context.fillStyle = scene.colours.faint;
  context.font = `13px ${font}`;
  context.fillText(counts, EDGE, 46, scene.camera.width - 2 * EDGE);
}

function drawFoot(context, scene, font) {
  const { camera, colours } = scene;
  const y = HEAD + camera.height + 22;
  context.font = `12px ${font}`;
  let x = EDGE;
  for (const { name, label, colour } of footEntries(scene)) {
    if (colour) {
      context.fillStyle = colour;
      context.fillRect(x, y - 9, name === "ramp" ? 5 : 9, 9);
    } else if (name) drawLegendMark(context, name, x + 6, y - 4, colours);
    context.fillStyle = colours.text;
    context.fillText(label, x + (name === "ramp" ? 0 : 17), y);
    x += name === "ramp" ? 5 : context.measureText(label).width + 33;
  }
  context.fillStyle = colours.faint;
  context.fillText(captionOf(scene), EDGE, y + 24, camera.width - 2 * EDGE);
}

function captionOf({ points }) {
  return points.header.embedder ? `${CAPTION} Embedding: ${points.header.embedder}.` : CAPTION;
}

/**
 * Legend entries of a file: what is shown, or the colours of the colouring.
 * @returns {{ name?: string, label: string, colour?: string }[]}
 */
function footEntries({ show, colouring, points, theme, colours }) {
  const marks = LEGEND.filter(({ name }) => show[name] && (name !== "besides" || hasBesides(points)));
  if (!colouring) return marks;
  const { title, ramp, low, high, names = [] } = keyOf(colouring.how, points, theme);
  const rest = marks.filter(({ name }) => name === "found" || name === "missed");
  if (ramp) {
    const steps = ramp.filter((_, i) => i % 15 === 0).map((colour) => ({ name: "ramp", label: "", colour }));
    return [{ label: `${title} ${low}` }, ...steps, { label: high ?? "" }, ...rest];
  }
  const categories = names.map((label, i) => ({ name: "category", label, colour: points.header.categories[theme][i] }));
  const other = { name: "category", label: "other", colour: colours.not_relevant };
  return [...categories, ...(title === "Theme" ? [other] : []), ...rest];
}

/** An SVG of the scene, as text. Rows of one colour are one path of round dots. */
export function svgOf(scene, splat, live, font) {
  const { camera, colours } = scene;
  const high = camera.height + HEAD + FOOT;
  const { title, counts } = headOf(scene, live);
  const root = svgSheet(camera.width, high, {
    title: title, description: `${counts}. ${captionOf(scene)}`, background: colours.background, "font-family": font,
  });
  const clip = svgElement("clipPath", { id: "frame" });
  clip.append(svgElement("rect", { width: camera.width, height: camera.height }));
  const inner = svgElement("g", { transform: `translate(0 ${HEAD})`, "clip-path": "url(#frame)" });
  inner.append(...vectorBesides(scene), ...vectorDots(scene, splat), ...vectorLines(scene), vectorCore(scene), ...vectorLabels(scene, font));
  root.append(clip, inner, ...vectorWords(scene, title, counts));
  return svgText(root);
}

function vectorBesides({ points, camera, colours, show }) {
  const { besides_x: x = [], besides_y: y = [] } = points.arrays;
  if (!show.besides || !x.length) return [];
  const dots = Array.from(x, (_, row) => `M${camera.pixelX(x[row]).toFixed(1)} ${camera.pixelY(y[row]).toFixed(1)}h0`);
  const look = { fill: "none", "stroke-linecap": "round", "stroke-width": 2, "stroke-opacity": BESIDES_SHARE };
  return [svgElement("path", { d: dots.join(""), stroke: colours.not_relevant, ...look })];
}

function vectorDots({ points, camera, relevance, colours, colouring, show }, splat) {
  const { x, y } = points.arrays;
  const paths = new Map();
  for (let row = 0; row < points.header.n; row++) {
    const px = camera.pixelX(x[row]);
    const py = camera.pixelY(y[row]);
    if (px < -4 || py < -4 || px > camera.width + 4 || py > camera.height + 4) continue;
    const relevant = relevance.has(row);
    if (!colouring && !show[relevant ? "relevant" : "retrieved"]) continue;
    const byRegion = relevant ? colours.relevant : colours.not_relevant;
    const colour = colouring ? colouring.palette[colouring.index[row]] : byRegion;
    if (!paths.has(colour)) paths.set(colour, []);
    paths.get(colour).push(`M${px.toFixed(1)} ${py.toFixed(1)}h0`);
  }
  return [...paths].map(([stroke, dots]) => svgElement("path", {
    d: dots.join(""), stroke, fill: "none", "stroke-linecap": "round", "stroke-width": (2 * splat.dotRadius).toFixed(2),
    "stroke-opacity": Math.min(1, splat.opacity + 0.2).toFixed(2),
  }));
}

function vectorLines({ points, regions, camera, colours, show, region }) {
  const lines = [];
  if (show.contours) {
    for (const level of contoursOf(points)) {
      const d = level.map((line) => vectorPath(line, camera)).join("");
      lines.push(svgElement("path", { d, fill: "none", stroke: colours.faint, "stroke-opacity": 0.3 }));
    }
  }
  for (const [kind, { role, dash }] of Object.entries(OUTLINES)) {
    const outline = regions?.arrays[`outline_${kind}`];
    if (!outline?.length || kind !== region) continue;
    lines.push(svgElement("path", {
      d: vectorPath(outline, camera), fill: "none", stroke: colours[role], "stroke-dasharray": dash.join(" "),
      "stroke-width": 2.4,
    }));
  }
  return lines;
}

function vectorPath(line, camera) {
  const places = [];
  for (let i = 0; i < line.length; i += 2) {
    places.push(`${camera.pixelX(line[i]).toFixed(1)} ${camera.pixelY(line[i + 1]).toFixed(1)}`);
  }
  return `M${places.join("L")}Z`;
}

function vectorCore({ points, camera, relevance, colours, show }) {
  const { found, missed } = countsOf(points).rows;
  const titles = titlesOf(points);
  const group = svgElement("g");
  const radius = MARK_RADII.found * coreShrink(found.length + missed.length);
  const mark = (row, look) => {
    const cx = camera.pixelX(points.arrays.x[row]).toFixed(1);
    const cy = camera.pixelY(points.arrays.y[row]).toFixed(1);
    const circle = svgElement("circle", { cx, cy, r: radius, ...look });
    circle.append(svgElement("title", {}, titles.title(row)));
    group.append(circle);
  };
  const looks = {
    missed: { fill: colours.background, stroke: colours.core, "stroke-width": 1.7 },
    accepted: { fill: colours.core, stroke: colours.core_edge, "stroke-width": 1.4 },
    found: { fill: colours.core, stroke: colours.background, "stroke-width": 0.9 },
  };
  if (show.missed) for (const row of missed) mark(row, looks.missed);
  if (show.found) for (const row of found) mark(row, relevance.has(row) ? looks.accepted : looks.found);
  return group;
}

function vectorLabels({ points, camera, colours, show }, font) {
  if (!show.labels) return [];
  const context = contextOf(document.createElement("canvas"));
  const measure = (text, level) => {
    context.font = labelFont(level, font);
    return context.measureText(text).width;
  };
  const look = {
    "text-anchor": "middle", fill: colours.text, stroke: colours.background, "stroke-width": 3.5,
    "stroke-linejoin": "round", "paint-order": "stroke",
  };
  return placedLabels(points.header.groups ?? [], camera, measure).map(({ text, level, px, py }) => {
    // As attributes: where a page allows no style but its own, a style here would be refused.
    const [weight, size, ...family] = labelFont(level, font).split(" ");
    const face = { "font-weight": weight, "font-size": size, "font-family": family.join(" ") };
    return svgElement("text", { ...look, x: px.toFixed(1), y: (py + 4).toFixed(1), ...face }, text);
  });
}

function vectorWords(scene, title, counts) {
  const { camera, colours } = scene;
  const y = HEAD + camera.height + 22;
  const words = /** @type {SVGElement[]} */ ([
    svgElement("text", { x: EDGE, y: 26, "font-size": 18, "font-weight": 600, fill: colours.text }, title),
    svgElement("text", { x: EDGE, y: 46, "font-size": 13, fill: colours.faint }, counts),
    svgElement("text", { x: EDGE, y: y + 24, "font-size": 12, fill: colours.faint }, captionOf(scene)),
  ]);
  let x = EDGE;
  for (const { name, label, colour } of footEntries(scene)) {
    const width = name === "ramp" ? 5 : 9;
    if (name) words.push(vectorMark(name, x, y, width, colour, colours));
    if (label) words.push(svgElement("text", { x: x + 17, y, "font-size": 12, fill: colours.text }, label));
    x += name === "ramp" ? width : label.length * 6.4 + 33;
  }
  return words;
}

function vectorMark(name, x, y, width, colour, colours) {
  if (colour) return svgElement("rect", { x, y: y - 9, width, height: 9, fill: colour });
  const looks = {
    retrieved: { fill: colours.not_relevant }, relevant: { fill: colours.relevant },
    found: { fill: colours.core, stroke: colours.core_edge, "stroke-width": 1.5 },
    missed: { fill: colours.background, stroke: colours.core, "stroke-width": 1.7 },
    besides: { fill: colours.not_relevant, "fill-opacity": BESIDES_SHARE },
  };
  return svgElement("circle", { cx: x + 6, cy: y - 4, r: 4.6, ...looks[name] });
}
