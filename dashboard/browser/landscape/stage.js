// The two canvases on top of each other, and when each of them has to be drawn again.
import { Camera, INSETS } from "../shared/camera.js";
import { attribute, make, show, svgElement } from "../shared/elements.js";
import { allShown } from "./legend.js";
import { Overlay } from "./outlines.js";
import { Splat } from "./splat.js";

const SHARPEST = 2;
const FOOT_GAP = 16;
const ZOOM_KEY = /Mac|iP(ad|hone)/.test(globalThis.navigator?.platform ?? "") ? "⌘" : "Ctrl";
const HINT_MS = 1200;

/** Points below, lines above, and the scene that both draw. */
export class Stage {
  constructor() {
    this.points = make("canvas", { class: "layer", "data-testid": "landscape-points", "aria-hidden": "true" });
    this.lines = make("canvas", {
      class: "layer lines", "data-testid": "landscape-overlay",
      tabindex: "0", role: "application", "aria-label": "Landscape",
    });
    // Lasso and the ring under the pointer change with every move, so they are no pixels.
    this.lasso = svgElement("path", { class: "lasso" });
    this.ring = svgElement("circle", { class: "hover-ring", r: 7, visibility: "hidden" });
    this.handLayer = svgElement("svg", { class: "layer hand-layer", "aria-hidden": "true" });
    this.handLayer.append(this.lasso, this.ring);
    this.message = make("div", { class: "stage-message", hidden: "" });
    this.hint = make("div", { class: "zoom-hint", "aria-hidden": "true" }, `Hold ${ZOOM_KEY} to zoom`);
    this.element = make("div", { class: "stage" }, this.points, this.lines, this.handLayer, this.hint, this.message);
    this.splat = new Splat(this.points);
    this.overlay = new Overlay(this.lines);
    /** @type {HTMLElement | null} What lies over the lower edge; the whole landscape is shown above it. */
    this.foot = null;
    /** Whether this browser draws on canvases at all. */
    this.works = Boolean(this.splat.context && this.overlay.context);
    this.camera = new Camera();
    this.scene = /** @type {Scene} The rest comes with the data. */ ({
      camera: this.camera, show: allShown(), colouring: null, picked: new Uint32Array(0), typed: null, focused: null, hovered: null,
    });
    this.stale = { dress: true, place: true, gather: true, lines: true };
  }

  /** Take the size that the page gives. Tells whether it is another one. */
  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const scale = Math.min(SHARPEST, globalThis.devicePixelRatio || 1);
    const { camera, splat } = this;
    if (!this.works || !width || !height) return false;
    if (width === camera.width && height === camera.height && scale === splat.scale) return false;
    camera.insets.bottom = Math.max(INSETS.bottom, (this.foot?.offsetHeight ?? 0) + FOOT_GAP);
    camera.resize(width, height);
    splat.resize(width, height, scale);
    this.overlay.resize(width, height, scale);
    this.spoil("dress", "place");
    return true;
  }

  /** These are to be drawn again: dress (colours and marks), place (the view), gather (roles of the points), lines. */
  spoil(...what) {
    for (const name of what) this.stale[name] = true;
  }

  /** Draw what is stale, and what a change of the region ("same", "split" or "all") asks for. */
  draw(change, splitBefore) {
    const { splat, scene, stale } = this;
    if (!this.works || !this.camera.width) return;
    if (stale.dress) splat.dress(scene);
    if (stale.place) splat.place(scene);
    if (stale.place || stale.dress) splat.lay(scene);
    if (stale.place || stale.gather || change === "all") splat.gather(scene);
    else if (change === "split") splat.shift(splitBefore, scene.relevance.split);
    splat.paint(scene);
    if (stale.place || stale.lines || stale.dress) this.overlay.draw(scene);
    stale.dress = stale.place = stale.gather = stale.lines = false;
  }

  /** Say for a moment how to zoom. */
  sayZoom() {
    clearTimeout(this.hiding);
    this.hint.classList.add("on");
    this.hiding = setTimeout(() => this.hint.classList.remove("on"), HINT_MS);
  }

  /** The lasso as it is drawn, or nothing. */
  drawLasso(path) {
    attribute(this.lasso, "d", path ? `M${path.map((at) => at.toFixed(1)).join(" ")}Z` : null);
  }

  /** The ring around the row under the pointer, or nothing. */
  drawRing(row) {
    const { points } = this.scene;
    attribute(this.ring, "visibility", row < 0 ? "hidden" : "visible");
    if (row < 0) return;
    attribute(this.ring, "cx", this.camera.pixelX(points.arrays.x[row]).toFixed(1));
    attribute(this.ring, "cy", this.camera.pixelY(points.arrays.y[row]).toFixed(1));
  }

  /**
   * Words in place of the picture, with a button if there is a way out; null takes them away.
   * @param {string | null} text
   * @param {HTMLElement | null} button
   */
  say(text, button = null) {
    show(this.message, text !== null);
    this.element.classList.toggle("without-picture", text !== null);
    attribute(this.lines, "tabindex", text === null ? 0 : -1);
    if (text !== null) this.message.replaceChildren(make("p", {}, text), ...(button ? [button] : []));
  }
}
