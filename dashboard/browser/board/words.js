// What a board says of keywords, in plain words. Pure.
import { betaIndex, count, countOf, NOTHING, significant } from "../shared/format.js";
import { percentWords, signedCount, signedScore } from "../shared/numbers.js";

const SEEN_BETTER = 0.0005;
const WARNING_FLAGS = new Set(["zero_hit", "harmful", "not_testable", "waits"]);

/** The flags of a keyword: [{ id, words, help, warns }], those that ask for something first. */
export function keywordFlags(row, beta) {
  const score = `F${betaIndex(beta)}`;
  const alone = countOf(row.core_unique ?? 0, "core publication");
  const known = {
    zero_hit: ["finds nothing", "No publication here has it. Check how it is spelled, or delete it."],
    not_testable: ["can’t be tested", "This corpus lacks the field that it asks for. It stays in the string."],
    harmful: ["better without", `Without it ${score} is higher: it brings more to read than it is worth.`],
    waits: ["waits", "General keywords wait until there is something overarching to go with."],
    subsumed: ["adds nothing", "Other keywords bring all that it brings: leaving it out changes nothing."],
    single_point_of_failure: [`alone finds ${count(row.core_unique ?? 0)} core`, `${alone} would be lost without it.`],
  };
  const raised = new Set([...(row.flags ?? []), ...(row.waits ? ["waits"] : [])]);
  return Object.entries(known).filter(([id]) => raised.has(id)).map(([id, [words, help]]) => {
    return { id, words, help, warns: WARNING_FLAGS.has(id) };
  });
}

/** The four numbers of a row as they stand in their columns; aside, the last two say what it would change elsewhere. */
export function keywordNumbers(row, list) {
  const share = row.unique_share;
  const isAside = list === "aside";
  return {
    n_alone: count(row.n_alone),
    core_found: count(row.core_found),
    unique: isAside ? signedScore(row.if_moved?.specific?.f_beta_change) : shareWords(share),
    price: signedScore(isAside ? row.if_moved?.general?.f_beta_change : row.without),
  };
}

function shareWords(share) {
  return typeof share === "number" ? percentWords(share) : NOTHING;
}

/** Which of its changes would raise the score: { unique, price }. */
export function raisesScore(row, list) {
  const raises = (change) => typeof change === "number" && change > SEEN_BETTER;
  if (list !== "aside") return { unique: false, price: raises(row.without) };
  return { unique: raises(row.if_moved?.specific?.f_beta_change), price: raises(row.if_moved?.general?.f_beta_change) };
}

/** A keyword with its numbers in one sentence, for those who hear the page. */
export function spokenKeyword(row, list, nCore, beta) {
  if (typeof row.n_alone !== "number") return `${row.text}, in ${list}`;
  const parts = [
    `${row.text}, in ${list}`, countOf(row.n_alone, "publication"), `${count(row.core_found)} of ${count(nCore)} core`,
  ];
  if (typeof row.without === "number") parts.push(`without it F${betaIndex(beta)} ${signedScore(row.without)}`);
  return [...parts, ...keywordFlags(row, beta).map(({ words }) => words)].join(", ");
}

/** What a move would do: "F2 +0.012 · +34 publications · +1 core"; "" where nothing is known. */
export function moveWords(effect, now, beta) {
  if (!effect) return "";
  const parts = [];
  if (typeof effect.f_beta_change === "number") parts.push(`F${betaIndex(beta)} ${signedScore(effect.f_beta_change)}`);
  else if (typeof effect.f_beta === "number") parts.push(`F${betaIndex(beta)} ${significant(effect.f_beta)}`);
  const more = effect.n_retrieved - now.n_retrieved;
  parts.push(`${signedCount(more)} ${Math.abs(more) === 1 ? "publication" : "publications"}`);
  const core = effect.n_found - now.n_found;
  if (core) parts.push(`${signedCount(core)} core`);
  return parts.join(" · ");
}

/** The last turn and what came of it, as one sentence. */
export function lastWords(last, beta) {
  if (!last) return "";
  const { n_retrieved: n, n_found: core, f_beta: score } = last;
  const parts = [
    n ? `${countOf(Math.abs(n), "publication")} ${n > 0 ? "more" : "fewer"}` : "as many publications as before",
    core ? `${signedCount(core)} core` : "",
    typeof score === "number" && score !== 0 ? `F${betaIndex(beta)} ${signedScore(score)}` : "",
  ];
  const words = !n && !core && !score ? "Nothing else changes" : parts.filter(Boolean).join(", ");
  return `${last.said}. ${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** How a keyword is brought in a sentence for its card. */
export function broughtWords(row, nCore, isSplit) {
  if (typeof row.n_alone !== "number") return [];
  const core = `${count(row.core_found)} of the ${countOf(nCore, "core publication")}${isSplit ? " in use" : ""}`;
  const lines = [`In ${countOf(row.n_alone, "publication")}; among them ${core}.`];
  if (row.n_unique) {
    const ofCore = row.core_unique ? `, ${count(row.core_unique)} of them core` : "";
    lines.push(`${countOf(row.n_unique, "publication")} ${row.n_unique === 1 ? "hangs" : "hang"} on it alone${ofCore}.`);
  }
  if (typeof row.read_per_core === "number") {
    lines.push(`${significant(row.read_per_core)} to read for each core publication.`);
  }
  return lines;
}
