// The columns that kernels of `ProgramKernel` read, and what codes of their programs compute on them.

import { type Column, evaluateBatch } from "../../../packages/columns/dist/index.js";
import { type CodeBatch, codeType, codeTypeBits } from "../../../packages/types/dist/code/index.js";
import type { StackTable } from "../../../packages/types/dist/index.js";
import type { ProgramKernel } from "../emulated/program-kernel.js";
import type { StackKernelProgram } from "../emulated/random-programs.js";

/** The columns of registers, by the type of the register; others are kept in unsigned words of their width. */
const COLUMNS: Readonly<Record<string, (words: ArrayBuffer) => Column>> = {
  f32: (words) => new Float32Array(words),
  s32: (words) => new Int32Array(words),
  f64: (words) => new Float64Array(words),
  s64: (words) => new BigInt64Array(words),
};

/** A column for each register of a kernel: its inputs, and zeros for its outputs. */
export function columnsOf(
  table: StackTable,
  kernel: ProgramKernel,
  inputs: BigUint64Array,
  rows: number,
): readonly Column[] {
  return [...kernel.inputs, ...kernel.outputs].map(({ stackIndex }, index) => {
    const type = table.stackTypes[stackIndex]!.literalPrefix;
    const bits = codeTypeBits(codeType(type));
    const values =
      index < kernel.inputs.length
        ? inputs.subarray(index * rows, (index + 1) * rows)
        : new BigUint64Array(rows);
    if (bits === 64) return COLUMNS[type]?.(values.slice().buffer) ?? values.slice();
    const words = new Uint32Array(values.slice().buffer).filter((_, at) => at % 2 === 0);
    if (bits === 1) return Uint8Array.from(words, (word) => Number(word !== 0));
    if (bits === 16) return Uint16Array.from(words);
    return COLUMNS[type]?.(words.buffer) ?? words;
  });
}

/** The bits of the outputs that the programs write, one after the other, as `runPrograms` returns them. */
export async function valuesOf(
  programs: readonly StackKernelProgram[],
  codes: CodeBatch,
  columns: readonly Column[],
  webAssembly: boolean,
): Promise<BigUint64Array> {
  const { outputs } = await evaluateBatch(codes, columns, { outputs: true, webAssembly });
  return BigUint64Array.from(
    programs.flatMap(({ job, writes }, code) => {
      const names = Array.from(job.requests, (request) => job.registers[request]!.name);
      return writes.flatMap(({ name }) => {
        const output = names.indexOf(name);
        const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } = outputs!.column(code, output);
        const mask = 2n ** BigInt(codeTypeBits(codeType(outputs!.type(code, output)))) - 1n;
        const bits =
          BYTES_PER_ELEMENT === 8
            ? new BigUint64Array(buffer, byteOffset, byteLength / 8)
            : new Uint32Array(buffer, byteOffset, byteLength / 4);
        return Array.from(bits as BigUint64Array, (value) => BigInt(value) & mask);
      });
    }),
  );
}
