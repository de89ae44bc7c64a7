// The loop for the most common instructions: inputs, constants, arguments of routines, and PTX instructions with one to
// three arguments, as long as all values have a text. It stops at the first instruction that needs anything else. It
// runs where WebAssembly is not allowed; assembly/loop.ts is the same for WebAssembly. Values are copied in place here,
// because calling a function that is used elsewhere too makes the loop a tenth slower.
import { InstructionType, Packed } from "../layout.js";
import { Control, Line, Pair, Region, Value } from "./addresses.js";
import type { Arena } from "./arena.js";
import { copyElsewhere, setConstant } from "./text.js";

/**
 * Runs instructions from an address on, up to `end`; all regions must have room for them.
 * @returns the address of the first instruction that it did not run
 */
export function runLoop({ view }: Arena, start: number, end: number): number {
  const word = (address: number) => view.getUint32(address, true);
  const heads = word(Control.regions + 4 * Region.heads);
  const lengths = word(Control.regions + 4 * Region.lengths);
  const mnemonics = word(Control.regions + 4 * Region.mnemonics);
  const inputs = word(Control.regions + 4 * Region.inputs);
  const values = word(Control.regions + 4 * Region.values);
  const instructionCount = word(Control.instructionCount);
  const inputCount = word(Control.inputCount);
  const argCount = word(Control.argCount);
  const args = word(Control.args);
  let top = word(Control.valuesEnd);
  let register = word(Control.nextRegister);
  let out = word(Control.outputEnd);
  let at = start;
  for (; at < end; at += Packed.bytesPerInstruction) {
    const head = view.getUint32(at, true);
    const payload = view.getUint32(at + 4, true);
    if (head === InstructionType.input) {
      if (payload >= inputCount) break;
      const from = inputs + payload * Value.bytes;
      if (view.getUint8(from + Value.lengthAt) === 0) break;
      view.setFloat64(top, view.getFloat64(from, true), true);
      view.setFloat64(top + 8, view.getFloat64(from + 8, true), true);
      top += Value.bytes;
    } else if (head === InstructionType.constant) {
      setConstant(view, top, payload);
      top += Value.bytes;
    } else if (head === InstructionType.routineArgument) {
      if (payload >= argCount) break;
      const from = args + payload * Value.bytes;
      if (view.getUint8(from + Value.lengthAt) === 0) break;
      view.setFloat64(top, view.getFloat64(from, true), true);
      view.setFloat64(top + 8, view.getFloat64(from + 8, true), true);
      top += Value.bytes;
    } else {
      if ((head & Packed.typeMask) !== InstructionType.ptx || payload >= instructionCount) break;
      if (view.getUint32(heads + 4 * payload, true) !== head) break;
      const count = head >>> Packed.auxShift;
      const first = top - count * Value.bytes;
      if (first < values) break;
      const mnemonic = mnemonics + payload * Line.mnemonicBytes;
      view.setFloat64(out, view.getFloat64(mnemonic, true), true);
      view.setFloat64(out + 8, view.getFloat64(mnemonic + 8, true), true);
      view.setFloat64(out + 16, view.getFloat64(mnemonic + 16, true), true);
      out += view.getUint32(lengths + 4 * payload, true);
      const low = view.getFloat64(register, true);
      const high = view.getFloat64(register + 8, true);
      view.setFloat64(out, low, true);
      view.setFloat64(out + 8, high, true);
      out += view.getUint8(register + Value.lengthAt);
      view.setFloat64(out, view.getFloat64(first, true), true);
      view.setFloat64(out + 8, view.getFloat64(first + 8, true), true);
      const firstLength = view.getUint8(first + Value.lengthAt);
      out += firstLength > Value.mostCharacters ? copyElsewhere(view, out, first) : firstLength;
      // Three arguments are always written; the length of a missing one is not added.
      const second = first + Value.bytes;
      view.setFloat64(out, view.getFloat64(second, true), true);
      view.setFloat64(out + 8, view.getFloat64(second + 8, true), true);
      const secondLength = view.getUint8(second + Value.lengthAt) & ((1 - count) >> 31);
      out += secondLength > Value.mostCharacters ? copyElsewhere(view, out, second) : secondLength;
      const third = second + Value.bytes;
      view.setFloat64(out, view.getFloat64(third, true), true);
      view.setFloat64(out + 8, view.getFloat64(third + 8, true), true);
      const thirdLength = view.getUint8(third + Value.lengthAt) & ((2 - count) >> 31);
      out += thirdLength > Value.mostCharacters ? copyElsewhere(view, out, third) : thirdLength;
      view.setUint16(out - 2, Pair.endOfLine, true);
      view.setFloat64(first, low, true);
      view.setFloat64(first + 8, high, true);
      top = second;
      register += Value.bytes;
    }
  }
  view.setUint32(Control.valuesEnd, top, true);
  view.setUint32(Control.nextRegister, register, true);
  view.setUint32(Control.outputEnd, out, true);
  return at;
}
