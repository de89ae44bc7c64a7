// Parsing instructions: guards, opcodes, and nested operands.
import { describe, expect, test } from "vitest";
import { type PtxOperand, readFragment } from "../src/index.js";

function instructionOf(text: string, options = {}) {
  const code = readFragment(text, options);
  expect(code.statements.kind(0)).toBe("instruction");
  return code.instruction(0);
}

/** An operand as its kind and text, with its items in brackets. */
const shape = ({ kind, text, items }: PtxOperand): unknown => {
  return items.length === 0 ? `${kind} ${text}` : [`${kind} ${text}`, ...items.map(shape)];
};

describe("operands", () => {
  test.each<[text: string, opcode: string, operands: unknown[]]>([
    ["ret;", "ret", []],
    ["add.s32 %r1, %r2, -3;", "add.s32", ["value %r1", "value %r2", "value -3"]],
    [
      "setp.lt.f32 %p1|%p2, %f1, 0f00000000;",
      "setp.lt.f32",
      ["value %p1|%p2", "value %f1", "value 0f00000000"],
    ],
    [
      "ld .global/**/.f32 %f1, [%rd1 + 8];",
      "ld.global.f32",
      ["value %f1", ["address [%rd1 + 8]", "value %rd1 + 8"]],
    ],
    [
      "tex.2d.v4.f32.f32 {%f1, _, _, _}, [%rd4, {%f1, %f2}];",
      "tex.2d.v4.f32.f32",
      [
        ["vector {%f1, _, _, _}", "value %f1", "value _", "value _", "value _"],
        ["address [%rd4, {%f1, %f2}]", "value %rd4", ["vector {%f1, %f2}", "value %f1", "value %f2"]],
      ],
    ],
    [
      "call.uni (retval0), f, (param0, param1);",
      "call.uni",
      [
        ["list (retval0)", "value retval0"],
        "value f",
        ["list (param0, param1)", "value param0", "value param1"],
      ],
    ],
    [
      "ld.global.f32 %f1, [%rd1].unified;",
      "ld.global.f32",
      ["value %f1", ["address [%rd1].unified", "value %rd1"]],
    ],
    ["add.s32 %r1, %r2, -(3);", "add.s32", ["value %r1", "value %r2", ["value -(3)", "value 3"]]],
    ["mov.u32 %r1, %tid .x;", "mov.u32", ["value %r1", "value %tid .x"]],
  ])("of `%s`", (text, opcode, operands) => {
    const read = instructionOf(text);
    expect(read.opcode).toBe(opcode);
    expect(read.operands.map(shape)).toEqual(operands);
    for (const { text: operand, span } of read.operands)
      expect(text.slice(span.start, span.end)).toBe(operand);
  });

  test.each<[text: string, name: string, negated: boolean]>([
    ["@%p1 bra L;", "%p1", false],
    ["@ ! p bra L;", "p", true],
  ])("the guard of `%s`", (text, name, negated) => {
    const { guard, opcode, opcodeSpan } = instructionOf(text);
    expect(guard).toMatchObject({ name, negated });
    expect(text.slice(guard!.span.start, guard!.span.end)).toBe(name);
    expect([opcode, text.slice(opcodeSpan.start, opcodeSpan.end)]).toEqual(["bra", "bra"]);
  });
});

describe("damaged instructions", () => {
  test.each<[text: string, opcode: string, operands: unknown[]]>([
    ["@;", "", []],
    ["@%p1", "", []],
    ["add.s32 {%r1, [%r2", "add.s32", [["vector {%r1, [%r2", "value %r1", ["address [%r2", "value %r2"]]]],
    ["add.s32 %r1], )(;", "add.s32", ["value %r1]", "value )("]],
    ["add.s32 ,,;", "add.s32", []],
  ])("keep what can be read of `%s`", (text, opcode, operands) => {
    const read = instructionOf(text, { tolerant: true });
    expect(read.opcode).toBe(opcode);
    expect(read.operands.map(shape)).toEqual(operands);
  });
});
