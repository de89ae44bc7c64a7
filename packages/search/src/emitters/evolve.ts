// Makes candidates by varying elites.
import { type Check, isNumber, isObject, unexpected } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR, NO_PARENT } from "../candidates.js";
import type { Draws } from "../draws.js";
import { readOptions } from "../options.js";
import { joinParts, partOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome } from "../spaces/space.js";
import type { Credit, CreditOptions } from "./credit.js";
import type { Emission, Emitter, Feedback } from "./emitter.js";
import { isOperatorUse, type OperatorRates, Operators, type OperatorUse } from "./operators.js";
import type { Selection } from "./select/selection.js";
import { uniform } from "./select/uniform.js";

/** The options of `evolve`. */
export interface EvolveOptions {
  /** Chooses the parents; `uniform()` by default. */
  readonly select?: Selection;
  /** How often to use each operator of the space; `learned` by default. */
  readonly operators?: OperatorUse;
  /** How to learn how often to use each operator, starting with the weights of `operators` if there are any. */
  readonly learn?: CreditOptions;
  /** The share of candidates that are random genomes instead; 0.01 by default. */
  readonly fresh?: number;
}

/** An emitter that uses the operators of its space. */
export interface VaryingEmitter extends Emitter {
  /** How often it used each operator in the course of the search; undefined before it has made candidates. */
  history(): OperatorRates | undefined;
}

const FRESH = 0.01;

const isSelection: Check = (value, name) =>
  typeof (value as Partial<Selection> | null)?.select === "function"
    ? undefined
    : unexpected(name, "a selection such as `uniform()`", value);

/**
 * Makes candidates by varying elites: a selection chooses one or two parents, and an operator of the space makes a genome from them. As long
 * as there are no elites, and occasionally later, candidates are random genomes.
 *
 * @throws SearchError INVALID_ARGUMENT for wrong options; `emit` throws NOT_FOUND for an operator that the space does not have
 */
export function evolve(options: EvolveOptions = {}): VaryingEmitter {
  const { select, operators, learn, fresh } = readOptions<EvolveOptions>(
    options,
    { select: isSelection, operators: isOperatorUse, learn: isObject, fresh: isNumber(0, 1) },
    { of: "evolve" },
  );
  return new Evolve(select ?? uniform(), new Operators(operators ?? "learned", learn), fresh ?? FRESH);
}

class Evolve implements VaryingEmitter {
  readonly kind = "evolve";
  readonly description: Plain;
  readonly #select: Selection;
  readonly #operators: Operators;
  readonly #fresh: number;
  readonly #parent: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  readonly #other: Genome = { words: new Uint32Array(), start: 0, end: 0 };

  constructor(select: Selection, operators: Operators, fresh: number) {
    this.#select = select;
    this.#operators = operators;
    this.#fresh = fresh;
    this.description = { kind: this.kind, select: select.description, ...operators.description, fresh };
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const { space, archive } = emission;
    const credit = this.#operators.creditOf(space);
    const elites = archive.count;
    if (elites > 0) this.#select.begin?.(count, emission);
    for (let made = 0; made < count; made++) {
      const draws = emission.next();
      if (elites === 0 || draws.fraction() < this.#fresh) {
        space.sample(draws, out.genomes);
        out.describe(NO_OPERATOR);
      } else {
        this.#vary(emission, credit, draws, out);
      }
    }
  }

  tell(feedback: Feedback): void {
    this.#operators.creditOf(feedback.space).tell(feedback);
    this.#select.tell?.(feedback);
  }

  history(): OperatorRates | undefined {
    return this.#operators.history();
  }

  state(): PartState {
    return joinParts({ operators: this.#operators.state(), select: this.#select.state?.() });
  }

  restore(state: PartState): void {
    this.#operators.restore(partOf(state, "operators"));
    const selected = partOf(state, "select");
    if (selected !== undefined) this.#select.restore?.(selected);
  }

  #vary(emission: Emission, credit: Credit, draws: Draws, out: Candidates): void {
    const { space, archive } = emission;
    const operator = credit.pick(draws);
    credit.tried(operator);
    const first = this.#select.select(archive, draws);
    archive.genome(first, this.#parent);
    let parent = NO_PARENT;
    if (space.operators[operator]!.parents === 2) {
      const second = this.#select.select(archive, draws);
      archive.genome(second, this.#other);
      parent = archive.serial(second);
    }
    space.vary(operator, this.#parent, this.#other, draws, out.genomes);
    out.describe(operator, archive.serial(first), parent);
  }
}
