// Analyses compared with the notes of the plain reference machine: on random tables, limits, programs and
// jobs, and on all conformance cases.
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type StackAnalysis, StackCompiler, StackProgram, StackPtxError } from "../../src/index.js";
import { Random, runSeed } from "../support/random.js";
import { effectiveLimits, type Job, randomJob, randomSetup, type Setup } from "../support/random-case.js";
import { Failure, Machine, type Value } from "../support/reference-machine.js";
import { VECTOR_TABLE, VECTORS } from "../support/vectors.js";

type Expected = Omit<StackAnalysis, "registers" | "savedRegisters">;

const programOf = (words: readonly number[]) => StackProgram.fromWords(Uint32Array.from(words));
const VALUE_TYPES = [1, 2, 3, 4];

/** The run of the reference machine, and which of its values are live. */
function expectedAnalysis(setup: Setup, job: Job): Expected {
  const { table, routines } = setup;
  const limits = effectiveLimits(setup);
  const { program, registers, requests, executionLimit = 2 ** 24 } = job;
  const machine = new Machine(table, limits, routines, registers);
  const runs = limits.maxFrameDepth > 0;
  if (runs) machine.run(program, executionLimit);
  const { notes, stacks, rest } = machine;

  const live = new Set<Value>();
  const unfilledRequests: number[] = [];
  let depth = 0;
  requests.forEach((request, index) => {
    const register = registers[request];
    if (register === undefined || stacks[register.stackIndex] === undefined) throw new Failure("request");
    const value = stacks[register.stackIndex]!.pop();
    if (value === undefined) unfilledRequests.push(index);
    else depth = Math.max(depth, reach(value, live, new Map()));
  });

  const origins = new Set([...live].map((value) => notes.origins.get(value)!));
  const valuesOf = (words: readonly number[], routine: number | undefined) => {
    const indices = words.filter((_, at) => at % 2 === 0).map((_, index) => index);
    const isLive = (index: number) => origins.has(`${routine}:${index}`);
    return {
      live: indices.filter(isLive),
      dead: indices.filter((index) => VALUE_TYPES.includes(words[2 * index]! % 65536) && !isLive(index)),
    };
  };
  const of = <Kind extends Value["kind"]>(kind: Kind) =>
    [...live].filter((value): value is Extract<Value, { kind: Kind }> => value.kind === kind);
  const sorted = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);
  const pushed = of("input").map((value) => {
    const [routine, instruction] = notes.origins.get(value)!.split(":");
    const words = routine === "undefined" ? program : routines[Number(routine)]!;
    return words[2 * Number(instruction) + 1]!;
  });
  const operations = new Set(of("result").map(({ operation }) => operation));
  const { ignored } = notes;
  return {
    ...valuesOf(program, undefined),
    routines: routines.map(valuesOf),
    lines: operations.size + of("special").length,
    depth,
    inputs: sorted(pushed),
    constants: of("constant").length,
    specials: sorted(of("special").map(({ special }) => special)),
    unfilledRequests,
    fetched: notes.fetched,
    unreached: program.length / 2 - notes.reached,
    executionLimitHit: runs && !notes.returned,
    astEntries: rest.astSize,
    droppedPushes: notes.dropped,
    ignored: {
      ptx: ignored[1] ?? 0,
      meta: ignored[5] ?? 0,
      metaConstant: ignored[6] ?? 0,
      routine: ignored[7] ?? 0,
      store: ignored[11] ?? 0,
      load: ignored[12] ?? 0,
    },
    lostNumbers: notes.lostNumbers,
    leftovers: {
      stacks: stacks.map(({ length }) => length),
      meta: rest.meta.length,
      slots: rest.slots.flatMap((slot, index) => (slot === undefined ? [] : [index])),
    },
  };
}

/**
 * Collects the values that a value is computed from; returns the lines of the longest chain that ends with
 * it.
 */
function reach(value: Value, live: Set<Value>, depths: Map<Value, number>): number {
  const waiting = [value];
  for (let top = waiting[waiting.length - 1]; top !== undefined; top = waiting[waiting.length - 1]) {
    const args = top.kind === "result" ? top.operation.args : [];
    const missing = args.filter((arg) => !depths.has(arg));
    waiting.push(...missing);
    if (missing.length > 0) continue;
    waiting.pop();
    live.add(top);
    const line = top.kind === "result" || top.kind === "special" ? 1 : 0;
    depths.set(top, line + Math.max(0, ...args.map((arg) => depths.get(arg)!)));
  }
  return depths.get(value)!;
}

/** The registers that a stub declares, by stack. */
function declared(stub: string, stackCount: number): number[] {
  const counts = Array<number>(stackCount).fill(0);
  for (const [, stack, count] of stub.matchAll(/^\t\.reg \.\w+ %_s(\d+)_<(\d+)>;$/gm))
    counts[Number(stack)] = Number(count);
  return counts;
}

function attempt<T>(run: () => T): T | { readonly code: string } {
  try {
    return run();
  } catch (error) {
    if (error instanceof StackPtxError) return { code: error.code };
    throw error;
  }
}

/** Compares one program; returns whether it could be analyzed. */
function check(setup: Setup, compilers: readonly StackCompiler[], job: Job, where: string): boolean {
  const { registers, requests, executionLimit } = job;
  const input = { registers, requests, ...(executionLimit !== undefined && { executionLimit }) };
  const program = programOf(job.program);
  let analyzed = false;
  for (const compiler of compilers) {
    const found = attempt(() => compiler.analyze(program, input));
    const stub = attempt(() => compiler.compile(program, input));
    if (typeof found === "object" && "code" in found) {
      if (effectiveLimits(setup).maxFrameDepth > 0) expect(found, where).toEqual(stub);
      continue;
    }
    analyzed = true;
    const { registers: counts, savedRegisters, ...rest } = found;
    expect(rest, where).toEqual(expectedAnalysis(setup, job));
    expect(structuredClone(found), where).toEqual(found);
    if (typeof stub !== "string") {
      expect(stub.code, where).toBe("INSUFFICIENT_AST_VISIT_SIZE");
      continue;
    }
    expect(counts, where).toEqual(declared(stub, counts.length));
    // All but the braces, the declarations and the copies; vectors are on lines of their own, which begin
    // with two tabs.
    const lines = stub.split("\n").filter((line) => /^\t[^\t{}.]/.test(line)).length;
    const copies = stub === "" ? 0 : requests.length - found.unfilledRequests.length;
    expect(found.lines + savedRegisters + copies, where).toBe(lines);
  }
  return analyzed;
}

function compilersOf(setup: Setup): StackCompiler[] {
  const { table, limits } = setup;
  const routines = setup.routines.map(programOf);
  return [true, false].map(
    (webAssembly) =>
      new StackCompiler(table, {
        routines,
        webAssembly,
        requestCopies: webAssembly ? "parallel" : "sequential",
        ...(limits && { limits }),
      }),
  );
}

it("reports what the plain machine notes", { timeout: 900_000 }, () => {
  const seed = runSeed();
  const random = new Random(seed);
  const count = smoke(20_000);
  let analyzed = 0;
  for (let index = 0; index < count; ) {
    const setup = randomSetup(random);
    const compilers = compilersOf(setup);
    let previous: Job | undefined;
    for (let jobs = random.between(1, 20); jobs > 0; jobs--, index++) {
      const job = randomJob(random, setup, previous);
      previous = job;
      if (check(setup, compilers, job, `seed ${seed}, case ${index}`)) analyzed++;
    }
  }
  expect(analyzed).toBeGreaterThan(count / 2);
});

it("reports what the plain machine notes for the conformance cases", () => {
  for (const [index, vector] of VECTORS.entries()) {
    const [executionLimit, maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize] = vector.limits;
    const limits = { maxAstSize, maxVisitDepth, stackSize, maxFrameDepth, storeSize };
    const setup = { table: VECTOR_TABLE, routines: vector.routines, limits };
    const registers = vector.registers.map(([name, stackIndex]) => ({ name, stackIndex }));
    const { program, requests } = vector;
    const job = { program, registers, requests, executionLimit };
    const analyzed = check(setup, compilersOf(setup), job, `vector ${index}`);
    const walks = vector.error === "STACK_PTX_ERROR_INSUFFICIENT_AST_VISIT_SIZE";
    if (!walks) expect(analyzed, `vector ${index}`).toBe(vector.error === undefined);
  }
});
