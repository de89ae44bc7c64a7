// A kernel with two sites, and programs of each language for them.

import * as ast from "@mm-ptx/ast";
import { ptx as astPtx, table as astTable } from "@mm-ptx/ast/f32";
import { parsePtx } from "@mm-ptx/inject";
import * as stack from "@mm-ptx/stack";
import { f32, ptx as stackPtx, table as stackTable } from "@mm-ptx/stack/default";
import type { AstTable, StackTable } from "@mm-ptx/types/core";
import {
  ProgramKernel,
  type ProgramKernelOptions,
  type ProgramOf,
  type ProgramTable,
} from "../../src/index.js";

const site = (name: string, from: string, to: string): string => `\t{
\t.reg .f32 %_x0;
\t.reg .f32 %_x1;
\tmov.f32 %_x1, ${from};
\t// PTX_INJECT_START ${name}
\t// _x0 o f32 F32 z
\t// _x1 i f32 F32 x
\t// PTX_INJECT_END
\tmov.f32 ${to}, %_x0;
\t}
`;

export const KERNEL = parsePtx(`.version 8.0
.target sm_75
.address_size 64
.visible .entry evaluate(.param .u64 out, .param .f32 x) {
\t.reg .f32 %f<4>;
\t.reg .b64 %out;
\tld.param.u64 %out, [out];
\tld.param.f32 %f1, [x];
${site("func", "%f1", "%f2")}${site("last", "%f2", "%f3")}\tcvta.to.global.u64 %out, %out;
\tst.global.f32 [%out], %f3;
\tret;
}
`);

const { operands } = KERNEL.injection("func");

/** What tests need of a language. */
export interface TestLanguage<Table extends ProgramTable> {
  readonly name: string;
  readonly table: Table;
  readonly fromWords: (words: Uint32Array) => ProgramOf<Table>;
  /** The stub of a program for the site `func`, as the language's own compiler makes it. */
  readonly stubOf: (program: ProgramOf<Table>) => string;
  /** A valid program that differs from that of any other value. */
  readonly adding: (value: number) => ProgramOf<Table>;
  /** A program that runs routine 0 of the first of `taken` twice. */
  readonly running: ProgramOf<Table>;
  /** The same with 100,000 constants that it does not need. */
  readonly long: () => ProgramOf<Table>;
  /** Options that workers take; the first have a routine. */
  readonly taken: readonly ProgramKernelOptions<Table>[];
  /** Options whose programs workers leave to the submitter. */
  readonly left: ProgramKernelOptions<Table>;
}

const numbered = <One>(make: (value: number) => One): readonly One[] =>
  Array.from({ length: 50_000 }, (_, i) => make(i));

const RUNNING = [stack.input(1), stack.routine(0), stackPtx.addFtzF32, stack.routine(0), stackPtx.mulFtzF32];

export const STACK: TestLanguage<StackTable> = {
  name: "Stack PTX",
  table: stackTable,
  fromWords: (words) => stack.StackProgram.fromWords(words),
  stubOf: (program) =>
    new stack.StackCompiler(stackTable).compile(program, stack.siteJob(stackTable, operands)),
  adding: (value) => stack.StackProgram.of(stack.input(1), f32(value), stackPtx.addFtzF32),
  running: stack.StackProgram.of(...RUNNING),
  long: () => stack.StackProgram.of(...numbered(f32), ...numbered(f32), ...RUNNING),
  taken: [
    { routines: [stack.StackProgram.of(f32(3))], limits: { stackSize: 64 } },
    { requestCopies: "sequential", executionLimit: 1000 },
  ],
  left: { limits: { maxAstSize: 2 ** 25 } },
};

export const AST: TestLanguage<AstTable> = {
  name: "AST PTX",
  table: astTable,
  fromWords: (words) => ast.AstProgram.fromWords(words),
  stubOf: (program) => new ast.AstCompiler(astTable).compile(program, ast.siteJob(astTable, operands)),
  adding: (value) => ast.AstProgram.of(ast.input(0), ast.constant(value), astPtx.addFtzF32),
  running: ast.AstProgram.of(ast.input(0), ast.routine(0, 1), ast.routine(0, 1)),
  long: () => {
    const run = [...numbered(ast.constant), ast.routine(0, 50_001)];
    return ast.AstProgram.of(ast.input(0), ...run, ...run);
  },
  taken: [
    {
      routines: [ast.AstProgram.of(ast.routineArgument(0), ast.constant(3), astPtx.mulFtzF32)],
      limits: { maxStackDepth: 20 },
    },
    { limits: "reference", outputs: { func: "z" } },
  ],
  left: { limits: { maxInlined: 2 ** 23 } },
};

export const kernelOf = <Table extends ProgramTable>(
  { table }: TestLanguage<Table>,
  options: ProgramKernelOptions<Table> = {},
): ProgramKernel<Table> => new ProgramKernel(KERNEL, table, options);

export const programsFrom = <Table extends ProgramTable>(
  { adding }: TestLanguage<Table>,
  first: number,
  count: number,
): ProgramOf<Table>[] => Array.from({ length: count }, (_, i) => adding(first + i / 2));

/** A program that no compiler takes. */
export const wrongOf = <Table extends ProgramTable>({ fromWords }: TestLanguage<Table>): ProgramOf<Table> =>
  fromWords(new Uint32Array([0xffff, 0]));
