// CRC-32 as in zlib, PNG and Ethernet (reflected, polynomial 0x04C11DB7), four bytes a step. It detects every change of
// up to 32 adjacent bits.

const POLYNOMIAL = 0xedb88320;

/** For each byte value, the remainders when 0 to 3 more bytes follow it. */
const TABLES = remainders();

/** The state before the first word. */
export const CRC_START = -1;

/** The state after the little-endian bytes of `words` from `start` to `end`, given the state before them. */
export function crcUpdate(state: number, words: Uint32Array, start: number, end: number): number {
  const tables = TABLES;
  let crc = state;
  for (let index = start; index < end; index++) {
    crc ^= words[index]!;
    crc =
      tables[768 + (crc & 0xff)]! ^
      tables[512 + ((crc >>> 8) & 0xff)]! ^
      tables[256 + ((crc >>> 16) & 0xff)]! ^
      tables[crc >>> 24]!;
  }
  return crc;
}

/** The checksum of everything that was added to the state, as u32. */
export function crcOf(state: number): number {
  return ~state >>> 0;
}

function remainders(): Int32Array {
  const tables = new Int32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    tables[byte] = crc;
  }
  for (let index = 256; index < tables.length; index++) {
    const crc = tables[index - 256]!;
    tables[index] = (crc >>> 8) ^ tables[crc & 0xff]!;
  }
  return tables;
}
