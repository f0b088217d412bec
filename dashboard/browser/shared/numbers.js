// Numbers of the workbench in words: changes, effects, prices. Pure.
import { count, countOf, NOTHING, significant } from "./format.js";

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
export function priceWords({ n_added: added, core_gained: core, semantic_precision: precision, f_beta_change: change }) {
  if (typeof added !== "number") return "Its price isn’t known: it can’t be tested here.";
  const parts = [`${signedCount(added)} ${added === 1 ? "publication" : "publications"}`, `${signedCount(core)} core`];
  if (typeof precision === "number") parts.push(`their precision ${significant(precision)}`);
  if (typeof change === "number") parts.push(`F-beta ${signedScore(change)}`);
  return parts.join(" · ");
}

/** A share in words: 0.943 is "94 %". One that is not certain is never called 100 %. */
export function percentWords(share) {
  if (typeof share !== "number") return "";
  const whole = Math.round(100 * share);
  return `${share < 1 ? Math.min(whole, 99) : whole} %`;
}
