// Where a picture is looked at from, and what pointers, wheel and keys do with it.

// Where the landscape is looked at from: a centre and a scale. Up is up: y grows towards the top.

const CLOSEST = 400;
const FARTHEST = 0.8;
/** Room at the edges of the whole picture, in pixels: tools lie on top, legend and caption below. */
export const INSETS = { left: 22, right: 22, top: 52, bottom: 50 };

/** Places in the landscape to pixels and back. */
export class Camera {
  constructor() {
    this.width = 0;
    this.height = 0;
    this.insets = { ...INSETS };
    this.bounds = [0, 0, 1, 1];
    this.cx = 0;
    this.cy = 0;
    /** Pixels per unit. */
    this.scale = 1;
    /** The scale at which everything fits. */
    this.fit = 1;
    this.isHome = true;
  }

  /** How much closer than the whole picture. */
  get closeness() { return this.scale / this.fit; }

  pixelX(x) { return (x - this.cx) * this.scale + this.width / 2; }
  pixelY(y) { return this.height / 2 - (y - this.cy) * this.scale; }
  placeX(px) { return (px - this.width / 2) / this.scale + this.cx; }
  placeY(py) { return (this.height / 2 - py) / this.scale + this.cy; }

  /** A new size keeps what is in the middle, as large in proportion as before. */
  resize(width, height) {
    const closeness = this.closeness;
    this.width = width;
    this.height = height;
    this.#measure();
    if (this.isHome) this.home();
    else this.scale = this.fit * closeness;
  }

  /** Other bounds: another landscape, so it is shown as a whole. The same bounds keep the view. */
  frame(bounds) {
    if (bounds.every((edge, i) => edge === this.bounds[i])) return;
    this.bounds = [...bounds];
    this.#measure();
    this.home();
  }

  home() {
    const [x0, y0, x1, y1] = this.bounds;
    this.scale = this.fit;
    const { left, right, top, bottom } = this.insets;
    this.cx = (x0 + x1) / 2 + (right - left) / 2 / this.scale;
    this.cy = (y0 + y1) / 2 + (top - bottom) / 2 / this.scale;
    this.isHome = true;
  }

  /** Move the picture by pixels. */
  pan(dx, dy) {
    this.cx -= dx / this.scale;
    this.cy += dy / this.scale;
    this.#stayNear();
  }

  /** Come closer by a factor; what is at this pixel stays there. */
  zoom(factor, px, py) {
    const x = this.placeX(px);
    const y = this.placeY(py);
    this.scale = Math.min(Math.max(this.scale * factor, this.fit * FARTHEST), this.fit * CLOSEST);
    this.cx = x - (px - this.width / 2) / this.scale;
    this.cy = y + (py - this.height / 2) / this.scale;
    this.#stayNear();
  }

  /** Bring a place into the middle. */
  centre(x, y) {
    this.cx = x;
    this.cy = y;
    this.#stayNear();
  }

  #measure() {
    const [x0, y0, x1, y1] = this.bounds;
    const { left, right, top, bottom } = this.insets;
    const wide = Math.max(this.width - left - right, 40);
    const high = Math.max(this.height - top - bottom, 40);
    this.fit = Math.min(wide / Math.max(x1 - x0, 1e-9), high / Math.max(y1 - y0, 1e-9));
  }

  /** The middle never leaves the landscape, so the view is never empty. */
  #stayNear() {
    const [x0, y0, x1, y1] = this.bounds;
    this.cx = Math.min(Math.max(this.cx, x0), x1);
    this.cy = Math.min(Math.max(this.cy, y0), y1);
    this.isHome = false;
  }
}

/** The smallest rectangle around all places: [x0, y0, x1, y1]. What is no number has no place. */
export function boundsOf(x, y) {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row]) || Number.isNaN(y[row])) continue;
    if (x[row] < x0) x0 = x[row];
    if (x[row] > x1) x1 = x[row];
    if (y[row] < y0) y0 = y[row];
    if (y[row] > y1) y1 = y[row];
  }
  return x0 > x1 ? [0, 0, 1, 1] : [x0, y0, x1, y1];
}

const CLICK_REACH = 4;
const STEP_PX = 48;
const KEY_ZOOM = 1.3;
const LASSO_STEP = 3;
/** The wheel of a mouse makes larger steps, in pixels. */
const SMALL_STEP = 50;

/** Turns events on the canvas into actions: pan, zoom, home, click, hover, leave, lasso, enter, escape. */
export class Hand {
  constructor(canvas, actions) {
    this.canvas = canvas;
    this.actions = actions;
    /** Whether the next drag draws a lasso. */
    this.lassoing = false;
    this.pointers = new Map();
    /** @type {number[] | null} The lasso so far: x0, y0, x1, y1, ... */ this.path = null;
    this.moved = false;
    this.from = { x: 0, y: 0 };
    const listeners = {
      pointerdown: (event) => this.#down(event), pointermove: (event) => this.#move(event),
      pointerup: (event) => this.#up(event), pointercancel: (event) => this.#cancel(event),
      pointerleave: () => actions.leave(), dblclick: (event) => this.#twice(event),
      keydown: (event) => this.#key(event),
    };
    for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener);
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  #place(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #down(event) {
    if (event.button !== 0) return;
    const place = this.#place(event);
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, place);
    if (this.pointers.size > 1) {
      this.#endLasso(false);
      this.moved = true;
    } else {
      this.moved = false;
      this.from = place;
      if (this.lassoing || event.shiftKey) this.path = [place.x, place.y];
    }
  }

  #move(event) {
    const place = this.#place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.actions.hover(place.x, place.y);
    if (this.pointers.size > 1) return this.#pinch(event.pointerId, place);
    if (!this.moved && Math.hypot(place.x - this.from.x, place.y - this.from.y) < CLICK_REACH) return undefined;
    this.moved = true;
    if (this.path) return this.#drawLasso(place);
    this.pointers.set(event.pointerId, place);
    this.canvas.classList.add("dragging");
    return this.actions.pan(place.x - before.x, place.y - before.y);
  }

  #drawLasso({ x, y }) {
    const path = this.path ?? [];
    if (Math.hypot(x - path[path.length - 2], y - path[path.length - 1]) < LASSO_STEP) return;
    path.push(x, y);
    this.actions.lassoMove(path);
  }

  #pinch(id, place) {
    const [a, b] = [...this.pointers.values()];
    const apart = Math.hypot(a.x - b.x, a.y - b.y);
    this.pointers.set(id, place);
    const [c, d] = [...this.pointers.values()];
    this.actions.pan((c.x + d.x - a.x - b.x) / 2, (c.y + d.y - a.y - b.y) / 2);
    if (apart > 0) this.actions.zoom(Math.hypot(c.x - d.x, c.y - d.y) / apart, (c.x + d.x) / 2, (c.y + d.y) / 2);
  }

  #up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    this.canvas.classList.remove("dragging");
    if (this.pointers.size) return;
    const drawn = this.path && this.moved;
    if (this.path) this.#endLasso(drawn);
    if (!this.moved) {
      const { x, y } = this.#place(event);
      this.actions.click(x, y);
    }
  }

  #cancel(event) {
    this.pointers.delete(event.pointerId);
    this.canvas.classList.remove("dragging");
    this.#endLasso(false);
  }

  #endLasso(drawn) {
    const { path } = this;
    if (!path) return;
    this.path = null;
    this.actions.lassoEnd(drawn && path.length >= 6 ? path : null);
  }

  #twice(event) {
    if (event.shiftKey || this.lassoing) return;
    const { x, y } = this.#place(event);
    this.actions.zoom(2, x, y);
  }

  /** A wheel alone scrolls the page, which must not stop over a picture. */
  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return this.actions.scrolled?.();
    event.preventDefault();
    const { x, y } = this.#place(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    const speed = Math.abs(event.deltaY * lines) < SMALL_STEP ? 0.01 : 0.0015; // a pinch on a trackpad: small steps with ctrl
    return this.actions.zoom(Math.exp(-event.deltaY * lines * speed), x, y);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 3 * STEP_PX : STEP_PX;
    const { pan, zoom, home, enter, escape } = this.actions;
    const middle = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    const act = {
      ArrowLeft: () => pan(step, 0), ArrowRight: () => pan(-step, 0),
      ArrowUp: () => pan(0, step), ArrowDown: () => pan(0, -step),
      "+": () => zoom(KEY_ZOOM, ...middle), "=": () => zoom(KEY_ZOOM, ...middle),
      "-": () => zoom(1 / KEY_ZOOM, ...middle), _: () => zoom(1 / KEY_ZOOM, ...middle),
      0: home, Home: home, Enter: enter,
      Escape: () => {
        this.#endLasso(false);
        escape();
      },
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
