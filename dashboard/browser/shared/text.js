// Places in a search string: what Python counts, what the browser counts, and where they are after typing. Pure.

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

/** The innermost node around a place of the text, its end included; null: none is there. */
export function nodeAt(nodes, place) {
  let best = null;
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
