// Any words, on any table, with any limits: the interpreter refuses what the compiler refuses, with the same
// code, and otherwise computes what the instructions compute one by one.
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { AstCompiler, AstInterpreter, AstProgram, AstPtxError } from "../../src/index.js";
import { bitsOf, CATALOGUE, hex } from "../support/cases.js";
import { bitsIn, columnOf } from "../support/interpreting.js";
import { caseOf, type RandomCase } from "../support/random-case.js";
import { runReference } from "../support/reference.js";

const ROWS = 5;
const NUMBERS = fc.array(fc.nat({ max: 0xffffffff }), { maxLength: 300, size: "max" });

/** The instructions, replaced by interpretable ones with the same number of arguments where these exist. */
function knownInstructions({ instructions }: RandomCase): RandomCase["instructions"] {
  return instructions.map(({ ptx, args }, index) => {
    const fitting = Object.keys(CATALOGUE).filter((name) => CATALOGUE[name] === args);
    return { ptx: fitting[(7 * index + ptx.length) % fitting.length] ?? ptx, args };
  });
}

function codeOr<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    if (error instanceof AstPtxError) return error.code;
    throw error;
  }
}

it("refuses what the compiler refuses, and computes the rest", { timeout: 900_000 }, () => {
  const seen = new Map<string, number>();
  const programOf = (words: readonly number[]) => AstProgram.fromWords(Uint32Array.from(words));
  fc.assert(
    fc.property(NUMBERS, (numbers) => {
      const random = caseOf(numbers);
      const instructions = knownInstructions(random);
      const routines = random.routines.map(programOf);
      const options = { routines, ...(random.given === undefined ? {} : { limits: random.given }) };
      const table = {
        kind: "ast",
        fingerprint: "",
        bases: [],
        instructions: instructions.map((each, index) => ({ ...each, name: `${index}` })),
      } as const;
      const program = programOf(random.program);
      const columns = random.inputs.map((_, column) =>
        Array.from({ length: ROWS }, (_, row) => numbers[8 * row + column] ?? bitsOf(row - column / 2)),
      );
      const output = new Float32Array(ROWS);
      const { inputs, output: register } = random;
      const job = { inputs, output: register };
      const refused = codeOr(() => new AstCompiler(table, options).compile(program, job));
      const found = codeOr(() =>
        new AstInterpreter(table, options).evaluateColumns(program, columns.map(columnOf), output),
      );
      const outcome = typeof found === "string" ? found : "value";
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      if (outcome === "UNSUPPORTED_INSTRUCTION") {
        expect(instructions.some(({ ptx }) => !Object.hasOwn(CATALOGUE, ptx))).toBe(true);
      } else if (typeof found === "string") {
        expect(found).toBe(refused);
      } else {
        const mnemonics = instructions.map(({ ptx }) => ptx);
        const words = routines.map((routine) => routine.words);
        const expected = Array.from({ length: ROWS }, (_, row) =>
          runReference(
            mnemonics,
            words,
            program.words,
            columns.map((column) => column[row]!),
          ),
        );
        expect([...bitsIn(found)].map(hex)).toEqual(expected.map(hex));
      }
    }),
    { numRuns: smoke(200_000) },
  );
  expect(seen.get("value")).toBeGreaterThan(smoke(200_000) / 4);
  expect(seen.size).toBeGreaterThan(6);
});
