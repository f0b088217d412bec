// The strip above the picture: the control of the current region, and under "More" those of decay and F-beta.
import { button, copyLinkButton, Foldout, setOptions, Slider, toolButton } from "../shared/controls.js";
import { attribute, make, show, svgElement, write } from "../shared/elements.js";
import { count, fixedThree, NOTHING, significant } from "../shared/format.js";
import { splitIndex } from "./counting.js";
import { DecayCurve } from "./decay_curve.js";

const MORE = ["decay_limit", "decay_onset", "decay_steepness", "beta"];
const KEPT_ON_RESET = ["region", "colour_by"];

/** Sliders and choices, Reset, and the link. What is moved goes to `commits`. */
export class TuningStrip {
  /** @type {PointsPayload} */ points;

  /** @param {import("../shared/store.js").Store} store @param {Commits} commits */
  constructor(store, commits) {
    this.store = store;
    this.commits = commits;
    this.defaults = {};
    this.marks = "";
    this.heading = make("span", { class: "strip-name" });
    this.mode = make("select", { class: "field asks-python", "data-setting": "cosine_mode" });
    this.mode.addEventListener("change", () => commits.now({ cosine_mode: this.mode.value, region: "cosine" }));
    this.help = make("p", { class: "strip-help" });
    this.sparkline = new Sparkline();
    this.ticks = make("span", { class: "ticks" });
    const needle = make("span", { class: "needle", "aria-hidden": "true" });
    this.track = make("div", { class: "track" }, this.sparkline.element, needle, this.ticks);
    this.threshold = this.#slider("min_similarity", fixedAt, { testid: "min-similarity" }, "hold");
    this.ticks.before(this.threshold.range);
    const share = (value) => ({ min_core_share: value, region: "cluster" });
    this.share = this.#slider("min_core_share", share, { className: "wide" }, "hold");
    const quantile = (value) => ({ quantile: value, cosine_mode: "quantile", region: "cosine" });
    this.quantile = this.#slider("quantile", quantile, { className: "stacked quantile" }, "soon");
    this.more = Object.fromEntries(MORE.map((name) => [
      name, this.#slider(name, (value) => ({ [name]: value }), { className: "stacked" }, "soon"),
    ]));
    this.moreButton = button("More", () => {}, { kind: "quiet more asks-python", title: "Decay and beta" });
    this.decay = new DecayCurve();
    this.panel = make("div", { class: "panel", role: "group", "aria-label": "Decay and beta" },
      make("p", { class: "panel-title" }, "Decay and beta"), this.decay.element,
      make("div", { class: "panel-sliders" }, ...MORE.map((name) => this.more[name].element)));
    this.foldout = new Foldout(this.moreButton, this.panel);
    this.reset = toolButton("Reset: restore the initial settings", "reset");
    this.reset.addEventListener("click", () => this.#resetAll());
    const link = copyLinkButton();
    link.classList.add("asks-python");
    this.buttons = make("div", { class: "strip-buttons" }, this.moreButton, this.reset, link);
    const named = make("div", { class: "strip-head" }, this.heading, this.mode);
    this.element = make("div", { class: "strip" }, named, this.track, this.threshold.output, this.quantile.element,
      this.share.element, this.help, this.buttons, this.panel);
    /** What stands beside the picture where the page has a place for it. */
    this.beside = make("div", { class: "queryscape landscape tuning" });
  }

  /** Move the panel and the buttons to a place beside the picture, where they cover nothing. */
  moveTo(place) {
    if (this.beside.parentNode === place) return;
    place.append(this.beside);
    this.moreButton.hidden = true;
    this.foldout.destroy();
    show(this.panel, true);
    this.reset.replaceChildren("Reset");
    for (const tool of this.buttons.querySelectorAll(".tool")) tool.classList.add("words");
    this.beside.append(this.panel, this.buttons);
  }

  #slider(name, patch, look, moving) {
    return new Slider({ name, ...look }, {
      input: (value) => this.commits[moving](patch(value)),
      rest: (value, byKey) => this.commits[byKey ? "resting" : "now"](patch(value)),
    });
  }

  #resetAll() {
    const patch = { ...this.defaults };
    for (const name of Object.keys(patch)) if (patch[name] === null || KEPT_ON_RESET.includes(name)) delete patch[name];
    this.commits.now(patch);
  }

  destroy() {
    this.foldout.destroy();
    this.beside.remove();
  }

  /** Names, helps and ranges of another version, and the marks of its curve. */
  describe(points, marks, defaults) {
    this.defaults = defaults ?? {};
    const { controls } = points.header;
    if (points !== this.points) {
      this.points = points;
      this.sparkline.clear();
      this.decay.clear();
      this.#describeThreshold(points);
      this.#describeModes(controls.cosine_mode);
      const sliders = { quantile: this.quantile, min_core_share: this.share, ...this.more };
      for (const [name, slider] of Object.entries(sliders)) {
        slider.describe(controls[name]);
        attribute(slider.range, "aria-label", controls[name].label);
      }
    }
    this.#setMarks(marks ?? []);
  }

  #describeThreshold({ header, arrays }) {
    const { label, help } = header.controls.min_similarity;
    const min = header.n ? Math.floor(arrays.similarity[0] * 1000) / 1000 : 0;
    const max = header.n ? Math.ceil(arrays.similarity[header.n - 1] * 1000) / 1000 : 1;
    this.threshold.describe({ label, help, min, max: Math.max(max, min + 0.001), step: 0.001 });
    attribute(this.threshold.range, "aria-label", label);
    attribute(this.track, "title", help);
  }

  #describeModes({ label, help, options }) {
    attribute(this.mode, "aria-label", label);
    attribute(this.mode, "title", help);
    setOptions(this.mode, options.map((option) => [option.value, option.label, option.help]));
  }

  #setMarks(marks) {
    const known = JSON.stringify([marks, this.threshold.scale]);
    if (known === this.marks) return;
    this.marks = known;
    const { min, max } = this.threshold.scale;
    this.ticks.replaceChildren(...marks.filter(({ at }) => Number.isFinite(at)).map(({ at, label }) => {
      const text = `${label}: ${significant(at)}`;
      const tick = button("", () => this.commits.now(fixedAt(at)), {
        kind: "tick", title: text, "aria-label": `Set the similarity threshold to ${text}`,
      });
      tick.style.setProperty("--along", String(Math.min(Math.max((at - min) / (max - min), 0), 1)));
      return tick;
    }));
  }

  /** Follow the hand. */
  follow(relevance) {
    const { live, curve } = this.store;
    const { region } = live;
    const cosine = region === "cosine";
    const { kinds, controls } = this.points.header;
    const kind = kinds.find((each) => each.kind === region);
    write(this.heading, cosine ? controls.min_similarity.label : kind?.label ?? "");
    attribute(this.heading, "title", kind?.help);
    for (const shown of [this.mode, this.track, this.threshold.output]) show(shown, cosine);
    show(this.quantile.element, cosine && live.cosine_mode === "quantile");
    show(this.share.element, region === "cluster");
    show(this.help, !cosine && region !== "cluster");
    write(this.help, kind?.help ?? "");
    if (cosine) this.#followThreshold(live, curve, relevance);
    this.quantile.set(live.quantile);
    this.share.set(live.min_core_share);
    for (const [name, slider] of Object.entries(this.more)) slider.set(live[name]);
    this.decay.draw(this.points, curve);
    this.decay.follow(relevance);
  }

  /** @param {Live} live */
  #followThreshold({ min_similarity: value, cosine_mode: mode }, curve, relevance) {
    if (this.mode.value !== mode) this.mode.value = mode;
    const { min, max } = this.threshold.scale;
    this.sparkline.draw(this.points, curve, min, max);
    const isFound = mode === "fixed" || relevance.n > 0; // without publications there is no threshold to be found
    const spoken = `${significant(value)}: ${count(relevance.nRelevant)} of ${count(relevance.n)} relevant`;
    this.threshold.set(value, isFound ? fixedThree(value) : NOTHING, isFound ? spoken : "no threshold: nothing was retrieved");
    this.track.style.setProperty("--along", String(this.threshold.along));
  }
}

/** A threshold that is set by hand is fixed, and about the region cosine. */
function fixedAt(value) {
  return { min_similarity: value, cosine_mode: "fixed", region: "cosine" };
}

// What the hand moved goes to Python from here, and from nowhere else. Each commit carries a number that rises; Python
// echoes the highest it has seen, so an answer that is older than the hand is told from one that is newer.

/** What Python is told when tuning moves. */
const TUNING_KEYS = [
  "region", "cosine_mode", "min_similarity", "quantile", "min_core_share",
  "decay_limit", "decay_onset", "decay_steepness", "beta", "colour_by",
];
const SEQ_OF = new WeakMap();
const OFTEN_MS = 300;
const REST_MS = 250;

/** Sends tuning and focus. */
export class Commits {
  constructor(store, python) {
    this.store = store;
    this.python = python;
    /** The last number that went with tuning, and with a focus. */
    this.tuned = 0;
    this.focused = 0;
    /** Whether the hand has moved something that is not sent yet. */
    this.held = false;
    this.timer = 0;
    this.sentAt = -Infinity;
  }

  /** Counted per store, so that a part that is mounted again goes on from there. */
  get seq() { return SEQ_OF.get(this.store) ?? 0; }
  set seq(seq) { SEQ_OF.set(this.store, seq); }

  /** Move and send at once. */
  now(patch) {
    this.#move(patch);
    this.#send();
  }

  /** Move, and send at most so often while the hand moves on. */
  soon(patch) {
    this.#move(patch);
    const wait = this.sentAt + OFTEN_MS - performance.now();
    if (wait <= 0) this.#send();
    else this.timer ||= setTimeout(() => this.#send(), wait);
  }

  /** Move, and send when the hand has rested: for keys. */
  resting(patch) {
    this.#move(patch);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#send(), REST_MS);
  }

  /** Move without sending; a release follows. */
  hold(patch) {
    this.#move(patch);
  }

  focus(row) {
    this.focused = this.seq += 1;
    this.store.focus(row);
    this.python.setStateValue("focus", { seq: this.seq, row });
  }

  /** Hear the number that Python has seen: its session may be older than this page. */
  hear(echo) {
    this.seq = Math.max(this.seq, echo ?? 0);
  }

  /** Whether tuning with this number is as new as what the hand did. */
  isNew(echo) {
    return !this.held && (echo ?? 0) >= this.tuned;
  }

  /** Forget what is not sent: it was about other data. */
  drop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.held = false;
  }

  #move(patch) {
    this.held = true;
    this.store.tune(patch);
  }

  #send() {
    this.drop();
    this.sentAt = performance.now();
    this.tuned = this.seq += 1;
    const tuning = /** @type {Live & { seq: number }} */ ({ seq: this.seq });
    for (const key of TUNING_KEYS) {
      const value = this.store.live[key];
      if (value !== null && value !== undefined) tuning[key] = value;
    }
    this.python.setStateValue("tuning", tuning);
  }
}

// F-beta over the similarity threshold, small, in the track of the slider.

const SAMPLES = 240;
const HIGH = 100;

/** A filled curve: what lies right of the similarity threshold is relevant, and coloured so. */
class Sparkline {
  constructor() {
    this.element = svgElement("svg", {
      class: "sparkline", viewBox: `0 0 ${SAMPLES} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true",
    });
    this.areas = ["beyond", "within"].map((side) => svgElement("path", { class: `area ${side}` }));
    this.line = svgElement("path", { class: "curve" });
    this.element.append(...this.areas, this.line);
    /** @type {CurvePayload | null} */ this.drawn = null;
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
function curveLine(similarity, n, fBeta, low, high) {
  let most = 1e-9;
  for (let i = 0; i <= n; i++) if (fBeta[i] > most) most = fBeta[i];
  const places = [];
  for (let k = 0; k <= SAMPLES; k++) {
    const value = fBeta[splitIndex(similarity, n, low + ((high - low) * k) / SAMPLES)];
    places.push(`${k} ${(HIGH - ((HIGH - 8) * (value >= 0 ? value : 0)) / most).toFixed(1)}`);
  }
  return places.join("L");
}
