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
