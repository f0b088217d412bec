// Asks Python again after a while, for as long as something runs in the background. Shows nothing.

/** An ask that meets another run of the page is not answered: it is repeated, but never so often as to hold that up. */
const ASK_AGAIN_AFTER = 6;

/** A part that only waits. */
export class Later {
  constructor(root, store, python) {
    this.python = python;
    this.timer = 0;
    root.hidden = true;
  }

  update({ again_in_ms: wait }) {
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
    clearTimeout(this.timer);
  }
}
