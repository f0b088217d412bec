// Binary payloads from Python (see ../payload.py): a JSON header, then typed arrays, each aligned to eight bytes.

const MAGIC = 0x31505351; // "QSP1"
const TYPES = { f32: Float32Array, f64: Float64Array, u8: Uint8Array, i16: Int16Array, u16: Uint16Array, u32: Uint32Array };

/**
 * The header of a payload and its arrays by name. Bytes stay where they are; wider numbers have to lie at multiples of
 * their size, which the middle of a message does not promise, so these are copies.
 */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error("not a Queryscape payload");
  const headerLength = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerLength)));
  const arrays = {};
  for (const { name, type, length, offset } of header.arrays) {
    const Type = TYPES[type];
    const end = offset + length * Type.BYTES_PER_ELEMENT;
    arrays[name] = Type === Uint8Array ? bytes.subarray(offset, end) : new Type(bytes.slice(offset, end).buffer);
  }
  return { header, arrays };
}

/** Whether row `i` is in a bitset that numpy.packbits made: the first row is the highest bit. */
export function bitAt(bits, i) {
  return (bits[i >> 3] >> (7 - (i & 7))) & 1;
}
