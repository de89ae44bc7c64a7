// Operands of waiting threads, which are read from and written to their saved registers.
import { registerOf } from "../control/graph.js";
import type { Step } from "../control/step.js";
import { itemsOf, type Operand } from "../program/operand.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { Areas } from "./areas.js";
import type { Translation } from "./translation.js";
import { constantOf } from "./warp/values.js";

/** Saved registers of the threads of a block. */
export class SavedRegisters {
  /** The memory as words. */
  readonly words: Int32Array;
  readonly #view: DataView;
  readonly #areas: Areas;
  readonly #translation: Translation;

  constructor(buffer: ArrayBufferLike, areas: Areas, translation: Translation) {
    this.words = new Int32Array(buffer);
    this.#view = new DataView(buffer);
    this.#areas = areas;
    this.#translation = translation;
  }

  /** The bits of the sources of a thread's instruction, with vectors expanded to their items. Absent sources are 0. */
  sources(step: Step, thread: number): bigint[] {
    const { operands } = step.source;
    const { operandTypes, results } = step.operation;
    const found: bigint[] = [];
    for (let i = results; i < operands.length; i++) {
      for (const item of itemsOf(operands[i]!)) found.push(this.read(step, item, operandTypes[i], thread));
    }
    return found;
  }

  /** The bits of an operand of a thread. */
  read(step: Step, operand: Operand, type: PtxType | undefined, thread: number): bigint {
    if (operand.kind !== "register" && operand.kind !== "immediate") return 0n;
    const constant = constantOf(step, operand, this.#translation.constants);
    if (operand.kind === "immediate" || constant !== undefined) return constant!;
    const { at, wide } = this.#place(registerOf(step, operand), thread);
    const bits = wide ? this.#view.getBigUint64(at, true) : BigInt(this.#view.getUint32(at, true));
    if (operand.negated) return bits === 0n ? 1n : 0n;
    return type === undefined ? bits : BigInt.asUintN(TYPES[type].bits, bits);
  }

  /** Writes the results of a thread's instruction, with vectors expanded to their items. */
  write(step: Step, thread: number, values: readonly bigint[]): void {
    const { operands } = step.source;
    const { results } = step.operation;
    let next = 0;
    for (const operand of operands.slice(0, results)) {
      for (const item of itemsOf(operand)) {
        const value = values[next++];
        if (item.kind !== "register" || value === undefined) continue;
        const { at, wide } = this.#place(registerOf(step, item), thread);
        if (wide) this.#view.setBigUint64(at, BigInt.asUintN(64, value), true);
        else this.#view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
      }
    }
  }

  /** The index in `words` of the first thread's value of a register of 32 bits; -1 for other operands. */
  placeOf(step: Step, operand: Operand | undefined): number {
    if (operand?.kind !== "register" || operand.negated) return -1;
    const register = registerOf(step, operand);
    const slot = this.#translation.slots.get(register);
    const type = this.#translation.types[register]!;
    return slot === undefined || type === "i64" || type === "f64" ? -1 : (this.#areas.frame + slot) >> 2;
  }

  #place(register: number, thread: number): { at: number; wide: boolean } {
    const type = this.#translation.types[register]!;
    const wide = type === "i64" || type === "f64";
    const slot = this.#translation.slots.get(register)!;
    return { at: this.#areas.frame + slot + thread * (wide ? 8 : 4), wide };
  }
}
