// The card beside the pointer: which publication this is, and why it counts or not.
import { make, show, write } from "../shared/elements.js";
import { titlesOf } from "../shared/titles.js";
import { fixedThree } from "./tuning.js";

const AWAY = 14;

/** A small card that never leaves the picture. */
export class HoverCard {
  constructor() {
    this.title = make("p", { class: "card-title" });
    this.facts = make("p", { class: "card-facts" });
    this.why = make("p", { class: "card-why" });
    this.element = make("div", { class: "hover-card", "aria-hidden": "true", hidden: "" });
    this.element.append(this.title, this.facts, this.why);
    this.row = -1;
  }

  /** Show a row at a pixel of a picture of this size. */
  show(row, px, py, width, height, scene, live) {
    this.row = row;
    const { points, relevance } = scene;
    write(this.title, titlesOf(points).title(row) || "Untitled");
    write(this.facts, factsOf(row, points, relevance).join(" · "));
    write(this.why, whyOf(row, points, relevance, live));
    show(this.element, true);
    const { x, y } = placeCard(px, py, this.element.offsetWidth, this.element.offsetHeight, width, height);
    this.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  hide() {
    this.row = -1;
    show(this.element, false);
  }
}

/** Where a card goes: right below the pointer, or on the other side where there is no room. */
export function placeCard(px, py, wide, high, width, height) {
  const x = px + AWAY + wide <= width ? px + AWAY : px - AWAY - wide;
  const y = py + AWAY + high <= height ? py + AWAY : py - AWAY - high;
  const inside = (at, size, room) => Math.round(Math.max(4, Math.min(at, room - size - 4)));
  return { x: inside(x, wide, width), y: inside(y, high, height) };
}

/** Year, similarity and role of a row. */
export function factsOf(row, { header, arrays }, relevance) {
  const facts = [];
  if (arrays.year[row]) facts.push(String(arrays.year[row]));
  facts.push(`similarity ${fixedThree(arrays.similarity[row])}`);
  if (row >= header.n) facts.push("core missed");
  else if (arrays.core[row]) facts.push(relevance.has(row) ? "core found and accepted" : "core found");
  return facts;
}

/** One sentence on why a row counts as relevant or not. */
export function whyOf(row, { header, arrays }, relevance, live) {
  if (row >= header.n) return "The query did not retrieve it, so no region can accept it.";
  const inside = relevance.has(row);
  if (live.region === "cosine" && !relevance.reason) {
    const least = fixedThree(live.min_similarity);
    const own = fixedThree(arrays.similarity[row]);
    const close = own === least ? "at" : inside ? "above" : "below";
    return `${inside ? "Relevant" : "Not relevant"}: its similarity is ${close} the similarity threshold of ${least}.`;
  }
  const label = header.kinds.find(({ kind }) => kind === live.region)?.label ?? live.region;
  if (relevance.reason) return `${label} is undefined: ${relevance.reason}.`;
  return inside ? `Relevant: ${label} accepts it.` : `Not relevant: ${label} leaves it out.`;
}
