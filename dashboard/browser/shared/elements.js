// Elements of the page, made and patched. Text goes in as text, never as markup.
import { roleColours } from "./theme.js";

/** A new element: attributes by name, then children (elements or text). */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) attribute(made, name, value);
  made.append(...children);
  return made;
}

/** Set an attribute if it is another one than before; null, undefined and false take it away. */
export function attribute(target, name, value) {
  if (value === null || value === undefined || value === false) {
    if (target.hasAttribute(name)) target.removeAttribute(name);
  } else if (target.getAttribute(name) !== String(value)) {
    target.setAttribute(name, String(value));
  }
}

/** Set the text of an element if it is another one than before. */
export function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Show or hide without touching what is inside. */
export function show(target, shown) {
  if (target.hidden === shown) target.hidden = !shown;
}

const ROLES = ["accent", "relevant", "core", "core_edge", "not_relevant", "warning", "selection", "faint", "grid"];

/** Give a part the colours of the roles, as --role-... of its root. */
export function wearColours(root, store) {
  const colours = roleColours(store, root);
  if (!colours) return;
  for (const role of ROLES) {
    if (colours[role]) root.style.setProperty(`--role-${role.replace("_", "-")}`, colours[role]);
  }
}

/**
 * Call `draw` once before the next picture, however often it was asked for. Returns { ask, now, stop }: `now` draws at
 * once if nothing was drawn for this picture yet, so that what follows the hand is ready when the picture is taken.
 */
export function oncePerFrame(draw) {
  let asked = 0;
  let drawn = 0;
  return {
    now() {
      if (drawn) return this.ask();
      drawn = requestAnimationFrame(() => (drawn = 0));
      return draw();
    },
    ask() {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        draw();
      });
    },
    stop() {
      cancelAnimationFrame(asked);
      cancelAnimationFrame(drawn);
      asked = drawn = 0;
    },
  };
}
