// Four coach marks over the page: a light on one thing after the other, and a small card beside it.
import { button } from "./controls.js";
import { attribute, make, oncePerFrame, placeBeside, show, write } from "./elements.js";
import { Part } from "./part.js";
import { styleSheet } from "./theme.js";

const PATIENCE = 3_000; // the page may still be building: wait this long for the last anchors,
const LAST_CALL = 20_000; // and this long for any
const LOOK_EVERY = 200;
const ROOM = 6; // around the anchor
const THEMED = ["background", "secondary-background", "text", "primary", "border"].map((name) => `${name}-color`);

/** Starts by itself on a first visit, and whenever `run` rises. */
export class Tour extends Part {
  /** @type {any} */ data;
  /** @type {TourLayer | null} */ layer = null;
  timer = 0;

  update(data) {
    this.data = data;
    if (data.run > this.store.tourRun) {
      this.store.tourRun = data.run;
      this.startWhenThere();
    } else if (!data.run && !this.store.tourSeen && !remembered(data.remember_key)) this.startWhenThere();
  }

  destroy() {
    super.destroy();
    clearInterval(this.timer);
    this.layer?.close();
  }

  /** Wait until the first anchor is on the page, then start. */
  startWhenThere() {
    this.store.tourSeen = true;
    clearInterval(this.timer);
    const since = Date.now();
    const look = () => {
      const { steps } = this.data;
      const waited = Date.now() - since;
      const there = steps.filter(({ anchor }) => anchorNamed(this.store, anchor));
      if (there.length < steps.length && waited < (there.length ? PATIENCE : LAST_CALL)) return;
      clearInterval(this.timer);
      if (there.length) this.start(there);
    };
    this.timer = setInterval(look, LOOK_EVERY);
    look();
  }

  start(steps) {
    remember(this.data.remember_key);
    this.layer?.close();
    this.layer = new TourLayer(steps, this.store, this.root, () => { this.layer = null; });
  }
}

/** The dimmed page, the light and the card, in a shadow root of its own at the end of the page. */
class TourLayer {
  /** @type {Element} */ anchor;

  constructor(steps, store, styled, onClose) {
    this.steps = steps;
    this.store = store;
    this.onClose = onClose;
    this.at = 0;
    this.before = deepestFocus();
    this.host = make("div", { "data-testid": "tour" });
    copyVariables(styled, this.host);
    const shadow = this.host.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styleSheet()];
    this.light = make("div", { class: "light" });
    this.title = make("h2", { id: "tour-title" });
    this.text = make("p", { id: "tour-text" });
    this.number = make("span", { class: "number" });
    this.skip = button("Skip", () => this.close());
    this.back = button("Back", () => this.go(this.at - 1));
    this.next = button("Next", () => this.go(this.at + 1), { kind: "primary" });
    this.buttons = [this.skip, this.back, this.next];
    this.card = make("div", { class: "card" }, this.title, this.text, make("div", { class: "foot" }, this.number, ...this.buttons));
    this.dialog = make("dialog", { "aria-labelledby": "tour-title", "aria-describedby": "tour-text" }, this.light, this.card);
    this.dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    shadow.append(make("div", { class: "queryscape tour" }, this.dialog));
    this.shadow = shadow;
    document.body.append(this.host);
    this.dialog.showModal();
    this.frame = oncePerFrame(() => this.place());
    this.follow = () => this.frame.ask();
    window.addEventListener("scroll", this.follow, { capture: true, passive: true });
    window.addEventListener("resize", this.follow);
    this.observer = new ResizeObserver(this.follow);
    this.go(0);
  }

  /** Step number `at`; one whose anchor has gone is passed over, and beyond the last one the tour is over. */
  go(at) {
    const step = at < this.at ? -1 : 1;
    let to = at;
    while (this.steps[to] && !anchorNamed(this.store, this.steps[to].anchor)) to += step;
    if (to < 0) return;
    if (to >= this.steps.length) {
      this.close();
      return;
    }
    this.at = to;
    const { anchor, title, text } = this.steps[to];
    write(this.title, title);
    write(this.text, text);
    write(this.number, `${to + 1} of ${this.steps.length}`);
    write(this.next, to === this.steps.length - 1 ? "Done" : "Next");
    show(this.skip, to < this.steps.length - 1);
    attribute(this.back, "disabled", to === 0 ? "" : null);
    this.lookAt(anchorNamed(this.store, anchor));
    this.next.focus({ preventScroll: true });
  }

  /** @param {Element} element */
  lookAt(element) {
    this.anchor = element;
    this.observer.disconnect();
    this.observer.observe(element);
    const { top, bottom } = element.getBoundingClientRect();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (top < 0 || bottom > innerHeight) {
      const block = bottom - top > innerHeight ? "start" : "center";
      element.scrollIntoView({ block, behavior: calm ? "auto" : "smooth" });
    }
    this.place();
  }

  place() {
    if (!this.anchor.isConnected) return;
    const { left, top, width, height } = this.anchor.getBoundingClientRect();
    const lit = { left: left - ROOM, top: top - ROOM, width: width + 2 * ROOM, height: height + 2 * ROOM };
    const { offsetWidth, offsetHeight } = this.card;
    const size = { width: offsetWidth, height: offsetHeight };
    const card = placeBeside(lit, size, { width: innerWidth, height: innerHeight });
    for (const [name, value] of Object.entries(lit)) this.light.style[name] = `${value}px`;
    this.card.style.left = `${card.left}px`;
    this.card.style.top = `${card.top}px`;
  }

  key(event) {
    event.stopPropagation(); // the page's own shortcuts rest
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") this.close();
    else if (event.key in steps) {
      if (steps[event.key] < 0 || this.at < this.steps.length - 1) this.go(this.at + steps[event.key]);
    } else if (event.key === "Tab") this.circle(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  /** The focus goes around among the buttons of the card. */
  circle(step) {
    const buttons = this.buttons.filter(({ hidden, disabled }) => !hidden && !disabled);
    const at = buttons.findIndex((button) => button === this.shadow.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }

  close() {
    if (!this.host.isConnected) return;
    window.removeEventListener("scroll", this.follow, { capture: true });
    window.removeEventListener("resize", this.follow);
    this.observer.disconnect();
    this.frame.stop();
    this.host.remove();
    if (this.before?.isConnected) this.before.focus({ preventScroll: true });
    this.onClose();
  }
}

/**
 * What a step points at: a part's anchor, else a keyed Streamlit container, else a test id. Null if not visible.
 * @returns {any}
 */
function anchorNamed(store, name) {
  const found = [
    store.anchors.get(name),
    document.querySelector(`.st-key-${CSS.escape(name)}`),
    document.querySelector(`[data-testid="${CSS.escape(name)}"]`),
  ];
  return found.find((element) => element?.isConnected && element.getClientRects().length > 0) ?? null;
}

function deepestFocus() {
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  return /** @type {HTMLElement | null} */ (focus);
}

/** The layer lies outside of what Streamlit gives its theme to, so it takes the theme along. */
function copyVariables(from, to) {
  const style = getComputedStyle(from);
  for (const name of [...THEMED, "font"]) to.style.setProperty(`--st-${name}`, style.getPropertyValue(`--st-${name}`));
}

function remembered(key) {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false; // storage is forbidden here: the tour starts once per page load
  }
}

function remember(key) {
  try {
    localStorage.setItem(key, "seen");
  } catch {
    // nothing can be remembered here
  }
}
