// Results that a pipeline remembers, so that equal programs are not run again. The least recently used ones are forgotten.
import type { ProgramOutcome } from "./result.js";

export interface Known {
  /** The run that the program was part of, and its index there. */
  readonly run: object;
  readonly index: number;
  readonly outcome: ProgramOutcome;
}

/** An outcome with outputs of its own, because whoever receives outputs may change them. */
export const copyOf = (outcome: ProgramOutcome): ProgramOutcome =>
  outcome.outputs === undefined
    ? outcome
    : { ...outcome, outputs: outcome.outputs.map((output) => output.slice()) };

const bytesOf = ({ outputs }: ProgramOutcome): number =>
  outputs === undefined ? 0 : outputs.reduce((sum, { byteLength }) => sum + byteLength, 0);

export class KnownResults {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #results = new Map<string, Known>();
  #bytes = 0;

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#results.size;
  }

  get(signature: string): Known | undefined {
    const known = this.#results.get(signature);
    if (known === undefined) return undefined;
    // A map iterates in the order of insertion, so the first entry is the least recently used one.
    this.#results.delete(signature);
    this.#results.set(signature, known);
    return known;
  }

  add(signature: string, known: Known): void {
    this.#results.set(signature, known);
    this.#bytes += bytesOf(known.outcome);
    if (this.#results.size <= this.#most && this.#bytes <= this.#mostBytes) return;
    for (const [oldest, { outcome }] of this.#results) {
      if (this.#results.size <= this.#most && this.#bytes <= this.#mostBytes) break;
      this.#results.delete(oldest);
      this.#bytes -= bytesOf(outcome);
    }
  }
}
