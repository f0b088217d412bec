// What was noticed while the search string was read, and what would put it right.
import { make } from "./elements.js";
import { effectWords } from "./workbench_numbers.js";
import { button, markOnHover, nothing, placeButton, redraw } from "./workbench_parts.js";

const SEVERITY_ORDER = { error: 0, warning: 1, hint: 2 };
const SEVERITY_NAMES = { error: "Error", warning: "Warning", hint: "Hint" };

/** Calls `ask(kind, more)`. */
export class Findings {
  constructor({ ask, editor }) {
    Object.assign(this, { ask, editor });
    this.element = make("div", { class: "findings" });
  }

  update({ findings = [], text }) {
    redraw(this.element, JSON.stringify(findings), () => this.#build(findings, text));
  }

  #build(findings, text) {
    if (!findings.length) return [nothing("Nothing to complain about: the search string is read as it is written.")];
    const sorted = [...findings].sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity] || a.start - b.start);
    const unknown = findings.some(({ fix }) => fix && !fix.effect);
    const rows = sorted.map((finding) => this.#row(finding, text));
    const list = make("ul", { class: "rows" }, ...rows);
    if (!unknown) return [list];
    const ask = button("Predict what each fix changes", () => this.ask("effects"), { "data-stay": "effects" });
    return [make("p", { class: "panel-line" }, ask), list];
  }

  #row({ id, title, severity, start, end, message, fix }, text) {
    const name = make("span", { class: `severity ${severity}` }, SEVERITY_NAMES[severity] ?? severity);
    const words = text.slice(start, end).replace(/\s+/g, " ").trim();
    const place = placeButton(words.length > 48 ? `${words.slice(0, 47)}…` : words || `at ${start + 1}`, { start, end }, this.editor, {
      "data-stay": `place-${id}`,
    });
    const said = make("div", { class: "said" }, make("strong", {}, title), make("p", {}, message));
    const row = make("li", { class: "row finding" }, name, said, place);
    markOnHover(row, { start, end }, this.editor);
    if (fix) {
      const effect = effectWords(fix.effect);
      const press = button(fix.label, () => this.ask("fix", { id }), { "data-stay": `fix-${id}` });
      row.append(make("div", { class: "act" }, press, make("span", { class: "effect" }, effect ?? "")));
    }
    return row;
  }
}
