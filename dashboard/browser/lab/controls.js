// What can be moved in a lab: sliders, and choices as buttons side by side or as a list.
import { setOptions, Slider } from "../shared/controls.js";
import { attribute, make, write } from "../shared/elements.js";
import { sliderWords } from "./values.js";

const MOST_SIDE_BY_SIDE = 4;
const MOST_LETTERS = 30;

/** Whether a choice is short enough for buttons side by side. */
export function fitsSideBySide(options) {
  const letters = options.reduce((sum, [, label]) => sum + label.length, 0);
  return options.length <= MOST_SIDE_BY_SIDE && letters <= MOST_LETTERS;
}

/** One control. `moved(name, value, rests)` is called when the hand moves it. */
export function labControl(control, moved) {
  if (control.kind === "slider") return new LabSlider(control, moved);
  return fitsSideBySide(control.options) ? new SideBySide(control, moved) : new LabList(control, moved);
}

class LabSlider {
  constructor(control, moved) {
    this.slider = new Slider({ name: control.name, className: "lab-slider" }, {
      input: (value) => moved(control.name, value, false),
      rest: (value) => moved(control.name, value, true),
    });
    this.element = this.slider.element;
    this.describe(control);
  }

  describe(control) {
    this.control = control;
    this.slider.describe(control);
    attribute(this.slider.range, "aria-label", control.label);
  }

  set(value) {
    this.slider.set(value, sliderWords(this.control, value));
  }
}

class LabList {
  constructor(control, moved) {
    this.list = make("select", { "aria-label": control.label, "data-setting": control.name });
    this.list.addEventListener("change", () => moved(control.name, this.list.value, true));
    this.element = make("label", { class: "lab-choice" }, make("span", { class: "slider-name" }), this.list);
    this.describe(control);
  }

  describe({ label, help, options }) {
    write(this.element.firstChild, label);
    attribute(this.element, "title", help);
    setOptions(this.list, options);
  }

  set(value) {
    if (this.list.value !== value) this.list.value = value;
  }
}

class SideBySide {
  constructor(control, moved) {
    this.moved = moved;
    this.name = make("span", { class: "slider-name" });
    this.row = make("span", { class: "side-by-side" });
    this.element = make("div", { class: "lab-choice", role: "radiogroup", "aria-label": control.label }, this.name, this.row);
    this.describe(control);
  }

  describe({ name, label, help, options }) {
    write(this.name, label);
    attribute(this.element, "title", help);
    const asked = JSON.stringify(options);
    if (asked === this.drawn) return;
    this.drawn = asked;
    this.inputs = options.map(([value]) => {
      const input = make("input", { type: "radio", name: `lab-${name}`, value, "data-setting": name });
      input.addEventListener("change", () => this.moved(name, value, true));
      return input;
    });
    this.row.replaceChildren(...options.map(([, words], n) => make("label", {}, this.inputs[n], make("span", {}, words))));
  }

  set(value) {
    for (const input of this.inputs) input.checked = input.value === value;
  }
}
