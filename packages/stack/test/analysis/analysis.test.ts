// Analyses, traces and signatures of programs written by hand.
import { describe, expect, it } from "vitest";
import {
  constantF32,
  input,
  load,
  meta,
  metaConstant,
  ptxInstruction,
  register,
  returnInstruction,
  routine,
  StackCompiler,
  StackProgram,
  special,
  store,
} from "../../src/index.js";
import { ADD, complaint, F32, NEG, SMALL_TABLE, U32 } from "../support/small-table.js";

const registers = [register("x", F32), register("y", F32), register("n", U32)];
const neg = ptxInstruction(NEG);
const add = ptxInstruction(ADD);

describe("analyze", () => {
  it("reports what a stub does not show", () => {
    const compiler = new StackCompiler(SMALL_TABLE, {
      routines: [StackProgram.of(input(1), neg), StackProgram.of(routine(0))],
      limits: { stackSize: 4, maxFrameDepth: 2 },
    });
    const program = StackProgram.of(
      add, // too few arguments
      input(0),
      constantF32(F32, 1),
      add,
      routine(0),
      routine(1), // runs, but what it runs is one frame too many
      constantF32(F32, 2),
      metaConstant(1),
      meta(F32, "drop"), // drops the constant
      meta(F32, "yankDup"), // no number
      metaConstant(9),
      meta(F32, "replace"), // nine values down there is nothing
      special(1),
      special(0),
      special(0), // the fifth value of a stack of four
      load(3), // nothing was stored
      store(U32, 5),
      meta(U32, "clear"),
      store(U32, 6), // the stack is empty
      add,
      returnInstruction,
      neg, // behind the return
    );
    const analysis = compiler.analyze(program, { registers, requests: [0, 1, 2] });
    expect(compiler.compile(program, { registers, requests: [0, 1, 2] })).toBe(
      [
        "\t{",
        "\t.reg .f32 %_s0_<3>;",
        "\tneg.f32 %_s0_0, %y;",
        "\tadd.f32 %_s0_1, 0f3F800000, %x;",
        "\tadd.f32 %_s0_2, %_s0_0, %_s0_1;",
        "\tmov.f32 %x, %_s0_2;",
        "\t}",
      ].join("\n"),
    );
    expect(analysis).toEqual({
      live: [1, 2, 3, 19],
      dead: [0, 6, 12, 13, 14, 21],
      routines: [
        { live: [0, 1], dead: [] },
        { live: [], dead: [] },
      ],
      lines: 3,
      depth: 2,
      registers: [3, 0],
      savedRegisters: 0,
      inputs: [0, 1],
      constants: 1,
      specials: [],
      unfilledRequests: [1, 2],
      fetched: 26,
      unreached: 1,
      executionLimitHit: false,
      astEntries: 17,
      droppedPushes: [0, 1],
      ignored: { ptx: 1, meta: 2, metaConstant: 0, routine: 1, store: 1, load: 1 },
      lostNumbers: 1,
      leftovers: { stacks: [0, 0], meta: 0, slots: [5] },
    });
  });

  it("counts registers that are saved before the copies", () => {
    const program = StackProgram.of(input(0), input(1));
    const job = { registers, requests: [0, 1] };
    const of = (requestCopies: "parallel" | "sequential") =>
      new StackCompiler(SMALL_TABLE, { requestCopies }).analyze(program, job);
    expect(of("parallel")).toMatchObject({ registers: [1, 0], savedRegisters: 1, lines: 0 });
    expect(of("sequential")).toMatchObject({ registers: [0, 0], savedRegisters: 0, lines: 0 });
  });

  it("reports where the execution limit stopped the program", () => {
    const program = StackProgram.of(input(0), neg, neg, neg);
    const compiler = new StackCompiler(SMALL_TABLE);
    const of = (executionLimit: number) => {
      const analysis = compiler.analyze(program, { registers, requests: [0], executionLimit });
      const { executionLimitHit, fetched, unreached, depth } = analysis;
      return { executionLimitHit, fetched, unreached, depth };
    };
    expect(of(5)).toEqual({ executionLimitHit: false, fetched: 5, unreached: 0, depth: 3 });
    expect(of(4)).toEqual({ executionLimitHit: true, fetched: 4, unreached: 0, depth: 3 });
    expect(of(2)).toEqual({ executionLimitHit: true, fetched: 2, unreached: 2, depth: 1 });
    expect(of(0)).toEqual({ executionLimitHit: true, fetched: 0, unreached: 4, depth: 0 });
  });

  it("analyzes a chain of 100,000 instructions", () => {
    const steps = Array.from({ length: 200_000 }, (_, index) => (index % 2 === 0 ? input(0) : add));
    const program = StackProgram.fromWords(
      Uint32Array.from([input(0), ...steps].flatMap(({ head, payload }) => [head, payload])),
    );
    for (const webAssembly of [true, false]) {
      const compiler = new StackCompiler(SMALL_TABLE, { webAssembly });
      const analysis = compiler.analyze(program, { registers, requests: [0] });
      expect([analysis.lines, analysis.depth, analysis.dead]).toEqual([100_000, 100_000, []]);
    }
  });
});

describe("trace", () => {
  it("shows the stacks after each instruction, and says why one did nothing", () => {
    const compiler = new StackCompiler(SMALL_TABLE, {
      routines: [StackProgram.of(routine(0), special(0))],
      limits: { stackSize: 2, maxFrameDepth: 2 },
    });
    const program = StackProgram.of(
      add,
      input(0),
      meta(F32, "dup"),
      meta(F32, "dup"),
      constantF32(F32, 1),
      add,
      store(F32, 1),
      store(F32, 1),
      load(0),
      load(1),
      neg,
      meta(F32, "drop"),
      metaConstant(7),
      metaConstant(8),
      metaConstant(9),
      meta(F32, "yankDup"),
      routine(0),
      special(1),
    );
    const trace = compiler.trace(program, { registers, requests: [0, 1] }, { longestText: 12 });
    const shown = trace.steps.map(({ routine, index, frames, instruction, remark, stacks, meta, slots }) => {
      const values = stacks
        .map((stack) => stack.map(({ id, text }) => `${id}=${text}`).join(" "))
        .join(" | ");
      const slotTexts = slots.map(({ slot, value }) => `${slot}:${value.id}`).join(" ");
      const where = `${routine ?? "-"}:${index}/${frames}`;
      return `${where} ${instruction.type} [${values}] [${meta.join(" ")}] [${slotTexts}] ${remark}`;
    });
    expect(shown).toEqual([
      "-:0/1 ptx [ | ] [] [] needs 2 values of F32, found 0",
      "-:1/1 input [0=%x | ] [] [] ",
      "-:2/1 meta [0=%x 0=%x | ] [] [] ",
      "-:3/1 meta [0=%x 0=%x | ] [] [] F32 is full",
      "-:4/1 constant [0=%x 0=%x | ] [] [] F32 is full and drops 1 of the values pushed",
      "-:5/1 ptx [1=add.f32(%x,… | ] [] [] ",
      "-:6/1 store [ | ] [] [1:1] ",
      "-:7/1 store [ | ] [] [1:1] needs 1 value of F32, found 0",
      "-:8/1 load [ | ] [] [1:1] slot 0 is empty",
      "-:9/1 load [1=add.f32(%x,… | ] [] [1:1] ",
      "-:10/1 ptx [2=neg.f32(add… | ] [] [1:1] ",
      "-:11/1 meta [2=neg.f32(add… | ] [] [1:1] the meta stack is empty",
      "-:12/1 metaConstant [2=neg.f32(add… | ] [7] [1:1] ",
      "-:13/1 metaConstant [2=neg.f32(add… | ] [7 8] [1:1] ",
      "-:14/1 metaConstant [2=neg.f32(add… | ] [7 8] [1:1] the meta stack is full",
      "-:15/1 meta [2=neg.f32(add… | ] [7] [1:1] needs 9 values of F32, found 1; 8 is popped from the meta stack anyway",
      "-:16/1 routine [2=neg.f32(add… | ] [7] [1:1] ",
      "0:0/2 routine [2=neg.f32(add… | ] [7] [1:1] routines are nested too deeply",
      "0:1/2 special [2=neg.f32(add… | 3=%laneid] [7] [1:1] ",
      "0:2/2 return [2=neg.f32(add… | 3=%laneid] [7] [1:1] ",
      "-:17/1 special [2=neg.f32(add… | 3=%laneid 4=%tid.x] [7] [1:1] U32 is full and drops 2 of the values pushed",
      "-:18/1 return [2=neg.f32(add… | 3=%laneid 4=%tid.x] [7] [1:1] ",
    ]);
    expect(trace.executionLimitHit).toBe(false);
    expect(trace.requests).toEqual([
      { register: "x", stack: F32, value: { id: 2, text: "neg.f32(add…" } },
      { register: "y", stack: F32, value: undefined },
    ]);
    expect(structuredClone(trace)).toEqual(trace);
  });

  it("reuses the stacks that an instruction leaves unchanged", () => {
    const { steps } = new StackCompiler(SMALL_TABLE).trace(
      StackProgram.of(input(0), special(0), special(0)),
      {
        registers,
        requests: [],
      },
    );
    expect(steps[1]!.stacks[F32]).toBe(steps[0]!.stacks[F32]);
    expect(steps[2]!.stacks[U32]).not.toBe(steps[1]!.stacks[U32]);
  });

  it("stops after 2^16 instructions unless the job says otherwise", () => {
    const deep = Array.from({ length: 45 }, () => routine(0));
    const compiler = new StackCompiler(SMALL_TABLE, {
      routines: [StackProgram.of(...deep)],
      limits: { maxFrameDepth: 3 },
    });
    const program = StackProgram.of(...deep);
    const job = { registers, requests: [] };
    const { steps, executionLimitHit } = compiler.trace(program, job);
    expect([steps.length, executionLimitHit]).toEqual([2 ** 16, true]);
    const all = compiler.trace(program, { ...job, executionLimit: 10 ** 7 });
    expect([all.steps.length, all.executionLimitHit]).toEqual([
      compiler.analyze(program, job).fetched,
      false,
    ]);
  });

  it.each<[string, unknown, string]>([
    [
      "a misspelt option",
      { longestTex: 9 },
      "INVALID_ARGUMENT: unknown option `longestTex`, did you mean `longestText`",
    ],
    [
      "no room for text",
      { longestText: 0 },
      "INVALID_ARGUMENT: option `longestText`: expected a whole number from 1 to 1048576, found 0",
    ],
    ["no options", null, "INVALID_ARGUMENT: expected options as an object, found null"],
  ])("refuses %s", (_, options, message) => {
    const compiler = new StackCompiler(SMALL_TABLE);
    const job = { registers, requests: [] };
    expect(complaint(() => compiler.trace(StackProgram.of(), job, options as object))).toContain(message);
  });
});

describe("signature", () => {
  const compiler = new StackCompiler(SMALL_TABLE);
  const job = { registers, requests: [0] };

  it("is the same on every machine and a deliberate choice to change", () => {
    const program = StackProgram.of(input(0), constantF32(F32, 1), add, special(1), neg);
    expect(compiler.signature(program, job)).toBe("8b8a4b1514cd5baa2d1222d45ab9b6e2");
    expect(compiler.signature(StackProgram.of(), job)).toBe("e028ae414772b0844772b0844772b084");
    const frameless = new StackCompiler(SMALL_TABLE, { limits: { maxFrameDepth: 0 } });
    expect(frameless.signature(program, job)).toBe("0".repeat(32));
  });

  it("has the hexadecimal digits of its words", () => {
    const program = StackProgram.of(input(0), neg);
    const words = new Uint32Array(5).fill(7);
    compiler.signatureInto(program, job, words);
    const digits = [...words.subarray(0, 4)].map((word) => word.toString(16).padStart(8, "0"));
    expect(digits.join("")).toBe(compiler.signature(program, job));
    expect(words[4]).toBe(7);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["an array", [0, 0, 0, 0]],
    ["three words", new Uint32Array(3)],
    ["signed words", new Int32Array(4)],
  ])("refuses %s to write to", (_, words) => {
    expect(complaint(() => compiler.signatureInto(StackProgram.of(), job, words as Uint32Array))).toMatch(
      /^INVALID_ARGUMENT: expected a Uint32Array of at least 4 words to write to, found /,
    );
  });

  it("changes with every bit of a constant", () => {
    const bits = new Uint32Array(1);
    const constant = { head: 2 + F32 * 65536, payload: 0 };
    const signatures = new Set<string>();
    for (let bit = -1; bit < 32; bit++) {
      bits[0] = bit < 0 ? 0 : 1 << bit;
      const program = StackProgram.of({ ...constant, payload: bits[0]! }, neg);
      signatures.add(compiler.signature(program, job));
    }
    expect(signatures.size).toBe(33);
  });
});
