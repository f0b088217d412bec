// What the hand moved goes to Python from here, and from nowhere else. Each commit carries a number that rises; Python
// echoes the highest it has seen, so an answer that is older than the hand is told from one that is newer.

/** What Python is told when tuning moves. */
export const TUNING_KEYS = [
  "region", "cosine_mode", "min_similarity", "quantile", "min_core_share",
  "decay_limit", "decay_onset", "decay_steepness", "beta", "colour_by",
];
const SEQ_OF = new WeakMap();
const OFTEN_MS = 300;
const REST_MS = 250;

/** Sends tuning and focus. */
export class Commits {
  constructor(store, python) {
    this.store = store;
    this.python = python;
    /** The last number that went with tuning, and with a focus. */
    this.tuned = 0;
    this.focused = 0;
    /** Whether the hand has moved something that is not sent yet. */
    this.held = false;
    this.timer = null;
    this.sentAt = -Infinity;
  }

  /** Counted per store, so that a part that is mounted again goes on from there. */
  get seq() { return SEQ_OF.get(this.store) ?? 0; }
  set seq(seq) { SEQ_OF.set(this.store, seq); }

  /** Move and send at once. */
  now(patch) {
    this.#move(patch);
    this.#send();
  }

  /** Move, and send at most so often while the hand moves on. */
  soon(patch) {
    this.#move(patch);
    const wait = this.sentAt + OFTEN_MS - performance.now();
    if (wait <= 0) this.#send();
    else this.timer ??= setTimeout(() => this.#send(), wait);
  }

  /** Move, and send when the hand has rested: for keys. */
  resting(patch) {
    this.#move(patch);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#send(), REST_MS);
  }

  /** Move without sending; a release follows. */
  hold(patch) {
    this.#move(patch);
  }

  focus(row) {
    this.focused = this.seq += 1;
    this.store.focus(row);
    this.python.setStateValue("focus", { seq: this.seq, row });
  }

  /** Hear the number that Python has seen: its session may be older than this page. */
  hear(echo) {
    this.seq = Math.max(this.seq, echo ?? 0);
  }

  /** Whether tuning with this number is as new as what the hand did. */
  isNew(echo) {
    return !this.held && (echo ?? 0) >= this.tuned;
  }

  /** Forget what is not sent: it was about other data. */
  drop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.held = false;
  }

  #move(patch) {
    this.held = true;
    this.store.tune(patch);
  }

  #send() {
    this.drop();
    this.sentAt = performance.now();
    this.tuned = this.seq += 1;
    const tuning = { seq: this.seq };
    for (const key of TUNING_KEYS) {
      const value = this.store.live[key];
      if (value !== null && value !== undefined) tuning[key] = value;
    }
    this.python.setStateValue("tuning", tuning);
  }
}
