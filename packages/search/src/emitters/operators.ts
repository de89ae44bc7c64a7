// How often emitters use the operators of a space: learned, equally, or by weights.
import { type Check, isNumber, isObject, nearestOf, unexpected, unknownName } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import type { PartState, Plain } from "../plain.js";
import type { Space } from "../spaces/space.js";
import { Credit, type CreditOptions, creditOptions } from "./credit.js";
import type { RatesOverTime } from "./rate-history.js";

/** `learned` from what improves the archive, all `equal`, or weights by names, where operators that are not named are not used. */
export type OperatorUse = "learned" | "equal" | Readonly<Record<string, number>>;

/** How often an emitter used the operators of its space. */
export interface OperatorRates extends RatesOverTime {
  readonly operators: readonly string[];
}

const WORDS = ["learned", "equal"];

export const isOperatorUse: Check = (value, name) => {
  if (typeof value === "string" && WORDS.includes(value)) return undefined;
  if (isObject(value, name) !== undefined) {
    const expected = "`learned`, `equal` or weights by the names of operators";
    return unexpected(name, expected, value, nearestOf(value, WORDS));
  }
  for (const [operator, weight] of Object.entries(value as object)) {
    const wrong = isNumber(0, Number.MAX_VALUE)(weight, `${name}.${operator}`);
    if (wrong !== undefined) return wrong;
  }
  return Object.values(value as object).some((weight) => weight > 0)
    ? undefined
    : `option \`${name}\`: expected a weight above 0, found none`;
};

/** The use of operators by one emitter. The operators are known once there is a space. */
export class Operators {
  readonly description: { readonly operators: Plain; readonly learn: Plain };
  readonly #weights: Readonly<Record<string, number>> | undefined;
  readonly #learning: Required<CreditOptions> | undefined;
  #space: Space | undefined;
  #credit: Credit | undefined;
  /** The state of the credit until the space is known. */
  #stored: PartState | undefined;

  /**
   * @param use checked by `isOperatorUse`
   * @param learn how to learn; with weights, learning begins with these
   * @throws SearchError INVALID_ARGUMENT for wrong options of learning
   */
  constructor(use: OperatorUse, learn: CreditOptions | undefined) {
    this.#weights = typeof use === "string" ? undefined : { ...use };
    this.#learning = learn !== undefined || use === "learned" ? creditOptions(learn ?? {}) : undefined;
    const learning = this.#learning === undefined ? null : { ...this.#learning };
    this.description = { operators: this.#weights ?? use, learn: learning };
  }

  /** @throws SearchError NOT_FOUND for an operator that the space does not have; FILE_FORMAT for a state of another space */
  creditOf(space: Space): Credit {
    if (this.#credit !== undefined && space === this.#space) return this.#credit;
    const names = space.operators.map(({ name }) => name);
    const weights = this.#weights;
    if (weights !== undefined) {
      const words = { noun: "operator", of: `${space.kind} spaces` };
      const unknown = unknownName(Object.keys(weights), names, words);
      if (unknown !== undefined) throw new SearchError("NOT_FOUND", unknown);
    }
    const all = names.map((name) => (weights === undefined ? 1 : (weights[name] ?? 0)));
    const credit = new Credit(all, this.#learning);
    if (this.#stored !== undefined) credit.restore(this.#stored);
    this.#stored = undefined;
    this.#space = space;
    this.#credit = credit;
    return credit;
  }

  history(): OperatorRates | undefined {
    if (this.#credit === undefined || this.#space === undefined) return undefined;
    return { operators: this.#space.operators.map(({ name }) => name), ...this.#credit.history() };
  }

  state(): PartState | undefined {
    return this.#credit?.state() ?? this.#stored;
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState | undefined): void {
    this.#stored = state;
    if (this.#credit === undefined || state === undefined) return;
    this.#credit.restore(state);
    this.#stored = undefined;
  }
}
