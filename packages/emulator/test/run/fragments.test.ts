// Fragments of wmma: every element of a matrix has one place in the registers of a warp, whatever its shape,
// type and layout.
import { expect, it } from "vitest";
import { readForm } from "../../src/isa/notation.js";
import { instructionRows } from "../../src/isa/table.js";
import { fragmentAccess } from "../../src/run/fragments.js";
import { operationOf } from "../support/operations.js";

/** All opcodes of the rows that move matrices, without state spaces. */
const OPCODES = instructionRows()
  .get("wmma")!
  .map(readForm)
  .filter(({ text }) => !text.startsWith("wmma.mma"))
  .flatMap(({ elements }) =>
    elements
      .filter(({ optional }) => !optional)
      .reduce<string[]>(
        (texts, { words }) => texts.flatMap((text) => [...words.keys()].map((word) => `${text}.${word}`)),
        ["wmma"],
      ),
  );

it.each(OPCODES)("%s", (opcode) => {
  const [, m, n, k] = /\.m(\d+)n(\d+)k(\d+)/.exec(opcode)!.map(Number) as [number, number, number, number];
  const sizes: Readonly<Record<string, number>> = { a: m * k, b: k * n, c: m * n, d: m * n };
  const size = sizes[opcode.split(".")[2]!]!;
  const { elements, registers, stride, index } = fragmentAccess(operationOf(opcode))!;
  const found: number[] = [];
  for (let lane = 0; lane < 32; lane++) {
    for (let register = 0; register < registers; register++) {
      for (let element = 0; element < elements; element++) found.push(index(lane, register, element, stride));
    }
  }
  expect(found.sort((p, q) => p - q)).toEqual([...Array(size).keys()]);
  // Elements of a row, or column, are contiguous; the stride separates one row, or column, from the next.
  expect(index(0, 0, 0, 1000)).toBe(0);
  const far = new Set(found.map((_, i) => index(i % 32, 0, 0, 1000) % 1000));
  expect(Math.max(...far)).toBeLessThan(stride);
});
