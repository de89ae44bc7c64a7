// Graphs compute what codes compute, whether they are read, written or rebuilt.
import { evaluateBatch } from "@mm-ptx/columns";
import { table } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { Draws, stackSpace } from "../../src/index.js";
import { appendGraph, graphOf } from "../../src/simplify/graph.js";
import { drawRows, outputsOn } from "../../src/simplify/rows.js";

const operand = (name: string, direction: "in" | "out", type: string) =>
  ({ name, direction, register: name, registerType: type.toLowerCase(), type }) as const;

const space = stackSpace(table, {
  operands: [
    operand("x", "in", "U32"),
    operand("f", "in", "F32"),
    operand("o", "out", "U32"),
    operand("g", "out", "F32"),
  ],
  instructions: (
    "add.u32 sub.u32 mul.lo.u32 and.b32 xor.b32 shl.b32 shr.u32 popc.b32 bfe.u32 prmt.b32 setp.lt.u32 selp.u32 mad.lo.u32 min.u32 " +
    "add.f32 fma.rn.f32 max.f32 sqrt.rn.f32 setp.gt.f32 selp.f32 mov.u32.f32 cvt.rn.f32.u32 and.pred not.pred"
  ).split(" "),
  length: { min: 20, max: 60 },
});

it("graphs and columns have the same outputs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const draws = new Draws();
      const genomes = new CodeBuffer();
      draws.start(seed, 0, 0);
      space.sample(draws, genomes);
      const codes = new CodeBuffer();
      space.compile({ words: genomes.words, start: 0, end: genomes.end }, codes);
      const graph = graphOf(codes.words);
      appendGraph(graph, 2, codes);
      const rows = drawRows([{ class: 0 }, { class: 1 }], 64, draws);
      const words = rows.values.filter((_, index) => index % 2 === 0);
      const floats = new Float32Array(rows.values.filter((_, index) => index % 2 === 1).buffer);
      const { outputs } = await evaluateBatch(codes, [new Uint32Array(words.buffer), floats], {
        outputs: true,
      });
      const column = (code: number, output: number) => {
        const { buffer, byteOffset } = outputs!.column(code, output);
        return new Int32Array(buffer as ArrayBuffer, byteOffset, rows.count);
      };
      const used = graph.inputs.map(({ index }) => index);
      const own = rows.values.filter((_, index) => used.includes(index % 2));
      const ordered = used.length === 2 && used[0] === 1 ? swapped(own) : own;
      const found = outputsOn(graph, { count: rows.count, values: ordered });
      for (let row = 0; row < rows.count; row++) {
        for (let output = 0; output < 2; output++) {
          expect(found[2 * row + output]).toBe(column(0, output)[row]);
          expect(column(1, output)[row]).toBe(column(0, output)[row]);
        }
      }
    }),
    { numRuns: smoke(1000) },
  );
});

/** Pairs with their numbers swapped. */
const swapped = (values: Int32Array): Int32Array => values.map((_, index) => values[index ^ 1]!);
