// What is drawn with lines and letters over the points: contours, outlines, names of themes, the focused row.
import { contoursOf } from "./contours.js";
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
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    this.font = "sans-serif";
  }

  resize(width, height, scale) {
    this.scale = scale;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.max(1, Math.round(width * scale));
    this.canvas.height = Math.max(1, Math.round(height * scale));
  }

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

  #outlines({ regions, camera, colours, region, show }) {
    const { context } = this;
    for (const [kind, path] of outlinePaths(regions)) {
      const current = kind === region;
      if (!current && !show.outlines) continue;
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
