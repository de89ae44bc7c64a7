// A run allocates nothing per code: the results are written into what the caller made.
import { CodeBuffer, codeType, constantOperation, encodeOperation, inputOperation } from "@mm-ptx/types/code";
import { CodeWord } from "@mm-ptx/types/internal";
import { expect, it } from "vitest";
import { bytesPerCall } from "../../../../tests/support/heap.js";
import { LossKernel } from "../../src/machine/kernels.js";
import { machineOf } from "../../src/machine/machines.js";

const F32 = codeType("f32");
const CODES = 2000;
const ROWS = 32;

/** Codes of x * c + y, each with a constant of its own. */
function codes(): CodeBuffer {
  const out = new CodeBuffer();
  const items = [
    [inputOperation(F32), 0],
    [constantOperation(F32), 0x3fc00000],
    [encodeOperation("mul.f32", 2), 0, 1],
    [inputOperation(F32), 1],
    [encodeOperation("add.f32", 2), 2, 3],
  ];
  const words = [
    CodeWord.magic,
    items.length,
    2 | (1 << CodeWord.outputShift),
    ...items.flat(),
    4 | (F32 << 24),
  ];
  for (let code = 0; code < CODES; code++) {
    words[6] = 0x3fc00000 + code;
    out.reserve(words.length).set(words, out.end);
    out.append(out.end + words.length);
  }
  return out;
}

it("a batch leaves a few bytes for each code, whatever their number", async () => {
  const { words, offsets } = codes();
  const bytes = new Uint8Array(Float32Array.from({ length: ROWS }, (_, row) => row / 8).buffer);
  const column = { bytes, isDouble: false, types: 1 << F32 };
  const loss = {
    kernel: LossKernel.squared,
    output: 0,
    types: 1 << F32,
    target: new Float64Array(ROWS),
    weights: undefined,
    divisor: ROWS,
    tolerance: 0,
    targetMean: 0,
    weightSum: ROWS,
    mask: 0n,
  };
  const results = {
    status: new Uint8Array(CODES),
    loss: new Float64Array(CODES),
    scale: undefined,
    offset: undefined,
    cases: undefined,
    outputs: undefined,
  };
  const machine = machineOf(true);
  const left = await bytesPerCall(
    () => {
      const task = { rows: ROWS, columns: [column, column], loss, longest: 19 };
      machine.run(task, { words, offsets }, 0, CODES, results, Number.POSITIVE_INFINITY);
    },
    { long: true },
  );
  expect(results.loss.every((value) => value > 0)).toBe(true);
  expect(left / CODES).toBeLessThan(8);
});
