// What the browser counts against what numpy counted: test_browser_code.py writes the file that this one reads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { coreRows, countsOf, Readout, Relevance, splitIndex } from "../../../dashboard/browser/landscape/counting.js";
import { bitAt, unpack, Titles } from "../../../dashboard/browser/shared/store.js";

const PLACE = process.env.QUERYSCAPE_GOLDEN;
const OPTIONS = PLACE ? {} : { skip: "run by test_browser_code.py, which writes what is expected" };
const scenes = PLACE ? JSON.parse(readFileSync(PLACE, "utf8")) : [];
const payload = (base64) => unpack(new Uint8Array(Buffer.from(base64, "base64")));

test("there is something to compare with", OPTIONS, () => assert.ok(scenes.length > 5));

test("a similarity threshold splits the rows where numpy splits them", OPTIONS, () => {
  for (const scene of scenes) {
    const points = payload(scene.points);
    const { similarity } = points.arrays;
    const relevance = new Relevance();
    for (const at of scene.thresholds) {
      assert.equal(splitIndex(similarity, points.header.n, at.min_similarity), points.header.n - at.n_relevant);
      relevance.follow(points, null, { region: "cosine", min_similarity: at.min_similarity });
      assert.deepEqual([relevance.nRelevant, relevance.nAccepted], [at.n_relevant, at.n_accepted_core], scene.name);
      assert.equal(countsOf(points).accepted[relevance.split], at.n_accepted_core);
    }
  }
});

test("scores at a threshold are those of Python, as 32-bit floats", OPTIONS, () => {
  for (const scene of scenes) {
    const [points, curve] = [payload(scene.points), payload(scene.curve)];
    const relevance = new Relevance();
    const readout = new Readout();
    for (const at of scene.thresholds) {
      relevance.follow(points, null, { region: "cosine", min_similarity: at.min_similarity });
      readout.follow(relevance, curve, null);
      for (const [ours, theirs] of [
        [readout.coreAccepted, at.core_accepted], [readout.semanticPrecision, at.semantic_precision],
        [readout.decay, at.decay], [readout.fBeta, at.f_beta],
      ]) {
        if (relevance.n === 0) {
          assert.ok(Number.isNaN(ours), "nothing was retrieved, so nothing is defined");
          continue;
        }
        assert.ok(Math.abs(ours - theirs) <= 6e-8 * Math.max(1e-30, Math.abs(theirs)) + 1e-37, `${ours} ${theirs}`);
      }
    }
  }
});

test("the other regions accept the rows that Python says", OPTIONS, () => {
  for (const scene of scenes) {
    const [points, regions] = [payload(scene.points), payload(scene.regions)];
    for (const [region, expected] of Object.entries(scene.masks)) {
      const relevance = new Relevance();
      relevance.follow(points, regions, { region, min_similarity: 0 });
      if (expected.rows === null) {
        assert.deepEqual([relevance.reason, relevance.nRelevant], [expected.status, 0]);
        continue;
      }
      const rows = [...points.arrays.core.keys()].filter((row) => relevance.has(row));
      assert.deepEqual(rows, expected.rows);
      assert.deepEqual([relevance.nRelevant, relevance.nAccepted], [expected.n_relevant, expected.n_accepted]);
      for (const row of rows) assert.equal(bitAt(regions.arrays[`mask_${region}`], row), 1);
    }
  }
});

test("core rows and titles are those that were sent", OPTIONS, () => {
  for (const scene of scenes) {
    const { header, arrays } = payload(scene.points);
    const { found, missed } = coreRows(arrays.core, header.n);
    assert.deepEqual([[...found], [...missed]], [scene.core_found, scene.core_missed]);
    const titles = new Titles(arrays.titles);
    assert.deepEqual(scene.titles.map((_, row) => titles.title(row)), scene.titles);
  }
});
