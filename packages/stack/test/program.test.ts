// Programs, encoders and registers: what they contain, what they share, and what they refuse.
import { describe, expect, it } from "vitest";
import {
  constantBits,
  constantF32,
  constantS32,
  float32Bits,
  type Instruction,
  input,
  load,
  MetaOperation,
  type MetaOperationName,
  meta,
  metaConstant,
  ptxInstruction,
  register,
  returnInstruction,
  routine,
  StackProgram,
  special,
  store,
} from "../src/index.js";
import { complaint } from "./support/small-table.js";

const hex = ({ head, payload }: Instruction): string =>
  `${head.toString(16).padStart(8, "0")} ${payload.toString(16).padStart(8, "0")}`;

describe("encoders", () => {
  it.each<[string, Instruction, string]>([
    ["ptx", ptxInstruction(65535), "00000001 0000ffff"],
    ["constant bits", constantBits(65535, 0xffffffff), "ffff0002 ffffffff"],
    ["f32 constant", constantF32(1, -1.5), "00010002 bfc00000"],
    ["rounded f32 constant", constantF32(0, 0.1), "00000002 3dcccccd"],
    ["f32 constant that overflows", constantF32(0, 1e300), "00000002 7f800000"],
    ["negative zero", constantF32(0, -0), "00000002 80000000"],
    ["s32 constant", constantS32(2, -1), "00020002 ffffffff"],
    ["least s32 constant", constantS32(0, -(2 ** 31)), "00000002 80000000"],
    ["input", input(0xffffffff), "00000003 ffffffff"],
    ["special", special(7), "00000004 00000007"],
    ["meta", meta(40000, "reverse"), "9c400005 00000008"],
    ["meta constant", metaConstant(9), "00000006 00000009"],
    ["routine", routine(3), "00000007 00000003"],
    ["return", returnInstruction, "0000000a 00000000"],
    ["store", store(5, 6), "0005000b 00000006"],
    ["load", load(15), "0000000c 0000000f"],
  ])("encode %s", (_, instruction, words) => {
    expect(hex(instruction)).toBe(words);
    expect(Object.isFrozen(instruction)).toBe(true);
  });

  it("number the meta operations like the layout", () => {
    expect(MetaOperation).toEqual({
      dup: 0,
      yankDup: 1,
      swap: 2,
      swapWith: 3,
      replace: 4,
      drop: 5,
      clear: 6,
      rotate: 7,
      reverse: 8,
    });
  });

  it.each<[string, () => Instruction]>([
    ["expected an integer from 0 to 65535 as instruction index, found 65536", () => ptxInstruction(65536)],
    ["expected an integer from 0 to 65535 as instruction index, found -1", () => ptxInstruction(-1)],
    ["expected an integer from 0 to 65535 as instruction index, found 0.5", () => ptxInstruction(0.5)],
    ["expected an integer from 0 to 65535 as stack index, found NaN", () => constantBits(Number.NaN, 0)],
    [
      "expected an integer from 0 to 4294967295 as constant, found 4294967296",
      () => constantBits(0, 2 ** 32),
    ],
    ["expected an integer from 0 to 4294967295 as constant, found -1", () => constantBits(0, -1)],
    ["expected an integer from 0 to 65535 as stack index, found 65536", () => constantF32(65536, 1)],
    [
      "expected an integer from -2147483648 to 2147483647 as constant, found 2147483648",
      () => constantS32(0, 2 ** 31),
    ],
    ["expected an integer from -2147483648 to 2147483647 as constant, found 0.5", () => constantS32(0, 0.5)],
    ["expected an integer from 0 to 4294967295 as register index, found 4294967296", () => input(2 ** 32)],
    [
      "expected an integer from 0 to 4294967295 as register index, found undefined",
      () => input(undefined as never),
    ],
    ["expected an integer from 0 to 65535 as special register index, found 65536", () => special(65536)],
    ["expected an integer from 0 to 65535 as stack index, found 65536", () => meta(65536, "dup")],
    ["expected an integer from 0 to 4294967295 as meta constant, found -1", () => metaConstant(-1)],
    ["expected an integer from 0 to 4294967295 as routine index, found -1", () => routine(-1)],
    ["expected an integer from 0 to 65535 as stack index, found -1", () => store(-1, 0)],
    ["expected an integer from 0 to 4294967295 as slot, found -1", () => store(0, -1)],
    [
      "expected an integer from 0 to 4294967295 as slot, found Infinity",
      () => load(Number.POSITIVE_INFINITY),
    ],
  ])("refuse: %s", (message, encode) => {
    expect(complaint(encode)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it.each(["dupe", "toString", "constructor", "__proto__", 3 as never])(
    "refuse %s as meta operation",
    (name) => {
      expect(complaint(() => meta(0, name as MetaOperationName))).toMatch(
        /^INVALID_ARGUMENT: expected .* as meta operation, found /,
      );
    },
  );

  it.each(["1", null, undefined, {}])("refuse %j as an f32 constant", (value) => {
    expect(complaint(() => constantF32(0, value as never))).toMatch(/^INVALID_ARGUMENT: /);
  });

  it("round to the nearest f32, ties to even", () => {
    expect(float32Bits(1 + 2 ** -24)).toBe(0x3f800000);
    expect(float32Bits(1 + 3 * 2 ** -24)).toBe(0x3f800002);
    expect(float32Bits(Number.NEGATIVE_INFINITY)).toBe(0xff800000);
    expect(float32Bits(2 ** -149)).toBe(1);
  });
});

describe("programs", () => {
  const words = Uint32Array.of(1, 5, 0x10002, 7, 10, 0);
  const aligned = new Uint8Array(words.buffer.slice(0));

  it("contain the words of their instructions", () => {
    const program = StackProgram.of(ptxInstruction(5), constantBits(1, 7), returnInstruction);
    expect(program.words).toEqual(words);
    expect(program.bytes).toEqual(aligned);
    expect(program.length).toBe(3);
    expect(program.endsWithReturn).toBe(true);
    expect(StackProgram.of(ptxInstruction(5)).endsWithReturn).toBe(false);
    expect(StackProgram.of().endsWithReturn).toBe(false);
    expect(StackProgram.of().length).toBe(0);
  });

  it("are views of words and of aligned bytes", () => {
    expect(StackProgram.fromWords(words).words).toBe(words);
    const program = StackProgram.fromBytes(aligned.subarray(8, 16));
    expect(program.words).toEqual(Uint32Array.of(0x10002, 7));
    expect(program.words.buffer).toBe(aligned.buffer);
    const buffer = Buffer.from(aligned);
    expect(StackProgram.fromBytes(buffer).words).toEqual(words);
  });

  it.each([1, 2, 3])("copy bytes that are misaligned by %i", (offset) => {
    const bytes = new Uint8Array(aligned.length + 8);
    bytes.set(aligned, offset);
    const program = StackProgram.fromBytes(bytes.subarray(offset, offset + aligned.length));
    expect(program.words).toEqual(words);
    expect(program.words.buffer).not.toBe(bytes.buffer);
  });

  it.each<[string, () => unknown]>([
    [
      "expected two words per instruction, found 3 words: the last instruction is truncated",
      () => StackProgram.fromWords(new Uint32Array(3)),
    ],
    [
      "expected 8 bytes per instruction, found 12 bytes: the last one is truncated",
      () => StackProgram.fromBytes(new Uint8Array(12)),
    ],
    [
      "expected 8 bytes per instruction, found 1 bytes: the last one is truncated",
      () => StackProgram.fromBytes(new Uint8Array(1)),
    ],
    [
      "expected the program as a Uint32Array, found an array",
      () => StackProgram.fromWords([1, 2] as unknown as Uint32Array),
    ],
    [
      "expected the program as a Uint32Array, found an object of Int32Array",
      () => StackProgram.fromWords(new Int32Array(2) as unknown as Uint32Array),
    ],
    [
      "expected the program as a Uint32Array, found null",
      () => StackProgram.fromWords(null as unknown as Uint32Array),
    ],
    [
      "expected the program as a Uint8Array, found an object of ArrayBuffer",
      () => StackProgram.fromBytes(new ArrayBuffer(8) as unknown as Uint8Array),
    ],
    [
      "expected the program as a Uint8Array, found `12345678`",
      () => StackProgram.fromBytes("12345678" as unknown as Uint8Array),
    ],
  ])("refuse: %s", (message, make) => {
    expect(complaint(make)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it.each([[null], [{}], [{ head: 1 }], [{ head: -1, payload: 0 }], [{ head: 2 ** 32, payload: 0 }], [5]])(
    "refuse %j as an instruction",
    (value) => {
      expect(complaint(() => StackProgram.of(value as unknown as Instruction))).toMatch(
        /^INVALID_ARGUMENT: /,
      );
    },
  );
});

describe("registers", () => {
  it("have a name or an operand, and an index or a type", () => {
    expect(register("x", 3)).toEqual({ name: "x", stackIndex: 3 });
    expect(register({ register: "_x0" }, { stackIndex: 2 })).toEqual({ name: "_x0", stackIndex: 2 });
    expect(Object.isFrozen(register("x", 0))).toBe(true);
    expect(register("tid.x", 65535).stackIndex).toBe(65535);
  });

  it.each<[string, () => unknown]>([
    ["expected a register name without `%`, found ``", () => register("", 0)],
    ["expected a register name without `%`, found `a, b`", () => register("a, b", 0)],
    ["expected a register name without `%`, found `é`", () => register("é", 0)],
    ["expected a register name without `%`, found undefined", () => register({} as never, 0)],
    [
      "expected a register name that stubs do not declare themselves, found `_s0_12`",
      () => register("_s0_12", 0),
    ],
    [
      "expected an integer from 0 to 65535 as stack index of register `x`, found 65536",
      () => register("x", 65536),
    ],
    [
      "expected an integer from 0 to 65535 as stack index of register `x`, found -1",
      () => register("x", { stackIndex: -1 }),
    ],
    [
      "expected an integer from 0 to 65535 as stack index of register `x`, found undefined",
      () => register("x", {} as never),
    ],
  ])("refuse: %s", (message, make) => {
    expect(complaint(make)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("refuse a name with `%`, and say that it is not part of the name", () => {
    expect(complaint(() => register("%x", 0))).toBe(
      "INVALID_ARGUMENT: expected a register name without `%`, found `%x`",
    );
  });

  it.each([[null], [undefined], [5]])("refuse %j as name or type with a typed error", (value) => {
    expect(complaint(() => register(value as never, 0))).toMatch(/^INVALID_ARGUMENT: /);
    if (value !== 5) expect(complaint(() => register("x", value as never))).toMatch(/^INVALID_ARGUMENT: /);
  });
});
