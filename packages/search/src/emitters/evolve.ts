// Makes candidates by varying elites.
import { type Check, isNumber, isObject, nearestOf, unexpected, unknownName } from "@mm-ptx/types/internal";
import { type Candidates, NO_OPERATOR, NO_PARENT } from "../candidates.js";
import type { Draws } from "../draws.js";
import { SearchError } from "../error.js";
import { readOptions } from "../options.js";
import { joinParts, partOf } from "../parts.js";
import type { PartState, Plain } from "../plain.js";
import type { Genome, Space } from "../spaces/space.js";
import { Credit, type CreditOptions, creditOptions } from "./credit.js";
import type { Emission, Emitter, Feedback } from "./emitter.js";
import type { RatesOverTime } from "./rate-history.js";
import type { Selection } from "./select/selection.js";
import { uniform } from "./select/uniform.js";

export interface EvolveOptions {
  /** Chooses the parents; default `uniform()`. */
  readonly select?: Selection;
  /**
   * How often to use the operators of the space: `learned`, the default, from what improves the archive; or weights by names, where
   * operators that are not named are not used.
   */
  readonly operators?: "learned" | Readonly<Record<string, number>>;
  /** How to learn. With weights for `operators`, learning begins with these. */
  readonly learn?: CreditOptions;
  /** The part of candidates that are random genomes instead; default 0.01. */
  readonly fresh?: number;
}

/** How often an emitter used the operators of its space. */
export interface OperatorRates extends RatesOverTime {
  readonly operators: readonly string[];
}

/** An emitter that varies elites. */
export interface EvolveEmitter extends Emitter {
  /** How often it used each operator in the course of the search; undefined before it has made candidates. */
  history(): OperatorRates | undefined;
}

const FRESH = 0.01;

const isSelection: Check = (value, name) =>
  typeof (value as Partial<Selection> | null)?.select === "function"
    ? undefined
    : unexpected(name, "a selection such as `uniform()`", value);

const areOperators: Check = (value, name) => {
  if (value === "learned") return undefined;
  if (isObject(value, name) !== undefined)
    return unexpected(
      name,
      "`learned` or weights by the names of operators",
      value,
      nearestOf(value, ["learned"]),
    );
  for (const [operator, weight] of Object.entries(value as object)) {
    const wrong = isNumber(0, Number.MAX_VALUE)(weight, `${name}.${operator}`);
    if (wrong !== undefined) return wrong;
  }
  return Object.values(value as object).some((weight) => weight > 0)
    ? undefined
    : `option \`${name}\`: expected a weight above 0, found none`;
};

/**
 * Makes candidates by varying elites: a selection chooses a parent or two, and an operator of the space makes a genome of them. Without
 * elites, and now and then with them, it samples the space.
 *
 * @throws SearchError INVALID_ARGUMENT for wrong options; `emit` throws NOT_FOUND for an operator that the space does not have
 */
export function evolve(options: EvolveOptions = {}): EvolveEmitter {
  const { select, operators, learn, fresh } = readOptions<EvolveOptions>(
    options,
    { select: isSelection, operators: areOperators, learn: isObject, fresh: isNumber(0, 1) },
    { of: "evolve" },
  );
  const weights = operators === "learned" ? undefined : operators;
  const learning = learn !== undefined || weights === undefined ? creditOptions(learn ?? {}) : undefined;
  return new Evolve(select ?? uniform(), weights, learning, fresh ?? FRESH);
}

class Evolve implements EvolveEmitter {
  readonly kind = "evolve";
  readonly description: Plain;
  readonly #select: Selection;
  readonly #weights: Readonly<Record<string, number>> | undefined;
  readonly #learning: Required<CreditOptions> | undefined;
  readonly #fresh: number;
  readonly #parent: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  readonly #other: Genome = { words: new Uint32Array(), start: 0, end: 0 };
  #space: Space | undefined;
  #credit: Credit | undefined;
  /** The state of the credit until the space is known. */
  #stored: PartState | undefined;

  constructor(
    select: Selection,
    weights: Readonly<Record<string, number>> | undefined,
    learning: Required<CreditOptions> | undefined,
    fresh: number,
  ) {
    this.#select = select;
    this.#weights = weights === undefined ? undefined : { ...weights };
    this.#learning = learning;
    this.#fresh = fresh;
    this.description = {
      kind: this.kind,
      select: select.description,
      operators: this.#weights ?? "learned",
      learn: learning === undefined ? null : { ...learning },
      fresh,
    };
  }

  emit(count: number, emission: Emission, out: Candidates): void {
    const { space, archive } = emission;
    const credit = this.#creditOf(space);
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
    const { candidates, additions, first, end } = feedback;
    const credit = this.#credit;
    if (credit !== undefined) {
      for (let index = first; index < end; index++) {
        const operator = candidates.operators[index]!;
        if (operator !== NO_OPERATOR) credit.reward(operator, additions, index);
      }
      credit.update();
    }
    this.#select.tell?.(feedback);
  }

  history(): OperatorRates | undefined {
    if (this.#credit === undefined || this.#space === undefined) return undefined;
    return { operators: this.#space.operators.map(({ name }) => name), ...this.#credit.history() };
  }

  state(): PartState {
    return joinParts({ credit: this.#credit?.state() ?? this.#stored, select: this.#select.state?.() });
  }

  restore(state: PartState): void {
    this.#stored = partOf(state, "credit");
    if (this.#credit !== undefined && this.#stored !== undefined) this.#credit.restore(this.#stored);
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

  #creditOf(space: Space): Credit {
    if (this.#credit !== undefined && space === this.#space) return this.#credit;
    const names = space.operators.map(({ name }) => name);
    const weights = this.#weights;
    if (weights !== undefined) {
      const unknown = unknownName(Object.keys(weights), names, {
        noun: "operator",
        of: `${space.kind} spaces`,
      });
      if (unknown !== undefined) throw new SearchError("NOT_FOUND", unknown);
    }
    const credit = new Credit(
      names.map((name) => (weights === undefined ? 1 : (weights[name] ?? 0))),
      this.#learning,
    );
    if (this.#stored !== undefined) credit.restore(this.#stored);
    this.#stored = undefined;
    this.#space = space;
    this.#credit = credit;
    return credit;
  }
}
