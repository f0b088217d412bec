// What a lab shows for its values: a sentence, numbers, charts, a table, and their files.
import { button } from "../shared/controls.js";
import { attribute, make, show, write } from "../shared/elements.js";
import { csvOf, fileName, pngOfSvg, saveFile, svgFileOf } from "../shared/files.js";
import { significant } from "../shared/format.js";
import { isDark } from "../shared/theme.js";
import { ChartView, textMeasure } from "./chart.js";
import { columnsOf, fittedShare } from "./layout.js";
import { pointsIn } from "./values.js";

const CHART_GAP = 24;
const BELOW_CHARTS = 22;
const MOST_PASSES = 4;
const MOST_SHARES = 200;
const MOST_TABLE_ROWS = 500;

/** `movedPoint` and `movedLine` hear of what is moved in a chart (see chart.js), `say(words)` of files. */
export class BenchView {
  /** @type {any} The document of a lab. */ document;
  /** @type {any} */ shown;

  constructor(root, { movedPoint, movedLine, say }) {
    this.root = root;
    this.say = say;
    this.moves = { movedPoint, movedLine };
    /** @type {Map<string, ChartView>} Those of every lab that was shown, so that it is there again at once. */
    this.charts = new Map();
    /** @type {Map<string, number>} The share of their heights at which charts fit, by all that it depends on. */ this.shares = new Map();
    this.sentence = make("p", { class: "lab-sentence", role: "status" });
    this.numbers = make("dl", { class: "lab-numbers" });
    this.expertNumbers = make("dl", { class: "lab-numbers" });
    this.board = make("div", { class: "lab-board" });
    this.table = make("div", { class: "lab-table-room", role: "group", "aria-label": "Table", tabindex: 0 });
    this.csv = button("Save table as CSV", () => this.#saveTable());
    this.details = make("details", { class: "lab-table" }, make("summary", {}, "Table"), this.table);
    this.details.addEventListener("toggle", () => this.#drawTable());
    this.below = make("div", { class: "lab-below" }, this.details, make("div", { class: "lab-files" }, this.csv));
  }

  /**
   * Draw, or draw again. `look` has the colours, `values` are those of the controls if they are ahead of the document,
   * `controls` the sliders by name, `room` the height that the charts should fit, null if any will do.
   */
  draw(document, shown) {
    const { bench } = document;
    Object.assign(this, { document, shown });
    write(this.sentence, unbroken(bench.sentence));
    this.#drawNumbers(this.numbers, bench.numbers.filter(({ expert }) => !expert));
    this.#drawNumbers(this.expertNumbers, bench.numbers.filter(({ expert }) => expert));
    this.#drawCharts(bench.charts);
    this.#drawTable();
  }

  #drawNumbers(list, numbers) {
    const colours = this.#colours();
    while (list.children.length > numbers.length) list.lastChild?.remove();
    while (list.children.length < numbers.length) list.append(make("div", {}, make("dt"), make("dd"), make("dd", { class: "more" })));
    numbers.forEach(({ label, value, help, role }, n) => {
      const item = /** @type {HTMLElement} */ (list.children[n]);
      const [name, shown, more] = item.children;
      write(name, label);
      write(shown, value);
      write(more, help);
      attribute(item, "title", help || null);
      item.style.setProperty("--role", role ? colours[role] : "transparent");
    });
  }

  #colours() {
    return this.shown.look.colours[isDark(this.root) ? "dark" : "light"];
  }

  #drawCharts(charts) {
    const width = this.board.clientWidth;
    if (!width) return;
    const figures = new Set(charts.map(({ id }) => this.#figureOf(id)));
    for (const figure of [...this.board.children]) if (!figures.has(/** @type {HTMLElement} */ (figure))) figure.remove();
    const { room, isExpert, presents } = this.shown;
    const key = [this.document.lab, width, room, isExpert, presents].join();
    const known = room === null ? 1 : this.shares.get(key);
    let share = known ?? 1;
    this.#drawAll(charts, width, share);
    for (let pass = 0; known === undefined && pass < MOST_PASSES; pass++) {
      const next = fittedShare(share, this.#tall(charts), this.board.offsetHeight, room - BELOW_CHARTS, presents);
      if (Math.abs(next - share) < 0.01) break;
      share = next;
      this.#drawAll(charts, width, share);
    }
    if (this.shares.size > MOST_SHARES) this.shares.clear();
    if (room !== null) this.shares.set(key, share);
  }

  /** The heights of the rows of charts, together, as the document wants them. */
  #tall(charts) {
    const rows = new Map();
    for (const { id, height } of charts) {
      const { offsetTop } = this.#figureOf(id);
      rows.set(offsetTop, Math.max(rows.get(offsetTop) ?? 0, height));
    }
    return [...rows.values()].reduce((sum, height) => sum + height, 0);
  }

  #drawAll(charts, room, share) {
    const { look, values, controls, isExpert, presents } = this.shown;
    const theme = isDark(this.root) ? "dark" : "light";
    const columns = columnsOf(charts, room, CHART_GAP, presents);
    const width = Math.floor((room - (columns - 1) * CHART_GAP) / columns);
    this.board.style.setProperty("--columns", String(columns));
    const shared = {
      colours: look.colours[theme], ramp: look.ramp[theme], font: look.font, measure: textMeasure(look.font),
      moved: values && pointsIn(values.points), values, controls, isExpert,
    };
    charts.forEach((chart, n) => {
      const figure = this.#figureOf(chart.id);
      if (this.board.children[n] !== figure) this.board.insertBefore(figure, this.board.children[n] ?? null);
      figure.classList.toggle("wide", chart.wide);
      const sized = { ...chart, height: Math.round(chart.height * share) };
      this.#viewOf(chart.id).draw(sized, { ...shared, width: chart.wide ? room : width, id: this.#keyOf(chart.id) });
    });
  }

  #keyOf(id) {
    return `${this.document.lab}-${id}`;
  }

  #figureOf(id) {
    return /** @type {HTMLElement} */ (this.#viewOf(id).element.parentElement);
  }

  #viewOf(id) {
    const known = this.charts.get(this.#keyOf(id));
    if (known) return known;
    const view = new ChartView(this.moves);
    const buttons = ["SVG", "PNG"].map((kind) => {
      return button(kind, () => this.#saveChart(view, kind), { kind: "file", "data-file": kind.toLowerCase(), "aria-label": `Save as ${kind}` });
    });
    make("figure", { "data-chart": id }, view.element, make("div", { class: "chart-files" }, ...buttons));
    this.charts.set(this.#keyOf(id), view);
    return view;
  }

  /** All points that can be moved: where the hand has put them, else where Python says they are. */
  points(values) {
    const moved = pointsIn(values.points);
    if (moved) return moved;
    const points = [];
    for (const { id } of this.document.bench.charts) {
      for (const { number, vx, vy } of this.#viewOf(id).drawing.grips) points[number] = [vx, vy];
    }
    return points;
  }

  async #saveChart({ chart, look }, kind) {
    const name = `${fileName("lab", this.document.title, chart.id)}.${kind.toLowerCase()}`;
    const description = chart.description || this.document.bench.sentence;
    const whole = new ChartView({ movedPoint: () => {}, movedLine: () => {} });
    whole.draw({ ...chart, legend: true }, { ...look, moved: null, controls: new Map() });
    const file = svgFileOf(whole.svg, { title: chart.title, description, background: this.#colours().background });
    try {
      if (kind === "SVG") saveFile(file, "image/svg+xml", name);
      else saveFile(await pngOfSvg(file), "image/png", name);
      this.say(`Saved ${name}`);
    } catch {
      this.say("This browser can't draw a PNG. Save as SVG instead.");
    }
  }

  #saveTable() {
    const { columns, rows } = this.document.bench;
    const name = `${fileName("lab", this.document.title)}.csv`;
    saveFile(csvOf([columns, ...rows]), "text/csv;charset=utf-8", name);
    this.say(`Saved ${name}`);
  }

  #drawTable() {
    const { columns, rows } = this.document.bench;
    show(this.below, columns.length > 0);
    write(this.details.firstChild, `Table (${rows.length} ${rows.length === 1 ? "row" : "rows"})`);
    if (!this.details.open) return;
    const cell = (tag, value) => make(tag, { class: typeof value === "number" ? "number" : null }, cellWords(value));
    const head = make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)));
    const body = rows.slice(0, MOST_TABLE_ROWS).map((row) => make("tr", {}, ...row.map((value) => cell("td", value))));
    this.table.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
    if (rows.length > MOST_TABLE_ROWS) this.table.append(make("p", {}, `The first ${MOST_TABLE_ROWS} rows; the CSV has all.`));
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
