// Numbers and addresses as people read them, and tables as files.
import assert from "node:assert/strict";
import { test } from "node:test";

import { csvCell, csvOf, fileName } from "../../../dashboard/browser/shared/files.js";
import {
  betaIndex, count, countOf, doiAddress, interval, listedTitle, percentAlong, significant, topicTitle,
} from "../../../dashboard/browser/shared/format.js";

test("numbers have three significant digits, and scores three decimals", () => {
  const cases = [
    [0, "0.000"], [1, "1.000"], [0.5, "0.500"], [0.38912, "0.389"], [0.99987, "1.000"], [0.0541142, "0.0541"],
    [0.09996, "0.100"], [0.00193, "0.00193"], [0.0000123, "1.23e−5"], [10.24, "10.2"], [1.5, "1.50"], [99.94, "99.9"],
    [99.96, "100"], [17573.4, "17,573"], [-0.25, "−0.250"], [-0.01, "−0.0100"],
  ];
  for (const [value, text] of cases) assert.equal(significant(value), text, String(value));
});

test("a score reads the same from a 32-bit float as from a number", () => {
  for (const n of [7, 30, 800, 2151, 17573]) {
    for (let i = 0; i <= n; i++) assert.equal(significant(Math.fround(i / n)), significant(i / n), `${i} of ${n}`);
  }
});

test("what is not a number is a dash", () => {
  for (const nothing of [null, undefined, NaN, Infinity, "0.5"]) {
    assert.equal(significant(nothing), "–");
    assert.equal(count(nothing), "–");
  }
  assert.equal(interval(null, 0.5), "–");
  assert.equal(interval(0.5555, 0.8582), "0.555 to 0.858");
});

test("counts have thousands separators and agree with their noun", () => {
  assert.equal(count(0), "0");
  assert.equal(count(1234567), "1,234,567");
  assert.equal(countOf(1, "publication"), "1 publication");
  assert.equal(countOf(2000, "publication"), "2,000 publications");
  assert.equal(countOf(0, "relevant", "relevant"), "0 relevant");
});

test("the index of F-beta has no needless zeros", () => {
  assert.equal(betaIndex(2), "2");
  assert.equal(betaIndex(0.5), "0.5");
  assert.equal(betaIndex(1.2345), "1.23");
  assert.equal(betaIndex(null), "β");
});

test("a place on a track stays on it", () => {
  assert.equal(percentAlong(0.25), "25%");
  assert.equal(percentAlong(-1), "0%");
  assert.equal(percentAlong(7), "100%");
});

test("only a DOI becomes a link, and the whole of it", () => {
  assert.equal(doiAddress("10.1016/j.jss.2019.02.003"), "https://doi.org/10.1016/j.jss.2019.02.003");
  assert.equal(doiAddress("10.1002/(sici)1<2::aid>3#4?5"), "https://doi.org/10.1002/(sici)1%3C2::aid%3E3%234%3F5");
  assert.equal(doiAddress('10.1/"onclick=x'), "https://doi.org/10.1/%22onclick=x");
  const others = ["", null, undefined, 10.1, "javascript:alert(1)", "https://doi.org/10.1/x", " 10.1/x", "10.1/\ud800"];
  for (const other of others) assert.equal(doiAddress(other), null, String(other));
});

test("a file is quoted as RFC 4180 wants it", () => {
  assert.equal(csvOf([["a", "b"], [1, null]]), "a,b\r\n1,\r\n");
  assert.equal(csvCell('say "no", then\nleave'), '"say ""no"", then\nleave"');
  assert.equal(csvCell(0.25), "0.25");
  assert.equal(csvCell(-0.25), "-0.25");
  assert.equal(csvCell(NaN), "");
  assert.equal(csvCell("Überblick"), "Überblick");
});

test("a spreadsheet finds no formula in a text", () => {
  for (const start of ["=", "+", "-", "@", "\t"]) assert.equal(csvCell(`${start}cmd`), `'${start}cmd`);
  assert.equal(csvCell('=HYPERLINK("x")'), '"\'=HYPERLINK(""x"")"');
  assert.equal(csvCell("a=b"), "a=b");
});

test("a file name holds letters, digits and dashes", () => {
  assert.equal(fileName("Business Process / Meta Models", "../v 1", "all"), "business-process-meta-models_v-1_all");
  assert.equal(fileName("", null, "..."), "table");
});

test("a retracted publication is one in every list, once", () => {
  assert.equal(listedTitle("Soup", true), "Retracted: Soup");
  assert.equal(listedTitle("Soup", false), "Soup");
  assert.equal(listedTitle("", true), "Retracted: No title");
  for (const title of ["RETRACTED: Soup", "[Retracted] Soup", "Retracted article: Soup"]) {
    assert.equal(listedTitle(title, true), title);
  }
});

test("a topic that is made up says so once", () => {
  assert.equal(topicTitle({ topic: "Heat", made_up: false }), "Heat");
  assert.equal(topicTitle({ topic: "Heat", made_up: true }), "Heat (demo data)");
  assert.equal(topicTitle({ topic: "Heat (made up)", made_up: true }), "Heat (made up)");
});
