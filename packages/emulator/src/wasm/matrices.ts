// `ldmatrix` and `stmatrix`: matrices of 8 by 8 elements of 16 bits between shared memory and the registers of a warp (PTX
// ISA, Warp-level matrix load and store instructions). Eight lanes have the addresses of one matrix's rows.
import type { Step } from "../control/graph.js";
import type { AddressOperand, Operand } from "../program/operand.js";
import type { ProgramFunction } from "../program/program.js";
import type { Access } from "./emit/memory.js";
import type { SavedRegisters } from "./operands.js";

const LANES = 32;
const ROWS = 8;
const ROW_BYTES = 16;

/** What an instruction moves. */
export interface MatrixAccess {
  readonly step: Step;
  readonly access: Access;
  readonly address: AddressOperand;
  /** Where a shared variable that the address names stands in shared memory. */
  readonly base: bigint;
  /** One register of each lane for each matrix. */
  readonly registers: readonly Operand[];
  readonly isTransposed: boolean;
}

/** Memory as an instruction that waits sees it. */
export interface MatrixMemory {
  buffer(): ArrayBufferLike;
  /** The offset of bytes at an address of a thread. @throws Stop where they are not all inside */
  place(step: Step, access: Access, thread: number, address: bigint): number;
}

/** What a step moves; undefined when it is something else. */
export function matrixAccess(step: Step, { shared }: ProgramFunction): MatrixAccess | undefined {
  const { name, operands } = step.source;
  if (name !== "ldmatrix" && name !== "stmatrix") return undefined;
  const isLoad = name === "ldmatrix";
  const [vector, address] = (isLoad ? operands : operands.toReversed()) as [Operand, AddressOperand];
  const { base } = address;
  const placed = base.kind === "module-variable" && shared.find(({ variable }) => variable === base.variable);
  return {
    step,
    access: {
      kind: isLoad ? "load" : "store",
      space: step.words.has("shared") ? "shared" : "generic",
      bytes: ROW_BYTES,
    },
    address,
    base: placed ? BigInt(placed.offset) : 0n,
    registers: vector.kind === "vector" ? vector.items : [vector],
    isTransposed: step.words.has("trans"),
  };
}

/** Carries it out for the warp that begins with a thread, all of whose lanes wait. */
export function moveMatrices(
  { step, access, address, base, registers, isTransposed }: MatrixAccess,
  first: number,
  saved: SavedRegisters,
  memory: MatrixMemory,
): void {
  const rows: number[] = [];
  for (let lane = 0; lane < ROWS * registers.length; lane++) {
    const thread = first + lane;
    const from = address.base.kind === "module-variable" ? base : saved.address(step, address.base, thread);
    rows.push(memory.place(step, access, thread, BigInt.asUintN(64, from + BigInt(address.offset))));
  }
  const view = new DataView(memory.buffer());
  for (let lane = 0; lane < LANES; lane++) {
    const values = registers.map((register, matrix) => {
      // Two elements of a row, or of a column: where they stand in memory.
      const [low, high] = [0, 1].map((element) => {
        const along = 2 * (lane % 4) + element;
        const across = lane >> 2;
        const [row, column] = isTransposed ? [along, across] : [across, along];
        return rows[ROWS * matrix + row]! + 2 * column;
      }) as [number, number];
      if (access.kind === "load") {
        return BigInt(view.getUint16(low, true)) | (BigInt(view.getUint16(high, true)) << 16n);
      }
      const word = Number(saved.read(step, register, "b32", first + lane));
      view.setUint16(low, word, true);
      view.setUint16(high, word >>> 16, true);
      return 0n;
    });
    if (access.kind === "load") saved.write(step, first + lane, values);
  }
}
