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
