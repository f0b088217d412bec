// Files that the browser saves: tables as CSV, charts as SVG and PNG.
import { button } from "./controls.js";
import { contextOf, make, show, svgElement } from "./elements.js";
import { Part } from "./part.js";

/** A name for a file, of letters, digits and dashes. */
export function fileName(...parts) {
  const plain = parts.filter(Boolean).map((part) => String(part).replace(/[^\p{L}\p{N}]+/gu, "-"));
  return plain.map((part) => part.replace(/^-+|-+$/g, "").toLowerCase()).filter(Boolean).join("_") || "table";
}

/** Hand a file to the browser. */
export function saveFile(content, type, name) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A table as a file that spreadsheets open (RFC 4180).

const FORMULA = /^[=+\-@\t\r]/;

/** Rows of cells as CSV: numbers as they are, texts quoted where needed and never read as a formula. */
export function csvOf(rows) {
  return rows.map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
}

/** One cell. A spreadsheet would run a text that starts like a formula, so an apostrophe goes before it. */
export function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A chart that was drawn in SVG, as a file of its own: its layers in one document, with title and description.

const TIMES_AS_SHARP = 2;
// eslint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const OVER_THE_CHART = ".hoverlayer, .selectionlayer, .zoomlayer, .draglayer";

/** The SVG layers of a chart's element as the text of one SVG document. */
function svgOfChart(chart, { title, description }) {
  const { width, height } = chart.getBoundingClientRect();
  const root = svgSheet(width, height, { title, description, background: paperOf(chart) });
  root.setAttribute("xmlns:xlink", "http://www.w3.org/1999/xlink");
  for (const layer of chart.querySelectorAll(".main-svg")) {
    const group = svgElement("g", {});
    const copy = layer.cloneNode(true);
    keepLengths(layer, copy);
    group.append(...copy.childNodes);
    root.append(group);
  }
  for (const hidden of root.querySelectorAll(OVER_THE_CHART)) hidden.remove();
  return svgText(root);
}

function paperOf(chart) {
  const background = chart.style.background || getComputedStyle(chart).backgroundColor;
  return chart.querySelector(".main-svg")?.style.background || background || "#ffffff";
}

/** Where the page's font is missing another one is wider: every text keeps the length that it has on the page. */
function keepLengths(layer, copy) {
  const copies = copy.querySelectorAll("text");
  for (const [at, text] of [...layer.querySelectorAll("text")].entries()) {
    const lines = text.querySelectorAll("tspan.line");
    const copiedLines = copies[at].querySelectorAll("tspan.line");
    if (lines.length) for (const [row, line] of [...lines].entries()) keepLength(line, copiedLines[row]);
    else keepLength(text, copies[at]);
  }
}

function keepLength(text, copy) {
  const length = text.getComputedTextLength();
  if (!(length > 0) || !text.textContent.trim()) return;
  copy.setAttribute("textLength", length.toFixed(1));
  copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/** The root of an SVG file: an empty sheet of this size, with title and description. */
export function svgSheet(width, height, { title, description, background, ...attributes }) {
  const xmlns = "http://www.w3.org/2000/svg";
  const root = svgElement("svg", { xmlns, viewBox: `0 0 ${width} ${height}`, width, height, role: "img", ...attributes });
  root.append(svgElement("title", {}, title), svgElement("desc", {}, description));
  root.append(svgElement("rect", { width, height, fill: background }));
  return root;
}

/** A root as the text of a file. */
export function svgText(root) {
  return svgFile(new XMLSerializer().serializeToString(root));
}

/** A serialized root as a file: inner references stay inside, and what XML forbids is left out. */
export function svgFile(serialized) {
  // A page with a base address would make its inner references absolute, and they would lead nowhere in a file.
  const inner = serialized.replace(/url\((&quot;|")?[^#)"&]*#/g, "url($1#").replace(NOT_IN_XML, "");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${inner}\n`;
}

/** The same as pixels, twice as many as on screen, in the font of the page. */
export async function pngOfSvg(svg) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([withStyle(svg, await pageFonts(svg))], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width * TIMES_AS_SHARP, height: image.height * TIMES_AS_SHARP });
    contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A document with a style sheet at its head. */
export function withStyle(svg, style) {
  return style ? svg.replace(/<svg\b[^>]*>/, (head) => `${head}<style>${style}</style>`) : svg;
}

/** The first family that a document's texts ask for, without its quotes; null: none. */
export function firstFamily(svg) {
  const found = /font-family: ?(?:&quot;|["'])?([^,;"'&]+)/.exec(svg);
  return found ? found[1].trim() : null;
}

/** The faces of a family among rules of style sheets: [{ address, weight, style }], addresses in full. */
export function facesOf(rules, family, base) {
  const faces = [];
  for (const { style } of rules) {
    const name = style?.getPropertyValue("font-family")?.replace(/["']/g, "").trim();
    const source = /url\(["']?([^"')]+)["']?\)/.exec(style?.getPropertyValue("src") ?? "");
    if (name !== family || !source) continue;
    faces.push({
      address: new URL(source[1], base).href, weight: style.getPropertyValue("font-weight") || "normal",
      style: style.getPropertyValue("font-style") || "normal",
    });
  }
  return faces;
}

/** The font of the page as a style sheet that carries it: a picture of a document can't load any. */
async function pageFonts(svg) {
  const family = firstFamily(svg);
  if (!family) return "";
  const faces = [];
  for (const sheet of document.styleSheets) {
    try {
      const rules = [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
      faces.push(...facesOf(rules, family, sheet.href ?? document.baseURI));
    } catch {
      // A sheet of another origin can't be read; its fonts are left out.
    }
  }
  const own = faces.filter(({ address, style }) => style === "normal" && new URL(address).origin === location.origin);
  const parts = await Promise.all(own.map((face) => carried(face, family)));
  return parts.join("");
}

async function carried({ address, weight, style }, family) {
  try {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    const source = `url(data:font/woff2;base64,${btoa(binary)})`;
    return `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};src:${source}}`;
  } catch {
    return "";
  }
}

const FILE_MARGIN = 16;

/** The text of an SVG document. Colours and fonts stand in it as they are, so that it looks alike anywhere. */
export function svgFileOf(picture, { title, description, background }) {
  const copy = picture.cloneNode(true);
  for (const grip of copy.querySelectorAll(".grip")) grip.remove();
  const [width, height] = ["width", "height"].map((name) => Number(picture.getAttribute(name)) + 2 * FILE_MARGIN);
  const root = svgSheet(width, height, { title, description, background, "font-family": picture.getAttribute("font-family") });
  const inner = svgElement("g", { transform: `translate(${FILE_MARGIN} ${FILE_MARGIN})` });
  inner.append(...copy.childNodes);
  root.append(inner);
  return svgText(root);
}

// The files of a figure: PNG and SVG of the chart beside it, CSV of what it shows. All made here.

const MOST_SHOWN = 500;

/**
 * Three buttons. `target` names the container of the chart; without one there is only the CSV. Without `rows` they are
 * read off the lines of the chart, and so is the table: a chart that follows the hand must not send them every time.
 */
export class FigureFiles extends Part {
  constructor(root, store, python) {
    super(root, store, python);
    this.buttons = ["PNG", "SVG", "CSV"].map((kind) => button(kind, () => this.#save(kind), { "data-file": kind.toLowerCase() }));
    this.status = make("span", { class: "unseen", role: "status" });
    this.table = make("div", { class: "lines", role: "group", "aria-label": "Table", tabindex: 0 });
    this.lines = make("details", { hidden: true }, make("summary", {}, "Table"), this.table);
    this.lines.addEventListener("toggle", () => this.#list());
    const bar = make("div", { class: "bar" }, make("span", { class: "label" }, "Save as"), ...this.buttons, this.status);
    root.append(bar, this.lines);
  }

  update(document) {
    this.document = document;
    for (const button of this.buttons.slice(0, 2)) show(button, Boolean(document.target));
    for (const button of this.buttons) button.setAttribute("aria-label", `Save ${document.name} as ${button.textContent}`);
    show(this.lines, !document.rows);
    this.#list();
  }

  #chart() {
    const host = /** @type {ShadowRoot} */ (this.root.getRootNode()).host ?? this.root;
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
    if (target && !chart) return void (this.status.textContent = "The chart is still being drawn.");
    if (kind === "CSV") {
      const { columns, rows } = this.#content();
      saveFile(csvOf([columns, ...rows]), "text/csv;charset=utf-8", file);
    } else {
      const svg = svgOfChart(chart, { title: name, description });
      if (kind === "SVG") saveFile(svg, "image/svg+xml", file);
      else saveFile(await pngOfSvg(svg), "image/png", file);
    }
    this.status.textContent = `Saved ${file}.`;
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
