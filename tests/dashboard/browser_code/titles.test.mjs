import assert from "node:assert/strict";
import test from "node:test";
import { Titles } from "../../../dashboard/browser/shared/store.js";

const LINES = [
  "Shift work and sleep", "", "Éveil et sommeil chez l'infirmière", "SLEEP apnoea in Straße workers",
  "睡眠 and shift work", "Aaaaab aab", "Melatonin 🌙 at night",
];
const titles = (lines = LINES) => new Titles(new TextEncoder().encode(lines.join("\n")));
const found = (text, lines) => [...titles(lines).find(text)];

test("each row has its title, and rows beyond have none", () => {
  const made = titles();
  assert.deepEqual(LINES.map((_, row) => made.title(row)), LINES);
  assert.deepEqual([made.length, made.title(-1), made.title(7), made.title(null)], [7, "", "", ""]);
  assert.equal(new Titles(new Uint8Array(0)).title(0), "");
});

test("finding does not care about upper and lower case, also beyond ASCII", () => {
  assert.deepEqual(found("sleep"), [0, 3]);
  assert.deepEqual(found("SHIFT Work"), [0, 4]);
  assert.deepEqual(found("éveil"), [2]);
  assert.deepEqual(found("INFIRMIÈRE"), [2]);
  assert.deepEqual(found("straße"), [3]);
  assert.deepEqual(found("睡眠"), [4]);
  assert.deepEqual(found("🌙"), [6]);
});

test("too little is no search, and what is nowhere is an empty one", () => {
  assert.equal(titles().find(""), null);
  assert.equal(titles().find(" a "), null);
  assert.deepEqual(found("zz"), []);
  assert.deepEqual(found("work\nÉ"), []);
});

test("a title is found once, and never across two", () => {
  assert.deepEqual(found("aab"), [5]);
  assert.deepEqual(found("sleepé"), []);
});

test("finding agrees with looking at every title", () => {
  let seed = 5;
  const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
  const word = () => Array.from({ length: 1 + random(4) }, () => "abÄö"[random(4)]).join("");
  const lines = Array.from({ length: 400 }, () => Array.from({ length: 6 }, word).join(" "));
  for (let k = 0; k < 200; k++) {
    const text = `${word()}${k % 3 ? "" : " "}${word()}${word()}`;
    const expected = [...lines.keys()].filter((row) => lines[row].toLowerCase().includes(text.toLowerCase()));
    assert.deepEqual(found(text, lines), expected, text);
  }
});

test("100,000 titles are searched between two keystrokes", () => {
  const rest = "on circadian rhythm and night shift work in hospitals, a cohort study";
  const lines = Array.from({ length: 100_000 }, (_, i) => `Publication ${i} ${rest}`);
  const made = titles(lines);
  made.find("warm up");
  const started = performance.now();
  assert.equal(made.find("zz").length, 0);
  assert.ok(performance.now() - started < 300, "ten times what it takes");
});
