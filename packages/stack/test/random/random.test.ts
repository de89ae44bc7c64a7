// The generator and the sampler: the same numbers and programs on every machine, with the frequencies of the
// weights.
import { describe, expect, it } from "vitest";
import { MetaOperation, StackPtxError } from "../../src/index.js";
import { ProgramSampler, Random } from "../../src/random/index.js";
import { constantValue, REGISTERS, TABLE } from "../support/sampled-table.js";

const MASK = 0xffffffffn;

/** xoshiro128** as in its paper, in big integers. */
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

/** The state that splitmix32 derives from a seed. */
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
    // The first words from the state 1, 2, 3, 4, which implementations in other languages test too.
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
    // If the number of words is not a multiple of the bound, some are drawn again.
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

describe("a sampler", () => {
  it("draws the same programs from the same seed", () => {
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

  it("calls functions for numbers", () => {
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

  it("draws single constants", () => {
    const sampler = new ProgramSampler(TABLE, {
      constants: { f32: () => 0.5, u32: () => 2 ** 32 - 1, s32: (random) => -1 - random.below(1) },
    });
    const values = TABLE.stackTypes.map(({ constantType }, stack) =>
      constantType === undefined
        ? constantType
        : constantValue(constantType, sampler.constant(stack, new Random(1))),
    );
    const expected = { f32: 0.5, u32: 2 ** 32 - 1, s32: -1 };
    expect(values).toEqual(TABLE.stackTypes.map(({ constantType: type }) => type && expected[type]));
    const without = TABLE.stackTypes.findIndex(({ constantType }) => constantType === undefined);
    expect(() => sampler.constant(without, new Random(1))).toThrow("expected a stack with constants");
  });

  it("takes any source of random numbers", () => {
    const own = new Random(3);
    const source = {
      word: () => own.word(),
      fraction: () => own.fraction(),
      below: (bound: number) => own.below(bound),
    };
    const sampler = new ProgramSampler(TABLE, { registers: REGISTERS });
    expect(sampler.program(source)).toEqual(sampler.program(new Random(3)));
    expect(() => sampler.program({ word: source.word } as never)).toThrow("expected a Random");
  });

  it("draws an instruction without operands as often as others", () => {
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

  it("leaves out unnamed stacks, and everything that uses them", () => {
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

  it("accepts weights of instructions by name or from a function", () => {
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

  it("draws aligned instructions only if they are named", () => {
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

  it("accepts weights of stack operations", () => {
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
    [{ kinds: { input: -1 } }, "expected a number of at least 0 as the weight of kind `input`, found -1"],
    [{ stacks: { nowhere: 1 } }, "unknown stack `nowhere`"],
    [{ instructions: { "no.such": 1 } }, "unknown instruction `no.such`"],
    [{ instructions: () => Number.NaN }, "as the weight of instruction `"],
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
