// What evaluateBatch refuses, and what it reads of its arguments.
import type { CodeBuffer } from "@mm-ptx/types/code";
import { describe, expect, it } from "vitest";
import { type EvaluateOptions, evaluateBatch } from "../../src/index.js";
import { batchOf, copies } from "../support/codes.js";

const _target = (rows: number): Float64Array =>
  Float64Array.from({ length: rows }, (_, row) => Math.cos(row));

const _bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

describe("arguments", () => {
  const batch = batchOf(copies("f32"));
  const column = Float32Array.of(1, 2, 3);
  const three = Float64Array.of(1, 2, 3);
  const refused = async (promise: Promise<unknown>, message: RegExp): Promise<void> => {
    await expect(promise).rejects.toMatchObject({
      name: "ColumnsError",
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
  };
  const evaluateWith = (options: unknown) => evaluateBatch(batch, [column], options as EvaluateOptions);
  const withLoss = (loss: object) => evaluateWith({ loss: { kind: "mse", target: three, ...loss } });

  it.each<[unknown, RegExp]>([
    [{ los: 1 }, /^unknown option `los`, did you mean `loss`/],
    [{ rows: 0 }, /^option `rows`: expected a whole number from 1/],
    [{ rows: 2 }, /^expected 2 rows in column 0, found 3/],
    [{ cases: true }, /^expected a loss with `cases`/],
    [{ outputs: 1 }, /^option `outputs`: expected a boolean/],
    [{ workers: 0 }, /^option `workers`: expected a whole number from 1 to 256/],
    [{ workers: {} }, /^option `workers`: expected a number or an object of ColumnWorkers/],
    [{ signal: {} }, /^option `signal`/],
    [null, /^expected options as an object, found null/],
  ])("options %j", async (options, message) => {
    await refused(evaluateWith(options), message);
  });

  it.each<[object, RegExp]>([
    [{ kind: "msee" }, /^option `loss.kind`: .*did you mean `mse`/],
    [{ target: undefined }, /`loss.target`/],
    [{ target: [1, 2, 3] }, /^expected `loss.target` as a typed array, found an array/],
    [{ target: Float64Array.of(1, 2) }, /^expected 3 rows in `loss.target`, found 2/],
    [
      { target: Float64Array.of(1, Number.NaN, 2) },
      /^expected a finite number in row 1 of `loss.target`, found NaN/,
    ],
    [{ target: Float32Array.of(1, 2, Infinity) }, /^expected a finite number in row 2 of `loss.target`/],
    [{ output: -1 }, /^option `loss.output`/],
    [{ tolerance: 1 }, /^expected option `loss.tolerance` only if `loss.kind` is `misses`/],
    [{ kind: "misses" }, /^expected option `loss.tolerance` as a number/],
    [{ kind: "misses", tolerance: -1 }, /^option `loss.tolerance`/],
    [{ kind: "misses", tolerance: Number.NaN }, /^option `loss.tolerance`/],
    [{ weights: [1, 1, 1] }, /^expected `loss.weights` as a Float32Array or Float64Array/],
    [{ weights: Float64Array.of(1, 1) }, /^expected 3 rows in `loss.weights`, found 2/],
    [
      { weights: Float64Array.of(1, -1, 1) },
      /^expected a finite weight of at least 0 in row 1 of `loss.weights`/,
    ],
    [{ weights: Float64Array.of(1, 1, Number.NaN) }, /row 2 of `loss.weights`, found NaN/],
    [{ weights: Float64Array.of(0, 0, 0) }, /^expected `loss.weights` with a finite sum above 0, found 0/],
    [{ kind: "nmse", target: Float64Array.of(2, 2, 2) }, /variance above 0 for `nmse`/],
    [{ kind: "r2", target: Float64Array.of(1e200, 0, 0) }, /variance above 0 for `r2`/],
    [{ kind: "hamming", target: Uint8Array.of(0, 1, 2) }, /^expected a predicate, 0 or 1, in row 2/],
  ])("loss %j", async (loss, message) => {
    await refused(withLoss(loss), message);
  });

  it("losses of outputs that do not exist, or are no numbers", async () => {
    const place = { code: 0, item: undefined };
    await expect(withLoss({ output: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", place });
    const bits = evaluateBatch(batchOf(copies("f16x2")), [Uint32Array.of(1)], {
      loss: { kind: "mse", target: Float64Array.of(1) },
    });
    await refused(
      bits,
      /^expected an output of a type that the loss compares.* found f16x2 \(code 0, item 0\)/,
    );
    for (const webAssembly of [true, false]) {
      const loss = { kind: "hamming", target: Int32Array.of(1, 2, 3) };
      await refused(evaluateWith({ webAssembly, loss }), /found f32 \(code 0, item 0\)/);
    }
  });

  it("codes and columns that are no arrays, or not long enough", async () => {
    const evaluateCodes = (codes: unknown, columns: unknown = [column]) =>
      evaluateBatch(codes as CodeBuffer, columns as Float32Array[]);
    const { words } = batch;
    await refused(evaluateCodes(undefined), /`words` of codes/);
    await refused(evaluateCodes({ words, offsets: [0] }), /`offsets` of codes/);
    await refused(evaluateCodes({ words, offsets: new Uint32Array(0) }), /one entry more/);
    await refused(
      evaluateCodes({ words, offsets: Uint32Array.of(0, 99) }),
      /ascend up to the 6 words, found 99/,
    );
    await refused(evaluateCodes({ words, offsets: Uint32Array.of(3, 2) }), /found 2 at index 1/);
    await refused(evaluateCodes(batch, column), /`columns` as an array/);
    await refused(evaluateCodes(batch, [[1]]), /column 0 as a typed array/);
    await refused(evaluateCodes(batch, []), /columns or `rows`/);
    await refused(evaluateCodes(batch, [new Float32Array(0)]), /at least one row/);
    await refused(evaluateCodes(batch, [Uint8Array.of(2)]), /predicates as 0 or 1/);
  });

  it("detached arrays", async () => {
    const detached = Float32Array.of(1, 2, 3);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    await refused(evaluateBatch(batch, [detached]), /at least one row|detached/);
    await refused(evaluateBatch(batch, [column, detached]), /expected 3 rows in column 1, found 0/);
    const words = batch.words.slice();
    structuredClone(words.buffer, { transfer: [words.buffer] });
    await refused(evaluateBatch({ words, offsets: batch.offsets }, [column]), /ascend up to the 0 words/);
  });

  it("arrays in shared memory", async () => {
    const shared = new Float32Array(new SharedArrayBuffer(12));
    shared.set(column);
    const words = new Uint32Array(new SharedArrayBuffer(24));
    words.set(batch.words);
    const codes = { words, offsets: batch.offsets };
    const { outputs } = await evaluateBatch(codes, [shared], { outputs: true });
    expect(outputs!.column(0)).toEqual(column);
  });

  it("are read once", async () => {
    let reads = 0;
    const loss = {
      get kind() {
        reads++;
        return "mse" as const;
      },
      get target() {
        reads++;
        return three;
      },
    };
    const options = {
      get loss() {
        reads++;
        return loss;
      },
    };
    await evaluateBatch(batch, [column], options);
    expect(reads).toBe(3);
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no keys");
        },
      },
    );
    await expect(evaluateBatch(batch, [column], proxy)).rejects.toThrow("no keys");
  });

  it("are checked after all getters have run", async () => {
    const words = batch.words.slice();
    const offsets = batch.offsets.slice();
    const x = column.slice();
    const changing = {
      get kind() {
        offsets[1] = 0x0fffffff;
        structuredClone(x.buffer, { transfer: [x.buffer] });
        return "mse" as const;
      },
      target: three,
    };
    const changed = evaluateBatch({ words, offsets }, [x], { loss: changing });
    await expect(changed).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const codes = {
      words,
      get offsets() {
        return offsets;
      },
    };
    await expect(evaluateBatch(codes, [column])).rejects.toThrow("expected `offsets` that ascend");
    let reads = 0;
    const loss = { kind: "mse", target: three } as const;
    const interval = {
      get disturbances() {
        return reads++ === 0 ? 1 : 2 ** 40;
      },
    };
    await evaluateBatch(batch, [column], { loss, interval });
    expect(reads).toBe(1);
  });
});
