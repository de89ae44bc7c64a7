// The places of registers in a frame, side by side for all threads: four of them at once come out and go back.
import { bytesOf } from "../../control/liveness.js";
import type { Label } from "../binary/code.js";
import { LANES, type Vectors } from "./vectors.js";

export class GroupPlaces {
  readonly #vectors: Vectors;
  readonly #slots: ReadonlyMap<number, number>;
  readonly #pushAddress: (bytes: 4 | 8) => void;

  /**
   * @param slots by register, where its places begin in the frame
   * @param pushAddress puts the address of the first thread's place in a slot at the frame's beginning on the stack
   */
  constructor(vectors: Vectors, slots: ReadonlyMap<number, number>, pushAddress: (bytes: 4 | 8) => void) {
    this.#vectors = vectors;
    this.#slots = slots;
    this.#pushAddress = pushAddress;
  }

  /** Brings a register back; branches away where its values are not as far apart as they should be. */
  restore(register: number, away: Label): void {
    const { code, facts, shapes } = this.#vectors;
    const type = facts.types[register]!;
    const slot = this.#slots.get(register)!;
    const size = bytesOf(type);
    const local = this.#vectors.localOf(register);
    this.#pushAddress(size);
    const distance = shapes.of(register);
    if (distance !== undefined) {
      code.memory(`${type}.load` as "i32.load", slot).set(local);
      if (distance !== 0) this.#checkDistance(register, distance, away);
      return;
    }
    code.memory("v128.load", slot).set(local);
    if (facts.registerTypes[register] === "pred") code.get(local).op("i32x4.neg").set(local);
    if (size === 4) return;
    this.#pushAddress(size);
    code.memory("v128.load", slot + 16).set(local + 1);
  }

  /** Branches away where the last thread's value is not where it should be: one came around in 32 bits. */
  #checkDistance(register: number, distance: number, away: Label): void {
    const { code, facts, scalar } = this.#vectors;
    const type = facts.types[register] === "i64" ? "i64" : "i32";
    const size = bytesOf(type);
    this.#pushAddress(size);
    code.memory(`${type}.load`, this.#slots.get(register)! + (LANES - 1) * size);
    code.get(this.#vectors.localOf(register)).op(`${type}.sub`);
    scalar.constant(BigInt(distance * (LANES - 1)), type);
    code.op(`${type}.ne`).brIf(away);
  }

  /** @param isObserved whether somebody else may look at the bits of NaNs */
  store(register: number, isObserved: boolean): void {
    const { code, facts } = this.#vectors;
    const size = bytesOf(facts.types[register]!);
    for (const half of size === 4 ? [0 as const] : [0 as const, 1 as const]) {
      this.#pushAddress(size);
      this.#vectors.pushRegister(register, half);
      if (facts.registerTypes[register] === "pred")
        code.v128(Array<bigint>(LANES).fill(1n), 32).op("v128.and");
      if (isObserved && facts.anyNaN[register] === 1) this.#vectors.canonical();
      code.memory("v128.store", this.#slots.get(register)! + 16 * half);
    }
  }
}
