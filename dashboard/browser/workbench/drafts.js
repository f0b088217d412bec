// What was typed and not run, kept in this browser: it outlives a reload, a restart of the server, and another tab.

const nameOf = (topic) => `queryscape-draft-${topic}`;

function readDraft(topic, storage) {
  try {
    const kept = JSON.parse(storage.getItem(nameOf(topic)) ?? "null");
    return typeof kept?.text === "string" ? kept : null;
  } catch {
    return null; // nothing may be kept here, or something else was written under this name
  }
}

/**
 * The draft of a version, or null. One is kept for each topic. It goes on with another version if its own is none of
 * `benches`: that was deleted since.
 * @param {string[] | null} benches
 */
export function keptDraft(topic, bench, benches = null, storage = globalThis.localStorage) {
  const kept = readDraft(topic, storage);
  const isLeft = benches !== null && kept !== null && !benches.includes(kept.bench);
  return kept?.bench === bench || isLeft ? kept.text : null;
}

/** Keep what is typed; null: nothing is, and only a draft of this version is forgotten. */
export function keepDraft(topic, bench, text, storage = globalThis.localStorage) {
  try {
    if (text !== null) storage.setItem(nameOf(topic), JSON.stringify({ bench, text }));
    else if (readDraft(topic, storage)?.bench === bench) storage.removeItem(nameOf(topic));
  } catch {
    // the browser keeps nothing: the draft lives as long as the page
  }
}
