// The lists of a board: what the hand has done shows before it is answered, and where the arrows lead. Pure.

/** In the order in which arrows go through them, with the key that moves a keyword there. */
export const BOARD_LISTS = [
  { id: "specific", key: "s", label: "Specific", hint: "each retrieves by itself" },
  { id: "general", key: "g", label: "General", hint: "only together with what is overarching" },
  { id: "overarching", key: "o", label: "Overarching", hint: "what general keywords are joined with" },
  { id: "excluded", key: "x", label: "Excluded", hint: "what has one of these is left out" },
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
