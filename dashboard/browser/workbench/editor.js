// The editor: a plain text field over a mirror of the same text that is coloured. What is typed is never changed.
import { make, oncePerFrame, write } from "../shared/elements.js";
import { changedBetween, classOf, runsOf, runsWithin, shiftedSpans } from "../shared/text.js";

const TYPED_REST_MS = 400;
const [FEWEST, MOST] = [2, 12];
const LINE_PX = 22;
const FRAME_PX = 18; // padding and border above and below

/** Calls `onEdit(text)` when the hand rests, `onCaret(place)` when the caret moves, `onRun()` on Control and Enter. */
export class Editor {
  constructor({ onEdit, onCaret, onRun }) {
    this.onEdit = onEdit;
    this.onCaret = onCaret;
    this.onRun = onRun;
    /** @type {{ text: string, spans: Span[], findings: Span[] }} What Python read. */
    this.read = { text: "", spans: [], findings: [] };
    /** @type {any[]} The runs that are drawn, and what each looks like and says. */ this.runs = this.keys = [];
    /** @type {Span[]} */ this.struck = this.revived = [];
    /** @type {Span[]} */ this.marked = [];
    /** @type {Set<HTMLElement>} */ this.painted = new Set();
    this.sent = "";
    this.timer = this.shown = 0;
    this.mirror = make("div", { class: "mirror", "aria-hidden": "true" });
    this.field = make("textarea", {
      class: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Search string",
      "data-testid": "search-string", rows: FEWEST, "aria-describedby": "editor-words",
      placeholder: "Type or paste a search string, for example (asthma* OR wheez*) AND \"inhaled steroid*\"",
    });
    this.words = make("p", { class: "unseen", id: "editor-words" }, "Press Ctrl+Enter to run it.");
    this.end = document.createTextNode("\n ");
    this.ink = make("div", { class: "ink" });
    this.ink.append(this.end);
    this.mirror.append(this.ink);
    this.element = make("div", { class: "editor" }, this.mirror, this.field, this.words);
    this.frame = oncePerFrame(() => this.draw());
    this.#listen();
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.element);
  }

  #listen() {
    this.field.addEventListener("input", () => {
      this.draw();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), TYPED_REST_MS);
    });
    this.field.addEventListener("blur", () => this.flush());
    this.field.addEventListener("scroll", () => (this.mirror.scrollTop = this.field.scrollTop), { passive: true });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.flush();
      this.onRun();
    });
    for (const name of ["keyup", "pointerup"]) this.field.addEventListener(name, () => this.tellCaret());
  }

  destroy() {
    clearTimeout(this.timer);
    this.frame.stop();
    this.observer.disconnect();
  }

  get text() { return this.field.value; }
  /** Whether something was typed that is not reported yet. */
  get isAhead() { return this.text !== this.sent; }

  /** Tell what was typed, if something was. */
  flush() {
    clearTimeout(this.timer);
    if (!this.isAhead) return;
    this.sent = this.text;
    this.onEdit(this.text);
  }

  /** What Python read. `isNews`: nothing was typed since, so its text is the text. */
  take({ text, spans, findings }, isNews) {
    if (text !== this.read.text) this.marked = [];
    this.read = { text, spans, findings };
    if (isNews && !this.isAhead) {
      if (this.text !== text) this.#replace(text);
      this.sent = text;
    }
    this.draw();
  }

  /** As if it was typed. */
  type(text) {
    this.field.value = text;
    this.draw();
    this.flush();
  }

  /** This text became a version: what was typed since is a draft of that. */
  goOn(text) {
    clearTimeout(this.timer);
    this.sent = text;
    if (this.isAhead) this.timer = setTimeout(() => this.flush(), TYPED_REST_MS);
  }

  /** Another text altogether, whatever was typed. */
  reset(text) {
    clearTimeout(this.timer);
    this.sent = this.field.value = text;
  }

  /** Another text; the caret stays where it is as far as that is possible. */
  #replace(text) {
    const { selectionStart, selectionEnd } = this.field;
    this.field.value = text;
    if (this.field.matches(":focus")) this.field.setSelectionRange(selectionStart, selectionEnd);
  }

  /** Strike what was just switched off, before Python answers. */
  strike(struck, revived) {
    this.struck = struck;
    this.revived = revived;
    this.frame.ask();
  }

  draw() {
    const { text } = this;
    const moved = (spans) => shiftedSpans(this.read.text, text, spans);
    const runs = runsOf(text, moved(this.read.spans), moved(this.read.findings), moved(this.struck), moved(this.revived));
    const keys = runs.map((run) => `${classOf(run)}\n${text.slice(run.start, run.end)}`);
    const { head, tail } = changedBetween(this.keys, keys);
    const nodes = this.ink.children;
    for (let i = this.keys.length - tail - 1; i >= head; i--) nodes[i].remove();
    const fresh = runs.slice(head, runs.length - tail).map((run) => {
      const made = make("span", { class: classOf(run) });
      write(made, text.slice(run.start, run.end));
      return made;
    });
    const before = nodes[head] ?? this.end;
    before.before(...fresh);
    this.keys = keys;
    this.runs = runs;
    this.paintMark();
    this.fit();
  }

  /** The runs as they are drawn. */
  #inked() {
    return /** @type {HTMLElement[]} */ (Array.from(this.ink.children));
  }

  /** From three lines to twelve, then it scrolls. */
  fit() {
    const lines = Math.round(this.ink.offsetHeight / LINE_PX) - 1;
    const shown = Math.min(Math.max(lines, FEWEST), MOST);
    if (this.shown !== shown) {
      this.shown = shown;
      this.element.style.height = `${shown * LINE_PX + FRAME_PX}px`;
    }
    this.mirror.scrollTop = this.field.scrollTop;
  }

  /** Mark places of the text that Python read, or nothing. */
  mark(...spans) {
    this.marked = spans.filter(Boolean);
    this.paintMark();
  }

  paintMark() {
    const inked = this.#inked();
    const spans = shiftedSpans(this.read.text, this.text, this.marked);
    const wanted = new Set(spans.flatMap((span) => inked.slice(...runsWithin(this.runs, span))));
    for (const element of this.painted) if (!wanted.has(element)) element.classList.remove("marked");
    for (const element of wanted) element.classList.add("marked");
    this.painted = wanted;
  }

  /** Go to a place of the text that Python read. */
  select(start, end) {
    const [span] = shiftedSpans(this.read.text, this.text, [{ start, end }]);
    if (!span) return;
    this.field.focus();
    this.field.setSelectionRange(span.start, span.end);
    const at = this.runs.findIndex((run) => run.end > span.start);
    const top = this.#inked()[at]?.offsetTop ?? 0;
    const height = this.field.clientHeight;
    if (top < this.field.scrollTop || top > this.field.scrollTop + height - LINE_PX) this.field.scrollTop = top - height / 2;
  }

  /** Say where the caret is, in the text that Python read; nothing while a part of it is selected. */
  tellCaret() {
    const { selectionStart, selectionEnd } = this.field;
    const whole = selectionStart === selectionEnd && this.text === this.read.text;
    this.onCaret(whole ? selectionStart : null);
  }
}
