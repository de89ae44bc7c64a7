// Shrinking: what is found is shorter, equal, and said to be equal only as far as it was compared.
import { evaluateBatch } from "@mm-ptx/columns";
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { comparePrograms, shrink } from "../../src/index.js";
import { codeOfLines } from "../support/programs.js";

const QUICK = { steps: 300, exhaustive: false, rows: 4096, seed: 1 };

async function outputsOf(code: Parameters<typeof evaluateBatch>[0], ...columns: Uint32Array[]) {
  const { outputs } = await evaluateBatch(code, [...columns, new Uint32Array(columns[0]!.length)], {
    outputs: true,
  });
  return outputs!.column(0);
}

describe("shrink", () => {
  it("finds the shortest program, and that there is no shorter one", async () => {
    const lines = [
      "a = sub.u32 x 1",
      "b = or.b32 x a",
      "n = not.b32 b",
      "m = neg.s32 n",
      "out = and.b32 m x",
    ];
    const start = codeOfLines(["x"], lines);
    const found = await shrink(start, QUICK);
    expect(found).toMatchObject({
      before: 5,
      length: 4,
      excluded: 3,
      equality: { kind: "rows", rows: 4096 },
    });
    const x = Uint32Array.from({ length: 1000 }, (_, row) => Math.imul(row, 0x9e3779b1));
    expect(await outputsOf(found.code, x)).toEqual(await outputsOf(start, x));
  });

  it("gives the same result for the same seed and number of steps", async () => {
    const lines = [
      "f = set.eq.u32.u32 x a",
      "g = and.b32 f b",
      "n = not.b32 f",
      "h = and.b32 n x",
      "out = or.b32 g h",
    ];
    const start = codeOfLines(["x", "a", "b"], lines);
    const options = {
      ...QUICK,
      steps: 20,
      constants: [],
      instructions: ["and.b32", "xor.b32", "or.b32", "not.b32", "set.eq.u32.u32"],
    };
    const [one, two] = [await shrink(start, options), await shrink(start, options)];
    expect(two).toEqual(one);
    expect(one.length).toBe(4);
  });

  it("proves networks of minimum and maximum by the 0-1 principle", async () => {
    // The median of three, with an exchange that is not needed.
    const lines = [
      "a = min.u32 x y",
      "b = max.u32 x y",
      "c = min.u32 b z",
      "d = max.u32 a c",
      "out = min.u32 d b",
    ];
    const found = await shrink(codeOfLines(["x", "y", "z"], lines), {
      ...QUICK,
      instructions: ["min.u32", "max.u32"],
    });
    expect(found).toMatchObject({ length: 4, equality: { kind: "zero-one-principle", rows: 8 } });
  });

  it("compares on the given rows alone if there are any", async () => {
    const start = codeOfLines(["x"], ["a = and.b32 x 255", "out = add.u32 a 1"]);
    const x = Uint32Array.from({ length: 256 }, (_, row) => row);
    const found = await shrink(start, { ...QUICK, columns: [x] });
    expect(found).toMatchObject({ length: 1, equality: { kind: "rows", rows: 256 } });
  });

  it.runIf(SOAK)("compares on all inputs of one operand", async () => {
    // Equal to x except for one of 2^32 inputs.
    const lines = ["a = set.eq.u32.u32 x 0x12345679", "b = and.b32 a 1", "out = xor.b32 x b"];
    const found = await shrink(codeOfLines(["x"], lines), { steps: 5, seed: 3 });
    expect(found.equality).toEqual({ kind: "all-2^32" });
  });

  it("takes floats and predicates", async () => {
    const lines = ["a = add.f32 x 0f00000000", "b = mul.f32 a 0f40000000", "out = add.f32 b 0f80000000"];
    const found = await shrink(codeOfLines(["x"], lines, "f32"), { ...QUICK, steps: 20 });
    // Adding zero changes the sign of a zero, and multiplying by two is adding.
    expect(found.length).toBe(2);
  });
});

describe("comparePrograms", () => {
  const one = codeOfLines(
    ["x", "y"],
    ["a = xor.b32 x y", "b = and.b32 x y", "c = shl.b32 b 1", "out = add.u32 a c"],
  );

  it("finds programs equal or a row on which they differ", async () => {
    const sum = codeOfLines(["x", "y"], ["out = add.u32 x y"]);
    expect(await comparePrograms(one, sum, { rows: 5000 })).toEqual({ kind: "rows", rows: 5000 });
    const half = codeOfLines(["x", "y"], ["out = or.b32 x y"]);
    const found = await comparePrograms(one, half, { rows: 5000 });
    if (!("difference" in found)) throw new Error("expected a difference");
    const [x = 0, y = 0] = found.difference;
    expect((x + y) | 0).not.toBe(x | y);
  });

  it("compares on rows that are given", async () => {
    const or = codeOfLines(["x", "y"], ["out = or.b32 x y"]);
    const columns = [Uint32Array.of(1, 2, 4), Uint32Array.of(8, 16, 3)];
    expect(await comparePrograms(one, or, { columns })).toEqual({ kind: "rows", rows: 3 });
    await expect(comparePrograms(one, { words: or.words, offsets: new Uint32Array(3) })).rejects.toThrow(
      "two batches of one code",
    );
  });
});

describe("bad input", () => {
  const start = codeOfLines(["x"], ["out = add.u32 x 1"]);
  const code = (error: string) => expect.objectContaining({ code: error });

  it("is refused", async () => {
    await expect(shrink(start, { steps: -1 })).rejects.toEqual(code("INVALID_ARGUMENT"));
    await expect(shrink(start, { instructions: ["bra"] })).rejects.toThrow(
      "instructions on single values of 32 bits",
    );
    await expect(shrink(start, { columns: [] })).rejects.toThrow("a column for each of 1 inputs");
    await expect(shrink({ words: new Uint32Array(0), offsets: new Uint32Array(1) })).rejects.toThrow(
      "a batch of one code",
    );
    const wide = codeOfLines(["x"], ["out = add.f64 x x"], "f64");
    await expect(shrink(wide)).rejects.toEqual(code("UNSUPPORTED"));
    const { signal } = { signal: AbortSignal.abort(new Error("enough")) };
    await expect(shrink(start, { signal })).rejects.toThrow("enough");
  });
});
