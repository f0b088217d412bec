// Changes by other people: the page is drawn again, but never while somebody types or drags.
import { Part } from "./part.js";

const QUIET_MS = 1200;
const LOOK_MS = 200;
const ASK_AGAIN_MS = 5000;
const BUSY = '[role="dialog"], [role="listbox"]';

/** Knows from events whether somebody is in the middle of something. */
export class Activity {
  isPressed = false;
  hasTyped = false;
  last = 0;

  constructor(now = () => Date.now()) {
    this.now = now;
  }

  hear(type, { isCommitting = false } = {}) {
    this.last = this.now();
    if (type === "pointerdown") this.isPressed = true;
    if (type === "pointerup" || type === "pointercancel") {
      this.isPressed = false;
      this.last = 0;
    }
    if (type === "input") this.hasTyped = true;
    if (type === "change" || type === "focusout" || isCommitting) this.hasTyped = false;
  }

  get isIdle() {
    return !this.isPressed && !this.hasTyped && this.now() - this.last >= QUIET_MS;
  }

  /** Hear what happens in a document. A check box and a slider have nothing that could be lost. */
  follow(document) {
    for (const type of ["pointerdown", "pointerup", "pointercancel", "change", "focusout", "keydown", "input"]) {
      document.addEventListener(type, (event) => {
        const field = event.composedPath()[0];
        if (type === "input" && !(field.isContentEditable || field.matches?.("textarea, input:not([type=checkbox], [type=range])"))) return;
        this.hear(type, { isCommitting: type === "keydown" && event.key === "Enter" && (event.ctrlKey || event.metaKey) });
      }, true);
    }
    return this;
  }
}

/** Asks Python to draw the page again once it is out of date and nobody is busy. Draws nothing. */
export class Changes extends Part {
  timer = 0;

  update({ is_outdated: isOutdated }) {
    this.root.hidden = true;
    this.root.dataset.isOutdated = String(isOutdated);
    globalThis.queryscapeActivity ??= new Activity().follow(document);
    clearTimeout(this.timer);
    if (isOutdated) this.#look();
  }

  #look() {
    const isFree = globalThis.queryscapeActivity.isIdle && !document.querySelector(BUSY);
    if (isFree) this.python.setTriggerValue("again", Date.now());
    this.timer = setTimeout(() => this.#look(), isFree ? ASK_AGAIN_MS : LOOK_MS);
  }

  destroy() {
    super.destroy();
    clearTimeout(this.timer);
  }
}
