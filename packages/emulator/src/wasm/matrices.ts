// `ldmatrix` and `stmatrix`: move matrices of 8 by 8 elements of 16 bits between shared memory and the registers of a
// warp (PTX ISA, Warp-level matrix load and store instructions). Eight lanes hold the addresses of one matrix's rows.
import type { Step } from "../control/step.js";
import type { AddressOperand, Operand } from "../program/operand.js";
import type { ProgramFunction } from "../program/program.js";
import { TYPES } from "../program/types.js";
import type { Access } from "./access.js";
import type { SavedRegisters } from "./operands.js";

const LANES = 32;
const ROWS = 8;
const ROW_BYTES = 16;

/** Carries out an instruction for the warp that begins with a thread. All of its lanes wait. */
export type MoveMatrix = (first: number, saved: SavedRegisters, memory: MatrixMemory) => void;

/** The matrices that an instruction moves. */
interface MatrixAccess {
  readonly step: Step;
  readonly access: Access;
  readonly addressOf: AddressOf;
  /** For each matrix, the register that every lane uses for it. */
  readonly registers: readonly Operand[];
  readonly isTransposed: boolean;
}

/** Computes the address operand of a thread's instruction. */
export type AddressOf = (saved: SavedRegisters, memory: MatrixMemory, thread: number) => bigint;

/** Memory as a waiting instruction accesses it. */
export interface MatrixMemory {
  buffer(): ArrayBufferLike;
  /** The address of a global or constant variable of the module. */
  variable(index: number): number;
  /**
   * The offset of the bytes at an address of a thread.
   * @throws {@link Stop} when they are not all inside an allocation
   */
  place(step: Step, access: Access, thread: number, address: bigint): number;
  /** The same, but -1 when they are not. */
  find(access: Access, address: bigint): number;
}

/**
 * Returns how to compute the address operand of a thread. Local variables get address 0, because matrices are never in
 * them.
 */
export function addressOf(step: Step, { base, offset }: AddressOperand, kernel: ProgramFunction): AddressOf {
  const displaced = (from: bigint) => BigInt.asUintN(64, from + BigInt(offset));
  if (base.kind === "immediate") return () => displaced(base.bits);
  if (base.kind === "register") {
    // A sum with a 32-bit register has 32 bits.
    const { bits } = TYPES[step.context.body.registers[base.register]!.type];
    return (saved, _, thread) =>
      BigInt.asUintN(bits, saved.read(step, base, undefined, thread) + BigInt(offset));
  }
  if (base.kind === "function-variable") return () => 0n;
  const shared = kernel.shared.find(({ variable }) => variable === base.variable);
  return (_, memory) => displaced(BigInt(shared?.offset ?? memory.variable(base.variable)));
}

/** How `ldmatrix` and `stmatrix` move matrices. */
export function matrixMove(step: Step, kernel: ProgramFunction): MoveMatrix {
  const { operands } = step.source;
  const isLoad = step.operation.traits.reads;
  const [vector, address] = (isLoad ? operands : operands.toReversed()) as [Operand, AddressOperand];
  const access: MatrixAccess = {
    step,
    access: {
      kind: isLoad ? "load" : "store",
      space: step.operation.space === "shared" ? "shared" : "generic",
      bytes: ROW_BYTES,
    },
    addressOf: addressOf(step, address, kernel),
    registers: vector.kind === "vector" ? vector.items : [vector],
    isTransposed: step.operation.words.has("trans"),
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
  const slots = registers.map((register) => saved.placeOf(step, register));
  if (!slots.includes(-1)) {
    const halves = new Uint16Array(memory.buffer());
    const { words } = saved;
    for (const [matrix, slot] of slots.entries()) {
      for (let lane = 0; lane < LANES; lane++) {
        const along = 2 * (lane % 4);
        const across = lane >> 2;
        const [row, next, column, step] = isTransposed
          ? [along, along + 1, across, 0]
          : [across, across, along, 1];
        const low = (rows[ROWS * matrix + row]! >> 1) + column;
        const high = (rows[ROWS * matrix + next]! >> 1) + column + step;
        const word = slot + first + lane;
        if (access.kind === "load") words[word] = halves[low]! | (halves[high]! << 16);
        else {
          halves[low] = words[word]!;
          halves[high] = words[word]! >>> 16;
        }
      }
    }
    return;
  }
  const view = new DataView(memory.buffer());
  for (let lane = 0; lane < LANES; lane++) {
    const values = registers.map((register, matrix) => {
      // The offsets of two elements of a row, or of a column, in memory.
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
