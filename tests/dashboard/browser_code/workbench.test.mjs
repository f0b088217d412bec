// The workbench: places in a search string, runs that look the same, asks in their order, sets as bits, numbers in words.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  bytesOf, hasRow, ROLE, rolesOf, tally,
} from "../../../dashboard/browser/shared/corpus_map.js";
import {
  changeSince, effectWords, percentWords, priceWords, signedCount, signedScore,
} from "../../../dashboard/browser/shared/format.js";
import { boundsOf } from "../../../dashboard/browser/shared/camera.js";
import { Asks } from "../../../dashboard/browser/shared/messages.js";
import {
  changedBetween, classOf, runsOf, runsWithin, commonEnds, copiedLines, inUnits, nodeAt, shiftedSpans, unitsOf,
} from "../../../dashboard/browser/shared/text.js";
import { alike, weights } from "../../../dashboard/browser/workbench/findings.js";
import {
  above, blocksOf, flagsOf, groupWords, nodeWords, offWith, parentsOf, pressed, switchedOff, unfolded,
} from "../../../dashboard/browser/workbench/tree.js";

/** Numbers that look random and are the same in every run. */
function dice(seed) {
  let state = seed;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * most);
  };
}

// Places

test("characters beyond the first plane are one for Python and two for the browser", () => {
  const text = "a🧬b";
  assert.deepEqual([0, 1, 2, 3, 9].map(unitsOf(text)), [0, 1, 3, 4, 4]);
  assert.deepEqual([0, 2, 3].map(unitsOf("abc")), [0, 2, 3]);
  const data = {
    text, findings: [], spans: [{ start: 2, end: 3, kind: "term" }], nodes: [{ start: 1, end: 2 }], lines: [],
    core: [{ failing: [{ start: 2, end: 3, text: "b" }] }], translations: [{ losses: [{ start: 0, end: 3 }] }],
  };
  const placed = inUnits(data);
  for (const { start, end } of [placed.spans[0], placed.core[0].failing[0]]) assert.equal(text.slice(start, end), "b");
  assert.equal(text.slice(placed.nodes[0].start, placed.nodes[0].end), "🧬");
  assert.equal(placed.translations[0].losses[0].end, text.length);
  assert.equal(data.spans[0].start, 2);
  assert.equal(inUnits({ ...data, text: "abc" }).spans, data.spans);
});

test("what two texts share at both ends never overlaps", () => {
  assert.deepEqual(commonEnds("aaa", "aa"), { head: 2, tail: 0 });
  assert.deepEqual(commonEnds("cat OR dog", "cat OR big dog"), { head: 7, tail: 3 });
  assert.deepEqual(commonEnds("", "x"), { head: 0, tail: 0 });
  const roll = dice(1);
  for (let round = 0; round < 300; round++) {
    const [before, after] = [0, 1].map(() => Array.from({ length: roll(9) }, () => "ab"[roll(2)]).join(""));
    const { head, tail } = commonEnds(before, after);
    assert.ok(head + tail <= Math.min(before.length, after.length));
    assert.equal(before.slice(0, head), after.slice(0, head));
    assert.equal(before.slice(before.length - tail), after.slice(after.length - tail));
  }
});

test("spans move with the text around them, and those that are typed into go", () => {
  const before = "cat OR dog OR cow";
  const spans = [{ start: 0, end: 3 }, { start: 7, end: 10 }, { start: 14, end: 17 }];
  const after = "cat OR doggy OR cow";
  const moved = shiftedSpans(before, after, spans);
  assert.deepEqual(moved.map(({ start, end }) => after.slice(start, end)), ["cat", "dog", "cow"]);
  assert.deepEqual(shiftedSpans(before, "cat OR d-g OR cow", spans).length, 2);
  assert.equal(shiftedSpans(before, before, spans), spans);
  const roll = dice(2);
  for (let round = 0; round < 300; round++) {
    const start = roll(15);
    const span = { start, end: start + 1 + roll(3) };
    const cut = roll(17);
    const typed = before.slice(0, cut) + "xy".slice(roll(3)) + before.slice(Math.min(17, cut + roll(4)));
    for (const found of shiftedSpans(before, typed, [span])) {
      assert.equal(typed.slice(found.start, found.end), before.slice(span.start, span.end));
    }
  }
});

test("the caret is in the innermost node, its end included", () => {
  const nodes = [
    { number: 0, depth: 0, start: 0, end: 12 }, { number: 1, depth: 1, start: 0, end: 3 }, { number: 2, depth: 1, start: 4, end: 12 },
    { number: 3, depth: 2, start: 5, end: 8 }, { number: 4, depth: 2, start: 8, end: 11 },
  ];
  assert.deepEqual([0, 3, 4, 6, 8, 12].map((place) => nodeAt(nodes, place).number), [1, 1, 2, 3, 4, 2]);
  assert.equal(nodeAt(nodes, 13), null);
  assert.equal(nodeAt([], 0), null);
});

test("lines are copied as they are pasted into a report", () => {
  const lines = [{ number: 1, text: " model*\n  adj3 x ", hits: 1234 }, { number: 12, text: "1 and 2", hits: null }];
  assert.equal(copiedLines(lines), "1. model* adj3 x (1234)\n12. 1 and 2");
});

// Runs

test("runs cover the text without gaps, and the worst finding shows", () => {
  const text = "cat OR dgo";
  const spans = [{ start: 0, end: 3, kind: "term", node: 1 }, { start: 4, end: 6, kind: "operator", node: null }, { start: 7, end: 10, kind: "term", node: 2 }];
  const findings = [{ start: 0, end: 10, severity: "hint" }, { start: 7, end: 10, severity: "error" }, { start: 8, end: 10, severity: "warning" }];
  const runs = runsOf(text, spans, findings);
  assert.equal(runs.map(({ start, end }) => text.slice(start, end)).join(""), text);
  assert.deepEqual(runs.map(({ kind, severity }) => [kind, severity]), [
    ["term", "hint"], [null, "hint"], ["operator", "hint"], [null, "hint"], ["term", "error"],
  ]);
  assert.equal(classOf(runs.at(-1)), "is-term has-error");
});

test("a finding between two characters still shows, also at both ends", () => {
  const at = (text, place) => runsOf(text, [], [{ start: place, end: place, severity: "error" }])
    .filter(({ severity }) => severity).map(({ start, end }) => [start, end]);
  assert.deepEqual(at("abc", 0), [[0, 1]]);
  assert.deepEqual(at("abc", 3), [[2, 3]]);
  assert.deepEqual(at("abc", 99), [[2, 3]]);
  assert.deepEqual(at("", 0), []);
});

test("what is switched off here is struck before Python says so, and what is on again is not", () => {
  const spans = [{ start: 0, end: 3, kind: "term", node: 1 }, { start: 4, end: 7, kind: "off", node: 2 }];
  const struck = (...more) => runsOf("cat dog", spans, [], ...more).map((run) => run.struck);
  assert.deepEqual(struck(), [false, false, true]);
  assert.deepEqual(struck([{ start: 0, end: 3 }], [{ start: 4, end: 7 }]), [true, false, false]);
});

test("each character has the look of all that lies over it", () => {
  const roll = dice(3);
  const order = ["hint", "warning", "error"];
  for (let round = 0; round < 200; round++) {
    const text = "x".repeat(roll(30));
    const interval = () => {
      const start = roll(text.length + 1);
      return { start, end: start + roll(text.length - start + 1) };
    };
    const spans = [];
    for (let at = roll(4); at < text.length; at += 1 + roll(5)) {
      const end = Math.min(text.length, at + 1 + roll(4));
      spans.push({ start: at, end, kind: ["term", "operator", "off"][roll(3)], node: null });
      at = end;
    }
    const findings = Array.from({ length: roll(4) }, () => ({ ...interval(), severity: order[roll(3)] })).filter(({ start, end }) => end > start);
    const struck = Array.from({ length: roll(3) }, interval);
    const runs = runsOf(text, spans, findings, struck);
    assert.equal(runs.reduce((at, { start, end }) => (assert.equal(start, at), end), 0), text.length);
    const over = (list, at) => list.filter(({ start, end }) => start <= at && at < end);
    for (const run of runs) {
      for (let at = run.start; at < run.end; at++) {
        const kind = over(spans, at)[0]?.kind ?? null;
        const worst = Math.max(-1, ...over(findings, at).map(({ severity }) => order.indexOf(severity)));
        assert.equal(run.kind, kind);
        assert.equal(run.severity, order[worst] ?? null);
        assert.equal(run.struck, kind === "off" || over(struck, at).length > 0);
      }
    }
  }
});

test("a span is marked in exactly the runs that it overlaps", () => {
  const runs = [0, 3, 4, 8].map((start, i, starts) => ({ start, end: starts[i + 1] ?? 10 }));
  for (let start = 0; start <= 10; start++) {
    for (let end = start + 1; end <= 11; end++) {
      const [from, to] = runsWithin(runs, { start, end });
      assert.deepEqual(runs.slice(from, to), runs.filter((run) => run.start < end && run.end > start));
    }
  }
  assert.deepEqual(runsWithin([], { start: 0, end: 1 }), [0, 0]);
});

test("typing one letter makes few runs anew", () => {
  assert.deepEqual(changedBetween(["a", "b", "c", "d"], ["a", "x", "y", "c", "d"]), { head: 1, tail: 2 });
  assert.deepEqual(changedBetween(["a"], ["a"]), { head: 1, tail: 0 });
  assert.deepEqual(changedBetween(["a", "a"], ["a"]), { head: 1, tail: 0 });
});

// Asks

/** Asks with a clock that stands still unless it is moved. */
function asking() {
  const sent = [];
  const clock = { now: 1000 };
  return { sent, clock, asks: new Asks((ask) => sent.push(ask), () => clock.now) };
}

test("numbers rise, also if the clock stands still or an older page was ahead", () => {
  const { sent, asks } = asking();
  asks.hear(5000);
  asks.ask("edit", { text: "a" });
  asks.hear(sent[0].seq);
  asks.ask("run");
  assert.deepEqual(sent.map(({ seq }) => seq), [5001, 5002]);
  assert.deepEqual(sent[0], { seq: 5001, kind: "edit", text: "a" });
});

test("an ask waits for the answer before it, so that none is lost", () => {
  const { sent, asks } = asking();
  asks.ask("edit", { text: "a" });
  asks.ask("run");
  asks.ask("dialect", { dialect: "ovid" });
  assert.deepEqual(sent.map(({ kind }) => kind), ["edit"]);
  asks.hear(sent[0].seq - 1);
  assert.equal(sent.length, 1);
  asks.hear(sent[0].seq);
  assert.deepEqual(sent.map(({ kind }) => kind), ["edit", "run"]);
  asks.hear(sent[1].seq);
  asks.hear(sent[2].seq);
  assert.deepEqual(sent.map(({ kind }) => kind), ["edit", "run", "dialect"]);
  assert.equal(asks.isBusy, false);
});

test("a newer edit takes the place of one that is under way or waits", () => {
  const { sent, asks } = asking();
  asks.ask("edit", { text: "a" });
  asks.ask("edit", { text: "ab" });
  assert.deepEqual(sent.map(({ text }) => text), ["a", "ab"]);
  assert.equal(asks.isNews("edit", sent[0].seq), false);
  assert.equal(asks.isNews("edit", sent[1].seq), true);
  asks.ask("run");
  asks.ask("edit", { text: "abc" });
  asks.ask("edit", { text: "abcd" });
  asks.hear(sent[1].seq);
  asks.hear(sent[2].seq);
  assert.deepEqual(sent.map(({ kind, text }) => [kind, text]).slice(2), [["run", undefined], ["edit", "abcd"]]);
});

test("two steps back are two asks", () => {
  const { sent, asks } = asking();
  asks.ask("undo");
  asks.ask("undo");
  asks.hear(sent[0].seq);
  assert.equal(sent.length, 2);
});

test("what names a node is refused while the text is another one than the numbers are about", () => {
  const { sent, asks } = asking();
  asks.ask("edit", { text: "a" });
  for (const kind of ["switch", "fix", "add", "rescue", "reshape_accept"]) assert.equal(asks.ask(kind), false);
  asks.hear(sent[0].seq);
  assert.equal(asks.ask("switch", { off: [1] }), true);
  assert.equal(sent.length, 2);
});

test("an answer that never comes does not hold up the others for ever", () => {
  const { sent, clock, asks } = asking();
  asks.ask("translate");
  clock.now += 60_000;
  asks.ask("run");
  assert.deepEqual(sent.map(({ kind }) => kind), ["translate", "run"]);
});

test("another bench starts from nothing, but its numbers go on", () => {
  const { sent, asks } = asking();
  asks.ask("edit", { text: "a" });
  asks.ask("run");
  asks.reset();
  assert.equal(asks.isBusy, false);
  assert.equal(asks.isNews("edit", 0), true);
  asks.ask("edit", { text: "b" });
  assert.deepEqual(sent.map(({ seq, text }) => [seq, text]), [[1000, "a"], [1001, "b"]]);
});

// The tree

const NODES = [
  { number: 0, parent: null }, { number: 1, parent: 0 }, { number: 2, parent: 1 }, { number: 3, parent: 1 }, { number: 4, parent: 0 },
];
const numbers = (nodes) => nodes.map(({ number }) => number);

test("folding hides everything below, at any depth", () => {
  assert.deepEqual([...parentsOf(NODES)], [0, 1]);
  assert.deepEqual(numbers(unfolded(NODES, new Set())), [0, 1, 2, 3, 4]);
  assert.deepEqual(numbers(unfolded(NODES, new Set([1]))), [0, 1, 4]);
  assert.deepEqual(numbers(unfolded(NODES, new Set([0]))), [0]);
  assert.deepEqual(above(NODES, 3), [1, 0]);
  assert.deepEqual(above(NODES, 0), []);
});

test("a switch takes everything below with it, and one below turns its group on", () => {
  assert.deepEqual(pressed(NODES, [], 3), [3]);
  assert.deepEqual(pressed(NODES, [3], 1), [1, 3]);
  assert.deepEqual([...offWith(NODES, [1])], [1, 2, 3]);
  assert.deepEqual(pressed(NODES, [1], 2), []);
  assert.deepEqual(pressed(NODES, [1, 4], 4), [1]);
  const seen = NODES.map((node) => ({ ...node, off: offWith(NODES, [1, 4]).has(node.number) }));
  assert.deepEqual(switchedOff(seen), [1, 4]);
});

test("what is harmful brings too much, or keeps too much out", () => {
  assert.deepEqual(flagsOf({ flags: ["harmful", "off"], n_gained_if_removed: 0 }), ["harmful"]);
  assert.deepEqual(flagsOf({ flags: ["single_point_of_failure", "harmful"], n_gained_if_removed: 3 }), ["single_point_of_failure", "narrow"]);
  assert.deepEqual(flagsOf({}), []);
});

test("only the parts of an AND at the root are blocks, in their order", () => {
  const nodes = [
    { number: 0, parent: -1, depth: 0, kind: "AND" }, { number: 1, parent: 0, depth: 1, kind: "OR" },
    { number: 2, parent: 1, depth: 2, kind: "TERM" }, { number: 3, parent: 0, depth: 1, kind: "TERM" },
  ];
  assert.deepEqual([...blocksOf(nodes)], [[1, 1], [3, 2]]);
  assert.equal(blocksOf([{ ...nodes[0], kind: "OR" }, ...nodes.slice(1)]).size, 0);
  assert.equal(blocksOf([]).size, 0);
});

test("findings of one kind stand together from three on, the gravest first", () => {
  const one = (rule, severity, start, message = rule) => ({ rule, severity, start, message });
  const some = [one("b", "hint", 0), one("a", "warning", 9, "x"), one("b", "hint", 3), one("a", "warning", 1, "y"), one("a", "warning", 4, "x"), one("c", "error", 7)];
  const told = alike(some).map(({ findings, message }) => [findings[0].rule, findings.map(({ start }) => start), message]);
  assert.deepEqual(told, [["c", [7], "c"], ["a", [1, 4, 9], null], ["b", [0], "b"], ["b", [3], "b"]]);
  assert.equal(alike([0, 1, 2].map((start) => one("a", "hint", start)))[0].message, "a");
  const [many] = alike(["Odd.", "Odd.", "Odd. There are more of this kind."].map((message, start) => one("a", "hint", start, message)));
  assert.deepEqual([many.message, many.more], ["Odd.", true]);
  assert.deepEqual(alike([]), []);
  assert.equal(weights(some), "1 error, 3 warnings, 2 hints");
});

test("a group is called by what it asks for, and a term by its text", () => {
  assert.equal(nodeWords({ kind: "term", text: "cat\n  dog" }), "cat dog");
  assert.equal(nodeWords({ kind: "OR", text: "a OR b" }, 2), "Any of 2");
  assert.equal(nodeWords({ kind: "AND", text: "a b c" }, 3), "All of 3");
  assert.equal(groupWords({ kind: "NOT", text: "NOT (a\nOR b)" }), "(a OR b)");
  assert.equal(groupWords({ kind: "OR", text: "not* OR b" }), "not* OR b");
});

// Sets as bits

test("row r is bit r % 8 of byte r >> 3", () => {
  const bits = bytesOf(Buffer.from([0b00000101, 0b10000000]).toString("base64"));
  assert.deepEqual([...Array(16).keys()].filter((row) => hasRow(bits, row)), [0, 2, 15]);
  assert.equal(bytesOf("not base64!").length, 0);
});

test("every row has one role, and one without a place is not seen", () => {
  const arrays = {
    x: Float32Array.from([0, 1, 2, 3, 4, NaN]), y: Float32Array.from([5, 0, 0, 0, 0, 0]), flags: Uint8Array.from([0, 0, 2, 1, 3, 1]),
  };
  const roles = rolesOf(arrays, Uint8Array.from([0b110110]));
  assert.deepEqual([...roles], [ROLE.absent, ROLE.retrieved, ROLE.accepted, ROLE.missed, ROLE.found, ROLE.unseen]);
  assert.deepEqual([...tally(roles)], [1, 1, 1, 1, 1, 1]);
  assert.deepEqual(boundsOf(arrays.x, arrays.y), [0, 0, 4, 5]);
  assert.deepEqual(boundsOf(Float32Array.from([NaN]), Float32Array.from([NaN])), [0, 0, 1, 1]);
});

// Words

test("changes have a sign, and what isn't known is a dash", () => {
  assert.deepEqual([12, -3, 0, null, -1200].map(signedCount), ["+12", "−3", "±0", "–", "−1,200"]);
  assert.deepEqual([0.0214, -0.5, 0, 0.0001, -0.0002, NaN].map(signedScore), ["+0.021", "−0.500", "±0", "≈0", "≈0", "–"]);
  assert.equal(changeSince(10, 22, signedCount), "+12");
  for (const [before, after] of [[null, 3], [3, undefined], [3, 3]]) assert.equal(changeSince(before, after, signedCount), "");
});

test("an effect says what comes and what goes", () => {
  const none = { records_gained: 0, records_lost: 0, core_gained: 0, core_lost: 0 };
  assert.equal(effectWords(null), null);
  assert.equal(effectWords(none), "retrieves the same");
  assert.equal(effectWords({ ...none, records_gained: 120, core_gained: 2 }), "+120 publications, +2 core");
  assert.equal(effectWords({ ...none, records_lost: 1, core_lost: 1 }), "−1 publication, −1 core");
  const price = { n_added: 84, core_gained: 2, semantic_precision: 0.31, f_beta_change: -0.018 };
  assert.equal(priceWords(price), "+84 publications · +2 core · their precision 0.310 · F2 −0.018");
  assert.match(priceWords({ n_added: null, core_gained: null }), /known/);
  assert.equal(priceWords({ n_added: 1, core_gained: 0, semantic_precision: null, f_beta_change: null }), "+1 publication · ±0 core");
});

test("only certainty is 100 %", () => {
  assert.deepEqual([0.943, 0.999, 1, null].map(percentWords), ["94 %", "99 %", "100 %", ""]);
});

test("the style has no colour that the table of roles doesn't have", () => {
  const here = new URL("../../../dashboard/", import.meta.url);
  const style = readFileSync(new URL("browser/workbench/workbench.css", here), "utf8");
  const table = readFileSync(new URL("kit/theme.py", here), "utf8");
  const colours = new Set(style.match(/#[0-9a-f]{6}\b/g));
  assert.ok(colours.size > 10);
  assert.deepEqual([...colours].filter((colour) => !table.includes(colour)), []);
});
