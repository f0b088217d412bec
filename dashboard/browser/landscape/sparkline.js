// F-beta over the similarity threshold, small, in the track of the slider.
import { splitIndex } from "./counting.js";

const SVG = "http://www.w3.org/2000/svg";
const SAMPLES = 240;
const HIGH = 100;

/** A filled curve: what lies right of the similarity threshold is relevant, and coloured so. */
export class Sparkline {
  constructor() {
    this.element = svgElement("svg", {
      class: "sparkline", viewBox: `0 0 ${SAMPLES} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true",
    });
    this.areas = ["beyond", "within"].map((side) => svgElement("path", { class: `area ${side}` }));
    this.line = svgElement("path", { class: "curve" });
    this.element.append(...this.areas, this.line);
    this.drawn = null;
  }

  /** Take the curve away: it was about another version. */
  clear() {
    this.drawn = null;
    for (const path of [...this.areas, this.line]) path.removeAttribute("d");
  }

  /** Draw the curve over thresholds from `low` to `high`; an earlier drawing of the same curve stays. */
  draw(points, curve, low, high) {
    const fits = curve?.arrays.f_beta.length === points.header.n + 1;
    if (!fits || this.drawn === curve) return;
    this.drawn = curve;
    const line = curveLine(points.arrays.similarity, points.header.n, curve.arrays.f_beta, low, high);
    this.line.setAttribute("d", `M${line}`);
    for (const area of this.areas) area.setAttribute("d", `M0 ${HIGH}L${line}L${SAMPLES} ${HIGH}Z`);
  }
}

/** The curve as points of a path; its highest place reaches nearly to the top. */
export function curveLine(similarity, n, fBeta, low, high) {
  let most = 1e-9;
  for (let i = 0; i <= n; i++) if (fBeta[i] > most) most = fBeta[i];
  const places = [];
  for (let k = 0; k <= SAMPLES; k++) {
    const value = fBeta[splitIndex(similarity, n, low + ((high - low) * k) / SAMPLES)];
    places.push(`${k} ${(HIGH - ((HIGH - 8) * (value >= 0 ? value : 0)) / most).toFixed(1)}`);
  }
  return places.join("L");
}

/** An SVG element with attributes. */
export function svgElement(tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
