// Messages to Python: one after the other, the newest wins, and none to a page that is being left.
import { Part } from "./part.js";

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
    this.send = send;
    this.now = now;
    this.seq = 0;
    /** @type {{ kind: string, text?: string }[]} */ this.waiting = [];
    /** @type {{ ask: { kind: string, text?: string }, seq: number, at: number } | null} */ this.open = null;
    this.lastOf = new Map();
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

  /** Forget everything that is not answered: it was about another text. Gives it back. */
  reset() {
    const left = [...(this.open ? [this.open.ask] : []), ...this.waiting];
    this.waiting = [];
    this.open = null;
    this.lastOf.clear();
    return left;
  }

  /** Whether the text was edited and the answer is still to come. */
  get isEditing() { return this.isAwaited("edit"); }

  /** Whether anything is still to be answered. */
  get isBusy() { return this.open !== null || this.waiting.length > 0; }

  /** Whether an ask of this kind is still to be answered. */
  isAwaited(kind) {
    return this.open?.ask.kind === kind || this.waiting.some((other) => other.kind === kind);
  }

  /** Whether an answer with this number knows of the last ask of this kind. */
  isNews(kind, seq) {
    return !this.waiting.some((other) => other.kind === kind) && (seq ?? 0) >= (this.lastOf.get(kind) ?? 0);
  }

  #next() {
    const [first] = this.waiting;
    if (!first) return;
    const late = this.open !== null && this.now() - this.open.at > PATIENCE_MS;
    const instead = this.open?.ask.kind === first.kind && REPLACES.has(first.kind);
    if (this.open !== null && !late && !instead) return;
    this.waiting.shift();
    this.seq = Math.max(this.seq + 1, this.now());
    this.open = { ask: first, seq: this.seq, at: this.now() };
    this.lastOf.set(first.kind, this.seq);
    this.send({ seq: this.seq, ...first });
  }
}

// What goes to Python while the hand moves: one message at a time, and the newest wins. Pure but for the timer.

const LOST_AFTER_MS = 4000;

/** `send(message)` sends. Every message has a number that rises; the answer names the last that Python has seen. */
export class Flight {
  constructor(send, later = (act) => setTimeout(act, LOST_AFTER_MS)) {
    this.send = send;
    this.later = later;
    this.seq = 0;
    this.inFlight = 0;
    this.waiting = null;
  }

  /** The hand has moved: sent at once, or when the answer to the one before has come. */
  move(message) {
    this.waiting = { ...message, rests: Boolean(message.rests) };
    if (!this.inFlight) this.#go();
  }

  /** An answer came. Whether it is as new as the hand, so that the controls may follow it. */
  heard(echo) {
    this.seq = Math.max(this.seq, echo);
    if (this.inFlight && echo >= this.inFlight) {
      this.inFlight = 0;
      if (this.waiting) this.#go();
    }
    return !this.inFlight && !this.waiting && echo >= this.seq;
  }

  /** Whether something the hand did is still to be answered. */
  get isAhead() {
    return Boolean(this.inFlight || this.waiting);
  }

  #go() {
    const seq = (this.seq += 1);
    this.inFlight = seq;
    const message = this.waiting;
    this.waiting = null;
    this.send({ ...message, seq });
    this.later(() => {
      if (this.inFlight !== seq) return;
      this.inFlight = 0; // its answer is lost: what the hand says now goes out
      if (this.waiting) this.#go();
    });
  }
}

// Asks Python again after a while, for as long as something runs in the background. Shows nothing.

/** An ask that meets another run of the page is not answered: it is repeated, but never so often as to hold that up. */
const ASK_AGAIN_AFTER = 6;

/** A part that only waits. */
export class Later extends Part {
  timer = 0;

  update({ again_in_ms: wait }) {
    this.root.hidden = true;
    clearTimeout(this.timer);
    if (wait) this.#askIn(wait, wait * ASK_AGAIN_AFTER);
  }

  #askIn(wait, patience) {
    this.timer = setTimeout(() => {
      this.python.setTriggerValue("again", Date.now());
      this.#askIn(patience, patience);
    }, wait);
  }

  destroy() {
    super.destroy();
    clearTimeout(this.timer);
  }
}

// Send nothing from a page that is being left: Streamlit would answer with an empty page.

const TO_ANOTHER_PAGE = '[data-testid^="stPageLink"] a[href], a[href][data-testid^="stPageLink"]';
const AT_MOST_MS = 5000;
const LOOK_AGAIN_MS = 100;

/** Whether the page that was asked for is not there yet. */
export function isOnTheWay({ to, until }, here, now) {
  return to !== here && now < until;
}

/** Where the last followed link leads, and how long to believe in it. */
export function watchLeaving(page) {
  const way = { to: "", until: -Infinity };
  page.addEventListener("click", (event) => {
    const link = event.target.closest?.(TO_ANOTHER_PAGE);
    const inThisTab = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey);
    if (link && inThisTab) Object.assign(way, { to: new URL(link.href).pathname, until: performance.now() + AT_MOST_MS });
  }, true);
  return way;
}

/** Say it now, or once the page has stayed after all. What has gone by then says nothing any more. */
export function sayUnlessLeaving(say, isHere) {
  if (!isHere()) return;
  if (isOnTheWay(globalThis.queryscapeWay, location.pathname, performance.now())) setTimeout(() => sayUnlessLeaving(say, isHere), LOOK_AGAIN_MS);
  else say();
}
