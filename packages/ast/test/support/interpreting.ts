// Checks of the interpreter on any backend: each instruction alone, hard cases, and random programs.
import type { AstTable } from "@mm-ptx/types/core";
import { expect } from "vitest";
import type { Instruction } from "../../src/index.js";
import { CATALOGUE, hex, Random, SPECIALS } from "./cases.js";
import { HARD_CASES } from "./hard-cases.js";
import { expectedBits } from "./oracle.js";
import { runReference } from "./reference.js";

type Ast = typeof import("../../src/index.js");

export const MNEMONICS: readonly string[] = Object.keys(CATALOGUE);

export const TABLE: AstTable = {
  kind: "ast",
  fingerprint: "",
  bases: [],
  instructions: MNEMONICS.map((ptx) => ({ ptx, name: ptx, args: CATALOGUE[ptx]! })),
};

/** A column of bits, seen as floats. */
export const columnOf = (bits: readonly number[]): Float32Array =>
  new Float32Array(Uint32Array.from(bits).buffer);

export const bitsIn = (column: Float32Array): Uint32Array =>
  new Uint32Array(column.buffer, column.byteOffset, column.length);

/** Checks each instruction on rows of special and random arguments against exact arithmetic. */
export function checkInstruction(ast: Ast, ptx: string, rows: number): void {
  const index = MNEMONICS.indexOf(ptx);
  const args = CATALOGUE[ptx]!;
  const program = ast.AstProgram.of(
    ...Array.from({ length: args }, (_, i) => ast.input(i)),
    ast.ptxInstruction(index, args),
  );
  const random = new Random(index);
  const columns = Array.from({ length: args }, () =>
    Array.from({ length: rows }, () => (random.below(3) === 0 ? random.pick(SPECIALS) : random.bits())),
  );
  const found = bitsIn(new ast.AstInterpreter(TABLE).evaluateColumns(program, columns.map(columnOf)));
  for (let row = 0; row < rows; row++) {
    const values = columns.map((column) => column[row]!);
    const expected = expectedBits(ptx, values);
    if (found[row] !== expected) {
      expect.fail(
        `${ptx} ${values.map(hex).join(", ")}: expected ${hex(expected)}, found ${hex(found[row]!)}`,
      );
    }
  }
}

/** Checks the arguments whose results are nearest to the midpoint of two f32. */
export function checkHardCases(ast: Ast, ptx: string): void {
  const program = ast.AstProgram.of(ast.input(0), ast.ptxInstruction(MNEMONICS.indexOf(ptx), 1));
  const column = HARD_CASES[ptx]!;
  const found = bitsIn(new ast.AstInterpreter(TABLE).evaluateColumns(program, [columnOf(column)]));
  expect([...found].map(hex)).toEqual(column.map((bits) => hex(expectedBits(ptx, [bits]))));
}

/** A random expression in postorder; `args` counts the arguments of the routine. */
function expression(
  ast: Ast,
  random: Random,
  size: number,
  args: number,
  routines: readonly number[],
): Instruction[] {
  if (size <= 0) {
    const kind = random.below(args > 0 ? 3 : 2);
    if (kind === 0) return [ast.input(random.below(4))];
    return kind === 1 ? [ast.constantBits(random.bits())] : [ast.routineArgument(random.below(args))];
  }
  const call = routines.length > 0 && random.below(6) === 0;
  const index = call ? random.below(routines.length) : random.below(MNEMONICS.length);
  const count = call ? routines[index]! : CATALOGUE[MNEMONICS[index]!]!;
  const operands: Instruction[] = [];
  let left = size - 1;
  for (let i = count; i > 0; i--) {
    const part = i === 1 ? left : random.below(left + 1);
    operands.push(...expression(ast, random, part, args, routines));
    left -= part;
  }
  return [...operands, call ? ast.routine(index, count) : ast.ptxInstruction(index, count)];
}

/** Checks random programs with routines on a few rows against the reference. */
export function checkPrograms(ast: Ast, seed: number, count: number): void {
  const random = new Random(seed);
  for (let i = 0; i < count; i++) {
    const args = [1, 2, 3];
    const routines = args.map((given, index) =>
      ast.AstProgram.of(...expression(ast, random, random.below(6), given, args.slice(0, index))),
    );
    const program = ast.AstProgram.of(...expression(ast, random, random.below(30), 0, args));
    const rows = 1 + random.below(9);
    const columns = Array.from({ length: 4 }, () => Array.from({ length: rows }, () => random.bits()));
    const interpreter = new ast.AstInterpreter(TABLE, { routines });
    const found = bitsIn(interpreter.evaluateColumns(program, columns.map(columnOf)));
    const words = routines.map((routine) => routine.words);
    const expected = Array.from({ length: rows }, (_, row) =>
      runReference(
        MNEMONICS,
        words,
        program.words,
        columns.map((column) => column[row]!),
      ),
    );
    expect([...found].map(hex), `seed ${seed}, program ${i}`).toEqual(expected.map(hex));
  }
}
