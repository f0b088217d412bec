// A chart as a list of what is to be drawn, from the document that Python sends. Pure: no page.
//
// `look`: { width, colours, ramp, font, measure, moved, values, controls, isExpert, id, titleRows } where `moved` are the
// places of the points that the hand holds, `values` those of the controls if they are ahead of the document, and
// `controls` the sliders by name. Gives { width, height, frame, scales, nodes, grips, handles, targets, titleRows }; a
// node is { key, tag, at, text }.
import { significant } from "../shared/format.js";
import { sliderWords } from "./values.js";
import {
  areaPath, axisScale, axisTicks, closedPath, crossesPath, dotsPath, linePath, placeMarkLabels, px, trimmed, wrapped,
} from "./layout.js";

const TITLE_SIZE = 13;
const TITLE_LINE = 17;
const SMALL_SIZE = 11;
const LEGEND_LINE = 18;
const HEAD_GAP = 6;
const MOST_TITLE_ROWS = 3;
const SLANT = 40;
const LONGEST_SLANTED = 110;
const RAMP_WIDE = 96;
const HIT_RADIUS = 14;
const HANDLE_REACH = 12;
const KNOB_RADIUS = 6;
const FILLED_OPACITY = 0.14;
const AREA_OPACITY = 0.22;

/** Everything about one chart. */
export function drawingOf(whole, look) {
  const chart = look.isExpert === false ? { ...whole, series: whole.series.filter(({ expert }) => !expert) } : whole;
  const head = headRows(chart, look);
  const frame = frameOf(chart, look, head.height);
  const scales = { x: axisScale(chart.x, frame.left, frame.right), y: axisScale(chart.y, frame.bottom, frame.top) };
  const sheet = { chart, look, frame, scales, nodes: /** @type {ChartNode[]} */ ([]), grips: [], handles: [], targets: [] };
  sheet.nodes.push(clipNode(sheet), ...head.nodes);
  drawAxes(sheet);
  if (chart.cells) drawCells(sheet);
  for (const [n, shape] of chart.shapes.entries()) drawShape(sheet, shape, n);
  drawBars(sheet);
  for (const [n, series] of chart.series.entries()) drawSeries(sheet, series, n);
  drawMarks(sheet);
  drawHandles(sheet);
  drawGrips(sheet);
  return { ...sheet, width: look.width, height: frame.bottom + frame.below, titleRows: head.titleRows };
}

/** The title and the legend over the plot. */
function headRows(chart, look) {
  const lines = wrapped(chart.title, look.width - 4, TITLE_SIZE * 1.03, MOST_TITLE_ROWS, look.measure);
  const titleRows = Math.max(lines.length, look.titleRows ?? 1);
  /** @type {ChartNode[]} */ const nodes = lines.map((text, n) => textNode(`title-${n}`, 0, 13 + n * TITLE_LINE, text, {
    "font-size": TITLE_SIZE, "font-weight": 600, fill: look.colours.text,
  }));
  let y = titleRows * TITLE_LINE + HEAD_GAP;
  let x = 0;
  for (const entry of legendEntries(chart)) {
    const wide = 22 + look.measure(entry.label, SMALL_SIZE + 1) + 14;
    if (x > 0 && x + wide - 14 > look.width) {
      x = 0;
      y += LEGEND_LINE;
    }
    nodes.push(...legendNodes(entry, x, y + LEGEND_LINE / 2, look));
    x += wide;
  }
  if (x > 0) y += LEGEND_LINE;
  if (chart.cells) {
    nodes.push(...rampNodes(chart.cells, y + LEGEND_LINE / 2, look));
    y += LEGEND_LINE + 2;
  }
  return { nodes, height: y, titleRows };
}

/** Everything with a label, each label once. */
function legendEntries({ series, shapes, legend }) {
  if (legend === false) return [];
  const entries = [
    ...series.map((each) => ({ ...each, sign: each.kind })),
    ...shapes.map((each) => ({ ...each, sign: "shape" })),
  ];
  const known = new Set();
  return entries.filter(({ label }) => label && !known.has(label) && known.add(label));
}

function legendNodes(entry, x, y, look) {
  const { colours } = look;
  const colour = colours[entry.role];
  const key = `legend-${entry.label}`;
  const text = textNode(`${key}-words`, x + 22, y + 4, entry.label, { "font-size": SMALL_SIZE + 1, fill: colours.text });
  const places = [[x + 9, y]];
  if (entry.sign === "dots") return [dotsNode(key, places, { ...entry, width: Math.min(entry.width + 1, 5) }, colours), text];
  const line = { stroke: colour, "stroke-width": 2, "stroke-dasharray": entry.dash.join(" ") || null };
  if (entry.sign === "line") return [pathNode(key, linePath([[x, y], [x + 18, y]]), { ...line, fill: "none" }), text];
  const square = closedPath([[x + 2, y - 5], [x + 16, y - 5], [x + 16, y + 5], [x + 2, y + 5]]);
  if (entry.sign === "shape") return [pathNode(key, square, { ...line, fill: entry.filled ? colour : "none", "fill-opacity": FILLED_OPACITY }), text];
  return [pathNode(key, square, { fill: colour, "fill-opacity": entry.sign === "area" ? AREA_OPACITY : 1 }), text];
}

/** What the colours of a heat map mean. */
function rampNodes(cells, y, look) {
  const { colours, measure } = look;
  const small = { "font-size": SMALL_SIZE, fill: colours.faint };
  const name = trimmed(cells.label, Math.max(look.width - RAMP_WIDE - 150, 60), SMALL_SIZE + 1, measure);
  let x = measure(name, SMALL_SIZE + 1) + 10;
  const [low, high] = [significant(cells.low), significant(cells.high)];
  /** @type {ChartNode[]} */
  const nodes = [textNode("ramp-name", 0, y + 4, name, { "font-size": SMALL_SIZE + 1, fill: colours.text })];
  nodes.push(textNode("ramp-low", x, y + 4, low, small));
  x += measure(low, SMALL_SIZE) + 5;
  const steps = 24;
  for (let n = 0; n < steps; n++) {
    const at = { x: px(x + (n * RAMP_WIDE) / steps), y: px(y - 5), width: px(RAMP_WIDE / steps + 0.5), height: 10 };
    nodes.push({ key: `ramp-${n}`, tag: "rect", at: { ...at, fill: rampColour(look, n / (steps - 1)) } });
  }
  x += RAMP_WIDE + 5;
  nodes.push(textNode("ramp-high", x, y + 4, high, small));
  if (!cells.values.some((row) => row.some((value) => value === null))) return nodes;
  x += measure(high, SMALL_SIZE) + 12;
  const hatched = { x: px(x), y: px(y - 5), width: 14, height: 10, fill: `url(#${look.id}-hatch)`, stroke: colours.border };
  return [...nodes, { key: "ramp-none", tag: "rect", at: hatched }, textNode("ramp-none-words", x + 19, y + 4, "undefined", small)];
}

/** The colour of a share of the ramp, 0 to 1. */
function rampColour({ ramp }, share) {
  const at = Math.round(Math.min(Math.max(share, 0), 1) * (ramp.length - 1));
  return ramp[at] ?? ramp[0];
}

/** Where the plot itself lies, in pixels. */
function frameOf(chart, look, headHeight) {
  const { measure } = look;
  const widest = (axis, room, way) => Math.max(0, ...axisTicks(axis, room, way).map(({ text }) => measure(text, SMALL_SIZE)));
  const left = Math.min(widest(chart.y, chart.height, "y"), look.width * 0.4) + (chart.y.label ? 24 : 8);
  const right = look.width - Math.min(14, look.width / 20);
  const slanted = isSlanted(chart.x, right - left, measure);
  const longest = Math.min(widest(chart.x, right - left, "x"), LONGEST_SLANTED);
  const below = (slanted ? longest * Math.sin((SLANT * Math.PI) / 180) + 14 : 18) + (chart.x.label ? 18 : 2);
  const frame = { left, right, top: headHeight + 6, bottom: headHeight + chart.height - below, below, slanted };
  return chart.square ? squared(frame, chart) : frame;
}

/** As large as both axes allow with the same length for one unit; what that leaves empty is not drawn. */
function squared(frame, { x, y }) {
  const unit = Math.min((frame.right - frame.left) / (x.max - x.min), (frame.bottom - frame.top) / (y.max - y.min));
  return { ...frame, right: frame.left + unit * (x.max - x.min), bottom: frame.top + unit * (y.max - y.min) };
}

function isSlanted(axis, room, measure) {
  const names = axis.names ?? [];
  return names.some((name) => measure(name, SMALL_SIZE) > room / names.length - 6);
}

function clipNode({ look, frame }) {
  const { left, top, right, bottom } = frame;
  const rect = { x: px(left), y: px(top), width: px(Math.max(right - left, 0)), height: px(Math.max(bottom - top, 0)) };
  return {
    key: "defs", tag: "defs", at: {}, children: [
      { key: "clip", tag: "clipPath", at: { id: `${look.id}-clip` }, children: [{ key: "clip-area", tag: "rect", at: rect }] },
      {
        key: "hatch", tag: "pattern",
        at: { id: `${look.id}-hatch`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        children: [
          { key: "hatch-paper", tag: "rect", at: { width: 6, height: 6, fill: look.colours.panel } },
          { key: "hatch-line", tag: "path", at: { d: "M-1 1L1 -1M0 6L6 0M5 7L7 5", stroke: look.colours.faint, "stroke-width": 1 } },
        ],
      },
    ],
  };
}

function drawAxes({ chart, look, frame, scales, nodes }) {
  const { colours, measure } = look;
  const small = { "font-size": SMALL_SIZE, fill: colours.faint };
  const line = { stroke: colours.grid, "stroke-width": 1, "shape-rendering": "crispEdges", fill: "none" };
  const ticks = { x: axisTicks(chart.x, frame.right - frame.left, "x"), y: axisTicks(chart.y, frame.bottom - frame.top, "y") };
  const grid = (way) => (chart[way].names?.length || chart.cells ? [] : ticks[way]).map(({ at }) => scales[way].at(at));
  const lines = [
    ...grid("x").map((x) => linePath([[x, frame.top], [x, frame.bottom]])),
    ...grid("y").map((y) => linePath([[frame.left, y], [frame.right, y]])),
  ];
  nodes.push(pathNode("grid", lines.join(""), line));
  const corner = linePath([[frame.left, frame.top], [frame.left, frame.bottom], [frame.right, frame.bottom]]);
  nodes.push(pathNode("axes", corner, { ...line, stroke: colours.border }));
  for (const [n, { at, text }] of ticks.x.entries()) {
    const x = scales.x.at(at);
    if (!frame.slanted) {
      const half = measure(text, SMALL_SIZE) / 2 + 2;
      const inside = Math.max(half, Math.min(x, look.width - half));
      nodes.push(textNode(`x-tick-${n}`, inside, frame.bottom + 14, text, { ...small, "text-anchor": "middle" }));
      continue;
    }
    const turn = `rotate(-${SLANT} ${px(x + 4)} ${px(frame.bottom + 12)})`;
    const words = trimmed(text, LONGEST_SLANTED, SMALL_SIZE, measure);
    nodes.push(textNode(`x-tick-${n}`, x + 4, frame.bottom + 12, words, { ...small, "text-anchor": "end", transform: turn }));
  }
  const room = frame.left - (chart.y.label ? 24 : 8) + 1;
  for (const [n, { at, text }] of ticks.y.entries()) {
    const words = trimmed(text, room, SMALL_SIZE, measure);
    nodes.push(textNode(`y-tick-${n}`, frame.left - 6, scales.y.at(at) + 4, words, { ...small, "text-anchor": "end" }));
  }
  const named = { ...small, "font-size": SMALL_SIZE + 1, "text-anchor": "middle" };
  const [middleX, middleY] = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
  const bottom = look.bottom ?? frame.bottom + (frame.slanted ? 0 : 31);
  if (chart.x.label) {
    const y = frame.slanted ? frame.bottom + slantedHeight(ticks.x, measure) + 26 : bottom;
    nodes.push(textNode("x-label", middleX, y, trimmed(chart.x.label, look.width - 8, SMALL_SIZE + 1, measure), named));
  }
  if (chart.y.label) {
    const words = trimmed(chart.y.label, frame.bottom - frame.top + 30, SMALL_SIZE + 1, measure);
    nodes.push(textNode("y-label", 10, middleY, words, { ...named, transform: `rotate(-90 10 ${px(middleY)})` }));
  }
}

function slantedHeight(ticks, measure) {
  const longest = Math.min(Math.max(0, ...ticks.map(({ text }) => measure(text, SMALL_SIZE))), LONGEST_SLANTED);
  return longest * Math.sin((SLANT * Math.PI) / 180);
}

function drawCells({ chart, look, frame, nodes, targets }) {
  const { values, low, high, label, at } = chart.cells;
  const rows = values.length;
  const columns = values[0]?.length ?? 0;
  const [wide, tall] = [(frame.right - frame.left) / columns, (frame.bottom - frame.top) / rows];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row][column];
      const [x, y] = [frame.left + column * wide, frame.bottom - (row + 1) * tall];
      const fill = value === null ? `url(#${look.id}-hatch)` : rampColour(look, (value - low) / (high - low || 1));
      const place = { x: px(x), y: px(y), width: px(wide + 0.5), height: px(tall + 0.5) };
      nodes.push({ key: `cell-${row}-${column}`, tag: "rect", at: { ...place, fill, "shape-rendering": "crispEdges" } });
      const shown = value === null ? "undefined" : significant(value);
      targets.push({ kind: "cell", left: x, right: x + wide, top: y, bottom: y + tall, lines: [`${label}: ${shown}`], column, row });
    }
  }
  if (!at) return;
  const [x, y] = [frame.left + at[0] * wide, frame.bottom - at[1] * tall];
  const cross = crossesPath([[x, y]], 9);
  nodes.push(pathNode("at-halo", cross, { stroke: look.colours.background, "stroke-width": 6, "stroke-linecap": "round" }));
  nodes.push(pathNode("at-cross", cross, { stroke: look.colours.text, "stroke-width": 2.5, "stroke-linecap": "round" }));
}

function drawShape({ look, scales, nodes }, shape, n) {
  const corners = shape.x.map((x, i) => [scales.x.at(x), scales.y.at(shape.y[i])]);
  const colour = look.colours[shape.role];
  const at = { stroke: colour, "stroke-width": 2, "stroke-dasharray": shape.dash.join(" ") || null, "clip-path": `url(#${look.id}-clip)` };
  const fill = shape.filled ? { fill: colour, "fill-opacity": FILLED_OPACITY } : { fill: "none" };
  nodes.push(pathNode(`shape-${n}`, closedPath(corners), { ...at, ...fill, "stroke-linejoin": "round" }));
}

/** Bars of several series, side by side or one before the other; they lie where the y axis has names. */
function drawBars({ chart, look, frame, scales, nodes, targets }) {
  const all = chart.series.filter(({ kind }) => kind === "bars");
  const lying = Boolean(chart.y.names?.length);
  const [along, up] = lying ? ["y", "x"] : ["x", "y"];
  const base = scales[up].at(Math.max(chart[up].min, Math.min(0, chart[up].max))) || scales[up].from;
  const distinct = new Set(all.flatMap((series) => series[along])).size || 1;
  const room = chart[along].names?.length ? 1 : barStep(all, along);
  const length = Math.abs(scales[along].at(chart[along].min + room) - scales[along].at(chart[along].min));
  const slot = Math.max(1, Math.min(length, (lying ? frame.bottom - frame.top : frame.right - frame.left) / distinct) * 0.8);
  const rows = chart.bars === "beside" ? all.length : 1;
  all.forEach((series, n) => {
    const thick = slot / rows;
    const rects = series.x.map((_, i) => {
      const from = scales[along].at(series[along][i]) - slot / 2 + (n % rows) * thick;
      const to = scales[up].at(series[up][i]);
      if (!Number.isFinite(from) || !Number.isFinite(to)) return "";
      const [a, b] = [[from, Math.min(base, to)], [from + Math.max(thick - 1, 0.5), Math.max(base, to)]];
      const box = lying ? { left: a[1], right: b[1], top: a[0], bottom: b[0] } : { left: a[0], right: b[0], top: a[1], bottom: b[1] };
      targets.push({ kind: "bar", ...widenedBar(box, lying, frame), lines: barWords(chart, series, i, along, up) });
      return closedPath([[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]]);
    });
    const edge = series.edge ? { stroke: look.colours[series.edge], "stroke-width": 1.5 } : {};
    const fill = series.hollow ? { fill: "none", stroke: look.colours[series.role], "stroke-width": 1.5 } : { fill: look.colours[series.role] };
    nodes.push(pathNode(`bars-${n}`, rects.join(""), { ...fill, ...edge, "clip-path": `url(#${look.id}-clip)` }));
  });
}

/** A bar is pointed at anywhere in its slot, however low it is. */
function widenedBar(box, lying, frame) {
  return lying ? { ...box, left: frame.left, right: frame.right } : { ...box, top: frame.top, bottom: frame.bottom };
}

function barStep(all, along) {
  const values = [...new Set(all.flatMap((series) => series[along]))].sort((a, b) => a - b);
  const gaps = values.slice(1).map((value, i) => value - values[i]);
  return gaps.length ? Math.min(...gaps) : 1;
}

function barWords(chart, series, i, along, up) {
  if (series.hover[i]) return series.hover[i].split("\n");
  const where = axisWords(chart[along], series[along][i]);
  return [where, `${series.label || chart[up].label}: ${axisWords(chart[up], series[up][i])}`];
}

/** A value as a person reads it on this axis. */
function axisWords(axis, value) {
  return axis.names?.[Math.round(value)] ?? significant(value);
}

function drawSeries({ chart, look, frame, scales, nodes, targets }, series, n) {
  if (series.kind === "bars" || series.draggable) return;
  const places = series.x.map((x, i) => [scales.x.at(x), scales.y.at(series.y[i])]);
  const colour = look.colours[series.role];
  const clip = { "clip-path": `url(#${look.id}-clip)` };
  const label = series.label || chart.y.label;
  if (series.kind === "dots") {
    nodes.push({ ...dotsNode(`dots-${n}`, places, series, look.colours) });
    places.forEach(([x, y], i) => targets.push({
      kind: "dot", x, y,
      lines: series.hover[i]?.split("\n") ?? [series.label, `${axisWords(chart.x, series.x[i])}, ${axisWords(chart.y, series.y[i])}`].filter(Boolean),
    }));
    return;
  }
  if (series.kind === "area") {
    const floor = scales.y.at(Math.max(chart.y.min, Math.min(0, chart.y.max)));
    const fill = { fill: colour, "fill-opacity": AREA_OPACITY, ...clip };
    nodes.push(pathNode(`area-${n}`, areaPath(places, Number.isFinite(floor) ? floor : frame.bottom), fill));
  }
  const dash = series.dash.join(" ") || null;
  const line = { fill: "none", stroke: colour, "stroke-width": series.width, "stroke-dasharray": dash, "stroke-linejoin": "round", ...clip };
  nodes.push(pathNode(`line-${n}`, linePath(places), line));
  places.forEach(([x, y], i) => targets.push({
    kind: "line", n, x, y, colour,
    head: axisWords(chart.x, series.x[i]),
    lines: series.hover[i]?.split("\n") ?? [`${label}: ${axisWords(chart.y, series.y[i])}`],
  }));
}

function drawMarks({ chart, look, frame, scales, nodes, handles }) {
  const { colours, measure } = look;
  const placed = chart.marks.map((mark) => ({ ...mark, at: look.values?.[mark.control] ?? mark.at }));
  const marks = placed.map((mark) => ({ ...mark, px: scales[mark.axis].at(mark.at), width: measure(mark.label, SMALL_SIZE) + 2 }))
    .filter(({ axis, px: at }) => (axis === "x" ? at >= frame.left - 1 && at <= frame.right + 1 : at >= frame.top - 1 && at <= frame.bottom + 1));
  const places = placeMarkLabels(marks, frame);
  marks.forEach(({ axis, px: at, at: value, label, role, control }, n) => {
    const slider = look.controls?.get(control);
    if (slider) handles.push({ slider, axis, value, px: at, colour: colours[role] });
    const ends = axis === "x" ? [[at, frame.top], [at, frame.bottom]] : [[frame.left, at], [frame.right, at]];
    nodes.push(pathNode(`mark-${n}`, linePath(ends), { stroke: colours[role], "stroke-width": 1.5, "stroke-dasharray": "4 3", fill: "none" }));
    const { x, y, anchor } = places[n];
    const halo = { "paint-order": "stroke", stroke: colours.background, "stroke-width": 4, "stroke-linejoin": "round" };
    nodes.push(textNode(`mark-${n}-label`, x, y, label, { "font-size": SMALL_SIZE, "font-weight": 600, fill: colours[role], "text-anchor": anchor, ...halo }));
  });
}

/** What a line is dragged by: the line itself, made wide enough for a finger, and a knob at its end that shows it. */
function drawHandles({ look, frame, nodes, handles }) {
  for (const { slider, axis, value, px: at, colour } of handles) {
    const upright = axis === "x";
    const key = `handle-${axis}-${slider.name}`;
    const knob = upright ? [at, frame.bottom] : [frame.right, at];
    nodes.push(pathNode(`${key}-knob`, dotsPath([knob], KNOB_RADIUS), { fill: colour, stroke: look.colours.background, "stroke-width": 2 }));
    const area = upright
      ? { x: px(at - HANDLE_REACH), y: px(frame.top), width: 2 * HANDLE_REACH, height: px(frame.bottom - frame.top + KNOB_RADIUS + 2) }
      : { x: px(frame.left), y: px(at - HANDLE_REACH), width: px(frame.right - frame.left + KNOB_RADIUS + 2), height: 2 * HANDLE_REACH };
    nodes.push({
      key, tag: "rect",
      at: {
        class: `handle along-${axis}`, ...area, rx: 4, fill: "transparent", tabindex: 0, role: "slider",
        "data-control": slider.name, "data-axis": axis, "aria-label": `${slider.label}, line in the chart`,
        "aria-orientation": upright ? "horizontal" : "vertical", "aria-valuemin": slider.min, "aria-valuemax": slider.max,
        "aria-valuenow": value, "aria-valuetext": sliderWords(slider, value),
      },
      children: [{ key: "hint", tag: "title", at: {}, text: `Drag to change: ${slider.label}` }],
    });
  }
}

/** The dots that can be moved, last and in the order of their numbers, so that none changes its place on the page. */
function drawGrips({ chart, look, scales, nodes, grips }) {
  for (const series of chart.series.filter((each) => each.draggable)) {
    series.x.forEach((value, i) => {
      const number = series.numbers[i] ?? i;
      const [vx, vy] = look.moved?.[number] ?? [value, series.y[i]];
      grips.push({ number, series, name: series.names[i] ?? `Point ${number + 1}`, vx, vy, x: scales.x.at(vx), y: scales.y.at(vy) });
    });
  }
  grips.sort((a, b) => a.number - b.number);
  for (const grip of grips) {
    nodes.push(dotsNode(`grip-${grip.number}-face`, [[grip.x, grip.y]], grip.series, look.colours));
    const shown = `${significant(grip.vx)}, ${significant(grip.vy)}`;
    nodes.push({
      key: `grip-${grip.number}`, tag: "circle",
      at: {
        class: "grip", cx: px(grip.x), cy: px(grip.y), r: HIT_RADIUS, fill: "transparent", tabindex: 0, role: "slider",
        "data-number": grip.number, "aria-label": grip.name, "aria-valuetext": shown, "aria-valuenow": px(grip.vx * 100),
      },
    });
  }
}

function dotsNode(key, places, series, colours) {
  const colour = colours[series.role];
  if (series.cross) return pathNode(key, crossesPath(places, series.width), { stroke: colour, "stroke-width": 1.6, fill: "none" });
  if (series.hollow) return pathNode(key, dotsPath(places, series.width), { stroke: colour, "stroke-width": 1.8, fill: "none" });
  const edge = series.edge ? { stroke: colours[series.edge], "stroke-width": 1.8 } : { stroke: "none" };
  return pathNode(key, dotsPath(places, series.width), { fill: colour, ...edge });
}

function pathNode(key, d, at) {
  return { key, tag: "path", at: { d: d || "M0 0", ...at } };
}

function textNode(key, x, y, text, at) {
  return { key, tag: "text", at: { x: px(x), y: px(y), ...at }, text };
}
