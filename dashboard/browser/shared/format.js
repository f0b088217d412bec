// Numbers and addresses as people read them. Pure: no page, no store.

/** What stands where there is no number. */
export const NOTHING = "–";

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A whole number with thousands separators: 17,573. */
export function count(n) {
  return isNumber(n) ? withMinus(WHOLE.format(n)) : NOTHING;
}

/**
 * A number with three significant digits. Scores from 0.1 to 1 keep three decimals, so that columns line up. What came
 * as a 32-bit float (0.21250001) is read as the number it stands for (0.2125), so that it is rounded like that one.
 */
export function significant(number) {
  if (!isNumber(number)) return NOTHING;
  const value = Number(number.toPrecision(7));
  const size = Math.abs(value);
  if (size >= 99.95) return count(number);
  if (size === 0 || (size >= 0.09995 && size <= 1)) return withMinus(value.toFixed(3));
  return withMinus(size < 1e-4 ? value.toExponential(2) : value.toPrecision(3));
}

/** Two ends of an interval: "0.556 to 0.858". */
export function interval(low, high) {
  return isNumber(low) && isNumber(high) ? `${significant(low)} to ${significant(high)}` : NOTHING;
}

/** A number of things in words: "1 publication", "3 publications". */
export function countOf(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** "F2" has its beta as an index: this is the index, without needless zeros. */
export function betaIndex(beta) {
  return isNumber(beta) ? withMinus(String(Number(beta.toPrecision(3)))) : "β";
}

/** The address of a DOI, or null if it is none: nothing else may become a link. */
export function doiAddress(doi) {
  if (typeof doi !== "string" || !/^10\./.test(doi)) return null;
  try {
    return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
  } catch {
    return null; // half of a surrogate pair
  }
}

/** A number between 0 and 1 as a place on a track. */
export function percentAlong(value) {
  return `${Math.min(1, Math.max(0, value)) * 100}%`;
}

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** A topic as the title of a file; one that is made up says so, once. */
export function topicTitle({ topic, made_up: madeUp }) {
  return madeUp && !topic.endsWith("(made up)") ? `${topic} (made up)` : topic;
}

function withMinus(text) {
  return text.replace(/-/g, "−");
}
