// Every error that a compile can end with: its code, its message, and the instruction that it names.
import type { StackType } from "@mm-ptx/types/core";
import { describeValue } from "@mm-ptx/types/internal";
import { describe, expect, it } from "vitest";
import {
  constantBits,
  type Instruction,
  input,
  load,
  meta,
  ptxInstruction,
  register,
  routine,
  type StackCompileJob,
  StackCompiler,
  type StackCompilerOptions,
  StackProgram,
  type StackRegister,
  special,
  store,
} from "../src/index.js";
import { ADD, complaint, F32, NEG, raised, SMALL_TABLE, U32 } from "./support/small-table.js";

const x = register("x", F32);
const none: StackCompileJob = { registers: [], requests: [] };

function compiling(instructions: Instruction[], job = none, options: StackCompilerOptions = {}) {
  return () => new StackCompiler(SMALL_TABLE, options).compile(StackProgram.of(...instructions), job);
}

const raw = (type: number, aux = 0, payload = 0): Instruction => ({ head: type + aux * 65536, payload });
const one = constantBits(F32, 1);

describe("errors of an instruction", () => {
  it.each<[string, Instruction[], StackCompilerOptions, string]>([
    [
      "an invalid type",
      [one, raw(0)],
      {},
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN: expected a known instruction type, found 0 (instruction 1)",
    ],
    [
      "a type of the reference's own",
      [raw(8)],
      {},
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN: expected a known instruction type, found 8 (instruction 0)",
    ],
    [
      "an unknown type",
      [raw(0xffff)],
      {},
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN: expected a known instruction type, found 65535 (instruction 0)",
    ],
    [
      "a PTX instruction that is not there",
      [one, one, ptxInstruction(2)],
      {},
      "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS: ptx instruction 2 is out of range: expected 0 to 1 (instruction 2)",
    ],
    [
      "the largest index",
      [raw(1, 0, 0xffffffff)],
      {},
      "PTX_INSTRUCTION_IDX_OUT_OF_BOUNDS: ptx instruction 4294967295 is out of range: expected 0 to 1 (instruction 0)",
    ],
    [
      "an input where there are no registers",
      [input(0)],
      {},
      "REGISTER_IDX_OUT_OF_BOUNDS: input 0 is out of range: there are no inputs (instruction 0)",
    ],
    [
      "a constant on a stack that is not there",
      [constantBits(2, 1)],
      {},
      "STACK_IDX_OUT_OF_BOUNDS: stack 2 is out of range: expected 0 to 1 (instruction 0)",
    ],
    [
      "a special register that is not there",
      [special(2)],
      {},
      "SPECIAL_REGISTER_IDX_OUT_OF_BOUNDS: special register 2 is out of range: expected 0 to 1 (instruction 0)",
    ],
    [
      "a meta operation on a stack that is not there, whatever the operation",
      [raw(5, 2, 99)],
      {},
      "STACK_IDX_OUT_OF_BOUNDS: stack 2 is out of range: expected 0 to 1 (instruction 0)",
    ],
    [
      "an unknown meta operation",
      [raw(5, 1, 9)],
      {},
      "META_INSTRUCTION_IDX_OUT_OF_BOUNDS: meta operation 9 is out of range: expected 0 to 8 (instruction 0)",
    ],
    [
      "a routine that is not there",
      [routine(0)],
      {},
      "ROUTINES_IDX_OUT_OF_BOUNDS: routine 0 is out of range: there are no routines (instruction 0)",
    ],
    [
      "a routine that is not there, at a depth that runs none",
      [routine(1)],
      { routines: [StackProgram.of()], limits: { maxFrameDepth: 1 } },
      "ROUTINES_IDX_OUT_OF_BOUNDS: routine 1 is out of range: expected 0 to 0 (instruction 0)",
    ],
    [
      "a store from a stack that is not there to a slot that is not there",
      [store(2, 16)],
      {},
      "STACK_IDX_OUT_OF_BOUNDS: stack 2 is out of range: expected 0 to 1 (instruction 0)",
    ],
    [
      "a store to a slot that is not there, even of nothing",
      [store(U32, 16)],
      {},
      "STORE_IDX_OUT_OF_BOUNDS: slot 16 is out of range: expected 0 to 15 (instruction 0)",
    ],
    [
      "a load of a slot that is not there",
      [load(3)],
      { limits: { storeSize: 3 } },
      "LOAD_IDX_OUT_OF_BOUNDS: slot 3 is out of range: expected 0 to 2 (instruction 0)",
    ],
    [
      "more AST entries than the limit",
      [one, one, ptxInstruction(ADD)],
      { limits: { maxAstSize: 4 } },
      "INSUFFICIENT_AST_SIZE: expected at most 4 AST entries (limit `maxAstSize`), found a program that needs more (instruction 2)",
    ],
    [
      "more elements than the limit",
      [special(1)],
      { limits: { maxAstSize: 2 } },
      "INSUFFICIENT_AST_SIZE: expected at most 2 AST entries (limit `maxAstSize`), found a program that needs more (instruction 0)",
    ],
    [
      "an error in a routine",
      [one, routine(1)],
      { routines: [StackProgram.of(), StackProgram.of(one, meta(F32, "dup"), load(16))] },
      "LOAD_IDX_OUT_OF_BOUNDS: slot 16 is out of range: expected 0 to 15 (routine 1, instruction 2)",
    ],
    [
      "an error after a routine",
      [routine(0), load(16)],
      { routines: [StackProgram.of(one)] },
      "LOAD_IDX_OUT_OF_BOUNDS: slot 16 is out of range: expected 0 to 15 (instruction 1)",
    ],
  ])("names %s", (_, instructions, options, message) => {
    expect(complaint(compiling(instructions, none, options))).toBe(message);
  });

  it("has the place as numbers", () => {
    const routines = [StackProgram.of(one, load(16))];
    expect(raised(compiling([one, routine(0)], none, { routines })).place).toEqual({
      routine: 0,
      instruction: 1,
    });
    expect(raised(compiling([one, load(16)])).place).toEqual({ routine: undefined, instruction: 1 });
  });

  it("does not count instructions that do nothing", () => {
    const limits = { maxAstSize: 2 };
    expect(compiling([one, ptxInstruction(ADD), one, meta(F32, "dup")], none, { limits })()).toBe("\t{\n\t}");
    const full = { maxAstSize: 2, stackSize: 1 };
    expect(complaint(compiling([one, one, one], none, { limits: full }))).toMatch(
      /^INSUFFICIENT_AST_SIZE.*\(instruction 2\)$/,
    );
  });
});

describe("errors of registers and requests", () => {
  it("names a register whose stack does not exist only when it is used", () => {
    const registers = [x, register("y", 2)];
    expect(compiling([input(0)], { registers, requests: [0] })()).toBe("\t{\n\tmov.f32 %x, %x;\n\t}");
    expect(complaint(compiling([input(1)], { registers, requests: [] }))).toBe(
      "STACK_IDX_OUT_OF_BOUNDS: stack 2 is out of range: expected 0 to 1 (instruction 0)",
    );
    const error = raised(compiling([], { registers, requests: [1] }));
    expect([error.code, error.place]).toEqual(["STACK_IDX_OUT_OF_BOUNDS", undefined]);
    expect(error.message).toMatch(/^request 0 .*stack 2.*expected 0 to 1/);
  });

  it.each([1, -1, 0.5, Number.NaN, 2 ** 32, "0" as unknown as number])("refuses request %s", (request) => {
    const error = raised(compiling([one], { registers: [x], requests: [0, request] }));
    expect([error.code, error.place]).toEqual(["REGISTER_IDX_OUT_OF_BOUNDS", undefined]);
    expect(error.message).toContain(`request 1 names register ${describeValue(request)}:`);
  });

  it("refuses a request of an exhausted stack only when its register is wrong", () => {
    expect(compiling([], { registers: [x], requests: [0, 0] })()).toBe("\t{\n\t}");
  });

  it("refuses a request on a stack whose registers no `mov` can write, unless the text is to be that of 1.1.1", () => {
    const [f32, u32] = SMALL_TABLE.stackTypes as [StackType, StackType];
    const table = { ...SMALL_TABLE, stackTypes: [f32, { ...u32, literalPrefix: "u8" }] };
    const job = { registers: [x, register("y", U32)], requests: [0, 1] };
    const compiler = new StackCompiler(table);
    const message =
      "INVALID_ARGUMENT: request 1 names register 1 of stack 1, whose registers no `mov` can write";
    for (const program of [StackProgram.of(), StackProgram.of(constantBits(U32, 1))]) {
      expect(complaint(() => compiler.compile(program, job))).toBe(message);
      expect(complaint(() => compiler.signature(program, job))).toBe(message);
    }
    expect(compiler.compile(StackProgram.of(constantBits(U32, 1)), { ...job, requests: [0] })).toBe(
      "\t{\n\t}",
    );
    const reference = new StackCompiler(table, { requestCopies: "sequential" });
    expect(reference.compile(StackProgram.of(constantBits(U32, 1)), job)).toContain("mov.u8 %y, 0x00000001;");
  });

  it("refuses more requested values, or a deeper walk, than the visit limit", () => {
    const message =
      "INSUFFICIENT_AST_VISIT_SIZE: expected at most 2 entries to visit (limit `maxVisitDepth`), found a live computation that needs more";
    const limits = { maxVisitDepth: 2 };
    const job = { registers: [x], requests: [0, 0, 0] };
    expect(complaint(compiling([one, one, one], job, { limits }))).toBe(message);
    const chain = [input(0), ...Array.from({ length: 3 }, () => ptxInstruction(NEG))];
    const single = { registers: [x], requests: [0] };
    expect(complaint(compiling(chain, single, { limits }))).toBe(message);
    expect(compiling(chain.slice(0, 3), single, { limits })()).toContain("neg.f32 %_s0_1, %_s0_0;");
  });

  it.each<[string, unknown, string]>([
    ["no registers", undefined, "expected `registers` as an array, found undefined"],
    [
      "a register without a name",
      [{ stackIndex: 0 }],
      "expected a register name without `%`, found undefined",
    ],
    [
      "a name with a space",
      [{ name: "a b", stackIndex: 0 }],
      "expected a register name without `%`, found `a b`",
    ],
    [
      "a name that ends the line",
      [{ name: "a;\n", stackIndex: 0 }],
      "expected a register name without `%`, found `a;\\n`",
    ],
    ["an empty name", [{ name: "", stackIndex: 0 }], "expected a register name without `%`, found ``"],
    [
      "a fractional stack",
      [{ name: "a", stackIndex: 0.5 }],
      "expected an integer from 0 to 65535 as stack index of register `a`, found 0.5",
    ],
    [
      "a negative stack",
      [{ name: "a", stackIndex: -1 }],
      "expected an integer from 0 to 65535 as stack index of register `a`, found -1",
    ],
  ])("refuses %s", (_, registers, message) => {
    const job = { registers: registers as StackRegister[], requests: [] };
    expect(complaint(compiling([], job))).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it.each([[null], [[null]], [["x"]], [5]])("refuses %j as registers with a typed error", (registers) => {
    const job = { registers: registers as unknown as StackRegister[], requests: [] };
    expect(raised(compiling([], job)).code).toBe("INVALID_ARGUMENT");
  });

  it.each([[null], [undefined], [5]])("refuses %j as requests with a typed error", (requests) => {
    const job = { registers: [x], requests: requests as unknown as number[] };
    expect(raised(compiling([], job)).code).toBe("INVALID_ARGUMENT");
  });

  it.each([[null], [undefined], [{}], ["abc"]])(
    "refuses %j as a program or job with a typed error",
    (value) => {
      const compiler = new StackCompiler(SMALL_TABLE);
      expect(raised(() => compiler.compile(value as unknown as StackProgram, none)).code).toBe(
        "INVALID_ARGUMENT",
      );
      if (typeof value !== "object" || value === null) {
        const job = value as unknown as StackCompileJob;
        expect(raised(() => compiler.compile(StackProgram.of(), job)).code).toBe("INVALID_ARGUMENT");
      }
    },
  );

  it.each([-1, Number.NaN, "many" as unknown as number, null as unknown as number])(
    "refuses %s as execution limit",
    (executionLimit) => {
      expect(complaint(compiling([], { ...none, executionLimit }))).toBe(
        `INVALID_ARGUMENT: expected a number of at least 0 as \`executionLimit\`, found ${typeof executionLimit === "string" ? "`many`" : executionLimit}`,
      );
    },
  );
});

it("refuses a misspelt property of a job", () => {
  const job = { ...none, executionlimit: 3 } as StackCompileJob;
  expect(complaint(compiling([], job))).toBe(
    "INVALID_ARGUMENT: unknown property `executionlimit` of a job, did you mean `executionLimit`?",
  );
});

describe("a compile that fails", () => {
  it("does not affect the next one", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { limits: { maxVisitDepth: 3 } });
    const job = { registers: [x, register("y", U32)], requests: [0, 1] };
    const good = StackProgram.of(input(0), ptxInstruction(NEG), special(0));
    const expected =
      "\t{\n\t.reg .f32 %_s0_<1>;\n\t.reg .u32 %_s1_<1>;\n\tmov.u32 %_s1_0, %laneid;\n\tneg.f32 %_s0_0, %x;\n\tmov.f32 %x, %_s0_0;\n\tmov.u32 %y, %_s1_0;\n\t}";
    expect(compiler.compile(good, job)).toBe(expected);
    const deep = Array.from({ length: 9 }, () => ptxInstruction(NEG));
    for (const bad of [[one, raw(0)], [input(0), ...deep], [store(0, 99)], [input(0), input(7)]]) {
      expect(() => compiler.compile(StackProgram.of(...bad), job)).toThrow();
      expect(compiler.compile(good, job)).toBe(expected);
    }
    expect(() => compiler.compile(good, { ...job, registers: [{ name: "%", stackIndex: 0 }] })).toThrow();
    expect(compiler.compile(good, job)).toBe(expected);
  });
});
