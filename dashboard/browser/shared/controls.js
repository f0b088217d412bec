// Small pieces that the workbench is put together from.
import { attribute, make, write } from "./elements.js";

/** A button with words. */
export function button(words, press, { kind = "quiet", ...attributes } = {}) {
  const made = make("button", { type: "button", class: kind, ...attributes }, words);
  made.addEventListener("click", (event) => made.getAttribute("aria-disabled") !== "true" && press(event));
  return made;
}

/** Whether a button does something now. One that doesn't keeps the keyboard, which `disabled` would throw off the page. */
export function enable(made, isOn) {
  attribute(made, "aria-disabled", isOn ? null : "true");
}

/** A button that copies what `textOf()` gives, and says so. */
export function copyButton(words, textOf, attributes = {}) {
  let timer = null;
  const made = button(words, async () => {
    write(made, (await copied(textOf(), made)) ? "Copied" : "Press Ctrl+C");
    clearTimeout(timer);
    timer = setTimeout(() => write(made, words), 1600);
  }, attributes);
  return made;
}

/** Put a text into the clipboard. Without the right to do so it is selected instead, ready to be copied by hand. */
async function copied(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { class: "unseen", "aria-hidden": "true", tabindex: -1 });
    field.value = text;
    beside.after(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    beside.focus();
    return done;
  }
}

/**
 * Build what is in an element anew if it is about something else than before: `key` says what it is about. The keyboard
 * stays where it is: on the element with the same `data-stay`, or on the panel if that is gone.
 */
export function redraw(element, key, build) {
  if (element.drawnFor === key) return;
  element.drawnFor = key;
  const active = element.getRootNode().activeElement;
  const stay = active && element.contains(active) ? active.closest("[data-stay]")?.dataset.stay : null;
  const { scrollTop } = element;
  element.replaceChildren(...build());
  element.scrollTop = scrollTop;
  if (!stay) return;
  const same = [...element.querySelectorAll("[data-stay]")].find((other) => other.dataset.stay === stay);
  (same ?? element.closest('[role="tabpanel"]'))?.focus({ preventScroll: true });
}

/** What stands where there is nothing to show. */
export function nothing(...words) {
  return make("p", { class: "nothing" }, ...words);
}

/** A few facts in one line, apart. */
export function facts(...words) {
  return make("p", { class: "facts" }, ...words.filter(Boolean).map((each) => make("span", {}, each)));
}

/** A bar from 0 to 1 in a cell. */
export function bar(share, role = "") {
  const made = make("span", { class: `bar ${role}`, "aria-hidden": "true" });
  made.style.setProperty("--share", Math.max(0, Math.min(1, share || 0)));
  return made;
}

/** A switch: on or off. */
export function switchFor(label, attributes = {}) {
  return make("button", { type: "button", role: "switch", class: "switch", "aria-label": label, ...attributes });
}

/** A place of the search string as a button: it marks the place, and goes there when it is pressed. */
export function placeButton(words, span, editor, attributes = {}) {
  const made = button(words, () => editor.select(span.start, span.end), {
    kind: "place", title: "Show in the search string", ...attributes,
  });
  markOnHover(made, span, editor);
  return made;
}

/** Mark a place of the search string while the pointer or the keyboard is on an element. */
export function markOnHover(element, span, editor) {
  const mark = () => editor.mark(span);
  const unmark = () => editor.mark(null);
  element.addEventListener("pointerenter", mark);
  element.addEventListener("pointerleave", unmark);
  element.addEventListener("focusin", mark);
  element.addEventListener("focusout", unmark);
}

/** A list of choices of which one is in force, as buttons with names. */
export class Choice {
  constructor(label, options, choose) {
    this.buttons = new Map(options.map(([value, words, help]) => {
      return [value, button(words, () => choose(value), { kind: "option", "aria-pressed": "false", title: help })];
    }));
    this.element = make("div", { class: "choice", role: "group", "aria-label": label }, ...this.buttons.values());
  }

  set(value) {
    for (const [name, made] of this.buttons) attribute(made, "aria-pressed", String(name === value));
  }
}
