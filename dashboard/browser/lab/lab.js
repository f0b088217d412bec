// A lab: controls, charts, numbers and one sentence. Python computes the bench at every move; this draws it.
import { button, copyText, setOptions, Slider } from "../shared/controls.js";
import { attribute, make, oncePerFrame, show, write } from "../shared/elements.js";
import { csvOf, fileName, pngOfSvg, saveFile, svgFileOf } from "../shared/files.js";
import { count, significant } from "../shared/format.js";
import { Flight } from "../shared/messages.js";
import { Part } from "../shared/part.js";
import { isDark } from "../shared/theme.js";
import { ChartView, textMeasure } from "./chart.js";

const NARROWEST_CHART = 250;
const CHART_GAP = 24;
const LAB_SAID_MS = 2000;
const MOST_TABLE_ROWS = 500;

/** The part. Its document is made by dashboard/explore/labs/bench.py. */
export class Lab extends Part {
  /** @type {any} */ data;
  silence = 0;
  known = "";

  constructor(root, store, python) {
    super(root, store, python);
    this.flight = new Flight((message) => python.setStateValue("lab", { lab: this.data.lab, ...message }));
    this.controls = new Map();
    /** @type {Map<string, ChartView>} */ this.charts = new Map();
    /** @type {Record<string, any>} */ this.values = {};
    this.sliders = make("div", { class: "lab-controls", role: "group", "aria-label": "What can be moved" });
    this.numbers = make("dl", { class: "lab-numbers" });
    this.alert = make("p", { class: "lab-alert", role: "alert", hidden: "" });
    this.sentence = make("p", { class: "lab-sentence", role: "status" });
    this.board = make("div", { class: "lab-board" });
    this.table = make("div", { class: "lab-table-room" });
    this.said = make("span", { class: "lab-said", role: "status" });
    const buttons = make("div", { class: "lab-buttons" },
      button("Reset", () => this.#reset(), { title: "Everything as it was at first" }),
      button("Copy link", () => this.#copyLink(), { title: "Copy a link that opens the lab as it is now" }));
    this.csv = button("Save table as CSV", () => this.#saveTable());
    this.details = make("details", { class: "lab-table" }, make("summary", {}, "Table"), this.table);
    this.details.addEventListener("toggle", () => this.frame.ask());
    const beneath = make("div", { class: "lab-beneath" }, this.details, make("div", { class: "lab-files" }, this.csv));
    const left = make("div", { class: "lab-left" }, this.sliders, make("div", { class: "lab-foot" }, buttons, this.said), this.numbers);
    const right = make("div", { class: "lab-right" }, this.alert, this.sentence, this.board, beneath);
    root.append(make("div", { class: "lab-frame" }, left, right));
    this.frame = oncePerFrame(() => this.#draw());
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.board);
    this.followTheme(() => this.frame.ask());
  }

  update(data) {
    this.data = data;
    const isNewest = this.flight.heard(data.echo ?? 0);
    if (isNewest) this.values = { ...data.values };
    this.#describe();
    // What the hand does next is drawn with it; until then the picture before stays.
    this.frame.now();
  }

  destroy() {
    super.destroy();
    this.observer.disconnect();
    this.frame.stop();
  }

  #describe() {
    const { controls } = this.data;
    const names = controls.map(({ name, kind }) => `${kind} ${name}`).join();
    if (names !== this.known) {
      this.known = names;
      this.controls = new Map(controls.map((each) => [each.name, labControl(each, (...moved) => this.#moved(...moved))]));
      this.sliders.replaceChildren(...[...this.controls.values()].map(({ element }) => element));
    } else for (const each of controls) this.controls.get(each.name).describe(each);
    this.#showValues();
  }

  #showValues() {
    for (const [name, control] of this.controls) control.set(this.values[name]);
  }

  #moved(name, value, rests) {
    this.#send(movedValues(this.values, this.data.controls, name, value), rests);
  }

  #send(values, rests) {
    this.values = values;
    this.#showValues();
    this.flight.move({ values, rests });
  }

  /** A dot is where the hand puts it at once, whatever Python makes of it. */
  #movedPoint(number, placed, rests) {
    if (placed) {
      const points = this.#points();
      points[number] = placed(points[number]);
      this.#send({ ...this.values, points: pointsText(points) }, rests);
      this.frame.ask();
    } else this.#send(this.values, rests);
  }

  /** All points that can be moved: where the hand has put them, else where Python says they are. */
  #points() {
    const moved = pointsIn(this.values.points);
    if (moved) return moved;
    const points = [];
    for (const { drawing } of this.charts.values()) for (const { number, vx, vy } of drawing.grips) points[number] = [vx, vy];
    return points;
  }

  #reset() {
    this.#send(firstValues(this.data.controls), true);
  }

  async #copyLink() {
    const { lab, controls, in_link: prefix } = this.data;
    const address = labAddress(location.href, { lab, controls, prefix }, this.values);
    this.#say((await copyText(address, this.root.querySelector("button"))) ? "Link copied" : "Not copied");
  }

  #say(words) {
    write(this.said, words);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => write(this.said, ""), LAB_SAID_MS);
  }

  #draw() {
    const { data } = this;
    if (!data) return;
    show(this.alert, data.mistakes.length > 0);
    write(this.alert, data.mistakes.join(" "));
    const { bench } = data;
    attribute(this.root, "data-state", bench ? "shown" : "nothing");
    if (!bench) return;
    write(this.sentence, unbroken(bench.sentence));
    this.#drawNumbers(bench.numbers);
    this.#drawCharts(bench.charts);
    this.#drawTable(bench);
    attribute(this.root, "data-echo", data.echo);
  }

  #drawNumbers(numbers) {
    const colours = this.#colours();
    while (this.numbers.children.length > numbers.length) this.numbers.lastChild?.remove();
    while (this.numbers.children.length < numbers.length) this.numbers.append(make("div", {}, make("dt"), make("dd"), make("dd", { class: "more" })));
    numbers.forEach(({ label, value, help, role }, n) => {
      const item = /** @type {HTMLElement} */ (this.numbers.children[n]);
      const [name, said, more] = item.children;
      write(name, label);
      write(said, value);
      write(more, help);
      attribute(item, "title", help || null);
      item.style.setProperty("--role", role ? colours[role] : "transparent");
    });
  }

  #colours() {
    return this.data.colours[isDark(this.root) ? "dark" : "light"];
  }

  #drawCharts(charts) {
    const theme = isDark(this.root) ? "dark" : "light";
    const room = this.board.clientWidth;
    if (!room) return;
    const narrow = charts.filter(({ wide }) => !wide).length;
    const columns = Math.max(1, Math.min(narrow, this.#mostColumns(narrow), Math.floor((room + CHART_GAP) / (NARROWEST_CHART + CHART_GAP))));
    const width = Math.floor((room - (columns - 1) * CHART_GAP) / columns);
    this.board.style.setProperty("--columns", String(columns));
    const wanted = new Set(charts.map(({ id }) => id));
    for (const [id, view] of this.charts) {
      if (wanted.has(id)) continue;
      view.element.parentElement?.remove();
      this.charts.delete(id);
    }
    const look = {
      colours: this.data.colours[theme], ramp: this.data.ramp[theme], font: this.data.font,
      measure: textMeasure(this.data.font), moved: this.flight.isAhead ? pointsIn(this.values.points) : null,
    };
    charts.forEach((chart, n) => {
      const view = this.charts.get(chart.id) ?? this.#addChart(chart.id);
      const figure = /** @type {HTMLElement} */ (view.element.parentElement);
      if (this.board.children[n] !== figure) this.board.insertBefore(figure, this.board.children[n] ?? null);
      figure.classList.toggle("wide", chart.wide);
      view.draw(chart, { ...look, width: chart.wide ? room : width, id: `${this.data.lab}-${chart.id}` });
    });
  }

  /** Four stand better as two and two. */
  #mostColumns(n) {
    return n === 4 ? 2 : 3;
  }

  #addChart(id) {
    const view = new ChartView({ moved: (...moved) => this.#movedPoint(...moved) });
    const buttons = ["SVG", "PNG"].map((kind) => {
      return button(kind, () => this.#saveChart(view, kind), { kind: "file", "data-file": kind.toLowerCase() });
    });
    const files = make("div", { class: "chart-files" }, make("span", {}, "Save as"), ...buttons);
    make("figure", { "data-chart": id }, view.element, files);
    this.charts.set(id, view);
    return view;
  }

  async #saveChart({ chart, look }, kind) {
    const name = `${fileName("lab", this.data.title, chart.id)}.${kind.toLowerCase()}`;
    const description = chart.description || this.data.bench.sentence;
    const whole = new ChartView({ moved: () => {} });
    whole.draw({ ...chart, legend: true }, { ...look, moved: null });
    const file = svgFileOf(whole.svg, { title: chart.title, description, background: this.#colours().background });
    if (kind === "SVG") saveFile(file, "image/svg+xml", name);
    else saveFile(await pngOfSvg(file), "image/png", name);
    this.#say(`Saved ${name}`);
  }

  #saveTable() {
    const { columns, rows } = this.data.bench;
    const name = `${fileName("lab", this.data.title)}.csv`;
    saveFile(csvOf([columns, ...rows]), "text/csv;charset=utf-8", name);
    this.#say(`Saved ${name}`);
  }

  #drawTable({ columns, rows }) {
    show(this.details, columns.length > 0);
    show(this.csv, columns.length > 0);
    write(this.details.firstChild, `Table (${rows.length} ${rows.length === 1 ? "row" : "rows"})`);
    if (!this.details.open) return;
    const cell = (tag, value) => make(tag, { class: typeof value === "number" ? "number" : null }, cellWords(value));
    const head = make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)));
    const body = rows.slice(0, MOST_TABLE_ROWS).map((row) => make("tr", {}, ...row.map((value) => cell("td", value))));
    this.table.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
    if (rows.length > MOST_TABLE_ROWS) this.table.append(make("p", {}, `The first ${MOST_TABLE_ROWS} rows; the CSV holds all.`));
  }
}

/** Text in which no percent sign begins a line. */
function unbroken(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}

/** A value in the table. */
function cellWords(value) {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" && !Number.isInteger(value) ? significant(value) : String(value);
}

// What can be moved in a lab: sliders, and choices as buttons side by side or as a list.

const MOST_SIDE_BY_SIDE = 4;
const MOST_LETTERS = 30;

/** A number as its slider writes it: with as many decimals as its steps have. */
export function sliderWords({ step, scale }, value) {
  if (scale === "log") return significant(value);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return decimals ? value.toFixed(Math.min(decimals, 6)).replace("-", "−") : count(value);
}

/** Whether a choice is short enough for buttons side by side. */
export function fitsSideBySide(options) {
  const letters = options.reduce((sum, [, label]) => sum + label.length, 0);
  return options.length <= MOST_SIDE_BY_SIDE && letters <= MOST_LETTERS;
}

/** One control. `moved(name, value, rests)` is called when the hand moves it. */
function labControl(control, moved) {
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
    const said = JSON.stringify(options);
    if (said === this.said) return;
    this.said = said;
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

// Where the controls of a lab stand, and how that is written in a link. Pure.

const POINT_DIGITS = 4;

/** The places of moved points: "0.5,1;2,-3" as pairs; null where there are none. */
export function pointsIn(text) {
  return text ? text.split(";").map((pair) => pair.split(",").map(Number)) : null;
}

/** The other way round. */
export function pointsText(points) {
  return points.map((pair) => pair.map((each) => String(Number(each.toPrecision(POINT_DIGITS)))).join(",")).join(";");
}

/** Where everything stood at first. */
export function firstValues(controls) {
  return Object.fromEntries(controls.map(({ name, value }) => [name, value]));
}

/** The values after the hand moved one control; some choices put moved points back. */
export function movedValues(values, controls, name, value) {
  const next = { ...values, [name]: value };
  if (controls.find((control) => control.name === name)?.resets_points) delete next.points;
  return next;
}

/** The address that opens these values: those that differ from how they stood at first, after `prefix`. */
export function labAddress(href, { lab, controls, prefix }, values) {
  const address = new URL(href);
  for (const name of [...address.searchParams.keys()]) if (name.startsWith(prefix)) address.searchParams.delete(name);
  address.searchParams.set("lab", lab);
  const first = firstValues(controls);
  for (const [name, value] of Object.entries(values)) {
    if (value !== first[name] && value !== undefined && value !== "") address.searchParams.set(prefix + name, String(value));
  }
  return address.href;
}
