// The decay over how many publications count as relevant, small, and where the region that is chosen stands on it.
import { make, svgElement, write } from "../shared/elements.js";
import { count } from "../shared/format.js";

const SAMPLES = 120;
const HIGH = 60;

/** A curve from all of the weight, when nothing is relevant, to what is left when everything retrieved is. */
export class DecayCurve {
  constructor() {
    this.line = svgElement("path", { class: "curve" });
    this.needle = svgElement("path", { class: "decay-needle" });
    const picture = svgElement("svg", { viewBox: `0 0 ${SAMPLES} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    picture.append(this.line, this.needle);
    this.words = make("figcaption", {});
    this.element = make("figure", { class: "decay-curve" }, picture, this.words);
    /** @type {CurvePayload | null} */ this.drawn = null;
  }

  /** Take the curve away: it was about another version. */
  clear() {
    this.drawn = null;
    this.line.removeAttribute("d");
  }

  /** @param {PointsPayload} points @param {CurvePayload | null} curve */
  draw({ header: { n } }, curve) {
    if (curve?.arrays.decay.length !== n + 1 || this.drawn === curve) return;
    this.drawn = curve;
    const places = Array.from({ length: SAMPLES + 1 }, (_, k) => {
      const left = curve.arrays.decay[n - Math.round((k / SAMPLES) * n)];
      return `${k} ${(HIGH - (HIGH - 2) * left).toFixed(1)}`;
    });
    this.line.setAttribute("d", `M${places.join("L")}`);
    write(this.words, `Decay left (from 1 down to 0) as 0 to ${count(n)} publications count as relevant`);
  }

  /** @param {import("./counting.js").Relevance} relevance */
  follow({ n, nRelevant }) {
    const at = n ? (SAMPLES * nRelevant) / n : 0;
    this.needle.setAttribute("d", `M${at.toFixed(1)} 0V${HIGH}`);
  }
}
