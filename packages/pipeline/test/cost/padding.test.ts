// The padding at the end of code, as the assembler writes it.
import { expect, test } from "vitest";
import { bytesWithoutPadding } from "../../src/cost/padding.js";

const EXIT = "4d790000000000000000800300ea0f00";
const NOP = "18790000000000000000000000c00f00";
const SELF = "47790000f0ffffffffff830300c00f00";
const SELF_90 = "4779fc00fcffffffffff830300c00f00";
const BACK = "47790000e0ffffffffff830300c00f00";

const code = (...words: readonly string[]): Uint8Array => Buffer.from(words.join(""), "hex");

test.each([
  ["a branch to itself and NOPs", [EXIT, SELF, NOP, NOP], 16],
  ["from sm_90 on", [EXIT, SELF_90, NOP], 16],
  ["NOPs alone", [EXIT, NOP], 16],
  ["no padding", [EXIT, NOP, EXIT], 48],
  ["a branch to another instruction", [EXIT, BACK, NOP], 32],
  ["nothing but padding", [SELF, NOP], 0],
  ["nothing", [], 0],
] as const)("%s", (_, words, expected) => {
  expect(bytesWithoutPadding(code(...words))).toBe(expected);
});

test("bytes after the last whole instruction are no code", () => {
  expect(bytesWithoutPadding(code(EXIT, "4779"))).toBe(16);
});
