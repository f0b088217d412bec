// What lies under the pointer on a chart. Pure.

const REACH_OF_DOT = 18;
const REACH_OF_LINE = 40;

/** { x, y, lines } of what is nearest to a pixel, or null: a movable dot, a dot, a cell, a bar, else the lines at that x. */
export function readDrawing({ frame, grips, targets }, px, py) {
  const inside = px >= frame.left - 4 && px <= frame.right + 4 && py >= frame.top - 4 && py <= frame.bottom + 4;
  if (!inside) return null;
  const dots = [
    ...grips.map((grip) => ({ ...grip, lines: [`${grip.name}${grip.series.label ? `: ${grip.series.label}` : ""}`, "Drag it, or move it with the arrow keys."] })),
    ...targets.filter(({ kind }) => kind === "dot"),
  ];
  const dot = nearestOf(dots, ({ x, y }) => Math.hypot(x - px, y - py), REACH_OF_DOT);
  if (dot) return { x: dot.x, y: dot.y, lines: dot.lines };
  const lines = linesAt(targets, px);
  if (lines) return lines;
  const box = targets.filter(({ kind }) => kind === "cell" || kind === "bar")
    .find(({ left, right, top, bottom }) => px >= left && px < right && py >= top && py < bottom);
  return box ? { x: px, y: py, lines: box.lines } : null;
}

/** Every line's value at the x that is nearest. */
function linesAt(targets, px) {
  const each = new Map();
  for (const target of targets) {
    if (target.kind !== "line" || !Number.isFinite(target.x) || !Number.isFinite(target.y)) continue;
    const best = each.get(target.n);
    if (!best || Math.abs(target.x - px) < Math.abs(best.x - px)) each.set(target.n, target);
  }
  const near = [...each.values()].filter(({ x }) => Math.abs(x - px) <= REACH_OF_LINE);
  if (!near.length) return null;
  const { x, y, head } = nearestOf(near, (target) => Math.abs(target.x - px), Infinity);
  return { x, y, lines: [head, ...new Set(near.flatMap(({ lines }) => lines))] };
}

function nearestOf(list, distance, reach) {
  let best = null;
  let least = reach;
  for (const each of list) {
    const away = distance(each);
    if (away <= least) [best, least] = [each, away];
  }
  return best;
}
