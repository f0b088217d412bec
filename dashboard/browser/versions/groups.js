// Which of several versions has a publication, and how many there are of each group. Pure.

/** The group of each row: 0 none of the versions, k version k alone, one more than there are versions: several. */
export function groupsOf(members, nVersions) {
  const code = new Uint8Array(1 << nVersions).fill(nVersions + 1);
  code[0] = 0;
  for (let bit = 0; bit < nVersions; bit++) code[1 << bit] = bit + 1;
  return members.map((member) => code[member]);
}

/** Publications and core publications of each group, in its order: [{ n, nCore, nUnplaced }]. */
export function groupTallies(groups, core, nPlaced, nVersions) {
  const tallies = Array.from({ length: nVersions + 2 }, () => ({ n: 0, nCore: 0, nUnplaced: 0 }));
  for (let row = 0; row < groups.length; row++) {
    const tally = tallies[groups[row]];
    tally.n++;
    if (core[row]) tally.nCore++;
    if (row >= nPlaced) tally.nUnplaced++;
  }
  return tallies;
}

/** Entries of the legend: a group of publications each, then the core by who found it. */
export function overlayEntries({ header, arrays }, groups) {
  const n = header.labels.length;
  const tallies = groupTallies(groups, arrays.core, header.n_placed, n);
  const order = [...header.labels.keys()].map((k) => k + 1).concat(n + 1, 0);
  const dots = order.filter((code) => code <= n || n > 1).map((code) => ({
    name: `group-${code}`, kind: "dots", code, label: header.groups[code], n: tallies[code].n,
  }));
  const found = order.filter((code) => code && (code <= n || n > 1)).map((code) => ({
    name: `core-${code}`, kind: "core", code, n: tallies[code].nCore,
    label: code > n ? `Core found by ${n === 2 ? "both" : "several"}` : `Core: only ${header.labels[code - 1]}`,
  }));
  return [...dots, ...found, { name: "core-0", kind: "core", code: 0, label: "Core missed", n: tallies[0].nCore }];
}

/** One sentence on who has a publication. */
export function heldBy(member, labels) {
  const having = labels.filter((_, bit) => (member >> bit) & 1);
  if (!having.length) return labels.length === 2 ? "Neither version retrieves it." : "None of the versions retrieves it.";
  if (having.length === labels.length) return labels.length === 2 ? "Both versions retrieve it." : "All versions retrieve it.";
  const words = having.length > 1 ? `${having.slice(0, -1).join(", ")} and ${having.at(-1)} retrieve it.` : `Only ${having[0]} retrieves it.`;
  return words;
}

/** The rows of a table: who has each publication that is shown. */
export function overlayTable({ header, arrays }, groups, idOf, titleOf, isShown) {
  const head = ["Id", "Title", "Year", ...header.labels.map((label) => `In ${label}`), "Group", "Core"];
  const rows = [];
  for (let row = 0; row < groups.length; row++) {
    if (!isShown(groups[row], arrays.core[row])) continue;
    const held = header.labels.map((_, bit) => ((arrays.members[row] >> bit) & 1 ? "yes" : "no"));
    rows.push([idOf(row), titleOf(row), arrays.year[row] || null, ...held, header.groups[groups[row]], arrays.core[row] ? "yes" : "no"]);
  }
  return [head, ...rows];
}
