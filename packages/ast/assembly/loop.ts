// The hot loop of the compiler for WebAssembly (AssemblyScript): what src/compile/loop.ts does, on the same memory, whose
// regions src/compile/arena.ts lays out. Nothing is checked here that the memory's own bounds do not check: every address
// comes from data that the compiler wrote or compared before. Tests run all programs through both.

// Addresses of the control region: `Control` and `Region` of src/compile/arena.ts.
const HEADS: usize = 4;
const LENGTHS: usize = 8;
const MNEMONICS: usize = 12;
const INPUTS: usize = 16;
const VALUES: usize = 32;
const INSTRUCTION_COUNT: usize = 44;
const INPUT_COUNT: usize = 48;
const ARG_COUNT: usize = 52;
const ARGS: usize = 56;
const VALUES_END: usize = 60;
const NEXT_REGISTER: usize = 64;
const OUTPUT_END: usize = 68;

const INPUT: u32 = 1;
const CONSTANT: u32 = 2;
const PTX: u32 = 3;
const ROUTINE_ARGUMENT: u32 = 6;

// "0f", ", " and the length of `0f3f800000, `, where they stand in its two words.
const ZERO_F: u64 = 0x6630;
const COMMA: u64 = 0x202c0000;
const CONSTANT_LENGTH: u64 = 12 << 56;
/** Characters that a value holds; a longer text lies at the address in its first word, its length is the second. */
const MOST_CHARACTERS: usize = 15;
const END_OF_LINE: u16 = 0x0a3b;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function copyValue(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Writes the text of a value, sixteen bytes at least; returns its length, where `counts` is -1 and not 0. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function writeOperand(to: usize, value: usize, counts: i32): usize {
  copyValue(to, value);
  let length: usize = <usize>load<u8>(value, 15) & <usize>counts;
  if (length > MOST_CHARACTERS) {
    const from: usize = load<u32>(value);
    length = load<u32>(value, 4);
    for (let at: usize = 0; at < length; at += 8) store<u64>(to + at, load<u64>(from + at));
  }
  return length;
}

/** The eight lower case hex digits of a number, the first in the lowest byte. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function hexDigits(bits: u32): u64 {
  let digits: u64 = ((<u64>bits & 0xffff0000) << 16) | (<u64>bits & 0xffff);
  digits = ((digits << 8) | digits) & 0x00ff00ff00ff00ff;
  digits = ((digits << 4) | digits) & 0x0f0f0f0f0f0f0f0f;
  const letters = ((digits + 0x0606060606060606) >> 4) & 0x0101010101010101;
  return bswap<u64>(digits + 0x3030303030303030 + letters * 39);
}

/** Runs instructions from address `start` on, before `end`; returns the address of the first that it did not run. */
export function runLoop(start: usize, end: usize): usize {
  const heads: usize = load<u32>(HEADS);
  const lengths: usize = load<u32>(LENGTHS);
  const mnemonics: usize = load<u32>(MNEMONICS);
  const inputs: usize = load<u32>(INPUTS);
  const values: usize = load<u32>(VALUES);
  const instructionCount = load<u32>(INSTRUCTION_COUNT);
  const inputCount = load<u32>(INPUT_COUNT);
  const argCount = load<u32>(ARG_COUNT);
  const args: usize = load<u32>(ARGS);
  let top: usize = load<u32>(VALUES_END);
  let register: usize = load<u32>(NEXT_REGISTER);
  let out: usize = load<u32>(OUTPUT_END);
  let at = start;
  for (; at < end; at += 8) {
    const head = load<u32>(at);
    const payload = load<u32>(at, 4);
    if (head === INPUT) {
      if (payload >= inputCount) break;
      const from = inputs + ((<usize>payload) << 4);
      if (load<u8>(from, 15) === 0) break;
      copyValue(top, from);
      top += 16;
    } else if (head === CONSTANT) {
      const digits = hexDigits(payload);
      store<u64>(top, ZERO_F | (digits << 16));
      store<u64>(top, (digits >> 48) | COMMA | CONSTANT_LENGTH, 8);
      top += 16;
    } else if (head === ROUTINE_ARGUMENT) {
      if (payload >= argCount) break;
      const from = args + ((<usize>payload) << 4);
      if (load<u8>(from, 15) === 0) break;
      copyValue(top, from);
      top += 16;
    } else {
      if ((head & 0xffff) !== PTX || payload >= instructionCount) break;
      if (load<u32>(heads + ((<usize>payload) << 2)) !== head) break;
      const count = <i32>(head >>> 16);
      const first = top - ((<usize>count) << 4);
      if (first < values) break;
      const mnemonic = mnemonics + (<usize>payload) * 24;
      store<u64>(out, load<u64>(mnemonic));
      store<u64>(out, load<u64>(mnemonic, 8), 8);
      store<u64>(out, load<u64>(mnemonic, 16), 16);
      out += <usize>load<u32>(lengths + ((<usize>payload) << 2));
      const low = load<u64>(register);
      const high = load<u64>(register, 8);
      store<u64>(out, low);
      store<u64>(out, high, 8);
      out += <usize>(high >> 56);
      out += writeOperand(out, first, -1);
      // Three arguments are written always; the length of one that there is not does not count.
      out += writeOperand(out, first + 16, (1 - count) >> 31);
      out += writeOperand(out, first + 32, (2 - count) >> 31);
      store<u16>(out - 2, END_OF_LINE);
      store<u64>(first, low);
      store<u64>(first, high, 8);
      top = first + 16;
      register += 16;
    }
  }
  store<u32>(VALUES_END, <u32>top);
  store<u32>(NEXT_REGISTER, <u32>register);
  store<u32>(OUTPUT_END, <u32>out);
  return at;
}
