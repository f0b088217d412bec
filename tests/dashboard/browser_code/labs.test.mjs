// The labs: axes, paths, labels, what is read under the pointer, and what is sent while the hand moves.
import assert from "node:assert/strict";
import { test } from "node:test";

import { readDrawing } from "../../../dashboard/browser/lab/chart.js";
import { drawingOf } from "../../../dashboard/browser/lab/drawing.js";
import { fitsSideBySide } from "../../../dashboard/browser/lab/controls.js";
import { OpenedLabs } from "../../../dashboard/browser/lab/opened_labs.js";
import {
  firstValues, labAddress, linkOf, movedValues, pointsIn, pointsText, sliderWords, snapped, valueAfterKey, wantedIn,
} from "../../../dashboard/browser/lab/values.js";
import {
  axisScale, axisTicks, linearTicks, roundStep, tickText, areaPath, closedPath, columnsOf, crossesPath, dotsPath, fittedShare,
  linePath, boxesMeet, placeMarkLabels, trimmed, wrapped,
} from "../../../dashboard/browser/lab/layout.js";
import { Flight } from "../../../dashboard/browser/shared/messages.js";

const measure = (text, size) => text.length * size * 0.5;
const colours = Object.fromEntries(["text", "faint", "grid", "border", "panel", "background", "accent", "core", "core_edge", "relevant", "not_relevant"].map((role) => [role, `#${role}`]));
const look = { width: 400, colours, ramp: ["#000", "#555", "#fff"], font: "x", measure, moved: null, id: "t" };
const axis = (more = {}) => ({ label: "x", min: 0, max: 1, scale: "linear", digits: 2, names: [], ...more });
const series = (more) => ({ label: "s", role: "core", dash: [], width: 2, hollow: false, cross: false, edge: null, hover: [], draggable: false, numbers: [], names: [], ...more });
const chart = (more) => ({ id: "c", title: "A title", x: axis(), y: axis({ label: "y" }), series: [], shapes: [], marks: [], cells: null, square: false, wide: false, bars: "over", height: 280, description: "", ...more });
const node = (drawing, key) => drawing.nodes.find((each) => each.key === key);

test("a scale and its inverse agree, also on a log axis, and never leave the axis", () => {
  for (const each of [axis({ min: -2, max: 7 }), axis({ min: 10, max: 50_000, scale: "log" })]) {
    const scale = axisScale(each, 300, 20);
    for (const along of [0, 0.25, 0.9, 1]) {
      const value = scale.value(300 - 280 * along);
      assert.ok(Math.abs(scale.at(value) - (300 - 280 * along)) < 1e-6);
    }
    assert.equal(scale.value(1000), each.min);
    assert.ok(Math.abs(scale.value(-1000) - each.max) < 1e-6);
  }
  assert.ok(Number.isNaN(axisScale(axis({ min: 1, max: 10, scale: "log" }), 0, 1).at(0)));
});

test("steps are round, ticks lie on the axis and have labels of their own", () => {
  assert.deepEqual([0.03, 0.2, 1, 3, 700].map(roundStep), [0.05, 0.2, 1, 5, 1000]);
  for (const [min, max] of [[0, 1], [-0.7, 0.92], [0, 60_000], [3, 3.2], [-1e6, 1e6]]) {
    for (const room of [80, 300, 900]) {
      const ticks = axisTicks(axis({ min, max, digits: 2 }), room, "x");
      assert.ok(ticks.length >= 1 && ticks.length <= room / 50 + 2, `${min} ${max} ${room}: ${ticks.length}`);
      assert.ok(ticks.every(({ at }) => at >= min - 1e-9 && at <= max + 1e-9));
      assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length);
    }
  }
  assert.deepEqual(linearTicks(0, 1, 0.5, 1).map(({ text }) => text), ["0.0", "0.5", "1.0"]);
  assert.deepEqual(axisTicks(axis({ min: 1, max: 5, digits: 0 }), 900, "x").map(({ at }) => at), [1, 2, 3, 4, 5]);
  assert.deepEqual(axisTicks(axis({ min: 10, max: 100_000, scale: "log", digits: 0 }), 400, "x").map(({ text }) => text), ["10", "100", "1,000", "10,000", "100,000"]);
  assert.equal(tickText(-20000, 0), "−20,000");
  assert.equal(tickText(-0.001, 1), "0.0");
});

test("names are ticks as they are", () => {
  assert.deepEqual(axisTicks(axis({ names: ["a", "b"] }), 10, "x"), [{ at: 0, text: "a" }, { at: 1, text: "b" }]);
});

test("paths leave gaps where there is no number", () => {
  assert.equal(linePath([[0, 0], [1, 2], [NaN, 3], [4, 5], [6, 7]]), "M0 0L1 2M4 5L6 7");
  assert.equal(areaPath([[0, 1], [2, 3], [NaN, 0], [5, 5]], 9), "M0 9L0 1L2 3L2 9Z");
  assert.equal(closedPath([[0, 0], [1, 1]]), "");
  assert.equal(closedPath([[0, 0], [1, 0], [1, 1]]), "M0 0L1 0L1 1Z");
  assert.equal(dotsPath([[NaN, 1]], 3), "");
  assert.equal(dotsPath([[10, 20]], 3), "M7 20a3 3 0 1 0 6 0a3 3 0 1 0 -6 0");
  assert.equal(crossesPath([[0, 0]], 5), "M-4 -4L4 4M-4 4L4 -4");
});

test("words fit where they stand", () => {
  assert.equal(trimmed("short", 100, 10, measure), "short");
  const cut = trimmed("a long title that does not fit", 60, 10, measure);
  assert.ok(cut.endsWith("…") && measure(cut, 10) <= 60);
  const lines = wrapped("one two three four five six seven", 50, 10, 2, measure);
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => measure(line, 10) <= 50));
  assert.deepEqual(wrapped("one two", 500, 10, 3, measure), ["one two"]);
});

test("labels of marks do not meet while there is room, and stay in the frame", () => {
  const frame = { left: 40, right: 400, top: 10, bottom: 250 };
  const marks = [100, 104, 108, 390, 396].map((px) => ({ axis: "x", px, width: 70 }));
  marks.push(...[60, 64, 68].map((px) => ({ axis: "y", px, width: 90 })));
  const boxes = placeMarkLabels(marks, frame).map(({ x, y, anchor }, n) => {
    const left = anchor === "start" ? x : x - marks[n].width;
    return { left, right: left + marks[n].width, top: y - 11, bottom: y + 3 };
  });
  boxes.forEach((box, n) => {
    assert.ok(box.left >= frame.left && box.right <= frame.right, `label ${n} is out`);
    for (const other of boxes.slice(n + 1)) assert.ok(!boxesMeet(box, other), `label ${n} meets another`);
  });
});

test("a label stands clear of those beside it, and where it can of the lines of others", () => {
  const frame = { left: 40, right: 340, top: 10, bottom: 250 };
  const marks = [170, 150, 142].map((px) => ({ axis: "x", px, width: 60 }));
  const boxes = placeMarkLabels(marks, frame).map(({ x, y, anchor }) => {
    const left = anchor === "start" ? x : x - 60;
    return { left: left - 6, right: left + 66, top: y - 11, bottom: y + 3 };
  });
  boxes.forEach((box, n) => boxes.slice(n + 1).forEach((other) => assert.ok(!boxesMeet(box, other))));
  const [, second] = placeMarkLabels([{ axis: "x", px: 300, width: 30 }, { axis: "x", px: 260, width: 60 }], frame);
  assert.equal(second.anchor, "end");
});

test("whole numbers are ticked one by one where there is room", () => {
  const ticks = axisTicks(axis({ min: 0.5, max: 8.5, digits: 0 }), 190, "x");
  assert.deepEqual(ticks.map(({ at }) => at), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.ok(axisTicks(axis({ min: 0, max: 60_000, digits: 0 }), 190, "x").length < 5);
});

test("a legend that stands over another chart takes no room", () => {
  const drawn = chart({ series: [series({ kind: "dots", x: [0], y: [0] })] });
  const [shown, left] = [drawingOf(drawn, look), drawingOf({ ...drawn, legend: false }, look)];
  assert.ok(node(shown, "legend-s-words") && !node(left, "legend-s-words"));
  assert.ok(left.height < shown.height);
});

test("a square chart that is narrow leaves nothing empty over it", () => {
  const { frame, height } = drawingOf(chart({ square: true, height: 400 }), { ...look, width: 260 });
  const wide = drawingOf(chart({ square: true, height: 400 }), { ...look, width: 900 });
  assert.ok(frame.top < 40 && height < wide.height);
});

test("a square chart has the same length for one unit on both axes", () => {
  for (const width of [260, 400, 900]) {
    const { frame } = drawingOf(chart({ square: true, y: axis({ min: 0, max: 2 }) }), { ...look, width });
    assert.ok(Math.abs((frame.right - frame.left) * 2 - (frame.bottom - frame.top)) < 1e-6);
    assert.ok(frame.right <= width);
  }
});

test("the plot does not jump when a title needs fewer lines than before", () => {
  const long = drawingOf(chart({ title: "a title that goes on and on ".repeat(4).trim() }), look);
  const short = drawingOf(chart(), { ...look, titleRows: long.titleRows });
  assert.ok(long.titleRows > 1);
  assert.equal(short.height, long.height);
  assert.deepEqual(short.frame, long.frame);
  assert.ok(drawingOf(chart(), look).height < long.height);
});

test("keys are unique, whatever is drawn", () => {
  const drawing = drawingOf(chart({
    series: [
      series({ kind: "line", x: [0, 1], y: [0, 1] }), series({ kind: "area", label: "t", x: [0, 1], y: [0, 1] }),
      series({ kind: "bars", label: "u", x: [0.2], y: [0.5] }), series({ kind: "dots", label: "v", x: [0.1], y: [0.2], edge: "core_edge" }),
      series({ kind: "dots", label: "w", x: [0.3, 0.4], y: [0.2, 0.1], draggable: true }),
    ],
    shapes: [{ label: "z", role: "core", x: [0, 1, 1], y: [0, 0, 1], dash: [2, 2], filled: true }],
    marks: [{ axis: "x", at: 0.5, label: "half", role: "accent" }],
    cells: { values: [[0, null], [0.5, 1]], label: "F", low: 0, high: 1, at: [1, 1] },
  }), look);
  const keys = drawing.nodes.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(drawing.nodes.every(({ at }) => Object.values(at).every((value) => value === null || !/NaN|undefined/.test(String(value)))));
  assert.match(node(drawing, "cell-0-1").at.fill, /hatch/);
  assert.equal(node(drawing, "cell-1-1").at.fill, "#fff");
});

test("what can be moved keeps its order and its key while it changes its series", () => {
  const at = (first, second) => drawingOf(chart({
    series: [series({ kind: "dots", draggable: true, numbers: first, x: first.map(() => 0.5), y: first.map(() => 0.5) }),
      series({ kind: "dots", draggable: true, numbers: second, x: second.map(() => 0.2), y: second.map(() => 0.2), hollow: true })],
  }), { ...look, moved: [[0.9, 0.9]] });
  for (const drawing of [at([2, 0], [1]), at([1], [0, 2])]) {
    assert.deepEqual(drawing.grips.map(({ number }) => number), [0, 1, 2]);
    assert.deepEqual([drawing.grips[0].vx, drawing.grips[0].vy], [0.9, 0.9]);
    assert.deepEqual(drawing.nodes.filter(({ at: { class: name } }) => name === "grip").map(({ key }) => key), ["grip-0", "grip-1", "grip-2"]);
  }
});

test("what is read under the pointer", () => {
  const drawing = drawingOf(chart({ series: [
    series({ kind: "line", label: "up", x: [0, 0.5, 1], y: [0, 0.5, 1] }), series({ kind: "line", label: "down", x: [0, 0.5, 1], y: [1, 0.5, 0] }),
  ] }), look);
  const { frame } = drawing;
  const middle = readDrawing(drawing, (frame.left + frame.right) / 2 + 3, frame.top + 4);
  assert.deepEqual(middle.lines, ["0.500", "up: 0.500", "down: 0.500"]);
  assert.equal(readDrawing(drawing, frame.left - 30, frame.top), null);
  const cells = drawingOf(chart({ cells: { values: [[0.25, null]], label: "F2", low: 0, high: 1, at: null } }), look);
  assert.deepEqual(readDrawing(cells, cells.frame.left + 5, cells.frame.bottom - 5).lines, ["F2: 0.250"]);
  assert.deepEqual(readDrawing(cells, cells.frame.right - 5, cells.frame.bottom - 5).lines, ["F2: undefined"]);
});

test("one message is under way at a time, and the newest wins", () => {
  const sent = [];
  const timers = [];
  const flight = new Flight((message) => sent.push(message), (act) => timers.push(act));
  flight.move({ values: { a: 1 } });
  flight.move({ values: { a: 2 } });
  flight.move({ values: { a: 3 }, rests: true });
  assert.deepEqual(sent, [{ values: { a: 1 }, rests: false, seq: 1 }]);
  assert.equal(flight.heard(1), false, "the hand has moved on");
  assert.deepEqual(sent[1], { values: { a: 3 }, rests: true, seq: 2 });
  assert.equal(flight.heard(1), false, "an answer that is older than the hand");
  assert.equal(flight.isAhead, true);
  assert.equal(flight.heard(2), true);
  assert.equal(flight.isAhead, false);
});

test("an answer that never comes does not stop the hand", () => {
  const sent = [];
  const timers = [];
  const flight = new Flight((message) => sent.push(message.seq), (act) => timers.push(act));
  flight.move({});
  flight.move({});
  timers[0]();
  assert.deepEqual(sent, [1, 2]);
  timers[0]();
  assert.deepEqual(sent, [1, 2], "a late timer of a message that was given up");
});

test("a part that is mounted again goes on counting where Python is", () => {
  const sent = [];
  const flight = new Flight((message) => sent.push(message.seq), () => {});
  assert.equal(flight.heard(41), true);
  flight.move({});
  assert.deepEqual(sent, [42]);
});

test("values, points and links", () => {
  const controls = [{ name: "share", value: 0.7 }, { name: "seed", value: "0", resets_points: true }];
  assert.deepEqual(firstValues(controls), { share: 0.7, seed: "0" });
  const moved = { share: 0.5, seed: "0", points: "0.1,0.2;1,0" };
  assert.deepEqual(movedValues(moved, controls, "seed", "3"), { share: 0.5, seed: "3" });
  assert.equal(movedValues(moved, controls, "share", 0.4).points, moved.points);
  assert.equal(pointsText(pointsIn(moved.points)), moved.points);
  assert.equal(pointsText([[0.123456, 1 / 3]]), "0.1235,0.3333");
  assert.equal(pointsIn(""), null);
  const href = "http://x/labs?topic=T&lab=decay&at-limit=5&present=1";
  const link = new URL(labAddress(href, { lab: "toy", controls, prefix: "at-" }, moved));
  assert.deepEqual(Object.fromEntries(link.searchParams), { topic: "T", lab: "toy", "at-share": "0.5", "at-points": "0.1,0.2;1,0" });
  assert.deepEqual(wantedIn(link.href, "at-"), { lab: "toy", sent: linkOf(controls, moved), presents: false });
  assert.equal(wantedIn(labAddress(href, { lab: "toy", controls, prefix: "at-", presents: true }, moved), "at-").presents, true);
  assert.deepEqual(wantedIn("http://x/labs", "at-"), { lab: null, sent: {}, presents: false });
});

test("a line is dragged to values that its slider can have", () => {
  const linear = { min: -1, max: 1, step: 0.005, scale: "linear" };
  assert.equal(snapped(linear, 0.50234), 0.5);
  assert.equal(snapped(linear, 0.5027), 0.505);
  assert.deepEqual([snapped(linear, -7), snapped(linear, 7)], [-1, 1]);
  assert.equal(snapped({ min: 500, max: 500_000, step: 1, scale: "log" }, 51_234), 51_200);
  assert.equal(snapped({ min: 0.4, max: 0.95, step: 0.05, scale: "linear" }, 0.7001), 0.7);
});

test("arrow keys move a line by a step, and never off its slider", () => {
  const linear = { min: 0, max: 1, step: 0.01, scale: "linear" };
  const key = (value, name, shiftKey = false, control = linear) => valueAfterKey(control, value, { key: name, shiftKey });
  assert.deepEqual([key(0.6, "ArrowRight"), key(0.6, "ArrowDown"), key(0.6, "ArrowUp", true), key(0.6, "PageDown")], [0.61, 0.59, 0.65, 0.5]);
  assert.deepEqual([key(1, "ArrowRight"), key(0, "ArrowLeft"), key(0.3, "Home"), key(0.3, "End")], [1, 0, 0, 1]);
  assert.equal(key(0.3, "a"), null);
  const log = { min: 500, max: 500_000, step: 1, scale: "log" };
  for (let value = log.min, next; value < log.max; value = next) {
    next = key(value, "ArrowRight", false, log);
    assert.ok(next > value, `stuck at ${value}`);
  }
});

test("a line that moves a slider can be grabbed where it is drawn, other lines can't", () => {
  const controls = new Map([["share", { name: "share", label: "Share", min: 0, max: 1, step: 0.01, scale: "linear" }]]);
  const drawn = chart({ marks: [
    { axis: "x", at: 0.5, label: "set", role: "accent", control: "share" }, { axis: "x", at: 0.2, label: "best", role: "text", control: "" },
  ] });
  const still = drawingOf(drawn, { ...look, controls });
  const handle = node(still, "handle-x-share").at;
  assert.deepEqual([handle.role, handle["aria-valuenow"], handle["aria-valuemin"], handle["aria-valuemax"]], ["slider", 0.5, 0, 1]);
  assert.ok(Number(handle.x) < still.scales.x.at(0.5) && Number(handle.x) + handle.width > still.scales.x.at(0.5));
  assert.equal(still.handles.length, 1);
  const ahead = drawingOf(drawn, { ...look, controls, values: { share: 0.8 } });
  assert.ok(Math.abs(ahead.handles[0].px - ahead.scales.x.at(0.8)) < 1e-9);
  assert.equal(drawingOf(drawn, look).handles.length, 0, "a saved picture has no handles");
});

test("lines for experts are drawn only while they are asked for", () => {
  const drawn = chart({ series: [series({ kind: "line", label: "thin", x: [0, 1], y: [0, 1], expert: true }), series({ kind: "line", x: [0, 1], y: [1, 0] })] });
  const labels = (isExpert) => drawingOf(drawn, { ...look, isExpert }).nodes.filter(({ key }) => key.startsWith("line-")).length;
  assert.deepEqual([labels(false), labels(true)], [1, 2]);
});

test("charts share the height that there is, within what can be read", () => {
  const four = Array.from({ length: 4 }, () => ({ wide: false }));
  assert.deepEqual([columnsOf(four, 860, 24), columnsOf(four, 400, 24), columnsOf([...four, ...four], 860, 24), columnsOf([{ wide: true }], 860, 24)], [2, 1, 3, 1]);
  const share = fittedShare(1, 680, 800, 700, false);
  assert.ok(Math.abs(680 * share + 120 - 700) < 1e-9);
  assert.ok(fittedShare(1, 680, 800, 200, false) > 0.5 && fittedShare(1, 280, 340, 5000, false) < fittedShare(1, 280, 340, 5000, true));
});

// Which lab is shown, and when Python has to be asked

const opening = (lab, more = {}) => {
  const controls = [{ name: "share", value: 0.7 }];
  return { lab, controls, values: firstValues(controls), mistakes: [], bench: { sentence: `${lab} at first` }, ...more };
};
const opened = () => {
  const labs = new OpenedLabs();
  labs.receive([opening("toy"), opening("decay"), opening("clusters")]);
  labs.current = "toy";
  return labs;
};

test("another lab is drawn from what is there, and needs no answer", () => {
  const labs = opened();
  for (const name of labs.names) {
    labs.current = name;
    assert.equal(labs.documentOf().bench.sentence, `${name} at first`);
    assert.equal(labs.needsAnswer(), false);
  }
  assert.deepEqual([labs.beside(-1), labs.beside(1)], ["decay", null]);
});

test("a lab that was left is as it was left, also after the page was left", () => {
  const labs = opened();
  labs.move({ share: 0.5 });
  assert.equal(labs.isBehind(), true);
  labs.answer({ answer: opening("toy", { values: { share: 0.5 }, bench: { sentence: "moved" } }), echo: 1 }, true);
  labs.current = "decay";
  labs.receive([opening("toy", { controls: [{ name: "share", value: 0.7, help: "new" }] }), opening("decay"), opening("clusters")]);
  labs.answer({ answer: opening("toy"), echo: 1 }, true);
  assert.deepEqual([labs.documentOf("toy").bench.sentence, labs.documentOf("toy").controls[0].help], ["moved", "new"]);
  assert.deepEqual(labs.valuesOf("toy"), { share: 0.5 });
  labs.reset("toy");
  assert.deepEqual([labs.documentOf("toy").bench.sentence, labs.needsAnswer("toy")], ["toy at first", false]);
});

test("values whose message was overtaken by another lab are asked for when it is shown again", () => {
  const labs = opened();
  labs.move({ share: 0.5 });
  labs.current = "decay";
  labs.move({ share: 0.1 });
  labs.answer({ answer: opening("decay", { values: { share: 0.1 } }), echo: 2 }, true);
  assert.deepEqual([labs.needsAnswer("decay"), labs.needsAnswer("toy")], [false, true]);
});

test("an answer that is older than the hand is drawn but moves no control", () => {
  const labs = opened();
  labs.move({ share: 0.4 });
  labs.answer({ answer: opening("toy", { values: { share: 0.5 }, bench: { sentence: "on the way" } }), echo: 1 }, false);
  assert.equal(labs.documentOf().bench.sentence, "on the way");
  assert.deepEqual(labs.valuesOf(), { share: 0.4 });
});

test("an answer without a bench is waited for, and one that is repeated is not taken twice", () => {
  const labs = opened();
  labs.move({ share: 0.5 });
  const waiting = opening("toy", { values: { share: 0.5 }, bench: null });
  assert.equal(labs.answer({ answer: waiting, echo: 1 }, true), true);
  assert.equal(labs.needsAnswer(), true);
  assert.equal(labs.answer({ answer: opening("toy", { values: { share: 0.5 } }), echo: 1 }, true), true);
  assert.equal(labs.answer({ answer: waiting, echo: 1 }, true), false);
  assert.equal(labs.answer({ answer: opening("gone"), echo: 2 }, true), false);
  assert.equal(labs.needsAnswer(), false);
});

test("a link differs only by what it holds", () => {
  const labs = opened();
  assert.deepEqual([labs.differs("toy", {}), labs.differs("toy", { share: "0.5" })], [false, true]);
  labs.move({ share: 0.5 });
  assert.deepEqual([labs.differs("toy", {}), labs.differs("toy", { share: "0.5" })], [true, false]);
});

test("controls write their values as their steps are", () => {
  assert.equal(sliderWords({ step: 0.05, scale: "linear" }, 0.7), "0.70");
  assert.equal(sliderWords({ step: 1, scale: "linear" }, 12000), "12,000");
  assert.equal(sliderWords({ step: 0.001, scale: "log" }, 51234), "51,234");
  assert.equal(fitsSideBySide([["a", "Short"], ["b", "Also"]]), true);
  assert.equal(fitsSideBySide([["a", "A very long one indeed, it is"], ["b", "Also"]]), false);
});
