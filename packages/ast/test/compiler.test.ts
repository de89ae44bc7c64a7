// Compiling: what stubs look like, programs that make the memory grow, and writing text into a caller's
// buffer.
import { afterEach, describe, expect, it, vi } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { Region } from "../src/compile/addresses.js";
import { workplace } from "../src/compile/workplace.js";
import {
  AstCompiler,
  AstProgram,
  constant,
  DEFAULT_LIMITS,
  type Instruction,
  input,
  REFERENCE_LIMITS,
  returnInstruction,
  routine,
  routineArgument,
} from "../src/index.js";
import { add, clock, complaint, fma, JOB, neg, raised, SMALL_TABLE } from "./support/small-table.js";

const [x, y] = [input(0), input(1)];
const BOTH = [true, false].map((webAssembly) => ({ webAssembly }));

function chain(length: number): AstProgram {
  const words = new Uint32Array(2 + 2 * length);
  words[0] = x.head;
  for (let i = 1; i <= length; i++) words[2 * i] = neg.head;
  return AstProgram.fromWords(words);
}

describe("a stub", () => {
  it.each<[string, Instruction[], string]>([
    ["of an input", [x], "{\nmov.f32 %z, %x;\n}"],
    ["of a constant", [constant(1)], "{\nmov.f32 %z, 0f3f800000;\n}"],
    [
      "of an instruction without arguments",
      [clock],
      "{\n.reg .f32 %ast<1>;\nmov_clock.f32 %ast0;\nmov.f32 %z, %ast0;\n}",
    ],
    [
      "of instructions of one, two and three arguments",
      [x, constant(-2.5), add, neg, y, y, fma],
      "{\n.reg .f32 %ast<3>;\nadd.f32 %ast0, %x, 0fc0200000;\nneg.f32 %ast1, %ast0;\nfma.rn.f32 %ast2, %ast1, %y, %y;\nmov.f32 %z, %ast2;\n}",
    ],
    ["that ends at the first return", [x, returnInstruction, neg], "{\nmov.f32 %z, %x;\n}"],
  ])("%s", (_, instructions, text) => {
    for (const options of BOTH) {
      expect(new AstCompiler(SMALL_TABLE, options).compile(AstProgram.of(...instructions), JOB)).toBe(text);
    }
  });

  it("writes the value of a routine's argument wherever it is used, and computes it once", () => {
    const square = AstProgram.of(routineArgument(0), routineArgument(0), add);
    const program = AstProgram.of(x, y, add, routine(0, 1));
    for (const options of BOTH) {
      const compiler = new AstCompiler(SMALL_TABLE, { routines: [square], ...options });
      expect(compiler.compile(program, JOB)).toBe(
        "{\n.reg .f32 %ast<2>;\nadd.f32 %ast0, %x, %y;\nadd.f32 %ast1, %ast0, %ast0;\nmov.f32 %z, %ast1;\n}",
      );
    }
  });

  it("accepts names of any length", () => {
    const names = ["twelve_chars", "thirteen_char", "n".repeat(300)];
    const program = AstProgram.of(x, y, input(2), fma, y, add);
    for (const options of BOTH) {
      const compiler = new AstCompiler(SMALL_TABLE, options);
      const text = compiler.compile(program, { inputs: names, output: names[2]! });
      expect(text).toBe(
        `{\n.reg .f32 %ast<2>;\nfma.rn.f32 %ast0, %${names[0]}, %${names[1]}, %${names[2]};\nadd.f32 %ast1, %ast0, %${names[1]};\nmov.f32 %${names[2]}, %ast1;\n}`,
      );
      expect(compiler.compile(program, { inputs: ["a", "b", "c"], output: "a" })).toContain(
        "fma.rn.f32 %ast0, %a, %b, %c;\nadd.f32 %ast1, %ast0, %b;\nmov.f32 %a, %ast1;",
      );
    }
  });

  it("accepts a name of a million characters without reserving room for it a thousand times", () => {
    const name = "n".repeat(1_000_000);
    const program = AstProgram.of(x, ...Array.from({ length: 2000 }, () => [y, add]).flat(), input(2), add);
    for (const options of BOTH) {
      const compiler = new AstCompiler(SMALL_TABLE, options);
      const plain = compiler.compile(program, { inputs: ["x", "y", "n"], output: "z" });
      const text = compiler.compile(program, { inputs: ["x", "y", name], output: "z" });
      expect(text === plain.replace("%n;", `%${name};`)).toBe(true);
      expect(workplace(options.webAssembly, 0).arena.size).toBeLessThan(8_000_000);
    }
  });

  it("does not change with the caller's routines after the compiler was created", () => {
    const body = AstProgram.of(x);
    const compiler = new AstCompiler(SMALL_TABLE, { routines: [body] });
    body.words[1] = 1;
    expect(compiler.compile(AstProgram.of(routine(0, 0)), JOB)).toContain("%z, %x;");
  });
});

describe("large programs", () => {
  it.each(BOTH)("compile very many instructions in a chain, and small ones afterwards, %j", (options) => {
    const compiler = new AstCompiler(SMALL_TABLE, options);
    const count = SOAK ? 1_000_000 : 300_000;
    const bytes = new Uint8Array(40 * count);
    const length = compiler.compileInto(chain(count), JOB, bytes);
    const text = new TextDecoder().decode(bytes.subarray(0, length));
    expect(text.startsWith(`{\n.reg .f32 %ast<${count}>;\nneg.f32 %ast0, %x;\nneg.f32 %ast1, %ast0;\n`)).toBe(
      true,
    );
    const [last, before] = [count - 1, count - 2];
    expect(text.endsWith(`\nneg.f32 %ast${last}, %ast${before};\nmov.f32 %z, %ast${last};\n}`)).toBe(true);
    expect(text.split("\n").length).toBe(count + 4);
    expect(compiler.compile(chain(1), JOB)).toBe(
      "{\n.reg .f32 %ast<1>;\nneg.f32 %ast0, %x;\nmov.f32 %z, %ast0;\n}",
    );
  });

  it.each(BOTH)("hold 200,000 values at a time, %j", (options) => {
    const count = 200_000;
    const words = new Uint32Array(2 * (2 * count - 1));
    for (let index = 0; index < count; index++) words.set([2, index], 2 * index);
    for (let index = count; index < 2 * count - 1; index++) words.set([add.head, 1], 2 * index);
    const text = new AstCompiler(SMALL_TABLE, options).compile(AstProgram.fromWords(words), JOB);
    const lines = text.split("\n");
    expect(lines[2]).toBe("add.f32 %ast0, 0f00030d3e, 0f00030d3f;");
    expect(lines.at(-3)).toBe("add.f32 %ast199998, 0f00000000, %ast199997;");
  });

  it.each(BOTH)("run 20,000 nested routines, %j", (options) => {
    const count = 20_000;
    const routines = Array.from({ length: count }, (_, index) =>
      index === 0 ? AstProgram.of(x) : AstProgram.of(routine(index - 1, 0), neg),
    );
    const compiler = new AstCompiler(SMALL_TABLE, { routines, ...options });
    const text = compiler.compile(AstProgram.of(routine(count - 1, 0)), JOB);
    expect(text.endsWith("neg.f32 %ast19998, %ast19997;\nmov.f32 %z, %ast19998;\n}")).toBe(true);
  });

  it("inline at most 2^22 instructions of repeated routines, or as many as the limit says", () => {
    expect(DEFAULT_LIMITS.maxInlined).toBe(2 ** 22);
    const limits = SOAK ? {} : { maxInlined: 2 ** 17 };
    const { maxInlined } = { ...DEFAULT_LIMITS, ...limits };
    const most = maxInlined - 2;
    const compiler = new AstCompiler(SMALL_TABLE, { routines: [chain(most)], limits });
    const bytes = new Uint8Array(2 ** 7 * maxInlined);
    const twice = AstProgram.of(routine(0, 0), routine(0, 0), add);
    expect(compiler.compileInto(twice, JOB, bytes)).toBeGreaterThan(2 * most * 20);
    const more = new AstCompiler(SMALL_TABLE, { routines: [chain(most + 1)], limits });
    expect(raised(() => more.compileInto(twice, JOB, bytes)).code).toBe("INLINE_LIMIT_EXCEEDED");
  });

  it("run each routine once per compile whatever the limit", () => {
    const options = {
      routines: [AstProgram.of(x), AstProgram.of(routine(0, 0), neg)],
      limits: { maxInlined: 0 },
    };
    const compiler = new AstCompiler(SMALL_TABLE, options);
    for (let compile = 0; compile < 2; compile++) {
      expect(compiler.compile(AstProgram.of(routine(1, 0)), JOB)).toContain("neg.f32 %ast0, %x;");
    }
  });

  it("end with an error if routines multiply without bound", () => {
    const routines = Array.from({ length: 60 }, (_, index) =>
      index === 0 ? AstProgram.of(x) : AstProgram.of(routine(index - 1, 0), routine(index - 1, 0), add),
    );
    const compiler = new AstCompiler(SMALL_TABLE, { routines });
    expect(raised(() => compiler.compile(AstProgram.of(routine(59, 0)), JOB)).code).toBe(
      "INLINE_LIMIT_EXCEEDED",
    );
    expect(compiler.compile(AstProgram.of(routine(10, 0)), JOB)).toContain(".reg .f32 %ast<1023>;");
  });

  it("fail with the reference's limits", () => {
    const compiler = new AstCompiler(SMALL_TABLE, { limits: "reference" });
    expect(compiler.limits).toBe(REFERENCE_LIMITS);
    const most = REFERENCE_LIMITS.maxInstructions;
    expect(compiler.compile(chain(most - 2), JOB)).toContain(`%ast<${most - 2}>;`);
    expect(complaint(() => compiler.compile(chain(most - 1), JOB))).toBe(
      "BAD_INSTRUCTION_MAYBE_FORGOT_RETURN: expected a return within 65536 instructions (limit `maxInstructions`) (instruction 65536)",
    );
  });

  it("nest 8 routines with the reference's limits", () => {
    const routines = Array.from({ length: 10 }, (_, index) =>
      index === 0 ? AstProgram.of(x) : AstProgram.of(routine(index - 1, 0)),
    );
    const compiler = new AstCompiler(SMALL_TABLE, { limits: "reference", routines });
    expect(compiler.compile(AstProgram.of(routine(7, 0)), JOB)).toContain("%z, %x;");
    expect(raised(() => compiler.compile(AstProgram.of(routine(8, 0)), JOB))).toMatchObject({
      code: "ROUTINE_DEPTH_EXCEEDED",
      place: { routine: 1, instruction: 0 },
    });
  });
});

describe("where WebAssembly", () => {
  const forbidden = Object.create(WebAssembly, {
    Module: {
      value: class {
        constructor() {
          throw new WebAssembly.CompileError("forbidden by a content security policy");
        }
      },
    },
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each<[string, unknown]>([
    ["is missing", undefined],
    ["is forbidden", forbidden],
  ])("%s the text is the same", async (_, global) => {
    const text = new AstCompiler(SMALL_TABLE).compile(chain(3000), JOB);
    vi.resetModules();
    vi.stubGlobal("WebAssembly", global);
    const fresh = await import("../src/index.js");
    const compiler = new fresh.AstCompiler(SMALL_TABLE);
    expect(compiler.compile(chain(3000), JOB)).toBe(text);
    expect(compiler.compile(chain(3000), JOB)).toBe(text);
  });

  it("is forbidden it is tried once", async () => {
    let asked = 0;
    const Module = function Module() {
      asked++;
      throw new WebAssembly.CompileError("forbidden by a content security policy");
    };
    vi.resetModules();
    vi.stubGlobal("WebAssembly", Object.create(WebAssembly, { Module: { value: Module } }));
    const fresh = await import("../src/compile/workplace.js");
    const first = fresh.workplace(true, 0);
    for (let use = 0; use < 100; use++) first.patience.keeps(2 ** 30, 0);
    first.arena.reserve(Region.output, 2 ** 26);
    expect(fresh.workplace(true, 0)).not.toBe(first);
    expect(asked).toBe(1);
  });
});

describe("compileInto", () => {
  const program = AstProgram.of(x, constant(5), add);
  const compiler = new AstCompiler(SMALL_TABLE);
  const text = compiler.compile(program, JOB);

  it("writes ASCII at the start, and nothing after the end", () => {
    const bytes = new Uint8Array(text.length + 100).fill(0xee);
    const view = bytes.subarray(10, bytes.length - 10);
    expect(compiler.compileInto(program, JOB, view)).toBe(text.length);
    expect(Buffer.from(bytes.subarray(10, 10 + text.length)).toString("latin1")).toBe(text);
    expect([...bytes.subarray(0, 10)].every((byte) => byte === 0xee)).toBe(true);
    expect([...bytes.subarray(10 + text.length)].every((byte) => byte === 0xee)).toBe(true);
  });

  it("fills a buffer of just the right size, and writes nothing into a smaller one", () => {
    const exact = new Uint8Array(text.length);
    expect(compiler.compileInto(program, JOB, exact)).toBe(text.length);
    expect(Buffer.from(exact).toString("latin1")).toBe(text);
    const small = new Uint8Array(text.length - 1).fill(0xee);
    expect(complaint(() => compiler.compileInto(program, JOB, small))).toBe(
      `INSUFFICIENT_BUFFER: expected room for ${text.length} bytes, found ${text.length - 1}`,
    );
    expect(small.every((byte) => byte === 0xee)).toBe(true);
    expect(raised(() => compiler.compileInto(program, JOB, new Uint8Array(0))).code).toBe(
      "INSUFFICIENT_BUFFER",
    );
  });

  it("refuses a detached buffer", () => {
    const bytes = new Uint8Array(400);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    expect(raised(() => compiler.compileInto(program, JOB, bytes)).code).toBe("INSUFFICIENT_BUFFER");
  });
});
