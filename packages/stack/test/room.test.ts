// Programs, tables and jobs that outgrow the compiler's initial room, each between small ones.
import type { StackTable } from "@mm-ptx/types/core";
import { beforeEach, describe, expect, it } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import * as stack from "../src/index.js";
import { loopMemory } from "../src/loops/memory.js";
import { Frames } from "../src/machine/frames.js";
import { ROOM } from "../src/room.js";
import { Workspace } from "../src/workspace.js";
import { type Compilers, compare, makeCompilers } from "./support/differential.js";
import { Random } from "./support/random.js";
import type { Job, Setup } from "./support/random-case.js";
import { raised, SMALL_TABLE } from "./support/small-table.js";

/** A table with `count` stacks, each with a constant's negation and the sum of two. */
function wideTable(stacks: number, padding = 0): StackTable {
  const scalar = (index: number) => ({ name: `A${index}`, stackIndex: index, vectorElements: 0 });
  const operation = (ptx: string, index: number, args: number[]) => ({
    ptx,
    name: `${ptx}${index}`,
    args,
    results: [index],
    aligned: false,
  });
  const types = Array.from({ length: stacks }, (_, index) => index);
  return {
    kind: "stack",
    fingerprint: "",
    bases: [],
    stackTypes: types.map((index) => ({ name: `S${index}`, literalPrefix: "u32" })),
    argTypes: types.map(scalar),
    instructions: [
      ...types.flatMap((index) => [
        operation("not.b32", index, [index]),
        operation("add.u32", index, [index, index]),
      ]),
      ...Array.from({ length: padding }, (_, index) =>
        operation("last.u32", index % stacks, [index % stacks]),
      ),
    ],
    specialRegisters: [{ ptx: "laneid", name: "laneid", argType: stacks - 1 }],
  };
}

const constant = (stackIndex: number, bits: number) => [2 + stackIndex * 65536, bits];
const repeat = (count: number, make: (index: number) => number[]) =>
  Array.from({ length: count }, (_, index) => make(index)).flat();
const names = (count: number, stackOf = (_index: number) => 0) =>
  Array.from({ length: count }, (_, index) => ({ name: `r${index}`, stackIndex: stackOf(index) }));

const SMALL: Setup = { table: SMALL_TABLE, routines: [[3, 0, 1, 0]], limits: undefined };
const SMALL_JOB: Job = {
  program: [3, 0, 7, 0, 1, 1, 4, 1, 2, 7],
  registers: names(2),
  requests: [1, 0],
  executionLimit: undefined,
};

describe("a compile beyond the initial room", () => {
  const random = new Random(1);
  let small: Compilers;
  beforeEach(() => {
    small = makeCompilers(stack, SMALL);
  });

  function same(compilers: Compilers, job: Job): string {
    const { expected, difference } = compare(stack, compilers, job, "parallel", random);
    expect(difference).toBeUndefined();
    return "text" in expected ? expected.text : expected.code;
  }

  /**
   * Compiles a large program twice, with small ones of the same and another compiler in between; returns its
   * text.
   */
  function check(setup: Partial<Setup>, job: Partial<Job>): string {
    const large = makeCompilers(stack, { ...SMALL, routines: [], ...setup });
    const largeJob: Job = { ...SMALL_JOB, ...job };
    const smallForLarge: Job = { ...largeJob, program: largeJob.program.slice(0, 6) };
    same(small, SMALL_JOB);
    same(large, smallForLarge);
    const text = same(large, largeJob);
    same(small, SMALL_JOB);
    same(large, smallForLarge);
    const program = stack.StackProgram.fromWords(Uint32Array.from(largeJob.program));
    const { registers, requests } = largeJob;
    expect(large.parallel.compile(program, { registers, requests }) === text).toBe(true);
    same(large, smallForLarge);
    same(small, SMALL_JOB);
    return text;
  }

  it.each([1000, 1024, 1025, 3000])("is correct with %i stacks", (count) => {
    const registers = names(count, (index) => index);
    const program = repeat(count, (index) => [...constant(index, index), 1, 2 * index]);
    const requests = registers.map((_, index) => index);
    const text = check(
      { table: wideTable(count) },
      { program: [...program, 4, 0], registers, requests: [...requests, count - 1] },
    );
    const last = (count - 1).toString(16).toUpperCase().padStart(8, "0");
    expect(text.includes(`\tnot.b32 %_s${count - 1}_0, 0x${last}U;`)).toBe(true);
  });

  it("is correct with more registers of the stub than have prepared texts", () => {
    const stacks = 40;
    const program = repeat(1200, (step) =>
      repeat(stacks, (index) => (step === 0 ? constant(index, 7) : [1, 2 * index])),
    );
    const registers = names(stacks, (index) => index);
    const requests = registers.map((_, index) => index);
    const text = check({ table: wideTable(stacks) }, { program, registers, requests });
    expect(text.includes("%_s39_1198, %_s39_1197;")).toBe(true);
  });

  it("is correct with 20,000 instructions in the table", () => {
    const table = wideTable(2, 20_000);
    const last = table.instructions.length - 1;
    const program = [...constant(1, 1), ...repeat(300, (index) => [1, last - 2 * index]), ...constant(0, 2)];
    const text = check({ table }, { program, registers: names(2, (index) => index), requests: [0, 1] });
    expect(text.split("last.u32").length - 1).toBe(300);
  });

  it.each(SOAK ? [16_000, 20_000, 40_000] : [20_000])(
    "is correct with %i registers, all of them read and written",
    (count) => {
      const registers = names(count);
      const program = repeat(count, (index) => [3, index]);
      const requests = registers.map((_, index) => index);
      const limits = {
        maxAstSize: 2 ** 24,
        maxVisitDepth: 2 ** 24,
        stackSize: count,
        maxFrameDepth: 4,
        storeSize: 1,
      };
      const text = check({ limits }, { program, registers, requests });
      // The second half reads each register of the first half after it was overwritten.
      expect(text.includes(`.reg .f32 %_s0_<${count / 2}>;`)).toBe(true);
    },
  );

  it("is correct with register names of 1,500,000 characters", () => {
    const registers = ["a", "b"].map((letter) => ({ name: letter.repeat(1_500_000), stackIndex: 0 }));
    const program = [3, 0, 3, 1, 1, 1, 3, 0, 3, 1, 1, 1, 3, 1, 3, 0];
    const text = check({}, { program, registers, requests: [1, 0, 0, 1] });
    expect(text.length).toBeGreaterThan(10 * 1_500_000);
  });

  it("is correct with more registers in each job than in the one before", () => {
    const compilers = makeCompilers(stack, SMALL);
    for (const count of [1, 15, 16, 17, 40, 100, 30, 1000, 3]) {
      const registers = names(count).map(({ name }, index) => ({
        name: `${name}_${count}`,
        stackIndex: index % 2,
      }));
      const program = [3, count - 1, 3, 0, 1, 0, ...repeat(70, () => [1, 0, 3, 0, 1, 1])];
      same(compilers, { ...SMALL_JOB, program, registers, requests: [0, count - 1, 0] });
      same(small, SMALL_JOB);
    }
  });

  it("is correct with a program of 700,000 instructions", () => {
    const program = [3, 0, ...repeat(700_000, (index) => (index % 100 === 99 ? [1, 0] : [6, 1]))];
    const text = check({}, { program, requests: [1] });
    expect(text.split("neg.f32").length - 1).toBe(7000);
  });

  it.runIf(SOAK)("is correct with routines of 600,000 instructions", () => {
    const routines = [repeat(600_000, (index) => (index % 1000 === 0 ? [1, 0] : [6, 1])), [1, 0]];
    const program = [3, 0, 7, 0, 7, 1];
    expect(check({ routines }, { program, requests: [1] }).split("neg.f32").length - 1).toBe(601);
  });

  it.runIf(SOAK)("is correct with 600,000 values, most of which are dead", () => {
    const program = [3, 0, ...repeat(600_000, (index) => (index % 3 === 0 ? [1, 0] : [2, index]))];
    const text = check({}, { program, requests: [1, 1, 1] });
    expect(text.split("mov.f32").length - 1).toBe(3);
  });

  it.each(SOAK ? [300_000, 600_000] : [300_000])("is correct with a walk that needs %i entries", (count) => {
    // A balanced tree needs few entries, a chain needs as many as its length.
    expect(count).toBeGreaterThan(ROOM.parts.visit / Int32Array.BYTES_PER_ELEMENT);
    const program = [3, 0, ...repeat(count, () => [1, 0])];
    expect(check({}, { program, requests: [1] }).includes(`%_s0_<${count}>`)).toBe(true);
  });
});

it.each([true, false])(
  "ends with a typed error if no memory can hold the values (WebAssembly: %s)",
  (webAssembly) => {
    const work = new Workspace(1, stack.DEFAULT_LIMITS, webAssembly ? loopMemory() : undefined);
    work.reset();
    expect(raised(() => work.growNodes(2 ** 29 + 1)).code).toBe("INSUFFICIENT_AST_SIZE");
    expect(raised(() => work.growOrder(2 ** 29 + 1)).code).toBe("INSUFFICIENT_AST_SIZE");
    // It keeps its content, and small programs still compile.
    work.reset();
    expect(work.inMemory).toBe(webAssembly);
  },
);

describe("memory that only a very large compile needed is freed before the next", () => {
  it.each([true, false])("of arrays (WebAssembly: %s)", (webAssembly) => {
    const work = new Workspace(1, stack.DEFAULT_LIMITS, webAssembly ? loopMemory() : undefined);
    work.reset();
    const usual = work.nodes.length;
    work.growNodes(ROOM.keptBytes / 4 + 1);
    expect(work.nodes.length).toBeGreaterThan(ROOM.keptBytes / 4);
    work.reset();
    expect(work.nodes.length).toBeLessThanOrEqual(usual);
  });

  it("of frames", () => {
    const frames = new Frames();
    const usual = frames.suspended.length;
    for (let frame = 0; frame <= ROOM.frames; frame++) frames.enter(frame, 2 * frame);
    expect(frames.suspended.length).toBeGreaterThan(usual);
    expect([frames.leave(), frames.current]).toEqual([2 * ROOM.frames, ROOM.frames - 1]);
    frames.reset();
    expect(frames.suspended.length).toBe(usual);
  });
});
