// Units of measurement: the dimensions of inputs and results as exponents of base units.
import { type Check, isNumber, isOneOf, unexpected } from "@mm-ptx/types/internal";

/** The exponents of base units, which may have any names: `{ m: 1, s: -2 }`. Without any, a number without a unit. */
export type Dimension = Readonly<Record<string, number>>;

/** The units of a program's inputs and of its result: sums of metres and seconds, or sines of a length, are refused. */
export interface Units {
  /** The dimension of each input by name; inputs that are left out have no unit. */
  readonly inputs: Readonly<Record<string, Dimension>>;
  /** The dimension of the result; by default it may be any. */
  readonly result?: Dimension;
  /** Whether constants have whatever unit makes the program correct, which is the default, or none. */
  readonly constants?: "any" | "none";
}

const isExponent = isNumber(-1000, 1000);

export const isDimension: Check = (value, name) => {
  if (Object.prototype.toString.call(value) !== "[object Object]")
    return unexpected(name, "exponents by unit as an object", value);
  for (const [unit, exponent] of Object.entries(value as object)) {
    const problem = isExponent(exponent, `${name}.${unit}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

export const isConstantUnit: Check = isOneOf(["any", "none"]);
