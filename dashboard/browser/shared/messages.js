// What the workbench asks of Python, one thing after the other. Streamlit keeps only the last value of a state, so an ask
// waits until the one before it was answered, unless it takes its place.

/** These stand for all earlier ones of their kind: the last one counts. */
const REPLACES = new Set(["edit", "switch", "dialect", "semantics", "effects", "translate", "suggest", "rescues", "reshape"]);
/** These name nodes or findings by number: what they mean is gone once the text is another one. */
const ABOUT_NUMBERS = new Set(["switch", "fix", "rescues", "rescue", "add", "reshape_accept"]);
const PATIENCE_MS = 20_000;

/** Sends asks with rising numbers. `send(ask)` hands one over, `now()` is the clock. */
export class Asks {
  constructor(send, now = Date.now) {
    Object.assign(this, { send, now, seq: 0, waiting: [], open: null, lastOf: new Map() });
  }

  /** Ask, or wait for the turn. False: it is about a text that has just been edited away. */
  ask(kind, more = {}) {
    if (ABOUT_NUMBERS.has(kind) && this.isEditing) return false;
    this.waiting = this.waiting.filter((other) => !(other.kind === kind && REPLACES.has(kind)));
    this.waiting.push({ kind, ...more });
    this.lastOf.set(kind, Infinity);
    this.#next();
    return true;
  }

  /** An answer came. */
  hear(seq) {
    this.seq = Math.max(this.seq, seq ?? 0);
    if (this.open && (seq ?? 0) >= this.open.seq) this.open = null;
    this.#next();
  }

  /** Forget everything that is not answered: it was about another text. */
  reset() {
    Object.assign(this, { waiting: [], open: null, lastOf: new Map() });
  }

  /** Whether the text was edited and the answer is still to come. */
  get isEditing() { return this.isAwaited("edit"); }

  /** Whether anything is still to be answered. */
  get isBusy() { return this.open !== null || this.waiting.length > 0; }

  /** Whether an ask of this kind is still to be answered. */
  isAwaited(kind) {
    return this.open?.kind === kind || this.waiting.some((other) => other.kind === kind);
  }

  /** Whether an answer with this number knows of the last ask of this kind. */
  isNews(kind, seq) {
    return !this.waiting.some((other) => other.kind === kind) && (seq ?? 0) >= (this.lastOf.get(kind) ?? 0);
  }

  #next() {
    const [first] = this.waiting;
    if (!first) return;
    const late = this.open !== null && this.now() - this.open.at > PATIENCE_MS;
    const instead = this.open?.kind === first.kind && REPLACES.has(first.kind);
    if (this.open !== null && !late && !instead) return;
    this.waiting.shift();
    this.seq = Math.max(this.seq + 1, this.now());
    this.open = { kind: first.kind, seq: this.seq, at: this.now() };
    this.lastOf.set(first.kind, this.seq);
    this.send({ seq: this.seq, ...first });
  }
}
