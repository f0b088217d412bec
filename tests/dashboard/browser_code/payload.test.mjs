import assert from "node:assert/strict";
import test from "node:test";
import { bitAt, unpack } from "../../../dashboard/browser/shared/store.js";

const TYPED = {
  f32: Float32Array, f64: Float64Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, u32: Uint32Array,
};

/** As payload.py packs: magic, length of the header, header, then arrays aligned to eight bytes. */
function pack(header, arrays) {
  const aligned = (at) => Math.ceil(at / 8) * 8;
  const listed = arrays.map(({ name, type, values }) => ({ name, type, length: values.length, offset: 10 ** 12 }));
  const size = new TextEncoder().encode(JSON.stringify({ ...header, arrays: listed })).length;
  let at = aligned(8 + size);
  for (const [i, { type, values }] of arrays.entries()) {
    listed[i].offset = at;
    at = aligned(at + values.length * TYPED[type].BYTES_PER_ELEMENT);
  }
  const bytes = new Uint8Array(at);
  new DataView(bytes.buffer).setUint32(0, 0x31505351, true);
  new DataView(bytes.buffer).setUint32(4, size, true);
  bytes.fill(32, 8, 8 + size);
  bytes.set(new TextEncoder().encode(JSON.stringify({ ...header, arrays: listed })), 8);
  for (const [i, { type, values }] of arrays.entries()) {
    bytes.set(new Uint8Array(TYPED[type].from(values).buffer), listed[i].offset);
  }
  return bytes;
}

const ARRAYS = [
  { name: "similarity", type: "f32", values: [-0.5, 0.25, 1] }, { name: "core", type: "u8", values: [0, 1, 1] },
  { name: "exact", type: "f64", values: [0.1, 1e300] }, { name: "year", type: "i16", values: [-1, 2024] },
  { name: "rows", type: "u32", values: [4294967295] }, { name: "none", type: "u16", values: [] },
];

test("header and arrays come back as they were", () => {
  const { header, arrays } = unpack(pack({ kind: "points", topic: "Schlaf & Wärme" }, ARRAYS));
  assert.deepEqual([header.kind, header.topic], ["points", "Schlaf & Wärme"]);
  for (const { name, type, values } of ARRAYS) {
    assert.ok(arrays[name] instanceof TYPED[type]);
    assert.deepEqual([...arrays[name]], values);
  }
});

test("a payload may stand anywhere in a larger message", () => {
  const bytes = pack({ kind: "curve" }, ARRAYS);
  const message = new Uint8Array(bytes.length + 13);
  message.set(bytes, 5);
  const { arrays } = unpack(message.subarray(5, 5 + bytes.length));
  assert.deepEqual([...arrays.similarity], [-0.5, 0.25, 1]);
});

test("bytes are not copied, since Streamlit keeps the message anyway; wider numbers are", () => {
  const bytes = pack({ kind: "curve" }, ARRAYS);
  const { arrays } = unpack(bytes);
  assert.equal(arrays.core.buffer, bytes.buffer);
  bytes.fill(0);
  assert.deepEqual([...arrays.similarity], [-0.5, 0.25, 1]);
});

test("what is no payload is refused", () => {
  assert.throws(() => unpack(new Uint8Array(4)), /not a Queryscape payload/);
  assert.throws(() => unpack(new Uint8Array(64)), /not a Queryscape payload/);
});

test("bits are read as numpy packs them, the highest first", () => {
  const bits = Uint8Array.of(0b10000001, 0b01000000);
  assert.deepEqual([0, 1, 7, 8, 9].map((row) => bitAt(bits, row)), [1, 0, 1, 0, 1]);
});
