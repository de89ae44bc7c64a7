// Stack spaces: genomes are valid, texts are exact, and what is said about a genome is true of its code.
import { evaluateBatch } from "@mm-ptx/columns";
import { type Instruction, register, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { f32, meta, ptx, routine, stacks, table, u32 } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { Draws, type Genome, type StackSpace, type StackSpaceOptions, stackSpace } from "../../src/index.js";

const operand = (name: string, direction: "in" | "mod" | "out", type = "F32") =>
  ({ name, direction, register: name, registerType: type.toLowerCase(), type }) as const;

const ARITHMETIC = ["add.ftz.f32", "sub.ftz.f32", "mul.ftz.f32", "fma.rn.ftz.f32", "sin.approx.ftz.f32"];
const OPERANDS = [operand("o", "out"), operand("x", "in"), operand("y", "in")];
const OPTIONS: StackSpaceOptions = { operands: OPERANDS, instructions: ARITHMETIC, maxLength: 40 };

const INTEGERS: StackSpaceOptions = {
  operands: [operand("x", "mod", "U32"), operand("n", "in", "U32"), operand("h", "out", "U32")],
  instructions: {
    "add.u32": 2,
    "xor.b32": 1,
    "mul.lo.u32": 1,
    "shr.u32": 1,
    "selp.u32": 1,
    "setp.lt.u32": 1,
  },
  constants: { u32: [1, 15, 0x45d9f3b] },
  length: { min: 4, max: 30 },
  maxLength: 30,
};

function sampled(space: StackSpace, seed: number, number = 0): Genome {
  const draws = new Draws();
  const out = new CodeBuffer();
  draws.start(seed, 0, number);
  space.sample(draws, out);
  return { words: out.words.slice(), start: 0, end: out.end };
}

function varied(space: StackSpace, operator: number, parent: Genome, other: Genome, seed: number): Genome {
  const draws = new Draws();
  const out = new CodeBuffer();
  draws.start(seed, 1, 0);
  space.vary(operator, parent, other, draws, out);
  return { words: out.words.slice(), start: 0, end: out.end };
}

const codeOf = (space: StackSpace, genome: Genome): CodeBuffer => {
  const codes = new CodeBuffer();
  space.compile(genome, codes);
  return codes;
};

const spaces = { floats: stackSpace(table, OPTIONS), integers: stackSpace(table, INTEGERS) };
const anySpace = fc.constantFrom(...Object.values(spaces));
const seeds = fc.nat();

describe("genomes", () => {
  it("satisfy the space, however they were made, and have exact texts", () => {
    fc.assert(
      fc.property(
        anySpace,
        seeds,
        fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
        (space, seed, operators) => {
          let genome = sampled(space, seed);
          const other = sampled(space, seed, 1);
          space.check(genome);
          for (const [step, operator] of operators.entries()) {
            const child = varied(space, operator % space.operators.length, genome, other, seed ^ step);
            if (codeOf(space, child).count === 0) {
              expect(() => space.check(child)).toThrow("expected a program that writes");
              continue;
            }
            genome = child;
            expect(space.parse(space.text(genome))).toEqual(genome.words);
          }
        },
      ),
      { numRuns: smoke(1000) },
    );
  });

  it("depend on nothing but the draws", () => {
    for (const space of Object.values(spaces)) {
      const [first, second] = [sampled(space, 5), sampled(space, 6)];
      for (const operator of space.operators.keys()) {
        const child = varied(space, operator, first, second, 7);
        sampled(space, 9);
        expect(varied(space, operator, first, second, 7)).toEqual(child);
      }
    }
  });

  it("are read where they are in a buffer", () => {
    const space = spaces.floats;
    const alone = sampled(space, 3);
    const words = new Uint32Array(alone.end + 10);
    words.set(alone.words, 6);
    const within = { words, start: 6, end: 6 + alone.end };
    const [one, two] = [new Uint32Array(4), new Uint32Array(4)];
    space.signature(alone, one);
    space.signature(within, two);
    expect(two).toEqual(one);
    expect(codeOf(space, within).words).toEqual(codeOf(space, alone).words);
    expect(space.text(within)).toBe(space.text(alone));
    for (const operator of space.operators.keys()) {
      expect(varied(space, operator, within, within, 4)).toEqual(varied(space, operator, alone, alone, 4));
    }
  });

  it("change by each operator, and stay about as long by `umad`", () => {
    const space = spaces.floats;
    const operator = space.operators.findIndex(({ name }) => name === "umad");
    let [before, after] = [0, 0];
    for (let seed = 0; seed < 1000; seed++) {
      const parent = sampled(space, seed);
      before += parent.end;
      after += varied(space, operator, parent, parent, seed).end;
      if (seed >= 20) continue;
      for (const index of space.operators.keys()) {
        const children = Array.from({ length: 8 }, (_, turn) =>
          varied(space, index, parent, sampled(space, seed, 1), turn + 8 * seed),
        );
        expect(children.some(({ words }) => words.join() !== parent.words.join())).toBe(true);
      }
    }
    expect(Math.abs(after / before - 1)).toBeLessThan(0.03);
  });
});

describe("what is said about a genome", () => {
  it("finds its constants", () => {
    const space = spaces.floats;
    const compiler = new StackCompiler(table);
    fc.assert(
      fc.property(seeds, (seed) => {
        const genome = sampled(space, seed);
        const places: number[] = [];
        const count = space.constantPlaces(genome, places);
        const expected = compiler.constantPlaces(space.program(genome), space.job, "f32");
        expect(places.slice(0, count)).toEqual(Array.from(expected, (gene) => 2 * gene + 1));
      }),
      { numRuns: smoke(500) },
    );
  });

  it("computes columns in the order of its inputs", async () => {
    const space = spaces.floats;
    const words = space.parse("input x\ninput y\nsub.ftz.f32\n");
    const codes = codeOf(space, { words, start: 0, end: words.length });
    expect(space.inputs).toEqual(["x", "y"]);
    const columns = [Float32Array.of(1, 2), Float32Array.of(10, 30)];
    const { outputs } = await evaluateBatch(codes, columns, { outputs: true });
    expect(outputs!.column(0)).toEqual(Float32Array.of(9, 28));
  });

  it("costs what its live instructions, constants and inputs cost", () => {
    const square = StackProgram.of(meta(stacks.F32, "dup"), ptx.mulFtzF32);
    const space = stackSpace(table, {
      ...OPTIONS,
      functions: { square },
      costs: { "sin.approx.ftz.f32": 3, square: 2 },
      constantCost: 0.5,
      inputCost: 0.25,
    });
    const cost = (text: string): number => {
      const words = space.parse(text);
      return space.complexity({ words, start: 0, end: words.length });
    };
    expect(cost("input x\nsin.approx.ftz.f32")).toBe(3.25);
    expect(cost("input y\ninput x\nconst F32 2\nmul.ftz.f32\n")).toBe(1.75);
    expect(cost("input x\nroutine square\nroutine square\n")).toBe(4.25);
    expect(cost("input y\nroutine square\ninput x\nroutine square\n")).toBe(2.25);
  });

  it("has the signature of its stub", () => {
    const space = spaces.integers;
    const text = (program: string): string => {
      const words = space.parse(program);
      const hash = new Uint32Array(4);
      space.signature({ words, start: 0, end: words.length }, hash);
      return hash.join();
    };
    const short = text("input n\ninput x\ninput n\nadd.u32\n");
    expect(text("const U32 3\ninput n\ninput x\ninput n\nadd.u32\n")).toBe(short);
    expect(text("input n\ninput n\ninput n\nadd.u32\n")).not.toBe(short);
  });
});

describe("bad input", () => {
  it("is refused with what is wrong", () => {
    const refused = (options: unknown, message: string | RegExp): void =>
      expect(() => stackSpace(table, options as StackSpaceOptions)).toThrow(message);
    refused({}, "expected one of `operands` and `job`, found undefined");
    refused({ operands: OPERANDS, job: spaces.floats.job }, "expected one of `operands` and `job`");
    refused({ ...OPTIONS, lenght: 3 }, "unknown option `lenght`, did you mean `length`?");
    refused({ ...OPTIONS, instructions: ["add.ftz.f23"] }, "unknown instruction `add.ftz.f23`");
    refused({ ...OPTIONS, instructions: ["pack.f32x2"] }, "expected instructions on single values");
    refused({ ...OPTIONS, length: 41 }, "expected `length` of at most `maxLength`, which is 40,");
    refused({ ...OPTIONS, constants: { f32: [] } }, "expected `constants.f32` as at least one number");
    refused({ ...OPTIONS, inputs: [0] }, "expected `inputs` as indices of registers that can be read");
    refused(
      { ...OPTIONS, instructions: ["add.u32"], inputs: [], kinds: { constant: 0 } },
      /can write all requested/,
    );
    refused({ ...OPTIONS, minLines: 3, maxLines: 2 }, "expected `minLines` of at most `maxLines`");
    refused({ ...OPTIONS, costs: { sin: 1 } }, "unknown instruction or function `sin`");
    const program = StackProgram.of(routine(0));
    refused({ ...OPTIONS, functions: { program } }, "function `program` of at most");
  });

  it("is refused in genomes", () => {
    const { floats } = spaces;
    const code = "INVALID_ARGUMENT";
    expect(() => floats.parse("const F32 1\nstore F32 0")).toThrow(expect.objectContaining({ code }));
    expect(() => floats.parse("input o")).toThrow(expect.objectContaining({ code }));
    expect(() => floats.parse("inputt x")).toThrow(expect.objectContaining({ code }));
    const check =
      (...instructions: readonly Instruction[]) =>
      () => {
        const { words } = StackProgram.of(...instructions);
        floats.check({ words, start: 0, end: words.length });
      };
    expect(check(f32(1), ptx.addFtzF32)).not.toThrow();
    expect(check(u32(1))).toThrow("expected a program that writes all requested registers");
    expect(check({ head: 99, payload: 0 })).toThrow(expect.objectContaining({ code }));
    expect(check(...Array.from({ length: 41 }, () => f32(1)))).toThrow("at most 40 instructions");
  });
});

describe("limits of lines", () => {
  it("hold for all genomes", () => {
    const space = stackSpace(table, {
      job: { registers: ["x", "y"].map((name) => register(name, stacks.F32)), requests: [1] },
      instructions: ARITHMETIC,
      minLines: 2,
      maxLines: 4,
    });
    for (let seed = 0; seed < 50; seed++) {
      const parent = sampled(space, seed);
      for (const operator of space.operators.keys()) {
        const child = varied(space, operator, parent, sampled(space, seed, 1), seed);
        const lines = space.complexity(child);
        expect(lines >= 2 && lines <= 4).toBe(true);
      }
    }
  });
});
