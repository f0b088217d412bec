// Findings of one kind together, so that sixty of them read like one. Pure.

const SEVERITY_ORDER = { error: 0, warning: 1, hint: 2 };
const FEWEST_ALIKE = 3; // two are sooner read than unfolded
const GO_ON = " There are more of this kind."; // said by the last one where Python stops counting

/**
 * Findings as [{ key, findings, message, more }], the gravest first, then in the order of the text. Those of one kind
 * stand together if there are at least three. `message` is what all of them say, null if they differ; `more`: there
 * are others that were not listed.
 */
export function alike(findings) {
  const sorted = [...findings].sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] || a.start - b.start);
  const kinds = new Map();
  for (const finding of sorted) {
    const key = `${finding.severity} ${finding.rule}`;
    if (!kinds.has(key)) kinds.set(key, []);
    kinds.get(key).push(finding);
  }
  const found = [...kinds].flatMap(([key, all]) => {
    if (all.length < FEWEST_ALIKE) return all.map((finding) => ({ key: `${key} ${finding.start}`, findings: [finding] }));
    return [{ key, findings: all }];
  });
  found.sort(({ findings: [a] }, { findings: [b] }) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] || a.start - b.start);
  return found.map(({ key, findings: all }) => {
    const said = all.map(({ message }) => (message.endsWith(GO_ON) ? message.slice(0, -GO_ON.length) : message));
    const message = said.every((each) => each === said[0]) ? said[0] : null;
    return { key, findings: all, message, more: all.some(({ message: whole }) => whole.endsWith(GO_ON)) };
  });
}

/** "3 errors, 1 hint": how many there are of each weight. */
export function weights(findings) {
  const n = { error: 0, warning: 0, hint: 0 };
  for (const { severity } of findings) if (severity in n) n[severity]++;
  return Object.entries(n).filter(([, many]) => many).map(([name, many]) => `${many} ${name}${many === 1 ? "" : "s"}`).join(", ");
}
