// The search for a target by chains and small formulas, and that for the part of a target which is left without powers of inputs.
import type { AstSpace } from "../../spaces/ast.js";
import { Chain } from "./chain.js";
import { Library } from "./library.js";
import { Lookup } from "./lookup.js";
import { structureOf } from "./structure.js";
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
    this.chain = new Chain(space, library, rows);
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
 * What is left of a problem without factors, of fewer leaves; undefined if nothing is known about its structure.
 * @param all the data in all rows, from which the structure is read
 */
export function reducedProblem(
  space: AstSpace,
  writer: Writer,
  all: { readonly columns: readonly Float64Array[]; readonly target: Float64Array },
  data: ProblemData,
  size: number,
): Problem | undefined {
  const structure = structureOf(all.columns, all.target);
  if (structure === undefined) return undefined;
  const { columns, isScaled } = data;
  const inputs = inputLeaves(space, columns);
  const factors = structure.powers.flatMap((power, input) =>
    power === 0 ? [] : [{ words: inputs[input]!.words, power }],
  );
  const target = data.target.slice();
  structure.powers.forEach((power, input) => {
    const column = columns[input]!;
    for (let row = 0; row < target.length; row++) target[row]! /= powerOf(column[row]!, power);
  });
  const leaves = structure.groups.flatMap((group) => {
    const [{ input }] = group as [(typeof group)[0]];
    if (group.length === 1) return [inputs[input]!];
    const whole = wholePowers(group.map(({ power }) => power));
    const words = writer.product(
      group.map((each, index) => ({ words: inputs[each.input]!.words, power: whole[index]! })),
    );
    if (words === undefined) return group.map((each) => inputs[each.input]!);
    const values = Float64Array.from(target, (_, row) =>
      group.reduce((product, each, index) => product * powerOf(columns[each.input]![row]!, whole[index]!), 1),
    );
    return [{ words, values }];
  });
  if (leaves.length === 0 || !target.every(Number.isFinite)) return undefined;
  return new Problem(space, { columns, target, isScaled }, leaves, factors, size);
}

/** Powers in the same ratio that are whole, if the least common denominator is small. */
function wholePowers(powers: readonly number[]): number[] {
  const factor = [1, 2, 3, 6].find((each) => powers.every((power) => isWhole(each * power))) ?? 1;
  return powers.map((power) => Math.round(2 * factor * power) / 2);
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9;

/** A power that is a multiple of a half. */
function powerOf(base: number, power: number): number {
  let result = 1;
  for (let left = Math.floor(Math.abs(power)); left > 0; left--) result *= base;
  if (!Number.isInteger(power)) result *= Math.sqrt(base);
  return power < 0 ? 1 / result : result;
}
