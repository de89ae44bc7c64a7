// Random expressions: their text reads back, and folding and sharing do not change what they compute. Random
// texts end in an expression or in an error with a place.
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { table } from "../../src/generated/f32.js";
import {
  AstCompiler,
  AstInterpreter,
  AstPtxError,
  type Expression,
  parseExpression,
  printExpression,
  type ToProgramOptions,
  toProgram,
} from "../../src/index.js";
import { expressionOf } from "../support/random-expression.js";

const INPUTS = ["x", "y", "z_1"];
const numbers = fc.array(fc.nat({ max: 0xffffffff }), { maxLength: 14, size: "max" });

it("reads back what it prints", () => {
  fc.assert(
    fc.property(numbers, (list) => {
      const expression = expressionOf(list);
      const again = parseExpression(printExpression(expression));
      const [first, second] = [expression, again].map((each) => toProgram(each, table));
      expect(second!.inputs).toEqual(first!.inputs);
      expect(second!.program.equals(first!.program)).toBe(true);
    }),
    { numRuns: smoke(50_000) },
  );
});

it("prints no redundant parentheses", () => {
  fc.assert(
    fc.property(numbers, (list) => {
      const text = printExpression(expressionOf(list));
      const program = toProgram(parseExpression(text), table).program;
      for (let open = text.indexOf("("); open >= 0; open = text.indexOf("(", open + 1)) {
        const without = withoutPair(text, open);
        const differs = programOf(without)?.equals(program) !== true;
        expect(differs, `${text} means the same as ${without}`).toBe(true);
      }
    }),
    { numRuns: smoke(5_000) },
  );
});

it("computes the same folded or shared, and computes each shared operation once", {
  timeout: 600_000,
}, () => {
  const choices: ToProgramOptions[] = [
    {},
    { fold: "exact" },
    { fold: "all" },
    { share: true },
    { share: true, fold: "all" },
  ];
  const values = fc.tuple(fc.float(), fc.float(), fc.float());
  fc.assert(
    fc.property(numbers, values, (list, row) => {
      const expression = expressionOf(list);
      const results = choices.map((options) => evaluate(expression, row, options));
      for (const result of results) expect(result).toBe(results[0]);
      const { program, inputs, routines } = toProgram(expression, table, { share: true });
      const stub = new AstCompiler(table, { routines }).compile(program, { inputs, output: "out" });
      const lines = stub.split("\n").filter((line) => !line.startsWith("mov."));
      const right = lines.map((line) => line.replace(/ %ast\d+,/, ""));
      expect(new Set(right).size).toBe(right.length);
    }),
    { numRuns: smoke(20_000) },
  );
});

it("reads any text as an expression or throws an error with a place", () => {
  const pieces = [
    "x",
    "min",
    "fma",
    "sine",
    "1",
    "1e-3",
    "0f3f800000",
    "0f1",
    "+",
    "-",
    "*",
    "/",
    "(",
    ")",
    ",",
    " ",
    "\n",
    "#",
    "é",
  ];
  const texts = fc
    .array(fc.constantFrom(...pieces), { maxLength: 24, size: "max" })
    .map((list) => list.join(""));
  let read = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: texts }, { weight: 1, arbitrary: fc.string() }), (text) => {
      try {
        printExpression(parseExpression(text));
        read++;
      } catch (error) {
        if (!(error instanceof AstPtxError)) throw error;
        expect(error.code).toBe("SYNTAX");
        expect(error.span!.start).toBeGreaterThanOrEqual(0);
        expect(error.span!.start).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: smoke(200_000) },
  );
  expect(read).toBeGreaterThan(smoke(200_000) / 100);
});

function evaluate(expression: Expression, row: readonly number[], options: ToProgramOptions): number {
  const { program, routines } = toProgram(expression, table, { ...options, inputs: INPUTS });
  return new AstInterpreter(table, { routines }).evaluate(program, row);
}

function programOf(text: string) {
  try {
    return toProgram(parseExpression(text), table).program;
  } catch {
    return undefined;
  }
}

/** The text without the parenthesis at a place and the one that closes it. */
function withoutPair(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0)
      return `${text.slice(0, open)} ${text.slice(open + 1, at)} ${text.slice(at + 1)}`;
  }
  throw new Error(`expected a closing parenthesis in ${text}`);
}
