// A chart that was drawn in SVG, as a file of its own: its layers in one document, with title and description.
import { svgElement } from "./sparkline.js";

const TIMES_AS_SHARP = 2;

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
  const background = chart.style.background || getComputedStyle(chart).backgroundColor;
  const paper = chart.querySelector(".main-svg")?.style.background || background;
  root.append(svgElement("rect", { width, height, fill: paper || "#ffffff" }));
  for (const layer of chart.querySelectorAll(".main-svg")) {
    const group = svgElement("g", {});
    for (const child of layer.children) group.append(child.cloneNode(true));
    root.append(group);
  }
  for (const hidden of root.querySelectorAll(".hoverlayer, .selectionlayer, .zoomlayer, .draglayer")) hidden.remove();
  // A page with a base address would make its inner references absolute, and they would lead nowhere in a file.
  const text = new XMLSerializer().serializeToString(root).replace(/url\((&quot;|")?[^#)]*#/g, "url($1#");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

/** The same as pixels, twice as many as on screen. */
export async function pngOfSvg(svg) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width * TIMES_AS_SHARP, height: image.height * PNG_SCALE });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
