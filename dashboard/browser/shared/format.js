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
  return madeUp && !topic.endsWith("(made up)") ? `${topic} (demo data)` : topic;
}

function withMinus(text) {
  return text.replace(/-/g, "−");
}

/** A similarity with three decimals, so that the number stays as wide while it moves. */
export function fixedThree(value) {
  return Number.isFinite(value) ? value.toFixed(3).replace("-", "−") : "–";
}

/** "F2" for beta 2. */
export function fBetaName(beta) {
  return `F${betaIndex(beta)}`;
}

// Numbers of the workbench in words: changes, effects, prices. Pure.

/** A whole number with its sign: "+12", "−3", "±0". */
export function signedCount(n) {
  if (typeof n !== "number" || !Number.isFinite(n)) return NOTHING;
  return n === 0 ? "±0" : n > 0 ? `+${count(n)}` : count(n);
}

/** A score's change with its sign and three decimals; what rounds to nothing is "≈0". */
export function signedScore(change) {
  if (typeof change !== "number" || !Number.isFinite(change)) return NOTHING;
  const text = Math.abs(change).toFixed(3);
  if (Number(text) === 0) return change === 0 ? "±0" : "≈0";
  return `${change > 0 ? "+" : "−"}${text}`;
}

/** What became of a number since the last version, as it stands behind it; "" if nothing or nothing known. */
export function changeSince(before, after, signed) {
  if (typeof before !== "number" || typeof after !== "number" || before === after) return "";
  return signed(after - before);
}

/** "+120 publications, +2 core" of an effect; null if it isn't known. */
export function effectWords(effect) {
  if (!effect) return null;
  const { records_gained: more, records_lost: fewer, core_gained: coreMore, core_lost: coreFewer } = effect;
  const parts = [
    more && `+${countOf(more, "publication")}`, fewer && `−${countOf(fewer, "publication")}`,
    coreMore && `+${count(coreMore)} core`, coreFewer && `−${count(coreFewer)} core`,
  ];
  return parts.filter(Boolean).join(", ") || "retrieves the same";
}

/** What an edit brings and costs. */
export function priceWords({ n_added: added, core_gained: core, reach, semantic_precision: precision, f_beta_change: change }) {
  if (typeof added !== "number") return "Effect unknown: it can’t be tested here.";
  const parts = [`${signedCount(added)} ${added === 1 ? "publication" : "publications"}`, reach ?? `${signedCount(core)} core`];
  if (typeof precision === "number") parts.push(`their precision ${significant(precision)}`);
  if (typeof change === "number") parts.push(`F2 ${signedScore(change)}`);
  return parts.join(" · ");
}

/** A share in words: 0.943 is "94 %". One that is not certain is never called 100 %. */
export function percentWords(share) {
  if (typeof share !== "number") return "";
  const whole = Math.round(100 * share);
  return `${share < 1 ? Math.min(whole, 99) : whole} %`;
}

/** A title for a list, in which a retracted publication can be told from others; publishers may say it in the title. */
export function listedTitle(title, retracted) {
  const known = title || "No title";
  return retracted && !/^\W?retracted\b/i.test(known) ? `Retracted: ${known}` : known;
}
