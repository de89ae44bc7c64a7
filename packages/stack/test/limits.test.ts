// Limits, options, and programs close to the limits.
import { describe, expect, it } from "vitest";
import {
  constantBits,
  DEFAULT_EXECUTION_LIMIT,
  DEFAULT_LIMITS,
  input,
  meta,
  metaConstant,
  ptxInstruction,
  REFERENCE_LIMITS,
  register,
  routine,
  StackCompiler,
  type StackCompilerOptions,
  StackProgram,
  store,
} from "../src/index.js";
import { ADD, complaint, F32, NEG, raised, SMALL_TABLE } from "./support/small-table.js";

const registers = [register("x", F32), register("y", F32)];
const job = { registers, requests: [1] };

/** `x`, then `count` instructions, each of which reads the result of the one before. */
function chain(count: number, instruction = NEG): StackProgram {
  const words = new Uint32Array(2 + 2 * count);
  words.set([3, 0]);
  for (let index = 0; index < count; index++) words.set([1, instruction], 2 + 2 * index);
  return StackProgram.fromWords(words);
}

describe("options", () => {
  it("include the reference's limits, and raise by default only those that change no meaning", () => {
    expect(new StackCompiler(SMALL_TABLE, { limits: "reference" }).limits).toEqual({
      maxAstSize: 65536,
      maxVisitDepth: 1024,
      stackSize: 128,
      maxFrameDepth: 4,
      storeSize: 16,
    });
    expect(REFERENCE_LIMITS).toEqual(new StackCompiler(SMALL_TABLE, { limits: "reference" }).limits);
    const { maxAstSize, maxVisitDepth, ...rest } = new StackCompiler(SMALL_TABLE).limits;
    expect([maxAstSize, maxVisitDepth]).toEqual([2 ** 24, 2 ** 24]);
    expect(rest).toEqual({ stackSize: 128, maxFrameDepth: 4, storeSize: 16 });
    expect(Math.min(maxAstSize, maxVisitDepth)).toBeGreaterThan(200_000);
    expect(DEFAULT_LIMITS).toEqual(new StackCompiler(SMALL_TABLE).limits);
    expect(DEFAULT_EXECUTION_LIMIT).toBe(2 ** 24);
  });

  it("complete the given limits", () => {
    const limits = { stackSize: 7, storeSize: undefined as never };
    expect(new StackCompiler(SMALL_TABLE, { limits }).limits).toEqual({ ...DEFAULT_LIMITS, stackSize: 7 });
  });

  it.each<[StackCompilerOptions, string]>([
    [{ limits: { stackSise: 5 } as never }, "unknown limit `stackSise`, did you mean `stackSize`?"],
    [
      { limits: { executionLimit: 5 } as never },
      "unknown limit `executionLimit`: expected one of `maxAstSize`, `maxVisitDepth`, `stackSize`, `maxFrameDepth`, `storeSize`",
    ],
    [
      { limits: { stackSize: -1 } },
      "option `limits.stackSize`: expected a whole number from 0 to 268435456, found -1",
    ],
    [
      { limits: { maxAstSize: 0.5 } },
      "option `limits.maxAstSize`: expected a whole number from 0 to 268435456, found 0.5",
    ],
    [
      { limits: { maxVisitDepth: 2 ** 28 + 1 } },
      "option `limits.maxVisitDepth`: expected a whole number from 0 to 268435456, found 268435457",
    ],
    [
      { limits: { storeSize: Number.NaN } },
      "option `limits.storeSize`: expected a whole number from 0 to 268435456, found NaN",
    ],
    [
      { limits: { maxFrameDepth: "4" as never } },
      "option `limits.maxFrameDepth`: expected a whole number from 0 to 268435456, found `4`",
    ],
    [
      { requestCopies: "both" as never },
      "option `requestCopies`: expected `parallel`, `sequential`, found `both`",
    ],
  ])("refuse %j", (options, message) => {
    expect(complaint(() => new StackCompiler(SMALL_TABLE, options))).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it.each<[string, unknown]>([
    ["a limit set of another name", { limits: "referense" }],
    ["limits that are null", { limits: null }],
    ["limits in a map", { limits: new Map([["stackSize", 4]]) }],
    ["limits that are a number", { limits: 5 }],
    ["an option that does not exist", { limit: "reference" }],
    ["routines that are not a list", { routines: 5 }],
    ["routines that are not programs", { routines: [Uint32Array.of(1, 2)] }],
    ["options that are null", null],
  ])("refuse %s with a typed error", (_, options) => {
    expect(raised(() => new StackCompiler(SMALL_TABLE, options as StackCompilerOptions)).code).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it("copy routines when the compiler is created", () => {
    const words = Uint32Array.of(3, 0);
    const compiler = new StackCompiler(SMALL_TABLE, { routines: [StackProgram.fromWords(words)] });
    words.set([0, 0]);
    expect(compiler.compile(StackProgram.of(routine(0)), job)).toBe("\t{\n\tmov.f32 %y, %x;\n\t}");
  });
});

describe("execution", () => {
  const program = StackProgram.of(input(0), ptxInstruction(NEG), ptxInstruction(NEG));
  const lines = (executionLimit: number): number =>
    new StackCompiler(SMALL_TABLE).compile(program, { ...job, executionLimit }).split("neg.f32").length - 1;

  it("stops at the execution limit and compiles what is on the stacks", () => {
    expect([1, 2, 3, 4, Number.POSITIVE_INFINITY].map(lines)).toEqual([0, 1, 2, 2, 2]);
    const nothing = new StackCompiler(SMALL_TABLE).compile(program, { ...job, executionLimit: 0 });
    expect(nothing).toBe("\t{\n\t}");
  });

  it("counts returns as fetched", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { routines: [StackProgram.of()] });
    const calling = StackProgram.of(routine(0), routine(0), input(0));
    const text = (executionLimit: number) => compiler.compile(calling, { ...job, executionLimit });
    expect(text(4)).toBe("\t{\n\t}");
    expect(text(5)).toBe("\t{\n\tmov.f32 %y, %x;\n\t}");
  });

  it("ends a routine that calls itself", () => {
    const routines = [StackProgram.of(ptxInstruction(NEG), routine(0), routine(0))];
    const count = (maxFrameDepth: number) =>
      new StackCompiler(SMALL_TABLE, { routines, limits: { maxFrameDepth } })
        .compile(StackProgram.of(input(0), routine(0)), job)
        .split("neg.f32").length - 1;
    // Frame 1 is the main program; each deeper frame runs the routine twice.
    expect([1, 2, 3, 4, 10].map(count)).toEqual([0, 1, 3, 7, 2 ** 9 - 1]);
    const compiler = new StackCompiler(SMALL_TABLE, { routines, limits: { maxFrameDepth: 1000 } });
    const text = compiler.compile(StackProgram.of(input(0), routine(0)), { ...job, executionLimit: 100_000 });
    expect(text).toContain("neg.f32");
  });

  it("returns the empty text if no frame is allowed", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { limits: { maxFrameDepth: 0 } });
    expect(compiler.compile(StackProgram.of(input(99)), { registers, requests: [0] })).toBe("");
    // A wrong job is refused nevertheless, by every method.
    for (const method of ["compile", "signature", "analyze", "trace"] as const) {
      expect(complaint(() => compiler[method](program, { registers, requests: [99] }))).toBe(
        "REGISTER_IDX_OUT_OF_BOUNDS: request 0 names register 99: expected 0 to 1 registers",
      );
    }
    const bytes = new Uint8Array(4).fill(7);
    expect(compiler.compileInto(program, job, bytes)).toBe(0);
    expect([...bytes]).toEqual([7, 7, 7, 7]);
  });

  it("works with empty tables and limits of zero", () => {
    const empty = { ...SMALL_TABLE, stackTypes: [], argTypes: [], instructions: [], specialRegisters: [] };
    const none = { registers: [], requests: [] };
    expect(new StackCompiler(empty).compile(StackProgram.of(), none)).toBe("\t{\n\t}");
    const limits = { maxAstSize: 0, maxVisitDepth: 0, stackSize: 0, storeSize: 0 };
    const compiler = new StackCompiler(SMALL_TABLE, { limits });
    expect(compiler.compile(StackProgram.of(), none)).toBe("\t{\n\t}");
    expect(compiler.compile(StackProgram.of(metaConstant(1), meta(F32, "dup"), meta(F32, "drop")), job)).toBe(
      "\t{\n\t}",
    );
    expect(complaint(() => compiler.compile(StackProgram.of(store(F32, 0)), job))).toBe(
      "STORE_IDX_OUT_OF_BOUNDS: slot 0 is out of range: there are no slots (instruction 0)",
    );
  });
});

describe("large programs", () => {
  it("compile 100,000 live instructions in a chain by default", () => {
    const text = new StackCompiler(SMALL_TABLE).compile(chain(100_000), job);
    expect(text.startsWith("\t{\n\t.reg .f32 %_s0_<100000>;\n\tneg.f32 %_s0_0, %x;\n")).toBe(true);
    expect(text.endsWith("\tneg.f32 %_s0_99999, %_s0_99998;\n\tmov.f32 %y, %_s0_99999;\n\t}")).toBe(true);
    expect(text.split("\n").length).toBe(100_000 + 4);
  });

  it("fail with the reference's limits", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { limits: "reference" });
    expect(raised(() => compiler.compile(chain(100_000), job)).code).toBe("INSUFFICIENT_AST_SIZE");
    expect(raised(() => compiler.compile(chain(1025), job)).code).toBe("INSUFFICIENT_AST_VISIT_SIZE");
    expect(compiler.compile(chain(1000), job)).toContain("%_s0_999;");
  });

  it("compile 1,000,000 live instructions, and small ones afterwards", () => {
    const compiler = new StackCompiler(SMALL_TABLE);
    const bytes = new Uint8Array(48 * 1_000_000);
    const length = compiler.compileInto(chain(1_000_000), job, bytes);
    const end = new TextDecoder().decode(bytes.subarray(length - 80, length));
    expect(end).toContain("\tneg.f32 %_s0_999999, %_s0_999998;\n\tmov.f32 %y, %_s0_999999;\n\t}");
    expect(compiler.compile(chain(1), job)).toBe(
      "\t{\n\t.reg .f32 %_s0_<1>;\n\tneg.f32 %_s0_0, %x;\n\tmov.f32 %y, %_s0_0;\n\t}",
    );
  });

  it("hold 200,000 values on one stack if the limit allows it", () => {
    const count = 200_000;
    const limits = { stackSize: count };
    const words = new Uint32Array(2 * (2 * count));
    for (let index = 0; index < count; index++) {
      words.set([2, index], 2 * index);
      words.set([1, ADD], 2 * (count + index));
    }
    const text = new StackCompiler(SMALL_TABLE, { limits }).compile(StackProgram.fromWords(words), job);
    expect(text).toContain(`.reg .f32 %_s0_<${count - 1}>;`);
    expect(text.split("add.f32").length - 1).toBe(count - 1);
  });
});

describe("compileInto", () => {
  const program = StackProgram.of(input(0), constantBits(F32, 5), ptxInstruction(ADD));
  const compiler = new StackCompiler(SMALL_TABLE);
  const text = compiler.compile(program, job);

  it("writes ASCII at the start, and nothing after the end", () => {
    const bytes = new Uint8Array(text.length + 100).fill(0xee);
    const view = bytes.subarray(10, bytes.length - 10);
    expect(compiler.compileInto(program, job, view)).toBe(text.length);
    expect(Buffer.from(bytes.subarray(10, 10 + text.length)).toString("latin1")).toBe(text);
    expect([...bytes.subarray(0, 10)].every((byte) => byte === 0xee)).toBe(true);
    expect([...bytes.subarray(10 + text.length)].every((byte) => byte === 0xee)).toBe(true);
  });

  it("fills a buffer of just the right size, and writes nothing into a smaller one", () => {
    const exact = new Uint8Array(text.length);
    expect(compiler.compileInto(program, job, exact)).toBe(text.length);
    expect(Buffer.from(exact).toString("latin1")).toBe(text);
    const small = new Uint8Array(text.length - 1).fill(0xee);
    expect(complaint(() => compiler.compileInto(program, job, small))).toBe(
      `INSUFFICIENT_BUFFER: expected room for ${text.length} bytes, found ${text.length - 1}`,
    );
    expect(small.every((byte) => byte === 0xee)).toBe(true);
    expect(raised(() => compiler.compileInto(program, job, new Uint8Array(0))).code).toBe(
      "INSUFFICIENT_BUFFER",
    );
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["an array", []],
    ["a Uint16Array", new Uint16Array(400)],
    ["an ArrayBuffer", new ArrayBuffer(400)],
  ])("refuses %s as bytes with a typed error", (_, bytes) => {
    expect(raised(() => compiler.compileInto(program, job, bytes as Uint8Array)).code).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it("refuses a detached buffer", () => {
    const bytes = new Uint8Array(400);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    expect(raised(() => compiler.compileInto(program, job, bytes)).code).toBe("INSUFFICIENT_BUFFER");
  });
});

describe("the walk", () => {
  it("continues in the same order if it runs out of entries that turn out to suffice", () => {
    const compiler = new StackCompiler(SMALL_TABLE, { limits: { maxVisitDepth: 3 } });
    const program = StackProgram.of(input(0), input(0), input(0), ptxInstruction(ADD));
    expect(compiler.compile(program, { registers: [register("x", F32)], requests: [0, 0] })).toBe(
      "\t{\n\t.reg .f32 %_s0_<1>;\n\tadd.f32 %_s0_0, %x, %x;\n\tmov.f32 %x, %_s0_0;\n\tmov.f32 %x, %x;\n\t}",
    );
  });
});
