// Simplifying: genomes become simpler, and stay equal on the rows.
import { table as astTable } from "@mm-ptx/ast/f32";
import { evaluateBatch } from "@mm-ptx/columns";
import { table } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { astSpace, Draws, type Genome, type ProgramSpace, simplify, stackSpace } from "../../src/index.js";

const operand = (name: string, direction: "in" | "out", type: string) =>
  ({ name, direction, register: name, registerType: type.toLowerCase(), type }) as const;

const floats = stackSpace(table, {
  operands: [operand("x", "in", "F32"), operand("y", "in", "F32"), operand("o", "out", "F32")],
  instructions: ["add.f32", "sub.f32", "mul.f32", "neg.f32"],
  length: { min: 20, max: 40 },
});
const integers = (names: readonly string[], instructions: readonly string[]) =>
  stackSpace(table, {
    operands: [...names.map((name) => operand(name, "in", "U32")), operand("o", "out", "U32")],
    instructions,
  });
const formulas = astSpace(astTable, { inputs: ["x", "y"], operators: ["+", "*", "-", "sin"] });

const X = Float32Array.from({ length: 40 }, (_, row) => Math.fround(Math.sin(row) * 4));
const Y = Float32Array.from({ length: 40 }, (_, row) => Math.fround(Math.cos(3 * row) * 2));

const genomeOf = (space: ProgramSpace, text: string): Genome => {
  const words = space.parse(text);
  return { words, start: 0, end: words.length };
};

async function outputsOf(space: ProgramSpace, genome: Genome): Promise<string> {
  const codes = new CodeBuffer();
  space.compile(genome, codes);
  const { outputs } = await evaluateBatch(codes, [X, Y], { outputs: true });
  return outputs!.column(0).join();
}

describe("simplify", () => {
  it("keeps outputs, and leaves nothing that single deletions could", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<ProgramSpace>(floats, formulas), fc.nat(), async (space, seed) => {
        const draws = new Draws();
        const out = new CodeBuffer();
        draws.start(seed, 0, 0);
        space.sample(draws, out);
        const genome = { words: out.words.slice(), start: 0, end: out.end };
        const found = await simplify(space, genome, { columns: [X, Y], steps: 100, seed });
        const simpler = { words: found.words, start: 0, end: found.words.length };
        expect(await outputsOf(space, simpler)).toBe(await outputsOf(space, genome));
        expect(found.complexity).toBe(space.complexity(simpler));
        expect(found.complexity).toBeLessThanOrEqual(found.before);
        expect(found.equality).toEqual({ kind: "rows", rows: 40 });
        const again = await simplify(space, simpler, { columns: [X, Y], steps: 0 });
        expect(again.words).toEqual(found.words);
      }),
      { numRuns: cases(100) },
    );
  });

  it("removes what algebra says does nothing", async () => {
    const simpler = async (text: string) => {
      const { words } = await simplify(formulas, genomeOf(formulas, text), { columns: [X, Y] });
      return formulas.text({ words, start: 0, end: words.length });
    };
    expect(await simpler("x * 1 + (y - y)")).toBe("x");
    expect(await simpler("0 - (0 - sin(x * 1))")).toBe("sin(x)");
    expect(await simpler("x + y * 1")).toBe("x + y");
  });

  it("says on which inputs programs are equal", async () => {
    const network = integers(["x", "y", "z"], ["min.u32", "max.u32"]);
    const text = "input x\ninput x\nmin.u32\ninput y\nmax.u32\ninput z\nmin.u32\n";
    const columns = [0, 1, 2].map((seed) =>
      Uint32Array.from({ length: 9 }, (_, row) => (row * (seed + 1)) % 5),
    );
    const found = await simplify(network, genomeOf(network, text), { columns });
    expect(found).toMatchObject({
      complexity: 2,
      before: 3,
      equality: { kind: "zero-one-principle", rows: 8 },
    });
    const other = integers(["x", "y", "z"], ["min.u32", "max.u32", "add.u32"]);
    const sum = "const U32 0\ninput x\nadd.u32\n";
    expect((await simplify(other, genomeOf(other, sum), { columns })).equality).toEqual({
      kind: "rows",
      rows: 9,
    });
  });
});

describe("bad input", () => {
  it("is refused", async () => {
    const genome = genomeOf(formulas, "x + y");
    await expect(simplify(formulas, genome, { columns: [X] })).rejects.toThrow("`columns` for the 2 inputs");
    await expect(simplify(formulas, genome, {} as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const empty = { words: new Uint32Array(0), start: 0, end: 0 };
    await expect(simplify(floats, empty, { columns: [X, Y] })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    const strange = { ...formulas, kind: "strange", inputs: [], check: () => {} } as unknown as ProgramSpace;
    await expect(simplify(strange, genome, { columns: [] })).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});
