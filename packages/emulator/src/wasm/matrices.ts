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

/** Carries an instruction out for the warp that begins with a thread, all of whose lanes wait. */
export type MoveMatrix = (first: number, saved: SavedRegisters, memory: MatrixMemory) => void;

/** What an instruction moves. */
interface MatrixAccess {
  readonly step: Step;
  readonly access: Access;
  readonly addressOf: AddressOf;
  /** One register of each lane for each matrix. */
  readonly registers: readonly Operand[];
  readonly isTransposed: boolean;
}

/** The address that a thread's instruction has. */
export type AddressOf = (saved: SavedRegisters, memory: MatrixMemory, thread: number) => bigint;

/** Memory as an instruction that waits sees it. */
export interface MatrixMemory {
  buffer(): ArrayBufferLike;
  /** The address of a global or constant variable of the module. */
  variable(index: number): number;
  /** The offset of bytes at an address of a thread. @throws Stop where they are not all inside */
  place(step: Step, access: Access, thread: number, address: bigint): number;
}

/** How addresses of an operand are found. Variables of single threads are at none, as no matrix is there. */
export function addressOf(step: Step, { base, offset }: AddressOperand, kernel: ProgramFunction): AddressOf {
  const displaced = (from: bigint) => BigInt.asUintN(64, from + BigInt(offset));
  if (base.kind === "register" || base.kind === "immediate") {
    return (saved, _, thread) => displaced(saved.read(step, base, undefined, thread));
  }
  if (base.kind === "function-variable") return () => 0n;
  const shared = kernel.shared.find(({ variable }) => variable === base.variable);
  return (_, memory) => displaced(BigInt(shared?.offset ?? memory.variable(base.variable)));
}

/** How a step moves matrices; undefined when it is something else. */
export function matrixMove(step: Step, kernel: ProgramFunction): MoveMatrix | undefined {
  const { name, operands } = step.source;
  if (name !== "ldmatrix" && name !== "stmatrix") return undefined;
  const isLoad = name === "ldmatrix";
  const [vector, address] = (isLoad ? operands : operands.toReversed()) as [Operand, AddressOperand];
  const access: MatrixAccess = {
    step,
    access: {
      kind: isLoad ? "load" : "store",
      space: step.words.has("shared") ? "shared" : "generic",
      bytes: ROW_BYTES,
    },
    addressOf: addressOf(step, address, kernel),
    registers: vector.kind === "vector" ? vector.items : [vector],
    isTransposed: step.words.has("trans"),
  };
  return (first, saved, memory) => moveMatrices(access, first, saved, memory);
}

function moveMatrices(
  { step, access, addressOf, registers, isTransposed }: MatrixAccess,
  first: number,
  saved: SavedRegisters,
  memory: MatrixMemory,
): void {
  const rows: number[] = [];
  for (let lane = 0; lane < ROWS * registers.length; lane++) {
    const thread = first + lane;
    rows.push(memory.place(step, access, thread, addressOf(saved, memory, thread)));
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
