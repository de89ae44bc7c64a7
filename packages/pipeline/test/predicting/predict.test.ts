// Costs that are predicted before programs are compiled: what results, the store and the counts say, and what is refused. The compiler is
// a stand-in whose figures follow from the text of a kernel, so that no machine code is needed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { constantF32, StackProgram } from "@mm-ptx/stack";
import { ptx, input as pushInput, table } from "@mm-ptx/stack/default";
import { describe, expect, it } from "vitest";
import {
  KernelPipeline,
  type KernelPipelineOptions,
  type PipelineResult,
  type PredictOptions,
  reportSvg,
  type SiteRecord,
  stackSite,
  textSite,
} from "../../src/index.js";
import { collect, KERNEL, TWO_SITES } from "../support/kernel.js";
import { withFolderLater } from "../support/results.js";

/** Compiles nothing: each addition of a program takes a register and 16 bytes. */
const counting = () => {
  const compiler = {
    compiled: 0,
    options: { arch: "sm_75", effort: "draft" },
    async *stream(jobs: AsyncIterable<unknown>) {
      let index = 0;
      for await (const job of jobs) {
        const text = textOf(job);
        const adds = text.match(/add\.ftz\.f32/g)?.length ?? 0;
        compiler.compiled++;
        yield {
          ...{ ok: true, index: index++, cubin: new Uint8Array(1), milliseconds: 0 },
          info: { kernels: [{ name: "scale", registers: 8 + adds, spills: 0, codeBytes: 256 + 16 * adds }] },
        } as never;
      }
    },
  };
  return compiler;
};

/** The stubs of a filled kernel. */
const textOf = (job: unknown): string =>
  Object.values((job as { stubs: Record<string, string> }).stubs).join();

const F32 = table.stackTypes.findIndex(({ name }) => name === "F32");

/** Programs with 1 to 40 additions, in an order that looks random, each different from the others. */
const programs = (from: number, count: number): StackProgram[] =>
  Array.from({ length: count }, (_, index) => {
    const adds = ((from + index) * 7919) % 40;
    return StackProgram.of(
      pushInput(1),
      ...[constantF32(F32, from + index), ptx.addFtzF32],
      ...Array.from({ length: adds }, () => [pushInput(1), ptx.addFtzF32]).flat(),
    );
  });

const PREDICT: PredictOptions = { figures: ["registers", "codeBytes"] };

async function run(
  options: Partial<KernelPipelineOptions<SiteRecord>>,
  given: readonly StackProgram[],
): Promise<{ results: PipelineResult[]; stats: KernelPipeline["stats"]; compiled: number }> {
  const compiler = counting();
  using pipeline = new KernelPipeline<SiteRecord>({
    ...{ kernel: KERNEL, sites: { func: stackSite(table) }, compiler, pack: "none", predict: PREDICT },
    ...options,
  });
  const results = await collect(pipeline.run(given, { ordered: true }));
  return { results, stats: pipeline.stats, compiled: compiler.compiled };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("a pipeline that predicts", () => {
  it("says `null` until it has learned enough, and then what comes", async () => {
    const { results, stats } = await run({}, programs(0, 1500));
    expect(stats).toMatchObject({ done: 1500, failed: 0, screened: 0, explored: 0 });
    expect(results[0]).toMatchObject({ predictedRegisters: null, predictedCodeBytes: null });
    const last = results.slice(-100);
    const error = mean(
      last.map(({ registers, predictedRegisters }) => Math.abs(registers! - predictedRegisters!)),
    );
    expect(error).toBeLessThan(1.5);
    expect(last[0]).not.toHaveProperty("predictedSpills");
  });

  it("predicts nothing that it was not asked for", async () => {
    const compiler = counting();
    using pipeline = new KernelPipeline({
      kernel: KERNEL,
      sites: { func: stackSite(table) },
      compiler,
      pack: "none",
    });
    const [result] = await collect(pipeline.run(programs(0, 1)));
    expect(Object.keys(result!).filter((name) => name.startsWith("predicted"))).toEqual([]);
  });

  it("screens programs above a limit, says so, and compiles some of them all the same", async () => {
    const predict: PredictOptions = { ...PREDICT, limits: { registers: 30 }, explore: 0.1 };
    const { results, stats, compiled } = await run({ predict }, programs(0, 4000));
    const screened = results.filter(({ status }) => status === "SCREENED");
    expect(screened.length).toBeGreaterThan(300);
    expect(stats).toMatchObject({
      taken: 4000,
      done: 4000 - screened.length,
      failed: 0,
      screened: screened.length,
    });
    expect(compiled).toBe(4000 - screened.length);
    for (const { error, registers, predictedRegisters } of screened) {
      expect(error!.message).toMatch(
        /^expected at most 30 as `registers`, found a prediction of [\d.]+, .* of 0\.9[5-9]\d$/,
      );
      expect(registers).toBeUndefined();
      expect(predictedRegisters).toBeGreaterThan(25);
    }
    // A tenth of those above the limit, give or take.
    const share = stats.explored / (stats.explored + stats.screened);
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.16);
    expect(stats.misjudged).toBeLessThan(0.15 * stats.explored + 3);
    // All of them are truly above, but for a few.
    const within = screened.filter(({ index }) => 8 + 1 + ((index * 7919) % 40) <= 30);
    expect(within.length).toBeLessThan(0.06 * screened.length);
    const picture = reportSvg({ plan: { kind: "single", size: 1, settled: true, curve: [] }, stats });
    expect(picture).toContain("screened");
  });

  it("screens nothing without confidence", async () => {
    // What registers are cannot be seen in the features.
    const noise = counting();
    let state = 1;
    const random = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    const { stream } = noise;
    noise.stream = async function* (jobs) {
      for await (const result of stream(jobs)) {
        (result as { info: { kernels: { registers: number }[] } }).info.kernels[0]!.registers =
          random() < 0.5 ? 16 : 64;
        yield result;
      }
    };
    const predict: PredictOptions = { figures: ["registers"], limits: { registers: 40 } };
    const { stats } = await run({ predict, compiler: noise }, programs(0, 1500));
    expect(stats.screened + stats.explored).toBe(0);
  });

  it("keeps predictions in the store, nothing of screened programs, and learns from the store", async () => {
    await withFolderLater(async (store) => {
      const predict: PredictOptions = { ...PREDICT, limits: { registers: 30 } };
      const first = await run({ predict, store }, programs(0, 2500));
      const lines = readFileSync(join(store, "results.jsonl"), "utf8").split("\n").slice(0, -1);
      expect(lines.length).toBe(first.stats.done);
      expect(
        lines.filter((line) => line.includes('"predictedRegisters":null')).length,
      ).toBeGreaterThanOrEqual(100);
      expect(lines.every((line) => line.includes('"predictedCodeBytes":'))).toBe(true);
      expect(lines.some((line) => line.includes("SCREENED"))).toBe(false);
      const again = await run({ predict, store }, programs(0, 2500));
      expect(again.stats.stored).toBe(first.stats.done);
      const known = new Map(first.results.map((result) => [result.index, result]));
      for (const { from, index, status, predictedRegisters, registers } of again.results) {
        if (from.kind !== "store") continue;
        const before = known.get(index)!;
        expect({ status, predictedRegisters, registers }).toEqual({
          ...{
            status: before.status,
            predictedRegisters: before.predictedRegisters,
            registers: before.registers,
          },
        });
      }
      // The models have learned from the store, so the first new program is predicted.
      const third = await run({ predict, store }, [...programs(0, 2500), ...programs(2500, 10)]);
      expect(third.results.slice(-10).every(({ predictedRegisters }) => predictedRegisters !== null)).toBe(
        true,
      );
    });
  });
});

describe("a pipeline that predicts refuses", () => {
  const make =
    (predict: unknown, options: object = {}) =>
    () => {
      new KernelPipeline<SiteRecord>({
        ...{ kernel: KERNEL, sites: { func: stackSite(table) }, compiler: counting() },
        ...options,
        predict: predict as PredictOptions,
      }).dispose();
    };
  it.each<[string, unknown, object, RegExp]>([
    ["no figures", {}, {}, /figures/],
    [
      "unknown figures",
      { figures: ["register"] },
      {},
      /option `predict.figures`: expected a list of `registers`/,
    ],
    ["the same figure twice", { figures: ["spills", "spills"] }, {}, /each once/],
    [
      "unknown limits",
      { ...PREDICT, limits: { register: 3 } },
      {},
      /unknown option `register` of `predict.limits`, did you mean `registers`/,
    ],
    ["limits of what is not predicted", { ...PREDICT, limits: { spills: 0 } }, {}, /to contain `spills`/],
    ["a confidence below a half", { ...PREDICT, confidence: 0.4 }, {}, /predict.confidence/],
    ["to explore nothing", { ...PREDICT, explore: 0 }, {}, /predict.explore/],
    ["more rows than it keeps", { ...PREDICT, least: 100, window: 64 }, {}, /`predict.least` of at most 64/],
    ["text", PREDICT, { sites: { func: textSite() } }, /found text at site `func`/],
    [
      "all combinations",
      PREDICT,
      { kernel: TWO_SITES, sites: { inner: stackSite(table), outer: stackSite(table) }, combine: "cross" },
      /found `cross`/,
    ],
  ])("%s", (_, predict, options, message) => {
    expect(make(predict, options)).toThrow(
      expect.objectContaining({
        name: "PipelineError",
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(message),
      }),
    );
  });
});
