// The formats of exports, on small programs.
import { table } from "@mm-ptx/ast/f32";
import { table as stackTable } from "@mm-ptx/stack/default";
import { describe, expect, test } from "vitest";
import {
  astSpace,
  EXPORT_FORMATS,
  type ExportFormat,
  exportGenome,
  type ProgramSpace,
  SearchError,
  stackSpace,
} from "../../src/index.js";

const inputs = ["x", "y", "x_1", "alpha", "speed"];
const space = astSpace(table, { inputs, functions: { gauss: "exp(-a * a)", tau: "6.2831855" } });
const wide = astSpace(table, {
  inputs,
  operators: [
    "+",
    "-",
    "*",
    "/",
    "neg",
    "fma",
    "pow",
    "square",
    "exp",
    "log",
    "sqrt",
    "abs",
    "min",
    "rsqrt",
    "gauss",
    "tau",
  ],
  functions: { gauss: "exp(-a * a)", tau: "6.2831855" },
});

const exported = (text: string, as: ExportFormat, of: ProgramSpace = wide): string => {
  const words = of.parse(text);
  return exportGenome(of, { words, start: 0, end: words.length }, as, { name: "model" });
};

test("cuda", () => {
  expect(exported("x * y + 1", "cuda")).toBe(`// model: x * y + 1
// Arguments: in_x = x, in_y = y, in_x_1 = x_1, in_alpha = alpha, in_speed = speed
__device__ __forceinline__ float model(float in_x, float in_y, float in_x_1, float in_alpha, float in_speed) {
  float out_result;
  asm("{\\n"
      ".reg .f32 %%ast<2>;\\n"
      "mul.ftz.f32 %%ast0, %1, %2;\\n"
      "add.ftz.f32 %%ast1, %%ast0, 0f3f800000;\\n"
      "mov.f32 %0, %%ast1;\\n"
      "}\\n"
      : "=f"(out_result)
      : "f"(in_x), "f"(in_y), "f"(in_x_1), "f"(in_alpha), "f"(in_speed));
  return out_result;
}
`);
});

test("c computes equal parts once", () => {
  const text = exported("square(x + 1) + (x + 1) * sqrt(y)", "c");
  expect(text.match(/ptx_ftz\(in_x\) \+ 1.0f/g)).toHaveLength(1);
  expect(text).toContain(
    "// PTX approximates sqrt.approx.ftz.f32: the last bits of their results may differ.",
  );
});

test("names of C and CUDA do not collide with those of inputs", () => {
  const names = ["ptx_ftz", "FLT_MIN", "double", "main", "expf", "t0", "asm", "program", "tid.x", "tid_x"];
  const of = astSpace(table, { inputs: names });
  const arguments_ = [...names.slice(0, 8).map((name) => `in_${name}`), "in_tid_x", "in_tid_x_"];
  const declared = arguments_.map((name) => `float ${name}`).join(", ");
  const words = of.parse("double * main + ptx_ftz");
  for (const as of ["c", "cuda"] as const) {
    const text = exportGenome(of, { words, start: 0, end: words.length }, as);
    expect(text).toContain(`float program(${declared})`);
    expect(text).toContain("in_tid_x = tid.x, in_tid_x_ = tid_x");
  }
});

test("stub", () => {
  expect(exported("x * y", "stub")).toBe(
    "{\n.reg .f32 %ast<1>;\nmul.ftz.f32 %ast0, %x, %y;\nmov.f32 %result, %ast0;\n}",
  );
});

test("json has the code and the words", () => {
  const content = JSON.parse(exported("x * y + x * y", "json"));
  expect(content).toMatchObject({
    format: "mm-ptx-program",
    text: "x * y + x * y",
    values: [
      { kind: "input", input: 0 },
      { kind: "input", input: 1 },
      { kind: "operation", instruction: "mul.ftz.f32", operands: [0, 1] },
      { kind: "operation", instruction: "add.ftz.f32", operands: [2, 2] },
    ],
    results: [3],
    space: wide.description,
  });
  expect(wide.parse(content.text)).toEqual(Uint32Array.from(content.words));
  const genome = { words: Uint32Array.from(content.words), start: 0, end: content.words.length };
  const told = JSON.parse(exportGenome(wide, genome, "json", { facts: { complexity: 5, loss: 0.25 } }));
  expect(told).toEqual({ ...content, name: "program", complexity: 5, loss: 0.25 });
});

test.each([
  ["x + y * 2", "x + y \\cdot 2"],
  ["2 * x * y", "2 \\, x \\, y"],
  ["(x + y) * x_1", "\\left(x + y\\right) \\, x_{1}"],
  ["x - (y - alpha)", "x - \\left(y - \\alpha\\right)"],
  ["x - -2", "x - \\left(-2\\right)"],
  ["-(x + y) / speed", "\\frac{-\\left(x + y\\right)}{\\mathrm{speed}}"],
  ["square(sqrt(x) + 1)", "\\left(\\sqrt{x} + 1\\right)^{2}"],
  ["square(square(x))", "\\left(x^{2}\\right)^{2}"],
  ["pow(x, y + 1)", "x^{y + 1}"],
  ["exp(x * y)", "e^{x \\, y}"],
  ["exp(x / y)", "\\exp\\left(\\frac{x}{y}\\right)"],
  ["log(abs(x))", "\\ln\\left(\\left|x\\right|\\right)"],
  ["fma(x, y, 1e-20)", "x \\, y + 10^{-20}"],
  ["min(x, 2.5e-20)", "\\min\\left(x, 2.5 \\cdot 10^{-20}\\right)"],
  ["gauss(x) * tau", "\\operatorname{gauss}\\left(x\\right) \\, \\tau"],
  ["rsqrt(x) + 0f7f800000", "\\frac{1}{\\sqrt{x}} + \\infty"],
])("latex of %s", (text, latex) => {
  expect(exported(text, "latex")).toBe(latex);
});

test("latex of a program with common values and several outputs", () => {
  const operand = (name: string, direction: "in" | "out") =>
    ({ name, direction, register: name, registerType: "u32", type: "U32" }) as const;
  const stack = stackSpace(stackTable, {
    operands: [operand("x", "in"), operand("a", "out"), operand("b", "out")],
    instructions: ["add.u32", "xor.b32", "popc.b32"],
  });
  const text = ".registers x a b\ninput x\nconst U32 7\nadd.u32\ninput x\nconst U32 7\nadd.u32\npopc.b32";
  expect(exported(text, "latex", stack)).toMatch(/^\\begin\{aligned\}\nt_\{1\} &= /);
});

describe("mistakes", () => {
  const words = space.parse("x");
  const genome = { words, start: 0, end: words.length };
  test.each<[string, () => unknown, string]>([
    [
      "a format",
      () => exportGenome(space, genome, "java" as ExportFormat),
      `expected one of ${EXPORT_FORMATS.join(", ")}, found \`java\``,
    ],
    [
      "a name",
      () => exportGenome(space, genome, "c", { name: "a b" }),
      "expected an identifier as the name, found `a b`",
    ],
    [
      "a keyword as the name",
      () => exportGenome(space, genome, "cuda", { name: "double" }),
      "expected a name that C and CUDA do not use themselves, found `double`",
    ],
    [
      "a function of C as the name",
      () => exportGenome(space, genome, "c", { name: "expf" }),
      "expected a name that C and CUDA do not use themselves, found `expf`",
    ],
    [
      "an option",
      () => exportGenome(space, genome, "c", { nam: "a" } as object),
      "unknown option `nam`, did you mean `name`?",
    ],
    [
      "a genome",
      () => exportGenome(space, { words: new Uint32Array(2), start: 0, end: 2 }, "c"),
      "instruction 0: expected one of this space, found 0x00000000 0x00000000",
    ],
  ])("%s", (_, run, message) => {
    expect(run).toThrowError(new SearchError("INVALID_ARGUMENT", message));
  });

  test("an instruction that C has nothing for", () => {
    const halves = stackSpace(stackTable, {
      operands: [
        { name: "x", direction: "in", register: "x", registerType: "f32", type: "F32" },
        { name: "y", direction: "out", register: "y", registerType: "f32", type: "F32" },
      ],
      instructions: ["add.rz.f32"],
    });
    const text = ".registers x y\ninput x\ninput x\nadd.rz.f32";
    expect(() => exported(text, "c", halves)).toThrowError(
      new SearchError("UNSUPPORTED", "C can't express `add.rz.f32` with the same results"),
    );
  });
});
