// A slider: a native range input with its name and its value. The exact value is kept until the hand moves it.
import { attribute, make, write } from "./elements.js";
import { significant } from "./format.js";

const LOG_STEPS = 1000;

/** A labelled range input. `input(value)` comes while it moves, `rest(value, byKey)` when it is let go. */
export class Slider {
  constructor({ name, testid = null, className = "" }, { input, rest }) {
    this.range = make("input", { type: "range", "data-testid": testid, "data-setting": name });
    this.name = make("span", { class: "slider-name" });
    this.output = make("output", { class: "slider-value" });
    this.element = make("label", { class: `slider ${className}` }, this.name, this.range, this.output);
    this.scale = { min: 0, max: 1, log: false };
    this.byKey = false;
    this.emitted = NaN;
    this.range.addEventListener("keydown", () => (this.byKey = true));
    for (const end of ["keyup", "pointerdown", "blur"]) this.range.addEventListener(end, () => (this.byKey = false));
    this.range.addEventListener("input", () => input(this.read()));
    this.range.addEventListener("change", () => rest(this.read(), this.byKey));
  }

  /** Name, help and range. */
  describe({ label, help = null, min, max, step, scale }) {
    const log = scale === "log" && min > 0;
    this.scale = { min, max, log };
    write(this.name, label);
    attribute(this.element, "title", help);
    attribute(this.range, "min", log ? 0 : min);
    attribute(this.range, "max", log ? LOG_STEPS : max);
    attribute(this.range, "step", log ? 1 : step ?? "any");
  }

  /** Show a value. What the hand itself has just chosen is not pushed back under it. */
  set(value, text = significant(value), spoken = text) {
    if (value !== this.emitted) {
      const position = String(this.#positionOf(value));
      if (this.range.value !== position) this.range.value = position;
      this.emitted = NaN;
    }
    write(this.output, text);
    attribute(this.range, "aria-valuetext", spoken);
    this.range.style.setProperty("--along", this.along);
  }

  /** How far along the thumb is, 0 to 1. */
  get along() {
    const { min, max, value } = this.range;
    return max > min ? (Number(value) - Number(min)) / (Number(max) - Number(min)) : 0;
  }

  /** The value that the hand has chosen. */
  read() {
    const { min, max, log } = this.scale;
    const at = Number(this.range.value);
    this.emitted = log ? Number((min * (max / min) ** (at / LOG_STEPS)).toPrecision(3)) : at;
    return this.emitted;
  }

  #positionOf(value) {
    const { min, max, log } = this.scale;
    if (!log || !Number.isFinite(value)) return value ?? min;
    const along = Math.log(Math.max(value, min) / min) / Math.log(max / min);
    return Math.round(LOG_STEPS * Math.min(along, 1));
  }
}
