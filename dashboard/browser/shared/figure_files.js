// The files of a figure: PNG and SVG of the chart beside it, CSV of what it shows. All made here.
import { csvOf } from "./csv.js";
import { make, show } from "./elements.js";
import { fileName, saveFile } from "./files.js";
import { pngOfSvg, svgOfChart } from "./chart_files.js";

const MOST_SHOWN = 500;

/**
 * Three buttons. `target` names the container of the chart; without one there is only the CSV. Without `rows` they are
 * read off the lines of the chart, and so is the table: a chart that follows the hand must not send them every time.
 */
export class FigureFiles {
  constructor(root) {
    this.root = root;
    this.buttons = ["PNG", "SVG", "CSV"].map((kind) => {
      const button = make("button", { class: "quiet", type: "button", "data-file": kind.toLowerCase() }, kind);
      button.addEventListener("click", () => this.#save(kind));
      return button;
    });
    this.said = make("span", { class: "unseen", role: "status" });
    this.table = make("div", { class: "lines" });
    this.lines = make("details", { hidden: true }, make("summary", {}, "Table"), this.table);
    this.lines.addEventListener("toggle", () => this.#list());
    const bar = make("div", { class: "bar" }, make("span", { class: "label" }, "Save as"), ...this.buttons, this.said);
    root.append(bar, this.lines);
  }

  update(document) {
    this.document = document;
    for (const button of this.buttons.slice(0, 2)) show(button, Boolean(document.target));
    for (const button of this.buttons) button.setAttribute("aria-label", `Save ${document.name} as ${button.textContent}`);
    show(this.lines, !document.rows);
    this.#list();
  }

  destroy() {}

  #chart() {
    const host = this.root.getRootNode().host ?? this.root;
    return host.closest(`.st-key-${CSS.escape(this.document.target)}`)?.querySelector(".js-plotly-plot") ?? null;
  }

  #content() {
    const { columns, rows } = this.document;
    return rows ? { columns, rows } : linesOfChart(this.#chart());
  }

  #list() {
    if (!this.lines.open || this.document.rows) return;
    const { columns, rows } = this.#content();
    const row = (tag, cells) => make("tr", {}, ...cells.map((cell) => make(tag, {}, shownCell(cell))));
    const body = make("tbody", {}, ...rows.slice(0, MOST_SHOWN).map((cells) => row("td", cells)));
    this.table.replaceChildren(make("table", {}, make("thead", {}, row("th", columns)), body));
  }

  async #save(kind) {
    const { name, target, description } = this.document;
    const file = `${fileName(name)}.${kind.toLowerCase()}`;
    const chart = target ? this.#chart() : null;
    if (target && !chart) return void (this.said.textContent = "The chart is not drawn yet.");
    if (kind === "CSV") {
      const { columns, rows } = this.#content();
      saveFile(csvOf([columns, ...rows]), "text/csv;charset=utf-8", file);
    } else {
      const svg = svgOfChart(chart, { title: name, description });
      if (kind === "SVG") saveFile(svg, "image/svg+xml", file);
      else saveFile(await pngOfSvg(svg), "image/png", file);
    }
    this.said.textContent = `Saved ${file}.`;
  }
}

function shownCell(cell) {
  return typeof cell === "number" ? String(Number(cell.toPrecision(6))) : String(cell ?? "");
}

/** What the lines of a chart go through: a column for x, and one for each line that has a name. */
export function linesOfChart(chart) {
  const lines = (chart?._fullData ?? []).filter(({ mode, name, x }) => x?.length && name && mode?.includes("lines"));
  const places = [...new Set(lines.flatMap(({ x }) => [...x]))].sort((a, b) => a - b);
  const at = lines.map(({ x, y }) => new Map([...x].map((place, i) => [place, y[i]])));
  const across = plainText(chart?._fullLayout?.xaxis?.title?.text ?? "x");
  return {
    columns: [across, ...lines.map(({ name }) => plainText(name))],
    rows: places.map((place) => [place, ...at.map((values) => values.get(place) ?? null)]),
  };
}

function plainText(text) {
  return text.replace(/<[^>]*>/g, "");
}
