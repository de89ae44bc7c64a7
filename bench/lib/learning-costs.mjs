// Registers, machine instructions and stalls of random programs, as the compiler reports them, and how well models predict them from features.

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
import { F32_OPERATIONS } from "./program-targets.mjs";

const KERNEL = fileURLToPath(new URL("../../examples/05-three-ways/kernel.ptx", import.meta.url));
const LEARNED = 500;
const TESTED = 400;
const COUNT = LEARNED + TESTED;
const COLUMNS = CODE_FEATURES.length;
/** The operation of NOP, in the low bits of an instruction; code is padded with these. */
const NOP = 0x918;
const OPERATION_BITS = 0xfff;
const INSTRUCTION_BYTES = 16;
/** The word of an instruction with the cycles that the next one waits, and where they are. */
const CONTROL = 12;
const STALL_SHIFT = 9;
const STALL_BITS = 0xf;

/** Features of programs, and the costs that the compiler reports. @param {string} arch */
export async function compiledCosts(arch) {
  const kernel = parsePtx(readFileSync(KERNEL, "utf8"));
  const { operands } = kernel.injection("func");
  const job = siteJob(table, operands);
  const compiler = new StackCompiler(table);
  const inputs = operands.flatMap(({ direction }, index) => (direction === "out" ? [] : [index]));
  const sampler = new ProgramSampler(table, {
    ...{ registers: job.registers, inputs, stacks: { F32: 1 }, length: { min: 16, max: 64 } },
    instructions: ({ name }) => Number(F32_OPERATIONS.includes(name)),
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
    const counts = kernels.map(({ code }) => countInstructions(code));
    const instructions = Float32Array.from(counts, ({ instructions }) => instructions);
    const stalls = Float32Array.from(counts, ({ stalls }) => stalls);
    return { arch, features, costs: { registers, instructions, stalls }, milliseconds };
  } finally {
    backend.dispose();
  }
}

/** The machine instructions of a kernel, and the sum of the cycles that they stall at least. */
function countInstructions(code) {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  let [instructions, stalls] = [0, 0];
  for (let at = 0; at < code.length; at += INSTRUCTION_BYTES) {
    if ((view.getUint32(at, true) & OPERATION_BITS) === NOP) continue;
    instructions++;
    stalls += (view.getUint32(at + CONTROL, true) >>> STALL_SHIFT) & STALL_BITS;
  }
  return { instructions, stalls };
}

const BUDGETS = { registers: 0.9, instructions: 0.95, stalls: 0.94 };

/** Rank correlations of predicted costs, after 500 programs. Registers are whole numbers, so predictions are rounded to these. */
export function costRows({ arch, features, costs, milliseconds }) {
  const tested = features.subarray(LEARNED * COLUMNS);
  const rows = Object.entries(costs).flatMap(([name, labels]) => {
    const table = new Table({ columns: COLUMNS, capacity: LEARNED });
    table.addAll(features.subarray(0, LEARNED * COLUMNS), labels.subarray(0, LEARNED));
    const truths = labels.subarray(LEARNED);
    const rho = (scores) => rank(name === "registers" ? scores.map(Math.round) : scores, truths);
    const rhoOf = (model) => {
      const scores = new Float32Array(TESTED);
      model.predictInto(tested, scores);
      return rho(scores);
    };
    const [oblivious, general] = ["oblivious", "general"].map((form) => {
      // What a compiler says has no noise.
      const trees = new Trees(table, { form, sample: "all" });
      trees.fit();
      return rhoOf(trees);
    });
    const linear = new Linear({ columns: COLUMNS });
    linear.fit(table);
    const alone = Float32Array.from(truths, (_, row) => tested[row * COLUMNS]);
    const budget = BUDGETS[name];
    return [
      { model: "trees", ours: oblivious, budget, pass: Math.max(oblivious, general) >= budget },
      { model: "general trees", ours: general },
      { model: "linear", ours: rhoOf(linear) },
      { model: "neighbours", ours: rhoOf(new Neighbours(table)) },
      { model: "live instructions alone", ours: rank(alone, truths) },
    ].map(({ model, ...row }) => ({
      name: `costs on ${arch}: rank correlation of ${name} after ${LEARNED} programs, ${model}`,
      ...row,
    }));
  });
  return [
    ...rows,
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
