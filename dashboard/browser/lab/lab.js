// A lab: controls, charts, numbers and one sentence. Python computes the bench at every move; this draws it.
import { attribute, make, oncePerFrame, show, write } from "../shared/elements.js";
import { ChartView, textMeasure } from "./chart.js";
import { pngOfSvg } from "../shared/chart_files.js";
import { svgFileOf } from "../shared/chart_save.js";
import { csvOf } from "../shared/csv.js";
import { fileName, saveFile } from "../shared/files.js";
import { significant } from "../shared/format.js";
import { labControl } from "./controls.js";
import { Flight } from "../shared/flight.js";
import { firstValues, labAddress, movedValues, pointsIn, pointsText } from "./values.js";
import { isDark } from "../shared/theme.js";
import { copyText } from "../landscape/toolbar.js";

const NARROWEST_CHART = 250;
const CHART_GAP = 24;
const LAB_SAID_MS = 2000;
const MOST_TABLE_ROWS = 500;

/** The part. Its document is made by dashboard/labs/document.py. */
export class Lab {
  constructor(root, store, python) {
    this.root = root;
    this.flight = new Flight((message) => python.setStateValue("lab", { lab: this.data.lab, ...message }));
    this.controls = new Map();
    this.charts = new Map();
    this.values = {};
    this.#build();
    this.frame = oncePerFrame(() => this.#draw());
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.board);
    this.onTransition = (event) => event.target === root && this.frame.ask();
    root.addEventListener("transitionend", this.onTransition); // Streamlit swaps its theme without a call
  }

  #build() {
    this.sliders = make("div", { class: "lab-controls", role: "group", "aria-label": "What can be moved" });
    this.numbers = make("dl", { class: "lab-numbers" });
    this.alert = make("p", { class: "lab-alert", role: "alert", hidden: "" });
    this.sentence = make("p", { class: "lab-sentence", role: "status" });
    this.board = make("div", { class: "lab-board" });
    this.table = make("div", { class: "lab-table-room" });
    this.said = make("span", { class: "lab-said", role: "status" });
    const quiet = (words, act, title) => {
      const made = make("button", { type: "button", class: "quiet", title }, words);
      made.addEventListener("click", act);
      return made;
    };
    const buttons = make("div", { class: "lab-buttons" },
      quiet("Reset", () => this.#reset(), "Everything as it was at first"),
      quiet("Copy link", () => this.#copyLink(), "Copy a link that opens the lab as it is now"));
    this.csv = quiet("Save table as CSV", () => this.#saveTable());
    this.details = make("details", { class: "lab-table" }, make("summary", {}, "Table"), this.table);
    this.details.addEventListener("toggle", () => this.frame.ask());
    const beneath = make("div", { class: "lab-beneath" }, this.details, make("div", { class: "lab-files" }, this.csv));
    const left = make("div", { class: "lab-left" }, this.sliders, make("div", { class: "lab-foot" }, buttons, this.said), this.numbers);
    const right = make("div", { class: "lab-right" }, this.alert, this.sentence, this.board, beneath);
    this.root.append(make("div", { class: "lab-frame" }, left, right));
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
    this.observer.disconnect();
    this.frame.stop();
    this.root.removeEventListener("transitionend", this.onTransition);
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
    while (this.numbers.children.length > numbers.length) this.numbers.lastChild.remove();
    while (this.numbers.children.length < numbers.length) this.numbers.append(make("div", {}, make("dt"), make("dd"), make("dd", { class: "more" })));
    numbers.forEach(({ label, value, help, role }, n) => {
      const item = this.numbers.children[n];
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
    this.board.style.setProperty("--columns", columns);
    const wanted = new Set(charts.map(({ id }) => id));
    for (const [id, view] of this.charts) {
      if (wanted.has(id)) continue;
      view.element.parentElement.remove();
      this.charts.delete(id);
    }
    const look = {
      colours: this.data.colours[theme], ramp: this.data.ramp[theme], font: this.data.font,
      measure: textMeasure(this.data.font), moved: this.flight.isAhead ? pointsIn(this.values.points) : null,
    };
    charts.forEach((chart, n) => {
      const view = this.charts.get(chart.id) ?? this.#addChart(chart.id);
      const figure = view.element.parentElement;
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
      const button = make("button", { type: "button", class: "file", "data-file": kind.toLowerCase() }, kind);
      button.addEventListener("click", () => this.#saveChart(view, kind));
      return button;
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
export function unbroken(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}

/** A value in the table. */
function cellWords(value) {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" && !Number.isInteger(value) ? significant(value) : String(value);
}
