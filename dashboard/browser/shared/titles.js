// Titles stay the UTF-8 bytes that Python sent: a title is decoded when it is shown, and finding reads the bytes.

const TITLE_DECODER = new TextDecoder();
const TITLE_ENCODER = new TextEncoder();
const TITLES_OF = new WeakMap();
const LINE_END = 10;
/** One letter is in nearly every title, so finding starts with two. */
export const SHORTEST_FIND = 2;

/** The titles of a points payload, made once. */
export function titlesOf(points) {
  if (!TITLES_OF.has(points)) TITLES_OF.set(points, new Titles(points.arrays.titles));
  return TITLES_OF.get(points);
}

/** Lines of text, one per row. */
export class Titles {
  constructor(bytes) {
    this.bytes = bytes;
    this.starts = lineStarts(bytes);
    this.length = this.starts.length - 1;
  }

  /** The title of a row; empty if it has none. */
  title(row) {
    if (!Number.isInteger(row) || row < 0 || row >= this.length) return "";
    return TITLE_DECODER.decode(this.bytes.subarray(this.starts[row], this.starts[row + 1] - 1));
  }

  /** Rows whose title holds this text, upper or lower case, ascending; null: too little is typed to look. */
  find(text) {
    const typed = text.trim().normalize("NFC");
    if (typed.length < SHORTEST_FIND) return null;
    const rows = new Uint32Array(this.length);
    return rows.slice(0, matchingRows(this.bytes, this.starts, needleOf(typed), rows));
  }
}

/** Where each line starts, and one past the end. No bytes are one empty line. */
function lineStarts(bytes) {
  let n = 1;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LINE_END) n++;
  const starts = new Uint32Array(n + 1);
  for (let i = 0, line = 1; i < bytes.length; i++) if (bytes[i] === LINE_END) starts[line++] = i + 1;
  starts[n] = bytes.length + 1;
  return starts;
}

/**
 * Both cases of each byte of a text, and how far to move on from a byte (Horspool): not at all from one that may be the
 * last, and from there, if the rest differs, `onward`.
 */
function needleOf(text) {
  const low = [];
  const high = [];
  for (const letter of text) {
    const lower = TITLE_ENCODER.encode(letter.toLowerCase());
    const upper = TITLE_ENCODER.encode(letter.toUpperCase());
    low.push(...lower);
    high.push(...(upper.length === lower.length ? upper : lower)); // "ß" has no single upper case
  }
  const last = low.length - 1;
  const moves = new Uint32Array(256).fill(low.length);
  for (let i = 0; i < last; i++) moves[low[i]] = moves[high[i]] = last - i;
  const onward = Math.min(moves[low[last]], moves[high[last]]);
  moves[low[last]] = moves[high[last]] = 0;
  return { low: Uint8Array.from(low), high: Uint8Array.from(high), moves, onward };
}

/** Write the rows that hold the needle into `rows`; how many there are. */
function matchingRows(bytes, starts, { low, high, moves, onward }, rows) {
  const last = low.length - 1;
  const end = bytes.length;
  let n = 0;
  let row = 0;
  let at = last;
  while (at < end) {
    const move = moves[bytes[at]];
    if (move !== 0) {
      at += move;
      continue;
    }
    let back = 1;
    while (back <= last && (bytes[at - back] === low[last - back] || bytes[at - back] === high[last - back])) back++;
    if (back <= last) {
      at += onward;
      continue;
    }
    while (starts[row + 1] <= at) row++;
    rows[n++] = row;
    at = starts[row + 1] + last;
  }
  return n;
}
