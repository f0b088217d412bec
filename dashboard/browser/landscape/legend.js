// The legend: what marks and colours mean, and the colours by decay, year, theme or source.
import { attribute, contextOf, make, show } from "../shared/elements.js";
import { drawMark } from "../shared/marks.js";
import { sourcesOf } from "./rows.js";
import { BESIDES_SHARE } from "./splat.js";

/** The entries, in the order of the legend: what they switch, and their names. */
export const LEGEND = [
  { name: "besides", label: "Not retrieved" }, { name: "retrieved", label: "Not relevant" },
  { name: "relevant", label: "Relevant" }, { name: "found", label: "Core found" }, { name: "missed", label: "Core missed" },
];
/** What else can be hidden. */
export const LINES = [{ name: "labels", label: "Names of themes" }, { name: "contours", label: "Contours" }];
const OF_REGION = ["retrieved", "relevant"];
const ICON = 16;

/** Everything is shown at first. */
export function allShown() {
  return Object.fromEntries([...LEGEND, ...LINES].map(({ name }) => [name, true]));
}

/** A row of toggles; when another colouring is on, its colours stand in place of grey and blue. */
export class Legend {
  constructor(toggle) {
    this.buttons = Object.fromEntries(LEGEND.map(({ name, label }) => {
      const icon = make("canvas", { class: "legend-icon", "aria-hidden": "true" });
      const button = make("button", { type: "button", class: "legend-entry", "data-role": name }, icon, label);
      button.addEventListener("click", () => toggle(name));
      return [name, { button, icon }];
    }));
    /** Its place is above the toggles, over the whole width. */
    this.key = make("span", { class: "legend-key", hidden: "" });
    const buttons = Object.values(this.buttons).map(({ button }) => button);
    this.element = make("div", { class: "legend", role: "group", "aria-label": "Marks to show" }, ...buttons);
    /** @type {unknown[] | null} */ this.drawnFor = null;
  }

  /** Follow what is shown, the theme and the colouring. */
  follow({ colours, show: shown, points, theme }, colourBy) {
    for (const [name, { button }] of Object.entries(this.buttons)) {
      attribute(button, "aria-pressed", String(shown[name]));
      show(button, (colourBy === "region" || !OF_REGION.includes(name)) && (name !== "besides" || hasBesides(points)));
    }
    show(this.key, colourBy !== "region");
    const needs = [colours, colourBy, points];
    if (this.drawnFor?.every((need, i) => need === needs[i])) return;
    this.drawnFor = needs;
    for (const [name, { icon }] of Object.entries(this.buttons)) drawIcon(icon, name, colours);
    if (colourBy !== "region") this.#fillKey(keyOf(colourBy, points, theme), points.header.categories[theme], colours);
  }

  /** @param {ReturnType<typeof keyOf>} key */
  #fillKey({ title, ramp, low = "", high = "", names = [] }, categories, colours) {
    this.key.replaceChildren(make("span", { class: "key-title" }, title));
    if (ramp) {
      const bar = make("span", { class: "key-ramp" });
      bar.style.background = `linear-gradient(to right, ${ramp.filter((_, i) => i % 15 === 0).join(", ")})`;
      this.key.append(make("span", {}, low), bar, make("span", {}, high));
      return;
    }
    const entries = names.map((text, i) => [text, categories[i]]);
    if (title === "Theme") entries.push(["other", colours.not_relevant]);
    for (const [text, colour] of entries) {
      const dot = make("span", { class: "key-dot" });
      dot.style.background = colour;
      this.key.append(make("span", { class: "key-name", title: text }, dot, text));
    }
  }
}

function drawIcon(canvas, name, colours) {
  const scale = Math.min(2, globalThis.devicePixelRatio || 1);
  canvas.width = canvas.height = ICON * scale;
  const context = contextOf(canvas);
  if (!context) return;
  context.scale(scale, scale);
  drawLegendMark(context, name, ICON / 2, ICON / 2, colours);
}

/** The mark of a legend entry, as it is drawn on the landscape. */
export function drawLegendMark(context, name, x, y, colours) {
  context.save();
  if (name === "found" || name === "missed") drawMark(context, name, x, y, 4.6, colours);
  else {
    context.fillStyle = name === "relevant" ? colours.relevant : colours.not_relevant;
    context.globalAlpha = name === "besides" ? BESIDES_SHARE : 1;
    for (const [dx, dy] of [[-3.2, 1.8], [2.8, 2.6], [0.4, -3]]) {
      context.beginPath();
      context.arc(x + dx, y + dy, name === "besides" ? 1.2 : 2, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.restore();
}

/** Whether the topic has publications that this version does not retrieve; a report does not have them. */
export function hasBesides({ arrays }) {
  return Boolean(arrays.besides_x?.length);
}

// Colours of the points when they don't show the region: by decay, year, theme or source.

const EARLY_SHARE = 0.02;
const YEAR_SPAN_OF = new WeakMap();

/** The ways to colour the points, in the order of the menu. */
export const COLOURINGS = [
  { value: "region", label: "Region", help: "Blue if the region calls it relevant, grey if not" },
  { value: "decay", label: "Decay", help: "The decay left if a publication and all more similar ones were relevant" },
  { value: "year", label: "Year", help: "Year of publication" },
  { value: "theme", label: "Theme", help: "Theme of the landscape that contains the publication" },
  { value: "source", label: "Found by", help: "Number of query versions that retrieve it" },
];

/** The colours of all rows: an index per row into up to 256 colours. Null when the region colours them. */
export function colouringOf(how, { points, curve, colours, theme }) {
  if (how === "region" || !COLOURINGS.some(({ value }) => value === how)) return null;
  if (how === "decay" && curve?.arrays.decay.length !== points.header.n + 1) return null;
  const by = { decay: byDecay, year: byYear, theme: byTheme, source: bySource }[how];
  const { indexOf, palette } = by(points, curve, colours, theme);
  const index = new Uint8Array(points.header.n);
  for (let row = 0; row < index.length; row++) index[row] = indexOf(row);
  return { how, index, palette };
}

/**
 * What the legend says about a colouring: a ramp with two ends, or colours with names.
 * @returns {{ title: string, ramp?: string[], low?: string, high?: string, names?: string[] }}
 */
export function keyOf(how, points, theme) {
  const { header } = points;
  if (how === "decay") return { title: "Decay left", ramp: header.ramps.decay[theme], low: "0", high: "1" };
  if (how === "year") {
    const { low, high, early } = yearSpan(points);
    return { title: "Year", ramp: header.ramps.year[theme], low: `${early ? "≤ " : ""}${low}`, high: `${high}` };
  }
  const names = how === "theme" ? header.group_names ?? [] : (header.sources ?? []).map((_, i) => `by ${i + 1}`);
  return { title: how === "theme" ? "Theme" : "Found", names: names.slice(0, header.categories[theme].length) };
}

function byDecay(points, curve, colours, theme) {
  const { decay } = curve.arrays;
  return { palette: points.header.ramps.decay[theme], indexOf: (row) => Math.round(255 * decay[row]) };
}

function byYear(points, curve, colours, theme) {
  const { low, high } = yearSpan(points);
  const { year } = points.arrays;
  const ramp = points.header.ramps.year[theme];
  const palette = [...ramp.slice(0, 255), colours.not_relevant];
  const per = 254 / Math.max(high - low, 1);
  const along = (known) => Math.round(Math.min(Math.max((known - low) * per, 0), 254));
  return { palette, indexOf: (row) => (year[row] ? along(year[row]) : 255) };
}

function byTheme(points, curve, colours, theme) {
  const palette = [...points.header.categories[theme], colours.not_relevant];
  const { group } = points.arrays;
  return { palette, indexOf: (row) => Math.min(group[row], palette.length - 1) };
}

function bySource(points, curve, colours, theme) {
  const palette = [colours.not_relevant, ...points.header.categories[theme]];
  const { source } = points.arrays;
  return { palette, indexOf: (row) => Math.min(sourcesOf(source[row]), palette.length - 1) };
}

/** The years that the ramp spans. The earliest few share one end, so that one old publication doesn't take the ramp. */
function yearSpan(points) {
  if (!YEAR_SPAN_OF.has(points)) {
    const years = points.arrays.year.slice(0, points.header.n).filter((year) => year > 0).sort();
    const low = years[Math.floor(EARLY_SHARE * years.length)] ?? 0;
    YEAR_SPAN_OF.set(points, { low, high: years.at(-1) ?? 0, early: years.length > 0 && years[0] < low });
  }
  return YEAR_SPAN_OF.get(points);
}
