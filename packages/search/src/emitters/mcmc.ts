// Chains of programs, each of which moves on to a candidate that is better, or not much worse.
import {
  type Check,
  isNumber,
  isObject,
  isOneOf,
  isRecord,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import { exp2, log2 } from "@mm-ptx/types/internal/floats";
import { type Candidates, NO_OPERATOR, NO_PARENT } from "../candidates.js";
import { Draws } from "../draws.js";
import { readOptions } from "../options.js";
import { joinParts, numberOf, partOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome } from "../spaces/space.js";
import { Chains } from "./chains.js";
import type { CreditOptions } from "./credit.js";
import type { Emission, Feedback } from "./emitter.js";
import type { VaryingEmitter } from "./evolve.js";
import { isOperatorUse, type OperatorRates, Operators, type OperatorUse } from "./operators.js";

/** A temperature that decreases geometrically. */
export interface Cooling {
  readonly from: number;
  readonly to: number;
  /** The number of candidates of a chain after which the temperature is `to`. */
  readonly candidates: number;
}

/** The options of `mcmc`. */
export interface McmcOptions {
  /**
   * In units of the objective: a candidate that is worse by this much is accepted with probability 1/e.
   */
  readonly temperature: number | Cooling;
  /** The number of chains; 32 by default. */
  readonly chains?: number;
  /** Where chains start: at elites (as long as the archive is empty, at random genomes), or always at random genomes. The default is `elites`. */
  readonly start?: "elites" | "samples";
  /** A chain restarts after this many candidates without a new best one. By default it never does. */
  readonly patience?: number;
  /** How often to use each operator of the space; `equal` by default. */
  readonly operators?: OperatorUse;
  /** How to learn how often to use each operator, starting with the weights of `operators` if there are any. */
  readonly learn?: CreditOptions;
}

const CHAINS = 32;
const MOST_CHAINS = 65_536;
const isTemperatureNumber = isNumber(1e-30, 1e30);
const isCooling = isRecord({
  from: isTemperatureNumber,
  to: isTemperatureNumber,
  candidates: isWhole(1, Number.MAX_SAFE_INTEGER),
});

const isTemperature: Check = (value, name) => {
  if (typeof value === "number") return isTemperatureNumber(value, name);
  return isObject(value, name) === undefined
    ? isCooling(value, name)
    : unexpected(name, "a number or an object with `from`, `to` and `candidates`", value);
};

/**
 * Makes candidates by varying the programs of chains (as STOKE does: Schkufza, Sharma, Aiken, "Stochastic Superoptimization", ASPLOS 2013).
 * A chain moves on to a candidate that is at least as good as its program, and with probability exp(-difference / temperature) to one that
 * is worse. If a batch has several candidates of a chain, all of them are made from the same program. Candidates that the search skips
 * because they were made before never move a chain.
 *
 * @throws SearchError INVALID_ARGUMENT for wrong options; `emit` throws NOT_FOUND for an operator that the space does not have
 */
export function mcmc(options: McmcOptions): VaryingEmitter {
  const read = readOptions<McmcOptions>(
    options,
    {
      temperature: isTemperature,
      chains: isWhole(1, MOST_CHAINS),
      start: isOneOf(["elites", "samples"]),
      patience: isWhole(1, Number.MAX_SAFE_INTEGER),
      operators: isOperatorUse,
      learn: isObject,
    },
    { of: "mcmc", required: ["temperature"] },
  );
  return new Mcmc(read, new Operators(read.operators ?? "equal", read.learn));
}

class Mcmc implements VaryingEmitter {
  readonly kind = "mcmc";
  readonly description: Plain;
  readonly #operators: Operators;
  readonly #fromElites: boolean;
  readonly #patience: number;
  /** Base-2 logarithms of the first and the last temperature, and the candidates in between. */
  readonly #cooling: Cooling;
  readonly #chains: Chains;
  readonly #draws = new Draws();
  readonly #parent: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  readonly #other: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  /** The chain of the next candidate. */
  #next = 0;
  /** What random numbers of acceptance begin with; -1 before the first batch. */
  #seed = -1;

  constructor(options: McmcOptions, operators: Operators) {
    const { temperature, chains = CHAINS, start = "elites", patience } = options;
    this.#operators = operators;
    this.#fromElites = start === "elites";
    this.#patience = patience ?? Number.POSITIVE_INFINITY;
    const cooling =
      typeof temperature === "number" ? { from: temperature, to: temperature, candidates: 1 } : temperature;
    this.#cooling = { ...cooling, from: log2(cooling.from), to: log2(cooling.to) };
    this.#chains = new Chains(chains);
    this.description = {
      ...{ kind: this.kind, temperature: { ...cooling }, chains, start, patience: patience ?? null },
      ...operators.description,
    };
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const { space, archive, batchDraws } = emission;
    const credit = this.#operators.creditOf(space);
    const chains = this.#chains;
    if (this.#seed < 0) this.#seed = batchDraws.word();
    chains.reserve(space.mostWords);
    for (let made = 0; made < count; made++) {
      const draws = emission.next();
      const chain = this.#next;
      this.#next = (chain + 1) % chains.count;
      if (!chains.isStarted(chain) && this.#fromElites && archive.count > 0) {
        const elite = draws.below(archive.count);
        archive.genome(elite, this.#parent);
        chains.start(chain, this.#parent, archive.objective(elite), archive.serial(elite));
      }
      if (!chains.isStarted(chain)) {
        space.sample(draws, out.genomes);
        out.describe(NO_OPERATOR, NO_PARENT, NO_PARENT, chain);
        continue;
      }
      const operator = credit.pick(draws);
      credit.tried(operator);
      chains.genome(chain, this.#parent);
      let second = NO_PARENT;
      if (space.operators[operator]!.parents === 2) {
        const drawn = draws.below(chains.count);
        const other = chains.isStarted(drawn) ? drawn : chain;
        chains.genome(other, this.#other);
        second = chains.serials[other]!;
      }
      space.vary(operator, this.#parent, this.#other, draws, out.genomes);
      out.describe(operator, chains.serials[chain]!, second, chain);
    }
  }

  tell(feedback: Feedback): void {
    const { candidates, scores, first, end, serial } = feedback;
    const { genomes, tags } = candidates;
    const { offsets } = genomes;
    const chains = this.#chains;
    const genome = this.#parent;
    for (let index = first; index < end; index++) {
      const chain = tags[index]!;
      const step = chains.steps[chain]!++;
      if (scores.status[index] === 0 && this.#accepts(chain, step, scores.objective[index]!)) {
        genome.words = genomes.room;
        genome.start = offsets[index]!;
        genome.end = offsets[index + 1]!;
        chains.move(chain, genome, scores.objective[index]!, serial + index);
      }
      if (chains.idle(chain) >= this.#patience) chains.stop(chain);
    }
    this.#operators.creditOf(feedback.space).tell(feedback);
  }

  history(): OperatorRates | undefined {
    return this.#operators.history();
  }

  state(): PartState {
    const values = { next: this.#next, seed: this.#seed };
    return joinParts({
      ...{ mcmc: { values, arrays: {} }, chains: this.#chains.state() },
      operators: this.#operators.state(),
    });
  }

  restore(state: PartState): void {
    const [own, chains] = ["mcmc", "chains"].map((part) => partOf(state, part) ?? { values: {}, arrays: {} });
    const [next, seed] = [numberOf(own!, "next"), numberOf(own!, "seed")];
    this.#chains.restore(chains!);
    this.#operators.restore(partOf(state, "operators"));
    this.#next = next;
    this.#seed = seed;
  }

  /** Whether a chain moves on to a candidate. */
  #accepts(chain: number, step: number, objective: number): boolean {
    const chains = this.#chains;
    if (!chains.isStarted(chain)) return true;
    const difference = objective - chains.objectives[chain]!;
    if (difference >= 0) return true;
    const { from, to, candidates } = this.#cooling;
    const temperature = exp2(from + (to - from) * Math.min(1, step / candidates));
    this.#draws.start(this.#seed, step >>> 0, chain);
    return this.#draws.fraction() < exp2((difference / temperature) * Math.LOG2E);
  }
}
