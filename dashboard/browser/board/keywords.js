// The keywords of a board: which list holds which, where the arrow keys lead, and the words about them. Pure.
import {
  betaIndex, count, countOf, NOTHING, percentWords, signedCount, signedScore, significant,
} from "../shared/format.js";

/** In the order in which arrows go through them, with the key that moves a keyword there. */
export const BOARD_LISTS = [
  { id: "specific", key: "s", label: "Specific", hint: "each retrieves by itself" },
  { id: "general", key: "g", label: "General", hint: "only together with an overarching keyword" },
  { id: "overarching", key: "o", label: "Overarching", hint: "combined with general keywords" },
  { id: "excluded", key: "x", label: "Excluded", hint: "publications with one of these are left out" },
  { id: "aside", key: "a", label: "Aside", hint: "not in the string" },
];

/** The list that a key moves to; null: it is no such key. */
export function listOfKey(pressed) {
  return BOARD_LISTS.find(({ key }) => key === pressed.toLowerCase())?.id ?? null;
}

/** What a list is called. */
export function listLabel(id) {
  return BOARD_LISTS.find((list) => list.id === id)?.label ?? id;
}

/** Where a keyword stands: { list, at, row }; null: nowhere. */
export function placeOf(lists, key) {
  for (const { id, rows } of lists) {
    const at = rows.findIndex((row) => row.key === key);
    if (at >= 0) return { list: id, at, row: rows[at] };
  }
  return null;
}

/** The lists with changes that are not answered yet; rows that were touched are `stale`. What is gone is passed over. */
export function withChanges(lists, changes) {
  let now = lists;
  for (const change of changes) {
    const here = placeOf(now, change.key);
    if (!here) continue;
    now = now.map(({ id, rows, ...more }) => ({ id, ...more, rows: rows.filter(({ key }) => key !== change.key) }));
    if (change.kind !== "move") continue;
    now = now.map((list) => {
      if (list.id !== change.to) return list;
      const rows = [...list.rows];
      rows.splice(change.place ?? rows.length, 0, { ...here.row, stale: true });
      return { ...list, rows };
    });
  }
  return now;
}

/** The key that an arrow leads to from a keyword; the same one where it leads nowhere. */
export function nextKey(lists, key, pressed) {
  const here = placeOf(lists, key);
  if (!here) return lists.find(({ rows }) => rows.length)?.rows[0].key ?? null;
  const { rows } = lists.find(({ id }) => id === here.list);
  const inList = { ArrowDown: here.at + 1, ArrowUp: here.at - 1, Home: 0, End: rows.length - 1 }[pressed];
  if (inList !== undefined) return rows[Math.min(Math.max(inList, 0), rows.length - 1)].key;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[pressed];
  if (step === undefined) return key;
  const order = BOARD_LISTS.map(({ id }) => lists.find((list) => list.id === id)).filter(Boolean);
  for (let at = order.findIndex(({ id }) => id === here.list) + step; order[at]; at += step) {
    const there = order[at].rows;
    if (there.length) return there[Math.min(here.at, there.length - 1)].key;
  }
  return key;
}

/** Who has the keyboard after a keyword has left its list: the one behind it, so that a pile is sorted key by key. */
export function keyAfter(lists, key) {
  const here = placeOf(lists, key);
  if (!here) return null;
  const { rows } = lists.find(({ id }) => id === here.list);
  return (rows[here.at + 1] ?? rows[here.at - 1])?.key ?? key;
}

/** The place in a list for what is let go at this height: `middles` are those of its rows without the one that moves. */
export function placeAt(middles, y) {
  const at = middles.findIndex((middle) => y < middle);
  return at < 0 ? middles.length : at;
}

// What a board says of keywords, in plain words. Pure.

const SEEN_BETTER = 0.0005;
const WARNING_FLAGS = new Set(["zero_hit", "harmful", "not_testable", "waits"]);

/** The flags of a keyword: [{ id, words, help, warns }], those that ask for something first. */
export function keywordFlags(row, beta) {
  const score = `F${betaIndex(beta)}`;
  const alone = countOf(row.core_unique ?? 0, "core publication");
  const known = {
    zero_hit: ["finds nothing", "No publication here has it. Check the spelling, or delete it."],
    not_testable: ["can’t be tested", "This corpus lacks the field it searches. It stays in the string."],
    harmful: ["better without", `Without it ${score} is higher: it costs more than it brings.`],
    waits: ["waits", "General keywords wait until there is an overarching keyword."],
    subsumed: ["adds nothing", "Other keywords retrieve everything it retrieves: deleting it changes nothing."],
    single_point_of_failure: [`only this finds ${count(row.core_unique ?? 0)} core`, `${alone} would be lost without it.`],
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
  const words = !n && !core && !score ? "No other change" : parts.filter(Boolean).join(", ");
  return `${last.message}. ${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** How a keyword is brought in a sentence for its card. */
export function broughtWords(row, nCore, isSplit) {
  if (typeof row.n_alone !== "number") return [];
  const core = `${count(row.core_found)} of the ${countOf(nCore, "core publication")}${isSplit ? " in use" : ""}`;
  const lines = [`In ${countOf(row.n_alone, "publication")}; among them ${core}.`];
  if (row.n_unique) {
    const ofCore = row.core_unique ? `, ${count(row.core_unique)} of them core` : "";
    lines.push(`${countOf(row.n_unique, "publication")} ${row.n_unique === 1 ? "depends" : "depend"} on it alone${ofCore}.`);
  }
  if (typeof row.read_per_core === "number") {
    lines.push(`${significant(row.read_per_core)} to read for each core publication.`);
  }
  return lines;
}
