import assert from "node:assert/strict";
import test from "node:test";
import { linesOfChart, facesOf, firstFamily, svgFile, withStyle } from "../../../dashboard/browser/shared/files.js";

test("lines of a chart as one table: every place once, in order, with what each line has there", () => {
  const chart = {
    _fullData: [
      { mode: "lines", name: "F<sub>2</sub>", x: [0.5, 0.1], y: [3, 1] },
      { mode: "lines", name: "Recall", x: new Float64Array([0.1, 0.9]), y: [7, 8] },
      { mode: "markers", name: "best", x: [0.7], y: [1] },
    ],
    _fullLayout: { xaxis: { title: { text: "Similarity threshold" } } },
  };
  assert.deepEqual(linesOfChart(chart), {
    columns: ["Similarity threshold", "F2", "Recall"], rows: [[0.1, 1, 7], [0.5, 3, null], [0.9, null, 8]],
  });
  assert.deepEqual(linesOfChart(null), { columns: ["x"], rows: [] });
});

test("references stay inside the file, whatever the address of the page", () => {
  const file = svgFile('<svg><g clip-path="url(http://x/y?a=b#clip)" style="fill: url(&quot;http://x/#g1&quot;)"/><a b="url(#c)"/></svg>');
  assert.match(file, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<svg>/);
  assert.match(file, /clip-path="url\(#clip\)"/);
  assert.match(file, /fill: url\(&quot;#g1&quot;\)/);
  assert.match(file, /b="url\(#c\)"/);
});

test("what XML forbids is left out, tabs and line ends stay", () => {
  assert.equal(svgFile("<svg>a\u0000b\u000b\tc\nd\uffff</svg>").split("\n").slice(1).join("\n"), "<svg>ab\tc\nd</svg>\n");
});

test("a style sheet comes first inside the document, also where it holds a dollar sign", () => {
  assert.equal(withStyle('<?xml?>\n<svg a="1"><g/></svg>', "$&x{}"), '<?xml?>\n<svg a="1"><style>$&x{}</style><g/></svg>');
  assert.equal(withStyle("<svg/>", ""), "<svg/>");
});

test("the first font that is asked for", () => {
  assert.equal(firstFamily('<text style="font-family: &quot;Source Sans&quot;, system-ui; font-size: 1px">'), "Source Sans");
  assert.equal(firstFamily("<text style='font-family: Arial;'>"), "Arial");
  assert.equal(firstFamily("<svg/>"), null);
});

test("faces of that font, with their whole address", () => {
  const rule = (values) => ({ style: { getPropertyValue: (name) => values[name] ?? "" } });
  const rules = [
    rule({ "font-family": '"Source Sans"', src: 'url("./a.woff2") format("woff2")', "font-weight": "200 900" }),
    rule({ "font-family": "Other", src: "url(b.woff2)" }), rule({ "font-family": "Source Sans", src: 'local("x")' }), {},
  ];
  assert.deepEqual(facesOf(rules, "Source Sans", "http://x/static/css/s.css"), [
    { address: "http://x/static/css/a.woff2", weight: "200 900", style: "normal" },
  ]);
});
