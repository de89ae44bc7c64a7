// Many instructions in one kernel: each thread reads a row of the operands and writes the results of all instructions.

import type { PtxType } from "../../../packages/emulator/src/program/types.js";
import type { Operation } from "./operations.js";

/** An operation with the numbers that it has for the operands that PTX only has as constants. */
export interface Instance extends Operation {
  readonly constants: readonly (number | undefined)[];
}

/** The constants of `lop3`: some functions of three bits. */
const CONSTANTS = [0x00, 0x80, 0xe8, 0x96, 0xca, 0x3c, 0xff];

/** An operation once for each of several constants, if it has any. */
export function instancesOf(operation: Operation): readonly Instance[] {
  const { sources } = operation;
  const numbers = sources.some(({ constant }) => constant) ? CONSTANTS : [undefined];
  return numbers.map((value) => ({
    ...operation,
    constants: sources.map(({ constant }) => (constant ? value : undefined)),
  }));
}

/** A column of operands: its type and the position of the operand. */
export const columnKey = (type: PtxType, position: number): string => `${type} ${position}`;

/** The columns that instances read, in order. */
export function columnsOf(instances: readonly Operation[]): readonly string[] {
  return [
    ...new Set(
      instances.flatMap(({ sources }) => sources.map(({ type }, position) => columnKey(type, position))),
    ),
  ];
}

/** The threads of a block. */
export const THREADS = 32;

/** A kernel `operations(in, out)`. Columns and results have 8 bytes a row, one column after the other. */
export function operationsKernel(instances: readonly Instance[], rows: number): string {
  const columns = columnsOf(instances);
  const reads = new Set<string>();
  const computes = instances.map(({ opcode, sources, constants, resultBits, paired }, index) => {
    const operands = sources.map(({ type, bits }, position) => {
      const constant = constants[position];
      if (constant !== undefined) return `${constant}`;
      const column = columns.indexOf(columnKey(type, position));
      const register = `%c${column}_${bits}`;
      reads.add(read(register, type, bits, `[%in+${8 * rows * column}]`));
      return register;
    });
    const result = `.reg .${resultBits === 1 ? "pred" : `b${resultBits}`} %d; ${paired ? ".reg .pred %e; " : ""}`;
    const place = `[%out+${8 * rows * index}]`;
    const write =
      resultBits === 1
        ? `selp.u32 %x, 1, 0, %d; st.global.u32 ${place}, %x;`
        : `st.global.b${resultBits} ${place}, %d;`;
    return `{ ${result}${opcode} ${[paired ? "%d|%e" : "%d", ...operands].join(", ")}; ${write} }`;
  });
  return [
    ".version 9.0\n.target sm_100a\n.address_size 64",
    ".visible .entry operations(.param .u64 in, .param .u64 out)",
    "{",
    ".reg .b64 %in, %out; .reg .b32 %x, %t;",
    "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];",
    `mov.u32 %x, %ctaid.x; mov.u32 %t, %tid.x; mad.lo.u32 %x, %x, ${THREADS}, %t;`,
    "mad.wide.u32 %in, %x, 8, %in; mad.wide.u32 %out, %x, 8, %out;",
    ...reads,
    ...computes,
    "ret;",
    "}",
    "",
  ].join("\n");
}

function read(register: string, type: PtxType, bits: number, place: string): string {
  if (bits === 1)
    return `.reg .pred ${register}; ld.global.u32 %x, ${place}; setp.ne.u32 ${register}, %x, 0;`;
  // Registers of 8 bits have to be of the type.
  return `.reg .${bits === 8 ? type : `b${bits}`} ${register}; ld.global.b${bits} ${register}, ${place};`;
}
