// Paths of a chart, as the text of an SVG path. Pure. Places are in pixels; what is no number leaves a gap.

/** Pixels are written with one decimal; more can't be seen. */
export function px(number) {
  return String(Math.round(number * 10) / 10);
}

/** A line through places. */
export function linePath(places) {
  let path = "";
  let pen = "M";
  for (const [x, y] of places) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    path += `${pen}${px(x)} ${px(y)}`;
    pen = "L";
  }
  return path;
}

/** What lies between a line and a floor; each piece between two gaps is closed on its own. */
export function areaPath(places, floor) {
  let path = "";
  let piece = [];
  for (const place of [...places, [NaN, NaN]]) {
    if (place.every(Number.isFinite)) {
      piece.push(place);
      continue;
    }
    if (piece.length > 1) {
      path += `M${px(piece[0][0])} ${px(floor)}${linePath(piece).replace("M", "L")}L${px(piece.at(-1)[0])} ${px(floor)}Z`;
    }
    piece = [];
  }
  return path;
}

/** An outline that ends where it began; less than three corners have none. */
export function closedPath(places) {
  const corners = places.filter((place) => place.every(Number.isFinite));
  return corners.length < 3 ? "" : `${linePath(corners)}Z`;
}

/** Round dots, all in one path. */
export function dotsPath(places, radius) {
  const r = px(radius);
  const back = px(-2 * radius);
  const there = px(2 * radius);
  return seen(places).map(([x, y]) => `M${px(x - radius)} ${px(y)}a${r} ${r} 0 1 0 ${there} 0a${r} ${r} 0 1 0 ${back} 0`).join("");
}

/** Crosses, all in one path. */
export function crossesPath(places, radius) {
  const reach = radius * 0.8;
  const stroke = (x, y, way) => `M${px(x - reach)} ${px(y - way * reach)}L${px(x + reach)} ${px(y + way * reach)}`;
  return seen(places).map(([x, y]) => stroke(x, y, 1) + stroke(x, y, -1)).join("");
}

function seen(places) {
  return places.filter((place) => place.every(Number.isFinite));
}
