// The marks on the landscape, drawn in one place so that picture, legend and exports agree.
import { contextOf } from "./elements.js";

/** Half the size of each mark in pixels; those of the core shrink when there are many of them. */
export const MARK_RADII = { found: 4.3, accepted: 4.3, missed: 4.2, picked: 4.2, typed: 4, focused: 9 };

/** Draw one mark. `colours` are the roles of the theme. */
export function drawMark(context, mark, x, y, radius, colours) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  if (mark === "found" || mark === "accepted") {
    context.fillStyle = colours.core;
    context.fill();
    ring(context, mark === "accepted" ? colours.core_edge : colours.background, mark === "accepted" ? 1.4 : 0.9);
  } else if (mark === "missed") {
    context.fillStyle = colours.background;
    context.fill();
    ring(context, colours.core, 1.7);
  } else if (mark === "picked") {
    context.globalAlpha = radius < 3 ? 0.6 : 1; // many small rings: what they ring shows through
    ring(context, colours.selection, radius < 3 ? 1 : 1.6);
    context.globalAlpha = 1;
  } else if (mark === "typed") {
    drawDiamond(context, x, y, radius, colours);
  } else if (mark === "focused") {
    drawCrosshair(context, x, y, radius, colours);
  }
}

function ring(context, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function drawDiamond(context, x, y, radius, colours) {
  context.beginPath();
  const reach = 1.3 * radius;
  for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) context.lineTo(x + dx * reach, y + dy * reach);
  context.closePath();
  ring(context, colours.background, radius < 3 ? 2 : 3.2);
  ring(context, colours.text, radius < 3 ? 0.9 : 1.6);
}

function drawCrosshair(context, x, y, radius, colours) {
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    context.moveTo(x + dx * radius, y + dy * radius);
    context.lineTo(x + dx * (radius + 6), y + dy * (radius + 6));
  }
  ring(context, colours.background, 4.5);
  ring(context, colours.selection, 2);
}

/** How much smaller the core marks are where there are many. */
export function coreShrink(nCore) {
  if (nCore <= 250) return 1;
  return nCore <= 1500 ? 0.8 : 0.65;
}

/** A mark as pixels, to be stamped many times: places around its middle, colours and opacities. */
export function spriteOf(mark, radius, scale, colours) {
  const reach = Math.ceil((radius + 2) * scale);
  const side = 2 * reach + 1;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = contextOf(canvas, { willReadFrequently: true });
  context.scale(scale, scale);
  drawMark(context, mark, (reach + 0.5) / scale, (reach + 0.5) / scale, radius, colours);
  const { data } = context.getImageData(0, 0, side, side);
  const dots = [];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 8) continue;
    const place = at / 4;
    dots.push((place % side) - reach, Math.floor(place / side) - reach, ...data.subarray(at, at + 4));
  }
  return { reach, dots: Int16Array.from(dots) };
}
