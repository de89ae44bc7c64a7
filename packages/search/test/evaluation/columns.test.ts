// The evaluator on columns: its scores are those of `evaluateBatch`, constants are fitted in place, and races keep the best.
import { table } from "@mm-ptx/ast/f32";
import { evaluateBatch, type Loss } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { describe, expect, it } from "vitest";
import {
  type AstSpace,
  astSpace,
  Candidates,
  columnsEvaluator,
  Draws,
  type Evaluation,
  gridArchive,
  measures,
  type Scores,
} from "../../src/index.js";

const ROWS = 100;
const x = Float32Array.from({ length: ROWS }, (_, row) => row / 25 - 2);
const target = Float64Array.from(x, (value) => 3 * value * value + Math.fround(1.25));
const loss: Loss = { kind: "mse", target };
const space = astSpace(table, { inputs: ["x"], operators: ["+", "*", "/", "exp"], maxLength: 15 });

function candidatesOf(texts: readonly string[], of: AstSpace = space): Candidates {
  const candidates = new Candidates();
  for (const text of texts) {
    const words = of.parse(text);
    candidates.genomes.reserve(words.length).set(words, candidates.genomes.end);
    candidates.genomes.append(candidates.genomes.end + words.length);
    candidates.describe(0);
  }
  return candidates;
}

const textOf = ({ genomes }: Candidates, index: number): string =>
  space.text({ words: genomes.words, start: genomes.offsets[index]!, end: genomes.offsets[index + 1]! });

const archive = () => gridArchive({ axes: [{ name: "complexity", min: 1, max: 15 }] });
const evaluation = (): Evaluation => ({ archive: archive(), seed: 1, batch: 0 });
const length = measures.complexity();

describe("the evaluator on columns", () => {
  it("has the losses of `evaluateBatch` and the measures of each program", async () => {
    const draws = new Draws();
    const candidates = new Candidates();
    for (let index = 0; index < 300; index++) {
      draws.start(1, 2, index);
      space.sample(draws, candidates.genomes);
      candidates.describe(255);
    }
    const codes = new CodeBuffer();
    const { words, offsets } = candidates.genomes;
    for (let index = 0; index < 300; index++) {
      space.compile({ words, start: offsets[index]!, end: offsets[index + 1]! }, codes);
    }
    const expected = await evaluateBatch(codes, [x], { loss, cases: true });
    const scores = await columnsEvaluator({
      ...{ space, columns: [x], loss, cases: true },
      measures: [length, measures.constants(), measures.inputs(), measures.operations(["div"])],
    }).evaluate(candidates, evaluation());
    expect(Array.from(scores.status, Boolean)).toEqual(Array.from(expected.status, Boolean));
    for (let index = 0; index < 300; index++) {
      if (scores.status[index] !== 0) continue;
      expect(scores.objective[index]).toBe(-expected.loss![index]!);
      const text = textOf(candidates, index);
      const numbers = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
      const [complexity, constants, inputs, divisions] = scores.measures.subarray(4 * index);
      expect(complexity).toBe((offsets[index + 1]! - offsets[index]!) / 2);
      expect(inputs).toBe(/x(?!p)/.test(text) ? 1 : 0);
      expect(divisions).toBe(numbers(/ \/ /g));
      if (!text.includes("exp")) expect(constants).toBe(numbers(/\d[\d.e+-]*/g));
    }
    expect(scores.cases).toEqual(expected.cases);
  });

  it("gives failures a status", async () => {
    const candidates = candidatesOf(["1 / (x * 0)", "x / (x + x * -1)", "x"]);
    const { status } = await columnsEvaluator({ space, columns: [x], loss }).evaluate(
      candidates,
      evaluation(),
    );
    expect([...status]).toEqual([1, 1, 0]);
  });

  it("fits constants in place, and leaves those of functions alone", async () => {
    const candidates = candidatesOf(["2 * (x * x) + 1", "exp(x * 0.5)", "x * x"]);
    const fitting = columnsEvaluator({
      ...{ space, columns: [x], loss, measures: [length] },
      tuning: [{ method: "lm", iterations: 20 }],
    });
    const { objective } = await fitting.evaluate(candidates, evaluation());
    expect(objective[0]).toBeGreaterThan(-1e-9);
    expect(textOf(candidates, 0)).toBe("3 * (x * x) + 1.25");
    expect(textOf(candidates, 2)).toBe("x * x");
    // What was written is what was scored.
    const again = await columnsEvaluator({ space, columns: [x], loss }).evaluate(candidates, evaluation());
    expect(again.objective).toEqual(objective);
  });

  it("fits only what is near the elite of its cell", async () => {
    const full = archive();
    const good = candidatesOf(["3 * (x * x) + 1.2"]);
    const evaluator = columnsEvaluator({
      ...{ space, columns: [x], loss, measures: [length] },
      tuning: [{ method: "lm", iterations: 20, within: 2 }],
    });
    const plain = columnsEvaluator({ space, columns: [x], loss, measures: [length] });
    full.add(good.genomes, await plain.evaluate(good, evaluation()), 0);
    const candidates = candidatesOf(["3 * (x * x) + 9", "3 * (x * x) + 1.21"]);
    await evaluator.evaluate(candidates, { ...evaluation(), archive: full });
    expect([0, 1].map((index) => textOf(candidates, index))).toEqual([
      "3 * (x * x) + 9",
      "3 * (x * x) + 1.25",
    ]);
  });

  it("updates the errors of cases after fitting, with disturbed instructions too", async () => {
    const candidates = candidatesOf(["2 * (x * x) / 1.5 + 1"]);
    const options = {
      ...{ space, columns: [x], loss, measures: [length] },
      bounds: "ptx" as const,
      cases: true,
    };
    const scores = await columnsEvaluator({
      ...options,
      tuning: [{ method: "es", iterations: 200 }],
    }).evaluate(candidates, evaluation());
    const again = await columnsEvaluator(options).evaluate(candidates, evaluation());
    expect(again.objective).toEqual(scores.objective);
    expect(again.cases).toEqual(scores.cases);
    expect(scores.objective[0]).toBeGreaterThan(-0.5);
  });
});

describe("wrong data", () => {
  const columns = [x];
  const weights = new Float64Array(3);
  it.each<[string, Record<string, unknown>, string]>([
    ["a kind of loss", { loss: { kind: "mes", target } }, "`loss.kind`"],
    ["the length of a target", { loss: { kind: "mse", target: target.subarray(1) } }, "`loss.target`"],
    ["a target without rows", { loss: { kind: "mse", target: new Float64Array(0) } }, "`loss.target`"],
    ["an array as target", { loss: { kind: "mse", target: [...target] } }, "`loss.target`"],
    [
      "a target with a NaN",
      { loss: { kind: "mse", target: target.map((y, row) => (row === 7 ? NaN : y)) } },
      "row 7",
    ],
    ["the length of weights", { loss: { kind: "mse", target, weights } }, "`loss.weights`"],
    ["an output", { loss: { kind: "mse", target, output: 9 } }, "`loss.output` below 1"],
    [
      "a loss for `lm`",
      { loss: { kind: "max", target }, tuning: [{ method: "lm", iterations: 3 }] },
      "sum of squares",
    ],
    ["columns of other lengths", { loss, columns: [x.subarray(1)] }, "rows"],
  ])("is found by the call: %s", (_name, options, message) => {
    expect(() => columnsEvaluator({ space, columns, loss, ...options })).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });
});

describe("a race", () => {
  const texts = Array.from({ length: 64 }, (_, index) => `3 * (x * x) + ${index + 2}`);

  it("evaluates the candidates with the least losses on all rows", async () => {
    const racing = columnsEvaluator({
      ...{ space, columns: [x], loss, measures: [length] },
      racing: { rows: 16, excess: 8 },
    });
    expect(racing.excess).toBe(8);
    const { status } = await racing.evaluate(candidatesOf(texts), evaluation());
    const evaluated = Array.from(status.keys()).filter((index) => status[index] === 0);
    expect(evaluated).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(racing.failures[status[8]! - 1]).toBe("SCREENED");
  });

  it("adapts how many candidates it wants, and goes on from its state", async () => {
    const racing = () =>
      columnsEvaluator({ ...{ space, columns: [x], loss, measures: [length] }, racing: { rows: 10 } });
    const [one, other] = [racing(), racing()];
    const before = one.excess!;
    const full = archive();
    const plain: Scores = await columnsEvaluator({ space, columns: [x], loss, measures: [length] }).evaluate(
      candidatesOf(["3 * (x * x) + 1.25"]),
      evaluation(),
    );
    full.add(candidatesOf(["3 * (x * x) + 1.25"]).genomes, plain, 0);
    const candidates = candidatesOf(texts);
    const first = await one.evaluate(candidates, { ...evaluation(), archive: full });
    // An evaluation whose scores nobody takes is repeated, and must not be another one.
    expect(one.excess).toBe(before);
    const again = await one.evaluate(candidates, { ...evaluation(), archive: full });
    expect(again.status).toEqual(first.status);
    one.learn!({ candidates, scores: again, additions: full.add(candidates.genomes, again, 1) });
    expect(one.excess).toBeLessThan(before);
    other.restore!(one.state!());
    expect(other.excess).toBe(one.excess);
  });

  it.each([
    [{ racing: {}, cases: true }, "expected either `racing` or `cases`"],
    [{ columns: [] }, "expected a column for each of the inputs x, found"],
    [{ columns: [[1, 2]] }, "`columns[0]`: expected a typed array"],
    [{ workers: 0 }, "`workers`: expected a whole number from 1 to 256, found 0"],
    [{ workers: "2" }, "`workers`: expected a number or an object of ColumnWorkers"],
    [{ tuning: [{ method: "lm" }] }, "`tuning[0].iterations`"],
  ])("and evaluators refuse %j", (options, message) => {
    expect(() => columnsEvaluator({ space, columns: [x], loss, ...(options as object) })).toThrow(message);
  });
});
