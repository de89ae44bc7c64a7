// Computes f32 instructions by mnemonic as PTX ISA 9.0 (section 9.7.3, floating point instructions) defines them: round
// to nearest even, one rounding, and with `.ftz` sign-preserving zeros for subnormal arguments and results. Functions
// that PTX only approximates give the nearest f32, with the manual's special values. docs/interpreter.md compares both.
import { describeValue, didYouMean } from "@mm-ptx/types/internal";
import {
  approximateQuotient,
  cosine,
  exp2,
  flushBelow,
  greater,
  LEAST_NORMAL_32,
  lesser,
  log2,
  multiplyAdd,
  sine,
  tanh,
} from "@mm-ptx/types/internal/floats";
import { invalid } from "./checks.js";
import { AstPtxError, counted } from "./error.js";

/** How to compute an instruction that the interpreter knows. */
export interface Operation {
  readonly formula: Formula;
  /** The number of arguments. */
  readonly args: number;
  /** Whether subnormal arguments and results become zeros. */
  readonly flushes: boolean;
}

/** An instruction on numbers that are already f32; the result still has to be rounded to f32. */
type Formula = (a: number, b: number, c: number) => number;

interface Family {
  readonly name: string;
  readonly formula: Formula;
  readonly args: number;
  /** Modifiers between the name and `.ftz`; each alternative is a mnemonic of its own. */
  readonly modifiers: readonly string[];
  readonly ftz: readonly boolean[];
}

const ROUNDED = ["", ".rn"];
const APPROXIMATE = [".approx"];
const PLAIN = [""];
const EITHER = [false, true];
const NEVER = [false];

const FAMILIES: readonly Family[] = [
  {
    name: "copysign",
    formula: (a, b) => (a < 0 || Object.is(a, -0) ? -Math.abs(b) : Math.abs(b)),
    args: 2,
    modifiers: PLAIN,
    ftz: NEVER,
  },
  { name: "add", formula: (a, b) => a + b, args: 2, modifiers: ROUNDED, ftz: EITHER },
  { name: "sub", formula: (a, b) => a - b, args: 2, modifiers: ROUNDED, ftz: EITHER },
  { name: "mul", formula: (a, b) => a * b, args: 2, modifiers: ROUNDED, ftz: EITHER },
  { name: "fma", formula: multiplyAdd, args: 3, modifiers: [".rn"], ftz: EITHER },
  { name: "div", formula: approximateQuotient, args: 2, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "abs", formula: Math.abs, args: 1, modifiers: PLAIN, ftz: EITHER },
  { name: "neg", formula: (a) => -a, args: 1, modifiers: PLAIN, ftz: EITHER },
  { name: "min", formula: lesser, args: 2, modifiers: PLAIN, ftz: EITHER },
  { name: "max", formula: greater, args: 2, modifiers: PLAIN, ftz: EITHER },
  { name: "rcp", formula: (a) => 1 / a, args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "sqrt", formula: Math.sqrt, args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "rsqrt", formula: (a) => 1 / Math.sqrt(a), args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "sin", formula: sine, args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "cos", formula: cosine, args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "lg2", formula: log2, args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "ex2", formula: exp2, args: 1, modifiers: APPROXIMATE, ftz: EITHER },
  { name: "tanh", formula: tanh, args: 1, modifiers: APPROXIMATE, ftz: NEVER },
];

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  FAMILIES.flatMap(({ name, formula, args, modifiers, ftz }) =>
    modifiers.flatMap((modifier) =>
      ftz.map((flushes): [string, Operation] => [
        `${name}${modifier}${flushes ? ".ftz" : ""}.f32`,
        { formula, args, flushes },
      ]),
    ),
  ),
);

/** The operation of a mnemonic, or `undefined` when the interpreter does not know it. */
export function operationOf(ptx: string): Operation | undefined {
  return OPERATIONS.get(ptx);
}

/**
 * Explains that a mnemonic cannot be interpreted and suggests the nearest one that can, preferably one of the same
 * name.
 */
export function describeUnknown(ptx: string): string {
  const all = [...OPERATIONS.keys()];
  const same = all.filter((known) => known.split(".")[0] === ptx.split(".")[0]);
  const suggestion = didYouMean(ptx, same.length > 0 ? same : all);
  return `expected an f32 instruction that can be interpreted, found ${describeValue(ptx)}${suggestion}`;
}

/** Rounds to f32; a result smaller than `least` becomes a zero of its sign. */
export function round(x: number, least: number): number {
  return flushBelow(Math.fround(x), least);
}

/**
 * Returns an f32 instruction as a function that takes as many numbers as the instruction has arguments, and rounds them
 * to f32 first. JavaScript has only one NaN; `copysign` treats it as positive.
 *
 * @param ptx the mnemonic with its modifiers, for example `fma.rn.ftz.f32`
 * @returns the function; it throws AstPtxError INVALID_ARGUMENT for wrong arguments
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION for an unknown mnemonic, INVALID_ARGUMENT unless it is text
 */
export function float32Function(ptx: string): (...args: number[]) => number {
  if (typeof ptx !== "string") throw invalid("a mnemonic as text", ptx);
  const operation = OPERATIONS.get(ptx);
  if (operation === undefined) throw new AstPtxError("UNSUPPORTED_INSTRUCTION", describeUnknown(ptx));
  const { formula, args: count, flushes } = operation;
  const least = flushes ? LEAST_NORMAL_32 : 0;
  return (...args) => {
    if (args.length !== count) {
      throw invalid(`${counted(count, "argument")} for \`${ptx}\``, args.length);
    }
    for (const arg of args) if (typeof arg !== "number") throw invalid("a number as argument", arg);
    const [a = 0, b = 0, c = 0] = args;
    return round(formula(round(a, least), round(b, least), round(c, least)), least);
  };
}
