// A search string cut into runs that look the same: the parser's spans, findings, and what was just switched off. Pure.

const WORSE = { hint: 1, warning: 2, error: 3 };

/**
 * Runs { start, end, kind, severity, struck, node } that cover the text without gaps. `spans` are sorted and don't
 * overlap, `findings` may; of several findings the worst shows. `struck` are intervals that are switched off here and
 * not yet in the spans, `revived` those that are switched on again.
 */
export function runsOf(text, spans, findings = [], struck = [], revived = []) {
  const marks = findings.map(({ start, end, severity }) => ({ ...widened(start, end, text.length), severity }));
  const cuts = new Set([0, text.length]);
  for (const { start, end } of [...spans, ...marks, ...struck, ...revived]) cuts.add(start).add(end);
  const places = [...cuts].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  const severities = worstBetween(places, marks);
  const off = coveredBetween(places, struck);
  const on = coveredBetween(places, revived);
  const runs = [];
  let at = 0;
  for (let i = 0; i + 1 < places.length; i++) {
    const [start, end] = [places[i], places[i + 1]];
    while (at < spans.length && spans[at].end <= start) at++;
    const span = spans[at]?.start <= start ? spans[at] : null;
    const kind = span ? (on[i] && span.kind === "off" ? "term" : span.kind) : null;
    const last = runs.at(-1);
    const run = { start, end, kind, severity: severities[i], struck: off[i] || kind === "off", node: span?.node ?? null };
    if (last && sameLook(last, run) && last.span === span) last.end = end;
    else runs.push({ ...run, span });
  }
  return runs.map(({ span, ...run }) => run);
}

/** What a run looks like, as class names. */
export function classOf({ kind, severity, struck }) {
  return [kind && `is-${kind}`, severity && `has-${severity}`, struck && "is-struck"].filter(Boolean).join(" ");
}

function sameLook(a, b) {
  return classOf(a) === classOf(b) && a.node === b.node;
}

/** A finding between two characters is shown on the one before it, or on the first. */
function widened(start, end, length) {
  const from = Math.max(0, Math.min(start, length));
  const to = Math.max(from, Math.min(end, length));
  if (to > from) return { start: from, end: to };
  return from > 0 ? { start: from - 1, end: from } : { start: 0, end: Math.min(1, length) };
}

function worstBetween(places, marks) {
  const index = new Map(places.map((place, i) => [place, i]));
  const worst = new Array(places.length).fill(null);
  for (const { start, end, severity } of marks) {
    for (let i = index.get(start); i < index.get(end); i++) {
      if ((WORSE[severity] ?? 0) > (WORSE[worst[i]] ?? 0)) worst[i] = severity;
    }
  }
  return worst;
}

function coveredBetween(places, intervals) {
  const steps = new Map();
  for (const { start, end } of intervals) {
    steps.set(start, (steps.get(start) ?? 0) + 1);
    steps.set(end, (steps.get(end) ?? 0) - 1);
  }
  let depth = 0;
  return places.map((place) => (depth += steps.get(place) ?? 0) > 0);
}

/**
 * How a list of runs differs from another: the first `head` and the last `tail` look and read the same, so only those
 * between are to be made anew. A key says how a run looks and reads.
 */
export function changedBetween(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { head, tail };
}

/** Which runs overlap a span: the first, and the first behind it. */
export function runsWithin(runs, { start, end }) {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle].end > start) high = middle;
    else low = middle + 1;
  }
  let behind = low;
  while (behind < runs.length && runs[behind].start < end) behind++;
  return [low, behind];
}
