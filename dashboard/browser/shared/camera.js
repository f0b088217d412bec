// Where the landscape is looked at from: a centre and a scale. Up is up: y grows towards the top.

const CLOSEST = 400;
const FARTHEST = 0.5;
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

  /** The middle never leaves the landscape, so nobody gets lost. */
  #stayNear() {
    const [x0, y0, x1, y1] = this.bounds;
    this.cx = Math.min(Math.max(this.cx, x0), x1);
    this.cy = Math.min(Math.max(this.cy, y0), y1);
    this.isHome = false;
  }
}
