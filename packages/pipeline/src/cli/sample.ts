// A figure of the programs for the picture: all of them, or a random sample of many.
import type { PipelineResult } from "../results/result.js";

const MOST = 100_000;

/** Figures by name, the most interesting one first. */
const FIGURES = {
  score: ({ score }: PipelineResult) => score,
  microseconds: ({ microseconds }: PipelineResult) => microseconds,
  "code bytes": ({ codeBytes }: PipelineResult) => codeBytes,
  registers: ({ registers }: PipelineResult) => registers,
};

export class CostSample {
  #name: keyof typeof FIGURES | undefined;
  readonly #values: number[] = [];
  #seen = 0;
  #state = 1;

  add(result: PipelineResult): void {
    this.#name ??= (Object.keys(FIGURES) as (keyof typeof FIGURES)[]).find(
      (name) => typeof FIGURES[name](result) === "number",
    );
    const value = this.#name === undefined ? undefined : FIGURES[this.#name](result);
    if (typeof value !== "number") return;
    this.#seen++;
    if (this.#values.length < MOST) {
      this.#values.push(value);
      return;
    }
    // Each of the values so far is in the sample with the same probability. The numbers are those of Park and Miller.
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    const place = Math.floor((this.#state / 2_147_483_647) * this.#seen);
    if (place < MOST) this.#values[place] = value;
  }

  get costs(): { readonly name: string; readonly values: readonly number[] } | undefined {
    return this.#name === undefined ? undefined : { name: this.#name, values: this.#values };
  }
}
