// The values of a lab's controls: how they are moved, and how a link holds them. Pure.
import { count, significant } from "../shared/format.js";

const POINT_DIGITS = 4;
const LOG_DIGITS = 3;
const LOG_STEPS = 100;

/** The places of moved points: "0.5,1;2,-3" as pairs; null where there are none. */
export function pointsIn(text) {
  return text ? text.split(";").map((pair) => pair.split(",").map(Number)) : null;
}

/** The other way round. */
export function pointsText(points) {
  return points.map((pair) => pair.map((each) => String(Number(each.toPrecision(POINT_DIGITS)))).join(",")).join(";");
}

/** The values that a lab opens with. */
export function firstValues(controls) {
  return Object.fromEntries(controls.map(({ name, value }) => [name, value]));
}

/** The values after one control was moved; some choices put moved points back. */
export function movedValues(values, controls, name, value) {
  const next = { ...values, [name]: value };
  if (controls.find((control) => control.name === name)?.resets_points) delete next.points;
  return next;
}

/** A number as its slider writes it: with as many decimals as its steps have. */
export function sliderWords({ step, scale }, value) {
  if (scale === "log") return significant(value);
  const decimals = decimalsOf(step);
  return decimals ? value.toFixed(Math.min(decimals, 6)).replace("-", "−") : count(value);
}

function decimalsOf(step) {
  return Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
}

/** The value that a slider can have which is nearest to a number. */
export function snapped({ min, max, step, scale }, number) {
  const inside = Math.min(Math.max(number, min), max);
  if (scale === "log") return Math.min(Math.max(Number(inside.toPrecision(LOG_DIGITS)), min), max);
  const steps = Math.round((inside - min) / step);
  return Math.min(Number((min + steps * step).toFixed(decimalsOf(step) + 2)), max);
}

const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
const FAST_STEPS = 5;

/** The value of a slider after a key; null for a key that does not move it. */
export function valueAfterKey(control, value, { key, shiftKey = false }) {
  if (key === "Home") return control.min;
  if (key === "End") return control.max;
  if (!KEYS[key]) return null;
  const steps = KEYS[key] * (shiftKey ? FAST_STEPS : 1);
  if (control.scale === "log") return snapped(control, value * (control.max / control.min) ** (steps / LOG_STEPS));
  return snapped(control, value + steps * control.step);
}

/** What a link has to hold of the values: those that differ from the first ones, as text. */
export function linkOf(controls, values) {
  const first = firstValues(controls);
  const kept = Object.entries(values).filter(([name, value]) => value !== first[name] && value !== undefined && value !== "");
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Whether two sets of values are the same, in whatever order. */
export function areSame(some, others) {
  const text = (values) => JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(some) === text(others);
}

const PRESENT = "present";

/** The address that opens a lab with these values, for a lecture or not. */
export function labAddress(href, { lab, controls, prefix, presents = false }, values) {
  const address = new URL(href);
  for (const name of [...address.searchParams.keys()]) if (name.startsWith(prefix)) address.searchParams.delete(name);
  address.searchParams.set("lab", lab);
  for (const [name, value] of Object.entries(linkOf(controls, values))) address.searchParams.set(prefix + name, value);
  if (presents) address.searchParams.set(PRESENT, "1");
  else address.searchParams.delete(PRESENT);
  return address.href;
}

/** What an address asks for: the name of a lab or null, the values it holds, and whether for a lecture. */
export function wantedIn(href, prefix) {
  const { searchParams } = new URL(href);
  const held = [...searchParams].filter(([name]) => name.startsWith(prefix));
  const sent = Object.fromEntries(held.map(([name, value]) => [name.slice(prefix.length), value]));
  return { lab: searchParams.get("lab"), sent, presents: searchParams.get(PRESENT) === "1" };
}
