// What the kernels in JavaScript promise besides their results, which tests/columns-operations.test.ts compares with the emulator.
import { constantOperation, encodeOperation, inputOperation } from "@mm-ptx/types/code";
import { describe, expect, it } from "vitest";
import { type ColumnKernel, javaScriptKernel } from "../../src/machine/javascript.js";
import { javaScriptLanes } from "../../src/machine/lanes.js";

function kernelOf(opcode: string, operands: number): ColumnKernel {
  const kernel = javaScriptKernel(encodeOperation(opcode, operands));
  if (kernel === undefined) throw new Error(`no kernel for \`${opcode}\``);
  return kernel;
}

describe("the lanes of operands and results", () => {
  it.each([
    ["add.f32", 2, ["32", "32"], "32"],
    ["mul.wide.s32", 2, ["32", "32"], "64"],
    ["shl.b64", 2, ["64", "32"], "64"],
    ["cvt.rn.f16.f64", 1, ["64"], "32"],
    ["setp.lt.f64", 2, ["64", "64"], "pred"],
    ["setp.lt.and.u16", 3, ["32", "32", "pred"], "pred"],
    ["set.gt.or.u32.s64", 3, ["64", "64", "pred"], "32"],
    ["selp.b64", 3, ["64", "64", "pred"], "64"],
    ["slct.f32.s32", 3, ["32", "32", "32"], "32"],
    ["testp.finite.f64", 1, ["64"], "pred"],
    ["and.pred", 2, ["pred", "pred"], "pred"],
    ["mov.pred", 1, ["pred"], "pred"],
    ["mov.b64", 1, ["64"], "64"],
    ["fma.rn.f32x2", 3, ["64", "64", "64"], "64"],
  ])("%s", (opcode, operands, args, result) => {
    expect(kernelOf(opcode, operands)).toMatchObject({ args, result });
  });
});

it("the same word gives the same kernel", () => {
  expect(kernelOf("add.f32", 2)).toBe(kernelOf("add.f32", 2));
});

it.each([
  ["no operation", 0],
  ["an input", inputOperation(13)],
  ["a constant", constantOperation(13)],
  ["a name that does not exist", 0x7f | (13 << 7)],
  ["a type that does not exist", (encodeOperation("neg.f32", 1) | (0x1f << 7)) >>> 0],
])("there is no kernel for %s", (_, word) => {
  expect(javaScriptKernel(word)).toBeUndefined();
});

describe("results may replace an operand, also one with other lanes", () => {
  const ROWS = 5;
  const SMALL = [-1n, 2n, 3n, -4n, 5n];
  const TENS = [10n, 21n, 12n, 13n, 24n];

  it.each([
    { opcode: "cvt.s64.s32", operands: [SMALL], replaced: 0, expected: SMALL },
    {
      opcode: "cvt.u32.u64",
      operands: [[0x1ffffffffn, 0x200000003n, 7n, -1n, 1n << 40n]],
      replaced: 0,
      expected: [0xffffffffn, 3n, 7n, 0xffffffffn, 0n],
    },
    {
      opcode: "selp.b64",
      operands: [TENS, SMALL, [1n, 0n, 1n, 1n, 0n]],
      replaced: 2,
      expected: [10n, 2n, 12n, 13n, 5n],
    },
    {
      opcode: "setp.gt.u64",
      operands: [SMALL, [1n, 3n, 1n << 33n, 4n, 4n]],
      replaced: 1,
      expected: [1n, 0n, 0n, 1n, 1n],
    },
    { opcode: "add.s32", operands: [SMALL, TENS], replaced: 0, expected: [9n, 23n, 15n, 9n, 29n] },
    { opcode: "mov.b32", operands: [SMALL], replaced: 0, expected: SMALL },
  ])("$opcode", ({ opcode, operands, replaced, expected }) => {
    const kernel = kernelOf(opcode, operands.length);
    const lanes = javaScriptLanes(new ArrayBuffer(4 * 8 * ROWS));
    const places = [0, 1, 2, 3].map((slot) => 8 * ROWS * slot) as [number, number, number, number];
    operands.forEach((column, slot) => {
      column.forEach((value, row) => {
        if (kernel.args[slot] === "64") lanes.longs[ROWS * slot + row] = value;
        else lanes.words[2 * ROWS * slot + row] = Number(value);
      });
    });
    const target = places[replaced]!;
    kernel.run(lanes, target, ...places, ROWS);
    const bits = kernel.result === "64" ? 64 : 32;
    const results = bits === 64 ? lanes.longs.subarray(target / 8) : lanes.words.subarray(target / 4);
    expect(Array.from(results.subarray(0, ROWS), BigInt)).toEqual(
      expected.map((value) => BigInt.asUintN(bits, value)),
    );
  });
});
