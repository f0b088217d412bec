// A shorter search string that still finds enough, or a wider one that is still readable: proposed, checked, accepted.
import { attribute, make, write } from "../shared/elements.js";
import { count, percentAlong, significant } from "../shared/format.js";
import { changeSince, percentWords, signedCount, signedScore } from "../shared/numbers.js";
import { button, enable, nothing, redraw } from "../shared/controls.js";

const RESHAPES = { slim: "Slimmer search string", widen: "Wider search string" };
const CEILING_ROOM = 2; // a wider string may retrieve so many times as much, until somebody says otherwise

/** Calls `ask(kind, more)`. */
export class Reshape {
  constructor({ ask }) {
    this.ask = ask;
    this.floor = make("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0.95, "aria-label": "Core recall to keep" });
    this.floorWords = make("output", {});
    this.ceiling = make("input", {
      class: "field", type: "number", min: 1, step: 100, inputmode: "numeric", "aria-label": "At most so many publications",
    });
    this.floor.addEventListener("input", () => {
      this.moved = true;
      this.#say();
    });
    this.ceiling.addEventListener("input", () => (this.typed = true));
    this.slim = button("Slim down", () => this.#propose("slim"), { title: "Take out terms as long as the core recall stays above the floor" });
    this.widen = button("Widen", () => this.#propose("widen"), { title: "Add terms that bring more of the core, up to so many publications" });
    const keep = make("label", { class: "labelled" }, make("span", {}, "Keep core recall at least at"), this.floor, this.floorWords);
    const most = make("label", { class: "labelled" }, make("span", {}, "Retrieve at most"), this.ceiling);
    this.line = make("div", { class: "panel-line" }, keep, this.slim, most, this.widen);
    this.result = make("div", {});
    this.element = make("div", { class: "reshape" }, this.line, this.result);
    this.#say();
  }

  #say() {
    write(this.floorWords, percentWords(Number(this.floor.value)));
    this.floor.style.setProperty("--along", percentAlong(Number(this.floor.value)));
  }

  #propose(how) {
    const ceiling = this.ceiling.value ? Number(this.ceiling.value) : null;
    this.ask("reshape", { how, floor: Number(this.floor.value), ceiling });
  }

  update({ reshape, summary }, isAwaited) {
    if (!this.typed && summary?.n_retrieved) {
      const room = Math.ceil((CEILING_ROOM * summary.n_retrieved) / 100) * 100;
      this.ceiling.value = String(Math.max(100, Math.min(room, summary.n_corpus ?? room)));
    }
    if (!this.moved && typeof summary?.recall === "number") {
      this.floor.value = String(Math.floor(100 * summary.recall) / 100);
      this.#say();
    }
    for (const press of [this.slim, this.widen]) enable(press, !isAwaited);
    redraw(this.result, JSON.stringify([reshape, isAwaited]), () => this.#build(reshape, isAwaited));
    attribute(this.result, "aria-busy", isAwaited ? "true" : null);
  }

  #build(reshape, isAwaited) {
    if (isAwaited) return [nothing("Trying what can go and what can come …")];
    if (!reshape) {
      return [nothing("A proposal is found with one half of the core publications and checked with the other half, which it has not seen.")];
    }
    const { how, removed = [], added = [], added_to: addedTo = [], note } = reshape;
    const title = make("h4", {}, RESHAPES[how] ?? how);
    if (!removed.length && !added.length) return [nothing(note || "Nothing better was found under these conditions.")];
    const accept = button("Accept", () => this.ask("reshape_accept"), { kind: "primary", "data-stay": "accept" });
    const lists = make("div", { class: "reshape-terms" }, termList("Taken out", removed, "del"), addedList(added, addedTo));
    return [make("div", { class: "panel-line head" }, title, accept), lists, figures(reshape), note ? make("p", { class: "note" }, note) : ""];
  }
}

function termList(title, terms, tag) {
  return make("div", {}, make("h5", {}, `${title} (${count(terms.length)})`), chips(terms, tag));
}

function chips(terms, tag) {
  return make("ul", { class: "term-chips" }, ...terms.map((text) => make("li", {}, make(tag, {}, text))));
}

/** The terms that come, below the group that each is added to. */
function addedList(added, groups) {
  const list = make("div", {}, make("h5", {}, `Added (${count(added.length)})`));
  for (const group of new Set(groups)) {
    list.append(make("p", { class: "added-to", title: group }, `to ${group}`), chips(added.filter((_, at) => groups[at] === group), "ins"));
  }
  return list;
}

/** Before and after, and what the half of the core says that the search has not seen. */
function figures({ before, after, searched, held_out: heldOut }) {
  const words = ["", "Retrieved", "Core recall", "F-beta"];
  const head = words.map((each) => make("th", { scope: each ? "col" : null, colspan: each ? 2 : null }, each));
  const rows = [
    ["Now", before, null], ["Then, with all core publications", after, before],
    ["Then, with the half it was found with", searched, wasOf(searched)],
    ["Then, with the half it has not seen", heldOut, wasOf(heldOut)],
  ];
  const lines = rows.filter(([, values]) => values).map(([name, values, was]) => make("tr", {},
    make("th", { scope: "row" }, name), ...cells(values.n_retrieved, was?.n_retrieved, count, signedCount),
    ...cells(values.recall, was?.recall, significant, signedScore), ...cells(values.f_beta, was?.f_beta, significant, signedScore)));
  return make("table", { class: "figures-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines));
}

/** What a half of the core said before. */
function wasOf(half) {
  return half ? { recall: half.recall_before, f_beta: half.f_beta_before } : null;
}

/** A number and its change, each in a column of its own. */
function cells(value, was, words, signed) {
  return [make("td", {}, value === undefined ? "" : words(value)), make("td", { class: "change" }, changeSince(was, value, signed))];
}
