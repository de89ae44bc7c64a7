// Tiers: what a gate stops, whose scores count, and constants that a tier changes.
import { describe, expect, it } from "vitest";
import {
  Candidates,
  type Evaluation,
  type Evaluator,
  functionEvaluator,
  type GenomeScore,
  gates,
  gridArchive,
  tiers,
} from "../../src/index.js";

function candidatesOf(...values: readonly number[]): Candidates {
  const candidates = new Candidates();
  for (const value of values) {
    candidates.genomes.reserve(1)[candidates.genomes.end] = value;
    candidates.genomes.append(candidates.genomes.end + 1);
    candidates.describe(0);
  }
  return candidates;
}

const archive = () => gridArchive({ axes: [{ name: "value", min: 0, max: 99 }] });
const evaluation = (): Evaluation => ({ archive: archive(), seed: 0, batch: 0 });
const scoring = (
  name: string,
  score: (value: number) => GenomeScore,
  measures: readonly string[] = [],
): Evaluator =>
  functionEvaluator({ name, measures, failures: ["ODD", "LARGE"], score: ([value]) => score(value!) });

describe("tiers", () => {
  it("show the last evaluator what the first has left", async () => {
    const seen: number[] = [];
    const evaluator = tiers([
      {
        evaluator: scoring(
          "cheap",
          (value) => (value % 2 ? { failure: "ODD" } : { objective: value, measures: [value] }),
          ["value"],
        ),
        gate: gates.best(3),
      },
      {
        evaluator: scoring("dear", (value) => {
          seen.push(value);
          return value > 50 ? { failure: "LARGE" } : { objective: -value };
        }),
      },
    ]);
    const { status, objective, measures } = await evaluator.evaluate(
      candidatesOf(4, 7, 60, 8, 2, 10),
      evaluation(),
    );
    expect(seen).toEqual([60, 8, 10]);
    expect(Array.from(status, (each) => (each === 0 ? "" : evaluator.failures[each - 1]))).toEqual([
      ...["SCREENED", "ODD", "LARGE", "", "SCREENED", ""],
    ]);
    expect([objective[3], objective[5]]).toEqual([-8, -10]);
    expect([measures[3], measures[5]]).toEqual([8, 10]);
  });

  it("let pass what improves the archive", async () => {
    const full = archive();
    const cheap = scoring("cheap", (value) => ({ objective: value, measures: [value] }), ["value"]);
    const before = candidatesOf(5, 6);
    full.add(
      before.genomes,
      { ...(await cheap.evaluate(before, evaluation())), objective: Float64Array.of(1, 9) },
      0,
    );
    const evaluator = tiers([
      { evaluator: cheap, gate: gates.improving() },
      { evaluator: scoring("dear", (value) => ({ objective: 2 * value })) },
    ]);
    const { status } = await evaluator.evaluate(candidatesOf(5, 6, 7), { ...evaluation(), archive: full });
    expect([...status]).toEqual([0, 1 + evaluator.failures.indexOf("SCREENED"), 0]);
  });

  it("keep the words that a tier has changed", async () => {
    const changing: Evaluator = {
      ...{ description: null, measures: [], failures: [] },
      evaluate: ({ genomes, count }) => {
        for (let index = 0; index < count; index++) genomes.words[index]! += 100;
        return {
          status: new Uint8Array(count),
          objective: new Float64Array(count),
          measures: new Float64Array(0),
        };
      },
    };
    const candidates = candidatesOf(1, 2, 3);
    await tiers([
      { evaluator: scoring("cheap", (value) => ({ objective: value })), gate: gates.best(2) },
      { evaluator: changing },
    ]).evaluate(candidates, evaluation());
    expect([...candidates.genomes.words]).toEqual([1, 102, 103]);
  });

  it.each([
    [[], "expected a list of tiers, found"],
    [[{}], "`tiers[0].evaluator`"],
  ])("refuse %j", (list, message) => {
    expect(() => tiers(list as never)).toThrow(message);
  });

  it("refuse a gate that selects what there is not", async () => {
    const cheap = scoring("cheap", (value) => ({ objective: value }));
    const evaluator = tiers([
      { evaluator: cheap, gate: { name: "wrong", select: () => [2, 1] } },
      { evaluator: cheap },
    ]);
    await expect(evaluator.evaluate(candidatesOf(1, 2, 3), evaluation())).rejects.toThrow(
      expect.objectContaining({ code: "EVALUATOR_FAILED" }),
    );
  });

  it.each([-1, 0, 1.5, Number.NaN])("refuse a gate for the best %s", (count) => {
    expect(() => gates.best(count)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
