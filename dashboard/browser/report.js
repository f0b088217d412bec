// The way into a report: a page that was saved, with nobody behind it. Each live landscape takes the place of its picture.
import { make } from "./shared/elements.js";
import { Landscape } from "./landscape/landscape.js";
import { unpack } from "./shared/payload.js";
import { OpenedPublication } from "./report_opened.js";
import { Scores } from "./landscape/scores.js";
import { storeNamed } from "./shared/store.js";
import { styleSheet } from "./shared/style.js";
import { Table } from "./landscape/table.js";

const PAYLOADS = ["points", "curve", "regions"];
const NEAR = "900px";
const NOBODY = { setStateValue() {}, setTriggerValue() {} };
/** The parts from above to below, and what each is called as a class. */
const REPORT_PARTS = [
  ["scores alone", Scores], ["landscape alone", Landscape], ["opened", OpenedPublication], ["table", Table],
];

/** Whether this browser can read what the page carries, and draw it. */
function canDraw() {
  const has = globalThis.DecompressionStream && globalThis.IntersectionObserver && globalThis.ResizeObserver;
  return Boolean(has && document.createElement("canvas").getContext("2d") && CSSStyleSheet.prototype.replaceSync);
}

/** What the page carries of a kind for the figure of this name, as text. */
function pageText(name, kind) {
  const blocks = document.querySelectorAll(`script[data-kind="${kind}"]`);
  return Array.from(blocks).find((block) => block.dataset.of === name)?.textContent ?? "";
}

/** The bytes of a payload: base64, then gzip. */
async function inflated(text) {
  const packed = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Draw the landscape of a figure and what belongs to it. Where that can't be done, the picture stays. */
async function enliven(figure) {
  const name = figure.dataset.live;
  const said = JSON.parse(pageText(name, "document"));
  const payloads = await Promise.all(PAYLOADS.map(async (kind) => unpack(await inflated(pageText(name, kind)))));
  const store = storeNamed(name);
  for (const payload of payloads) store.put(payload);
  const place = make("div", { class: "live" });
  figure.querySelector(".still").after(place);
  figure.classList.add("drawn");
  for (const [part, Part] of REPORT_PARTS) mountAlone(place, part, (root) => new Part(root, store, NOBODY), said);
}

/** A part in a shadow of its own, so that neither the page's rules reach it nor its own the page. */
function mountAlone(place, part, create, said) {
  const host = make("div", { class: `part ${part}` });
  place.append(host);
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [styleSheet()];
  const root = make("div", { class: `queryscape ${part}` });
  shadow.append(root);
  create(root).update(said[part.split(" ")[0]] ?? {});
}

/** Landscapes are drawn when they are nearly in sight, so that a long report opens at once. */
function watchFigures(figures) {
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      enliven(target).catch((error) => console.warn("The landscape could not be drawn:", error));
    }
  }, { rootMargin: NEAR });
  for (const figure of figures) watcher.observe(figure);
}

if (globalThis.document?.querySelectorAll && canDraw()) watchFigures(document.querySelectorAll("[data-live]"));
