// The search for a target by chains and small formulas, and that for the part of a target which is left without powers of inputs.
import type { AstSpace } from "../../spaces/ast.js";
import { Chain } from "./chain.js";
import { Library } from "./library.js";
import { Lookup } from "./lookup.js";
import { Quadratics } from "./quadratics.js";
import { type Group, powerOf, structuresOf } from "./structure.js";
import type { Leaf, Power, Writer } from "./writing.js";

/** The data of a problem, in the rows that are used. */
export interface ProblemData {
  readonly columns: readonly Float64Array[];
  readonly target: Float64Array;
  readonly isScaled: boolean;
}

/** What formulas consist of, and what they are to compute. */
export class Problem {
  readonly target: Float64Array;
  readonly lookup: Lookup;
  readonly chain: Chain;
  readonly quadratics: Quadratics;
  /** What formulas of the target are multiplied by. */
  readonly #factors: readonly Power[];

  /**
   * @param leaves what small formulas consist of
   * @param size how many small formulas are known at most
   */
  constructor(
    space: AstSpace,
    { columns, target, isScaled }: ProblemData,
    leaves: readonly Leaf[],
    factors: readonly Power[],
    size: number,
  ) {
    const rows = target.length;
    const library = new Library(space, leaves, rows, size);
    this.target = target;
    this.lookup = new Lookup(space, library, columns, rows, isScaled);
    this.chain = new Chain(space, this.lookup.writer, leaves, library, rows);
    this.quadratics = new Quadratics(this.lookup.writer, leaves, library, rows);
    this.#factors = factors;
  }

  /** A formula of the target, with the factors; undefined if it can't be written. */
  withFactors(words: Uint32Array): Uint32Array | undefined {
    const factors = this.#factors;
    return factors.length === 0 ? words : this.lookup.writer.product([{ words, power: 1 }, ...factors]);
  }
}

/** The leaves of formulas of all inputs. */
export const inputLeaves = ({ symbols }: AstSpace, columns: readonly Float64Array[]): Leaf[] =>
  columns.map((values, input) => ({
    words: Uint32Array.of(
      symbols.heads[symbols.firstInput + input]!,
      symbols.payloads[symbols.firstInput + input]!,
    ),
    values,
  }));

/**
 * What is left of a problem without factors, of fewer leaves: one problem for each guess of its structure.
 * @param all the data in all rows, from which the structure is read
 */
export function reducedProblems(
  space: AstSpace,
  writer: Writer,
  all: { readonly columns: readonly Float64Array[]; readonly target: Float64Array },
  data: ProblemData,
  size: number,
): Problem[] {
  const { columns, isScaled } = data;
  const inputs = inputLeaves(space, columns);
  return structuresOf(all.columns, all.target).flatMap(({ powers, groups }) => {
    const factors = powers.flatMap((power, input) =>
      power === 0 ? [] : [{ words: inputs[input]!.words, power }],
    );
    const target = data.target.slice();
    powers.forEach((power, input) => {
      const column = columns[input]!;
      for (let row = 0; row < target.length; row++) target[row]! /= powerOf(column[row]!, power);
    });
    const leaves = groups.flatMap((group) => leafOf(group, inputs, writer) ?? []);
    if (leaves.length < groups.length || !target.every(Number.isFinite)) return [];
    return [new Problem(space, { columns, target, isScaled }, leaves, factors, size)];
  });
}

/** The formula of a group; undefined if it can't be written. */
function leafOf({ kind, members }: Group, inputs: readonly Leaf[], writer: Writer): Leaf | undefined {
  const [first] = members;
  if (members.length === 1) return inputs[first!.input]!;
  const { length: rows } = inputs[0]!.values;
  const values = new Float64Array(rows).fill(kind === "product" ? 1 : 0);
  if (kind === "product") {
    const whole = wholePowers(members.map(({ factor }) => factor));
    members.forEach(({ input }, index) => {
      const column = inputs[input]!.values;
      for (let row = 0; row < rows; row++) values[row]! *= powerOf(column[row]!, whole[index]!);
    });
    const words = writer.product(
      members.map(({ input }, index) => ({ words: inputs[input]!.words, power: whole[index]! })),
    );
    return words && { words, values };
  }
  let words: Uint32Array | undefined = inputs[first!.input]!.words;
  members.forEach(({ input, factor }, index) => {
    const leaf = inputs[input]!;
    for (let row = 0; row < rows; row++) values[row]! += factor * leaf.values[row]!;
    if (index > 0) words = writer.apply(factor > 0 ? "+" : "-", words, leaf.words);
  });
  return words && { words, values };
}

/** Powers in the same ratio that are whole, if the least common denominator is small. */
function wholePowers(powers: readonly number[]): number[] {
  const factor = [1, 2, 3, 6].find((each) => powers.every((power) => isWhole(each * power))) ?? 1;
  return powers.map((power) => Math.round(2 * factor * power) / 2);
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9;
