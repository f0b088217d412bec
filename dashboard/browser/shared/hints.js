// Hints: a small note beside each thing that a newcomer should know. One that was closed stays away.
import { button } from "./controls.js";
import { make } from "./elements.js";
import { Part } from "./part.js";

/** Puts its notes before the anchors of other parts, whenever these come; draws nothing of its own. */
export class Hints extends Part {
  /** @type {any} */ data = null;
  /** @type {Map<string, HTMLElement>} */ notes = new Map();

  constructor(root, store, python) {
    super(root, store, python);
    root.hidden = true;
    this.listen({ anchor: () => this.place() });
  }

  /** A higher `run` brings closed hints back. */
  update(data) {
    this.data = data;
    if (data.run > this.store.hintsRun) {
      this.store.hintsRun = data.run;
      keep(this.store, data.remember_key, new Set());
    } else {
      for (const id of remembered(data.remember_key)) this.store.closedHints.add(id);
    }
    this.place();
  }

  destroy() {
    super.destroy();
    for (const note of this.notes.values()) note.remove();
  }

  place() {
    for (const { id, text } of this.data?.hints ?? []) {
      const anchor = this.store.anchors.get(id);
      if (!anchor?.isConnected || this.store.closedHints.has(id)) continue;
      const note = this.notes.get(id) ?? this.#note(id, text);
      if (note.nextSibling !== anchor) anchor.before(note);
    }
  }

  #note(id, text) {
    const close = button("×", () => this.#close(id), { kind: "close", "aria-label": `Close the hint: ${text}` });
    const note = make("div", { class: "hint-note", role: "note", "data-hint": id }, make("span", {}, text), close);
    this.notes.set(id, note);
    return note;
  }

  /** The focus moves to the first hint that is left. */
  #close(id) {
    this.notes.get(id)?.remove();
    keep(this.store, this.data.remember_key, new Set([...this.store.closedHints, id]));
    const left = this.data.hints.map((hint) => this.notes.get(hint.id)).filter((note) => note?.isConnected);
    left[0]?.querySelector("button")?.focus({ preventScroll: true });
  }
}

function remembered(key) {
  try {
    return (localStorage.getItem(key) ?? "").split(" ").filter(Boolean);
  } catch {
    return []; // storage is forbidden here: what was closed is known until the page is loaded again
  }
}

function keep(store, key, closed) {
  store.closedHints = closed;
  try {
    localStorage.setItem(key, [...closed].join(" "));
  } catch {
    // nothing can be remembered here
  }
}
