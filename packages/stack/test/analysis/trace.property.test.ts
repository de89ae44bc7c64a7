// Traces against the plain reference machine, step by step, and against the results of `compile` and
// `analyze`.
import type { StackTable } from "@mm-ptx/types/core";
import { expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { StackCompiler, StackProgram, StackPtxError, type StackTrace } from "../../src/index.js";
import { Random, runSeed } from "../support/random.js";
import { effectiveLimits, type Job, randomJob, randomSetup, type Setup } from "../support/random-case.js";
import { Machine, type Value } from "../support/reference-machine.js";

const LONGEST = 60;
const programOf = (words: readonly number[]) => StackProgram.fromWords(Uint32Array.from(words));

/** What a trace says of a value, written independently. */
function textOf(value: Value, table: StackTable, texts: Map<Value, string>): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const call = ({ operation }: Extract<Value, { kind: "result" }>) =>
    `${table.instructions[operation.instruction]!.ptx}(${operation.args.map((arg) => textOf(arg, table, texts)).join(", ")})`;
  const write = () => {
    if (value.kind === "input") return `%${value.name}`;
    if (value.kind === "result") {
      const { results } = value.operation;
      return results.length === 1 ? call(value) : `${call(value)}.${results.indexOf(value)}`;
    }
    if (value.kind === "special") {
      const { ptx, argType } = table.specialRegisters[value.special]!;
      return table.argTypes[argType]!.vectorElements === 0 ? `%${ptx}` : `%${ptx}.${"xyzw"[value.element]}`;
    }
    const digits = value.bits.toString(16).toUpperCase().padStart(8, "0");
    const prefix = table.stackTypes[value.stack]!.literalPrefix;
    return prefix === "f32" ? `0f${digits}` : prefix === "u32" ? `0x${digits}U` : `0x${digits}`;
  };
  const text = write();
  texts.set(value, text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
  return texts.get(value)!;
}

function tracesEqual(setup: Setup, compiler: StackCompiler, job: Job, where: string): boolean {
  const { table, routines } = setup;
  const limits = effectiveLimits(setup);
  const { program, registers, requests, executionLimit } = job;
  const input = { registers, requests, ...(executionLimit !== undefined && { executionLimit }) };
  let trace: StackTrace;
  try {
    trace = compiler.trace(programOf(program), input, { longestText: LONGEST });
  } catch (error) {
    if (!(error instanceof StackPtxError)) throw error;
    if (limits.maxFrameDepth > 0)
      expect(() => compiler.compile(programOf(program), input), where).toThrow(error.message);
    return false;
  }
  const analysis = compiler.analyze(programOf(program), input);
  expect(trace.steps.length, where).toBe(analysis.fetched);
  expect(trace.executionLimitHit, where).toBe(analysis.executionLimitHit);
  const dropped = table.stackTypes.map(() => 0);
  const ignored: Record<string, number> = { ptx: 0, meta: 0, metaConstant: 0, routine: 0, store: 0, load: 0 };
  let lostNumbers = 0;
  for (const { outcome, instruction, remark } of trace.steps) {
    for (const { stack, count } of outcome.dropped) dropped[stack]! += count;
    if (outcome.missing !== undefined) ignored[instruction.type]!++;
    if (outcome.lostNumber !== undefined) lostNumbers++;
    expect(remark === "", where).toBe(outcome.missing === undefined && outcome.dropped.length === 0);
  }
  expect([dropped, ignored, lostNumbers], where).toEqual([
    analysis.droppedPushes,
    analysis.ignored,
    analysis.lostNumbers,
  ]);

  // The machine's values are objects, so a machine that was stopped after each step has the same ones.
  for (const [index, step] of trace.steps.entries()) {
    const last = index === trace.steps.length - 1;
    if (!last && index % 7 !== 0) continue;
    const machine = new Machine(table, limits, routines, registers);
    machine.run(program, index + 1);
    const texts = new Map<Value, string>();
    const { meta, slots } = machine.rest;
    expect(
      step.stacks.map((values) => values.map(({ text }) => text)),
      where,
    ).toEqual(machine.stacks.map((values) => values.map((value) => textOf(value, table, texts))));
    expect(step.meta, where).toEqual(meta);
    expect(
      step.slots.map(({ slot, stack, value }) => [slot, stack, value.text]),
      where,
    ).toEqual(
      slots.flatMap((held, slot) =>
        held === undefined ? [] : [[slot, held.stack, textOf(held.value, table, texts)]],
      ),
    );
    // Each value has one number: each input register has one, and so has each push of another value.
    const numbers = new Map<number, Value>();
    for (const [stack, values] of step.stacks.entries()) {
      for (const [place, { id }] of values.entries()) {
        const value = machine.stacks[stack]![place]!;
        const other = numbers.get(id);
        if (other !== undefined && value.kind !== "input") expect(other, where).toBe(value);
        numbers.set(id, value);
      }
    }
    if (!last) continue;
    const taken = requests.map((request) => machine.stacks[registers[request]!.stackIndex]!.pop());
    expect(trace.requests, where).toEqual(
      requests.map((request, at) => ({
        register: registers[request]!.name,
        stack: registers[request]!.stackIndex,
        value: taken[at] && { id: expect.any(Number), text: textOf(taken[at], table, texts) },
      })),
    );
  }
  return trace.steps.length > 0;
}

it("show the stacks of the plain machine after each instruction", { timeout: 900_000 }, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const count = cases(5_000);
  let traced = 0;
  for (let index = 0; index < count; index++) {
    const setup = randomSetup(random);
    const { table, limits } = setup;
    const compiler = new StackCompiler(table, {
      routines: setup.routines.map(programOf),
      ...(limits && { limits }),
    });
    const job = randomJob(random, setup, undefined);
    if (job.program.length > 600) continue;
    const executionLimit = Math.min(job.executionLimit ?? 300, 300);
    if (tracesEqual(setup, compiler, { ...job, executionLimit }, `seed ${seed}, case ${index}`)) traced++;
  }
  expect(traced).toBeGreaterThan(count / 2);
});
