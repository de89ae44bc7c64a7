// The counts of all launches of a program, added up by module.
import type { Program } from "../program/program.js";
import type { CountedRun } from "../view/lcov.js";

export class CountSums {
  readonly #sums = new Map<Program, readonly Float64Array[]>();

  add({ program, counts }: CountedRun): void {
    const sums = this.#sums.get(program);
    if (sums === undefined) this.#sums.set(program, counts);
    else {
      for (const [index, one] of counts.entries()) {
        const sum = sums[index]!;
        for (let i = 0; i < one.length; i++) sum[i] = sum[i]! + one[i]!;
      }
    }
  }

  get runs(): CountedRun[] {
    return [...this.#sums].map(([program, counts]) => ({ program, counts }));
  }
}
