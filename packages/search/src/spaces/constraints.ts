// What programs have to satisfy besides their length: costs, depth, nesting, sizes of operands, numbers of uses.
import { type Check, isList, isListOf, isNumber, isRecord, isWhole } from "@mm-ptx/types/internal";
import { isConstantUnit, isDimension, type Units } from "./units.js";

/** Operators that must not be nested too deeply. */
export interface NestingLimit {
  /** The operators whose operands are limited. */
  readonly outer: readonly string[];
  /** The operators that are limited within these operands. */
  readonly inner: readonly string[];
  /**
   * How many operators of `inner` may be on each path down from such an operand; 0 by default. For example,
   * `{ outer: ["sin"], inner: ["sin", "cos"] }` forbids sines and cosines within a sine.
   */
  readonly most?: number;
}

/** Limits of programs. Operators have the names that programs are written with. */
export interface Constraints {
  /** The most operators on a path from the value of a program down to an input or a constant. */
  readonly maxDepth?: number;
  /** The greatest complexity: the sum of `costs`. */
  readonly maxComplexity?: number;
  /** The costs of operators and inputs by name, and of `constant`; 1 by default. */
  readonly costs?: Readonly<Record<string, number>>;
  readonly nesting?: readonly NestingLimit[];
  /** The most instructions in each operand of an operator, `Infinity` or `null` for any number: `{ pow: [null, 1] }`. */
  readonly operandSizes?: Readonly<Record<string, readonly (number | null)[]>>;
  /** The most uses of operators and inputs by name, and of `constant`, in one program. */
  readonly maxUses?: Readonly<Record<string, number>>;
  readonly units?: Units;
}

const names = isListOf("names", (value) => typeof value === "string" && value !== "");
const MOST = 0xffff;

/** The checks of `Constraints`; names are checked by the space that knows them. */
export const CONSTRAINT_CHECKS: Readonly<Record<keyof Constraints, Check>> = {
  maxDepth: isWhole(0, MOST),
  maxComplexity: isNumber(0, Number.MAX_VALUE),
  costs: isMap(isNumber(0, 1e6)),
  nesting: isList(isRecord({ outer: names, inner: names }, { most: isWhole(0, 30) })),
  operandSizes: isMap(
    isListOf("whole numbers above 0", (value) => value === null || (typeof value === "number" && value >= 1)),
  ),
  maxUses: isMap(isWhole(0, MOST)),
  units: isRecord({ inputs: isMap(isDimension) }, { result: isDimension, constants: isConstantUnit }),
};

function isMap(check: Check): Check {
  return (value, name) => {
    if (Object.prototype.toString.call(value) !== "[object Object]") return isRecord({})(value, name);
    for (const [key, each] of Object.entries(value as object)) {
      const problem = check(each, `${name}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}
