// Whoever goes to another page says nothing to the one that is left: Streamlit would answer with an empty page.

const TO_ANOTHER_PAGE = '[data-testid="stSidebarNav"] a[href], [data-testid^="stPageLink"] a[href], a[href][data-testid^="stPageLink"]';
const AT_MOST_MS = 5000;
const LOOK_AGAIN_MS = 100;

/** Whether the page that was asked for is not there yet. */
export function isOnTheWay({ to, until }, here, now) {
  return to !== here && now < until;
}

/** Where the last followed link leads, and how long to believe in it. */
export function watchLeaving(page) {
  const way = { to: "", until: -Infinity };
  page.addEventListener("click", (event) => {
    const link = event.target.closest?.(TO_ANOTHER_PAGE);
    const inThisTab = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey);
    if (link && inThisTab) Object.assign(way, { to: new URL(link.href).pathname, until: performance.now() + AT_MOST_MS });
  }, true);
  return way;
}

/** Say it now, or once the page has stayed after all. What has gone by then says nothing any more. */
export function sayUnlessLeaving(say, isHere) {
  if (!isHere()) return;
  if (isOnTheWay(globalThis.queryscapeWay, location.pathname, performance.now())) setTimeout(() => sayUnlessLeaving(say, isHere), LOOK_AGAIN_MS);
  else say();
}
