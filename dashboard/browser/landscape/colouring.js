// Colours of the points when they don't show the region: by decay, year, theme or source.
import { channels } from "../shared/theme.js";

const EARLY_SHARE = 0.02;
const YEAR_SPAN_OF = new WeakMap();

/** The ways to colour the points, in the order of the menu. */
export const COLOURINGS = [
  { value: "region", label: "Region", help: "Blue if the region calls it relevant, grey if not" },
  { value: "decay", label: "Decay", help: "The decay left if a publication and all more similar ones were relevant" },
  { value: "year", label: "Year", help: "Year of publication" },
  { value: "theme", label: "Theme", help: "The theme of the landscape that a publication lies in" },
  { value: "source", label: "Found by", help: "How many of the query versions retrieve it" },
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

/** What the legend says about a colouring: a ramp with two ends, or colours with names. */
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
  return { palette, indexOf: (row) => Math.min(bitsIn(source[row]), palette.length - 1) };
}

function bitsIn(mask) {
  let n = 0;
  for (let rest = mask; rest; rest &= rest - 1) n++;
  return n;
}

/** The years that the ramp spans. The earliest few share one end, so that one old publication doesn't take the ramp. */
export function yearSpan(points) {
  if (!YEAR_SPAN_OF.has(points)) {
    const years = points.arrays.year.slice(0, points.header.n).filter((year) => year > 0).sort();
    const low = years[Math.floor(EARLY_SHARE * years.length)] ?? 0;
    YEAR_SPAN_OF.set(points, { low, high: years.at(-1) ?? 0, early: years.length > 0 && years[0] < low });
  }
  return YEAR_SPAN_OF.get(points);
}

/** "#rrggbb" as one pixel of an image. */
export function pixelOf(colour) {
  const [r, g, b] = channels(colour);
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}
