// The operands of a warp operation as its function reads and writes them: constants, or the words of 32 lanes in a frame.
import { registerOf } from "../../control/graph.js";
import type { Step } from "../../control/step.js";
import type { Operand } from "../../program/operand.js";
import type { Code } from "../binary/code.js";

/** The lanes of a warp, and the vectors of four lanes that hold them. */
export const LANES = 32;
export const GROUPS = 8;
const LANE_BYTES = 4;
const VECTOR_BYTES = 16;

/** A constant, or where the words of all threads begin in a frame; undefined for a result that nobody reads. */
export type WarpValue =
  | { readonly constant: bigint }
  | { readonly slot: number; readonly negated: boolean }
  | undefined;

/** Where values of threads are saved. */
export interface SavedPlaces {
  /** For each register, where its values begin in a frame. */
  readonly slots: ReadonlyMap<number, number>;
  /** Registers that have one value only, which are not saved. */
  readonly constants: ReadonlyMap<number, bigint>;
}

/** The value of an operand that is the same in all threads and known before a launch. */
export function constantOf(
  step: Step,
  operand: Operand | undefined,
  constants: ReadonlyMap<number, bigint>,
): bigint | undefined {
  if (operand?.kind === "immediate") return operand.bits;
  if (operand?.kind !== "register" || operand.negated) return undefined;
  return constants.get(registerOf(step, operand));
}

export function warpValue(
  step: Step,
  operand: Operand | undefined,
  { slots, constants }: SavedPlaces,
): WarpValue {
  const constant = constantOf(step, operand, constants);
  if (constant !== undefined) return { constant };
  if (operand?.kind !== "register") return undefined;
  return { slot: slots.get(registerOf(step, operand))!, negated: operand.negated };
}

/** The code for one warp, whose first words of registers of 32 and 64 bits are at the addresses in two locals. */
export class WarpCode {
  readonly code: Code;
  /** Where the words of the warp begin in the slot at the frame's beginning. */
  readonly base: number;
  /** The same for double words. */
  readonly wideBase: number;
  /** Room for one word of each lane, which the warp's threads have while all of them wait. */
  readonly room: number;
  /** The local with the lanes of a tile that takes part on its own; undefined where the warp is one. */
  tile: number | undefined;

  constructor(code: Code) {
    this.code = code;
    this.base = code.local("i32");
    this.wideBase = code.local("i32");
    this.room = code.local("i32");
  }

  /** Pushes four lanes of a value of 32 bits. */
  push(value: WarpValue, group: number): void {
    const { code } = this;
    if (value === undefined) code.v128([0n, 0n, 0n, 0n], 32);
    else if ("constant" in value) code.v128(Array<bigint>(4).fill(value.constant), 32);
    else code.get(this.base).memory("v128.load", value.slot + VECTOR_BYTES * group);
  }

  /** Pushes two lanes of a value of 64 bits. */
  pushWide(value: WarpValue, pair: number): void {
    const { code } = this;
    if (value === undefined) code.v128([0n, 0n], 64);
    else if ("constant" in value) code.v128(Array<bigint>(2).fill(value.constant), 64);
    else code.get(this.wideBase).memory("v128.load", value.slot + VECTOR_BYTES * pair);
  }

  /** Pushes the word of the lane whose offset, 4 for each lane, is in a local. */
  pushLane(value: WarpValue, offset: number): void {
    const { code } = this;
    if (value === undefined) code.i32(0);
    else if ("constant" in value) code.i32(Number(BigInt.asIntN(32, value.constant)));
    else code.get(this.base).get(offset).op("i32.add").memory("i32.load", value.slot);
  }

  /** Stores the four lanes that `push` leaves on the stack. */
  store(result: WarpValue, group: number, push: () => void): void {
    if (result === undefined || "constant" in result) return;
    this.code.get(this.base);
    push();
    this.code.memory("v128.store", result.slot + VECTOR_BYTES * group);
  }

  /** Stores the word that `push` leaves on the stack in all lanes. */
  storeAll(result: WarpValue, push: () => void): void {
    if (result === undefined || "constant" in result) return;
    const { code } = this;
    push();
    code.op("i32x4.splat");
    code.scratch("v128", (vector) => {
      code.set(vector);
      for (let group = 0; group < GROUPS; group++) this.store(result, group, () => code.get(vector));
    });
  }

  /** Runs code for one lane after the other. `write` gets the local with 4 for each lane before it. */
  eachLane(write: (offset: number) => void): void {
    const { code } = this;
    code.scratch("i32", (offset) => {
      code.i32(0).set(offset);
      const loop = code.loop();
      write(offset);
      code.get(offset).i32(LANE_BYTES).op("i32.add").tee(offset);
      code
        .i32(LANES * LANE_BYTES)
        .op("i32.lt_u")
        .brIf(loop);
      code.end();
    });
  }

  /** Keeps the word that `push` leaves on the stack as a lane's result until `storeKept`. */
  keep(offset: number, push: () => void): void {
    this.code.get(this.room).get(offset).op("i32.add");
    push();
    this.code.memory("i32.store");
  }

  /** Stores the results that were kept, now that no lane reads its operands any more. */
  storeKept(result: WarpValue): void {
    for (let group = 0; group < GROUPS; group++)
      this.store(result, group, () => this.code.get(this.room).memory("v128.load", VECTOR_BYTES * group));
  }

  /** Calls `use` with locals that hold all lanes of a value of 32 bits. */
  withVectors(value: WarpValue, use: (vectors: readonly number[]) => void): void {
    const { code } = this;
    const vectors = Array.from({ length: GROUPS }, () => code.take("v128"));
    for (const [group, vector] of vectors.entries()) {
      this.push(value, group);
      code.set(vector);
    }
    use(vectors);
    for (const vector of vectors) code.release("v128", vector);
  }
}
