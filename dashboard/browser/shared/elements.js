// Elements of the page, made and patched. Text goes in as text, never as markup.

/**
 * A new element: attributes by name, then children (elements or text).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) attribute(made, name, value);
  made.append(...children);
  return made;
}

/** The element around what an event hit that matches. @returns {HTMLElement | null} */
export function hit(event, selector) {
  return event.target.closest?.(selector) ?? null;
}

/**
 * Set an attribute if it is another one than before; null and undefined take it away, and so does false, except for
 * aria-...: "aria-expanded" is "false" where something can be unfolded, and missing where nothing can.
 */
export function attribute(target, name, value) {
  if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) {
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

const LOOK_AGAIN_MS = 50;

/** Scroll a box, and only that, until an element in it is in sight. */
export function scrollWithin(box, element) {
  const { top, bottom } = element.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  if (top < frame.top) box.scrollTop += top - frame.top;
  else if (bottom > frame.bottom) box.scrollTop += Math.min(bottom - frame.bottom, top - frame.top);
}

/**
 * Scroll to what Streamlit draws next, as soon as it is there.
 * @param {string} selector
 * @param {{ block?: ScrollLogicalPosition, takesFocus?: boolean }} [how] Whether its first control takes the keyboard.
 */
export function bringIntoSight(selector, { block = "nearest", takesFocus = false } = {}, tries = 40) {
  const element = document.querySelector(selector);
  if (!element) {
    if (tries) setTimeout(() => bringIntoSight(selector, { block, takesFocus }, tries - 1), LOOK_AGAIN_MS);
    return;
  }
  element.scrollIntoView({ block });
  /** @type {HTMLElement | null} */ const control = takesFocus ? element.querySelector("button, input, textarea, a") : null;
  control?.focus({ preventScroll: true });
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

/**
 * What is drawn with on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} how
 */
export function contextOf(canvas, how = {}) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", how)); // null where a browser can't draw
}

/** Give a canvas its size in pixels, which empties it: only if it has another one. */
export function sizeCanvas(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element with attributes and a text.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {string} text
 */
export function svgElement(tag, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

const AWAY = 14;

/** Where a card goes: right below the pointer, or on the other side where there is no room. */
export function placeCard(px, py, wide, high, width, height) {
  const x = px + AWAY + wide <= width ? px + AWAY : px - AWAY - wide;
  const y = py + AWAY + high <= height ? py + AWAY : py - AWAY - high;
  const inside = (at, size, room) => Math.round(Math.max(4, Math.min(at, room - size - 4)));
  return { x: inside(x, wide, width), y: inside(y, high, height) };
}
