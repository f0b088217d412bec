// The labs: one is shown, another one is drawn at once, and any of them can be presented. Python computes values only.
import { button, copyText, enable } from "../shared/controls.js";
import { attribute, make, oncePerFrame, show, write } from "../shared/elements.js";
import { Flight } from "../shared/messages.js";
import { Part } from "../shared/part.js";
import { BenchView } from "./bench_view.js";
import { labControl } from "./controls.js";
import { OpenedLabs } from "./opened_labs.js";
import { areSame, labAddress, movedValues, pointsText, wantedIn } from "./values.js";

const LAB_STATUS_MS = 2000;
const PLACES = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
/** These need the arrow keys for themselves. */
const KEEPS_ARROWS = "input, select, textarea, .grip, .handle";
/** Of these, the ones that give the arrow keys back once the pointer has let go. */
const GIVES_ARROWS_BACK = 'input, .grip, .handle';

/** The part. Its documents are made by dashboard/explore/labs/bench.py and sent by labs_page.py. */
export class Lab extends Part {
  silence = 0;
  known = "";
  echo = 0;
  prefix = "";
  notice = "";
  names = make("nav", { class: "lab-names", "aria-label": "Labs" });
  before = button("Previous", () => this.#chooseBeside(-1));
  place = make("span", { class: "lab-place" });
  after = button("Next", () => this.#chooseBeside(1));
  steps = make("div", { class: "lab-steps", hidden: "" });
  present = button("Present", () => this.#present(!this.presents), {
    title: "Large type for a lecture; arrow keys go to the next lab, Escape ends it",
  });
  alert = make("p", { class: "lab-alert", role: "alert", hidden: "" });
  heading = make("h2", { id: "lab-heading" });
  explanation = make("p", { class: "lab-explanation" });
  sliders = make("div", { class: "lab-controls", role: "group", "aria-label": "Controls" });
  expertSliders = make("div", { class: "lab-controls", role: "group", "aria-label": "Expert controls" });
  status = make("span", { class: "lab-status", role: "status" });
  reference = make("p", { class: "lab-reference" });
  expert = make("details", { class: "lab-expert" }, make("summary", {}, "For experts"));
  right = make("div", { class: "lab-right" });
  columns = make("div", { class: "lab-frame" });
  page = make("div", { class: "lab-page" });
  stage = make("dialog", { class: "lab-stage", "aria-labelledby": "lab-heading", tabindex: "-1" });

  constructor(root, store, python) {
    super(root, store, python);
    /** @type {OpenedLabs} */ this.opened = store.labs ??= new OpenedLabs();
    this.flight = new Flight((message) => python.setStateValue("ask", message));
    this.isOpen = false;
    this.presents = false;
    this.path = location.pathname;
    this.controls = new Map();
    this.bench = new BenchView(root, {
      movedPoint: (...moved) => this.#movedPoint(...moved), movedLine: (...moved) => this.#movedLine(...moved),
      say: (words) => this.#say(words),
    });
    this.#build();
    this.frame = oncePerFrame(() => this.#draw());
    this.observer = new ResizeObserver(() => this.frame.ask());
    this.observer.observe(this.bench.board);
    this.followTheme(() => this.frame.ask());
    for (const [name, hear] of /** @type {[any, any][]} */ ([["popstate", () => this.#travelled()], ["resize", () => this.frame.ask()]])) {
      addEventListener(name, hear);
      this.leave.push(() => removeEventListener(name, hear));
    }
    const key = (event) => this.#key(event);
    document.addEventListener("keydown", key);
    this.leave.push(() => document.removeEventListener("keydown", key));
  }

  #build() {
    const { sentence, board, below, numbers, expertNumbers } = this.bench;
    const bar = make("div", { class: "lab-bar" }, this.names, this.steps, this.present);
    this.steps.append(this.before, this.place, this.after);
    const buttons = make("div", { class: "lab-buttons" },
      button("Reset", () => this.#reset(), { title: "Restore the initial settings" }),
      button("Copy link", () => this.#copyLink(), { title: "Copy a link to the lab with these settings" }));
    this.expert.append(this.expertSliders, expertNumbers, this.reference);
    this.expert.addEventListener("toggle", () => {
      this.opened.isExpert = this.expert.open;
      this.frame.ask();
    });
    const left = make("div", { class: "lab-left" }, this.heading, this.explanation, this.sliders,
      make("div", { class: "lab-foot" }, buttons, this.status), numbers, this.expert);
    this.right.append(sentence, board, below);
    this.columns.append(left, this.right);
    this.page.append(bar, this.alert, this.columns);
    this.stage.addEventListener("close", () => this.#present(false));
    this.stage.addEventListener("pointerup", (event) => this.#giveArrowsBack(event));
    this.root.append(this.page, this.stage);
  }

  update(data) {
    if (data.labs) {
      this.opened.receive(data.labs);
      this.opened.look = { colours: data.colours, ramp: data.ramp, font: data.font };
    }
    if (!this.opened.names.length) return;
    this.prefix = data.in_link;
    this.echo = data.echo ?? 0;
    this.opened.answer(data, this.flight.heard(this.echo));
    if (!this.isOpen) this.#open(data.answer?.lab);
    else this.#write("replace");
    this.#show();
  }

  destroy() {
    super.destroy();
    this.observer.disconnect();
    this.frame.stop();
    this.presents = false;
    this.stage.close();
  }

  // The address: another lab or the presentation is a step of Back, values are not.

  #open(answered) {
    this.isOpen = true;
    const { opened } = this;
    opened.current ??= opened.names[0];
    const wanted = wantedIn(location.href, this.prefix);
    this.#follow(wanted, this.echo === 0 && answered === wanted.lab);
    this.#write("replace");
  }

  /** Back or Forward: the address wins. */
  #travelled() {
    if (!this.isOpen || location.pathname !== this.path) return;
    this.notice = "";
    this.#follow(wantedIn(location.href, this.prefix), false);
    this.#show();
  }

  #follow({ lab, sent, presents }, isAnswered) {
    const { opened } = this;
    if (lab !== null && !opened.has(lab)) {
      this.notice = `There is no lab “${lab.slice(0, 40)}”. Choose one of the labs above.`;
    } else if (lab !== null) {
      opened.current = lab;
      if (!isAnswered && opened.differs(lab, sent)) this.#sendLink(lab, sent);
    }
    this.#setStage(presents);
    this.#askIfNeeded();
  }

  #sendLink(lab, sent) {
    if (Object.keys(sent).length || this.flight.isAhead) this.flight.move({ lab, values: sent, from_link: true });
    if (!Object.keys(sent).length) this.opened.reset(lab);
  }

  #address() {
    const { current } = this.opened;
    const { controls } = this.opened.documentOf();
    return labAddress(location.href, { lab: current, controls, prefix: this.prefix, presents: this.presents }, this.opened.valuesOf());
  }

  /** @param {"push" | "replace"} how */
  #write(how) {
    if (location.pathname !== this.path) return;
    const address = this.#address();
    if (address === location.href) return;
    if (how === "push") history.pushState(history.state, "", address);
    else history.replaceState(history.state, "", address);
  }

  // Which lab

  #choose(name) {
    if (name === null || name === this.opened.current) return;
    this.opened.current = name;
    this.notice = "";
    this.#write("push");
    this.#askIfNeeded();
    this.#show();
    this.root.ownerDocument.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    this.stage.scrollTop = 0;
  }

  #chooseBeside(places) {
    this.#choose(this.opened.beside(places));
  }

  /** Only a lab whose controls were moved while another message was on its way. */
  #askIfNeeded() {
    const { opened } = this;
    if (!this.flight.isAhead && opened.needsAnswer()) this.flight.move({ lab: opened.current, values: opened.valuesOf() });
  }

  // For a lecture

  #present(presents) {
    if (presents === this.presents) return;
    this.#setStage(presents);
    this.#write("push");
    this.#show();
    if (!presents) this.present.focus({ preventScroll: true });
  }

  #setStage(presents) {
    if (presents === this.presents) return;
    this.presents = presents;
    (presents ? this.stage : this.root).append(this.page);
    if (presents) this.stage.showModal();
    else this.stage.close();
    if (presents) this.stage.focus();
    show(this.steps, presents);
    write(this.present, presents ? "End presentation" : "Present");
  }

  #key(event) {
    const places = PLACES[event.key];
    if (!this.presents || !places || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.composedPath()[0]?.matches?.(KEEPS_ARROWS)) return;
    event.preventDefault();
    this.#chooseBeside(places);
  }

  #giveArrowsBack(event) {
    if (event.target.closest?.(GIVES_ARROWS_BACK)) setTimeout(() => this.presents && this.stage.focus({ preventScroll: true }));
  }

  // The values

  #moved(name, value, rests) {
    this.#send(movedValues(this.opened.valuesOf(), this.opened.documentOf().controls, name, value), rests);
  }

  /** A line is where the hand puts it at once, too: `change` makes the new value of the one before. */
  #movedLine(name, change, rests) {
    this.#moved(name, change(this.opened.valuesOf()[name]), rests);
  }

  #send(values, rests) {
    this.opened.move(values);
    this.notice = "";
    this.#showValues();
    this.flight.move({ lab: this.opened.current, values });
    if (rests) this.#write("replace");
    this.frame.ask();
  }

  /** A dot is where the hand puts it at once, whatever Python makes of it. */
  #movedPoint(number, placed, rests) {
    const values = this.opened.valuesOf();
    if (!placed) return this.#send(values, rests);
    const points = this.bench.points(values);
    points[number] = placed(points[number]);
    return this.#send({ ...values, points: pointsText(points) }, rests);
  }

  #reset() {
    this.opened.reset();
    this.#send(this.opened.valuesOf(), true);
  }

  async #copyLink() {
    this.#say((await copyText(this.#address(), this.root.querySelector("button"))) ? "Link copied" : "Not copied");
  }

  #say(words) {
    write(this.status, words);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => write(this.status, ""), LAB_STATUS_MS);
  }

  // What is shown

  #show() {
    this.#describe();
    this.#showValues();
    this.frame.now();
  }

  #describe() {
    const { lab, controls, title, explanation, reference } = this.opened.documentOf();
    const names = [lab, ...controls.map(({ name, kind }) => `${kind} ${name}`)].join();
    if (names !== this.known) {
      this.known = names;
      this.controls = new Map(controls.map((each) => [each.name, labControl(each, (...moved) => this.#moved(...moved))]));
      const elements = (isExpert) => controls.filter(({ expert }) => expert === isExpert).map(({ name }) => this.controls.get(name).element);
      this.sliders.replaceChildren(...elements(false));
      this.expertSliders.replaceChildren(...elements(true));
      this.expert.open = this.opened.isExpert || this.#hasMovedExpert(controls);
    } else for (const each of controls) this.controls.get(each.name).describe(each);
    write(this.heading, title);
    write(this.explanation, explanation.replace("\n", " "));
    write(this.reference, reference ? `Source: ${reference}` : "");
    this.#describeNames();
  }

  #hasMovedExpert(controls) {
    const values = this.opened.valuesOf();
    return controls.some(({ name, value, expert }) => expert && values[name] !== value);
  }

  #describeNames() {
    const { names, current } = this.opened;
    if (this.names.children.length !== names.length) this.names.replaceChildren(...names.map((name) => this.#linkTo(name)));
    names.forEach((name, n) => attribute(this.names.children[n], "aria-current", name === current ? "page" : null));
    const at = names.indexOf(String(current));
    write(this.place, `${at + 1} of ${names.length}`);
    enable(this.before, at > 0);
    enable(this.after, at < names.length - 1);
  }

  #linkTo(name) {
    const link = make("a", { href: `?lab=${name}` }, this.opened.firstOf(name).title.split(":")[0]);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      this.#choose(name);
    });
    return link;
  }

  #showValues() {
    const values = this.opened.valuesOf();
    for (const [name, control] of this.controls) control.set(values[name]);
  }

  #draw() {
    const { opened } = this;
    if (!opened.current || !this.isOpen) return;
    const document = opened.documentOf();
    const alerts = [this.notice, ...document.mistakes].filter(Boolean);
    show(this.alert, alerts.length > 0);
    write(this.alert, alerts.join(" "));
    attribute(this.root, "data-state", document.bench ? "shown" : "nothing");
    attribute(this.root, "data-lab", opened.current);
    show(this.expert, document.controls.some(({ expert }) => expert) || Boolean(document.reference));
    const isDrawn = Boolean(document.bench) || this.bench.document?.lab === document.lab;
    for (const part of [this.right, this.bench.numbers]) show(part, isDrawn);
    if (!document.bench) return;
    const values = opened.valuesOf();
    this.bench.draw(document, {
      look: opened.look, values: areSame(values, document.values) ? null : values, isExpert: this.expert.open,
      controls: new Map(document.controls.map((control) => [control.name, control])), room: this.#room(), presents: this.presents,
    });
    attribute(this.root, "data-echo", this.echo);
  }

  /** The height that is left for charts below the head of the page, in their pixels; null where all scrolls anyway. */
  #room() {
    const { board } = this.bench;
    if (getComputedStyle(this.columns).gridTemplateColumns.split(" ").length < 2) return null;
    const scrolled = this.presents ? this.stage.scrollTop : this.root.ownerDocument.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0;
    const { top, width } = board.getBoundingClientRect();
    const zoom = width / board.offsetWidth || 1;
    return Math.round((innerHeight - top - scrolled) / zoom);
  }
}
