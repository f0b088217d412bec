// The way into a report: a saved page without a server. Each live landscape takes the place of its picture.
import { button } from "./shared/controls.js";
import { attribute, make, show, write } from "./shared/elements.js";
import { doiAddress } from "./shared/format.js";
import { Part } from "./shared/part.js";
import { bitAt, storeNamed, Titles, titlesOf, unpack } from "./shared/store.js";
import { styleSheet, wearColours } from "./shared/theme.js";
import { Relevance } from "./landscape/counting.js";
import { Landscape } from "./landscape/landscape.js";
import { factsOf } from "./landscape/picking.js";
import { Scores } from "./landscape/scores.js";
import { Table } from "./landscape/table.js";

const INVITATION = "Select a dot or a row to see which publication it is.";

/** Title, what is known of it, and which regions accept it; they follow the similarity threshold. */
class OpenedPublication extends Part {
  /** @type {PointsPayload} */ points;
  relevance = new Relevance();
  dois = new Titles(new Uint8Array(0));

  constructor(root, store, python) {
    super(root, store, python);
    this.hint = make("p", { class: "hint" }, INVITATION);
    this.title = make("p", { class: "opened-title" });
    this.facts = make("span", {});
    this.doi = make("a", { target: "_blank", rel: "noopener noreferrer" });
    this.accepts = make("p", { class: "opened-regions" });
    const close = button("×", () => store.focusOn(null), { kind: "close", "aria-label": "Close the publication" });
    const line = make("p", { class: "opened-facts" }, this.facts, this.doi);
    this.card = make("div", { class: "opened-card", "data-testid": "opened", hidden: "" });
    this.card.append(close, this.title, line, this.accepts);
    root.append(make("div", { role: "status" }, this.hint, this.card));
    const draw = () => this.draw();
    this.listen({ focus: draw, live: draw, data: draw, look: () => wearColours(root, store) });
  }

  update() {
    wearColours(this.root, this.store);
    this.draw();
  }

  draw() {
    const { points, focused: row } = this.store;
    show(this.hint, row === null);
    show(this.card, row !== null);
    if (row === null || !points) return;
    if (points !== this.points) {
      this.points = points;
      this.dois = new Titles(points.arrays.dois);
    }
    this.relevance.follow(points, this.store.regions, this.store.live);
    const doi = this.dois.title(row);
    const address = doiAddress(doi);
    write(this.title, titlesOf(points).title(row) || "No title");
    write(this.facts, factsOf(row, points, this.relevance).join(" · "));
    attribute(this.doi, "href", address);
    write(this.doi, address ? doi : "");
    write(this.accepts, this.regionsOf(row));
  }

  /** "Accepted by Cosine and Cluster; left out by Convex hull." */
  regionsOf(row) {
    const { header } = this.points;
    if (row >= header.n) return "The query did not retrieve it, so no region decides about it.";
    const labels = { true: [], false: [] };
    for (const { kind, label } of header.kinds) {
      const verdict = this.verdict(kind, row);
      if (verdict !== null) labels[verdict].push(label);
    }
    const parts = [];
    if (labels.true.length) parts.push(`accepted by ${labels.true.join(", ")}`);
    if (labels.false.length) parts.push(`left out by ${labels.false.join(", ")}`);
    const words = parts.join("; ") || "no region is defined";
    return `${words[0].toUpperCase()}${words.slice(1)}.`;
  }

  /** What a region says of a row; null while it says nothing. */
  verdict(kind, row) {
    if (kind === "cosine") {
      const threshold = this.store.live.min_similarity;
      return Number.isFinite(threshold) ? this.points.arrays.similarity[row] >= threshold - 1e-6 : null;
    }
    const mask = this.store.regions?.arrays[`mask_${kind}`];
    return mask ? bitAt(mask, row) === 1 : null;
  }
}

const PAYLOADS = ["points", "curve", "regions"];
const NEAR = "900px";
const NO_SERVER = { setStateValue() {}, setTriggerValue() {} };
/** @type {[string, new (root: HTMLElement, store: import("./shared/store.js").Store, python: Python) => MountedPart][]} */
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
  const blocks = Array.from(document.querySelectorAll(`script[data-kind="${kind}"]`));
  return blocks.find((block) => block.getAttribute("data-of") === name)?.textContent ?? "";
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
  const documents = JSON.parse(pageText(name, "document"));
  const payloads = await Promise.all(PAYLOADS.map(async (kind) => unpack(await inflated(pageText(name, kind)))));
  const store = storeNamed(name);
  for (const payload of payloads) store.put(payload);
  const place = make("div", { class: "live" });
  figure.querySelector(".still").after(place);
  figure.classList.add("drawn");
  for (const [part, Made] of REPORT_PARTS) mountAlone(place, part, (root) => new Made(root, store, NO_SERVER), documents);
}

/** A part in a shadow of its own, so that neither the page's rules reach it nor its own the page. */
function mountAlone(place, part, create, documents) {
  const host = make("div", { class: `part ${part}` });
  place.append(host);
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [styleSheet()];
  const root = make("div", { class: `queryscape ${part}` });
  shadow.append(root);
  create(root).update(documents[part.split(" ")[0]] ?? {});
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

if (globalThis.document && canDraw()) watchFigures(document.querySelectorAll("[data-live]"));
