// The part of every page: what Back returns to, which links lead to what is open, the command palette, and links of the guide.
import { attribute, make, oncePerFrame } from "./shared/elements.js";
import { styleSheet } from "./shared/theme.js";
import { watchAddress } from "./navigation/address.js";
import { GuideLinks } from "./navigation/guide_links.js";
import { Palette, paletteButton } from "./navigation/palette.js";

const LINKS = ".st-key-navigation a[href], .st-key-views a[href]";
/** @type {Palette | null} */ let palette = null;
/** @type {GuideLinks | null} */ let guide = null;
let opened = { group: "", page: "" };
/** Once a frame, for the page opened last: Streamlit calls a part again without undoing what its last call began. */
const marking = oncePerFrame(() => {
  markLinks(opened);
  guide?.arrive();
});
const links = new MutationObserver(() => marking.ask());

/** Tell screen readers, and the style, which links lead to the open page or to its group. */
function markLinks({ group, page }) {
  for (const link of document.querySelectorAll(LINKS)) {
    const isGroup = link.closest(".st-key-navigation") !== null;
    const isOpen = link.querySelector("[data-testid=stMarkdownContainer]")?.textContent === (isGroup ? group : page);
    attribute(link, "aria-current", isOpen ? (isGroup ? "true" : "page") : null);
  }
}

function openOnKey(event) {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  palette?.open();
}

function followGuideLink(event) {
  guide?.click(event);
}

function leaveGuideLink() {
  guide?.leave();
}

function mountPalette(root, setStateValue) {
  guide = new GuideLinks((name) => setStateValue("ask", { seq: Date.now(), kind: "Guide", name }));
  document.addEventListener("click", followGuideLink, { capture: true });
  for (const event of ["wheel", "pointerdown", "keydown"]) document.addEventListener(event, leaveGuideLink, { capture: true, passive: true });
  palette = new Palette(root, ({ kind, name }) => {
    if (kind === "Action") document.dispatchEvent(new CustomEvent(`queryscape-${name}`));
    else setStateValue("ask", { seq: Date.now(), kind, name });
  });
  document.addEventListener("keydown", openOnKey, { capture: true });
}

/** Streamlit's link that skips the navigation leads to the editor where there is one: the Workbench takes the keyboard. */
function skipToEditor(event) {
  if (!event.target.closest?.("[data-testid=stSkipToContent]")) return;
  if (document.dispatchEvent(new CustomEvent("queryscape-edit", { cancelable: true }))) return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {Mounting} mounting */
export default ({ data, parentElement, setStateValue }) => {
  parentElement.adoptedStyleSheets = [styleSheet()];
  if (data.part === "palette_button") {
    const opener = paletteButton(() => palette?.open());
    opener.append(make("kbd", {}, "Ctrl+K"));
    parentElement.replaceChildren(opener);
    return undefined;
  }
  if (!globalThis.queryscapeAddress) {
    globalThis.queryscapeAddress = true;
    watchAddress(data.steps);
    document.addEventListener("click", skipToEditor, { capture: true });
  }
  if (!palette?.dialog.isConnected) mountPalette(parentElement, setStateValue);
  if (palette) palette.places = data.places;
  opened = data;
  links.observe(document.body, { childList: true, subtree: true });
  marking.ask();
  return () => {
    links.disconnect();
    marking.stop();
  };
};
