// A chart of a lab as a file of its own: what is on screen, on a background, with title and description.
import { svgElement } from "../landscape/sparkline.js";

const FILE_MARGIN = 16;

/** The text of an SVG document. Colours and fonts stand in it as they are, so that it looks alike anywhere. */
export function svgFileOf(picture, { title, description, background }) {
  const copy = picture.cloneNode(true);
  for (const grip of copy.querySelectorAll(".grip")) grip.remove();
  const [width, height] = ["width", "height"].map((name) => Number(picture.getAttribute(name)) + 2 * FILE_MARGIN);
  const root = svgElement("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "font-family": picture.getAttribute("font-family") });
  for (const [tag, text] of [["title", title], ["desc", description]]) {
    const words = svgElement(tag);
    words.textContent = text;
    root.append(words);
  }
  const inner = svgElement("g", { transform: `translate(${FILE_MARGIN} ${FILE_MARGIN})` });
  inner.append(...copy.childNodes);
  root.append(svgElement("rect", { width, height, fill: background }), inner);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}
