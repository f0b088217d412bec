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
