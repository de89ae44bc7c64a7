// Batches: results do not depend on their order, on blocks or on machines, and arguments are read once and checked.
import { CodeBuffer, codeType, constantOperation } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type EvaluateOptions, evaluateBatch } from "../../src/index.js";
import { batchOf, bitsOf, codeWords, copies, type Item, input, step } from "../support/codes.js";
import { randomCode, randomColumns } from "../support/random-codes.js";

const target = (rows: number): Float64Array => Float64Array.from({ length: rows }, (_, row) => Math.cos(row));

const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

describe("results do not depend", () => {
  it("on the order of codes, on what else is in the batch, or on the machine", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomCode, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.constantFrom("mse", "mae", "nmse", "max"),
        async (codes, rows, kind) => {
          fc.pre(rows > 1 || kind !== "nmse");
          const columns = randomColumns(rows, rows);
          const options: EvaluateOptions = {
            loss: { kind, target: target(rows) },
            outputs: true,
            cases: true,
          };
          const forth = await evaluateBatch(batchOf(...codes), columns, options);
          const back = await evaluateBatch(batchOf(...[...codes].reverse()), columns, {
            ...options,
            webAssembly: false,
          });
          expect(bitsOf(back.loss).reverse()).toEqual(bitsOf(forth.loss));
          expect(Array.from(back.status).reverse()).toEqual(Array.from(forth.status));
          codes.forEach((_, code) => {
            const mirrored = codes.length - 1 - code;
            const one = forth.cases!.subarray(code * rows, (code + 1) * rows);
            const other = back.cases!.subarray(mirrored * rows, (mirrored + 1) * rows);
            expect(bytes(other).equals(bytes(one))).toBe(true);
            for (let output = 0; output < forth.outputs!.count(code); output++) {
              const [there, here] = [forth, back].map((result, index) =>
                bytes(result.outputs!.column(index === 0 ? code : mirrored, output)),
              );
              expect(here!.equals(there!)).toBe(true);
            }
          });
        },
      ),
      { numRuns: smoke(200) },
    );
  });

  it("on the length of blocks", async () => {
    const rows = 5000;
    const [x] = randomColumns(rows, 1);
    // Values that nothing reads take columns, so that fewer rows fit into a block.
    const code = (unused: number): number[] => {
      const items: Item[] = [input("f32", 0), step("mul.f32", 0, 0)];
      for (let value = 0; value < unused; value++) items.push([constantOperation(codeType("f32")), value]);
      for (let value = 0; value < unused; value++) items.push(step("add.f32", 2 + value, 0));
      return codeWords(1, items, [
        [1, "f32"],
        ...Array.from({ length: unused }, (_, value): [number, string] => [2 + unused + value, "f32"]),
      ]);
    };
    const batch = batchOf(...[0, 1, 2, 4, 9, 23, 100, 700].map(code));
    for (const kind of ["mse", "mae", "nmse"] as const) {
      const { loss } = await evaluateBatch(batch, [x], { loss: { kind, target: target(rows) } });
      expect(new Set(bitsOf(loss)).size).toBe(1);
    }
  });
});

describe("outputs", () => {
  it("have arrays of their types", async () => {
    const columns = [
      Float32Array.of(1, Number.NaN, -0),
      Float64Array.of(1, 2, 3),
      Int16Array.of(-1, 2, 3),
      Uint16Array.of(65535, 2, 3),
      BigInt64Array.of(-1n, 2n, 3n),
      BigUint64Array.of(2n ** 64n - 1n, 2n, 3n),
      Uint8Array.of(0, 1, 1),
      Int32Array.of(-5, 6, 7),
    ];
    const types = ["f32", "f64", "s16", "u16", "s64", "u64", "pred", "s32"];
    const code = copies(...types);
    for (const webAssembly of [true, false]) {
      const result = await evaluateBatch(batchOf(code, code), columns, { outputs: true, webAssembly });
      const outputs = result.outputs!;
      expect(Array.from(result.status)).toEqual([0, 0]);
      expect([result.loss, result.cases, result.scale]).toEqual([undefined, undefined, undefined]);
      expect(outputs.count(1)).toBe(8);
      expect(types.map((_, output) => outputs.type(1, output))).toEqual(types);
      expect(types.map((_, output) => outputs.column(1, output))).toEqual([
        Float32Array.of(1, Number.NaN, -0),
        Float64Array.of(1, 2, 3),
        Int32Array.of(-1, 2, 3),
        Uint32Array.of(65535, 2, 3),
        BigInt64Array.of(-1n, 2n, 3n),
        BigUint64Array.of(2n ** 64n - 1n, 2n, 3n),
        Uint32Array.of(0, 1, 1),
        Int32Array.of(-5, 6, 7),
      ]);
      expect(outputs.column(0).buffer).toBe(outputs.buffer);
      for (const [code, output] of [
        [2, 0],
        [-1, 0],
        [0, 8],
        [0, 0.5],
      ] as const) {
        expect(() => outputs.column(code, output)).toThrowError(
          expect.objectContaining({ code: "INVALID_ARGUMENT" }),
        );
      }
    }
  });

  it("of 8 and 16 bits are extended as their own type says, whatever computed them", async () => {
    const items = [
      input("s16", 0),
      step("not.b16", 0),
      [constantOperation(codeType("s16")), 0xfffe],
      step("neg.s16", 2),
    ];
    const types = ["s16", "u16", "b16", "f16", "u8", "s8"];
    const ends = types.flatMap((type) => items.map((_, value) => [value, type] as const));
    const batch = batchOf(codeWords(1, items, ends));
    for (const webAssembly of [true, false]) {
      const result = await evaluateBatch(batch, [Int16Array.of(-3, 300)], { outputs: true, webAssembly });
      const found = ends.map((_, output) => [...result.outputs!.column(0, output)]);
      const [signed, unsigned] = [
        [...[-3, 300], ...[2, -301], ...[-2, -2], ...[2, 2]],
        [...[65533, 300], ...[2, 65235], ...[65534, 65534], ...[2, 2]],
      ];
      const bytes = [...[0xfd, 44], ...[2, 0xd3], ...[0xfe, 0xfe], ...[2, 2]];
      const signedBytes = [...[-3, 44], ...[2, -45], ...[-2, -2], ...[2, 2]];
      expect(found.flat()).toEqual([signed, unsigned, unsigned, unsigned, bytes, signedBytes].flat());
    }
  });

  it("of many codes, whose sizes differ, are all there", async () => {
    const rows = 3001;
    const columns = randomColumns(rows, 5);
    const inputs = [input("f32", 0), input("u32", 1), input("f64", 2)];
    const kinds = ["f32", "u32", "f64"];
    const codes = Array.from({ length: 300 }, (_, code) =>
      codeWords(
        3,
        inputs,
        Array.from({ length: code % 4 }, (_, output): [number, string] => {
          const value = (code + output) % 3;
          return [value, kinds[value]!];
        }),
      ),
    );
    const { outputs } = await evaluateBatch(batchOf(...codes), columns, { outputs: true });
    codes.forEach((_, code) => {
      expect(outputs!.count(code)).toBe(code % 4);
      for (let output = 0; output < code % 4; output++) {
        expect(
          Buffer.compare(bytes(outputs!.column(code, output)), bytes(columns[(code + output) % 3]!)),
        ).toBe(0);
      }
    });
  });

  it("need no columns", async () => {
    const code = codeWords(0, [[constantOperation(codeType("f32")), 0x40000000]], [[0, "f32"]]);
    const { outputs, loss } = await evaluateBatch(batchOf(code), [], {
      rows: 3,
      outputs: true,
      loss: { kind: "mse", target: Float64Array.of(1, 2, 3) },
    });
    expect(outputs!.column(0)).toEqual(Float32Array.of(2, 2, 2));
    expect(loss![0]).toBe(2 / 3);
  });
});

it("an empty batch has empty results", async () => {
  const result = await evaluateBatch(new CodeBuffer(), [Float32Array.of(1)], {
    loss: { kind: "mse", target: Float64Array.of(1) },
    cases: true,
    outputs: true,
  });
  expect(result).toMatchObject({ status: new Uint8Array(0), loss: new Float64Array(0) });
  expect(result.outputs!.buffer.byteLength).toBe(0);
});

describe("long batches", () => {
  /** Takes much longer than a test may. */
  const rows = 200_000;
  const long = () => {
    const x = new Float32Array(rows).fill(3);
    const items: Item[] = [input("f32", 0), ...Array.from({ length: 50 }, (_, at) => step("mul.f32", at, 0))];
    const code = codeWords(1, items, [[50, "f32"]]);
    const words = Uint32Array.from(code);
    const batch = batchOf(...Array.from({ length: 20_000 }, () => code));
    return { x, batch, words };
  };

  it("are aborted with the reason of the signal, before they begin and in between", async () => {
    const { x, batch } = long();
    const reason = new Error("enough");
    const aborted = evaluateBatch(batch, [x], { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    for (const webAssembly of [true, false]) {
      const controller = new AbortController();
      const running = evaluateBatch(batch, [x], { signal: controller.signal, webAssembly });
      // Timers, immediates and other promises get their turns.
      setTimeout(() => setImmediate(() => controller.abort(reason)), 20);
      await expect(running).rejects.toBe(reason);
    }
  });

  it("do not see what callers change meanwhile", async () => {
    const { x, words } = long();
    for (const webAssembly of [true, false]) {
      const count = webAssembly ? 60 : 4;
      const batch = batchOf(...Array.from({ length: count }, () => Array.from(words)));
      const column = x.slice();
      const copy = { words: batch.words.slice(), offsets: batch.offsets.slice() };
      const running = evaluateBatch(copy, [column], {
        webAssembly,
        loss: { kind: "mae", target: new Float64Array(rows) },
      });
      copy.words.fill(0);
      copy.offsets.fill(0);
      column.fill(Number.NaN);
      const { loss, status } = await running;
      expect(new Set(status)).toEqual(new Set([0]));
      expect(new Set(loss)).toEqual(new Set([Math.fround(3 ** 51)]));
    }
  });

  it("share the thread with others", async () => {
    const { x, batch } = long();
    const controller = new AbortController();
    const running = evaluateBatch(batch, [x], { signal: controller.signal });
    const small = await evaluateBatch(batchOf(copies("f32")), [Float32Array.of(5)], { outputs: true });
    expect(small.outputs!.column(0)).toEqual(Float32Array.of(5));
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
  });
});
