// What was noticed while the search string was read, and what would put it right. Many of a kind are folded into one.
import { button, markOnHover, nothing, placeButton, redraw } from "../shared/controls.js";
import { make } from "../shared/elements.js";
import { count, effectWords } from "../shared/format.js";
import { onOneLine } from "./tree.js";

const SEVERITY_NAMES = { error: "Error", warning: "Warning", hint: "Hint" };
const LONGEST_PLACE = 48;
const MOST_PREVIEWED = 12;

/** Calls `ask(kind, more)`. */
export class Findings {
  constructor({ ask, editor }) {
    this.ask = ask;
    this.editor = editor;
    this.unfolded = new Set();
    this.scrolled = new Map();
    this.element = make("div", { class: "findings" });
  }

  update({ findings = [], text }) {
    redraw(this.element, JSON.stringify([findings, text]), () => this.#build(findings, text));
    for (const list of this.element.querySelectorAll(".alike-list")) {
      const top = this.scrolled.get(list.getAttribute("data-kind")) ?? 0;
      if (list.scrollTop !== top) list.scrollTop = top;
    }
  }

  #build(findings, text) {
    if (!findings.length) return [nothing("No problems found.")];
    const rows = alike(findings).map((each) => this.#kind(each, text));
    const line = make("div", { class: "panel-line" }, make("span", { class: "weights" }, weights(findings)));
    const fixes = findings.filter(({ fix }) => fix);
    if (fixes.length && !fixes.some(({ fix }) => fix?.effect)) {
      line.append(button("Predict what each fix changes", () => this.ask("effects"), { "data-stay": "effects" }));
    }
    return [line, make("ul", { class: "rows" }, ...rows)];
  }

  #kind(kind, text) {
    const { findings } = kind;
    const [first] = findings;
    const name = make("span", { class: `severity ${first.severity}` }, SEVERITY_NAMES[first.severity] ?? first.severity);
    if (findings.length > 1) return make("li", { class: "row finding alike" }, name, this.#folded(kind, text));
    const wording = make("div", { class: "wording" }, make("strong", {}, first.title), make("p", {}, first.message));
    const row = make("li", { class: "row finding" }, name, wording, this.#place(first, text), ...this.#act(first));
    markOnHover(row, first, this.editor);
    return row;
  }

  /** One line for all of a kind; the rows below it are there once it is unfolded. */
  #folded({ key, findings, message, more }, text) {
    const shown = findings.slice(0, MOST_PREVIEWED).map((finding) => wordsAt(finding, text)).join("   ");
    const title = make("strong", {}, findings[0].title);
    const head = make("summary", { "data-stay": `kind-${key}` },
      make("span", { class: "alike-head" }, title, make("span", { class: "tab-number" }, `${count(findings.length)}${more ? "+" : ""}`),
        message ? make("span", { class: "alike-message" }, message) : ""),
      make("span", { class: "alike-preview", "aria-hidden": "true" }, shown));
    const list = make("ul", { class: "alike-list", "data-kind": key });
    list.addEventListener("scroll", () => this.scrolled.set(key, list.scrollTop), { passive: true });
    const details = make("details", {}, head, list);
    const fill = () => {
      if (!list.childElementCount) list.append(...findings.map((finding) => this.#one(finding, message, text)));
    };
    details.open = this.unfolded.has(key);
    if (details.open) fill();
    details.addEventListener("toggle", () => {
      this.unfolded[details.open ? "add" : "delete"](key);
      if (details.open) fill();
    });
    return details;
  }

  #one(finding, message, text) {
    const wording = message ? [] : [make("span", { class: "wording" }, finding.message)];
    const row = make("li", {}, this.#place(finding, text), ...wording, ...this.#act(finding));
    markOnHover(row, finding, this.editor);
    return row;
  }

  #place(finding, text) {
    return placeButton(wordsAt(finding, text), finding, this.editor, { "data-stay": `place-${finding.id}` });
  }

  #act({ id, fix, other_fixes: others = [] }) {
    if (!fix) return [];
    const fixes = [fix, ...others].map(({ label, effect }, at) => {
      const press = button(label, () => this.ask("fix", { id, fix: at }), { "data-stay": `fix-${id}-${at}` });
      return make("div", { class: "fix" }, press, make("span", { class: "effect" }, effectWords(effect) ?? ""));
    });
    return [make("div", { class: "act" }, ...fixes)];
  }
}

/** What stands where a finding points at, short. */
function wordsAt({ start, end }, text) {
  const words = onOneLine(text.slice(start, end)) || `at character ${start + 1}`;
  return words.length > LONGEST_PLACE ? `${words.slice(0, LONGEST_PLACE - 1)}…` : words;
}

// Findings of one kind together, so that sixty of them read like one. Pure.

const SEVERITY_ORDER = { error: 0, warning: 1, hint: 2 };
const FEWEST_ALIKE = 3; // two are sooner read than unfolded
const GO_ON = " There are more of this kind."; // added by the last one where Python stops counting

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
    const wording = all.map(({ message }) => (message.endsWith(GO_ON) ? message.slice(0, -GO_ON.length) : message));
    const message = wording.every((each) => each === wording[0]) ? wording[0] : null;
    return { key, findings: all, message, more: all.some(({ message: whole }) => whole.endsWith(GO_ON)) };
  });
}

/** "3 errors, 1 hint": how many there are of each weight. */
export function weights(findings) {
  const n = { error: 0, warning: 0, hint: 0 };
  for (const { severity } of findings) if (severity in n) n[severity]++;
  return Object.entries(n).filter(([, many]) => many).map(([name, many]) => `${many} ${name}${many === 1 ? "" : "s"}`).join(", ");
}
