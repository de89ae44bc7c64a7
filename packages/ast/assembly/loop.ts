// The hot loop of the compiler for WebAssembly (AssemblyScript): it does what src/compile/loop.ts does, on the same
// memory, whose regions src/compile/arena.ts lays out. Nothing is checked here except by the bounds of the memory:
// every address comes from data that the compiler wrote or compared before. Tests run all programs through both.

import { Control, Line, Pair, Region, Value } from "../src/compile/addresses.js";
import { InstructionType, Packed } from "../src/layout.js";

// "0f", ", " and the length of `0f3f800000, `, at their places in its two words.
const ZERO_F: u64 = <u64>Pair.zeroF;
const COMMA: u64 = (<u64>Pair.comma) << 16;
const CONSTANT_LENGTH: u64 = (<u64>Value.constantLength) << 56;

// @ts-expect-error: decorators are AssemblyScript's
@inline
function copyValue(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
}

/** Writes the text of a value, at least sixteen bytes; returns its length if `counts` is -1, and 0 if it is 0. */
// @ts-expect-error: decorators are AssemblyScript's
@inline
function writeOperand(to: usize, value: usize, counts: i32): usize {
  copyValue(to, value);
  let length: usize = <usize>load<u8>(value, Value.lengthAt) & <usize>counts;
  if (length > <usize>Value.mostCharacters) {
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

/**
 * Runs instructions from address `start` up to `end`; returns the address of the first instruction that it did not run.
 */
export function runLoop(start: usize, end: usize): usize {
  const heads: usize = load<u32>(Control.regions + 4 * Region.heads);
  const lengths: usize = load<u32>(Control.regions + 4 * Region.lengths);
  const mnemonics: usize = load<u32>(Control.regions + 4 * Region.mnemonics);
  const inputs: usize = load<u32>(Control.regions + 4 * Region.inputs);
  const values: usize = load<u32>(Control.regions + 4 * Region.values);
  const instructionCount = load<u32>(Control.instructionCount);
  const inputCount = load<u32>(Control.inputCount);
  const argCount = load<u32>(Control.argCount);
  const args: usize = load<u32>(Control.args);
  let top: usize = load<u32>(Control.valuesEnd);
  let register: usize = load<u32>(Control.nextRegister);
  let out: usize = load<u32>(Control.outputEnd);
  let at = start;
  for (; at < end; at += Packed.bytesPerInstruction) {
    const head = load<u32>(at);
    const payload = load<u32>(at, 4);
    if (head === <u32>InstructionType.input) {
      if (payload >= inputCount) break;
      const from = inputs + <usize>payload * Value.bytes;
      if (load<u8>(from, Value.lengthAt) === 0) break;
      copyValue(top, from);
      top += Value.bytes;
    } else if (head === <u32>InstructionType.constant) {
      const digits = hexDigits(payload);
      store<u64>(top, ZERO_F | (digits << 16));
      store<u64>(top, (digits >> 48) | COMMA | CONSTANT_LENGTH, 8);
      top += Value.bytes;
    } else if (head === <u32>InstructionType.routineArgument) {
      if (payload >= argCount) break;
      const from = args + <usize>payload * Value.bytes;
      if (load<u8>(from, Value.lengthAt) === 0) break;
      copyValue(top, from);
      top += Value.bytes;
    } else {
      if ((head & Packed.typeMask) !== <u32>InstructionType.ptx || payload >= instructionCount) break;
      if (load<u32>(heads + 4 * <usize>payload) !== head) break;
      const count = <i32>(head >>> Packed.auxShift);
      const first = top - <usize>count * Value.bytes;
      if (first < values) break;
      const mnemonic = mnemonics + <usize>payload * Line.mnemonicBytes;
      store<u64>(out, load<u64>(mnemonic));
      store<u64>(out, load<u64>(mnemonic, 8), 8);
      store<u64>(out, load<u64>(mnemonic, 16), 16);
      out += <usize>load<u32>(lengths + 4 * <usize>payload);
      const low = load<u64>(register);
      const high = load<u64>(register, 8);
      store<u64>(out, low);
      store<u64>(out, high, 8);
      out += <usize>(high >> 56);
      out += writeOperand(out, first, -1);
      // Three arguments are always written; the length of a missing one is not added.
      out += writeOperand(out, first + Value.bytes, (1 - count) >> 31);
      out += writeOperand(out, first + 2 * Value.bytes, (2 - count) >> 31);
      store<u16>(out - 2, <u16>Pair.endOfLine);
      store<u64>(first, low);
      store<u64>(first, high, 8);
      top = first + Value.bytes;
      register += Value.bytes;
    }
  }
  store<u32>(Control.valuesEnd, <u32>top);
  store<u32>(Control.nextRegister, <u32>register);
  store<u32>(Control.outputEnd, <u32>out);
  return at;
}
