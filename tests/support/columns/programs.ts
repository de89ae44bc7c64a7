// Runs codes of programs for the kernels of `ProgramKernel` on the columns that the kernels read.

import type { InputColumn, Machine } from "../../../packages/columns/dist/machine/index.js";
import { codeType, codeTypeBits } from "../../../packages/types/dist/code/index.js";
import type { StackTable } from "../../../packages/types/dist/index.js";
import { CodeWord } from "../../../packages/types/dist/internal/index.js";
import type { ProgramKernel } from "../emulated/program-kernel.js";

/** A column for each register of a kernel: its inputs, and zeros for its outputs. */
export function inputColumns(
  table: StackTable,
  kernel: ProgramKernel,
  inputs: BigUint64Array,
  rows: number,
): readonly InputColumn[] {
  return [...kernel.inputs, ...kernel.outputs].map(({ stackIndex }, index) => {
    const type = codeType(table.stackTypes[stackIndex]!.literalPrefix);
    const values =
      index < kernel.inputs.length
        ? inputs.subarray(index * rows, (index + 1) * rows)
        : new BigUint64Array(rows);
    const bits = codeTypeBits(type);
    const mask = 2n ** BigInt(bits) - 1n;
    const isDouble = bits === 64;
    const value = (each: bigint): bigint => (bits === 1 ? (each === 0n ? 0n : 1n) : each & mask);
    const words = isDouble
      ? BigUint64Array.from(values, value)
      : Uint32Array.from(values, (each) => Number(value(each)));
    return { bytes: new Uint8Array(words.buffer), isDouble, types: 1 << type };
  });
}

/** The outputs of a code, each cut to the bits of its type. */
export function outputsOf(
  machine: Machine,
  code: Uint32Array,
  columns: readonly InputColumn[],
  rows: number,
): readonly BigUint64Array[] {
  const arity = code[CodeWord.arity]!;
  const count = arity >>> CodeWord.outputShift;
  return Array.from({ length: count }, (_, output) => {
    const word = code[code.length - count + output]!;
    const one = Uint32Array.from([...code.subarray(0, code.length - count), word]);
    one[CodeWord.arity] = (arity & CodeWord.inputMask) | (1 << CodeWord.outputShift);
    const bits = codeTypeBits(word >>> CodeWord.typeShift);
    const isDouble = bits === 64;
    const target = new Uint8Array(rows * (isDouble ? 8 : 4));
    machine.compute(one, { columns, rows }, target);
    const values = isDouble ? new BigUint64Array(target.buffer) : new Uint32Array(target.buffer);
    const mask = 2n ** BigInt(bits) - 1n;
    return BigUint64Array.from(values as BigUint64Array, (value) => BigInt(value) & mask);
  });
}
