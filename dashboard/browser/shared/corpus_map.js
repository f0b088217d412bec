// The corpus as a picture: every publication a dot, what the search string retrieves darker, the core on top.
import { boundsOf, Camera } from "./camera.js";
import { attribute, contextOf, make, oncePerFrame, sizeCanvas, write } from "./elements.js";
import { count } from "./format.js";
import { coreShrink, drawMark, MARK_RADII } from "./marks.js";
import { channels, pixelOf } from "./theme.js";

const MAP_SHARPEST = 2;
const EDGE_PX = 10;
const ABSENT_SHARE = 0.5; // as the style sheet has it for the legend
const MAP_ENTRIES = [
  ["absent", "not retrieved"], ["retrieved", "retrieved, far from the core"], ["accepted", "retrieved, close to it"],
  ["found", "core found"], ["missed", "core missed"],
];
/** Draws into one canvas, again whenever the corpus, the retrieved set, the size or the theme is another one. */
export class CorpusMap {
  constructor(root) {
    this.root = root;
    /** @type {CorpusPayload | null} */ this.corpus = null;
    /** @type {string | undefined} */ this.retrieved = undefined;
    /** @type {Uint8Array | null} */ this.roles = null;
    this.camera = new Camera();
    this.camera.insets = { left: EDGE_PX, right: EDGE_PX, top: EDGE_PX, bottom: EDGE_PX };
    this.canvas = make("canvas", { class: "map-canvas", role: "img", "data-testid": "corpus-map" });
    this.context = contextOf(this.canvas, { alpha: false });
    this.stage = make("div", { class: "map-stage" }, this.canvas);
    this.numbers = new Map(MAP_ENTRIES.map(([key]) => [key, make("b", {})]));
    const legend = make("ul", { class: "map-legend" }, ...MAP_ENTRIES.map(([key, words]) => {
      return make("li", {}, make("span", { class: `dot ${key}`, "aria-hidden": "true" }), this.numbers.get(key) ?? "", words);
    }));
    this.caption = make("p", { class: "caption" });
    this.element = make("figure", { class: "map", "aria-label": "Landscape" }, this.stage, make("figcaption", {}, legend, this.caption));
    this.frame = oncePerFrame(() => this.draw());
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.stage);
  }

  destroy() {
    this.observer.disconnect();
    this.frame.stop();
  }

  /** The corpus as it was sent, and the retrieved set as base64. */
  update(corpus, retrieved) {
    if (corpus === this.corpus && retrieved === this.retrieved) return;
    if (corpus !== this.corpus && corpus) this.camera.frame(boundsOf(corpus.arrays.x, corpus.arrays.y));
    this.corpus = corpus;
    this.retrieved = retrieved;
    this.roles = corpus ? rolesOf(corpus.arrays, bytesOf(retrieved)) : null;
    this.#tell();
    this.frame.ask();
  }

  #tell() {
    const n = this.roles ? tally(this.roles) : null;
    for (const [key, element] of this.numbers) write(element, n ? count(n[ROLE[key]]) : "");
    if (!n) {
      write(this.caption, "The landscape is loading.");
      return attribute(this.canvas, "aria-label", "Landscape, loading");
    }
    const unseen = n[ROLE.unseen] ? ` ${count(n[ROLE.unseen])} without a vector are not shown.` : "";
    write(this.caption, `Nearby dots have similar content. Open rings: core publications you miss.${unseen}`);
    const counts = MAP_ENTRIES.map(([key, words]) => `${count(n[ROLE[key]])} ${words}`).join(", ");
    return attribute(this.canvas, "aria-label", `Landscape of the corpus: ${counts}.`);
  }

  /** The theme may be another one. */
  look() {
    this.frame.ask();
  }

  /** As the style sheet has them for the theme that is on. */
  colours() {
    const style = getComputedStyle(this.root);
    const named = (name) => style.getPropertyValue(`--${name}`).trim();
    return {
      background: named("paper"), not_relevant: named("grey"), relevant: named("relevant"),
      core: named("core"), core_edge: named("core-edge"),
    };
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height || !this.context) return;
    const scale = Math.min(MAP_SHARPEST, globalThis.devicePixelRatio || 1);
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    sizeCanvas(this.canvas, wide, high);
    this.camera.resize(width, height);
    const colours = this.colours();
    const image = this.context.createImageData(wide, high);
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(pixelOf(colours.background));
    const { corpus, roles } = this;
    if (corpus && roles) this.#dots(corpus.arrays, roles, pixels, wide, high, scale, colours);
    this.context.putImageData(image, 0, 0);
    if (corpus && roles) this.#marks(corpus.arrays, roles, scale, colours);
  }

  /** Those that are not retrieved below, then grey, then blue. */
  #dots({ x, y }, roles, pixels, wide, high, scale, colours) {
    const { camera } = this;
    const small = roles.length > 20_000;
    /** @type {[number, number[], number][]} */ const layers = [
      [ROLE.absent, mixedChannels(colours.background, colours.not_relevant, ABSENT_SHARE), small ? 1 : 1.4],
      [ROLE.retrieved, channels(colours.not_relevant), small ? 1.5 : 2],
      [ROLE.accepted, channels(colours.relevant), small ? 1.5 : 2],
    ];
    for (const [role, [r, g, b], size] of layers) {
      const side = Math.max(1, Math.round(size * scale));
      const pixel = (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
      for (let row = 0; row < roles.length; row++) {
        if (roles[row] !== role) continue;
        const left = Math.round(camera.pixelX(x[row]) * scale - side / 2);
        const top = Math.round(camera.pixelY(y[row]) * scale - side / 2);
        if (left < 0 || top < 0 || left + side > wide || top + side > high) continue;
        for (let py = top; py < top + side; py++) pixels.fill(pixel, py * wide + left, py * wide + left + side);
      }
    }
  }

  #marks({ x, y }, roles, scale, colours) {
    const { context, camera } = this;
    const n = tally(roles);
    const shrink = coreShrink(n[ROLE.missed] + n[ROLE.found]);
    context.save();
    context.scale(scale, scale);
    for (const mark of ["missed", "found"]) {
      for (let row = 0; row < roles.length; row++) {
        if (roles[row] !== ROLE[mark]) continue;
        drawMark(context, mark, camera.pixelX(x[row]), camera.pixelY(y[row]), MARK_RADII[mark] * shrink, colours);
      }
    }
    context.restore();
  }
}

function mixedChannels(under, over, share) {
  const below = channels(under);
  return channels(over).map((value, at) => Math.round(below[at] + (value - below[at]) * share));
}

// Sets of publications as bits, and which role each row of the corpus has. Pure.

/** The bytes of a base64 text; anything else is no bytes. */
export function bytesOf(base64) {
  if (!base64) return new Uint8Array(0);
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

/** Whether a row is in a set: bit r % 8 of byte r >> 3. */
export function hasRow(bits, row) {
  return ((bits[row >> 3] >> (row & 7)) & 1) === 1;
}

const CORE_BIT = 1;
const ACCEPTED_BIT = 2;
/** Roles of rows on the picture, those drawn later lie on top. */
export const ROLE = { unseen: 0, absent: 1, retrieved: 2, accepted: 3, missed: 4, found: 5 };

/** The role of each row; one without a place is not seen. */
export function rolesOf({ x, y, flags }, bits) {
  const roles = new Uint8Array(x.length);
  for (let row = 0; row < roles.length; row++) {
    if (Number.isNaN(x[row]) || Number.isNaN(y[row])) continue;
    const inside = hasRow(bits, row);
    if (flags[row] & CORE_BIT) roles[row] = inside ? ROLE.found : ROLE.missed;
    else if (!inside) roles[row] = ROLE.absent;
    else roles[row] = flags[row] & ACCEPTED_BIT ? ROLE.accepted : ROLE.retrieved;
  }
  return roles;
}

/** How many rows have each role, by its number. */
export function tally(roles) {
  const n = new Uint32Array(6);
  for (let row = 0; row < roles.length; row++) n[roles[row]]++;
  return n;
}
