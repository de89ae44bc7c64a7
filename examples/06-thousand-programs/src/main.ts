// A thousand random programs in a kernel that repeats each of them: which one computes square roots? The emulator runs all of them, and
// the best become machine code.

import { readFileSync } from "node:fs";
import { PtxCompiler } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import {
  input,
  KernelPipeline,
  maximumError,
  output,
  type PipelineResult,
  stackSite,
} from "@mm-ptx/pipeline";
import { StackCompiler, siteJob } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { ProgramSampler, Random } from "@mm-ptx/stack/random";
import { u32 } from "@mm-ptx/types/device";

const PROGRAMS = 1000;
const STEPS = 8;
const SHOWN = 4;
const values = Float32Array.from({ length: 100 }, (_, i) => 0.5 + i / 100);

const kernel = parsePtx(readFileSync(new URL("../kernel.ptx", import.meta.url), "utf8"));
const job = siteJob(table, kernel.injection("step").operands);
const sampler = new ProgramSampler(table, {
  registers: job.registers,
  length: { min: 5, max: 12 },
  stacks: { F32: 1 },
  kinds: { ptx: 5, input: 5, meta: 0, metaConstant: 0, store: 0, load: 0 },
  instructions: ({ name }) => Number(["add.rn.f32", "mul.rn.f32", "div.rn.f32"].includes(name)),
  constants: { f32: () => 0.5 },
});
const random = new Random(12);
const programs = Array.from({ length: PROGRAMS }, () => sampler.program(random));

using device = EmulatedDevice.open();
using finalCompiler = new PtxCompiler({ arch: "sm_90" });
using pipeline = new KernelPipeline({
  kernel,
  sites: { step: stackSite(table) },
  device,
  launch: () => ({
    grid: 1,
    block: 128,
    args: [input(values), output(Float32Array, values.length), u32(values.length), u32(STEPS)],
  }),
  read: maximumError(values.map(Math.sqrt)),
  finalCompiler,
  finalists: ({ score }) => Number(score) < 1e-3,
});

const results: PipelineResult[] = [];
for await (const result of pipeline.run(programs)) results.push(result);

const { taken, duplicates, failed } = pipeline.stats;
console.log(`${taken} programs: ${taken - duplicates} are different, ${failed} failed`);
// An error that is not a number comes last.
const error = ({ score }: PipelineResult): number => (Number.isNaN(score) ? Infinity : Number(score));
const best = results
  .filter(({ from }) => from.kind === "run")
  .sort((a, b) => error(a) - error(b) || a.index - b.index);
console.log("program  largest error  registers  bytes");
for (const result of best.slice(0, SHOWN)) {
  const { index, registers = "-", codeBytes = "-" } = result;
  const columns = [
    [index, 7],
    [error(result).toExponential(1), 13],
    [registers, 9],
    [codeBytes, 5],
  ] as const;
  console.log(columns.map(([value, width]) => String(value).padStart(width)).join("  "));
}
console.log(new StackCompiler(table).compile(programs[best[0]!.index]!, job));
