// Programs that are evaluated in their kernel: what scores they get, and that a replay runs none of them.
import { input, KernelPipeline, output, squaredError, stackSite } from "@mm-ptx/pipeline";
import { table } from "@mm-ptx/stack/default";
import { expect, it } from "vitest";
import { EmulatedDevice } from "../../../emulator/dist/index.js";
import { Candidates, evolve, gridArchive, Search, stackSpace } from "../../src/index.js";
import {
  openRun,
  type PipelineEvaluatorOptions,
  type ProgramPipeline,
  type ProgramResult,
  pipelineEvaluator,
  replayRun,
} from "../../src/node/index.js";
import { openPipeline } from "../../src/node/pipeline-tier.js";
import { hashOf, linesOf, runFor, withFolder } from "../support/recorded.js";

/** Computes `z[i] = func(x[i])` for 40 numbers. */
const KERNEL = `.version 8.0
.target sm_75
.address_size 64
.visible .entry map(.param .u64 xs, .param .u64 zs)
{
	.reg .f32 %f<3>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [xs];
	ld.param.u64 %rd2, [zs];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd1, %rd1, %rd3;
	add.u64 %rd2, %rd2, %rd3;
	ld.global.f32 %f1, [%rd1];
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}
	st.global.f32 [%rd2], %f2;
	ret;
}
`;

const operand = (name: string, direction: "in" | "out", register: string) =>
  ({ name, direction, register, registerType: "f32", type: "F32" }) as const;

const space = stackSpace(table, {
  operands: [operand("z", "out", "_x0"), operand("x", "in", "_x1")],
  instructions: ["add.ftz.f32", "mul.ftz.f32", "sub.ftz.f32"],
  maxLength: 12,
});

const COUNT = 40;
const X = Float32Array.from({ length: COUNT }, (_, i) => i - 7);

/** The options of a pipeline that compares with the square, on the emulator. */
const square = (device: EmulatedDevice) => ({
  kernel: KERNEL,
  sites: { func: stackSite(table) },
  device,
  launch: () => ({ grid: 1, block: COUNT, args: [input(X), output(Float32Array, COUNT)] }),
  read: squaredError(X.map((x) => x * x)),
});

/** A pipeline whose results are made up. */
function pretended(
  results: (index: number) => Omit<ProgramResult, "index">,
): ProgramPipeline & { runs: number } {
  return {
    runs: 0,
    fingerprint: "f".repeat(32),
    async *run(programs) {
      this.runs++;
      let index = 0;
      for (const _ of programs) yield { ...results(index), index: index++ };
    },
    dispose() {},
  };
}

const evaluation = { archive: gridArchive({ axes: [{ name: "a", min: 0, max: 1 }] }), seed: 0, batch: 0 };

function candidates(count: number): Candidates {
  const made = new Candidates();
  for (let index = 0; index < count; index++) {
    made.genomes.reserve(1)[made.genomes.end] = index;
    made.genomes.append(made.genomes.end + 1);
    made.describe(255);
  }
  return made;
}

const scoring = (
  results: (index: number) => Omit<ProgramResult, "index">,
  options: Partial<PipelineEvaluatorOptions> = {},
) => pipelineEvaluator({ pipeline: pretended(results), space, program: ([word]) => word, ...options });

it("evaluates programs in their kernel", async () => {
  using device = EmulatedDevice.open({ memoryBytes: 2 ** 24 });
  using evaluator = await pipelineEvaluator({ pipeline: square(device), space, name: "square" });
  expect(evaluator.description).toMatchObject({
    evaluator: "pipeline",
    pipeline: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const made = new Candidates();
  for (const text of ["mul", "add"]) {
    const words = space.parse(`.registers _x0 _x1\ninput _x1\ninput _x1\n${text}.ftz.f32\n`);
    made.genomes.reserve(words.length).set(words, made.genomes.end);
    made.genomes.append(made.genomes.end + words.length);
    made.describe(255);
  }
  const { status, objective } = await evaluator.evaluate(made, evaluation);
  const error = [...X].reduce((sum, x) => sum + (2 * x - x * x) ** 2, 0);
  expect([...status]).toEqual([0, 0]);
  expect(objective[0]).toBe(-0);
  expect(objective[1]).toBe(-error);
});

it("takes figures, functions and failures from results", async () => {
  const results: Omit<ProgramResult, "index">[] = [
    { status: "ok", score: 2, registers: 20, microseconds: 1.5, outputs: [Float32Array.of(7)] },
    { status: "TRAP" },
    { status: "UNHEARD_OF" },
    { status: "ok", score: "0123456789abcdef", registers: 20, microseconds: 1 },
    { status: "ok", score: 3, registers: 21 },
    { status: "ok", score: Number.NaN, registers: 20, microseconds: 1 },
  ];
  const evaluator = await scoring((index) => results[index]!, {
    measures: [
      "registers",
      { name: "first", of: ({ outputs, score }) => Number(outputs?.[0]?.[0] ?? score) },
    ],
    fields: ["microseconds"],
  });
  expect(evaluator.measures).toEqual(["registers", "first"]);
  const { status, objective, measures, fields } = await evaluator.evaluate(
    candidates(results.length),
    evaluation,
  );
  expect(Array.from(status, (each) => (each === 0 ? "ok" : evaluator.failures[each - 1]))).toEqual([
    ...["ok", "TRAP", "FAILED", "NOT_FINITE", "NOT_FINITE", "NOT_FINITE"],
  ]);
  expect([objective[0], ...measures.subarray(0, 2), fields!.microseconds![0]]).toEqual([-2, 20, 7, 1.5]);
  const least = await scoring((index) => ({ status: "ok", registers: 10 + index }), {
    minimize: "registers",
  });
  expect([...(await least.evaluate(candidates(2), evaluation)).objective]).toEqual([-10, -11]);
  const own = await scoring((index) => ({ status: "ok", registers: 10 + index }), {
    objective: ({ registers }) => registers!,
  });
  expect([...(await own.evaluate(candidates(2), evaluation)).objective]).toEqual([10, 11]);
});

it("runs nothing again in a replay, which has the same scores", async () => {
  const pipeline = pretended(() => ({ status: "ok", microseconds: Math.random(), registers: 16 }));
  const search = async (measured = true) =>
    new Search({
      ...{ space, emitters: [evolve()], seed: 2, batchSize: 8, dedupe: false },
      archive: gridArchive({ axes: [{ name: "registers", min: 0, max: 255 }] }),
      evaluator: await pipelineEvaluator({
        pipeline,
        space,
        minimize: "microseconds",
        measures: ["registers"],
        measured,
      }),
    });
  await withFolder(async (folder) => {
    const recorded = await search();
    using run = await openRun(folder, recorded);
    await runFor(run, 6);
    const { runs } = pipeline;
    expect(runs).toBe(6);
    expect((await replayRun(folder, await search())).hash).toBe(linesOf(folder).at(-1).hash);
    expect(pipeline.runs).toBe(runs);
    expect(hashOf(recorded)).not.toBe("");
  });
});

it("refuses wrong options, and says which package is missing", async () => {
  const refused = (options: Partial<PipelineEvaluatorOptions>, message: string) =>
    expect(scoring(() => ({ status: "ok" }), options)).rejects.toThrow(
      expect.objectContaining({ name: "SearchError", code: "INVALID_ARGUMENT", message }),
    );
  await refused(
    { minimize: "score", objective: () => 1 },
    "expected one of `minimize` and `objective`, found both",
  );
  await refused(
    { minimize: "speed" as never },
    "option `minimize`: expected `score`, `registers`, `spills`, `codeBytes`, `siteBytes`, `microseconds`, found `speed`",
  );
  await refused({ space: undefined as never }, "option `space`: expected an object, found undefined");
  const missing = () =>
    Promise.reject(Object.assign(new Error("no such module"), { code: "ERR_MODULE_NOT_FOUND" }));
  await expect(openPipeline({}, missing)).rejects.toThrow(
    expect.objectContaining({
      code: "MISSING_PACKAGE",
      message:
        "expected the package `@mm-ptx/pipeline`, found none: `npm install @mm-ptx/pipeline` installs it",
    }),
  );
  await expect(openPipeline({}, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(KernelPipeline.name).toBe("KernelPipeline");
});
