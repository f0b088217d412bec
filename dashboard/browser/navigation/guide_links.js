// Links between pages of the guide. Streamlit opens every link of a text in a new tab; these lead on in the same one.

const LONGEST_WAY = 10_000; // milliseconds in which a page may arrive
const SETTLING = 1_000; // milliseconds in which its parts may move

/** The page of the guide that a link leads to, and its heading ("" for the top); null for any other link. */
export function guidePlace(href) {
  if (!href?.startsWith("?guide=")) return null;
  const [search, heading = ""] = href.split("#");
  return { name: new URLSearchParams(search).get("guide") ?? "", heading };
}

/** Whether a click opens its link here: with a key or another button it opens a tab or a window. */
export function opensHere({ button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented }) {
  return !button && !ctrlKey && !metaKey && !shiftKey && !altKey && !defaultPrevented;
}

/** Follows a link when it is clicked, and scrolls to its heading once the page is there. `go(name)` opens a page. */
export class GuideLinks {
  constructor(go) {
    this.go = go;
    this.awaited = null;
  }

  click(event) {
    const place = guidePlace(event.target.closest?.("a[href]")?.getAttribute("href"));
    if (!place || !opensHere(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.awaited = { ...place, until: Date.now() + LONGEST_WAY };
    this.go(place.name);
  }

  /** Called when the document has changed. Parts that are drawn late move the heading, so it is followed for a moment. */
  arrive() {
    if (!this.awaited || new URLSearchParams(location.search).get("guide") !== this.awaited.name) return;
    const { heading, until, isThere } = this.awaited;
    const target = heading ? document.getElementById(heading) : null;
    if (Date.now() > until) this.leave();
    else if (target || !heading) {
      if (!isThere) Object.assign(this.awaited, { isThere: true, until: Date.now() + SETTLING });
      if (target) target.scrollIntoView();
      else document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    }
  }

  /** Called when a person acts: from then on nothing scrolls by itself. */
  leave() {
    this.awaited = null;
  }
}
