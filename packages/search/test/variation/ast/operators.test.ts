// Each operator on trees that are small enough to list everything that it can make of them.
import { table } from "@mm-ptx/ast/f32";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases, smoke } from "../../../../../tests/support/counts.js";
import { astSpace, Draws, type Formula, type Genome } from "../../../src/index.js";

const inputs = ["x", "y", "z"];
const space = astSpace(table, {
  inputs,
  operators: ["+", "-", "*", "/", "sin", "exp", "fma"],
  maxLength: 24,
});
const numbers = new Map(space.operators.map(({ name }, number) => [name, number]));

const genomeOf = (text: string): Genome => {
  const words = space.parse(text);
  return { words, start: 0, end: words.length };
};
const formulaOf = (text: string): Formula => space.formula(genomeOf(text));

/** A formula with brackets around everything, so that equal texts are equal trees. */
const textOf = (formula: Formula): string => {
  if (formula.kind === "variable") return formula.name;
  if (formula.kind === "number") return formula.text;
  return `${formula.name}(${formula.operands.map(textOf).join(" ")})`;
};

/** What an operator made of texts in many tries, without copies of the parent. */
function made(operator: string, parent: string, other = parent, tries = 400): Set<string> {
  const draws = new Draws();
  const out = new CodeBuffer();
  const [first, second] = [genomeOf(parent), genomeOf(other)];
  const found = new Set<string>();
  for (let attempt = 0; attempt < tries; attempt++) {
    out.clear();
    draws.start(1, 0, attempt);
    space.vary(numbers.get(operator)!, first, second, draws, out);
    const genome = { words: out.words, start: 0, end: out.end };
    space.check(genome);
    found.add(textOf(space.formula(genome)));
  }
  found.delete(textOf(formulaOf(parent)));
  return found;
}

const operandsOf = (formula: Formula): readonly Formula[] =>
  formula.kind === "operation" ? formula.operands : [];

/** All subtrees, the formula itself first. */
const subtrees = (formula: Formula): Formula[] => [formula, ...operandsOf(formula).flatMap(subtrees)];

/** All formulas in which one node has been replaced by one of what `change` returns for it. */
function changed(formula: Formula, change: (node: Formula) => readonly Formula[]): Formula[] {
  const here = change(formula);
  if (formula.kind !== "operation") return [...here];
  const below = formula.operands.flatMap((operand, index) =>
    changed(operand, change).map(
      (one): Formula => ({ ...formula, operands: formula.operands.with(index, one) }),
    ),
  );
  return [...here, ...below];
}

const texts = (formulas: readonly Formula[], except: string): Set<string> => {
  const set = new Set(formulas.map(textOf));
  set.delete(textOf(formulaOf(except)));
  return set;
};

const PARENT = "sin(x - y) * fma(x, 2, z) + exp(z)";

describe("everything that is possible is made, and nothing else", () => {
  test("delete", () => {
    expect(made("delete", PARENT)).toEqual(texts(changed(formulaOf(PARENT), operandsOf), PARENT));
  });

  test("hoist", () => {
    expect(made("hoist", PARENT)).toEqual(texts(subtrees(formulaOf(PARENT)), PARENT));
  });

  test("swap", () => {
    const parent = "fma(x, 2, z / y) - sin(x + y)";
    // Sums and the first operands of fma commute.
    const swaps = changed(formulaOf(parent), (node) => {
      if (node.kind !== "operation") return [];
      const [a, b, c] = node.operands;
      if (node.name === "fma") return [{ ...node, operands: [a!, c!, b!] }];
      return node.name === "sub" || node.name === "div" ? [{ ...node, operands: [b!, a!] }] : [];
    });
    expect(made("swap", parent)).toEqual(texts(swaps, parent));
  });

  test("rotate", () => {
    const parent = "(x - y) * (z / 2) + sin(x)";
    const rotations = changed(formulaOf(parent), (node) => {
      if (node.kind !== "operation" || node.operands.length !== 2) return [];
      const [left, right] = node.operands;
      const turned: Formula[] = [];
      if (left!.kind === "operation" && left!.operands.length === 2) {
        const [a, b] = left!.operands;
        turned.push({ ...left!, operands: [a!, { ...node, operands: [b!, right!] }] });
      }
      if (right!.kind === "operation" && right!.operands.length === 2) {
        const [b, c] = right!.operands;
        turned.push({ ...right!, operands: [{ ...node, operands: [left!, b!] }, c!] });
      }
      return turned;
    });
    expect(made("rotate", parent)).toEqual(texts(rotations, parent));
  });

  test("crossover", () => {
    const [parent, other] = ["x * 2 - sin(y)", "exp(z + 3) / x"];
    const donors = subtrees(formulaOf(other));
    expect(made("crossover", parent, other, 3000)).toEqual(
      texts(
        changed(formulaOf(parent), () => donors),
        parent,
      ),
    );
  });

  test("crossover of two points", () => {
    const [parent, other] = ["sin(x - 2)", "exp(y) * z"];
    // What is around a subtree, as a function of what takes its place.
    const contexts = (formula: Formula): ((hole: Formula) => Formula)[] => [
      (hole) => hole,
      ...operandsOf(formula).flatMap((operand, index) =>
        contexts(operand).map((inner) => (hole: Formula): Formula => {
          if (formula.kind !== "operation") return hole;
          return { ...formula, operands: formula.operands.with(index, inner(hole)) };
        }),
      ),
    ];
    const around = subtrees(formulaOf(other)).flatMap(contexts);
    const results = changed(formulaOf(parent), (node) =>
      subtrees(node).flatMap((kept) => around.map((context) => context(kept))),
    );
    expect(made("crossover-two-points", parent, other, 3000)).toEqual(texts(results, parent));
  });
});

describe("constants", () => {
  test("clones are copies of another constant", () => {
    expect(made("clone-constant", "x * 1 + (y * 2 - 3)")).toEqual(
      new Set([
        "add(mul(x 2) sub(mul(y 2) 3))",
        "add(mul(x 3) sub(mul(y 2) 3))",
        "add(mul(x 1) sub(mul(y 1) 3))",
        "add(mul(x 1) sub(mul(y 3) 3))",
        "add(mul(x 1) sub(mul(y 2) 1))",
        "add(mul(x 1) sub(mul(y 2) 2))",
      ]),
    );
  });

  test("are rounded to near fractions", () => {
    expect(made("round-constant", "x * 3.13")).toEqual(
      new Set(["mul(x 3)", "mul(x 3.125)", "mul(x 3.1666667)", "mul(x 3.25)", "mul(x 3.2)", "mul(x 3.1)"]),
    );
    expect(made("round-constant", "x * 0.0099")).toContain("mul(x 0.00990099)");
  });

  test("stay finite", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("3.4e38", "-3.4e38", "1e-45", "0", "-0", "1.5"),
        fc.nat(),
        (constant, seed) => {
          const draws = new Draws();
          const out = new CodeBuffer();
          const parent = genomeOf(`x * ${constant}`);
          for (const operator of ["step-constant", "jump-constant", "round-constant"]) {
            draws.start(seed, 0, 0);
            space.vary(numbers.get(operator)!, parent, parent, draws, out);
          }
          const bits = new Float32Array(out.words.buffer, out.words.byteOffset, out.end);
          const { words } = out;
          words.forEach((word, index) => {
            if (word === 2 && index % 2 === 0) expect(Number.isFinite(bits[index + 1])).toBe(true);
          });
        },
      ),
      { numRuns: cases(2000) },
    );
  });

  test("programs without constants are changed otherwise", () => {
    for (const operator of ["step-constant", "jump-constant", "round-constant", "clone-constant"])
      expect(made(operator, "sin(x) + y").size).toBeGreaterThan(5);
  });
});

describe("lengths", () => {
  test("are at most the greatest one, and often reach it", () => {
    const draws = new Draws();
    const out = new CodeBuffer();
    const lengths = new Set<number>();
    let parent = genomeOf("x");
    for (let attempt = 0; attempt < smoke(20_000); attempt++) {
      out.clear();
      draws.start(2, 0, attempt);
      space.vary(draws.below(space.operators.length), parent, parent, draws, out);
      lengths.add(out.end / 2);
      parent = { words: out.words.slice(), start: 0, end: out.end };
    }
    expect(Math.max(...lengths)).toBe(space.maxLength);
    expect(lengths.size).toBe(space.maxLength);
  });

  test("stay about the same under umad", () => {
    const draws = new Draws();
    const out = new CodeBuffer();
    const parent = genomeOf(PARENT);
    const count = smoke(20_000);
    for (let attempt = 0; attempt < count; attempt++) {
      draws.start(3, 0, attempt);
      space.vary(numbers.get("umad")!, parent, parent, draws, out);
    }
    const length = out.end / 2 / count;
    const own = parent.end / 2;
    expect(length).toBeGreaterThan(own * 0.85);
    expect(length).toBeLessThan(own * 1.15);
  });
});

test("the same numbers make the same genome, wherever the parents are", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 14 }), fc.nat({ max: 5 }), (seed, operator, shift) => {
      const parent = genomeOf(PARENT);
      const other = genomeOf("x * 3 - sin(y)");
      const moved = (genome: Genome): Genome => {
        const words = new Uint32Array(genome.end + 2 * shift + 3).fill(0x10003);
        words.set(genome.words, 2 * shift + 1);
        return { words, start: 2 * shift + 1, end: 2 * shift + 1 + genome.end };
      };
      const results = [
        [parent, other],
        [moved(parent), moved(other)],
      ].map(([first, second]) => {
        const out = new CodeBuffer();
        const draws = new Draws();
        draws.start(seed, 1, 2);
        space.vary(operator, first!, second!, draws, out);
        return Array.from(out.words);
      });
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: cases(1000) },
  );
});
