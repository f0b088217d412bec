// Where the controls of a lab stand, and how that is written in a link. Pure.

const POINT_DIGITS = 4;

/** The places of moved points: "0.5,1;2,-3" as pairs; null where there are none. */
export function pointsIn(text) {
  return text ? text.split(";").map((pair) => pair.split(",").map(Number)) : null;
}

/** The other way round. */
export function pointsText(points) {
  return points.map((pair) => pair.map((each) => String(Number(each.toPrecision(POINT_DIGITS)))).join(",")).join(";");
}

/** Where everything stood at first. */
export function firstValues(controls) {
  return Object.fromEntries(controls.map(({ name, value }) => [name, value]));
}

/** The values after the hand moved one control; some choices put moved points back. */
export function movedValues(values, controls, name, value) {
  const next = { ...values, [name]: value };
  if (controls.find((control) => control.name === name)?.resets_points) delete next.points;
  return next;
}

/** The address that opens these values: those that differ from how they stood at first, after `prefix`. */
export function labAddress(href, { lab, controls, prefix }, values) {
  const address = new URL(href);
  for (const name of [...address.searchParams.keys()]) if (name.startsWith(prefix)) address.searchParams.delete(name);
  address.searchParams.set("lab", lab);
  const first = firstValues(controls);
  for (const [name, value] of Object.entries(values)) {
    if (value !== first[name] && value !== undefined && value !== "") address.searchParams.set(prefix + name, String(value));
  }
  return address.href;
}
