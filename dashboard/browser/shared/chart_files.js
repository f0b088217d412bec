// A chart that was drawn in SVG, as a file of its own: its layers in one document, with title and description.
import { svgElement } from "../landscape/sparkline.js";

const TIMES_AS_SHARP = 2;
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const OVER_THE_CHART = ".hoverlayer, .selectionlayer, .zoomlayer, .draglayer";

/** The SVG layers of a chart's element as the text of one SVG document. */
export function svgOfChart(chart, { title, description }) {
  const { width, height } = chart.getBoundingClientRect();
  const root = svgElement("svg", {
    xmlns: "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink",
    viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
  });
  for (const [tag, text] of [["title", title], ["desc", description]]) {
    const words = svgElement(tag, {});
    words.textContent = text;
    root.append(words);
  }
  root.append(svgElement("rect", { width, height, fill: paperOf(chart) }));
  for (const layer of chart.querySelectorAll(".main-svg")) {
    const group = svgElement("g", {});
    const copy = layer.cloneNode(true);
    keepLengths(layer, copy);
    group.append(...copy.childNodes);
    root.append(group);
  }
  for (const hidden of root.querySelectorAll(OVER_THE_CHART)) hidden.remove();
  return svgFile(new XMLSerializer().serializeToString(root));
}

function paperOf(chart) {
  const background = chart.style.background || getComputedStyle(chart).backgroundColor;
  return chart.querySelector(".main-svg")?.style.background || background || "#ffffff";
}

/** Where the page's font is missing another one is wider: every text keeps the length that it has on the page. */
function keepLengths(layer, copy) {
  const copies = copy.querySelectorAll("text");
  for (const [at, text] of [...layer.querySelectorAll("text")].entries()) {
    const lines = text.querySelectorAll("tspan.line");
    const copiedLines = copies[at].querySelectorAll("tspan.line");
    if (lines.length) for (const [row, line] of [...lines].entries()) keepLength(line, copiedLines[row]);
    else keepLength(text, copies[at]);
  }
}

function keepLength(text, copy) {
  const length = text.getComputedTextLength();
  if (!(length > 0) || !text.textContent.trim()) return;
  copy.setAttribute("textLength", length.toFixed(1));
  copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/** A serialized root as a file: inner references stay inside, and what XML forbids is left out. */
export function svgFile(serialized) {
  // A page with a base address would make its inner references absolute, and they would lead nowhere in a file.
  const inner = serialized.replace(/url\((&quot;|")?[^#)"&]*#/g, "url($1#").replace(NOT_IN_XML, "");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${inner}\n`;
}

/** The same as pixels, twice as many as on screen, in the font of the page. */
export async function pngOfSvg(svg) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([withStyle(svg, await pageFonts(svg))], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width * TIMES_AS_SHARP, height: image.height * TIMES_AS_SHARP });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A document with a style sheet at its head. */
export function withStyle(svg, style) {
  return style ? svg.replace(/<svg\b[^>]*>/, (head) => `${head}<style>${style}</style>`) : svg;
}

/** The first family that a document's texts ask for, without its quotes; null: none. */
export function firstFamily(svg) {
  const found = /font-family: ?(?:&quot;|["'])?([^,;"'&]+)/.exec(svg);
  return found ? found[1].trim() : null;
}

/** The faces of a family among rules of style sheets: [{ address, weight, style }], addresses in full. */
export function facesOf(rules, family, base) {
  const faces = [];
  for (const { style } of rules) {
    const name = style?.getPropertyValue("font-family")?.replace(/["']/g, "").trim();
    const source = /url\(["']?([^"')]+)["']?\)/.exec(style?.getPropertyValue("src") ?? "");
    if (name !== family || !source) continue;
    faces.push({
      address: new URL(source[1], base).href, weight: style.getPropertyValue("font-weight") || "normal",
      style: style.getPropertyValue("font-style") || "normal",
    });
  }
  return faces;
}

/** The font of the page as a style sheet that carries it: a picture of a document can't load any. */
async function pageFonts(svg) {
  const family = firstFamily(svg);
  if (!family) return "";
  const faces = [];
  for (const sheet of document.styleSheets) {
    try {
      const rules = [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
      faces.push(...facesOf(rules, family, sheet.href ?? document.baseURI));
    } catch {
      // A sheet of another origin can't be read; its fonts are left out.
    }
  }
  const own = faces.filter(({ address, style }) => style === "normal" && new URL(address).origin === location.origin);
  const parts = await Promise.all(own.map((face) => carried(face, family)));
  return parts.join("");
}

async function carried({ address, weight, style }, family) {
  try {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    const source = `url(data:font/woff2;base64,${btoa(binary)})`;
    return `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};src:${source}}`;
  } catch {
    return "";
  }
}
