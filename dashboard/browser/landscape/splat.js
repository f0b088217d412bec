// The points, pixel by pixel. Each pixel counts how much of it grey and blue dots cover, so moving the similarity
// threshold moves only the rows between two splits; a table then turns coverage into colour.
import { contextOf } from "../shared/elements.js";
import { coreShrink, MARK_RADII, spriteOf } from "../shared/marks.js";
import { bitAt } from "../shared/store.js";
import { channels, pixelOf } from "../shared/theme.js";
import { countsOf } from "./counting.js";

const DEEPEST = 255; // sums of coverage beyond which a pixel looks full
const FINENESS = [[1.5, 15], [4, 8], [Infinity, 4]]; // the more dots overlap, the coarser the coverage of one may be
const SAMPLES_PER_SIDE = 5;
const MARGIN_PX = 12; // dots beyond the edge reach in
const STAMPS = ["found", "accepted", "missed", "picked", "typed"];
const SMALL_RING = 2.2;
const SMALL_FROM = 20_000;
const MANY = 400; // rings get small when there are more
/** How much a publication that is not retrieved stands out from the background, of how much a retrieved one does. */
export const BESIDES_SHARE = 0.5;
const NO_TONES = new Float64Array(DEEPEST + 1);

/** Draws the points and the marks of the core into one canvas. `scene` says what there is to draw. */
export class Splat {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas, { alpha: false, willReadFrequently: true });
    this.table = new Uint32Array((DEEPEST + 1) ** 2);
    this.offsets = new Int32Array(0);
    this.width = this.height = this.scale = this.margin = this.stride = 0;
    this.image = new ImageData(1, 1);
    this.pixels = this.cells = this.ground = new Uint32Array(1);
    this.dotOffsets = new Int32Array(0);
    this.dotWeights = new Uint32Array(0);
    this.opacity = this.dotRadius = this.full = this.densest = this.background = 0;
    /** @type {number | null} What the table was mixed for. */ this.tableFor = null;
    this.coloured = false;
    /** @type {Record<string, { reach: number, dots: Int16Array }>} */ this.sprites = this.smallSprites = {};
    /** The pixels to paint again. */
    this.spoiled = { left: 0, top: 0, right: 0, bottom: 0 };
    /** @type {Uint32Array | null} */ this.typed = this.picked = null;
  }

  /** Size in CSS pixels, and how many canvas pixels there are to one. */
  resize(width, height, scale) {
    this.scale = scale;
    this.width = this.canvas.width = Math.max(1, Math.round(width * scale));
    this.height = this.canvas.height = Math.max(1, Math.round(height * scale));
    this.image = this.context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.margin = Math.ceil(MARGIN_PX * scale);
    this.stride = this.width + 2 * this.margin;
    this.cells = new Uint32Array(this.stride * (this.height + 2 * this.margin));
    /** What is under all dots: the background, and what is not retrieved. */
    this.ground = new Uint32Array(this.cells.length);
  }

  /** Everything, from the start. @param {Scene} scene */
  draw(scene) {
    this.dress(scene);
    this.place(scene);
    this.lay(scene);
    this.gather(scene);
    this.paint(scene);
  }

  /** Where each row is on the canvas, and how large its dot is from here. */
  place({ points, camera }) {
    const { x, y } = points.arrays;
    if (this.offsets.length !== x.length) this.offsets = new Int32Array(x.length);
    const { offsets, margin, stride, scale } = this;
    const high = this.height + 2 * margin;
    const perUnit = camera.scale * scale;
    const left = (camera.width / 2) * scale - camera.cx * perUnit + margin;
    const top = (camera.height / 2) * scale + camera.cy * perUnit + margin;
    const least = Math.ceil(MARGIN_PX * scale / 2);
    for (let row = 0; row < x.length; row++) {
      const px = Math.floor(x[row] * perUnit + left);
      const py = Math.floor(top - y[row] * perUnit);
      const seen = px >= least && py >= least && px < stride - least && py < high - least;
      offsets[row] = seen ? py * stride + px : -1;
    }
    this.#chooseDot(points.header.n, camera);
  }

  /** The background with a small dot for each publication that is not retrieved. */
  lay({ points, camera, colours, show }) {
    const { ground, margin, stride, scale, height } = this;
    ground.fill(this.background);
    const { besides_x: x = [], besides_y: y = [] } = points.arrays;
    if (!show.besides || !x.length) return;
    const [r, g, b] = channels(colours.not_relevant);
    const pixel = mixed(this.background, r, g, b, 256 * BESIDES_SHARE);
    const side = Math.max(1, Math.round((x.length > SMALL_FROM ? 1 : 2) * scale));
    for (let row = 0; row < x.length; row++) {
      const px = Math.round(camera.pixelX(x[row]) * scale - side / 2) + margin;
      const py = Math.round(camera.pixelY(y[row]) * scale - side / 2) + margin;
      if (px < 0 || py < 0 || px + side > stride || py + side > height + 2 * margin) continue;
      for (let line = py; line < py + side; line++) ground.fill(pixel, line * stride + px, line * stride + px + side);
    }
  }

  /** Dots grow where there is room, and are the more transparent the more of them overlap. */
  #chooseDot(n, camera) {
    const area = camera.width * camera.height;
    const room = Math.sqrt(area / Math.max(n, 1)) * Math.sqrt(camera.closeness);
    const radius = Math.min(Math.max(0.24 * room, 0.95), 3.6);
    const overlap = (n * Math.PI * radius * radius) / (0.35 * area * camera.closeness ** 2);
    this.opacity = Math.min(Math.max(0.75 / (1 + 0.5 * overlap), 0.24), 0.75);
    this.dotRadius = radius;
    /** The sum of coverages of a pixel that one dot fills. */
    this.full = (FINENESS.find(([most]) => overlap < most) ?? FINENESS[2])[1];
    /** As many dots on one pixel look as dense as can be. */
    this.densest = Math.min(Math.max(9 * overlap, 3), DEEPEST / this.full);
    this.#makeDot(radius * this.scale);
  }

  /** A dot as offsets and coverages, its rim softened. */
  #makeDot(radius) {
    const reach = Math.min(Math.ceil(radius), Math.floor(this.margin / 2));
    const offsets = [];
    const weights = [];
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const weight = Math.round(this.full * discShare(dx, dy, radius));
        if (!weight) continue;
        offsets.push(dy * this.stride + dx);
        weights.push(weight);
      }
    }
    this.dotOffsets = Int32Array.from(offsets);
    this.dotWeights = Uint32Array.from(weights);
  }

  /** Take on the colours of the theme, the marks, and which roles are shown. */
  dress({ colours, points }) {
    this.background = pixelOf(colours.background);
    this.tableFor = null;
    this.#spoilAll();
    const { found, missed } = countsOf(points).rows;
    const shrink = coreShrink(found.length + missed.length);
    this.sprites = Object.fromEntries(STAMPS.map((mark) => {
      const radius = MARK_RADII[mark] * (mark === "typed" || mark === "picked" ? 1 : shrink);
      return [mark, spriteOf(mark, radius, this.scale, colours)];
    }));
    const small = (mark) => spriteOf(mark, SMALL_RING, this.scale, colours);
    this.smallSprites = { picked: small("picked"), typed: small("typed") };
  }

  /** Coverage to colour: blue lies over grey. Made again only if the opacity or the colours are others. */
  #mixTable({ colours, show }) {
    const key = this.opacity + this.densest;
    if (this.tableFor === key) return;
    this.tableFor = key;
    const base = channels(colours.background);
    const grey = channels(colours.not_relevant);
    const blue = channels(colours.relevant);
    const greys = show.retrieved ? this.#tones(this.opacity) : NO_TONES;
    const blues = show.relevant ? this.#tones(stronger(this.opacity)) : NO_TONES;
    for (let g = 0; g <= DEEPEST; g++) {
      const under = base.map((value, c) => value + (grey[c] - value) * greys[g]);
      for (let b = 0; b <= DEEPEST; b++) {
        const red = under[0] + (blue[0] - under[0]) * blues[b];
        const green = under[1] + (blue[1] - under[1]) * blues[b];
        const azure = under[2] + (blue[2] - under[2]) * blues[b];
        this.table[(b << 8) | g] = 0xff000000 | (azure << 16) | (green << 8) | red;
      }
    }
  }

  /** How much a role covers a pixel, by the sum of coverages: one dot by its opacity, more of them ever slower. */
  #tones(opacity) {
    return Float64Array.from({ length: DEEPEST + 1 }, (_, sum) => {
      const dots = sum / this.full;
      if (dots <= 1) return opacity * dots;
      return opacity + (0.97 - opacity) * Math.min(1, Math.log(dots) / Math.log(this.densest));
    });
  }

  /** Cover the pixels from nothing: by region, or by the colouring that is on. */
  gather({ relevance, colouring, points, colours }) {
    this.coloured = colouring !== null;
    this.#spoilAll();
    if (colouring) return this.#gatherColours(colouring, colours, points.header.n);
    this.cells.fill(0);
    if (relevance.region === "cosine") {
      this.#cover(0, relevance.split, 1);
      return this.#cover(relevance.split, relevance.n, 1 << 16);
    }
    for (let row = 0; row < relevance.n; row++) {
      this.#cover(row, row + 1, relevance.mask !== null && bitAt(relevance.mask, row) ? 1 << 16 : 1);
    }
    return undefined;
  }

  /** The split moved: the rows between change sides. Wrapping arithmetic makes one addition of both. */
  shift(before, after) {
    const from = Math.min(before, after);
    const to = Math.max(before, after);
    this.#spoilRows(from, to);
    if (this.coloured) return;
    const change = (1 << 16) - 1;
    this.#cover(from, to, after < before ? change : -change);
  }

  #spoilAll() {
    Object.assign(this.spoiled, { left: 0, top: 0, right: this.width, bottom: this.height });
  }

  /** The rectangle around these rows, with room for their marks. */
  #spoilRows(from, to) {
    const { offsets, stride, margin, spoiled, sprites } = this;
    const reach = Math.max(margin / 2, sprites.accepted.reach) + 1;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let row = from; row < to; row++) {
      const at = offsets[row];
      if (at < 0) continue;
      const px = at % stride;
      if (px < left) left = px;
      if (px > right) right = px;
      if (at < top) top = at;
      if (at > bottom) bottom = at;
    }
    if (left === Infinity) return;
    const none = spoiled.right <= spoiled.left;
    const lower = (now, edge) => Math.max(0, none ? edge : Math.min(now, edge));
    const higher = (now, edge, most) => Math.min(most, none ? edge : Math.max(now, edge));
    const [above, below] = [top, bottom].map((at) => Math.floor(at / stride));
    spoiled.left = lower(spoiled.left, left - margin - reach);
    spoiled.right = higher(spoiled.right, right - margin + reach + 1, this.width);
    spoiled.top = lower(spoiled.top, above - margin - reach);
    spoiled.bottom = higher(spoiled.bottom, below - margin + reach + 1, this.height);
  }

  #cover(from, to, unit) {
    const { cells, offsets, dotOffsets, dotWeights } = this;
    const n = dotOffsets.length;
    for (let row = from; row < to; row++) {
      const at = offsets[row];
      if (at < 0) continue;
      for (let k = 0; k < n; k++) cells[at + dotOffsets[k]] += unit * dotWeights[k];
    }
  }

  #gatherColours({ index, palette }, colours, n) {
    const { cells, offsets, dotOffsets, dotWeights } = this;
    const paints = palette.map(channels);
    const opacity = stronger(this.opacity);
    const shares = Float64Array.from(dotWeights, (weight) => (256 * opacity * weight) / this.full);
    cells.set(this.ground);
    for (let row = 0; row < n; row++) {
      const at = offsets[row];
      if (at < 0) continue;
      const [r, g, b] = paints[index[row]];
      for (let k = 0; k < dotOffsets.length; k++) {
        const cell = at + dotOffsets[k];
        cells[cell] = mixed(cells[cell], r, g, b, shares[k]);
      }
    }
  }

  /** From coverage to colour, then the marks on top; only where something has changed. */
  paint(scene) {
    const { spoiled } = this;
    if (scene.typed !== this.typed || scene.picked !== this.picked) this.#spoilAll();
    this.typed = scene.typed;
    this.picked = scene.picked;
    const { left, top, right, bottom } = spoiled;
    if (right <= left || bottom <= top) return;
    this.#mixTable(scene);
    this.#colourPixels();
    this.#stampAll(scene);
    this.context.putImageData(this.image, 0, 0, left, top, right - left, bottom - top);
    spoiled.right = spoiled.left;
  }

  #colourPixels() {
    const { cells, ground, pixels, table, width, stride, margin, coloured, spoiled } = this;
    for (let py = spoiled.top; py < spoiled.bottom; py++) {
      let at = (py + margin) * stride + margin + spoiled.left;
      const end = py * width + spoiled.right;
      for (let out = py * width + spoiled.left; out < end; out++) {
        const cell = cells[at++];
        if (coloured) pixels[out] = cell;
        else if (cell === 0) pixels[out] = ground[at - 1];
        else {
          const grey = cell & 0xffff;
          const blue = cell >>> 16;
          pixels[out] = table[((blue < DEEPEST ? blue : DEEPEST) << 8) | (grey < DEEPEST ? grey : DEEPEST)];
        }
      }
    }
  }

  #stampAll({ points, relevance, show, typed, picked }) {
    const { found, missed } = countsOf(points).rows;
    if (typed) this.#ring("typed", typed);
    if (show.missed) for (let i = 0; i < missed.length; i++) this.#stamp(this.sprites.missed, missed[i]);
    if (show.found) {
      const { found: plain, accepted } = this.sprites;
      for (let i = 0; i < found.length; i++) this.#stamp(relevance.has(found[i]) ? accepted : plain, found[i]);
    }
    this.#ring("picked", picked);
  }

  #ring(mark, rows) {
    const sprite = (rows.length > MANY ? this.smallSprites : this.sprites)[mark];
    for (let i = 0; i < rows.length; i++) this.#stamp(sprite, rows[i]);
  }

  /** One mark, cut off where nothing has changed: its rim would be laid on twice. */
  #stamp({ dots, reach }, row) {
    const offset = this.offsets[row];
    if (offset === undefined || offset < 0) return;
    const { pixels, width, stride, margin } = this;
    const { left, top, right, bottom } = this.spoiled;
    const px = (offset % stride) - margin;
    const py = Math.floor(offset / stride) - margin;
    if (px + reach < left || py + reach < top || px - reach >= right || py - reach >= bottom) return;
    const whole = px - reach >= left && py - reach >= top && px + reach < right && py + reach < bottom;
    for (let k = 0; k < dots.length; k += 6) {
      const x = px + dots[k];
      const y = py + dots[k + 1];
      if (!whole && (x < left || y < top || x >= right || y >= bottom)) continue;
      const at = y * width + x;
      pixels[at] = mixed(pixels[at], dots[k + 2], dots[k + 3], dots[k + 4], dots[k + 5] + (dots[k + 5] >> 7));
    }
  }
}

/** How much of a pixel lies in a disc around the middle of the pixel at 0, 0. */
function discShare(dx, dy, radius) {
  let inside = 0;
  for (let j = 0; j < SAMPLES_PER_SIDE; j++) {
    for (let i = 0; i < SAMPLES_PER_SIDE; i++) {
      const x = dx + (i + 0.5) / SAMPLES_PER_SIDE - 0.5;
      const y = dy + (j + 0.5) / SAMPLES_PER_SIDE - 0.5;
      if (x * x + y * y <= radius * radius) inside++;
    }
  }
  return inside / SAMPLES_PER_SIDE ** 2;
}

/** Blue and other speaking colours are less transparent than grey. */
function stronger(opacity) {
  return Math.min(0.95, 1.25 * opacity + 0.1);
}

/** A pixel with a colour laid over it; `share` of 256. */
function mixed(pixel, r, g, b, share) {
  const r0 = pixel & 255;
  const g0 = (pixel >> 8) & 255;
  const b0 = (pixel >> 16) & 255;
  return (
    0xff000000 | ((b0 + (((b - b0) * share) >> 8)) << 16) | ((g0 + (((g - g0) * share) >> 8)) << 8) |
    (r0 + (((r - r0) * share) >> 8))
  );
}
