// Controls: buttons, choices, sliders and tabs.
import { attribute, make, show, svgElement, write } from "./elements.js";
import { percentAlong, significant } from "./format.js";

const COPIED_MS = 1600;

/**
 * A button with words.
 * @param {string} words
 * @param {(event: MouseEvent) => void} press
 * @param {Record<string, any>} attributes
 */
export function button(words, press, { kind = "quiet", ...attributes } = {}) {
  const made = make("button", { type: "button", class: kind, ...attributes }, words);
  made.addEventListener("click", (event) => made.getAttribute("aria-disabled") !== "true" && press(event));
  return made;
}

/** Whether a button does something now. One that doesn't keeps the keyboard, which `disabled` would throw off the page. */
export function enable(made, isOn) {
  attribute(made, "aria-disabled", isOn ? null : "true");
}

/** A button that copies what `textOf()` gives, and says so. */
export function copyButton(words, textOf, attributes = {}) {
  let timer = 0;
  const made = button(words, async () => {
    write(made, (await copyText(textOf(), made)) ? "Copied" : "Press Ctrl+C");
    clearTimeout(timer);
    timer = setTimeout(() => write(made, words), COPIED_MS);
  }, attributes);
  return made;
}

const DRAWN_FOR = new WeakMap();

/**
 * Rebuild the content of an element if its subject has changed: `key` says what it is about. The keyboard
 * stays where it is: on the element with the same `data-stay`, or on the panel if that is gone.
 * @param {HTMLElement} element
 */
export function redraw(element, key, build) {
  if (DRAWN_FOR.get(element) === key) return;
  DRAWN_FOR.set(element, key);
  const active = focusIn(element);
  const stay = active && element.contains(active) ? active.closest("[data-stay]")?.getAttribute("data-stay") : null;
  const { scrollTop } = element;
  element.replaceChildren(...build());
  element.scrollTop = scrollTop;
  if (!stay) return;
  const same = [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-stay]"))].find((other) => other.dataset.stay === stay);
  (same ?? /** @type {HTMLElement} */ (element.closest('[role="tabpanel"]')))?.focus({ preventScroll: true });
}

/** Give a list its options, [value, words, help], if they are others than before. */
export function setOptions(list, options) {
  const key = JSON.stringify(options);
  if (DRAWN_FOR.get(list) === key) return;
  DRAWN_FOR.set(list, key);
  list.replaceChildren(...options.map(([value, words, title]) => make("option", { value, title }, words)));
}

/** What has the keyboard in the page or shadow that an element is in. */
export function focusIn(element) {
  return /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;
}

/** What stands where there is nothing to show. */
export function nothing(...words) {
  return make("p", { class: "nothing" }, ...words);
}

/** A few facts in one line, apart. */
export function facts(...words) {
  return make("p", { class: "facts" }, ...words.filter(Boolean).map((each) => make("span", {}, each)));
}

/** A bar from 0 to 1 in a cell. */
export function bar(share, role = "") {
  const made = make("span", { class: `bar ${role}`, "aria-hidden": "true" });
  made.style.setProperty("--share", String(Math.max(0, Math.min(1, share || 0))));
  return made;
}

/** A thin line from 0 to 1 with an interval on it. */
export class Whisker {
  constructor() {
    this.range = make("span", { class: "range" });
    this.at = make("span", { class: "at" });
    this.element = make("div", { class: "whisker", "aria-hidden": "true" }, this.range, this.at);
  }

  set(value, ends) {
    const known = typeof value === "number";
    show(this.at, known);
    show(this.range, known && Boolean(ends));
    if (known) this.at.style.left = percentAlong(value);
    if (!known || !ends) return;
    this.range.style.left = percentAlong(ends[0]);
    this.range.style.right = percentAlong(1 - ends[1]);
  }
}

/** A number with its name, what it is of, its change and its whisker. */
export function numberCell(label, help) {
  const [value, of, change] = ["value", "of", "change"].map((kind) => make("span", { class: kind }));
  const [term, whisker] = [make("dt", {}, label), new Whisker()];
  const data = make("dd", {}, make("span", { class: "figures" }, value, of, change), whisker.element);
  return { element: make("div", { class: "number-cell", title: help }, term, data), term, data, value, of, change, whisker, help };
}

/** A line for a message, which stands in place of another line until it is closed. */
export class MessageLine {
  constructor(instead) {
    this.instead = instead;
    this.words = make("span", {});
    const close = button("×", () => this.say(null), { kind: "close", "aria-label": "Close" });
    this.element = make("div", { class: "message", role: "alert", hidden: "" }, this.words, close);
  }

  /** @param {Message | null} message */
  say(message) {
    show(this.element, Boolean(message));
    show(this.instead, !message);
    attribute(this.element, "class", `message ${message?.kind ?? ""}`);
    const text = message?.text ?? "";
    write(this.words, `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`);
  }
}

/** A switch: on or off. */
export function switchFor(label, attributes = {}) {
  return make("button", { type: "button", role: "switch", class: "switch", "aria-label": label, ...attributes });
}

/** A place of the search string as a button: it marks the place, and goes there when it is pressed. */
export function placeButton(words, span, editor, attributes = {}) {
  const made = button(words, () => editor.select(span.start, span.end), {
    kind: "place", title: "Show in the search string", ...attributes,
  });
  markOnHover(made, span, editor);
  return made;
}

/** Mark a place of the search string while the pointer or the keyboard is on an element. */
export function markOnHover(element, span, editor) {
  const mark = () => editor.mark(span);
  const unmark = () => editor.mark(null);
  element.addEventListener("pointerenter", mark);
  element.addEventListener("pointerleave", unmark);
  element.addEventListener("focusin", mark);
  element.addEventListener("focusout", unmark);
}

/** A list of choices of which one is in force, as buttons with names. */
export class Choice {
  constructor(label, options, choose) {
    this.buttons = new Map(options.map(([value, words, help]) => {
      return [value, button(words, () => choose(value), { kind: "option", "aria-pressed": "false", title: help })];
    }));
    this.element = make("div", { class: "choice", role: "group", "aria-label": label }, ...this.buttons.values());
  }

  set(value) {
    for (const [name, made] of this.buttons) attribute(made, "aria-pressed", String(name === value));
  }
}

const ICONS = {
  lasso: "M8 3c-3 0-6 1.7-6 4s3 4 6 4 6-1.7 6-4-3-4-6-4ZM4.6 10c-1 .6-1.5 1.6-.7 2.4.7.7 1.7.5 1.9 1.6",
  home: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  reset: "M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.6v3.2h3.2",
  link: "M7 9l2-2M7 4.6l2-1.5a2.9 2.9 0 0 1 4 4l-1.6 1.6M9 11.4l-2 1.5a2.9 2.9 0 0 1-4-4l1.6-1.6",
};

/** A small button with an icon; its label is what it does. */
export function toolButton(label, icon) {
  const drawing = svgElement("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" });
  drawing.append(svgElement("path", { d: ICONS[icon] }));
  return make("button", { type: "button", class: "tool", title: label, "aria-label": label }, drawing);
}

/** A button that copies the address of what is shown. */
export function copyLinkButton() {
  const button = toolButton("Copy the link to this view", "link");
  const status = make("span", { class: "status", role: "status" });
  button.append(status);
  button.addEventListener("click", async () => {
    write(status, (await copyText(location.href, button)) ? "Copied" : "Not copied");
    setTimeout(() => write(status, ""), COPIED_MS);
  });
  return button;
}

/** Copy a text; where the clipboard is not given, through a selection. */
export async function copyText(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { "aria-hidden": "true", tabindex: "-1" });
    Object.assign(area.style, { position: "fixed", opacity: "0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    beside.focus();
    return copied;
  }
}

// A slider: a native range input with its name and its value. The exact value is kept until the hand moves it.

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
  describe(/** @type {Control} */ { label, help, min = 0, max = 1, step, scale }) {
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
    this.range.style.setProperty("--along", String(this.along));
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

/** A button and the panel that it opens; Escape and a press elsewhere close it again. */
export class Foldout {
  constructor(opener, panel) {
    this.opener = opener;
    this.panel = panel;
    attribute(opener, "aria-expanded", "false");
    panel.hidden = true;
    opener.addEventListener("click", () => this.open(panel.hidden));
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.open(false);
      opener.focus();
    });
    this.closing = (event) => this.#closeFromOutside(event);
    document.addEventListener("pointerdown", this.closing, true);
  }

  open(isOpen) {
    show(this.panel, isOpen);
    attribute(this.opener, "aria-expanded", String(isOpen));
  }

  #closeFromOutside(event) {
    const path = event.composedPath();
    if (!this.panel.hidden && !path.includes(this.panel) && !path.includes(this.opener)) this.open(false);
  }

  destroy() {
    document.removeEventListener("pointerdown", this.closing, true);
  }
}

const TAB_STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** `panels`: [[id, element], ...]. Calls `onOpen(id)` when another one comes into sight. */
export class Tabs {
  constructor(label, panels, onOpen) {
    this.onOpen = onOpen;
    this.list = make("div", { class: "tab-list", role: "tablist", "aria-label": label });
    this.tabs = new Map(panels.map(([id, panel]) => [id, this.#tab(id, panel)]));
    this.list.append(...[...this.tabs.values()].map(({ tab }) => tab));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.element = make("section", { class: "tabs" }, this.list, ...panels.map(([, panel]) => panel));
    this.chosen = panels[0][0];
    this.#draw();
  }

  #tab(id, panel) {
    const words = make("span", {});
    const number = make("span", { class: "tab-number" });
    const tab = make("button", { type: "button", role: "tab", class: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, words, number);
    tab.addEventListener("click", () => this.open(id));
    for (const [name, value] of Object.entries({ id: `panel-${id}`, role: "tabpanel", "aria-labelledby": `tab-${id}`, tabindex: 0 })) {
      attribute(panel, name, value);
    }
    panel.classList.add("tab-panel");
    return { tab, panel, words, number };
  }

  /** What a tab is called, and how many are in it (null: it isn't counted). */
  name(id, words, number = null, shown = true) {
    const entry = this.tabs.get(id);
    write(entry.words, words);
    write(entry.number, number === null ? "" : String(number));
    show(entry.number, number !== null);
    show(entry.tab, shown);
    if (!shown && this.chosen === id) this.open([...this.tabs.keys()][0]);
  }

  open(id) {
    if (this.chosen === id) return;
    this.chosen = id;
    this.#draw();
    this.onOpen(id);
  }

  #draw() {
    for (const [id, { tab, panel }] of this.tabs) {
      const chosen = id === this.chosen;
      attribute(tab, "aria-selected", String(chosen));
      attribute(tab, "tabindex", chosen ? 0 : -1);
      show(panel, chosen);
    }
  }

  #key(event) {
    const shown = [...this.tabs.keys()].filter((id) => !this.tabs.get(id).tab.hidden);
    const at = shown.indexOf(this.chosen);
    const to = event.key === "Home" ? 0 : event.key === "End" ? shown.length - 1 : at + (TAB_STEPS[event.key] ?? NaN);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    this.open(shown[(to + shown.length) % shown.length]);
    this.tabs.get(this.chosen).tab.focus();
  }
}
