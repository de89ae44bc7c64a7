// Programs and encoders: what they contain, what they share, and what they refuse.
import { describe, expect, it } from "vitest";
import {
  AstProgram,
  constant,
  constantBits,
  float32Bits,
  float32FromBits,
  type Instruction,
  input,
  ptxInstruction,
  returnInstruction,
  routine,
  routineArgument,
} from "../src/index.js";
import { complaint, transferred } from "./support/small-table.js";

const hex = ({ head, payload }: Instruction): string =>
  `${head.toString(16).padStart(8, "0")} ${payload.toString(16).padStart(8, "0")}`;

describe("encoders", () => {
  it.each<[string, Instruction, string]>([
    ["input", input(0xffffffff), "00000001 ffffffff"],
    ["constant", constant(-1.5), "00000002 bfc00000"],
    ["rounded constant", constant(0.1), "00000002 3dcccccd"],
    ["constant that overflows", constant(1e300), "00000002 7f800000"],
    ["negative zero", constant(-0), "00000002 80000000"],
    ["constant bits", constantBits(0x7fc00001), "00000002 7fc00001"],
    ["ptx", ptxInstruction(65535, 3), "00030003 0000ffff"],
    ["ptx of most arguments", ptxInstruction(0, 65535), "ffff0003 00000000"],
    ["routine", routine(7, 2), "00020004 00000007"],
    ["return", returnInstruction, "00000005 00000000"],
    ["routine argument", routineArgument(3), "00000006 00000003"],
  ])("encode %s", (_, instruction, words) => {
    expect(hex(instruction)).toBe(words);
    expect(Object.isFrozen(instruction)).toBe(true);
  });

  it.each<[string, () => Instruction]>([
    ["expected an integer from 0 to 4294967295 as input index, found 4294967296", () => input(2 ** 32)],
    [
      "expected an integer from 0 to 4294967295 as input index, found undefined",
      () => input(undefined as never),
    ],
    ["expected a number, found `1`", () => constant("1" as never)],
    ["expected an integer from 0 to 4294967295 as constant, found -1", () => constantBits(-1)],
    ["expected an integer from 0 to 4294967295 as constant, found a bigint", () => constantBits(1n as never)],
    ["expected an integer from 0 to 65535 as instruction index, found 65536", () => ptxInstruction(65536, 1)],
    ["expected an integer from 0 to 65535 as argument count, found 0.5", () => ptxInstruction(0, 0.5)],
    ["expected an integer from 0 to 65535 as argument count, found NaN", () => routine(0, Number.NaN)],
    ["expected an integer from 0 to 4294967295 as routine index, found -1", () => routine(-1, 0)],
    ["expected an integer from 0 to 4294967295 as argument index, found -1", () => routineArgument(-1)],
  ])("refuse: %s", (message, encode) => {
    expect(complaint(encode)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it("round to the nearest f32, ties to even", () => {
    expect(float32Bits(1 + 2 ** -24)).toBe(0x3f800000);
    expect(float32Bits(1 + 3 * 2 ** -24)).toBe(0x3f800002);
    expect(float32Bits(2 ** -149)).toBe(1);
  });
});

describe("programs", () => {
  const words = Uint32Array.of(1, 5, 0x20003, 7, 5, 0);
  const aligned = new Uint8Array(words.buffer.slice(0));

  it("contain the words of their instructions", () => {
    const program = AstProgram.of(input(5), ptxInstruction(7, 2), returnInstruction);
    expect(program.words).toEqual(words);
    expect(program.bytes).toEqual(aligned);
    expect(program.length).toBe(3);
    expect(AstProgram.of().length).toBe(0);
  });

  it("are equal when their words are", () => {
    const program = AstProgram.fromWords(words);
    expect(program.equals(AstProgram.fromBytes(aligned))).toBe(true);
    expect(program.equals(AstProgram.fromWords(words.subarray(0, 4)))).toBe(false);
    expect(program.equals(AstProgram.of(input(5), ptxInstruction(7, 3), returnInstruction))).toBe(false);
  });

  it("are views of words and of aligned bytes", () => {
    expect(AstProgram.fromWords(words).words).toBe(words);
    const program = AstProgram.fromBytes(aligned.subarray(8, 16));
    expect(program.words).toEqual(Uint32Array.of(0x20003, 7));
    expect(program.words.buffer).toBe(aligned.buffer);
  });

  it.each([1, 2, 3])("copy bytes that are misaligned by %i", (offset) => {
    const bytes = new Uint8Array(aligned.length + 8);
    bytes.set(aligned, offset);
    const program = AstProgram.fromBytes(bytes.subarray(offset, offset + aligned.length));
    expect(program.words).toEqual(words);
    expect(program.words.buffer).not.toBe(bytes.buffer);
  });

  it.each<[string, () => unknown]>([
    [
      "expected two words per instruction, found 3 words: the last instruction is truncated",
      () => AstProgram.fromWords(new Uint32Array(3)),
    ],
    [
      "expected 8 bytes per instruction, found 12 bytes: the last one is truncated",
      () => AstProgram.fromBytes(new Uint8Array(12)),
    ],
    ["expected the program as a Uint32Array, found an array", () => AstProgram.fromWords([1, 2] as never)],
    ["expected the program as a Uint8Array, found null", () => AstProgram.fromBytes(null as never)],
    ["expected an encoded instruction at index 1, found 5", () => AstProgram.of(input(0), 5 as never)],
    ["expected an encoded instruction at index 0, found null", () => AstProgram.of(null as never)],
    [
      "expected an encoded instruction at index 0, found an object",
      () => AstProgram.of({ head: -1, payload: 0 }),
    ],
    ["expected an AstProgram, found undefined", () => AstProgram.of().equals(undefined as never)],
    [
      "expected a program in memory of this thread, found one whose buffer was transferred",
      () => AstProgram.fromWords(transferred(new Uint32Array(2))).bytes,
    ],
    [
      "expected a program in memory of this thread, found one whose buffer was transferred",
      () => AstProgram.fromBytes(transferred(new Uint8Array(8))),
    ],
    ["expected a number, found a bigint", () => float32Bits(10n as never)],
    ["expected a number, found a symbol", () => float32Bits(Symbol("x") as never)],
    ["expected a number, found `abc`", () => float32Bits("abc" as never)],
    ["expected an integer from 0 to 4294967295 as the bits of an f32, found -1", () => float32FromBits(-1)],
    [
      "expected an integer from 0 to 4294967295 as the bits of an f32, found `x`",
      () => float32FromBits("x" as never),
    ],
  ])("refuse: %s", (message, make) => {
    expect(complaint(make)).toBe(`INVALID_ARGUMENT: ${message}`);
  });
});
