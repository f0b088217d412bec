// The data that the parts of one page share: payloads from Python, what is under the hand, and titles.

// Binary payloads from Python (see dashboard/kit/browser.py): a JSON header, then typed arrays, each aligned to eight bytes.

const MAGIC = 0x31505351; // "QSP1"
const TYPES = { f32: Float32Array, f64: Float64Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, u32: Uint32Array };

/**
 * The header of a payload and its arrays by name. Bytes stay where they are; wider numbers have to lie at multiples of
 * their size, which the middle of a message does not promise, so these are copies.
 */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error("not a Queryscape payload");
  const headerLength = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerLength)));
  const arrays = {};
  for (const { name, type, length, offset } of header.arrays) {
    const Type = TYPES[type];
    const end = offset + length * Type.BYTES_PER_ELEMENT;
    arrays[name] = Type === Uint8Array ? bytes.subarray(offset, end) : new Type(bytes.slice(offset, end).buffer);
  }
  return { header, arrays };
}

/** Whether row `i` is in a bitset that numpy.packbits made: the first row is the highest bit. */
export function bitAt(bits, i) {
  return (bits[i >> 3] >> (7 - (i & 7))) & 1;
}

// What the parts of one page share in the browser: the data that Python sent, and what is under the hand right now.
// Python decides, the browser draws and counts: nothing here computes a score.

/** @type {Map<string, Store>} */ const STORES = (globalThis.queryscapeStores ??= new Map());

/** The store of this name; the parts of one page use the same one. */
export function storeNamed(name) {
  const store = STORES.get(name) ?? new Store();
  STORES.set(name, store);
  return store;
}

/** @typedef {{ summary: any, before: any, n_errors: number, list: (key: string) => void }} Draft */

/**
 * Events: "data" (a payload came, or another one is current), "live" (tuning moved), "scores" (the server's scores came),
 * "hovered" (a region), "picked" (a set of rows), "focus" (one row), "find" (rows whose title matches), "list" (a filter of the table), "look"
 * (colours, legend, theme), "place" (one is offered), "draft"
 * (the search string was edited or run), "anchor".
 */
export class Store {
  constructor() {
    /** @type {Record<PayloadKind, Map<string, Payload>>} Those that came, by kind and id. */
    this.payloads = { points: new Map(), regions: new Map(), curve: new Map(), corpus: new Map(), overlay: new Map() };
    /** @type {Record<PayloadKind, string | null>} The ids of those that are shown. */
    this.current = { points: null, regions: null, curve: null, corpus: null, overlay: null };
    /** @type {Live} */ this.live = {};
    /** @type {any} The last scores that Python sent. */ this.scores = null;
    /** @type {Draft | null} A search string that was edited and not run. */ this.draft = null;
    /** @type {any} Label, region and scores of the version that the open one was made from. */ this.before = null;
    /** Rows that were picked with the lasso or in the table, ascending; empty: none. */
    this.picked = new Uint32Array(0);
    /** @type {number | null} The row whose record is shown. */ this.focused = null;
    /** @type {string | null} The region that is pointed at. */ this.hovered = null;
    /** @type {Uint32Array | null} Rows whose title matches what is being typed; null: nothing is typed. */
    this.found = null;
    /** @type {string | null} What the table was last asked to list. */ this.listed = null;
    /** @type {Map<string, Element>} Elements that hints stand before. */ this.anchors = new Map();
    /** @type {Map<string, HTMLElement>} Places that one part offers and another one fills. */ this.places = new Map();
    /** @type {(patch: Live, how?: { now: boolean }) => void} Set by the landscape, which alone talks to Python. */
    this.commit = () => {};
    /** @type {(row: number | null) => void} Set by the landscape too. */ this.focusOn = () => {};
    /** @type {import("../lab/opened_labs.js").OpenedLabs | null} What every lab shows. */ this.labs = null;
    /** @type {Set<string>} Hints that were closed. */ this.closedHints = new Set();
    /** How often they were asked for again. */ this.hintsRun = 0;
    /** @type {Map<string, Set<(store: Store) => void>>} */ this.listeners = new Map();
  }

  on(event, listener) {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  tell(event) {
    for (const listener of this.listeners.get(event) ?? []) listener(this);
  }

  /** Keep a payload. Only the newest two of a kind stay, so that memory stays flat. */
  put(payload) {
    const { kind, id } = payload.header;
    const kept = this.payloads[kind];
    kept.delete(id);
    kept.set(id, payload);
    for (const old of kept.keys()) {
      if (kept.size <= 2) break;
      if (old !== this.current[kind]) kept.delete(old);
    }
    this.tell("data");
  }

  /** Make these payloads the current ones: { points: id, regions: id, curve: id }. */
  use(ids) {
    const before = { ...this.current };
    this.current = { ...before, ...ids };
    if (before.points !== ids.points) {
      this.picked = new Uint32Array(0);
      this.focused = null;
      this.found = null;
    }
    if (["points", "regions", "curve"].some((kind) => before[kind] !== ids[kind])) this.tell("data");
  }

  /** Make this the current corpus or overlay. */
  useOnly(kind, id = null) {
    if (this.current[kind] === id) return;
    this.current[kind] = id;
    this.tell("data");
  }

  /** @returns {PointsPayload | null} */
  get points() { return this.#currentOf("points"); }
  /** @returns {RegionsPayload | null} */
  get regions() { return this.#currentOf("regions"); }
  /** @returns {CurvePayload | null} */
  get curve() { return this.#currentOf("curve"); }
  /** @returns {CorpusPayload | null} Every publication that a search string is tried on. */
  get corpus() { return this.#currentOf("corpus"); }
  /** @returns {OverlayPayload | null} Which of several versions has which publication. */
  get overlay() { return this.#currentOf("overlay"); }

  /** @param {PayloadKind} kind @returns {any} */
  #currentOf(kind) {
    return this.payloads[kind].get(this.current[kind] ?? "") ?? null;
  }

  /** Move a setting under the hand; every part follows in the same frame. */
  tune(patch) {
    this.live = { ...this.live, ...patch };
    this.tell("live");
  }

  pick(rows) {
    this.picked = Uint32Array.from(rows).sort();
    this.tell("picked");
  }

  /** Point at a region, or at none. */
  hover(kind) {
    if (this.hovered === kind) return;
    this.hovered = kind;
    this.tell("hovered");
  }

  focus(row) {
    this.focused = row;
    this.tell("focus");
  }

  find(rows) {
    this.found = rows;
    this.tell("find");
  }

  /** Have the table list the rows that pass a filter. */
  list(filter) {
    this.listed = filter;
    this.tell("list");
  }

  /** Offer a place on the page to the part that fills it. */
  offerPlace(name, element) {
    this.places.set(name, element);
    this.tell("place");
  }

  withdrawPlace(name, element) {
    if (this.places.get(name) === element) this.places.delete(name);
  }

  anchor(name, element) {
    this.anchors.set(name, element);
    this.tell("anchor");
  }
}

// Titles stay the UTF-8 bytes that Python sent: a title is decoded when it is shown, and finding reads the bytes.

const TITLE_DECODER = new TextDecoder();
const TITLE_ENCODER = new TextEncoder();
const TITLES_OF = new WeakMap();
const LINE_END = 10;
/** One letter is in nearly every title, so finding starts with two. */
export const SHORTEST_FIND = 2;

/** The titles of a points payload, made once. @param {PointsPayload} points @returns {Titles} */
export function titlesOf(points) {
  if (!TITLES_OF.has(points)) TITLES_OF.set(points, new Titles(points.arrays.titles));
  return TITLES_OF.get(points);
}

const RETRACTED_OF = new WeakMap();

/** The rows of a points payload that were retracted. @param {PointsPayload} points @returns {Set<number>} */
export function retractedOf(points) {
  if (!RETRACTED_OF.has(points)) RETRACTED_OF.set(points, new Set(points.header.retracted));
  return RETRACTED_OF.get(points);
}

/** Lines of text, one per row. */
export class Titles {
  constructor(bytes) {
    this.bytes = bytes;
    this.starts = lineStarts(bytes);
    this.length = this.starts.length - 1;
  }

  /** The title of a row; empty if it has none. */
  title(row) {
    if (!Number.isInteger(row) || row < 0 || row >= this.length) return "";
    return TITLE_DECODER.decode(this.bytes.subarray(this.starts[row], this.starts[row + 1] - 1));
  }

  /** Rows whose title holds this text, upper or lower case, ascending; null: too little is typed to look. */
  find(text) {
    const typed = text.trim().normalize("NFC");
    if (typed.length < SHORTEST_FIND) return null;
    const rows = new Uint32Array(this.length);
    return rows.slice(0, matchingRows(this.bytes, this.starts, needleOf(typed), rows));
  }
}

/** Where each line starts, and one past the end. No bytes are one empty line. */
function lineStarts(bytes) {
  let n = 1;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LINE_END) n++;
  const starts = new Uint32Array(n + 1);
  for (let i = 0, line = 1; i < bytes.length; i++) if (bytes[i] === LINE_END) starts[line++] = i + 1;
  starts[n] = bytes.length + 1;
  return starts;
}

/**
 * Both cases of each byte of a text, and how far to move on from a byte (Horspool): not at all from one that may be the
 * last, and from there, if the rest differs, `onward`.
 */
function needleOf(text) {
  const low = [];
  const high = [];
  for (const letter of text) {
    const lower = TITLE_ENCODER.encode(letter.toLowerCase());
    const upper = TITLE_ENCODER.encode(letter.toUpperCase());
    low.push(...lower);
    high.push(...(upper.length === lower.length ? upper : lower)); // "ß" has no single upper case
  }
  const last = low.length - 1;
  const moves = new Uint32Array(256).fill(low.length);
  for (let i = 0; i < last; i++) moves[low[i]] = moves[high[i]] = last - i;
  const onward = Math.min(moves[low[last]], moves[high[last]]);
  moves[low[last]] = moves[high[last]] = 0;
  return { low: Uint8Array.from(low), high: Uint8Array.from(high), moves, onward };
}

/** Write the rows that hold the needle into `rows`; how many there are. */
function matchingRows(bytes, starts, { low, high, moves, onward }, rows) {
  const last = low.length - 1;
  const end = bytes.length;
  let n = 0;
  let row = 0;
  let at = last;
  while (at < end) {
    const move = moves[bytes[at]];
    if (move !== 0) {
      at += move;
      continue;
    }
    let back = 1;
    while (back <= last && (bytes[at - back] === low[last - back] || bytes[at - back] === high[last - back])) back++;
    if (back <= last) {
      at += onward;
      continue;
    }
    while (starts[row + 1] <= at) row++;
    rows[n++] = row;
    at = starts[row + 1] + last;
  }
  return n;
}
