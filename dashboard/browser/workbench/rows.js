// The rows of the tree of a search string: which are in sight, and what their flags say. Pure.

/** A node as one word or two, with what it means. */
export const FLAGS = {
  zero_hit: ["no hits", "It matches no publication here. Check the spelling, or take it out."],
  subsumed: ["covered", "Other terms of its group bring all that it brings."],
  harmful: ["harmful", "Without it the F-beta is higher: it brings more to read than it is worth."],
  narrow: ["too narrow", "Without it the F-beta is higher: it keeps out more that is worth reading than it spares."],
  single_point_of_failure: ["sole finder", "Some core publications are found by it alone. Keep it, or add synonyms."],
  not_testable: ["not testable", "This corpus can’t test it, so it is left out here. It stays in the search string."],
  off: ["off", "Switched off here. It stays in the search string."],
};
const WARNS = new Set(["zero_hit", "harmful", "narrow"]);

/** Whether a flag asks for something to be done. */
export function isWarning(flag) {
  return WARNS.has(flag);
}

/** The flags of a node by name. What is harmful either brings too much, or, if more comes without it, keeps too much out. */
export function flagsOf({ flags = [], n_gained_if_removed: gained }) {
  const named = flags.filter((flag) => flag in FLAGS && flag !== "off");
  return named.map((flag) => (flag === "harmful" && gained > 0 ? "narrow" : flag));
}

/** Which part of the AND at the root each node is, by its number, counted from 1; none if there is no such AND. */
export function blocksOf(nodes) {
  const root = nodes.find(({ depth }) => depth === 0);
  if (root?.kind !== "AND") return new Map();
  return new Map(nodes.filter(({ parent }) => parent === root.number).map(({ number }, at) => [number, at + 1]));
}

/** A text without line breaks. */
export function onOneLine(text) {
  return text.replace(/\s+/g, " ").trim();
}

/** What stands behind the name of a group: what is in it. */
export function groupWords({ kind, text }) {
  return kind === "NOT" ? onOneLine(text).replace(/^not\s+/i, "") : onOneLine(text);
}

/** Which nodes have parts: their numbers. */
export function parentsOf(nodes) {
  return new Set(nodes.map(({ parent }) => parent).filter((parent) => parent !== null && parent !== undefined));
}

/** Nodes in sight: those with no folded node above them. Parents stand before their parts. */
export function unfolded(nodes, folded) {
  const hidden = new Set();
  return nodes.filter(({ number, parent }) => {
    const below = hidden.has(parent);
    if (below || folded.has(number)) hidden.add(number);
    return !below;
  });
}

/** The numbers of all nodes above one, the nearest first. */
export function above(nodes, number) {
  const byNumber = new Map(nodes.map((node) => [node.number, node]));
  const found = [];
  let node = byNumber.get(number);
  while (node && byNumber.has(node.parent) && !found.includes(node.parent)) {
    found.push(node.parent);
    node = byNumber.get(node.parent);
  }
  return found;
}

/** Numbers of nodes that are switched off themselves, ascending; those below them are off with them. */
export function switchedOff(nodes) {
  const off = new Set(nodes.filter((node) => node.off).map((node) => node.number));
  return nodes.filter(({ number, parent }) => off.has(number) && !off.has(parent)).map(({ number }) => number);
}

/** Nodes that are off with these switches: the switched ones and all below them. */
export function offWith(nodes, switched) {
  const off = new Set(switched);
  for (const { number, parent } of nodes) if (off.has(parent)) off.add(number);
  return off;
}

/** The switches after one was pressed. One below a switched-off group turns the group on. */
export function pressed(nodes, switched, number) {
  const off = new Set(switched);
  const blocked = above(nodes, number).filter((other) => off.has(other));
  if (blocked.length) blocked.forEach((other) => off.delete(other));
  else if (!off.delete(number)) off.add(number);
  return [...off].sort((a, b) => a - b);
}

/** What a node is called: a term by its text, a group by what it asks of its parts. */
export function nodeWords({ kind, text }, nParts = 0) {
  if (!nParts) return onOneLine(text);
  if (kind === "NOT") return "Not";
  return `${kind === "AND" ? "All of" : kind === "OR" ? "Any of" : "Near"} ${nParts}`;
}
