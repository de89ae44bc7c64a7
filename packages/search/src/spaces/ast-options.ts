// The options of AST spaces.
import { type Check, describeValue, isAnything, isListOf, isOptions, isWhole } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import type { ConstantsOptions } from "./ast-constants.js";
import { CONSTRAINT_CHECKS, type Constraints } from "./constraints.js";
import type { FunctionDefinitions } from "./functions.js";

/** The options of `astSpace`. */
export interface AstSpaceOptions {
  /** The names of the inputs, in the order of the columns. Stubs have registers called `ast0`, `ast1` and so on themselves. */
  readonly inputs: readonly string[];
  /**
   * The operators that programs consist of, by name: `+`, `-`, `*`, `/`, instructions of the table (`sin`, or `sin.approx.ftz.f32` if the
   * table has several), and functions. By default all instructions that columns compute, and the functions of `functions`.
   */
  readonly operators?: readonly string[];
  /** Functions of your own. Those of `functions`, the export of this package, are known as well. */
  readonly functions?: FunctionDefinitions;
  /** The most instructions of a program, operators and operands together; 30 by default. */
  readonly maxLength?: number;
  /** The constants of programs, or `false` for none. */
  readonly constants?: ConstantsOptions | false;
  /** How often operators are drawn, by name, relative to the others; 1 by default. */
  readonly weights?: Readonly<Record<string, number>>;
  readonly constraints?: Constraints;
}

/** Starts like an identifier, and is the name of a register or of one of its elements. */
const INPUT_NAME = /^[A-Za-z_$][\w$]*(?:\.[xyzw])?$/;
/** What stubs call their own registers. */
const STUB_REGISTER = /^ast\d+$/;
/** More instructions are no formula that anybody reads. */
const LONGEST = 4096;

const isTexts =
  (fits: (value: unknown) => boolean, what: string): Check =>
  (value, name) => {
    if (Object.prototype.toString.call(value) !== "[object Object]")
      return `option \`${name}\`: expected an object, found ${describeValue(value)}`;
    for (const [key, each] of Object.entries(value as object)) {
      if (!fits(each)) return `option \`${name}.${key}\`: expected ${what}, found ${describeValue(each)}`;
    }
    return undefined;
  };

const CHECKS: Readonly<Record<keyof AstSpaceOptions, Check>> = {
  inputs: isListOf(
    "names that start with a letter and are not `ast` with a number, as registers of stubs are",
    (name) => typeof name === "string" && INPUT_NAME.test(name) && !STUB_REGISTER.test(name),
  ),
  operators: isListOf("names of operators", (name) => typeof name === "string"),
  functions: isTexts((value) => typeof value === "string", "a formula as text"),
  maxLength: isWhole(1, LONGEST),
  constants: isAnything,
  weights: isTexts(
    (value) => typeof value === "number" && value >= 0 && value <= 1e6,
    "a number from 0 to 1000000",
  ),
  constraints: isOptions(CONSTRAINT_CHECKS),
};

/** @throws SearchError INVALID_ARGUMENT */
export function readAstOptions(options: unknown): AstSpaceOptions {
  const read = readOptions<AstSpaceOptions>(options, CHECKS, { required: ["inputs"], of: "astSpace" });
  const { inputs, constants } = read;
  const twice = inputs.find((name, index) => inputs.indexOf(name) !== index);
  if (twice !== undefined) throw invalid("each input once", twice);
  if (inputs.length === 0 && constants === false) throw invalid("inputs or constants", inputs);
  return read;
}
