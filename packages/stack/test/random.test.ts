// Seeded generation and variation of programs: the same on every machine, and always in range.

import type { StackTable, StackType } from "@mm-ptx/types/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { MetaOperation, StackCompiler, type StackProgram, StackPtxError } from "../src/index.js";
import {
  crossover,
  deleteInstructions,
  insertInstructions,
  ProgramSampler,
  perturbConstants,
  Random,
  replaceInstructions,
  swapInstructions,
} from "../src/random/index.js";
import { Random as TestRandom } from "./support/random.js";
import { randomTable } from "./support/random-table.js";

const MASK = 0xffffffffn;

/** xoshiro128** as its paper writes it, in big integers. */
function step([a, b, c, d]: readonly bigint[]): { word: bigint; state: bigint[] } {
  const rotate = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (32n - bits))) & MASK;
  const word = (rotate((b! * 5n) & MASK, 7n) * 9n) & MASK;
  const mixed = c! ^ a!;
  const turned = d! ^ b!;
  return { word, state: [a! ^ turned, b! ^ mixed, mixed ^ ((b! << 9n) & MASK), rotate(turned, 11n)] };
}

function words(state: readonly bigint[], count: number): number[] {
  let at = [...state];
  return Array.from({ length: count }, () => {
    const { word, state: next } = step(at);
    at = next;
    return Number(word);
  });
}

/** The state that splitmix32 makes of a seed. */
function seeded(seed: number): bigint[] {
  let mixed = BigInt(seed);
  return Array.from({ length: 4 }, () => {
    mixed = (mixed + 0x9e3779b9n) & MASK;
    let word = ((mixed ^ (mixed >> 16n)) * 0x21f0aaadn) & MASK;
    word = ((word ^ (word >> 15n)) * 0x735a2d97n) & MASK;
    return word ^ (word >> 15n);
  });
}

describe("the generator", () => {
  it("is xoshiro128** seeded through splitmix32", () => {
    // The first words from the state 1, 2, 3, 4, as implementations in other languages test them.
    expect(words([1n, 2n, 3n, 4n], 5)).toEqual([11520, 0, 5927040, 70819200, 2031721883]);
    for (const seed of [0, 1, 7, 0x80000000, 0xffffffff]) {
      const random = new Random(seed);
      expect(Array.from({ length: 100 }, () => random.word())).toEqual(words(seeded(seed), 100));
    }
  });

  it("forks 2^64 words apart", () => {
    // The step is linear over GF(2): its matrix, squared 64 times, moves a state on by 2^64 words.
    const split = (state: bigint): bigint[] => [0n, 32n, 64n, 96n].map((shift) => (state >> shift) & MASK);
    const join = (state: readonly bigint[]): bigint =>
      state.reduce((all, word, index) => all | (word << BigInt(32 * index)), 0n);
    const apply = (columns: readonly bigint[], state: bigint): bigint =>
      columns.reduce((sum, column, bit) => ((state >> BigInt(bit)) & 1n ? sum ^ column : sum), 0n);
    let columns = Array.from({ length: 128 }, (_, bit) => join(step(split(1n << BigInt(bit))).state));
    for (let i = 0; i < 64; i++) columns = columns.map((column) => apply(columns, column));

    const random = new Random(42);
    const fork = random.fork();
    expect(fork.word()).toBe(words(seeded(42), 1)[0]);
    const ahead = split(apply(columns, join(seeded(42))));
    expect(Array.from({ length: 20 }, () => random.word())).toEqual(words(ahead, 20));
  });

  it("gives every number below a bound equally often", () => {
    const random = new Random(3);
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 60_000; i++) counts[random.below(6)]!++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    expect(random.below(1)).toBe(0);
    expect(random.below(2 ** 32)).toBeLessThan(2 ** 32);
  });

  it.each([-1, 1.5, 2 ** 32, Number.NaN, "1", undefined])("refuses %s as a seed", (seed) => {
    expect(() => new Random(seed as number)).toThrow(
      /expected an integer from 0 to 4294967295 as seed, found/,
    );
  });

  it("refuses to pick from nothing", () => {
    expect(() => new Random(1).pick([])).toThrow(
      /expected an integer from 1 to 4294967296 as bound, found 0/,
    );
  });
});

/** A random table whose stacks have constants of their type where there is one. */
function tableWithConstants(seed: number): StackTable {
  const table = randomTable(new TestRandom(seed));
  const stackTypes = table.stackTypes.map(({ name, literalPrefix }): StackType => {
    const constantType = (["f32", "s32", "u32"] as const).find((type) => type === literalPrefix);
    return { name, literalPrefix, ...(constantType === undefined ? {} : { constantType }) };
  });
  return { ...table, stackTypes };
}

/** One that has every type of constant. */
const TABLE = Array.from({ length: 1000 }, (_, seed) => tableWithConstants(seed)).find(
  ({ stackTypes }) => new Set(stackTypes.map(({ constantType }) => constantType)).size === 4,
)!;
const REGISTERS = TABLE.stackTypes.map((_, stackIndex) => ({ name: `r${stackIndex}`, stackIndex }));

describe("a sampler", () => {
  it("makes the same programs of the same seed", () => {
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: { min: 1, max: 40 } });
    const draw = (): Uint32Array[] => {
      const random = new Random(5);
      return Array.from({ length: 20 }, () => sampler.program(random).words);
    };
    expect(draw()).toEqual(draw());
    const lengths = new Set(draw().map(({ length }) => length / 2));
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(40);
    expect(lengths.size).toBeGreaterThan(5);
  });

  it("draws each kind as often as its weight says", () => {
    const sampler = new ProgramSampler(TABLE, {
      registers: REGISTERS,
      length: 40_000,
      kinds: { ptx: 3, input: 1, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0 },
    });
    const kinds = [...sampler.program(new Random(1))].map(({ head }) => head & 0xffff);
    expect(new Set(kinds)).toEqual(new Set([1, 3]));
    expect(kinds.filter((kind) => kind === 3).length / kinds.length).toBeCloseTo(0.25, 1);
  });

  it("leaves out stacks that are not named, and all that touches them", () => {
    const [first] = TABLE.stackTypes;
    const sampler = new ProgramSampler(TABLE, {
      registers: REGISTERS,
      stacks: { [first!.name]: 1 },
      length: 5000,
      kinds: { special: 1 },
    });
    for (const { head, payload } of sampler.program(new Random(2))) {
      const [type, aux] = [head & 0xffff, head >>> 16];
      if (type === 1) {
        const { args, results } = TABLE.instructions[payload]!;
        for (const arg of [...args, ...results]) expect(TABLE.argTypes[arg]!.stackIndex).toBe(0);
      } else if (type === 3) expect(payload).toBe(0);
      else if ([2, 5, 11].includes(type)) expect(aux).toBe(0);
      else if (type === 4)
        expect(TABLE.argTypes[TABLE.specialRegisters[payload]!.argType]!.stackIndex).toBe(0);
    }
  });

  it("takes weights of instructions by name or from a function", () => {
    const [first, second] = TABLE.instructions;
    const kinds = { input: 0, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0 };
    const named = Object.fromEntries(
      TABLE.instructions.map(({ name }) => [name, name === second!.name ? 1 : 0]),
    );
    for (const { payload } of new ProgramSampler(TABLE, { kinds, instructions: named }).program(
      new Random(1),
    )) {
      expect(payload).toBe(1);
    }
    const byFunction = new ProgramSampler(TABLE, {
      kinds,
      instructions: ({ name }) => Number(name === first!.name),
    });
    for (const { payload } of byFunction.program(new Random(1))) expect(payload).toBe(0);
  });

  it("draws aligned instructions only where they are named", () => {
    const instructions = TABLE.instructions.map((one, index) => ({ ...one, aligned: index === 0 }));
    const table = { ...TABLE, instructions };
    const kinds = { input: 0, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0 };
    const drawn = (weights: Record<string, number>): Set<number> =>
      new Set(
        [
          ...new ProgramSampler(table, { kinds, length: 2000, instructions: weights }).program(new Random(1)),
        ].map(({ payload }) => payload),
      );
    expect(drawn({}).has(0)).toBe(false);
    expect(drawn({}).size).toBe(instructions.length - 1);
    expect(drawn({ [instructions[0]!.name]: 1 }).has(0)).toBe(true);
  });

  it("takes weights of stack operations", () => {
    const kinds = { ptx: 0, input: 0, constant: 0, metaConstant: 0, store: 0, load: 0 };
    const named = Object.fromEntries(
      Object.keys(MetaOperation).map((name) => [name, Number(name === "rotate")]),
    );
    const sampler = new ProgramSampler(TABLE, { kinds, operations: named });
    for (const { payload } of sampler.program(new Random(1))) expect(payload).toBe(MetaOperation.rotate);
  });

  it.each([
    [{ operations: { dupp: 1 } }, "unknown operation `dupp`, did you mean `dup`?"],
    [{ lenght: 3 }, "unknown option `lenght`, did you mean `length`?"],
    [{ length: -1 }, "expected an integer from 0 to 16777216 as `length`, found -1"],
    [
      { length: { min: 5, max: 4 } },
      "expected an integer from 5 to 16777216 as the longest `length`, found 4",
    ],
    [{ kinds: { inputs: 1 } }, "unknown kind `inputs`, did you mean `input`?"],
    [{ kinds: { input: -1 } }, "expected a number from 0 up as weight of kind `input`, found -1"],
    [{ stacks: { nowhere: 1 } }, "unknown stack `nowhere`"],
    [{ instructions: { "no.such": 1 } }, "unknown instruction `no.such`"],
    [{ instructions: () => Number.NaN }, "as weight of instruction `"],
    [{ registers: [], inputs: [0] }, "expected no `inputs` without `registers`, found 0"],
    [{ registers: [{ stackIndex: 999 }] }, "as the stack of register 0, found 999"],
    [{ constants: { f16: () => 0 } }, "unknown constant type `f16`"],
    [
      { stacks: {}, kinds: { metaConstant: 0, load: 0 } },
      "expected weights that leave an instruction to draw",
    ],
  ])("refuses %o", (options, message) => {
    const make = (): ProgramSampler => new ProgramSampler(TABLE, options as never);
    expect(make).toThrow(StackPtxError);
    expect(make).toThrow(message);
  });
});

describe("variations", () => {
  const random = fc.integer({ min: 0, max: 0xffffffff }).map((seed) => new Random(seed));

  it("stay in range, whatever is done to programs", () => {
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
      { numRuns: cases(2000) },
    );
  });

  it("leave the parents as they are, and a final return where it is", () => {
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
      { numRuns: cases(2000) },
    );
  });

  it("change as many instructions as they say", () => {
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

  it("cross at the same places or free ones", () => {
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: 30 });
    const source = new Random(10);
    const [first, second] = [sampler.program(source), sampler.program(source)];
    for (let i = 0; i < 100; i++) {
      expect(crossover(first, second, source).length).toBe(30);
      const child = crossover(first, second, source, { points: 1 });
      const cut = [...child].findIndex((_, at) => !child.slice(at, at + 1).equals(first.slice(at, at + 1)));
      if (cut !== -1) expect(child.slice(cut).equals(second.slice(cut))).toBe(true);
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
      const read = (bits: number): number =>
        type === "f32" ? new Float32Array(Uint32Array.of(bits).buffer)[0]! : type === "s32" ? bits | 0 : bits;
      const [old, now] = [read(before.bits), read(after.bits)];
      if (old !== now) changed++;
      const distance = type === "f32" ? Math.abs(now - old) : Math.abs((before.bits - after.bits) | 0);
      expect(distance).toBeLessThanOrEqual(
        Math.max(type === "f32" ? 0.5 : 1, Math.ceil(0.5 * Math.abs(old))),
      );
    }
    expect(changed).toBeGreaterThan(450);
    expect(perturbConstants(program, TABLE, source, { rate: 0 }).equals(program)).toBe(true);
    expect(() => perturbConstants(program, TABLE, source, { rate: 2 })).toThrow(
      "expected a number from 0 to 1 as `rate`, found 2",
    );
  });

  it("refuse what is no program", () => {
    expect(() => deleteInstructions("x" as never, new Random(1))).toThrow(
      "expected a StackProgram, found `x`",
    );
    const program = new ProgramSampler(TABLE).program(new Random(1));
    expect(() => deleteInstructions(program, new Random(1), -1)).toThrow("as `count`, found -1");
    expect(() => crossover(program, program, new Random(1), { points: 3 as never })).toThrow(
      "expected 1 or 2 as `points`, found 3",
    );
    expect(() => crossover(program, program, new Random(1), { cuts: "x" as never })).toThrow(
      "expected `same` or `free` as `cuts`, found `x`",
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
