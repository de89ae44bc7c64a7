// Seeded generation and variation of programs: the same on every machine, and always in range.

import type { StackTable, StackType } from "@mm-ptx/types/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import {
  constantBits,
  float32Bits,
  MetaOperation,
  metaConstant,
  StackCompiler,
  StackProgram,
  StackPtxError,
} from "../src/index.js";
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
    // Where the words are no multiple of the bound, some are drawn again.
    const thirds = [0, 0, 0];
    for (let i = 0; i < 30_000; i++) thirds[Math.floor(random.below(3 * 2 ** 30) / 2 ** 30)]!++;
    for (const count of thirds) expect(Math.abs(count - 10_000)).toBeLessThan(500);
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
/** What the bits of a constant say. */
function constantValue(type: string | undefined, bits: number): number {
  if (type === "f32") return new Float32Array(Uint32Array.of(bits).buffer)[0]!;
  return type === "s32" ? bits | 0 : bits;
}

const REGISTERS = TABLE.stackTypes.map((_, stackIndex) => ({ name: `r${stackIndex}`, stackIndex }));

describe("a sampler", () => {
  it("makes the same programs of the same seed", () => {
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: { min: 1, max: 40 } });
    const draw = (): Uint32Array[] => {
      const random = new Random(5);
      return Array.from({ length: 20 }, () => sampler.program(random).words);
    };
    expect(draw()).toEqual(draw());
  });

  it("draws each length between the shortest and the longest", () => {
    const random = new Random(4);
    const lengths = (length: { min: number; max: number }): Set<number> => {
      const sampler = new ProgramSampler(TABLE, { length });
      return new Set(Array.from({ length: 100 }, () => sampler.program(random).length));
    };
    expect(lengths({ min: 2, max: 4 })).toEqual(new Set([2, 3, 4]));
    expect(lengths({ min: 3, max: 3 })).toEqual(new Set([3]));
  });

  it("draws each kind as often as its weight says", () => {
    const sampler = new ProgramSampler(TABLE, {
      registers: REGISTERS,
      length: 40_000,
      kinds: { ptx: 3, input: 1, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0 },
    });
    const kinds = [...sampler.program(new Random(1))].map(({ head }) => head & 0xffff);
    expect(new Set(kinds)).toEqual(new Set([1, 3]));
    expect(kinds.filter((kind) => kind === 3).length / kinds.length).toBeCloseTo(0.25, 2);
  });

  it("has the defaults that it states", () => {
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS, length: 40_000 });
    const program = sampler.program(new Random(1));
    const drawn = Array.from(program, (_, index) => program.decode(index));
    const share = (type: string): number => drawn.filter((one) => one.type === type).length / drawn.length;
    // The weights of all kinds that have something to draw here add up to 16.
    expect(share("ptx")).toBeCloseTo(8 / 16, 2);
    expect(share("input")).toBeCloseTo(4 / 16, 2);
    expect(share("constant")).toBeCloseTo(2 / 16, 2);
    expect(share("meta")).toBeCloseTo(1 / 16, 2);
    expect(share("metaConstant")).toBeCloseTo(0.5 / 16, 2);
    expect(share("store")).toBeCloseTo(0.25 / 16, 2);
    expect(share("load")).toBeCloseTo(0.25 / 16, 2);

    const upTo = (most: number): Set<number> => new Set(Array(most + 1).keys());
    expect(new Set(drawn.flatMap((one) => (one.type === "store" ? [one.slot] : [])))).toEqual(upTo(15));
    expect(new Set(drawn.flatMap((one) => (one.type === "load" ? [one.slot] : [])))).toEqual(upTo(15));
    expect(new Set(drawn.flatMap((one) => (one.type === "metaConstant" ? [one.value] : [])))).toEqual(
      upTo(7),
    );
    const constants = (type: string): Set<number> =>
      new Set(
        drawn.flatMap((one) =>
          one.type === "constant" && TABLE.stackTypes[one.stack]!.constantType === type
            ? [constantValue(type, one.bits)]
            : [],
        ),
      );
    expect(constants("f32")).toEqual(new Set([...upTo(128)].map((value) => (value - 64) / 16)));
    expect(constants("s32")).toEqual(new Set([...upTo(32)].map((value) => value - 16)));
    expect(constants("u32")).toEqual(upTo(32));
  });

  it("takes numbers from functions", () => {
    const sampler = new ProgramSampler(TABLE, {
      length: 500,
      kinds: { ptx: 0, meta: 0, store: 0, load: 0 },
      constants: { f32: () => 0.1, s32: () => -7, u32: () => 2 ** 32 + 5 },
      metaConstant: () => 9,
    });
    const program = sampler.program(new Random(3));
    const drawn = new Set(
      Array.from(program, (_, index) => {
        const one = program.decode(index);
        if (one.type === "metaConstant") return `meta ${one.value}`;
        if (one.type !== "constant") throw new Error("expected constants only");
        const type = TABLE.stackTypes[one.stack]!.constantType!;
        return `${type} ${constantValue(type, one.bits)}`;
      }),
    );
    expect(drawn).toEqual(new Set(["meta 9", `f32 ${Math.fround(0.1)}`, "s32 -7", "u32 5"]));
  });

  it("draws an instruction that touches no stack as often as others", () => {
    const [first, second] = TABLE.instructions;
    const table = { ...TABLE, instructions: [{ ...first!, args: [], results: [] }, second!] };
    const kinds = { input: 0, constant: 0, meta: 0, metaConstant: 0, store: 0, load: 0 };
    const share = (instructions: Record<string, number>): number => {
      const sampler = new ProgramSampler(table, { kinds, instructions, length: 20_000 });
      const drawn = [...sampler.program(new Random(1))];
      return drawn.filter(({ payload }) => payload === 0).length / drawn.length;
    };
    expect(share({})).toBeCloseTo(0.5, 1);
    expect(share({ [first!.name]: 3 })).toBeCloseTo(0.75, 1);
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

  it("happen at every place", () => {
    // Six different instructions; what is drawn is none of them.
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
    // Each pair once, and the program itself.
    expect(children(() => swapInstructions(program, source)).size).toBe((6 * 5) / 2 + 1);
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
    // Past one cut the child is as long as the second parent, wherever the cut is.
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
      "expected a number from 0 to 1 as `rate`, found 2",
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
      // A scale beyond the range ends at its ends.
      for (const now of moved(type, bits, 2 ** 30)) expect(now).not.toBe(value);
      expect(moved(type, bits, 0)).toEqual(Array(200).fill(value));
    }
    expect(new Set(moved("u32", 0, 0.25))).toEqual(new Set([1]));
    const largest = float32Bits(3.4028234663852886e38);
    for (const now of moved("f32", largest, 0.5)) expect(Number.isFinite(now)).toBe(true);
    expect(new Set(moved("f32", 0x7f800000, 0.5))).toEqual(new Set([Number.POSITIVE_INFINITY]));
    expect(new Set(moved("f32", 0x7fc00000, 0.5))).toEqual(new Set([Number.NaN]));
  });

  it("move constants by little more often than by much", () => {
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
