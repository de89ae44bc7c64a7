// Enumeration: every program once, none left out, and it goes on where it was.
import { table as astTable } from "@mm-ptx/ast/f32";
import { table } from "@mm-ptx/stack/default";
import { describe, expect, it } from "vitest";
import { type EnumeratedOperation, ProgramWalk } from "../../src/emitters/enumerate-programs.js";
import {
  astSpace,
  Candidates,
  type Emission,
  enumerate,
  type ProgramSpace,
  stackSpace,
} from "../../src/index.js";
import { codeOf } from "../support/errors.js";
import { WordSpace } from "../support/word-space.js";

const operand = (name: string, direction: "in" | "out", type = "U32") =>
  ({ name, direction, register: name, registerType: type.toLowerCase(), type }) as const;

const integers = stackSpace(table, {
  operands: [operand("x", "in"), operand("y", "in"), operand("o", "out")],
  instructions: ["add.u32", "sub.u32", "not.b32", "setp.lt.u32", "selp.u32"],
});
const formulas = astSpace(astTable, { inputs: ["x", "y"], operators: ["+", "-", "sin"] });

const emission = (space: ProgramSpace): Emission => ({ space }) as unknown as Emission;

function emitted(space: ProgramSpace, count: number, emitter = enumerate({ mostOperations: 2 })): Candidates {
  const out = new Candidates();
  emitter.emit(count, emission(space), out);
  return out;
}

const genomesOf = ({ genomes }: Candidates) =>
  Array.from({ length: genomes.count }, (_, index) => ({
    words: genomes.words,
    start: genomes.offsets[index]!,
    end: genomes.offsets[index + 1]!,
  }));

function signatures(space: ProgramSpace, candidates: Candidates): string[] {
  const hash = new Uint32Array(4);
  return genomesOf(candidates).map((genome) => {
    space.signature(genome, hash);
    return hash.join();
  });
}

describe("programs", () => {
  const unary: EnumeratedOperation = { args: [0], result: 0, commutes: false };
  const sum: EnumeratedOperation = { args: [0, 0], result: 0, commutes: true };
  const difference: EnumeratedOperation = { ...sum, commutes: false };
  const count = (
    operations: readonly EnumeratedOperation[],
    leaves: number,
    shares: boolean,
    most: number,
  ) => {
    const parts = { operations, leaves: Array<number>(leaves).fill(0), inputs: leaves, output: 0, shares };
    const walk = new ProgramWalk(parts, most);
    const counts = Array<number>(most + 1).fill(0);
    for (let found = walk.next(); found !== undefined; found = walk.next()) counts[found.nodes.length]!++;
    return counts;
  };

  it("are as many as there are", () => {
    expect(count([unary], 1, true, 5)).toEqual([1, 1, 1, 1, 1, 1]);
    // Binary trees over one leaf: the Catalan numbers; with operands that commute, the Wedderburn-Etherington numbers.
    expect(count([difference], 1, false, 5)).toEqual([1, 1, 2, 5, 14, 42]);
    expect(count([sum], 1, false, 5)).toEqual([1, 1, 1, 2, 3, 6]);
    expect(count([difference], 2, false, 3)).toEqual([2, 4, 16, 80]);
    // With sharing, a - a, and then (a - a) with each of a and itself.
    expect(count([difference], 1, true, 2)).toEqual([1, 1, 3]);
  });
});

describe("enumerate", () => {
  it("makes genomes of the space, each different, by increasing length", () => {
    for (const space of [integers, formulas]) {
      const found = emitted(space, 100_000);
      const genomes = genomesOf(found);
      for (const genome of genomes) space.check(genome);
      const lengths = genomes.map((genome) => space.complexity(genome));
      expect(found.genomes.count).toBeGreaterThan(50);
      if (space === integers) expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
      expect(new Set(signatures(space, found)).size).toBe(found.genomes.count);
    }
  });

  it("finds each formula of two operators", () => {
    const found = new Set(genomesOf(emitted(formulas, 100_000)).map((genome) => formulas.text(genome)));
    for (const text of ["x", "x + y", "sin(x + y)", "x - (y - x)", "x - y - x", "sin(sin(y))"]) {
      const words = formulas.parse(text);
      expect(found).toContain(formulas.text({ words, start: 0, end: words.length }));
    }
  });

  it("uses constants, predicates and shared values", () => {
    const emitter = enumerate({ constants: { u32: [7] }, mostOperations: 2 });
    const texts = genomesOf(emitted(integers, 100_000, emitter)).map((genome) => integers.text(genome));
    expect(texts).toContain(".registers x y o\nconst U32 7\ninput x\nsub.u32\n");
    expect(texts).toContain(".registers x y o\ninput x\nnot.b32\nstore U32 0\nload 0\nload 0\nadd.u32\n");
    expect(texts.some((text) => text.includes("setp.lt.u32\n") && text.includes("selp.u32\n"))).toBe(true);
  });

  it("goes on where it was, in a new emitter as well", () => {
    const whole = signatures(integers, emitted(integers, 60));
    const first = enumerate({ mostOperations: 2 });
    const parts = signatures(integers, emitted(integers, 7, first));
    for (let part = 0; part < 3; part++) {
      const next = enumerate({ mostOperations: 2 });
      next.restore!(
        JSON.parse(JSON.stringify(first.state!()), revive) as ReturnType<NonNullable<typeof first.state>>,
      );
      parts.push(...signatures(integers, emitted(integers, part === 0 ? 1 : 20, next)));
      first.restore!(next.state!());
    }
    expect(parts).toEqual(whole.slice(0, parts.length));
    expect(parts.length).toBe(48);
  });

  it("leaves out what constraints exclude", () => {
    const limited = stackSpace(table, {
      operands: [operand("x", "in"), operand("o", "out")],
      instructions: ["add.u32", "not.b32"],
      minLines: 2,
      length: { min: 4, max: 8 },
    });
    const found = genomesOf(emitted(limited, 1000));
    expect(found.length).toBe(6);
    for (const genome of found) limited.check(genome);
  });

  it("ends after the last program", () => {
    const emitter = enumerate({ mostOperations: 0 });
    expect(emitted(integers, 10, emitter).count).toBe(2);
    expect(emitted(integers, 10, emitter).count).toBe(0);
  });

  it("refuses bad input", () => {
    expect(codeOf(() => enumerate({ mostOperations: 13 }))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => enumerate({ constants: { f64: [1] } as never }))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => enumerate({ constants: { f32: ["1"] as never } }))).toBe("INVALID_ARGUMENT");
    const bad = enumerate();
    bad.restore!({ values: {}, arrays: { position: Float64Array.of(1, 99, 1) } });
    expect(codeOf(() => emitted(integers, 1, bad))).toBe("FILE_FORMAT");
    expect(codeOf(() => emitted(new WordSpace() as unknown as ProgramSpace, 1))).toBe("UNSUPPORTED");
  });
});

const revive = (key: string, value: unknown): unknown =>
  key === "position" ? Float64Array.from(Object.values(value as object)) : value;
