import { describe, expect, it, test } from "vitest";
import { activationSearch, bestElites } from "../../../src/node/demos/activation/evolution.js";
import { ProgramJudge } from "../../../src/node/demos/activation/judged.js";
import { ACTIVATION_TARGETS, erf } from "../../../src/node/demos/activation/targets.js";
import { findMachineCode } from "../../../src/node/demos/machine-code.js";
import { activationDemo, DEMOS, runDemo } from "../../../src/node/index.js";

const POINTS = 2001;
const [GELU] = ACTIVATION_TARGETS;
const MOST = { instructions: 10, special: 3 };

test("erf", () => {
  // Abramowitz and Stegun, table 7.1.
  expect(erf(0.5)).toBeCloseTo(0.5204998778, 10);
  expect(erf(-2)).toBeCloseTo(-0.995322265, 10);
  expect(erf(2.999999)).toBeCloseTo(erf(3.000001), 8);
  expect(erf(5)).toBeCloseTo(1, 11);
});

describe("known programs", () => {
  it.each(ACTIVATION_TARGETS)("of $name have the errors that others state", async (target) => {
    const { space } = activationSearch(target, 1, 1);
    const judge = new ProgramJudge(target, space, undefined, POINTS);
    const known = await judge.all(target.known.map(({ formula }) => space.parse(formula)));
    const errors = {
      gelu: [4.73e-4, 4.73e-4, 2.03e-2],
      erf: [3.58e-4, 3.534e-2],
      silu: [0],
      softplus: [0],
      tanh: [0],
    }[target.name]!;
    expect(known).toHaveLength(errors.length);
    for (const [index, { error, permitted }] of known.entries()) {
      expect(error).toBeGreaterThanOrEqual(0.99 * errors[index]!);
      expect(error).toBeLessThan(1.01 * errors[index]! + 1e-6);
      expect(permitted).toBeGreaterThan(0.99 * error);
    }
  });

  it("of GELU have as many instructions as in machine code", async () => {
    const { space } = activationSearch(GELU!, 1, 1);
    const machine = await findMachineCode();
    const judge = (code: typeof machine | undefined) =>
      new ProgramJudge(GELU!, space, code && "count" in code ? code : undefined, 101);
    const genomes = GELU!.known.map(({ formula }) => space.parse(formula));
    const costs = (programs: readonly { instructions: number; special: number }[]) =>
      programs.map(({ instructions, special }) => [instructions, special]);
    const expected = [
      [5, 1],
      [4, 1],
      [2, 1],
    ];
    expect(costs(await judge(undefined).all(genomes))).toEqual(expected);
    expect(costs(await judge(machine).all(genomes))).toEqual(expected);
  });
});

test("fitted constants make the largest error least", async () => {
  const { space } = activationSearch(GELU!, 1, 1);
  const judge = new ProgramJudge(GELU!, space, undefined, POINTS);
  const [found] = await judge.best([space.parse("tanh(x * (0.03 * fma(x, x, 20)))")], MOST);
  expect(found).toMatchObject({ instructions: 4, special: 1 });
  expect(found!.error).toBeLessThan(2.72e-4);
  expect(found!.error).toBeGreaterThan(2.7e-4);
});

test("a search finds programs, the same with any number of threads", async () => {
  const hashes: string[] = [];
  for (const workers of [1, 2]) {
    const parts = activationSearch(GELU!, 3, workers);
    for await (const _ of parts.search.run({ batches: 2 }));
    hashes.push(parts.archive.hash().join(" "));
    if (workers > 1) continue;
    const judge = new ProgramJudge(GELU!, parts.space, undefined, 1001);
    const cells = await judge.best(bestElites(parts, 2), MOST);
    expect(cells.length).toBeGreaterThan(5);
    expect(new Set(cells.map(({ instructions, special }) => `${instructions} ${special}`)).size).toBe(
      cells.length,
    );
  }
  expect(hashes[1]).toBe(hashes[0]);
});

test("options and names", async () => {
  expect(DEMOS).toEqual(expect.arrayContaining(["gelu", "erf", "silu", "softplus", "tanh"]));
  await expect(runDemo("relu")).rejects.toThrow(`expected one of the demos ${DEMOS.join(", ")}, found relu`);
  await expect(runDemo("gelu", { seconds: -1 })).rejects.toThrow("`seconds`");
  await expect(activationDemo({ target: "relu" })).rejects.toThrow("as `target`, found");
});

test("the demo prints what it found, also when it is ended early", async () => {
  const lines: string[] = [];
  const stop = new AbortController();
  await runDemo("gelu", {
    seconds: 600,
    workers: 1,
    points: 1001,
    print: (line) => lines.push(line),
    progress: () => stop.abort(),
    signal: stop.signal,
  });
  const text = lines.join("\n");
  expect(text).toContain("GELU: the kernel computes 0.5 x (1 + y), evolution writes y = erf(x / √2)");
  expect(text).toContain("PyTorch's tanh form");
  expect(text).toMatch(/the chosen one: y = /);
});
