// The codes of `ColumnsError`, and how a message says which code and which item is wrong.

import { CodeBuffer, codeType, constantOperation, encodeOperation, inputOperation } from "@mm-ptx/types/code";
import { describe, expect, it } from "vitest";
import { type Column, ColumnsError, type EvaluateOptions, evaluateBatch } from "../src/index.js";

const F32 = codeType("f32");
const MAGIC = 0x01434c53;
/** The square of the only input. */
const SQUARE = [
  MAGIC,
  2,
  1 | (1 << 16),
  inputOperation(F32),
  0,
  encodeOperation("mul.f32", 2),
  0,
  0,
  1 | (F32 << 24),
];

function batchOf(...codes: readonly number[][]): CodeBuffer {
  const batch = new CodeBuffer();
  for (const words of codes) {
    const end = batch.end + words.length;
    batch.reserve(words.length).set(words, batch.end);
    batch.append(end);
  }
  return batch;
}

/** A copy with one word replaced. */
const damaged = (index: number, word: number): number[] => SQUARE.with(index, word);

async function errorOf(
  codes: CodeBuffer,
  columns: readonly Column[],
  options?: EvaluateOptions,
): Promise<ColumnsError> {
  const error: unknown = await evaluateBatch(codes, columns, options).catch((reason: unknown) => reason);
  if (!(error instanceof ColumnsError)) throw error;
  return error;
}

const COLUMN = Float32Array.of(1, 2, 3);

describe.each([true, false])("with WebAssembly: %s", (webAssembly) => {
  it.each<[string, number[], Partial<ColumnsError>]>([
    [
      "another version",
      damaged(0, MAGIC + 0x1000000),
      { code: "BAD_CODE", place: { code: 1, item: undefined } },
    ],
    ["a later value", damaged(7, 1), { code: "BAD_CODE", place: { code: 1, item: 1 } }],
    ["an input without a column", damaged(4, 1), { code: "BAD_CODE", place: { code: 1, item: 0 } }],
    ["a word that is not an operation", damaged(5, 0x7f), { code: "BAD_CODE", place: { code: 1, item: 1 } }],
    ["an empty word for an operation", damaged(5, 0), { code: "BAD_CODE", place: { code: 1, item: 1 } }],
  ])("%s", async (_, words, expected) => {
    const error = await errorOf(batchOf(SQUARE, words), [COLUMN], { webAssembly });
    expect(error).toMatchObject(expected);
    expect(error.message).toContain("code 1");
  });

  it("an operation that does not exist", async () => {
    const word = encodeOperation("mul.rz.f32", 2);
    const absurd = (word & ~(31 << 7)) | (codeType("pred") << 7);
    const error = await errorOf(batchOf(damaged(5, absurd >>> 0)), [COLUMN], { webAssembly });
    expect(error).toMatchObject({ code: "UNSUPPORTED_INSTRUCTION", place: { code: 0, item: 1 } });
    expect(error.message).toContain("`mul.rz.pred`");
  });

  it("a column of another type", async () => {
    const error = await errorOf(batchOf(SQUARE), [Int32Array.of(1, 2)], { webAssembly });
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", place: { code: 0, item: 0 } });
  });
});

it("more columns than memory", async () => {
  // One array, whose pages are never touched.
  const column = new Float32Array(2 ** 26);
  const error = await errorOf(batchOf(SQUARE), Array<Column>(20).fill(column));
  expect(error).toMatchObject({ code: "INSUFFICIENT_BUFFER", place: undefined });
});

it("a constant that is cut off", async () => {
  const words = [MAGIC, 1, 1 << 16, constantOperation(codeType("f64")), 0];
  expect(await errorOf(batchOf(words), [], { rows: 1 })).toMatchObject({ code: "BAD_CODE" });
});
