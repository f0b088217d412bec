// Where a small card goes beside what it speaks of. Pure.

const GAP = 12;

/**
 * Left and top of a card of `size` beside the rectangle `anchor` in a window of `space`: below it, above it, right or
 * left of it, where there is room; else inside it, at the lower right.
 */
export function placeBeside(anchor, size, space) {
  const middleX = anchor.left + (anchor.width - size.width) / 2;
  const middleY = anchor.top + (anchor.height - size.height) / 2;
  const right = anchor.left + anchor.width;
  const bottom = anchor.top + anchor.height;
  const places = [
    [bottom + GAP + size.height <= space.height - GAP, middleX, bottom + GAP],
    [anchor.top - GAP - size.height >= GAP, middleX, anchor.top - GAP - size.height],
    [right + GAP + size.width <= space.width - GAP, right + GAP, middleY],
    [anchor.left - GAP - size.width >= GAP, anchor.left - GAP - size.width, middleY],
    [true, right - GAP - size.width, Math.min(bottom, space.height) - GAP - size.height],
  ];
  const [, left, top] = places.find(([fits]) => fits);
  return { left: within(left, size.width, space.width), top: within(top, size.height, space.height) };
}

function within(start, length, space) {
  return Math.round(Math.max(GAP, Math.min(start, space - length - GAP)));
}
