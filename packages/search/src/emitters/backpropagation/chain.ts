// Chains of operators around an unknown part: undone one after the other, they say what the part would have to be.
import type { Draws } from "../../draws.js";
import type { AstSpace } from "../../spaces/ast.js";
import type { Library } from "./library.js";
import { INVERSES } from "./operations.js";
import { powerOf } from "./structure.js";
import { constantWords, joined, type Leaf, type Writer } from "./writing.js";

const LARGEST = 1e12;
/** The powers of leaves are at most this, and most of them 0. */
const MOST_POWER = 3;
const NO_POWER = 0.5;

/** How chains are drawn. */
export interface ChainKind {
  readonly mostSteps: number;
  /** How often a step has an operator with one operand. */
  readonly unary: number;
  /** How often a step multiplies by powers of leaves. */
  readonly powers: number;
  /** The largest formulas that are operands. */
  readonly mostSize: number;
}

/** An operator of which the part is one operand. */
interface Step {
  readonly inverse: (result: number, now: number, other: number) => number;
  readonly root: Uint32Array;
  /** 0 if the part is the first operand. */
  readonly side: 0 | 1;
}

/** Draws chains. */
export class Chain {
  readonly #library: Library;
  readonly #leaves: readonly Leaf[];
  readonly #writer: Writer;
  readonly #unary: Step[] = [];
  readonly #binary: Step[] = [];
  /** The quotient of 1 and the part, if it can be written. */
  readonly #inverse: Step | undefined;
  /** The product of the part and something, if it can be written. */
  #product: Step | undefined;
  readonly #one: Float64Array;
  readonly #steps: Step[] = [];
  /** The other operand of each step, if there is one. */
  readonly #operands: (Uint32Array | undefined)[] = [];

  constructor(
    { symbols }: AstSpace,
    writer: Writer,
    leaves: readonly Leaf[],
    library: Library,
    rows: number,
  ) {
    this.#library = library;
    this.#leaves = leaves;
    this.#writer = writer;
    this.#one = new Float64Array(rows).fill(1);
    for (const number of symbols.allowed) {
      const inverses = INVERSES[symbols.name(number)];
      const root = Uint32Array.of(symbols.heads[number]!, symbols.payloads[number]!);
      inverses?.forEach((inverse, side) => {
        // The other operand of a sum or product comes to the same.
        if (side === 1 && symbols.commuting[number] === 2) return;
        const steps = inverses.length === 1 ? this.#unary : this.#binary;
        steps.push({ inverse, root, side: side as 0 | 1 });
      });
    }
    const times = symbols.byName.get("*");
    if (times !== undefined) {
      const root = Uint32Array.of(symbols.heads[times]!, symbols.payloads[times]!);
      this.#product = { inverse: (result, _, other) => result / other, root, side: 0 };
    }
    const division = symbols.byName.get("/");
    if (division !== undefined && symbols.isAllowed[symbols.constant] === 1) {
      const root = Uint32Array.of(symbols.heads[division]!, symbols.payloads[division]!);
      this.#inverse = { inverse: (result) => 1 / result, root, side: 1 };
      this.#unary.push(this.#inverse);
    }
  }

  /** Draws a chain, and undoes it on values. Returns false if it can't be undone. */
  draw(draws: Draws, { mostSteps, unary, powers, mostSize }: ChainKind, values: Float64Array): boolean {
    this.#steps.length = 0;
    this.#operands.length = 0;
    for (let left = draws.below(mostSteps + 1); left > 0; left--) {
      if (this.#product !== undefined && draws.fraction() < powers) {
        const operand = this.#powers(draws);
        if (operand === undefined || !this.#undo(this.#product, operand, values)) return false;
        continue;
      }
      const isUnary = this.#binary.length === 0 || (this.#unary.length > 0 && draws.fraction() < unary);
      const choices = isUnary ? this.#unary : this.#binary;
      if (choices.length === 0) return false;
      const step = choices[draws.below(choices.length)]!;
      const entry = isUnary ? -1 : this.#draw(draws, mostSize);
      const operand =
        entry < 0
          ? { words: step === this.#inverse ? constantWords(1) : undefined, values: this.#one }
          : { words: this.#library.words(entry), values: this.#library.values(entry) };
      if (!this.#undo(step, operand, values)) return false;
    }
    return true;
  }

  /** The chain that was drawn last, around a part. */
  around(part: Uint32Array): Uint32Array {
    const before: Uint32Array[] = [];
    const after: Uint32Array[] = [];
    for (const [index, { root, side }] of this.#steps.entries()) {
      const operand = this.#operands[index];
      if (operand !== undefined && side === 1) before.push(operand);
      after.push(root);
      if (operand !== undefined && side === 0) after.push(operand);
    }
    return joined([...before, part, ...after.reverse()]);
  }

  /** Adds a step. Returns false if it can't be undone. */
  #undo(
    step: Step,
    { words, values: others }: { words: Uint32Array | undefined; values: Float64Array },
    values: Float64Array,
  ): boolean {
    for (let row = 0; row < values.length; row++) {
      const value = step.inverse(values[row]!, 0, others[row]!);
      if (!(Math.abs(value) < LARGEST)) return false;
      values[row] = value;
    }
    this.#steps.push(step);
    this.#operands.push(words);
    return true;
  }

  /** A product of whole powers of leaves; undefined if it is empty or cannot be written. */
  #powers(draws: Draws): Leaf | undefined {
    const powers = this.#leaves.map(() =>
      draws.fraction() < NO_POWER ? 0 : (draws.below(2) === 0 ? 1 : -1) * (1 + draws.below(MOST_POWER)),
    );
    const words = this.#writer.product(
      this.#leaves.map((leaf, index) => ({ words: leaf.words, power: powers[index]! })),
    );
    if (words === undefined) return undefined;
    const values = this.#one.slice();
    powers.forEach((power, index) => {
      const leaf = this.#leaves[index]!.values;
      if (power !== 0)
        for (let row = 0; row < values.length; row++) values[row]! *= powerOf(leaf[row]!, power);
    });
    return { words, values };
  }

  /** A formula, a smaller one more often. */
  #draw(draws: Draws, mostSize: number): number {
    const { bySize } = this.#library;
    for (;;) {
      const size = 1 + draws.below(1 + draws.below(Math.min(mostSize, bySize.length - 1)));
      const entries = bySize[size]!;
      if (entries.length > 0) return entries[draws.below(entries.length)]!;
    }
  }
}
