// Watches the page from inside, for bench_landscape.py: when input came, and when what it asked for was on screen.
globalThis.measured = (() => {
  const samples = [];
  let movedAt = null;
  let lastChange = 0;
  const measured = { scores: null, pixels: null, table: null };

  /** After the frame in which this is called has been handed over. */
  const afterFrame = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => then(performance.now());
      port2.postMessage(null);
    });

  /** Every shadow root of the page, and the document. */
  function* roots(root = document) {
    yield root;
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) yield* roots(element.shadowRoot);
  }
  const find = (selector) => {
    for (const root of roots()) {
      const found = root.querySelector(selector);
      if (found) return found;
    }
    return null;
  };

  // The first picture. Nothing else can tell: the landscape writes what it has drawn here.
  let drawn = null;
  Object.defineProperty(globalThis, "queryscapeDrawn", {
    get: () => drawn,
    set(now) {
      if (drawn === null) afterFrame((at) => (measured.firstPicture = at));
      drawn = now;
      lastChange = performance.now();
      if (movedAt === null) return;
      const [moved, painted] = [movedAt, performance.now()];
      movedAt = null;
      // Pixels are on the canvas; and the frame with them, the numbers and the curve has been handed over.
      afterFrame((at) => samples.push([painted - moved, at - moved]));
    },
  });
  const hear = (event) => (movedAt ??= event.timeStamp);
  measured.startDrag = () => {
    samples.length = 0;
    document.addEventListener("pointermove", hear, true);
  };
  measured.endDrag = () => {
    document.removeEventListener("pointermove", hear, true);
    movedAt = null;
    return [...samples];
  };

  /** From the next release (or click) to the server's answer, and to the landscape's next picture. */
  measured.awaitScores = (name = "pointerup") => {
    const scores = find(".queryscape.scores");
    let from = 0;
    document.addEventListener(name, (event) => (from = event.timeStamp), { capture: true, once: true });
    measured.pixels = new Promise((resolve) => {
      const look = () => (from && drawn.at > from ? resolve(drawn.at - from) : requestAnimationFrame(look));
      look();
    });
    measured.scores = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!from) return;
        observer.disconnect();
        afterFrame((at) => resolve(at - from));
      });
      observer.observe(scores, { attributes: true, attributeFilter: ["data-echo"] });
    });
  };

  /** From the next release to the table's rows. */
  measured.awaitTable = () => {
    const table = find(".queryscape.table");
    let from = 0;
    document.addEventListener("pointerup", (event) => (from = event.timeStamp), { capture: true, once: true });
    measured.table = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!from) return;
        observer.disconnect();
        afterFrame((at) => resolve(at - from));
      });
      observer.observe(table, { childList: true, subtree: true, characterData: true, attributes: true });
    });
  };

  new MutationObserver(() => (lastChange = performance.now())).observe(document, {
    childList: true, subtree: true, attributes: true, characterData: true,
  });
  measured.quiet = async (ms) => {
    while (performance.now() - lastChange < ms) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  return measured;
})();
