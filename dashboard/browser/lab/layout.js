// The layout of a chart: axes, paths and labels, in pixels. Pure.

// Axes of a chart: where a value lies in pixels, and which round values are written along it. Pure.

const PX_PER_LETTER = 7;
const TICK_GAP = 22;
const NARROWEST_TICK = 34;
const NUMBER_GAP = 11;
const TICK_ROW = 36;
const FEWEST_TICKS = 2;

/** From values to pixels and back. `from` is the pixel of the axis' minimum, `to` that of its maximum. */
export function axisScale(axis, from, to) {
  const log = axis.scale === "log" && axis.min > 0;
  const turn = log ? Math.log : (value) => value;
  const low = turn(axis.min);
  const span = turn(axis.max) - low || 1;
  return {
    log, from, to,
    at: (value) => (log && !(value > 0) ? NaN : from + ((turn(value) - low) / span) * (to - from)),
    value(px) {
      const turned = low + ((px - from) / (to - from || 1)) * span;
      return Math.min(Math.max(log ? Math.exp(turned) : turned, axis.min), axis.max);
    },
  };
}

/** Round values with their labels, about as many as there is room for. `room`: pixels along the axis, "x" or "y". */
export function axisTicks(axis, room, way) {
  const letters = Math.max(...[axis.min, axis.max].map((end) => tickText(end, axis.digits).length));
  const each = way === "y" ? TICK_ROW : Math.max(NARROWEST_TICK, TICK_GAP + PX_PER_LETTER * letters);
  const most = Math.max(FEWEST_TICKS, Math.floor(room / each));
  if (axis.names?.length) return axis.names.map((text, at) => ({ at, text }));
  if (axis.scale === "log" && axis.min > 0) return logTicks(axis, most);
  if (axis.digits === 0 && (axis.max - axis.min) * (PX_PER_LETTER * letters + NUMBER_GAP) <= room) return linearTicks(axis.min, axis.max, 1, 0);
  const step = Math.max(roundStep((axis.max - axis.min) / most), 10 ** -axis.digits);
  return linearTicks(axis.min, axis.max, step, axis.digits);
}

/** The smallest of 1, 2, 5, 10, 20, 50, ... that is at least so large. */
export function roundStep(least) {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

/** Every multiple of the step between two ends. */
export function linearTicks(min, max, step, digits) {
  const shown = Math.min(digits, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const ticks = [];
  for (let i = Math.ceil(min / step - 1e-9); i <= Math.floor(max / step + 1e-9) && ticks.length < 60; i++) {
    const at = Number((i * step).toPrecision(12)) || 0;
    ticks.push({ at, text: tickText(at, shown) });
  }
  return ticks;
}

/** Powers of ten, with 2 and 5 between them where there is room; of many, every so manieth. */
function logTicks({ min, max, digits }, most) {
  const first = Math.ceil(Math.log10(min) - 1e-9);
  const last = Math.floor(Math.log10(max) + 1e-9);
  const decades = last - first + 1;
  const factors = decades * 3 <= most + 1 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / most));
  const ticks = [];
  for (let power = first - 1; power <= last; power += 1) {
    if (factors.length === 1 && (power - first) % every !== 0) continue;
    for (const factor of factors) {
      const at = Number((factor * 10 ** power).toPrecision(12));
      if (at < min * (1 - 1e-9) || at > max * (1 + 1e-9)) continue;
      ticks.push({ at, text: tickText(at, Math.max(0, Math.min(digits, -power))) });
    }
  }
  return ticks.length >= FEWEST_TICKS ? ticks : [min, max].map((at) => ({ at, text: tickText(at, digits) }));
}

/** A number beside an axis: 20,000 or −0.50. */
export function tickText(value, digits) {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString("en-US", fixed).replace(/^-/, "−").replace(/^−(0(\.0+)?)$/, "$1");
}

// Paths of a chart, as the text of an SVG path. Pure. Places are in pixels; what is no number leaves a gap.

/** Pixels are written with one decimal; more can't be seen. */
export function px(number) {
  return String(Math.round(number * 10) / 10);
}

/** A line through places. */
export function linePath(places) {
  let path = "";
  let pen = "M";
  for (const [x, y] of places) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    path += `${pen}${px(x)} ${px(y)}`;
    pen = "L";
  }
  return path;
}

/** What lies between a line and a floor; each piece between two gaps is closed on its own. */
export function areaPath(places, floor) {
  let path = "";
  let piece = [];
  for (const place of [...places, [NaN, NaN]]) {
    if (place.every(Number.isFinite)) {
      piece.push(place);
      continue;
    }
    if (piece.length > 1) {
      path += `M${px(piece[0][0])} ${px(floor)}${linePath(piece).replace("M", "L")}L${px(piece.at(-1)[0])} ${px(floor)}Z`;
    }
    piece = [];
  }
  return path;
}

/** An outline that ends where it began; less than three corners have none. */
export function closedPath(places) {
  const corners = places.filter((place) => place.every(Number.isFinite));
  return corners.length < 3 ? "" : `${linePath(corners)}Z`;
}

/** Round dots, all in one path. */
export function dotsPath(places, radius) {
  const r = px(radius);
  const back = px(-2 * radius);
  const there = px(2 * radius);
  return seen(places).map(([x, y]) => `M${px(x - radius)} ${px(y)}a${r} ${r} 0 1 0 ${there} 0a${r} ${r} 0 1 0 ${back} 0`).join("");
}

/** Crosses, all in one path. */
export function crossesPath(places, radius) {
  const reach = radius * 0.8;
  const stroke = (x, y, way) => `M${px(x - reach)} ${px(y - way * reach)}L${px(x + reach)} ${px(y + way * reach)}`;
  return seen(places).map(([x, y]) => stroke(x, y, 1) + stroke(x, y, -1)).join("");
}

function seen(places) {
  return places.filter((place) => place.every(Number.isFinite));
}

// Words on a chart: lines that fit, and labels that do not meet. Pure; `measure(text, size)` gives a width in pixels.

const LABEL_HIGH = 14;
const LABEL_AWAY = 4;
const MARK_ROOM = 8;
const MEETING = 100;

/** Text in at most `most` lines of this width; the last one ends with dots if there is more. */
export function wrapped(text, width, size, most, measure) {
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (!line || measure(longer, size) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  lines.push(line);
  if (lines.length > most) lines.splice(most - 1, lines.length, lines.slice(most - 1).join(" "));
  return lines.map((each) => trimmed(each, width, size, measure));
}

/** As much of a text as fits, with dots where something is missing. */
export function trimmed(text, width, size, measure) {
  if (measure(text, size) <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${text.slice(0, middle).trimEnd()}…`, size) <= width) low = middle;
    else high = middle - 1;
  }
  return low ? `${text.slice(0, low).trimEnd()}…` : "…";
}

/**
 * Where the labels of marks go: beside a vertical line at the top, or at the end of a horizontal one, each in the first
 * place where it meets no label before it and, if there is such a place, the line of no other mark.
 * `marks`: [{ axis, px, width }]; gives { x, y, anchor } for each, y the baseline.
 */
export function placeMarkLabels(marks, frame) {
  const taken = [];
  return marks.map((mark) => {
    const places = mark.axis === "x" ? besideVertical(mark, frame) : besideHorizontal(mark, frame);
    const others = marks.filter((other) => other !== mark);
    const cost = ({ box }) => {
      const met = taken.filter((other) => boxesMeet(withRoom(box), other)).length;
      return MEETING * met + others.filter((other) => isCrossed(box, other)).length;
    };
    const inside = places.filter(({ box }) => isInFrame(box, frame));
    const best = cheapest(inside.length ? inside : places.slice(0, 1), cost);
    taken.push(best.box);
    return { x: best.x, y: best.y, anchor: best.anchor };
  });
}

/** The first of those that cost least. */
function cheapest(places, cost) {
  const costs = places.map(cost);
  return places[costs.indexOf(Math.min(...costs))];
}

function withRoom(box) {
  return { ...box, left: box.left - MARK_ROOM, right: box.right + MARK_ROOM };
}

function isCrossed(box, { axis, px }) {
  const [from, to] = axis === "x" ? [box.left, box.right] : [box.top, box.bottom];
  return px > from && px < to;
}

function besideVertical({ px: at, width }, frame) {
  const places = [];
  for (let top = frame.top + 2; top + LABEL_HIGH <= frame.bottom; top += LABEL_HIGH) {
    places.push(labelPlace(at + LABEL_AWAY, top, width, "start"), labelPlace(at - LABEL_AWAY, top, width, "end"));
  }
  return places.length ? places : [labelPlace(at + LABEL_AWAY, frame.top, width, "start")];
}

function besideHorizontal({ px: at, width }, frame) {
  const tops = [at - LABEL_HIGH - 1, at + 2];
  const right = tops.map((top) => labelPlace(frame.right - 2, top, width, "end"));
  const left = tops.map((top) => labelPlace(frame.left + 2, top, width, "start"));
  const middle = tops.map((top) => labelPlace((frame.left + frame.right - width) / 2, top, width, "start"));
  return [...right, ...left, ...middle];
}

function labelPlace(x, top, width, anchor) {
  const left = anchor === "start" ? x : x - width;
  return { x, y: top + LABEL_HIGH - 3, anchor, box: { left, right: left + width, top, bottom: top + LABEL_HIGH } };
}

function isInFrame(box, frame) {
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
}

/** Whether two boxes have a place in common. */
export function boxesMeet(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// How many charts stand side by side, and how high they are. Pure.

const NARROWEST_CHART = 250;
const NARROWEST_PRESENTED = 200;
const LEAST_SHARE = 0.55;
const MOST_SHARE = 1.35;
const MOST_SHARE_PRESENTED = 1.6;

/** Charts in a row of the board; four stand as two and two. */
export function columnsOf(charts, room, gap, presents = false) {
  const narrow = charts.filter(({ wide }) => !wide).length;
  const narrowest = presents ? NARROWEST_PRESENTED : NARROWEST_CHART;
  const fitting = Math.floor((room + gap) / (narrowest + gap));
  return Math.max(1, Math.min(narrow, narrow === 4 ? 2 : 3, fitting));
}

/**
 * The share of their heights at which the rows of charts fill the room: `tall` is their height at share 1, `height` that
 * of the board at `share`. They shrink only as far as they can be read, and grow most for a lecture.
 */
export function fittedShare(share, tall, height, room, presents) {
  const around = height - tall * share;
  const wanted = tall > 0 ? (room - around) / tall : share;
  return Math.min(Math.max(wanted, LEAST_SHARE), presents ? MOST_SHARE_PRESENTED : MOST_SHARE);
}
