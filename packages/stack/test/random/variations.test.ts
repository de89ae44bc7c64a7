// Variations of programs: always in range, at every place, and limited as they promise.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { constantBits, float32Bits, metaConstant, StackCompiler, StackProgram } from "../../src/index.js";
import {
  crossover,
  deleteInstructions,
  insertInstructions,
  ProgramSampler,
  perturbConstants,
  Random,
  replaceInstructions,
  swapInstructions,
} from "../../src/random/index.js";
import { constantValue, REGISTERS, TABLE, tableWithConstants } from "../support/sampled-table.js";

describe("variations", () => {
  const random = fc.integer({ min: 0, max: 0xffffffff }).map((seed) => new Random(seed));

  it("stay in range after any number of variations", () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 1, max: 60 }), (source, steps) => {
        const table = tableWithConstants(source.word());
        const registers = table.stackTypes.map((_, stackIndex) => ({ name: `r${stackIndex}`, stackIndex }));
        const routines = [0, 1].map(() => new ProgramSampler(table, { registers }).program(source));
        const sampler = new ProgramSampler(table, {
          registers,
          routines: routines.length,
          length: { min: 0, max: 30 },
        });
        const compiler = new StackCompiler(table, { routines });
        let [one, other] = [sampler.program(source), sampler.program(source)];
        for (let i = 0; i < steps; i++) {
          [one, other] = [other, vary(source.below(7), one, other, sampler, source)];
          compiler.compile(other, { registers, requests: registers.map((_, index) => index) });
        }
      }),
      { numRuns: smoke(2000) },
    );
  });

  it("leave the parents unchanged, and a final return in place", () => {
    fc.assert(
      fc.property(random, fc.integer({ min: 0, max: 6 }), fc.boolean(), (source, kind, ended) => {
        const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: { min: 0, max: 20 } });
        const parents = [0, 1].map(() => {
          const program = sampler.program(source);
          return ended ? program.splice(program.length, 0, { head: 10, payload: 0 }) : program;
        }) as [StackProgram, StackProgram];
        const before = parents.map(({ words: all }) => all.slice());
        const child = vary(kind, ...parents, sampler, source);
        expect(parents.map(({ words: all }) => all)).toEqual(before);
        expect(child.endsWithReturn).toBe(ended);
        expect([...child].filter(({ head }) => head === 10).length).toBe(ended ? 1 : 0);
      }),
      { numRuns: smoke(2000) },
    );
  });

  it("change the requested number of instructions", () => {
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: 30 });
    const source = new Random(9);
    const program = sampler.program(source);
    expect(insertInstructions(program, sampler, source, 5).length).toBe(35);
    expect(deleteInstructions(program, source, 5).length).toBe(25);
    expect(deleteInstructions(program, source, 100).length).toBe(0);
    const replaced = replaceInstructions(program, sampler, source, 1);
    const differences = [...program].filter(
      (_, i) => !program.slice(i, i + 1).equals(replaced.slice(i, i + 1)),
    );
    expect(differences.length).toBeLessThanOrEqual(1);
    const sorted = (one: StackProgram): string[] => [...one].map((each) => JSON.stringify(each)).sort();
    expect(sorted(swapInstructions(program, source))).toEqual(sorted(program));
  });

  it("happen at every place", () => {
    // Six different instructions, none of which the sampler draws.
    const program = StackProgram.of(...[10, 11, 12, 13, 14, 15].map((value) => metaConstant(value)));
    const kinds = { ptx: 0, input: 0, constant: 0, meta: 0, store: 0, load: 0 };
    const sampler = new ProgramSampler(TABLE, { kinds, length: 1 });
    const source = new Random(8);
    const children = (make: () => StackProgram): Set<string> =>
      new Set(Array.from({ length: 500 }, () => [...make()].map(({ payload }) => payload).join(" ")));
    const places = (make: () => StackProgram): Set<number> =>
      new Set([...children(make)].map((words) => words.split(" ").findIndex((word) => word.length === 1)));

    expect(places(() => replaceInstructions(program, sampler, source))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(places(() => insertInstructions(program, sampler, source))).toEqual(
      new Set([0, 1, 2, 3, 4, 5, 6]),
    );
    expect(children(() => deleteInstructions(program, source, 2))).toEqual(
      new Set(["12 13 14 15", "10 13 14 15", "10 11 14 15", "10 11 12 15", "10 11 12 13"]),
    );
    // Each pair once, and the unchanged program.
    expect(children(() => swapInstructions(program, source)).size).toBe((6 * 5) / 2 + 1);
  });

  it("cross at the same places or at free ones", () => {
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: 30 });
    const source = new Random(10);
    const [first, second] = [sampler.program(source), sampler.program(source)];
    for (let i = 0; i < 100; i++) {
      expect(crossover(first, second, source).length).toBe(30);
      const child = crossover(first, second, source, { points: 1 });
      const cut = [...child].findIndex((_, at) => !child.slice(at, at + 1).equals(first.slice(at, at + 1)));
      if (cut !== -1) expect(child.slice(cut).equals(second.slice(cut))).toBe(true);
    }
    // With one cut the child is as long as the second parent, wherever the cut is.
    const short = first.slice(0, 10);
    for (let i = 0; i < 50; i++) {
      const child = crossover(short, second, source, { points: 1 });
      expect(child.length).toBe(30);
      expect(child.slice(10).equals(second.slice(10))).toBe(true);
      expect(crossover(second, short, source, { points: 1 }).length).toBe(10);
      expect(crossover(short, second, source).length).toBe(10);
    }
    const lengths = new Set(
      Array.from({ length: 100 }, () => crossover(first, second, source, { cuts: "free" }).length),
    );
    expect(lengths.size).toBeGreaterThan(10);
  });

  it("move constants by at most the scale", () => {
    const sampler = new ProgramSampler(TABLE, {
      length: 500,
      kinds: { constant: 1, ptx: 0, meta: 0, metaConstant: 0, store: 0, load: 0 },
    });
    const source = new Random(12);
    const program = sampler.program(source);
    const moved = perturbConstants(program, TABLE, source, { scale: 0.5 });
    let changed = 0;
    for (let i = 0; i < program.length; i++) {
      const before = program.decode(i);
      const after = moved.decode(i);
      if (before.type !== "constant" || after.type !== "constant") throw new Error("expected constants");
      const type = TABLE.stackTypes[before.stack]!.constantType;
      const [old, now] = [constantValue(type, before.bits), constantValue(type, after.bits)];
      if (old !== now) changed++;
      else expect(type).toBe("f32");
      expect(Math.abs(now - old)).toBeLessThanOrEqual(
        Math.max(type === "f32" ? 0.5 : 1, Math.ceil(0.5 * Math.abs(old))),
      );
    }
    expect(changed).toBeGreaterThan(450);
    expect(perturbConstants(program, TABLE, source, { rate: 0 }).equals(program)).toBe(true);
    expect(() => perturbConstants(program, TABLE, source, { rate: 2 })).toThrow(
      "option `rate`: expected a number from 0 to 1, found 2",
    );
  });

  it("keep constants in the range of their type", () => {
    const source = new Random(13);
    const stackOf = (type: string): number =>
      TABLE.stackTypes.findIndex((stack) => stack.constantType === type);
    const moved = (type: string, bits: number, scale: number): number[] => {
      const program = StackProgram.of(...Array(200).fill(constantBits(stackOf(type), bits)));
      const child = perturbConstants(program, TABLE, source, { scale });
      return [...child].map(({ payload }) => constantValue(type, payload));
    };
    for (const [type, bits] of [
      ["u32", 0],
      ["u32", 0xffffffff],
      ["s32", 0x80000000],
      ["s32", 0x7fffffff],
      ["s32", 0],
    ] as const) {
      const value = constantValue(type, bits);
      for (const scale of [0.001, 0.25]) {
        const most = Math.max(1, Math.ceil(scale * Math.abs(value)));
        for (const now of moved(type, bits, scale)) {
          expect(now).not.toBe(value);
          expect(Math.abs(now - value)).toBeLessThanOrEqual(most);
        }
      }
      // A scale beyond the range is limited to the range.
      for (const now of moved(type, bits, 2 ** 30)) expect(now).not.toBe(value);
      expect(moved(type, bits, 0)).toEqual(Array(200).fill(value));
    }
    expect(new Set(moved("u32", 0, 0.25))).toEqual(new Set([1]));
    const largest = float32Bits(3.4028234663852886e38);
    for (const now of moved("f32", largest, 0.5)) expect(Number.isFinite(now)).toBe(true);
    expect(new Set(moved("f32", 0x7f800000, 0.5))).toEqual(new Set([Number.POSITIVE_INFINITY]));
    expect(new Set(moved("f32", 0x7fc00000, 0.5))).toEqual(new Set([Number.NaN]));
  });

  it("move constants by small amounts more often than by large ones", () => {
    const stack = TABLE.stackTypes.findIndex(({ constantType }) => constantType === "f32");
    const program = StackProgram.of(...Array(2000).fill(constantBits(stack, 0)));
    const child = perturbConstants(program, TABLE, new Random(14), { scale: 1 });
    const moves = [...child].map(({ payload }) => constantValue("f32", payload));
    const within = (part: number): number =>
      moves.filter((move) => Math.abs(move) < part).length / moves.length;
    // The product of two uniform numbers is below p with probability p - p ln(p).
    expect(within(0.25)).toBeCloseTo(0.25 - 0.25 * Math.log(0.25), 1);
    expect(within(0.5)).toBeCloseTo(0.5 - 0.5 * Math.log(0.5), 1);
    expect(moves.filter((move) => move < 0).length / moves.length).toBeCloseTo(0.5, 1);
  });

  it("refuse values that are not programs", () => {
    expect(() => deleteInstructions("x" as never, new Random(1))).toThrow(
      "expected a StackProgram, found `x`",
    );
    const program = new ProgramSampler(TABLE).program(new Random(1));
    expect(() => deleteInstructions(program, new Random(1), -1)).toThrow("as `count`, found -1");
    expect(() => crossover(program, program, new Random(1), { points: 3 as never })).toThrow(
      "option `points`: expected a whole number from 1 to 2, found 3",
    );
    expect(() => crossover(program, program, new Random(1), { cuts: "x" as never })).toThrow(
      "option `cuts`: expected `same`, `free`, found `x`",
    );
  });
});

function vary(
  kind: number,
  one: StackProgram,
  other: StackProgram,
  sampler: ProgramSampler,
  random: Random,
): StackProgram {
  switch (kind) {
    case 0:
      return replaceInstructions(one, sampler, random, random.below(4));
    case 1:
      return insertInstructions(one, sampler, random, random.below(4));
    case 2:
      return deleteInstructions(one, random, random.below(4));
    case 3:
      return swapInstructions(one, random);
    case 4:
      return crossover(one, other, random, { points: random.below(2) === 0 ? 1 : 2 });
    case 5:
      return crossover(one, other, random, { cuts: "free", points: random.below(2) === 0 ? 1 : 2 });
    default:
      return perturbConstants(one, sampler.table, random, { rate: random.fraction() });
  }
}
