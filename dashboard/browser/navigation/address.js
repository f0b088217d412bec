// What Back returns to. Streamlit adds an entry to the browser's history whenever Python writes to the address, and none
// when someone chooses another view. Here an entry is added for what a person chooses, and for nothing else.

/** Marks the entries that were made here, or by a part that knows what it does. */
const MARK = "queryscape";

/** How to write an address: as a new entry, in place of the current one, or not at all. */
export function wayToWrite(method, from, to, { steps, isByHand }) {
  if (from.pathname !== to.pathname) return method;
  const [before, after] = [from.searchParams, to.searchParams];
  // Before another page opens, Streamlit empties the address of the page that is left, to which Back shall return.
  if (method === "push" && before.has("topic") && !after.has("topic")) return "ignore";
  const changed = steps.filter((name) => String(before.getAll(name)) !== String(after.getAll(name)));
  // Python fills in what is missing. It writes another value in place of one only after a choice. Streamlit's own
  // controls leave a default out, and are the only ones to replace an entry by themselves.
  const isChoice = method === "push" ? changed.some((name) => before.has(name) && after.has(name)) : isByHand && changed.length > 0;
  return isChoice ? "push" : "replace";
}

/** Take over how this window's history is written. `steps`: the names in the address of what Back returns to. */
export function watchAddress(steps, view = window) {
  const { history, location } = view;
  const write = { push: history.pushState.bind(history), replace: history.replaceState.bind(history) };
  let here = location.href;
  let isByHand = false;
  let isPassing = false; // no person has acted since the last entry was added
  const note = () => {
    isByHand = true;
    isPassing = false;
  };
  for (const event of ["pointerdown", "keydown"]) view.addEventListener(event, note, { capture: true, passive: true });
  const over = (method) => (state, title, address) => {
    const to = new URL(address ?? "", location.href);
    const from = new URL(location.href);
    let way = state?.[MARK] ? method : wayToWrite(method, from, to, { steps, isByHand });
    if (way === "ignore") return;
    // A choice that opens another page is one step, though Streamlit may write the choice before it leaves the old page.
    if (way === "push" && isPassing && from.pathname !== to.pathname && from.search === to.search) way = "replace";
    if (way === "push") isPassing = true;
    write[way]({ ...state, [MARK]: true }, title, to.href);
    here = to.href;
  };
  history.pushState = over("push");
  history.replaceState = over("replace");
  write.replace({ ...history.state, [MARK]: true }, "", here);
  view.addEventListener("popstate", (event) => {
    isByHand = isPassing = false;
    const [from, to] = [new URL(here), new URL(location.href)];
    if (!event.state?.[MARK] && !to.hash && from.pathname === to.pathname) {
      // Written before this code was there: the same page with fewer details, which is being left.
      event.stopImmediatePropagation();
      write.replace({ [MARK]: true }, "", here);
    } else here = to.href;
  }, { capture: true });
}
