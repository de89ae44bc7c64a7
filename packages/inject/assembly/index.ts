// The hot loops of rendering: joining pieces, and skipping stubs that need no full check. Texts are ASCII or
// UTF-8 bytes anywhere in the memory, followed by 32 readable bytes; their addresses and lengths are in
// tables of words that src/render/memory.ts writes.

/**
 * A row of the pieces: address and length of a segment, and the row of the stub after it, which the last
 * lacks.
 */
const PIECE_BYTES: u32 = 12;
/** A row of the stubs: address and length. */
const STUB_BYTES: u32 = 8;

/** Copies in steps of 16 bytes. Up to 15 excess bytes are written, which the next copy overwrites. */
// @ts-ignore: decorator
@inline
function copy(to: u32, from: u32, length: u32): void {
  for (let i: u32 = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
}

/** Writes the segments with the stubs between them, and returns the number of bytes. */
export function render(pieces: u32, holes: u32, stubs: u32, out: u32): u32 {
  const last = pieces + holes * PIECE_BYTES;
  let to = out;
  for (let piece = pieces; piece < last; piece += PIECE_BYTES) {
    const length = load<u32>(piece, 4);
    copy(to, load<u32>(piece), length);
    to += length;
    const stub = stubs + load<u32>(piece, 8) * STUB_BYTES;
    const stubLength = load<u32>(stub, 4);
    copy(to, load<u32>(stub), stubLength);
    to += stubLength;
  }
  copy(to, load<u32>(last), load<u32>(last, 4));
  return to + load<u32>(last, 4) - out;
}

const LINE_FEED: u8 = 10;
const QUOTE: u8 = 34;
const SLASH: u8 = 47;
const OPEN: u8 = 123;
const CLOSE: u8 = 125;
/**
 * The characters above except the line feed, each at the index of its low four bits; -1, which never matches,
 * elsewhere.
 */
const ODD: v128 = i8x16(-1, -1, <i8>QUOTE, -1, -1, -1, -1, -1, -1, -1, -1, <i8>OPEN, -1, <i8>CLOSE, -1, <i8>SLASH);
/** `// PTX_I`, the beginning of a marker. */
const MARKER: u64 = 0x495f_5854_5020_2f2f;

// @ts-ignore: decorator
@inline
function is(text: v128, character: u8): v128 {
  return i8x16.eq(text, i8x16.splat(character));
}

/**
 * The first stub from row `from` on that contains a string, a block comment or possibly a marker, or whose
 * braces do not match; `count` if there is none.
 */
export function findOdd(stubs: u32, from: u32, count: u32): u32 {
  for (let i = from; i < count; i++) {
    const row = stubs + i * STUB_BYTES;
    const start = load<u32>(row);
    if (isOdd(start, start + load<u32>(row, 4))) return i;
  }
  return count;
}

/** A bit for each character of a text, which is set for the characters in `ODD`. */
// @ts-ignore: decorator
@inline
function oddIn(text: v128): i32 {
  return i8x16.bitmask(i8x16.eq(text, i8x16.swizzle(ODD, v128.and(text, i8x16.splat(15)))));
}

function isOdd(start: u32, end: u32): bool {
  let depth: i32 = 0;
  let block = start;
  while (block < end) {
    let found = oddIn(v128.load(block)) | (oddIn(v128.load(block, 16)) << 16);
    let next = block + 32;
    while (found !== 0) {
      const at = block + ctz(found);
      // Characters after the stub do not count.
      if (at >= end) break;
      const character = load<u8>(at);
      if (character === OPEN) depth++;
      else if (character === CLOSE) {
        if (--depth < 0) return true;
      } else if (character === QUOTE || load<u8>(at, 1) !== SLASH) return true;
      else {
        next = endOfComment(at, end);
        if (next === 0) return true;
        break;
      }
      found &= found - 1;
    }
    block = next;
  }
  return depth !== 0;
}

/** The address after a line comment that begins at `start`; 0 if it may contain a marker. */
function endOfComment(start: u32, end: u32): u32 {
  for (let block = start; block < end; block += 16) {
    const text = v128.load(block);
    let found = i8x16.bitmask(v128.or(is(text, SLASH), is(text, LINE_FEED)));
    while (found !== 0) {
      const at = block + ctz(found);
      if (load<u8>(at) === LINE_FEED) return at + 1;
      if (load<u64>(at) === MARKER) return 0;
      found &= found - 1;
    }
  }
  return end;
}
