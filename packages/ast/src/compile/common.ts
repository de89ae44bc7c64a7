// The loop for what programs mostly consist of: inputs with a text, constants, and PTX instructions of one to three
// arguments. It calls nothing that the engine does not write in place, and stops at the first instruction that needs
// anything else.
import { InstructionType, Packed } from "../layout.js";
import type { Run } from "./run.js";
import { Value } from "./values.js";
import { HEX_PAIRS, Pair, Word } from "./words.js";

/** The longest line that the loop writes, and what its last word writes beyond. */
export const LONGEST_LINE = Word.mnemonicBytes + 4 * Value.bytes + Value.bytes;

/**
 * Runs instructions from word `start` on, before word `end`, for which there is room in the output, the values and the
 * register names; returns the first word that it did not run.
 */
export function runCommon(run: Run, words: Uint32Array, start: number, end: number): number {
  const { commonHeads, mnemonicLengths, mnemonicWords } = run.table;
  const instructionCount = commonHeads.length;
  const inputCount = run.inputs.count;
  const inputs = run.inputs.values.view;
  const registers = run.registers.values.view;
  const values = run.values.view;
  const output = run.output.view;
  const hexPairs = HEX_PAIRS;
  let size = run.size * Value.bytes;
  let register = run.registerCount * Value.bytes;
  let out = run.end;
  let at = start;
  for (; at < end; at += Packed.wordsPerInstruction) {
    const head = words[at]! | 0;
    const payload = words[at + 1]!;
    if (head === InstructionType.input) {
      if (payload >= inputCount) break;
      const from = payload * Value.bytes;
      values.setFloat64(size, inputs.getFloat64(from, true), true);
      values.setFloat64(size + Word.bytes, inputs.getFloat64(from + Word.bytes, true), true);
      size += Value.bytes;
    } else if (head === InstructionType.constant) {
      const bits = payload | 0;
      values.setUint16(size, Pair.zeroF, true);
      values.setUint16(size + 2, hexPairs[bits >>> 24]!, true);
      values.setUint16(size + 4, hexPairs[(bits >>> 16) & 0xff]!, true);
      values.setUint16(size + 6, hexPairs[(bits >>> 8) & 0xff]!, true);
      values.setUint16(size + 8, hexPairs[bits & 0xff]!, true);
      values.setUint16(size + 10, Pair.comma, true);
      values.setUint8(size + Value.lengthAt, Value.constantLength);
      size += Value.bytes;
    } else {
      if ((head & Packed.typeMask) !== InstructionType.ptx || payload >= instructionCount) break;
      if (commonHeads[payload] !== head) break;
      const args = head >>> Packed.auxShift;
      const base = size - args * Value.bytes;
      if (base < 0) break;
      const word = payload * Word.perMnemonic;
      output.setFloat64(out, mnemonicWords[word]!, true);
      output.setFloat64(out + Word.bytes, mnemonicWords[word + 1]!, true);
      output.setFloat64(out + 2 * Word.bytes, mnemonicWords[word + 2]!, true);
      out += mnemonicLengths[payload]!;
      const low = registers.getFloat64(register, true);
      const high = registers.getFloat64(register + Word.bytes, true);
      output.setFloat64(out, low, true);
      output.setFloat64(out + Word.bytes, high, true);
      out += registers.getUint8(register + Value.lengthAt);
      output.setFloat64(out, values.getFloat64(base, true), true);
      output.setFloat64(out + Word.bytes, values.getFloat64(base + Word.bytes, true), true);
      out += values.getUint8(base + Value.lengthAt);
      // Arguments that there are not: their length does not count.
      const second = base + Value.bytes;
      output.setFloat64(out, values.getFloat64(second, true), true);
      output.setFloat64(out + Word.bytes, values.getFloat64(second + Word.bytes, true), true);
      out += values.getUint8(second + Value.lengthAt) & ((1 - args) >> 31);
      const third = base + 2 * Value.bytes;
      output.setFloat64(out, values.getFloat64(third, true), true);
      output.setFloat64(out + Word.bytes, values.getFloat64(third + Word.bytes, true), true);
      out += values.getUint8(third + Value.lengthAt) & ((2 - args) >> 31);
      output.setUint16(out - 2, Pair.endOfLine, true);
      values.setFloat64(base, low, true);
      values.setFloat64(base + Word.bytes, high, true);
      size = base + Value.bytes;
      register += Value.bytes;
    }
  }
  run.size = size / Value.bytes;
  run.registerCount = register / Value.bytes;
  run.end = out;
  return at;
}
