// How the programs of a pipeline are packed, until a program turns out to compute something else in a pack than alone.
import type { Packing } from "./writer.js";

export class ChosenPacking {
  #packing: Packing;
  #reason: string | undefined;
  /** Whether a program was run both in a pack and alone, with the same outputs. */
  isProven: boolean;

  constructor(packing: Packing, reason: string | undefined) {
    this.#packing = packing;
    this.#reason = reason;
    this.isProven = packing.kind === "single";
  }

  get packing(): Packing {
    return this.#packing;
  }

  /** Why programs are not alternatives. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** From now on, each program is run by itself. */
  giveUp(reason: string): void {
    if (this.#packing.kind === "single") return;
    this.#packing = { kind: "single" };
    this.#reason = reason;
    this.isProven = true;
  }
}
