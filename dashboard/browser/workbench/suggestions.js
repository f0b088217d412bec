// Terms that may be added to an OR group: what they bring, what they cost, and how they stand in titles and abstracts.
import { make } from "../shared/elements.js";
import { count, significant } from "../shared/format.js";
import { priceWords } from "../shared/numbers.js";
import { bar, button, enable, nothing, redraw } from "../shared/controls.js";

const MISSES = "Relevant: core, or close to the core. Missed: not retrieved.";
const KINDS = { word: "word", phrase: "phrase", keyword: "keyword" };

/** Calls `ask(kind, more)`. */
export class Suggestions {
  constructor({ ask }) {
    this.ask = ask;
    this.group = make("select", { class: "field", "aria-label": "Group that the term is added to", "data-stay": "group" });
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
    if (!groups.length) return [nothing("There is no group of alternatives yet. Join two terms with OR, and terms to add are found for it.")];
    if (!suggestions) {
      return [nothing(isAwaited ? "Comparing the words of the core with those of the corpus …"
        : "Words, phrases and keywords that are typical of the core publications the group misses.")];
    }
    if (!suggestions.items.length) return [nothing("No term would bring this group more of the core.")];
    const most = Math.max(...suggestions.items.map(({ z }) => z ?? 0), 1e-9);
    return [make("ul", { class: "rows" }, ...suggestions.items.map((item, at) => this.#row(item, suggestions.group, most, at)))];
  }

  #row(item, group, most, at) {
    const { text, kind, z, n_target: target, n_corpus: corpus, contexts = [] } = item;
    const strength = bar((z ?? 0) / most, "strength");
    strength.title = `How typical it is: z ${significant(z)}`;
    const head = make("p", { class: "term-head" }, make("strong", {}, text), make("span", { class: "kind" }, KINDS[kind] ?? kind));
    const where = `in ${count(target)} relevant ${target === 1 ? "publication that is" : "publications that are"} missed, in ${count(corpus)} of the whole corpus`;
    const said = make("div", { class: "said" }, head, make("p", { class: "effect" }, priceWords(item)), make("p", { class: "effect", title: MISSES }, where));
    if (contexts.length) said.append(make("ul", { class: "contexts" }, ...contexts.map(contextLine)));
    const add = button("Add", () => this.ask("add", { group, text }), { "aria-label": `Add ${text}`, "data-stay": `add-${at}` });
    return make("li", { class: "row suggestion" }, strength, said, make("div", { class: "act" }, add));
  }
}

function contextLine({ before, match, after }) {
  return make("li", {}, make("span", { class: "before" }, make("bdi", { dir: "ltr" }, before)), make("mark", {}, match), make("span", { class: "after" }, after));
}
