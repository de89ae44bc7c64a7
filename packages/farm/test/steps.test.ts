// How much work a program may make for a worker: what is counted before it runs, and what is left to its submitter.

import {
  AstCompiler,
  AstProgram,
  constant,
  input as formulaInput,
  routine as formulaRoutine,
  routineArgument,
} from "@mm-ptx/ast";
import { ptx as astPtx } from "@mm-ptx/ast/f32";
import { RECIPE } from "@mm-ptx/cuda/backend";
import {
  type Instruction,
  input,
  meta,
  metaConstant,
  returnInstruction,
  routine,
  StackCompiler,
  StackProgram,
} from "@mm-ptx/stack";
import { ptx, table } from "@mm-ptx/stack/default";
import { fingerprintOfTable } from "@mm-ptx/types/internal";
import { type KernelFile, readKernelFile, writeKernelFile } from "@mm-ptx/types/kernel-file";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { decodeParcel, encodeParcel, type Parcel } from "../src/frames/parcel.js";
import type { ProgramOf, ProgramTable } from "../src/index.js";
import type { ProgramRecipe } from "../src/programs/kernel.js";
import { Steps } from "../src/programs/steps.js";
import { openSources } from "../src/worker/sources.js";
import { AST, kernelOf, STACK, type TestLanguage } from "./support/programs.js";

afterEach(() => {
  vi.restoreAllMocks();
});

const LIMITS = { maxFrameDepth: 4, stackSize: 128 };
const JOB = { registers: [{ name: "_x0", stackIndex: 0 }], requests: [] };

const instructions = fc.oneof(
  fc.constant(input(0)),
  fc.constant(ptx.addFtzF32),
  fc.constant(metaConstant(1)),
  { weight: 2, arbitrary: fc.nat({ max: 3 }).map(routine) },
  fc.constantFrom(...(["dup", "swap", "drop"] as const)).map((name) => meta(0, name)),
  fc.constant(returnInstruction),
);
const programs = fc.array(instructions, { maxLength: 6 }).map((all) => StackProgram.of(...all));

it("counts the instructions that a program runs, to the last one", () => {
  fc.assert(
    fc.property(
      programs,
      fc.array(programs, { minLength: 4, maxLength: 4 }),
      fc.option(fc.nat({ max: 20 }), { nil: undefined }),
      (program, routines, executionLimit) => {
        const compiler = new StackCompiler(table, { routines, limits: LIMITS });
        const job = executionLimit === undefined ? JOB : { ...JOB, executionLimit };
        const { steps, executionLimitHit } = compiler.trace(program, job);
        const counted = new Steps(
          routines.map(({ words }) => words),
          LIMITS,
        );
        const found = counted.of(program.words, executionLimit ?? 2 ** 16);
        if (executionLimitHit) expect(found).toBeGreaterThanOrEqual(steps.length);
        else expect([steps.length, steps.length + 1]).toContain(found);
      },
    ),
  );
});

it("counts several steps for a stack that is reversed", () => {
  const steps = (stackSize: number, all: readonly Instruction[]) =>
    new Steps([], { maxFrameDepth: 1, stackSize }).of(StackProgram.of(...all).words, 1e6);
  expect(steps(128, [meta(1, "reverse")]) - steps(128, [meta(1, "swap")])).toBe(8);
  expect(steps(2 ** 20, [meta(0, "reverse")])).toBeGreaterThan(2 ** 16);
});

let submitters = 0;

/** Whether a worker makes PTX of a program for the site `func`. */
async function isMade<Table extends ProgramTable>(
  language: TestLanguage<Table>,
  func: ProgramOf<Table>,
  options: Parameters<typeof kernelOf<Table>>[1] = {},
  changed = (file: KernelFile): KernelFile => file,
): Promise<boolean> {
  const filled = kernelOf(language, options).fill({ func, last: language.adding(1) });
  const { setup, form, programs: jobs } = (filled as unknown as { [RECIPE]: ProgramRecipe })[RECIPE];
  const blob = { hash: setup.hash, bytes: setup.bytes.length };
  const sent: Parcel = {
    options: { arch: "sm_90" },
    timeoutMs: 0,
    deaths: 0,
    setup: blob,
    form,
    jobs: [jobs],
  };
  const parcel = decodeParcel(encodeParcel(sent)) as Parcel;
  const make = await openSources(`steps-${submitters++}`, parcel, async () =>
    writeKernelFile(changed(readKernelFile(setup.bytes))),
  );
  return make(parcel.jobs[0]!) !== undefined;
}

const times = <One>(count: number, ...all: readonly One[]): One[] =>
  Array.from({ length: count }, () => all).flat();

describe("a worker leaves to the submitter", () => {
  /** Routines that run others many times: the last one a million times if `count` is 100. */
  const nested = (count: number, inner: readonly Instruction[]): StackProgram[] => [
    StackProgram.of(...times(count, routine(1))),
    StackProgram.of(...times(count, routine(2))),
    StackProgram.of(...times(count, ...inner)),
  ];
  const run = StackProgram.of(input(1), routine(0));

  it.each([
    ["routines that reverse a stack millions of times", 200, [meta(0, "reverse")]],
    ["routines that compute millions of values", 200, [input(1), ptx.addFtzF32]],
    ["routines that run others millions of times", 200, [routine(2)]],
  ])("Stack PTX: %s", async (_, count, inner) => {
    const compile = vi.spyOn(StackCompiler.prototype, "compile");
    const made = await isMade(STACK, run, { routines: nested(count, inner) });
    expect([made, compile.mock.calls.length]).toEqual([false, 0]);
    expect(await isMade(STACK, run, { routines: nested(20, inner) })).toBe(true);
  });

  it("AST PTX: routines that run others, and programs of a million instructions", async () => {
    const compile = vi.spyOn(AstCompiler.prototype, "compile");
    const nestedFormulas = (count: number) => [
      AstProgram.of(routineArgument(0), ...times(count, formulaRoutine(1, 1))),
      AstProgram.of(routineArgument(0), ...times(count, formulaRoutine(2, 1))),
      AstProgram.of(routineArgument(0), ...times(count, constant(2), astPtx.addFtzF32)),
    ];
    const formula = AstProgram.of(formulaInput(0), formulaRoutine(0, 1));
    expect(await isMade(AST, formula, { routines: nestedFormulas(100) })).toBe(false);
    expect(await isMade(AST, formula, { routines: nestedFormulas(20) })).toBe(true);
    compile.mockClear();
    const words = new Uint32Array(2 * (2 ** 19 + 1));
    expect(await isMade(AST, AstProgram.fromWords(words))).toBe(false);
    expect(compile).not.toHaveBeenCalled();
  });

  it("kernels with names that fill megabytes, or with very many results", async () => {
    const job =
      (name: string, requests: number) =>
      (file: KernelFile): KernelFile => {
        const { stack } = file;
        const own = {
          registers: [
            { name, stackIndex: 0 },
            { name, stackIndex: 0 },
          ],
          requests: times(requests, 0),
        };
        return { ...file, stack: { ...stack!, jobs: stack!.jobs.map((each) => ({ ...each, job: own })) } };
      };
    expect(await isMade(STACK, STACK.adding(1), {}, job("_y", 1))).toBe(true);
    expect(await isMade(STACK, STACK.adding(1), {}, job("_".repeat(2 ** 20), 1))).toBe(false);
    expect(await isMade(STACK, STACK.adding(1), {}, job("_y", 10_000))).toBe(false);
    const input =
      (name: string) =>
      (file: KernelFile): KernelFile => {
        const jobs = file.ast!.jobs.map((each) => ({ ...each, job: { ...each.job, inputs: [name] } }));
        return { ...file, ast: { ...file.ast!, jobs } };
      };
    expect(await isMade(AST, AST.adding(1), {}, input("_y"))).toBe(true);
    expect(await isMade(AST, AST.adding(1), {}, input("_".repeat(2 ** 20)))).toBe(false);
    const { instructions } = table;
    const named = {
      ...table,
      instructions: [...instructions, { ...instructions[0]!, name: "x".repeat(2 ** 20) }],
    };
    const own = { ...named, fingerprint: fingerprintOfTable(named) };
    const withTable = (file: KernelFile): KernelFile => ({ ...file, stack: { ...file.stack!, table: own } });
    expect(await isMade(STACK, STACK.adding(1), {}, withTable)).toBe(false);
  });
});
