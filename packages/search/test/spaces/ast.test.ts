// Genomes of AST spaces are programs, whatever draws and varies them.
import { AstCompiler, AstProgram } from "@mm-ptx/ast";
import { table } from "@mm-ptx/ast/f32";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { Draws } from "../../src/draws.js";
import { SearchError } from "../../src/error.js";
import { type AstSpace, astSpace } from "../../src/spaces/ast.js";
import type { AstSpaceOptions } from "../../src/spaces/ast-options.js";
import type { Genome } from "../../src/spaces/space.js";

const inputs = ["x", "y", "z"];
const operators = ["+", "-", "*", "/", "sin", "cos", "exp", "log", "square", "pow", "fma", "neg", "min"];

const SPACES: Readonly<Record<string, AstSpaceOptions>> = {
  "all instructions": { inputs, maxLength: 24 },
  functions: {
    inputs,
    operators: [...operators, "gauss", "tau"],
    functions: { gauss: "exp(-a * a)", tau: "6.2831855" },
  },
  "no constants": { inputs, operators, constants: false, maxLength: 12 },
  "no inputs": { inputs: [], operators: ["+", "*"], maxLength: 7 },
  "one node": { inputs, maxLength: 1 },
  constrained: {
    inputs,
    operators,
    constraints: {
      maxDepth: 6,
      maxComplexity: 30,
      costs: { exp: 3, x: 0.5, constant: 2 },
      nesting: [
        { outer: ["sin", "cos"], inner: ["sin", "cos"] },
        { outer: ["exp"], inner: ["exp", "log", "pow"], most: 1 },
      ],
      operandSizes: { pow: [null, 1] },
      maxUses: { log: 2, constant: 4 },
    },
  },
};

const spaces = Object.entries(SPACES).map(([name, options]) => [name, astSpace(table, options)] as const);

/** Random genomes: some are drawn, the others are varied from earlier ones. */
function genomesOf(space: AstSpace, seed: number, count: number): Genome[] {
  const draws = new Draws();
  const out = new CodeBuffer();
  const genomes: Genome[] = [];
  for (let index = 0; index < count; index++) {
    draws.start(seed, 0, index);
    if (index < 4 || draws.below(8) === 0) space.sample(draws, out);
    else {
      const parent = genomes[draws.below(genomes.length)]!;
      const other = genomes[draws.below(genomes.length)]!;
      space.vary(draws.below(space.operators.length), parent, other, draws, out);
    }
    const { words, offsets } = out;
    genomes.push({
      words: words.slice(offsets[index]!, offsets[index + 1]!),
      start: 0,
      end: offsets[index + 1]! - offsets[index]!,
    });
  }
  return genomes;
}

const wordsOf = ({ words, start, end }: Genome): number[] => Array.from(words.subarray(start, end));
const hashOf = (space: AstSpace, genome: Genome): string => {
  const hash = new Uint32Array(4);
  space.signature(genome, hash);
  return hash.join(" ");
};
const asGenome = (words: Uint32Array): Genome => ({ words, start: 0, end: words.length });

describe.each(spaces)("%s", (_, space) => {
  test("genomes are programs within the constraints", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (const genome of genomesOf(space, seed, 60)) space.check(genome);
      }),
      { numRuns: cases(200) },
    );
  });

  test("codes are those of the compiler", () => {
    const compiler = new AstCompiler(table, { routines: space.routines });
    const job = { inputs: space.inputs, output: "out" };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const [ours, theirs] = [new CodeBuffer(), new CodeBuffer()];
        const genomes = genomesOf(space, seed, 20);
        for (const genome of genomes) {
          space.compile(genome, ours);
          compiler.compileToCode(space.program(genome), job, theirs);
        }
        expect(ours.words).toEqual(theirs.words);
        expect(ours.offsets).toEqual(theirs.offsets);
      }),
      { numRuns: cases(100) },
    );
  });

  test("texts are read back as the same words", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (const genome of genomesOf(space, seed, 20)) {
          const text = space.text(genome);
          expect(Array.from(space.parse(text)), text).toEqual(wordsOf(genome));
        }
      }),
      { numRuns: cases(100) },
    );
  });
});

test("the negation of a negative value has brackets", () => {
  const space = astSpace(table, { inputs: ["x"], operators: ["neg", "+", "*"] });
  for (const text of ["-(-x)", "-(-2)", "-(2)", "-x * -2", "-(-(-x))", "x + -(x + x)"])
    expect(space.text(asGenome(space.parse(text)))).toBe(text);
});

describe("signatures", () => {
  const space = astSpace(table, {
    inputs,
    operators: [...operators, "mean"],
    functions: { mean: "(a + b) * 0.5" },
  });
  const hash = (text: string): string => hashOf(space, asGenome(space.parse(text)));

  test.each([
    ["x + y", "y + x"],
    ["x * (y + 1)", "(1 + y) * x"],
    ["fma(x, y, z)", "fma(y, x, z)"],
    ["min(x, sin(y))", "min(sin(y), x)"],
    ["mean(x, y)", "mean(y, x)"],
    ["sin(x * y) - y * x", "sin(y * x) - x * y"],
  ])("%s and %s have the same", (left, right) => {
    expect(hash(left)).toBe(hash(right));
  });

  test.each([
    ["x - y", "y - x"],
    ["pow(x, y)", "pow(y, x)"],
    ["fma(x, y, z)", "fma(x, z, y)"],
    ["x + 1", "x + 1.0000001"],
    ["x + 1", "x + 2"],
    ["x * 0", "x * -0"],
    ["x", "y"],
    ["sin(cos(x))", "cos(sin(x))"],
    ["x + (y + z)", "(x + y) + z"],
    ["square(x)", "x * x"],
    ["x - x", "y - y"],
  ])("%s and %s have different ones", (left, right) => {
    expect(hash(left)).not.toBe(hash(right));
  });

  test("different programs have different ones", () => {
    const byHash = new Map<string, string>();
    const plain = astSpace(table, { inputs, operators: ["-", "sin", "/"] });
    for (const genome of genomesOf(plain, 1, cases(20_000))) {
      const text = plain.text(genome);
      const found = byHash.get(hashOf(plain, genome)) ?? text;
      expect(found).toBe(text);
      byHash.set(hashOf(plain, genome), text);
    }
  });
});

describe("constants", () => {
  const space = astSpace(table, { inputs, operators });

  test("places are those of the code's constants, and -1 for those of functions", () => {
    const words = space.parse("exp(x * 2) + 3 * pow(y, 4)");
    const places: number[] = [];
    const count = space.constantPlaces(asGenome(words), places);
    expect(places.slice(0, count).map((place) => (place < 0 ? place : words[place]))).toEqual([
      0x40000000, -1, 0x40400000, 0x40800000,
    ]);
  });

  test("a change of a word at such a place changes the constant of the code", () => {
    const words = space.parse("sin(2.5) * exp(x + 1.5)");
    const codes = new CodeBuffer();
    const places: number[] = [];
    space.constantPlaces(asGenome(words), places);
    space.compile(asGenome(words), codes);
    words[places[1]!] = 0x42280000;
    expect(space.text(asGenome(words))).toBe("sin(2.5) * exp(x + 42)");
    space.compile(asGenome(words), codes);
    const { words: both, offsets } = codes;
    const [before, after] = [both.slice(0, offsets[1]), both.slice(offsets[1])];
    expect([...after].filter((word, index) => word !== before[index])).toEqual([0x42280000]);
  });

  test("operators of constants keep the tree", () => {
    const shape = (genome: Genome): string => space.text(genome).replaceAll(/-?\b[0-9][\w.+-]*/g, "c");
    const draws = new Draws();
    const out = new CodeBuffer();
    const parent = asGenome(space.parse("sin(x * 2.5) + 1.5 - y * 7"));
    space.operators.forEach(({ name }, operator) => {
      if (!name.endsWith("-constant")) return;
      const texts = new Set<string>();
      for (let index = 0; index < 50; index++) {
        out.clear();
        draws.start(1, operator, index);
        space.vary(operator, parent, parent, draws, out);
        const genome = asGenome(out.words);
        expect(shape(genome), name).toBe(shape(parent));
        texts.add(space.text(genome));
      }
      expect(texts.size, name).toBeGreaterThan(3);
    });
  });
});

describe("complexity", () => {
  test("is the sum of the costs", () => {
    const space = astSpace(table, {
      inputs,
      operators,
      constraints: { costs: { exp: 3, y: 2, constant: 0.5, "*": 4 } },
    });
    expect(space.complexity(asGenome(space.parse("exp(x) * 2 + y")))).toBe(3 + 1 + 4 + 0.5 + 1 + 2);
  });
});

describe("mistakes", () => {
  test.each<[string, object, string]>([
    [
      "no inputs",
      {},
      "option `inputs`: expected a list of names that start with a letter and are not `ast` with a number, as registers of stubs are, found undefined",
    ],
    [
      "a register of stubs",
      { inputs: ["x", "ast0"] },
      "option `inputs[1]`: expected names that start with a letter and are not `ast` with a number, as registers of stubs are, found `ast0`",
    ],
    [
      "an unknown option",
      { inputs, maxLengths: 3 },
      "unknown option `maxLengths` of astSpace, did you mean `maxLength`?",
    ],
    ["an input twice", { inputs: ["x", "x"] }, "expected each input once, found `x`"],
    [
      "nothing to consist of",
      { inputs: [], constants: false },
      "expected inputs or constants, found an array",
    ],
    [
      "an unknown operator",
      { inputs, operators: ["sine"] },
      "expected the name of an instruction or function, found `sine`, did you mean `sin`?",
    ],
    [
      "a wrong formula",
      { inputs, functions: { f: "a +" } },
      "function `f`, column 4: expected an operand, found the end of the formula",
    ],
    [
      "an argument that is not used",
      { inputs, functions: { f: "b * 2" } },
      "function `f`: expected each argument up to the last to be used",
    ],
    [
      "a function of itself",
      { inputs, functions: { f: "g(a)", g: "f(a)" } },
      "expected functions that do not use themselves, found `f`",
    ],
    [
      "a function with an instruction's name",
      { inputs, functions: { sin: "a" } },
      "expected names of functions that no instruction has, found `sin`",
    ],
    [
      "a cost of something else",
      { inputs, constraints: { costs: { w: 1 } } },
      "option `constraints.costs`: expected names of this space, found `w`, did you mean `z`?",
    ],
    [
      "impossible constraints",
      { inputs, constraints: { maxComplexity: 0.5 } },
      "expected constraints that programs satisfy, found none among 20000 that does",
    ],
  ])("%s", (_, options, message) => {
    expect(() => astSpace(table, options as AstSpaceOptions)).toThrowError(
      new SearchError("INVALID_ARGUMENT", message),
    );
  });

  const space = astSpace(table, { inputs, operators, constraints: { maxDepth: 3 } });
  test.each([
    ["", "formula, column 1: expected an operand, found the end of the formula"],
    ["x +* y", "formula, column 4: expected an operand, found `*`"],
    ["x y", "formula, column 3: expected an operator or the end of the formula, found `y`"],
    ["sin(x", "formula, column 1: expected a `)` for this `(`, found the end of the formula"],
    ["sin(x, y)", "formula, column 1: expected 1 operand of `sin`, found 2"],
    ["sin()", "formula, column 1: expected 1 operand of `sin`, found 0"],
    ["tanh(x)", "formula, column 1: expected the name of an operator, found `tanh`"],
    ["w", "formula, column 1: expected a variable, found `w`"],
    ["x + 1e99", "formula, column 5: expected a number that f32 can hold, found `1e99`"],
    ["x ^ 2", "formula, column 3: expected a number, a name or an operator, found `^`"],
    ["sin(sin(sin(sin(x))))", "expected a program within `constraints.depth`, found one beyond"],
  ])("%s", (text, message) => {
    expect(() => space.parse(text)).toThrowError(message);
  });

  test("words that are no program", () => {
    const word = AstProgram.fromWords(space.parse("x + y")).words;
    expect(() => space.check({ words: word, start: 0, end: 4 })).toThrowError(
      "expected a program with one value, found 2",
    );
    expect(() => space.check({ words: word, start: 2, end: 6 })).toThrowError(
      "instruction 1: expected operands before `add`, found too few",
    );
    expect(() => space.check({ words: word, start: 0, end: 3 })).toThrowError(
      "expected 1 to 30 instructions, found 1.5",
    );
    expect(() => space.check(asGenome(Uint32Array.of(1, 3)))).toThrowError(
      "instruction 0: expected one of this space, found 0x00000001 0x00000003",
    );
    expect(() => space.check(asGenome(Uint32Array.of(0x10003, 99)))).toThrowError(
      "instruction 0: expected one of this space",
    );
  });
});
