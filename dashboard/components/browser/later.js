// Asks Python again and again, for as long as something runs in the background. Shows nothing.
// More than once, because an ask that meets another run of the page is not answered.

/** A part that only waits. */
export class Later {
  constructor(root, store, python) {
    this.python = python;
    this.timer = 0;
    root.hidden = true;
  }

  update({ again_in_ms: wait }) {
    clearInterval(this.timer);
    if (wait) this.timer = setInterval(() => this.python.setTriggerValue("again", Date.now()), wait);
  }

  destroy() {
    clearInterval(this.timer);
  }
}
