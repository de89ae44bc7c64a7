// Damaged texts: a program or typed errors with places in the text, never a crash, never a hang.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { checkProgram, EmulatorError } from "../../src/index.js";
import type { Operand } from "../../src/program/operand.js";
import type { Program } from "../../src/program/program.js";

/** Of a long text, whole lines of this many characters are taken from its beginning and from somewhere in it. */
const PIECE = 3_000;
const KERNELS = new URL("../kernels/", import.meta.url);
const TEXTS = readdirSync(KERNELS).map((name) =>
  readFileSync(new URL(`${name}/kernel.ptx`, KERNELS), "utf8"),
);

/** What is put into texts: pieces of the language where they don't belong, and what is at the edge of it. */
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
      // A whole word, so that the text is often PTX still.
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

/** What engines take for granted. */
function expectSound({ text, functions, variables }: Program): void {
  for (const one of functions) {
    const check = (operand: Operand): void => {
      if (operand.kind === "register") expect(one.registers[operand.register]).toBeDefined();
      else if (operand.kind === "label") expect(operand.target).toBeLessThanOrEqual(one.instructions.length);
      else if (operand.kind === "vector") operand.items.forEach(check);
      else if (operand.kind === "immediate") expect(operand.bits).toBeGreaterThanOrEqual(0n);
      else if (operand.kind === "function") expect(functions[operand.function]).toBeDefined();
      else if (operand.kind === "variable" || operand.kind === "address") {
        const base = operand.kind === "variable" ? operand.variable : operand.base;
        if (base.kind === "module-variable") expect(variables[base.variable]).toBeDefined();
        if (base.kind === "function-variable") expect(one.variables[base.variable]).toBeDefined();
        expect(Number.isSafeInteger(operand.offset)).toBe(true);
      }
    };
    for (const { operands, operandTypes, results, span, call } of one.instructions) {
      expect(operandTypes).toHaveLength(operands.length);
      expect(results).toBeLessThanOrEqual(operands.length);
      expect(span.end).toBeLessThanOrEqual(text.length);
      for (const operand of [...operands, ...(call?.results ?? []), ...(call?.args ?? [])]) check(operand);
    }
    for (const index of [...one.params, ...one.results]) expect(one.variables[index]).toBeDefined();
    expect(one.frameBytes % 16).toBe(0);
  }
}

it("is checked or refused with places, whatever the damage", () => {
  let programs = 0;
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expectSound(checkProgram(text));
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
    { numRuns: cases(50_000), verbose: 1 },
  );
  // Damage that never left a program whole would try little of the check.
  expect(programs).toBeGreaterThan(0);
}, 600_000);
