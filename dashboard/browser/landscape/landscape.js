// The landscape: tuning, numbers under the hand, and the picture. It alone tells Python what the hand did.
import { Hand } from "../shared/camera.js";
import { button } from "../shared/controls.js";
import { attribute, make, oncePerFrame, show, write } from "../shared/elements.js";
import { fileName, saveFile } from "../shared/files.js";
import { Part } from "../shared/part.js";
import { isDark, roleColours, wearColours } from "../shared/theme.js";
import { Readout, ReadoutLine, Relevance } from "./counting.js";
import { colouringOf, Legend } from "./legend.js";
import { gridOf, HoverCard } from "./picking.js";
import { CAPTION, pngOf, svgOf } from "./picture.js";
import { Stage } from "./stage.js";
import { Toolbar } from "./toolbar.js";
import { Commits, TuningStrip } from "./tuning.js";

const REACH_PX = 12;
const CORE_HEAD_START_PX = 5;
const CANNOT_DRAW = "This browser can't draw on a canvas.";
const HOW_TO_READ = "Each dot is a publication; nearby dots have similar content.";
const WHAT_COLOURS_SAY = {
  region: "Blue dots count as relevant.",
  decay: "Colours show the decay left.",
  year: "Colours show the year of publication.",
  theme: "Colours show themes.",
  source: "Colours show the number of query versions that retrieve each publication.",
};
const DRAG = "Drag the similarity threshold to update the numbers.";
const KEYS =
  "Arrow keys move, plus and minus zoom, 0 shows everything, Enter opens the publication nearest to the middle, " +
  "Escape clears the selection.";

/** The part "landscape". */
export class Landscape extends Part {
  /** @type {PointsPayload} */ points;

  constructor(root, store, python) {
    super(root, store, python);
    /** @type {any} */ this.data = null;
    /** @type {unknown[] | null} What the colours of the points depend on. */ this.colouredFor = null;
    this.aimed = this.updating = false;
    const commits = new Commits(store, python);
    this.commits = commits;
    this.relevance = new Relevance();
    this.numbers = new Readout();
    this.drawn = { scape: "", min_similarity: NaN, region: "", draws: 0, ms: 0, at: 0 };
    this.stage = new Stage();
    this.strip = new TuningStrip(store, commits);
    this.readout = new ReadoutLine((words) => this.#describeCanvas(words));
    this.tools = new Toolbar(store, {
      lasso: (on) => this.#setLasso(on), home: () => this.#home(), save: (kind) => this.#save(kind),
      colourBy: (how) => commits.now({ colour_by: how }), toggle: (name) => this.#toggle(name), clear: () => store.pick([]),
    });
    this.legend = new Legend((name) => this.#toggle(name));
    this.card = new HoverCard();
    this.madeUp = make("span", { class: "badge", hidden: "" }, "demo data");
    this.caption = make("p", { class: "caption" }, this.madeUp, make("span", {}, CAPTION));
    this.stage.foot = make("div", { class: "stage-foot" }, this.legend.key, this.legend.element, this.caption);
    this.stage.element.append(this.tools.element, this.stage.foot, this.card.element);
    this.stage.scene.relevance = this.relevance;
    this.hand = new Hand(this.stage.lines, this.#handActions());
    this.how = make("p", { class: "how-to-read" }, HOW_TO_READ);
    root.append(this.strip.element, this.readout.element, this.stage.element, this.how, this.readout.status);
    const fallback = button("Show the plain figure instead", () => python.setStateValue("fallback", true));
    if (!this.stage.works) this.stage.say(CANNOT_DRAW, fallback);
    attribute(root, "aria-busy", "true");
    store.anchor("threshold", this.readout.element);
    store.anchor("landscape", this.how);
    this.frame = oncePerFrame(() => this.#paint());
    store.commit = (patch, { now } = { now: true }) => commits[now ? "now" : "soon"](patch);
    store.focusOn = (row) => commits.focus(row);
    const draw = () => this.frame.ask();
    this.listen({
      data: () => this.#takeData(), live: () => (this.updating ? draw() : this.frame.now()), scores: draw, picked: draw,
      find: draw, focus: () => this.#takeFocus(), place: () => this.#settle(), hovered: () => this.#takeHovered(),
      draft: () => this.readout.showDraft(Boolean(store.draft)),
    });
    this.#settle();
    this.observer = new ResizeObserver(() => {
      if (this.stage.resize()) this.#paint(); // at once: a canvas is empty after a resize
    });
    this.observer.observe(this.stage.element);
    // The background fades for a moment when Streamlit changes its theme, and that is how we hear of it.
    root.addEventListener("transitionstart", (event) => {
      if (event.propertyName === "background-color" && event.target === root) this.#takeTheme();
    });
  }

  #handActions() {
    const { stage, card } = this;
    const look = (move) => (...how) => {
      this.aimed = false;
      this.#leave();
      move(...how);
      stage.spoil("place");
      this.frame.ask();
    };
    return {
      pan: look((dx, dy) => stage.camera.pan(dx, dy)),
      zoom: look((factor, px, py) => stage.camera.zoom(factor, px, py)),
      home: () => this.#home(),
      hover: (px, py) => this.#hover(px, py),
      leave: () => this.#leave(),
      scrolled: () => stage.sayZoom(),
      click: (px, py) => this.#open(this.#rowAt(px, py)),
      enter: () => this.#enter(),
      escape: () => this.#clear(),
      lassoMove: (path) => {
        card.hide();
        stage.drawLasso(path);
      },
      lassoEnd: (path) => this.#pickInside(path),
    };
  }

  destroy() {
    super.destroy();
    this.observer.disconnect();
    this.frame.stop();
    clearTimeout(this.stage.hiding);
    this.commits.drop();
    this.readout.destroy();
    this.strip.destroy();
    this.tools.destroy();
  }

  /** Decay and beta stand beside the picture, where the page has a place for them. */
  #settle() {
    const place = this.store.places.get("tuning");
    if (place) this.strip.moveTo(place);
  }

  #takeHovered() {
    this.stage.scene.hovered = this.store.hovered;
    this.stage.spoil("lines");
    this.frame.ask();
  }

  /** What Python says now. Tuning is taken over unless the hand has moved on since. */
  update(data) {
    this.updating = true;
    this.#takeUpdate(data);
    this.updating = false;
  }

  #takeUpdate(data) {
    const { store, commits } = this;
    const otherPoints = data.dataset.points !== store.current.points;
    this.data = data;
    if (data.in_sentence) this.#splitReadout();
    this.drawn.scape = data.scape;
    this.root.style.height = `${data.height}px`;
    commits.hear(data.echo);
    const isNew = otherPoints || commits.isNew(data.echo);
    if (otherPoints) commits.drop();
    if (isNew) store.live = { ...store.live, ...data.tuning };
    store.use(data.dataset);
    if (otherPoints || (data.echo_focus ?? data.echo ?? 0) >= commits.focused) this.#followFocus(data.selected_focus);
    if (isNew) store.tell("live");
    this.#takeData();
  }

  /** Scores stand in a part of their own; the decay stays beside what decides it. */
  #splitReadout() {
    if (this.readout.element.classList.contains("sentence")) return;
    this.readout.makeSentence();
    this.readout.showDraft(Boolean(this.store.draft));
    this.strip.panel.append(this.readout.items.decay.element);
  }

  /** Python's focus, when it is another one than before: a link, say. */
  #followFocus(row) {
    if (row === undefined || row === this.toldFocus) return;
    this.toldFocus = row;
    if (row !== this.store.focused) this.store.focus(row);
  }

  /** Other payloads are current, or have come. */
  #takeData() {
    const { store, stage, data } = this;
    const { points } = store;
    if (!data) return;
    this.root.classList.toggle("waiting", !points);
    if (!points) return;
    this.root.classList.add("ready");
    attribute(this.root, "aria-busy", null);
    this.strip.describe(points, data.marks, data.defaults);
    this.tools.describe(points);
    if (points !== this.points) this.#takePoints(points);
    const missing = points.header.has_landscape === false ? "There is no landscape." : null;
    if (stage.works) stage.say(data.no_landscape ?? missing);
    if (stage.scene.regions !== store.regions) stage.spoil("lines");
    Object.assign(stage.scene, { regions: store.regions, curve: store.curve });
    this.#takeTheme();
    this.frame.ask();
  }

  #takePoints(points) {
    const { stage } = this;
    this.points = points;
    this.#leave();
    stage.scene.points = points;
    stage.camera.frame(points.header.bounds);
    stage.spoil("dress", "place", "gather", "lines");
    this.readout.describe(points);
    show(this.madeUp, Boolean(points.header.made_up));
  }

  #takeTheme() {
    const { stage, store, root } = this;
    const colours = roleColours(store, root);
    if (!colours) return;
    const { fontFamily } = getComputedStyle(root);
    if (colours === stage.scene.colours && fontFamily === stage.overlay.font) return;
    stage.scene.colours = colours;
    stage.scene.theme = isDark(root) ? "dark" : "light";
    stage.overlay.font = fontFamily;
    for (const box of [root, this.strip.beside]) wearColours(box, store);
    stage.spoil("dress", "gather", "lines");
    store.tell("look");
    this.frame.ask();
  }

  #takeFocus() {
    const { stage, store, points } = this;
    const row = store.focused;
    stage.spoil("lines");
    if (row !== null && points && row < points.arrays.x.length && stage.works) {
      const { camera } = stage;
      const [x, y] = [points.arrays.x[row], points.arrays.y[row]];
      const [px, py] = [camera.pixelX(x), camera.pixelY(y)];
      if (camera.width && !(px > 0 && py > 0 && px < camera.width && py < camera.height)) {
        camera.centre(x, y);
        stage.spoil("place");
      }
    }
    this.frame.ask();
  }

  #paint() {
    const started = performance.now();
    const { store, stage, relevance, numbers } = this;
    const { points, live } = store;
    if (!points || points !== this.points || !live.region || !stage.scene.colours) return;
    const { scene } = stage;
    const splitBefore = relevance.split;
    const change = relevance.follow(points, store.regions, live);
    numbers.follow(relevance, store.curve, store.scores);
    if (scene.region !== live.region) stage.spoil("lines");
    scene.region = live.region;
    scene.picked = store.picked;
    scene.typed = store.found;
    scene.focused = store.focused;
    this.#colour();
    this.readout.follow(relevance, numbers, points, live);
    this.strip.follow(relevance);
    this.tools.follow(relevance, live, this.#notice());
    const colourBy = scene.colouring ? live.colour_by : "region";
    this.legend.follow(scene, colourBy);
    this.#sayHow(colourBy);
    if (stage.message.hidden) stage.draw(change, splitBefore);
    this.#record(started);
  }

  /** A message on the picture: a link to what is not here, or a region that is undefined. */
  #notice() {
    const { region } = this.store.live;
    const why = region === "cosine" ? null : this.store.regions?.header.undefined?.[region];
    if (!why) return this.data.focus_missing;
    return `${this.points.header.kinds.find(({ kind }) => kind === region)?.label ?? region} is undefined: ${why}`;
  }

  #sayHow(colourBy) {
    const says = this.stage.message.hidden ? [HOW_TO_READ, WHAT_COLOURS_SAY[colourBy]] : [];
    if (this.store.live.region === "cosine") says.push(DRAG);
    write(this.how, says.join(" "));
    attribute(this.how, "title", says.join(" "));
  }

  /** The colours of the points, if another colouring is on or what it shows has changed. */
  #colour() {
    const { stage, store } = this;
    const { scene } = stage;
    const how = store.live.colour_by ?? "region";
    const curve = how === "decay" ? store.curve : null;
    const needs = [how, scene.points, curve, scene.colours];
    if (this.colouredFor?.every((need, i) => need === needs[i])) return;
    this.colouredFor = needs;
    scene.colouring = colouringOf(how, scene);
    stage.spoil("gather");
  }

  #record(started) {
    const { drawn, store } = this;
    drawn.min_similarity = store.live.min_similarity;
    drawn.region = store.live.region;
    drawn.draws++;
    drawn.at = performance.now();
    drawn.ms = drawn.at - started;
    globalThis.queryscapeDrawn = drawn;
  }

  #describeCanvas(words) {
    const { topic, version } = this.points.header;
    attribute(this.stage.lines, "aria-label", `Landscape of ${topic}, ${version}: ${words}. ${KEYS}`);
  }

  #rowAt(px, py) {
    const { points, stage } = this;
    if (!points || !stage.message.hidden) return -1;
    const { camera } = stage;
    const unit = 1 / camera.scale;
    const { core } = points.arrays;
    const headStart = (row) => (core[row] ? CORE_HEAD_START_PX * unit : 0);
    return gridOf(points).nearest(camera.placeX(px), camera.placeY(py), REACH_PX * unit, headStart);
  }

  #hover(px, py) {
    const { stage, card, store } = this;
    const row = this.#rowAt(px, py);
    stage.drawRing(row);
    if (row < 0) return card.hide();
    return card.show(row, px, py, stage.camera.width, stage.camera.height, stage.scene, store.live);
  }

  #leave() {
    this.card.hide();
    this.stage.drawRing(-1);
  }

  #open(row) {
    if (row >= 0) this.store.focusOn(row);
  }

  /** Enter opens the focused row, or after a move of the view the one nearest to the middle. */
  #enter() {
    const { camera } = this.stage;
    const { focused } = this.store;
    if (this.aimed && focused !== null) return this.#open(focused);
    this.aimed = true;
    if (!this.points) return undefined;
    const reach = Math.max(camera.width, camera.height) / camera.scale;
    return this.#open(gridOf(this.points).nearest(camera.cx, camera.cy, reach));
  }

  #clear() {
    this.#setLasso(false);
    if (this.store.picked.length) this.store.pick([]);
  }

  #setLasso(on) {
    this.hand.lassoing = on;
    this.tools.setLasso(on);
    this.stage.lines.classList.toggle("lassoing", on);
  }

  #pickInside(path) {
    this.stage.drawLasso(null);
    if (!path) return;
    const { camera } = this.stage;
    const polygon = path.map((at, i) => (i % 2 ? camera.placeY(at) : camera.placeX(at)));
    this.store.pick(gridOf(this.points).inside(polygon));
    this.#setLasso(false);
  }

  #home() {
    this.stage.camera.home();
    this.stage.spoil("place");
    this.#leave();
    this.frame.ask();
  }

  #toggle(name) {
    const { scene } = this.stage;
    scene.show = { ...scene.show, [name]: !scene.show[name] };
    this.stage.spoil("dress", "gather", "lines");
    this.store.tell("look");
    this.frame.ask();
  }

  async #save(kind) {
    const { stage, store, points } = this;
    if (!points || !stage.message.hidden) return;
    const name = fileName(points.header.topic, points.header.version, "landscape");
    const font = stage.overlay.font;
    if (kind === "PNG") saveFile(await pngOf(stage.scene, store.live, font), "image/png", `${name}.png`);
    else saveFile(svgOf(stage.scene, stage.splat, store.live, font), "image/svg+xml", `${name}.svg`);
  }
}
