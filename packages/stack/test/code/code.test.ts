// The words of codes, what codes refuse, and where their constants come from.
import {
  CodeBuffer,
  codeType,
  constantOperation,
  encodeOperation,
  inputOperation,
  operandsOf,
  StraightLineCode,
} from "@mm-ptx/types/code";
import type { StackTable } from "@mm-ptx/types/core";
import { beforeEach, describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { stacks, table } from "../../src/generated/default/index.js";
import {
  constantBits,
  type Instruction,
  input,
  meta,
  ptxInstruction,
  register,
  routine,
  type StackCompileJob,
  StackCompiler,
  StackProgram,
  special,
} from "../../src/index.js";
import { ProgramSampler, Random } from "../../src/random/index.js";
import { runSeed } from "../support/random.js";
import { complaint, raised } from "../support/small-table.js";

const { magic, outputShift, typeShift } = StraightLineCode;
const registers = ["x", "y", "z"].map((name) => register(name, stacks.F32));
const ptx = (text: string): Instruction =>
  ptxInstruction(table.instructions.findIndex(({ ptx }) => ptx === text));
const F32 = codeType("f32");
const f32Input = inputOperation(F32);
const output = (value: number, type = F32): number => value + type * 2 ** typeShift;

let out: CodeBuffer;
beforeEach(() => {
  out = new CodeBuffer();
});

describe.each([true, false])("codes with webAssembly: %s", (webAssembly) => {
  const compiler = new StackCompiler(table, { webAssembly });
  const codeOf = (instructions: Instruction[], job: StackCompileJob): number[] => {
    const start = out.end;
    compiler.compileToCode(StackProgram.of(...instructions), job, out);
    return [...out.words.subarray(start)];
  };

  it("have inputs and constants once, in front of what reads them first", () => {
    const f32 = constantBits(stacks.F32, 0x40490fdb);
    const program = [
      f32,
      meta(stacks.F32, "dup"),
      input(1),
      ptx("fma.rn.ftz.f32"),
      input(1),
      ptx("add.ftz.f32"),
    ];
    expect(codeOf(program, { registers, requests: [2] })).toEqual([
      magic,
      4,
      2 + (1 << outputShift),
      ...[f32Input, 1],
      ...[constantOperation(F32), 0x40490fdb],
      ...[encodeOperation("fma.rn.ftz.f32", 3), 0, 1, 1],
      ...[encodeOperation("add.ftz.f32", 2), 0, 2],
      output(3),
    ]);
  });

  it("have constants in the width of their registers", () => {
    const types = ["PRED", "F16", "B32", "S64", "F64"] as const;
    const job = { registers: types.map((type) => register(type, stacks[type])), requests: [0, 1, 2, 3, 4] };
    const program = types.map((type) => constantBits(stacks[type], 0xfedcba98));
    const [pred, b16, b32, s64, f64] = ["pred", "b16", "b32", "s64", "f64"].map(codeType);
    expect(codeOf(program, job)).toEqual([
      magic,
      5,
      5 << outputShift,
      ...[constantOperation(pred!), 1, constantOperation(b16!), 0xba98, constantOperation(b32!), 0xfedcba98],
      ...[constantOperation(s64!), 0xfedcba98, 0, constantOperation(f64!), 0xfedcba98, 0],
      ...[output(0, pred), output(1, b16), output(2, b32), output(3, s64), output(4, f64)],
    ]);
    const zero = codeOf([constantBits(stacks.PRED, 0)], { ...job, requests: [0] });
    expect(zero.slice(3)).toEqual([constantOperation(pred!), 0, output(0, pred)]);
  });

  it("have the second result of a comparison as a negation", () => {
    const second = table.instructions.findIndex(
      ({ ptx, results }) => ptx === "setp.lt.ftz.f32" && results.length === 2,
    );
    const job = {
      registers: [...registers, register("p", stacks.PRED), register("q", stacks.PRED)],
      requests: [3, 4],
    };
    const pred = codeType("pred");
    // The first result is on top.
    expect(codeOf([input(0), input(1), ptxInstruction(second)], job).slice(3)).toEqual([
      ...[f32Input, 1, f32Input, 0],
      ...[encodeOperation("setp.lt.ftz.f32", 2), 0, 1],
      ...[encodeOperation("not.pred", 1), 2],
      ...[output(2, pred), output(3, pred)],
    ]);
  });

  it("return the input of a register that the stub does not write", () => {
    expect(codeOf([], { registers, requests: [2, 0] })).toEqual([
      ...[magic, 2, 3 + (2 << outputShift)],
      ...[f32Input, 2, f32Input, 0],
      ...[output(0), output(1)],
    ]);
    expect(codeOf([input(1)], { registers, requests: [0, 0] }).slice(3)).toEqual([
      f32Input,
      1,
      output(0),
      output(0),
    ]);
    expect(codeOf([input(1)], { registers, requests: [] })).toEqual([magic, 0, 0]);
  });

  it("leave out values that copies overwrite", () => {
    const program = [input(0), ptx("neg.ftz.f32"), input(1), ptx("abs.ftz.f32")];
    expect(codeOf(program, { registers, requests: [2, 2] }).slice(1)).toEqual([
      ...[2, 1 + (2 << outputShift)],
      ...[f32Input, 0, encodeOperation("neg.ftz.f32", 1), 0],
      ...[output(1), output(1)],
    ]);
  });

  it("are appended to those before", () => {
    const first = codeOf([input(0)], { registers, requests: [0] });
    const second = codeOf([input(1), input(0), ptx("add.ftz.f32")], { registers, requests: [0] });
    expect([...out.words]).toEqual([...first, ...second]);
    expect([...out.offsets]).toEqual([0, first.length, first.length + second.length]);
    out.clear();
    expect(codeOf([input(0)], { registers, requests: [0] })).toEqual(first);
    expect([...out.offsets]).toEqual([0, first.length]);
  });

  it("can be longer than the memory at the start", () => {
    const step = [input(1), ptx("add.ftz.f32")];
    const steps = Array.from({ length: 300_000 }, () => step).flat();
    const words = Uint32Array.from([input(0), ...steps].flatMap(({ head, payload }) => [head, payload]));
    compiler.compileToCode(StackProgram.fromWords(words), { registers, requests: [0] }, out);
    expect(out.words[1]).toBe(300_002);
    const add = encodeOperation("add.ftz.f32", 2);
    expect([...out.words.subarray(-4)]).toEqual([add, 0, 300_000, output(300_001)]);
  });
});

describe("refused are", () => {
  const compiler = new StackCompiler(table);
  const vector = table.instructions.findIndex(
    ({ ptx, args }) => ptx === "mov.b32" && table.argTypes[args[0]!]!.vectorElements > 0,
  );
  const mma = table.instructions.findIndex(({ ptx }) => ptx.startsWith("mma."));
  const refused = (instructions: Instruction[], job: StackCompileJob, by = compiler) => {
    const found = raised(() => by.compileToCode(StackProgram.of(...instructions), job, out));
    expect([out.count, out.end]).toEqual([0, 0]);
    return found;
  };

  it("live instructions on vectors, with their place", () => {
    const { args, results } = table.instructions[vector]!;
    const { stackIndex, vectorElements } = table.argTypes[args[0]!]!;
    const operands = Array.from({ length: vectorElements }, () => input(0));
    const job = {
      registers: [register("a", stackIndex), register("b", table.argTypes[results[0]!]!.stackIndex)],
      requests: [1],
    };
    expect(refused([meta(0, "dup"), ...operands, ptxInstruction(vector)], job)).toEqual({
      code: "UNSUPPORTED_INSTRUCTION",
      message: `expected instructions on single values, found \`mov.b32\` (instruction ${operands.length + 1})`,
      place: { routine: undefined, instruction: operands.length + 1 },
    });
  });

  it("matrix instructions, special registers, and what routines make", () => {
    const { args, ptx: name } = table.instructions[mma]!;
    const values = args.flatMap((type) => {
      const { stackIndex, vectorElements } = table.argTypes[type]!;
      return Array.from({ length: vectorElements }, () => constantBits(stackIndex, 0));
    });
    const job = { registers, requests: [0] };
    const place = { routine: undefined, instruction: values.length };
    expect(refused([...values, ptxInstruction(mma)], job)).toMatchObject({
      place,
      message: expect.stringContaining(name),
    });
    const tid = table.specialRegisters.findIndex(({ ptx }) => ptx === "laneid");
    const u32 = { registers: [register("u", stacks.U32)], requests: [0] };
    expect(refused([special(tid)], u32).message).toContain("`%laneid` (instruction 0)");
    const routines = [StackProgram.of(), StackProgram.of(input(0), special(tid))];
    expect(refused([routine(1)], u32, new StackCompiler(table, { routines }))).toMatchObject({
      place: { routine: 1, instruction: 1 },
    });
    compiler.compileToCode(StackProgram.of(special(tid), input(0)), u32, out);
    expect(out.count).toBe(1);
  });

  it("registers of types that codes do not have", () => {
    const wide: StackTable = {
      ...table,
      stackTypes: [{ name: "B128", literalPrefix: "b128" }],
      argTypes: [],
      instructions: [],
      specialRegisters: [],
    };
    const job = { registers: [register("q", 0)], requests: [0] };
    const by = new StackCompiler(wide);
    const message = "expected instructions on single values, found `.b128`";
    for (const program of [[], [input(0)], [constantBits(0, 1)]]) {
      expect(refused(program, job, by)).toEqual({
        code: "UNSUPPORTED_INSTRUCTION",
        message,
        place: undefined,
      });
    }
  });

  it("more registers and requests than the format has numbers for", () => {
    const many = Array.from({ length: 65536 }, (_, index) => register(`r${index}`, stacks.F32));
    expect(
      complaint(() => compiler.compileToCode(StackProgram.of(), { registers: many, requests: [] }, out)),
    ).toBe("INVALID_ARGUMENT: expected at most 65535 registers, found 65536");
    const requests = new Uint8Array(65536);
    expect(complaint(() => compiler.compileToCode(StackProgram.of(), { registers, requests }, out))).toBe(
      "INVALID_ARGUMENT: expected at most 65535 requests, found 65536",
    );
    expect(out.count).toBe(0);
  });

  it("arguments of other kinds", () => {
    expect(
      complaint(() =>
        compiler.compileToCode(StackProgram.of(), { registers, requests: [] }, {} as CodeBuffer),
      ),
    ).toBe("INVALID_ARGUMENT: expected a CodeBuffer to append to, found an object");
    const job = { registers, requests: [3] };
    expect(raised(() => compiler.constantPlaces(StackProgram.of(), job)).code).toBe(
      "REGISTER_IDX_OUT_OF_BOUNDS",
    );
    expect(raised(() => compiler.compileToCode([] as unknown as StackProgram, job, out)).code).toBe(
      "INVALID_ARGUMENT",
    );
  });
});

describe("places of constants", () => {
  it("are the indices of their instructions, or -1 in routines", () => {
    const routines = [StackProgram.of(constantBits(stacks.F32, 3), ptx("mul.ftz.f32"))];
    const compiler = new StackCompiler(table, { routines });
    const bits = constantBits(stacks.F32, 3);
    const program = StackProgram.of(
      bits,
      bits,
      routine(0),
      ptx("add.ftz.f32"),
      bits,
      constantBits(stacks.PRED, 9),
    );
    const job = { registers: [...registers, register("p", stacks.PRED)], requests: [0, 1, 3] };
    compiler.compileToCode(program, job, out);
    const places = compiler.constantPlaces(program, job);
    expect([...places].sort((a, b) => a - b)).toEqual([-1, 0, 1, 4, 5]);
    expect(constantsOf(out.words)).toHaveLength(places.length);
    const floats = compiler.constantPlaces(program, job, "f32");
    expect([...floats]).toEqual([...places].filter((place) => place !== 5));
    expect([...compiler.constantPlaces(program, job, "pred")]).toEqual([5]);
    const error = raised(() => compiler.constantPlaces(program, job, "float"));
    expect(error.message).toBe("expected the name of a type of straight-line code, found `float`");
  });

  it("are where a constant can be replaced, in random programs", () => {
    const seed = runSeed();
    const random = new Random(seed);
    const jobs = { registers: [...registers, register("u", stacks.U32)], requests: [2, 3] };
    const sampler = new ProgramSampler(table, {
      length: { min: 5, max: 60 },
      registers: jobs.registers,
      routines: 1,
      instructions: ({ ptx, args, results }) =>
        Number(results.length === 1 && encodeOperation(ptx, args.length) !== 0 && !ptx.startsWith("mma")),
    });
    const routines = [StackProgram.of(constantBits(stacks.F32, 0x7f123456), ptx("add.ftz.f32"))];
    const compiler = new StackCompiler(table, { routines });
    let replaced = 0;
    for (let index = 0; index < smoke(20_000); index++) {
      const program = sampler.program(random);
      let places: Int32Array;
      try {
        places = compiler.constantPlaces(program, jobs);
      } catch (error) {
        expect(error).toMatchObject({ code: "UNSUPPORTED_INSTRUCTION" });
        continue;
      }
      const words = program.words.slice();
      places.forEach((place, constant) => {
        if (place >= 0) words[2 * place + 1] = constant;
      });
      out.clear();
      compiler.compileToCode(StackProgram.fromWords(words), jobs, out);
      expect(constantsOf(out.words), `seed ${seed}, case ${index}`).toEqual(
        [...places].map((place, constant) => (place < 0 ? 0x7f123456 : constant)),
      );
      replaced += places.length;
    }
    expect(replaced).toBeGreaterThan(0);
  });
});

/** The bits of the f32 and u32 constants of a code whose operations have at most four operands. */
function constantsOf(words: Uint32Array): number[] {
  const constants: number[] = [];
  let at: number = StraightLineCode.headerWords;
  for (let item = 0; item < words[1]!; item++) {
    const name = words[at]! & StraightLineCode.operation.nameMask;
    if (name === StraightLineCode.operation.constant) constants.push(words[at + 1]!);
    at += 1 + operandsOf(words[at]!);
  }
  return constants;
}
