// Kernels that genomes are exported as compute what the columns do, on the emulator.
import { afterAll, expect, test } from "vitest";
import { table as astTable } from "../packages/ast/dist/generated/f32.js";
import { type Column, evaluateBatch } from "../packages/columns/dist/index.js";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import {
  astSpace,
  Draws,
  exportGenome,
  type ProgramSpace,
  stackSpace,
} from "../packages/search/dist/index.js";
import { table as stackTable } from "../packages/stack/dist/generated/default/index.js";
import { CodeBuffer } from "../packages/types/dist/code/index.js";
import { u32 } from "../packages/types/dist/device/index.js";
import { cases } from "./support/counts.js";

/** More than a block, and no multiple of its size. */
const ROWS = 50;
const SHAPE = { grid: 2, block: 32 };

const operand = (name: string, direction: "in" | "mod" | "out", type: string) =>
  ({ name, direction, register: name, registerType: type.toLowerCase(), type }) as const;

const SPACES: Readonly<Record<string, ProgramSpace>> = {
  ast: astSpace(astTable, { inputs: ["x", "tid.x", "result"], functions: { gauss: "exp(-a * a)" } }),
  stack: stackSpace(stackTable, {
    operands: [operand("x", "in", "F32"), operand("n", "mod", "U32"), operand("y", "out", "F32")],
    instructions: [
      "add.u32",
      "xor.b32",
      "mul.lo.u32",
      "setp.lt.f32",
      "selp.u32",
      "fma.rn.f32",
      "cvt.rn.f32.u32",
    ],
  }),
};

const device = EmulatedDevice.open();
afterAll(() => {
  device.dispose();
});

const columnsOf = (space: ProgramSpace): Column[] =>
  space.inputRegisters.map(({ type }, column) =>
    type === "f32"
      ? Float32Array.from({ length: ROWS }, (_, row) => (row - 20) * 0.37 * (column + 1))
      : Uint32Array.from({ length: ROWS }, (_, row) => Math.imul(row, 0x9e3779b1) >>> 0),
  );

test.each(Object.entries(SPACES))("%s", async (_, space) => {
  const draws = new Draws();
  const columns = columnsOf(space);
  for (let index = 0; index < cases(100); index++) {
    const genomes = new CodeBuffer();
    draws.start(3, 0, index);
    space.sample(draws, genomes);
    const genome = { words: genomes.words, start: 0, end: genomes.end };
    const codes = new CodeBuffer();
    space.compile(genome, codes);
    const { outputs } = await evaluateBatch(codes, columns, { outputs: true, rows: ROWS });

    using module = device.load(exportGenome(space, genome, "ptx", { name: "apply" }));
    const inputs = columns.map((column) => device.allocate(column.byteLength));
    await Promise.all(
      inputs.map((buffer, column) => buffer.copyFrom(columns[column] as Float32Array<ArrayBuffer>)),
    );
    const results = space.outputRegisters.map(() => device.allocate(4 * ROWS));
    device.stream.launch(module.kernel("apply"), SHAPE, [...inputs, ...results, u32(ROWS)]);
    for (const [output, result] of results.entries()) {
      const bytes = await result.read();
      const column = outputs!.column(0, output);
      const expected = new Uint8Array(column.buffer as ArrayBuffer, column.byteOffset, column.byteLength);
      expect(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).equals(expected),
        space.text(genome),
      ).toBe(true);
    }
    for (const buffer of [...inputs, ...results]) buffer.dispose();
  }
});
