// The problems of the benchmark of shrinking: their programs have the outputs that are stated, and short ones are found.
import { readFileSync } from "node:fs";
import { evaluateBatch } from "@mm-ptx/columns";
import { describe, expect, it } from "vitest";
import { shrink } from "../../src/index.js";
import { codeOfLines } from "../support/programs.js";

interface Problem {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly length: number;
  readonly reference: readonly string[];
  readonly start: readonly string[];
  readonly points: readonly (readonly [inputs: readonly number[], output: number])[];
  readonly instructions?: readonly string[];
  readonly constants?: readonly number[];
}

const { problems, core } = JSON.parse(
  readFileSync(new URL("../../../../bench/search/hackers-delight.json", import.meta.url), "utf8"),
) as { readonly problems: readonly Problem[]; readonly core: readonly string[] };

async function outputsAt({ inputs, points }: Problem, code: Parameters<typeof evaluateBatch>[0]) {
  const columns = inputs.map((_, input) => Uint32Array.from(points, ([values]) => values[input]!));
  const { outputs } = await evaluateBatch(code, [...columns, new Uint32Array(points.length)], {
    outputs: true,
  });
  return Array.from(outputs!.column(0) as Uint32Array, (value) => value >>> 0);
}

describe.each(problems.map((problem) => [problem.name, problem] as const))("%s", (_, problem) => {
  it("has programs with the stated outputs, the reference of the stated length", async () => {
    const expected = problem.points.map(([, output]) => output);
    for (const lines of [problem.reference, problem.start]) {
      expect(await outputsAt(problem, codeOfLines(problem.inputs, lines))).toEqual(expected);
    }
    expect(problem.reference.length).toBe(problem.length);
    expect(problem.start.length).toBeGreaterThan(problem.length);
  });
});

it.each(["p02", "p06", "p11", "p18"])("%s is shrunk to the known length", async (name) => {
  const problem = problems.find((each) => each.name === name)!;
  const { inputs, start, instructions = [], constants = [1] } = problem;
  const found = await shrink(codeOfLines(inputs, start), {
    ...{ instructions: [...core, ...instructions], constants, steps: 50, rows: 4096, exhaustive: false },
  });
  expect(found.length).toBeLessThanOrEqual(problem.length);
  expect(await outputsAt(problem, found.code)).toEqual(problem.points.map(([, output]) => output));
});
