// A search string as text: places, runs of one look, and the pieces of two wordings. Pure.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/**
 * Python counts characters, the browser units of 16 bits: an emoji is one there and two here. Gives a function from
 * their places to ours.
 */
export function unitsOf(text) {
  if (!PAIR.test(text)) return (place) => place;
  const starts = [];
  let at = 0;
  for (const character of text) {
    starts.push(at);
    at += character.length;
  }
  return (place) => (place < starts.length ? starts[Math.max(place, 0)] : text.length);
}

/** A document whose places are those of the browser. Nothing is copied if they are the same anyway. */
export function inUnits(data) {
  if (!PAIR.test(data.text ?? "")) return data;
  const unit = unitsOf(data.text);
  const placed = (each) => ({ ...each, start: unit(each.start), end: unit(each.end) });
  const all = (list) => list?.map(placed) ?? list;
  return {
    ...data,
    findings: all(data.findings), spans: all(data.spans), nodes: all(data.nodes), lines: all(data.lines),
    core: data.core?.map((entry) => ({ ...entry, failing: all(entry.failing) })),
    translations: data.translations?.map((each) => ({ ...each, losses: all(each.losses) })) ?? data.translations,
  };
}

/** What of the beginning and of the end two texts have in common: { head, tail } in characters. */
export function commonEnds(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  const [b, a] = [before.length - 1, after.length - 1];
  while (tail < most - head && before.charCodeAt(b - tail) === after.charCodeAt(a - tail)) tail++;
  return { head, tail };
}

/** Spans of one text in another that was typed from it; those that were typed into are left out. */
export function shiftedSpans(before, after, spans) {
  if (before === after) return spans;
  const { head, tail } = commonEnds(before, after);
  const shift = after.length - before.length;
  const kept = [];
  for (const span of spans) {
    if (span.end <= head) kept.push(span);
    else if (span.start >= before.length - tail) {
      kept.push({ ...span, start: span.start + shift, end: span.end + shift });
    }
  }
  return kept;
}

/** The innermost node around a place of the text, its end included; null: none is there. @param {TreeNode[]} nodes */
export function nodeAt(nodes, place) {
  /** @type {TreeNode | null} */ let best = null;
  for (const node of nodes) {
    if (node.start > place || node.end < place) continue;
    if (!best || node.depth > best.depth || (node.depth === best.depth && node.start === place)) best = node;
  }
  return best;
}

/** Lines of a search as librarians paste them: "1. text (hits)". */
export function copiedLines(lines) {
  return lines.map(({ number, text, hits }) => {
    const known = typeof hits === "number" ? ` (${hits})` : "";
    return `${number}. ${text.replace(/\s+/g, " ").trim()}${known}`;
  }).join("\n");
}

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
 * between are rebuilt. A key says how a run looks and reads.
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

// The pieces of two wordings, cut for showing. Pure.

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
