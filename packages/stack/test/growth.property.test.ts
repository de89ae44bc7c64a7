// Memory that grows wherever it can: a compiler whose arrays start as small as possible, again with each
// compile, returns the same for every program as one with room. This reveals arrays that are still referred
// to after another one grew.
import { readFileSync } from "node:fs";
import { parseStackDescription } from "@mm-ptx/types";
import { CodeBuffer } from "@mm-ptx/types/code";
import { beforeAll, expect, it, vi } from "vitest";
import { rare, SOAK } from "../../../tests/support/counts.js";
import * as roomy from "../src/index.js";
import type { ROOM } from "../src/room.js";
import { withOperations } from "./support/code-table.js";
import { runDifferential } from "./support/differential.js";
import { Random, runSeed } from "./support/random.js";
import { type Job, randomJob, randomSetup, type Setup } from "./support/random-case.js";

type Room = { [Name in keyof typeof ROOM]: (typeof ROOM)[Name] };

let tight: typeof roomy;

beforeAll(async () => {
  vi.resetModules();
  const { ROOM } = await import("../src/room.js");
  Object.assign(ROOM, NONE);
  tight = await import("../src/index.js");
});

/** No room, growth by only as much as is needed, and nothing kept. */
const NONE: Room = {
  growth: 1,
  entries: 0,
  stride: 0,
  frames: 0,
  signature: 0,
  nodes: 0,
  walk: 0,
  text: 0,
  parts: { inputStacks: 0, stacks: 0, words: 0, visit: 0, order: 0, nodes: 0, bytes: 0 },
  keptBytes: 0,
};

/** Everything that compilers of either kind return for each job, twice. */
function tell(
  { StackCompiler, StackProgram, StackPtxError }: typeof roomy,
  { table, routines, limits }: Setup,
  jobs: readonly Job[],
): string[] {
  return [true, false].flatMap((webAssembly) => {
    const compiler = new StackCompiler(table, {
      webAssembly,
      routines: routines.map((words) => StackProgram.fromWords(Uint32Array.from(words))),
      ...(limits && { limits }),
    });
    return [...jobs, ...jobs].map(({ program, registers, requests, executionLimit }) => {
      const words = StackProgram.fromWords(Uint32Array.from(program));
      const job = { registers, requests, executionLimit: Math.min(executionLimit ?? 2 ** 24, 500) };
      const codeOf = (): number[] => {
        const out = new CodeBuffer();
        compiler.compileToCode(words, job, out);
        return [...out.words, ...compiler.constantPlaces(words, job)];
      };
      const methods = (["signature", "compile", "analyze", "trace"] as const).map(
        (method) => () => compiler[method](words, job),
      );
      const outcomes = [...methods, codeOf].map((run) => {
        try {
          return run();
        } catch (error) {
          if (!(error instanceof StackPtxError)) throw error;
          return error.message;
        }
      });
      return JSON.stringify(outcomes);
    });
  });
}

it("returns the same with minimal room, for random programs", { timeout: 900_000 }, () => {
  const seed = runSeed();
  const random = new Random(seed);
  for (let index = 0; index < rare(2_000); index++) {
    const drawn = randomSetup(random);
    const setup = random.once(2) ? drawn : { ...drawn, table: withOperations(random, drawn.table) };
    const jobs = Array.from({ length: 3 }, () => randomJob(random, setup, undefined));
    const where = `seed ${seed}, case ${index} (repeat with MM_PTX_SEED=${seed})`;
    expect(tell(tight, setup, jobs), where).toEqual(tell(roomy, setup, jobs));
  }
});

it("agrees with the plain reference with minimal room", { timeout: 900_000 }, () => {
  const { texts } = runDifferential(tight, runSeed(), rare(10_000));
  expect(texts).toBeGreaterThan(rare(10_000) / (SOAK ? 2 : 5));
});

it("agrees with every conformance vector with minimal room", () => {
  const url = new URL("vectors/stack.json", import.meta.url);
  const { description, cases: vectors } = JSON.parse(readFileSync(url, "utf8")) as {
    description: unknown;
    cases: { registers: [string, number][]; program: number[]; requests: number[] }[];
  };
  const table = parseStackDescription(description);
  // Each vector compiles often, so a run without soak takes a sixteenth of them, another one each time.
  const part = new Random(runSeed()).below(16);
  const some = vectors.filter((_, index) => SOAK || index % 16 === part);
  const jobs = some.map(({ registers, program, requests }) => ({
    program,
    registers: registers.map(([name, stackIndex]) => ({ name, stackIndex })),
    requests,
    executionLimit: undefined,
  }));
  const setup: Setup = { table, routines: [], limits: undefined };
  expect(tell(tight, setup, jobs)).toEqual(tell(roomy, setup, jobs));
});
