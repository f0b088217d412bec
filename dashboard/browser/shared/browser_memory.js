// A text that this browser keeps, such as the name of the visitor.
import { Part } from "./part.js";

const keyOf = (name) => `queryscape-${name}`;

/** The text kept under a name; null: none. */
export function keptText(name, storage = globalThis.localStorage) {
  try {
    return storage.getItem(keyOf(name)) || null;
  } catch {
    return null; // nothing may be kept here
  }
}

/** Keep a text, or forget it if it is empty. */
export function keepText(name, text, storage = globalThis.localStorage) {
  try {
    if (text) storage.setItem(keyOf(name), text);
    else storage.removeItem(keyOf(name));
  } catch {
    // the text lives as long as the page
  }
}

/** Keeps the text that Python has; if Python has none yet, tells it the one kept before. Draws nothing. */
export class BrowserMemory extends Part {
  isTold = false;

  update({ name, text }) {
    if (text !== null) {
      keepText(name, text);
      return;
    }
    const kept = this.isTold ? null : keptText(name);
    this.isTold = true;
    if (kept) this.python.setStateValue("kept", kept);
  }
}
