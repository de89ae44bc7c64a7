// Registers and machine instructions of random programs, as the compiler reports them, and how well models predict them from features.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspectCubin } from "@mm-ptx/cuda";
import { parsePtx } from "@mm-ptx/inject";
import { Linear, Neighbours, Table, Trees, Watch } from "@mm-ptx/learn";
import { StackCompiler, siteJob } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { ProgramSampler, Random } from "@mm-ptx/stack/random";
import { CODE_FEATURES } from "@mm-ptx/types/code";
import { uncached } from "./compiling.mjs";

const KERNEL = fileURLToPath(new URL("../../examples/05-three-ways/kernel.ptx", import.meta.url));
const LEARNED = 500;
const TESTED = 400;
const COUNT = LEARNED + TESTED;
const COLUMNS = CODE_FEATURES.length;
const OPERATIONS = new Set(
  (
    "add.f32 sub.f32 mul.f32 fma.rn.f32 min.f32 max.f32 div.approx.f32 sqrt.approx.f32 rcp.approx.f32 sin.approx.f32 " +
    "cos.approx.f32 ex2.approx.f32 lg2.approx.f32 neg.f32 abs.f32"
  ).split(" "),
);
/** The operation of NOP, in the low bits of an instruction; code is padded with these. */
const NOP = 0x918;
const OPERATION_BITS = 0xfff;
const INSTRUCTION_BYTES = 16;

/** Features of programs, and the costs that the compiler reports. @param {string} arch */
export async function compiledCosts(arch) {
  const kernel = parsePtx(readFileSync(KERNEL, "utf8"));
  const { operands } = kernel.injection("func");
  const job = siteJob(table, operands);
  const compiler = new StackCompiler(table);
  const inputs = operands.flatMap(({ direction }, index) => (direction === "out" ? [] : [index]));
  const sampler = new ProgramSampler(table, {
    ...{ registers: job.registers, inputs, stacks: { F32: 1 }, length: { min: 16, max: 64 } },
    instructions: ({ name }) => Number(OPERATIONS.has(name)),
  });
  const random = new Random(3);
  const programs = Array.from({ length: COUNT }, () => sampler.program(random));
  const features = new Float32Array(COUNT * COLUMNS);
  programs.forEach((program, index) => {
    compiler.describeInto(program, job, features.subarray(index * COLUMNS, (index + 1) * COLUMNS));
  });
  const backend = uncached({ arch });
  try {
    const start = performance.now();
    const results = await backend.compileAll(
      programs.map((program) => kernel.fill({ func: compiler.compile(program, job) })),
    );
    const milliseconds = (performance.now() - start) / COUNT;
    const kernels = results.map((result) => {
      if (!result.ok) throw result.error;
      return inspectCubin(result.cubin).kernels[0];
    });
    const registers = Float32Array.from(kernels, ({ registers }) => registers);
    const instructions = Float32Array.from(kernels, ({ code }) => instructionsOf(code));
    return { arch, features, registers, instructions, milliseconds };
  } finally {
    backend.dispose();
  }
}

function instructionsOf(code) {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  let count = 0;
  for (let at = 0; at < code.length; at += INSTRUCTION_BYTES) {
    if ((view.getUint32(at, true) & OPERATION_BITS) !== NOP) count++;
  }
  return count;
}

/** Rank correlations of predicted costs, after 500 programs. */
export function costRows({ arch, features, registers, instructions, milliseconds }) {
  const budgets = { registers: 0.9, instructions: 0.95 };
  const costs = Object.entries({ registers, instructions }).flatMap(([name, labels]) => {
    const rows = new Table({ columns: COLUMNS, capacity: LEARNED });
    rows.addAll(features.subarray(0, LEARNED * COLUMNS), labels.subarray(0, LEARNED));
    const trees = new Trees(rows);
    trees.fit();
    const linear = new Linear({ columns: COLUMNS });
    linear.fit(rows);
    const models = { trees, linear, neighbours: new Neighbours(rows) };
    const tested = features.subarray(LEARNED * COLUMNS);
    const truths = labels.subarray(LEARNED);
    const alone = Float32Array.from(truths, (_, row) => tested[row * COLUMNS]);
    return [
      ...Object.entries(models).map(([model, learner]) => {
        const scores = new Float32Array(TESTED);
        learner.predictInto(tested, scores);
        return { model, rho: rank(scores, truths), budget: model === "trees" ? budgets[name] : undefined };
      }),
      { model: "live instructions alone", rho: rank(alone, truths), budget: undefined },
    ].map(({ model, rho, budget }) => ({
      name: `costs on ${arch}: rank correlation of ${name} after ${LEARNED} programs, ${model}`,
      ours: rho,
      ...(budget !== undefined && { budget, pass: rho >= budget }),
    }));
  });
  return [
    ...costs,
    { name: `costs on ${arch}: what asking the compiler takes`, ours: milliseconds, unit: "ms" },
  ];
}

function rank(scores, truths) {
  const watch = new Watch({ window: TESTED });
  scores.forEach((score, row) => {
    watch.add(score, truths[row]);
  });
  return watch.report().rho;
}
