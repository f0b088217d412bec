import assert from "node:assert/strict";
import test from "node:test";
import * as counting from "../../../dashboard/browser/landscape/counting.js";

const { coreFrom, coreRows, countMask, countRelevant, Readout, Relevance, splitIndex } = counting;

const SIMILARITY = Float32Array.of(-0.25, 0.1, 0.3, 0.3, 0.5, 0.9, 0.4, 0.95);
const CORE = Uint8Array.of(0, 1, 0, 1, 0, 1, 1, 1);
const N = 6;

function points() {
  const coreAccepted = Float32Array.of(0.5, 0.5, 0.4, 0.4, 0.2, 0.2, 0);
  const semanticPrecision = Float32Array.of(1, 0.83, 0.66, 0.5, 0.33, 0.16, 0);
  const arrays = { similarity: SIMILARITY, core: CORE, core_accepted: coreAccepted, semantic_precision: semanticPrecision };
  return { header: { n: N, n_core: 5 }, arrays };
}

test("the split is the first row that reaches the similarity threshold", () => {
  assert.equal(splitIndex(SIMILARITY, N, -1), 0);
  assert.equal(splitIndex(SIMILARITY, N, 0.2), 2);
  assert.equal(splitIndex(SIMILARITY, N, 0.31), 4);
  assert.equal(splitIndex(SIMILARITY, N, 0.91), N);
  assert.equal(splitIndex(SIMILARITY, 0, 0.5), 0);
});

test("a row that equals the similarity threshold is relevant, in spite of single precision", () => {
  assert.equal(splitIndex(SIMILARITY, N, 0.3), 2);
  assert.equal(splitIndex(SIMILARITY, N, 0.9), 5, "0.9 as a single is a little less than 0.9");
  assert.equal(splitIndex(SIMILARITY, N, Math.fround(0.3) + 2e-6), 4);
});

test("the split agrees with the rule, row by row", () => {
  const values = Float32Array.from({ length: 500 }, (_, i) => Math.sin(i * 12.9898)).sort();
  for (let k = 0; k < 200; k++) {
    const threshold = k % 2 ? values[(k * 37) % 500] : Math.cos(k * 78.233);
    const expected = values.findIndex((value) => value >= threshold - 1e-6);
    assert.equal(splitIndex(values, 500, threshold), expected < 0 ? 500 : expected);
  }
});

test("core publications are counted from every split on", () => {
  assert.deepEqual([...coreFrom(CORE, N)], [3, 3, 2, 2, 1, 1, 0]);
  const { found, missed } = coreRows(CORE, N);
  assert.deepEqual([[...found], [...missed]], [[1, 3, 5], [6, 7]]);
});

test("a bitset is counted as numpy packed it", () => {
  assert.deepEqual(countMask(Uint8Array.of(0b01010100), CORE, N), { nRelevant: 3, nAccepted: 3 });
});

test("relevance follows the hand and tells how much changed", () => {
  const relevance = new Relevance();
  const data = points();
  const live = { region: "cosine", min_similarity: 0.3 };
  assert.equal(relevance.follow(data, null, live), "all");
  assert.deepEqual([relevance.nRelevant, relevance.nAccepted], [4, 2]);
  assert.equal(relevance.follow(data, null, { ...live, min_similarity: 0.29 }), "same");
  assert.equal(relevance.follow(data, null, { ...live, min_similarity: 0.4 }), "split");
  assert.deepEqual([3, 4, 5, 6].map((row) => relevance.has(row)), [false, true, true, false]);
  assert.equal(countRelevant(Uint32Array.of(0, 4, 5, 7), relevance), 2);
});

test("the other regions are read from their bitset, and an undefined one accepts nothing and says why", () => {
  const relevance = new Relevance();
  const header = { undefined: { hull: "needs 3 found core publications" } };
  const regions = { header, arrays: { mask_mvee: Uint8Array.of(0b01010100) } };
  assert.equal(relevance.follow(points(), regions, { region: "mvee" }), "all");
  assert.deepEqual([relevance.nRelevant, relevance.nAccepted], [3, 3]);
  assert.deepEqual([1, 0, 6].map((row) => relevance.has(row)), [true, false, false]);
  assert.equal(relevance.follow(relevance.points, regions, { region: "hull" }), "all");
  assert.equal(relevance.reason, "needs 3 found core publications");
  assert.equal(relevance.has(1), false);
  relevance.follow(relevance.points, null, { region: "cluster" });
  assert.equal(relevance.reason, "not computed yet");
});

test("without a similarity threshold nothing is relevant, and a reason is given", () => {
  const relevance = new Relevance();
  const readout = new Readout();
  relevance.follow(points(), null, { region: "cosine", min_similarity: null });
  readout.follow(relevance, null, null);
  assert.deepEqual([relevance.nRelevant, relevance.has(5), Number.isNaN(readout.coreAccepted)], [0, false, true]);
  assert.equal(readout.reason, relevance.reason);
  assert.equal(relevance.follow(relevance.points, null, { region: "cosine", min_similarity: 0.3 }), "split");
  assert.equal(relevance.reason, null);
});

test("scores are looked up, never computed", () => {
  const relevance = new Relevance();
  const readout = new Readout();
  const decay = Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1);
  const curve = { arrays: { decay, f_beta: Float32Array.of(0.7, 0.6, 0.5, 0.4, 0.3, 0.2, NaN) } };
  relevance.follow(points(), null, { region: "cosine", min_similarity: 0.3 });
  readout.follow(relevance, curve, null);
  assert.deepEqual([readout.coreAccepted, readout.decay, readout.fBeta].map(Math.fround), [0.4, 0.3, 0.5].map(Math.fround));
  readout.follow(relevance, { arrays: { decay: Float32Array.of(1), f_beta: Float32Array.of(1) } }, null);
  assert.ok(Number.isNaN(readout.fBeta), "a curve of other points is not read");
  assert.equal(readout.reason, "computing");
});

test("scores of the other regions are the server's, undefined ones with a reason", () => {
  const relevance = new Relevance();
  const readout = new Readout();
  const regions = { header: {}, arrays: { mask_mvee: Uint8Array.of(255) } };
  relevance.follow(points(), regions, { region: "mvee" });
  const scores = { kind: "mvee", status: "ok", recall_used: 0.8, core_accepted: 0.6, semantic_precision: 0.5, decay: null, f_beta: 0.4 };
  readout.follow(relevance, null, { regions: [scores] });
  assert.deepEqual([readout.coreAccepted, readout.semanticPrecision, readout.fBeta], [0.6, 0.5, 0.4]);
  assert.ok(Number.isNaN(readout.decay));
  readout.follow(relevance, null, { regions: [{ kind: "mvee", status: "needs a landscape" }] });
  assert.equal(readout.reason, "needs a landscape");
});

test("where nothing was retrieved every score is undefined, with the reason", () => {
  const relevance = new Relevance();
  const readout = new Readout();
  const arrays = { similarity: Float32Array.of(0.4), core: Uint8Array.of(1), core_accepted: Float32Array.of(0), semantic_precision: Float32Array.of(NaN) };
  const empty = { header: { n: 0, n_core: 1 }, arrays };
  relevance.follow(empty, null, { region: "cosine", min_similarity: 0.5 });
  const curve = { arrays: { decay: Float32Array.of(1), f_beta: Float32Array.of(0) } };
  readout.follow(relevance, curve, null);
  assert.ok([readout.coreAccepted, readout.semanticPrecision, readout.decay, readout.fBeta].every(Number.isNaN));
  assert.equal(readout.reason, "nothing was retrieved");
  readout.follow(relevance, curve, { regions: [{ kind: "cosine", status: "no retrieved publication has a vector" }] });
  assert.equal(readout.reason, "no retrieved publication has a vector");
});
