// Suggested edits: terms to add, and shorter or wider search strings.
import { bar, button, enable, nothing, redraw } from "../shared/controls.js";
import { attribute, make, write } from "../shared/elements.js";
import {
  changeSince, count, percentAlong, percentWords, priceWords, signedCount, signedScore, significant,
} from "../shared/format.js";

// Terms that may be added to an OR group: what they bring, what they cost, and how they stand in titles and abstracts.

const MISSES = "Relevant: core, or close to the core. Missed: not retrieved.";
const KINDS = { word: "word", phrase: "phrase", keyword: "keyword", heading: "subject heading" };

/** Calls `ask(kind, more)`. */
export class Suggestions {
  constructor({ ask }) {
    this.ask = ask;
    this.group = make("select", { class: "field", "aria-label": "Add to group", "data-stay": "group" });
    this.group.addEventListener("change", () => ask("suggest", { group: Number(this.group.value) }));
    this.press = button("Suggest terms", () => ask("suggest", { group: Number(this.group.value) }), { "data-stay": "suggest" });
    const label = make("label", { class: "labelled" }, make("span", {}, "Add to"), this.group);
    this.line = make("div", { class: "panel-line" }, label, this.press);
    this.list = make("div", {});
    this.element = make("div", { class: "suggestions" }, this.line, this.list);
  }

  update({ groups = [], suggestions }, isAwaited) {
    this.line.hidden = groups.length === 0;
    const chosen = this.group.value;
    redraw(this.group, JSON.stringify(groups), () => groups.map(({ number, label }) => make("option", { value: number }, label)));
    const wanted = isAwaited ? chosen : String(suggestions?.group ?? chosen);
    if (groups.some(({ number }) => String(number) === wanted)) this.group.value = wanted;
    enable(this.press, !isAwaited);
    const key = JSON.stringify([suggestions, groups.length === 0, isAwaited]);
    redraw(this.list, key, () => this.#build(groups, suggestions, isAwaited));
    this.list.classList.toggle("awaited", isAwaited && Boolean(suggestions));
  }

  #build(groups, suggestions, isAwaited) {
    if (!groups.length) return [nothing("There is no group of alternatives yet. Join two terms with OR to get suggestions.")];
    if (!suggestions) {
      return [nothing(isAwaited ? "Comparing the words of the core with those of the corpus …"
        : "Words, phrases, keywords and subject headings typical of the core publications that the group misses.")];
    }
    if (!suggestions.items.length) return [nothing("No term would add core publications to this group.")];
    const most = Math.max(...suggestions.items.map(({ z }) => z ?? 0), 1e-9);
    return [make("ul", { class: "rows" }, ...suggestions.items.map((item, at) => this.#row(item, suggestions.group, most, at)))];
  }

  #row(item, group, most, at) {
    const { text, kind, z, n_target: target, n_corpus: corpus, contexts = [] } = item;
    const strength = bar((z ?? 0) / most, "strength");
    strength.title = `How typical: z ${significant(z)}`;
    const head = make("p", { class: "term-head" }, make("strong", {}, text), make("span", { class: "kind" }, KINDS[kind] ?? kind));
    const where = `in ${count(target)} relevant ${target === 1 ? "publication that is" : "publications that are"} missed, in ${count(corpus)} of the whole corpus`;
    const wording = make("div", { class: "wording" }, head, make("p", { class: "effect" }, priceWords(item)), make("p", { class: "effect", title: MISSES }, where));
    if (contexts.length) wording.append(make("ul", { class: "contexts" }, ...contexts.map(contextLine)));
    const add = button("Add", () => this.ask("add", { group, text, of: kind }), { "aria-label": `Add ${kind === "heading" ? "the heading " : ""}${text}`, "data-stay": `add-${at}` });
    return make("li", { class: "row suggestion" }, strength, wording, make("div", { class: "act" }, add));
  }
}

function contextLine({ before, match, after }) {
  return make("li", {}, make("span", { class: "before" }, make("bdi", { dir: "ltr" }, before)), make("mark", {}, match), make("span", { class: "after" }, after));
}

// A shorter search string that still finds enough, or a wider one that is still readable: proposed, checked, accepted.

const RESHAPES = { slim: "Slimmer search string", widen: "Wider search string" };
const CEILING_ROOM = 2; // a wider string may retrieve so many times as much, until somebody says otherwise

/** Calls `ask(kind, more)`. */
export class Reshape {
  constructor({ ask }) {
    this.ask = ask;
    this.floor = make("input", { type: "range", min: 0, max: 1, step: 0.01, value: 0.95, "aria-label": "Core recall at least" });
    this.floorWords = make("output", {});
    this.ceiling = make("input", {
      class: "field", type: "number", min: 1, step: 100, inputmode: "numeric", "aria-label": "Retrieve at most",
    });
    this.floor.addEventListener("input", () => {
      this.moved = true;
      this.#say();
    });
    this.ceiling.addEventListener("input", () => (this.typed = true));
    this.slim = button("Slim down", () => this.#propose("slim"), { title: "Remove terms while core recall stays at the minimum or above" });
    this.widen = button("Widen", () => this.#propose("widen"), { title: "Add terms that find more of the core, up to this number of publications" });
    const keep = make("label", { class: "labelled" }, make("span", {}, "Core recall at least"), this.floor, this.floorWords);
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
    if (isAwaited) return [nothing("Trying terms to remove and to add …")];
    if (!reshape) {
      return [nothing("Proposals are fitted on one half of the core publications and checked on the other, unseen half.")];
    }
    const { how, removed = [], added = [], added_to: addedTo = [], note } = reshape;
    const title = make("h2", {}, RESHAPES[how] ?? how);
    if (!removed.length && !added.length) return [nothing(note || "Nothing better was found under these conditions.")];
    const accept = button("Accept", () => this.ask("reshape_accept"), { kind: "primary", "data-stay": "accept" });
    const lists = make("div", { class: "reshape-terms" }, termList("Removed", removed, "del"), addedList(added, addedTo));
    return [make("div", { class: "panel-line head" }, title, accept), lists, figures(reshape), note ? make("p", { class: "note" }, note) : ""];
  }
}

function termList(title, terms, tag) {
  return make("div", {}, make("h4", {}, `${title} (${count(terms.length)})`), chips(terms, tag));
}

function chips(terms, tag) {
  return make("ul", { class: "term-chips" }, ...terms.map((text) => make("li", {}, make(tag, {}, text))));
}

/** The terms that come, below the group that each is added to. */
function addedList(added, groups) {
  const list = make("div", {}, make("h4", {}, `Added (${count(added.length)})`));
  for (const group of new Set(groups)) {
    list.append(make("p", { class: "added-to", title: group }, `to ${group}`), chips(added.filter((_, at) => groups[at] === group), "ins"));
  }
  return list;
}

/** Before and after, and what the half of the core says that the search has not seen. */
function figures({ before, after, searched, held_out: heldOut }) {
  const words = ["", "Retrieved", "Core recall", "F2"];
  const head = words.map((each) => make("th", { scope: each ? "col" : null, colspan: each ? 2 : null }, each));
  const rows = [
    ["Now", before, null], ["After, all core publications", after, before],
    ["After, seen half", searched, wasOf(searched)],
    ["After, unseen half", heldOut, wasOf(heldOut)],
  ];
  const lines = rows.filter(([, values]) => values).map(([name, values, was]) => make("tr", {},
    make("th", { scope: "row" }, name), ...cells(values.n_retrieved, was?.n_retrieved, count, signedCount),
    ...cells(values.recall, was?.recall, significant, signedScore), ...cells(values.f_beta, was?.f_beta, significant, signedScore)));
  return make("table", { class: "figures-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines));
}

/** What a half of the core showed before. */
function wasOf(half) {
  return half ? { recall: half.recall_before, f_beta: half.f_beta_before } : null;
}

/** A number and its change, each in a column of its own. */
function cells(value, was, words, signed) {
  return [make("td", {}, value === undefined ? "" : words(value)), make("td", { class: "change" }, changeSince(was, value, signed))];
}
