// What the parts of one page share in the browser: the data that Python sent, and what is under the hand right now.
// Python decides, the browser draws and counts: nothing here computes a score.

const STORES = (globalThis.queryscapeStores ??= new Map());

/** The store of this name; the parts of one page use the same one. */
export function storeNamed(name) {
  if (!STORES.has(name)) STORES.set(name, new Store());
  return STORES.get(name);
}

/**
 * Events: "data" (a payload came, or another one is current), "live" (tuning moved), "scores" (the server's scores came),
 * "picked" (a set of rows), "focus" (one row), "find" (rows whose title matches), "look" (colours, legend, theme), "anchor".
 */
export class Store {
  constructor() {
    this.payloads = { points: new Map(), regions: new Map(), curve: new Map(), corpus: new Map(), overlay: new Map() };
    this.current = { points: null, regions: null, curve: null, corpus: null, overlay: null };
    /** Tuning as the hand has it: region, cosine_mode, min_similarity, ... */
    this.live = {};
    /** The last scores that Python sent. */
    this.scores = null;
    /** Rows that were picked with the lasso or in the table, ascending; empty: none. */
    this.picked = new Uint32Array(0);
    /** The row whose record is shown, or null. */
    this.focused = null;
    /** Rows whose title matches what is being typed; null: nothing is typed. */
    this.found = null;
    /** Elements that the tour points at, by name. */
    this.anchors = new Map();
    /** Set by the landscape, which alone talks to Python: commit(patch, { now }) and focusOn(row). */
    this.commit = () => {};
    this.listeners = new Map();
  }

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
    return () => this.listeners.get(event).delete(listener);
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

  /** Make this the current corpus: every publication that a search string is tried on. */
  useCorpus(id) {
    if (this.current.corpus === id) return;
    this.current.corpus = id ?? null;
    this.tell("data");
  }

  /** Make this the current overlay: who has what of several versions. */
  useOverlay(id) {
    if (this.current.overlay === id) return;
    this.current.overlay = id;
    this.tell("data");
  }

  get overlay() { return this.payloads.overlay.get(this.current.overlay) ?? null; }
  get points() { return this.payloads.points.get(this.current.points) ?? null; }
  get regions() { return this.payloads.regions.get(this.current.regions) ?? null; }
  get curve() { return this.payloads.curve.get(this.current.curve) ?? null; }
  get corpus() { return this.payloads.corpus.get(this.current.corpus) ?? null; }

  /** Move a setting under the hand; every part follows in the same frame. */
  tune(patch) {
    this.live = { ...this.live, ...patch };
    this.tell("live");
  }

  pick(rows) {
    this.picked = Uint32Array.from(rows).sort();
    this.tell("picked");
  }

  focus(row) {
    this.focused = row;
    this.tell("focus");
  }

  find(rows) {
    this.found = rows;
    this.tell("find");
  }

  anchor(name, element) {
    this.anchors.set(name, element);
    this.tell("anchor");
  }
}
