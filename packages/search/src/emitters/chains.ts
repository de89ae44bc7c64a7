// The programs of chains and what is known of them, in typed arrays.
import { badState, numbersOf } from "../parts.js";
import type { PartState } from "../plain.js";
import type { Genome } from "../spaces/space.js";

/** The present programs of a number of chains. */
export class Chains {
  readonly count: number;
  /** The objective and the serial number of each chain's program. */
  readonly objectives: Float64Array;
  readonly serials: Float64Array;
  /** For each chain: how many of its candidates were told. */
  readonly steps: Float64Array;
  /** `steps` when the last candidate was better than all since the chain started, and how good that was. */
  readonly #improved: Float64Array;
  readonly #best: Float64Array;
  /** The lengths of the programs; 0 for a chain that has not started. */
  readonly #lengths: Uint32Array;
  /** `#words[chain * #room]` is the first word of a program. */
  #words = new Uint32Array();
  #room = 0;

  constructor(count: number) {
    this.count = count;
    this.objectives = new Float64Array(count);
    this.serials = new Float64Array(count);
    this.steps = new Float64Array(count);
    this.#improved = new Float64Array(count);
    this.#best = new Float64Array(count);
    this.#lengths = new Uint32Array(count);
  }

  /** Makes room for programs of up to this many words. */
  reserve(words: number): void {
    if (words <= this.#room) return;
    const grown = new Uint32Array(this.count * words);
    for (let chain = 0; chain < this.count; chain++) {
      const start = chain * this.#room;
      grown.set(this.#words.subarray(start, start + this.#lengths[chain]!), chain * words);
    }
    this.#words = grown;
    this.#room = words;
  }

  isStarted(chain: number): boolean {
    return this.#lengths[chain] !== 0;
  }

  /** Makes `into` a view of a chain's program, which is valid until the chain moves. */
  genome(chain: number, into: Genome): void {
    into.words = this.#words;
    into.start = chain * this.#room;
    into.end = into.start + this.#lengths[chain]!;
  }

  /** Starts a chain at a program. */
  start(chain: number, genome: Genome, objective: number, serial: number): void {
    this.stop(chain);
    this.move(chain, genome, objective, serial);
  }

  /** Makes a program that of a chain, which starts with it if it has none. */
  move(chain: number, { words, start, end }: Genome, objective: number, serial: number): void {
    if (!this.isStarted(chain) || objective > this.#best[chain]!) {
      this.#best[chain] = objective;
      this.#improved[chain] = this.steps[chain]!;
    }
    let to = chain * this.#room;
    for (let index = start; index < end; index++) this.#words[to++] = words[index]!;
    this.#lengths[chain] = end - start;
    this.objectives[chain] = objective;
    this.serials[chain] = serial;
  }

  /** How many candidates since then were no better. */
  idle(chain: number): number {
    return this.steps[chain]! - this.#improved[chain]!;
  }

  stop(chain: number): void {
    this.#lengths[chain] = 0;
  }

  state(): PartState {
    const { objectives, serials, steps } = this;
    return {
      values: {},
      arrays: {
        ...{ objectives: objectives.slice(), serials: serials.slice(), best: this.#best.slice() },
        ...{ steps: steps.slice(), improved: this.#improved.slice() },
        ...{ lengths: this.#lengths.slice(), words: this.#words.slice() },
      },
    };
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const { count } = this;
    const { lengths, words } = state.arrays;
    if (!(lengths instanceof Uint32Array) || lengths.length !== count) throw badState(`${count} chains`);
    if (!(words instanceof Uint32Array) || words.length % count !== 0) throw badState("programs of chains");
    const room = words.length / count;
    if (lengths.some((length) => length > room)) throw badState(`programs of up to ${room} words`);
    const names = ["objectives", "serials", "best", "steps", "improved"];
    const [objectives, serials, best, steps, improved] = names.map((name) => numbersOf(state, name, count));
    this.objectives.set(objectives!);
    this.serials.set(serials!);
    this.steps.set(steps!);
    this.#improved.set(improved!);
    this.#best.set(best!);
    this.#lengths.set(lengths);
    this.#words = words.slice();
    this.#room = room;
  }
}
