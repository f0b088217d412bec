// A part: what Python mounts into an element of its own on a page, and updates with a document.
import { bringIntoSight } from "./elements.js";

/** Follows events of the store until it is destroyed. */
export class Part {
  /**
   * @param {HTMLElement} root
   * @param {import("./store.js").Store} store
   * @param {Python} python
   */
  constructor(root, store, python) {
    this.root = root;
    this.store = store;
    this.python = python;
    /** @type {(() => void)[]} */ this.leave = [];
  }

  /** Call these, by the names of events, until the part is destroyed. */
  listen(listeners) {
    for (const [event, listener] of Object.entries(listeners)) this.leave.push(this.store.on(event, listener));
  }

  /** Hear of another theme: Streamlit calls nothing then, but the background of the root starts a transition. */
  followTheme(look) {
    this.root.addEventListener("transitionend", ({ target, propertyName }) => {
      if (target === this.root && propertyName === "background-color") look();
    });
  }

  destroy() {
    this.leave.forEach((leave) => leave());
  }
}

/** Scrolls to what Python names, and moves the keyboard there; draws nothing of its own. */
export class Sight extends Part {
  seq = 0;

  update({ seq, target }) {
    if (seq === this.seq) return;
    this.seq = seq;
    bringIntoSight(target, { block: "start", takesFocus: true });
  }
}

/** A place that another part fills: Python mounts each part into one element, and some stand in two places of a page. */
export class Place extends Part {
  name = "";

  update({ name }) {
    this.name = name;
    this.store.offerPlace(name, this.root);
  }

  destroy() {
    super.destroy();
    this.store.withdrawPlace(this.name, this.root);
  }
}
