// The pieces of two wordings, cut for showing. Pure.
import { unitsOf } from "./text.js";

/** What one of the two texts is made of: [fate, text] in its order, neighbours of one fate joined. */
export function columnRuns(pieces, side) {
  const other = side === 0 ? "new" : "gone";
  const runs = [];
  for (const [fate, ...texts] of pieces) {
    if (fate === other) continue;
    const text = texts[side];
    if (runs.length && runs.at(-1)[0] === fate) runs.at(-1)[1] += text;
    else runs.push([fate, text]);
  }
  return runs;
}

/** Spans as Python counts them, in the units of a text here, in order and without overlap. */
export function spansInUnits(text, spans) {
  const unit = unitsOf(text);
  const found = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const from = Math.max(unit(start), found.at(-1)?.[1] ?? 0);
    if (unit(end) > from) found.push([from, unit(end)]);
  }
  return found;
}

/** Runs cut where spans begin and end: [fate, text, whether it is in a span]. */
export function cutAtSpans(runs, spans) {
  const cut = [];
  let at = 0;
  let next = 0;
  for (const [fate, text] of runs) {
    const end = at + text.length;
    let from = at;
    while (from < end) {
      while (next < spans.length && spans[next][1] <= from) next++;
      const span = spans[next];
      const isLit = Boolean(span) && span[0] <= from;
      const to = Math.min(end, !span ? end : isLit ? span[1] : span[0]);
      cut.push([fate, text.slice(from - at, to - at), isLit]);
      from = to;
    }
    at = end;
  }
  return cut;
}
