// What a file is, by its content.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contentKind, hasMain } from "../../src/cli/content.js";

const kindOf = (text: string) => contentKind(new TextEncoder().encode(text));
const shift = (extension: string) =>
  readFileSync(new URL(`../source/shift.${extension}`, import.meta.url), "utf8");

it.each([
  [shift("ptx"), "ptx"],
  [shift("cu"), "cuda"],
  ["/* .version 8.0 */ __global__ void f() {}", "cuda"],
  ["// #include\n.version 8.0\n.target sm_75", "ptx"],
  ["#include <cstdio>\nint main() {}", "cuda"],
  [' {"kind": "filled"}', "filled kernel"],
  ["nonsense", "ptx"],
])("%#: %.20s… is %s", (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

it("programs and fatbins are told by their magic numbers", () => {
  expect(contentKind(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2))).toBe("elf");
  expect(contentKind(Uint8Array.of(0x50, 0xed, 0x55, 0xba, 1))).toBe("fatbin");
});

it.each([
  ["int main() {\n}", true],
  ["int main(int argc, char **argv)\n{\n}", true],
  ["// int main() {}\n__global__ void f() {}", false],
  ["int main();", false],
  ["void domain() {}", false],
])("%j has main: %s", (text, expected) => {
  expect(hasMain(text)).toBe(expected);
});
