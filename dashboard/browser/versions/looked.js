// Which versions were looked at again after they had been run, kept in this browser.

const nameOf = (topic) => `queryscape-looked-${topic}`;

/** The labels of the versions of a topic. @returns {Set<string>} */
export function lookedAt(topic, storage = globalThis.localStorage) {
  try {
    const kept = JSON.parse(storage.getItem(nameOf(topic)) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((label) => typeof label === "string") : []);
  } catch {
    return new Set(); // nothing may be kept here, or something else was written under this name
  }
}

/** Add a version (null: none), and return them all. */
export function keepLooked(topic, label, storage = globalThis.localStorage) {
  const looked = lookedAt(topic, storage);
  if (label === null || looked.has(label)) return looked;
  looked.add(label);
  try {
    storage.setItem(nameOf(topic), JSON.stringify([...looked]));
  } catch {
    // the browser keeps nothing
  }
  return looked;
}
