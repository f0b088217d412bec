// Sets of publications as bits, and which role each row of the corpus has. Pure.

/** The bytes of a base64 text; anything else is no bytes. */
export function bytesOf(base64) {
  if (!base64) return new Uint8Array(0);
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

/** Whether a row is in a set: bit r % 8 of byte r >> 3. */
export function hasRow(bits, row) {
  return ((bits[row >> 3] >> (row & 7)) & 1) === 1;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let n = 0;
  for (let rest = byte; rest; rest &= rest - 1) n++;
  return n;
});

/** How many of the first `n` rows are in a set. */
export function countRows(bits, n) {
  let found = 0;
  const whole = Math.min(n >> 3, bits.length);
  for (let at = 0; at < whole; at++) found += ONES[bits[at]];
  for (let row = whole << 3; row < n; row++) if (hasRow(bits, row)) found++;
  return found;
}

export const CORE_BIT = 1;
export const ACCEPTED_BIT = 2;
/** Roles of rows on the picture, those drawn later lie on top. */
export const ROLE = { unseen: 0, absent: 1, retrieved: 2, accepted: 3, missed: 4, found: 5 };

/** The role of each row; one without a place is not seen. */
export function rolesOf({ x, y, flags }, bits) {
  const roles = new Uint8Array(x.length);
  for (let row = 0; row < roles.length; row++) {
    if (Number.isNaN(x[row]) || Number.isNaN(y[row])) continue;
    const inside = hasRow(bits, row);
    if (flags[row] & CORE_BIT) roles[row] = inside ? ROLE.found : ROLE.missed;
    else if (!inside) roles[row] = ROLE.absent;
    else roles[row] = flags[row] & ACCEPTED_BIT ? ROLE.accepted : ROLE.retrieved;
  }
  return roles;
}

/** How many rows have each role, by its number. */
export function tally(roles) {
  const n = new Uint32Array(6);
  for (let row = 0; row < roles.length; row++) n[roles[row]]++;
  return n;
}

/** The smallest rectangle around all places: [x0, y0, x1, y1]. */
export function placesBounds({ x, y }) {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row]) || Number.isNaN(y[row])) continue;
    if (x[row] < x0) x0 = x[row];
    if (x[row] > x1) x1 = x[row];
    if (y[row] < y0) y0 = y[row];
    if (y[row] > y1) y1 = y[row];
  }
  return x0 > x1 ? [0, 0, 1, 1] : [x0, y0, x1, y1];
}
