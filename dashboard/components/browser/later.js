// Asks Python again after a while, for as long as something runs in the background. Shows nothing.

/** An ask that meets another run of the page is not answered: it is repeated, but never so often as to hold that up. */
const ASK_AGAIN_AFTER = 6;
/** Whoever goes to another page asks for nothing in the meantime: it would meet the page that comes. */
const TO_ANOTHER_PAGE = '[data-testid="stSidebarNav"] a';
const WHILE_LEAVING_MS = 5000;

/** A part that only waits. */
export class Later {
  constructor(root, store, python) {
    this.python = python;
    this.timer = 0;
    root.hidden = true;
    this.leave = ({ target }) => target.closest?.(TO_ANOTHER_PAGE) && this.#wait();
    document.addEventListener("click", this.leave, true);
  }

  update({ again_in_ms: wait }) {
    clearTimeout(this.timer);
    this.patience = wait ? wait * ASK_AGAIN_AFTER : 0;
    if (wait) this.#askIn(wait, this.patience);
  }

  #askIn(wait, patience) {
    this.timer = setTimeout(() => {
      this.python.setTriggerValue("again", Date.now());
      this.#askIn(patience, patience);
    }, wait);
  }

  /** If the page stays after all, it is asked again a little later. */
  #wait() {
    clearTimeout(this.timer);
    if (this.patience) this.#askIn(WHILE_LEAVING_MS, this.patience);
  }

  destroy() {
    clearTimeout(this.timer);
    document.removeEventListener("click", this.leave, true);
  }
}
