// Asks Python again after a while, for as long as something runs in the background. Shows nothing.

/** A part that only waits. */
export class Later {
  constructor(root, store, python) {
    this.python = python;
    this.timer = 0;
    root.hidden = true;
  }

  update({ again_in_ms: wait }) {
    clearTimeout(this.timer);
    if (wait) this.timer = setTimeout(() => this.python.setTriggerValue("again", Date.now()), wait);
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
