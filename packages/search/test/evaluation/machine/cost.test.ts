// What ptxas 13.0 was seen to make of stubs for sm_90, in a kernel that adds the result to a constant.
import { parseStub } from "@mm-ptx/columns/stub";
import {
  type CodeBuffer,
  codeType,
  encodeOperation,
  inputOperation,
  StraightLineCode,
} from "@mm-ptx/types/code";
import { describe, expect, it, test } from "vitest";
import { MachineCostModel, machineCost } from "../../../src/index.js";

const operand = (name: string, direction: "in" | "out") =>
  ({ name, direction, register: name, registerType: "f32", type: "F32" }) as const;
const OPERANDS = [operand("x", "in"), operand("g", "out")];
const REGISTERS = ".reg .f32 %a, %b, %c, %d; .reg .pred %p;";

const codesOf = (stub: string): CodeBuffer => {
  const codes = parseStub(`{ ${REGISTERS} ${stub} }`, OPERANDS);
  return codes as CodeBuffer;
};
const costOf = (stub: string): [instructions: number, special: number] => {
  const { instructions, special } = machineCost(codesOf(stub));
  return [instructions, special];
};

const C1 = "0f3D0E2196";
const C2 = "0fC0B849BA";
const C3 = "0f3FD9999A";

describe("instructions", () => {
  it.each([
    ["mov.f32 %g, %x;", 0, 0],
    [
      `fma.rn.f32 %a, %x, %x, ${C2}; mul.rn.f32 %b, %x, ${C1}; fma.rn.f32 %c, %a, %b, %x; tanh.approx.f32 %g, %c;`,
      4,
      1,
    ],
    [
      `mul.rn.f32 %a, %x, %x; fma.rn.f32 %b, %a, ${C1}, ${C3}; mul.rn.f32 %c, %x, %b; tanh.approx.f32 %g, %c;`,
      5,
      1,
    ],
    ["mul.rn.f32 %a, %x, %x; mul.rn.f32 %b, %x, %x; add.rn.f32 %g, %a, %b;", 2, 0],
    ["neg.f32 %a, %x; mul.rn.f32 %b, %a, %a; mul.rn.f32 %c, %x, %x; max.f32 %g, %b, %c;", 1, 0],
    ["min.f32 %a, %x, %x; tanh.approx.f32 %g, %a;", 1, 1],
    ["mul.f32 %a, %x, 0f3F800000; tanh.approx.f32 %g, %a;", 1, 1],
    ["mul.rn.f32 %a, %x, 0f3F800000; tanh.approx.f32 %g, %a;", 2, 1],
    [`setp.gt.f32 %p, %x, ${C1}; selp.f32 %g, %x, ${C2}, %p;`, 2, 0],
    [`setp.gt.f32 %p, %x, ${C1}; selp.f32 %g, ${C3}, ${C2}, %p;`, 3, 0],
    ["mul.rn.f32 %a, %x, %x; copysign.f32 %g, %x, %a;", 2, 0],
    [`copysign.f32 %g, %x, ${C1};`, 2, 0],
  ])("%s", (stub, instructions, special) => {
    expect(costOf(stub)).toEqual([instructions, special]);
  });
});

describe("modifiers", () => {
  it.each([
    ["abs.f32 %a, %x; mul.rn.f32 %g, %a, %x;", 1],
    ["abs.f32 %a, %x; neg.f32 %b, %a; ex2.approx.ftz.f32 %g, %b;", 1],
    ["mul.rn.f32 %a, %x, %x; neg.f32 %g, %a;", 1],
    ["abs.ftz.f32 %a, %x; mul.rn.ftz.f32 %g, %a, %x;", 1],
    ["abs.ftz.f32 %a, %x; mul.rn.f32 %g, %a, %x;", 2],
    ["neg.ftz.f32 %a, %x; lg2.approx.ftz.f32 %g, %a;", 2],
    ["max.ftz.f32 %a, %x, %x; lg2.approx.ftz.f32 %g, %a;", 2],
    ["neg.f32 %a, %x; copysign.f32 %b, %a, %x; tanh.approx.f32 %g, %b;", 3],
  ])("%s", (stub, instructions) => {
    expect(costOf(stub)[0]).toBe(instructions);
  });
});

describe("constants", () => {
  it.each([
    [`add.rn.f32 %g, %x, ${C1};`, 1],
    [`sub.rn.f32 %g, ${C1}, %x;`, 1],
    [`fma.rn.f32 %g, %x, ${C1}, ${C2};`, 2],
    [`fma.rn.f32 %g, %x, ${C1}, ${C1};`, 2],
    [`fma.rn.f32 %g, %x, ${C1}, 0f00000000;`, 1],
    [`fma.rn.f32 %a, %x, ${C1}, ${C2}; fma.rn.f32 %b, %a, ${C1}, ${C2}; fma.rn.f32 %g, %b, ${C1}, ${C2};`, 4],
    [`fma.rn.f32 %a, %x, ${C1}, ${C2}; fma.rn.f32 %b, %a, ${C2}, ${C3}; fma.rn.f32 %g, %b, ${C3}, ${C1};`, 5],
    [`fma.rn.f32 %a, %x, ${C1}, ${C2}; fma.rn.f32 %g, %a, ${C3}, ${C2};`, 3],
    [
      `fma.rn.f32 %a, %x, %x, ${C1}; fma.rn.f32 %b, %a, 0fBD0E2196, ${C2}; fma.rn.f32 %g, %b, %a, 0fBD0E2196;`,
      4,
    ],
    [`fma.rn.f32 %a, ${C1}, ${C2}, ${C3}; mul.rn.f32 %g, %a, %x;`, 4],
    [`add.rn.f32 %a, ${C1}, ${C2}; mul.rn.f32 %g, %a, %x;`, 1],
    [`rsqrt.approx.ftz.f32 %a, ${C1}; mul.rn.f32 %g, %a, %x;`, 1],
    [`tanh.approx.f32 %a, ${C1}; mul.rn.f32 %g, %a, %x;`, 2],
    [`mov.f32 %g, ${C1};`, 0],
  ])("%s", (stub, instructions) => {
    expect(costOf(stub)[0]).toBe(instructions);
  });
});

describe("products in sums", () => {
  it.each([
    [`mul.f32 %a, %x, %x; add.f32 %g, %a, ${C1};`, 1],
    [`mul.rn.f32 %a, %x, %x; add.rn.f32 %g, %a, ${C1};`, 2],
    [`mul.f32 %a, %x, ${C2}; add.f32 %g, %a, ${C1};`, 2],
    [`mul.f32 %a, %x, %x; add.f32 %b, %a, ${C1}; mul.rn.f32 %g, %a, %b;`, 3],
    [
      `mul.f32 %a, %x, %x; mul.f32 %b, %a, %a; add.f32 %c, %x, %b; add.f32 %d, %b, %c; tanh.approx.f32 %g, %d;`,
      4,
    ],
    [`mul.ftz.f32 %a, %x, %x; add.f32 %g, %a, ${C1};`, 2],
    ["mul.f32 %a, %x, %x; abs.f32 %b, %a; add.f32 %g, %b, %x;", 1],
    ["mul.ftz.f32 %a, %x, %x; neg.ftz.f32 %g, %a;", 1],
    ["div.approx.ftz.f32 %a, %x, %x; add.ftz.f32 %g, %x, %a;", 2],
  ])("%s", (stub, instructions) => {
    expect(costOf(stub)[0]).toBe(instructions);
  });
});

describe("approximations", () => {
  it.each([
    ["ex2.approx.ftz.f32 %g, %x;", 1, 1],
    ["ex2.approx.f32 %g, %x;", 5, 1],
    [`mul.rn.f32 %a, %x, ${C1}; ex2.approx.f32 %g, %a;`, 5, 1],
    ["rcp.approx.f32 %g, %x;", 8, 1],
    ["rcp.approx.f32 %a, %x; rcp.approx.f32 %g, %a;", 15, 2],
    ["sin.approx.ftz.f32 %g, %x;", 2, 1],
    ["rcp.approx.ftz.f32 %a, %x; rcp.approx.ftz.f32 %g, %a;", 0, 0],
    ["ex2.approx.ftz.f32 %a, %x; rcp.approx.ftz.f32 %g, %a;", 1, 1],
    ["mul.rn.f32 %a, %x, %x; div.approx.ftz.f32 %g, %x, %a;", 3, 1],
    [`div.approx.ftz.f32 %g, %x, ${C1};`, 1, 0],
    [
      `fma.rn.f32 %a, %x, %x, ${C1}; div.approx.ftz.f32 %b, %x, %a; div.approx.ftz.f32 %c, ${C2}, %a; mul.rn.f32 %g, %b, %c;`,
      5,
      1,
    ],
  ])("%s", (stub, instructions, special) => {
    expect(costOf(stub)).toEqual([instructions, special]);
  });
});

test("a model forgets the code before", () => {
  const long = codesOf(
    `fma.rn.f32 %a, %x, ${C1}, ${C2}; ${"fma.rn.f32 %a, %a, %a, %x; ".repeat(200)} tanh.approx.f32 %g, %a;`,
  );
  const short = codesOf("mul.rn.f32 %g, %x, %x;");
  const model = new MachineCostModel();
  for (const [codes, ...expected] of [
    [long, 203, 1, 1],
    [short, 1, 0, 0],
    [long, 203, 1, 1],
  ] as const) {
    model.count(codes.words, codes.offsets[0]!);
    expect([model.instructions, model.special, model.constants]).toEqual(expected);
  }
});

test("codes that read an input twice", () => {
  const f32 = codeType("f32");
  const add = encodeOperation("add.rn.f32", 2);
  const mul = encodeOperation("mul.rn.f32", 2);
  const read = [inputOperation(f32), 0];
  // x * x + x * x
  const words = [...read, ...read, mul, 0, 0, mul, 1, 1, add, 2, 3];
  const arity = 1 | (1 << StraightLineCode.outputShift);
  const output = 4 | (f32 << StraightLineCode.typeShift);
  const model = new MachineCostModel();
  model.count(Uint32Array.of(StraightLineCode.magic, 5, arity, ...words, output), 0);
  expect(model.instructions).toBe(2);
});

test("codes that are not there", () => {
  const codes = codesOf("mov.f32 %g, %x;");
  expect(codes.words[0]).toBe(StraightLineCode.magic);
  expect(() => machineCost(codes, 1)).toThrow("expected the number of one of 1 codes, found 1");
});
