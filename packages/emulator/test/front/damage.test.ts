// Damaged texts result in a program or in typed errors with places in the text, never in a crash or a hang.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { rare } from "../../../../tests/support/counts.js";
import { checkProgram, EmulatorError } from "../../src/index.js";
import type { Operand } from "../../src/program/operand.js";
import type { Program } from "../../src/program/program.js";

/**
 * From a long text, pieces of whole lines with about this many characters are taken, from its beginning and from
 * somewhere in it.
 */
const PIECE = 3_000;
const KERNELS = new URL("../kernels/", import.meta.url);
const TEXTS = readdirSync(KERNELS).map((name) =>
  readFileSync(new URL(`${name}/kernel.ptx`, KERNELS), "utf8"),
);

/** What is inserted into texts: pieces of the language in wrong places, and edge cases of the language. */
const PIECES = [
  ..."{ } ( ) [ ] ; , : @ ! | + - _ = < > .reg .param .shared .func .entry .v2 .f32 .u64 .global %p1 %r1 %tid.x %".split(
    " ",
  ),
  ..."0f3F800000 -1 99999999999999999999 1.5 0x 07 WARP_SZ generic( 0xFF( .align .extern .alias .branchtargets".split(
    " ",
  ),
  ..."add.s32 mov.b64 ld.global.v4.f32 call bra brx.idx mma.sync wgmma ret; .sat.ftz .x <2000000000> [999999999] é".split(
    " ",
  ),
  "\n",
  " ",
  '"',
  "/*",
  "//",
  "= {{{{1}}}}",
  ".callprototype _ (.param .b32 _)",
];

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const damage = fc.record({
  kind: fc.constantFrom("cut", "insert", "repeat", "swap", "replace"),
  at: share,
  to: share,
  length: fc.integer({ min: 1, max: 40 }),
  piece: fc.constantFrom(...PIECES),
});

function damaged(
  text: string,
  { kind, at, to, length, piece }: typeof damage extends fc.Arbitrary<infer T> ? T : never,
): string {
  const start = Math.floor(at * text.length);
  const end = Math.min(text.length, start + length);
  switch (kind) {
    case "cut":
      return text.slice(0, start) + text.slice(end);
    case "insert":
      return text.slice(0, start) + piece + text.slice(start);
    case "repeat":
      return text.slice(0, end) + text.slice(start);
    case "replace": {
      // Whole words are replaced, so that the text often remains valid PTX.
      const word = /[\w%$]+/g;
      word.lastIndex = start;
      const found = word.exec(text);
      return found === null ? text : text.slice(0, found.index) + piece + text.slice(word.lastIndex);
    }
    default: {
      const lines = text.split("\n");
      const [a, b] = [Math.floor(at * lines.length), Math.floor(to * lines.length)];
      [lines[a], lines[b]] = [lines[b]!, lines[a]!];
      return lines.join("\n");
    }
  }
}

const texts = fc
  .tuple(fc.constantFrom(...TEXTS), share, fc.array(damage, { minLength: 1, maxLength: 4 }))
  .map(([text, at, damages]) => {
    const start = text.lastIndexOf("\n", Math.floor(at * text.length));
    const piece = text.length <= 2 * PIECE ? text : text.slice(0, PIECE) + text.slice(start, start + PIECE);
    return damages.reduce(damaged, piece);
  });

/** The invariants that engines rely on and that a program violates. */
function unsound({ text, functions, variables }: Program): string[] {
  const problems: string[] = [];
  // There are millions of these checks, and `expect` would take far longer than each of them.
  const check = (holds: boolean, what: string): void => {
    if (!holds) problems.push(what);
  };
  for (const one of functions) {
    const checkOperand = (operand: Operand): void => {
      if (operand.kind === "register") {
        check(one.registers[operand.register] !== undefined, `register ${operand.register}`);
      } else if (operand.kind === "label") {
        check(operand.target <= one.instructions.length, `label at ${operand.target}`);
      } else if (operand.kind === "vector") operand.items.forEach(checkOperand);
      else if (operand.kind === "immediate") check(operand.bits >= 0n, `immediate ${operand.bits}`);
      else if (operand.kind === "function") {
        check(functions[operand.function] !== undefined, `function ${operand.function}`);
      } else if (operand.kind === "variable" || operand.kind === "address") {
        const base = operand.kind === "variable" ? operand.variable : operand.base;
        if (base.kind === "module-variable") {
          check(variables[base.variable] !== undefined, `variable ${base.variable}`);
        }
        if (base.kind === "function-variable") {
          check(one.variables[base.variable] !== undefined, `variable ${base.variable} of a function`);
        }
        check(Number.isSafeInteger(operand.offset), `offset ${operand.offset}`);
      }
    };
    for (const { operands, operation, span, call } of one.instructions) {
      const { operandTypes, results } = operation;
      check(operandTypes.length >= operands.length, `${operandTypes.length} types of operands`);
      check(results <= operands.length, `${results} results`);
      check(span.end <= text.length, `span to ${span.end}`);
      for (const operand of [...operands, ...(call?.results ?? []), ...(call?.args ?? [])]) {
        checkOperand(operand);
      }
    }
    for (const index of [...one.parameters, ...one.results]) {
      check(one.variables[index] !== undefined, `parameter ${index}`);
    }
    check(one.frameBytes % 16 === 0, `${one.frameBytes} bytes of a frame`);
  }
  return problems;
}

it("is accepted or refused with places, whatever the damage", () => {
  let programs = 0;
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(unsound(checkProgram(text))).toEqual([]);
        programs++;
      } catch (error) {
        if (!(error instanceof EmulatorError)) throw error;
        expect(error.problems.length).toBeGreaterThan(0);
        for (const { span, line, column, message } of error.problems) {
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(text.length);
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(message).toMatch(/^expected .*, found /s);
        }
      }
    }),
    { numRuns: rare(50_000), verbose: 1 },
  );
  // If no damaged text remained a valid program, most of the check would go untested.
  expect(programs).toBeGreaterThan(0);
}, 600_000);
