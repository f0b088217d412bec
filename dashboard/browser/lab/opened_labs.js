// The labs of this tab: as Python sent them first, and as they were left. Pure; outlives the page that shows them.
import { areSame, firstValues, linkOf } from "./values.js";

/** Any lab can be drawn from here at once; Python is asked only for values that it has not computed. */
export class OpenedLabs {
  /** @type {Map<string, { first: any, document: any, values: Record<string, any> }>} */ #labs = new Map();
  #handled = -1;
  /** @type {string | null} The lab that is shown. */ current = null;
  /** @type {any} Colours of both themes, ramp and font. */ look = null;
  /** Whether "For experts" is open. */ isExpert = false;

  get names() {
    return [...this.#labs.keys()];
  }

  has(name) {
    return this.#labs.has(name);
  }

  /** Every lab as it is at first. What was moved stays; only what can be chosen may be new. */
  receive(documents) {
    for (const first of documents) {
      const known = this.#labs.get(first.lab);
      const isMoved = known && known.document !== known.first;
      if (isMoved) this.#labs.set(first.lab, { ...known, first, document: { ...known.document, controls: first.controls } });
      else this.#labs.set(first.lab, { first, document: first, values: known?.values ?? { ...first.values } });
    }
  }

  /**
   * Take an answer of Python, once; one without a bench, which is being computed, until the bench is there. `isNewest`:
   * nothing was moved since. Whether it was taken.
   */
  answer({ answer, echo = 0 }, isNewest) {
    const known = answer && this.#labs.get(answer.lab);
    if (!known || echo < this.#handled || (echo === this.#handled && known.document.bench)) return false;
    this.#handled = echo;
    known.document = answer;
    if (isNewest) known.values = { ...answer.values };
    return true;
  }

  /** What is drawn: the last that Python computed. */
  documentOf(name = this.current) {
    return this.#of(name).document;
  }

  firstOf(name) {
    return this.#of(name).first;
  }

  valuesOf(name = this.current) {
    return this.#of(name).values;
  }

  move(values, name = this.current) {
    this.#of(name).values = values;
  }

  /** Put a lab back to what it was at first, which needs no answer. */
  reset(name = this.current) {
    const known = this.#of(name);
    known.values = firstValues(known.first.controls);
    if (known.first.bench) known.document = known.first;
  }

  /** Whether its controls are ahead of what is drawn. */
  isBehind(name = this.current) {
    const { document, values } = this.#of(name);
    return !areSame(document.values, values);
  }

  /** Whether Python has to be asked before it can be shown as its controls are. */
  needsAnswer(name = this.current) {
    return this.isBehind(name) || !this.documentOf(name).bench;
  }

  /** Whether a link asks for other values than those it has. */
  differs(name, sent) {
    return !areSame(linkOf(this.documentOf(name).controls, this.valuesOf(name)), sent);
  }

  /** The lab that many places after the current one; null beyond the ends. */
  beside(places) {
    return this.names[this.names.indexOf(String(this.current)) + places] ?? null;
  }

  #of(name) {
    const known = this.#labs.get(name);
    if (!known) throw new Error(`no lab ${name}`);
    return known;
  }
}
