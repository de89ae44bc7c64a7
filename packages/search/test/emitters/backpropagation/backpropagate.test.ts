// Semantic backpropagation: inverses of operators, and candidates that are what an elite lacks.
import { table } from "@mm-ptx/ast/f32";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INVERSES, RESULTS } from "../../../src/emitters/backpropagation/operations.js";
import {
  type AstSpaceOptions,
  astSpace,
  backpropagate,
  columnsEvaluator,
  evolve,
  gridArchive,
  measures,
  Search,
} from "../../../src/index.js";
import { WordSpace } from "../../support/word-space.js";

const ROWS = 40;
const x = Float32Array.from({ length: ROWS }, (_, row) => 0.05 + row / 20);
const y = Float32Array.from({ length: ROWS }, (_, row) => ((row * 7) % 13) / 4 + 0.1);

function search(of: (x: number, y: number) => number, options: Partial<AstSpaceOptions> = {}): Search {
  const isScaled = options.constants !== false;
  const space = astSpace(table, {
    ...{ inputs: ["x", "y"], operators: ["+", "-", "*", "/", "sin", "log"], maxLength: 21 },
    ...options,
  });
  const target = Float64Array.from(x, (value, row) => of(value, y[row]!));
  return new Search({
    space,
    archive: gridArchive({ axes: [{ name: "complexity", min: 1, max: 21 }] }),
    emitters: [evolve(), backpropagate({ columns: [x, y], target, library: 500, scaled: isScaled })],
    evaluator: columnsEvaluator({
      ...{ space, columns: [x, y], measures: [measures.complexity()] },
      loss: { kind: isScaled ? "nmse" : "mse", target },
    }),
    ...{ seed: 3, batchSize: 100 },
  });
}

describe("semantic backpropagation", () => {
  it("inverts each operator", () => {
    const positive = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    const numbers = fc.oneof(
      positive,
      positive.map((value) => -value),
    );
    for (const [name, inverses] of Object.entries(INVERSES)) {
      const result = RESULTS[name]!;
      fc.assert(
        fc.property(numbers, numbers, fc.nat(1), (operand, other, place) => {
          const side = place % inverses.length;
          const apply = (value: number) => (side === 0 ? result(value, other, 0) : result(other, value, 0));
          const wanted = apply(operand);
          fc.pre(Number.isFinite(wanted));
          const found = inverses[side]!(wanted, operand, other);
          fc.pre(Number.isFinite(found));
          expect(Math.abs(apply(found) - wanted)).toBeLessThan(1e-6 * Math.max(1, Math.abs(wanted)));
          // Of several operands, the nearest one: so it finds the operand itself.
          expect(Math.abs(found - operand)).toBeLessThan(1e-6);
        }),
      );
    }
  });

  it.each([
    ["of inputs alone", (a: number, b: number) => Math.sin(a * b) / Math.log(b), { constants: false }],
    ["with a scale", (a: number, b: number) => (3 * Math.sin(a * b)) / Math.log(b), {}],
  ] as const)("finds a formula %s in a few batches", async (_, of, options) => {
    const one = search(of, options);
    for await (const event of one.run({ evaluations: 20_000, target: -1e-11 })) {
      if (event.type === "end") expect(event.reason).toBe("target");
    }
  });

  it("makes valid candidates, the same each time", async () => {
    const hashes = [];
    for (let time = 0; time < 2; time++) {
      const one = search((a, b) => a / (b + a));
      for await (const event of one.run({ batches: 5 })) {
        if (event.type !== "batch") continue;
        const { words, offsets } = event.batch.candidates.genomes;
        for (let index = 0; index + 1 < offsets.length; index++) {
          one.space.check({ words, start: offsets[index]!, end: offsets[index + 1]! });
        }
      }
      hashes.push([...one.hash()]);
    }
    expect(hashes[1]).toEqual(hashes[0]);
  });

  it("goes on from its state as if it had not been interrupted, though its library has grown", async () => {
    const batches = async (one: Search, count: number) => {
      for await (const event of one.run({ batches: count })) void event;
    };
    const make = () => search((a, b) => Math.sin(a * b) * Math.log(b + a) + a / (b + Math.sin(a)));
    const [whole, first, second] = [make(), make(), make()];
    await batches(whole, 5);
    await batches(first, 3);
    second.restore(first.state());
    await batches(second, 2);
    expect(second.hash()).toEqual(whole.hash());
  });

  it("refuses other spaces, and columns that are too few", () => {
    const emission = { space: new WordSpace(), archive: {}, batchDraws: {}, next: () => ({}) } as never;
    const emitter = backpropagate({ columns: [x], target: y });
    expect(() => emitter.emit(1, emission, {} as never)).toThrow("expected an AST space for `backpropagate`");
    const one = search((a) => a);
    expect(() =>
      backpropagate({ columns: [x], target: y }).emit(
        1,
        { ...(emission as object), space: one.space } as never,
        {} as never,
      ),
    ).toThrow("expected 2 columns for `backpropagate`, found 1");
  });
});
