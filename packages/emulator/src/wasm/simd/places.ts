// The slots of registers in a frame, which are arrays over all threads. Four values at once are loaded and stored.
import { bytesOf } from "../../control/liveness.js";
import type { Label } from "../binary/code.js";
import { LANES, type Vectors } from "./vectors.js";

export class GroupPlaces {
  readonly #vectors: Vectors;
  readonly #slots: ReadonlyMap<number, number>;
  readonly #pushAddress: (bytes: 4 | 8) => void;

  /**
   * @param slots for each register, where its slot begins in the frame
   * @param pushAddress pushes the address of the first thread's element in a slot at the frame's beginning
   */
  constructor(vectors: Vectors, slots: ReadonlyMap<number, number>, pushAddress: (bytes: 4 | 8) => void) {
    this.#vectors = vectors;
    this.#slots = slots;
    this.#pushAddress = pushAddress;
  }

  /** Loads a register from its slot; branches away when its values do not have the expected stride. */
  restore(register: number, away: Label): void {
    const { code, facts, shapes } = this.#vectors;
    const type = facts.types[register]!;
    const slot = this.#slots.get(register)!;
    const size = bytesOf(type);
    const local = this.#vectors.localOf(register);
    this.#pushAddress(size);
    const stride = shapes.of(register);
    if (stride !== undefined) {
      code.memory(`${type}.load` as "i32.load", slot).set(local);
      if (stride !== 0) this.#checkStride(register, stride, away);
      return;
    }
    code.memory("v128.load", slot).set(local);
    if (facts.registerTypes[register] === "pred") code.get(local).op("i32x4.neg").set(local);
    if (size === 4) return;
    this.#pushAddress(size);
    code.memory("v128.load", slot + 16).set(local + 1);
  }

  /** Branches away when the last thread's value is not the expected one because a value wrapped around in 32 bits. */
  #checkStride(register: number, stride: number, away: Label): void {
    const { code, facts, scalar } = this.#vectors;
    const type = facts.types[register] === "i64" ? "i64" : "i32";
    const size = bytesOf(type);
    this.#pushAddress(size);
    code.memory(`${type}.load`, this.#slots.get(register)! + (LANES - 1) * size);
    code.get(this.#vectors.localOf(register)).op(`${type}.sub`);
    scalar.constant(BigInt(stride * (LANES - 1)), type);
    code.op(`${type}.ne`).brIf(away);
  }

  /** @param needsCanonical whether NaNs have to become canonical */
  store(register: number, needsCanonical: boolean): void {
    const { code, facts } = this.#vectors;
    const size = bytesOf(facts.types[register]!);
    for (const half of size === 4 ? [0 as const] : [0 as const, 1 as const]) {
      this.#pushAddress(size);
      this.#vectors.pushRegister(register, half);
      if (facts.registerTypes[register] === "pred")
        code.v128(Array<bigint>(LANES).fill(1n), 32).op("v128.and");
      if (needsCanonical) this.#vectors.canonical();
      code.memory("v128.store", this.#slots.get(register)! + 16 * half);
    }
  }
}
