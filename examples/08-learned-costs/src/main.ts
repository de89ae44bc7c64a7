// A model learns from the compiler how many registers and machine instructions programs need. It predicts each program before the compiler
// says what is true, and in the end it finds expensive programs among thousands that nobody has compiled.

import { readFileSync } from "node:fs";
import { inspectCubin, PtxCompiler } from "@mm-ptx/cuda";
import { parsePtx } from "@mm-ptx/inject";
import { Table, Trees, Watch } from "@mm-ptx/learn";
import { StackCompiler, type StackProgram, siteJob } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { ProgramSampler, Random } from "@mm-ptx/stack/random";
import { CODE_FEATURES } from "@mm-ptx/types/code";

const ROUNDS = 5;
const PROGRAMS = 60;
const CANDIDATES = 5000;
const CHOSEN = 20;
const INSTRUCTION_BYTES = 16;
const OPERATIONS = [
  "add",
  "sub",
  "mul",
  "min",
  "max",
  "sin.approx",
  "cos.approx",
  "ex2.approx",
  "rcp.approx",
  "sqrt.approx",
];

const kernel = parsePtx(readFileSync(new URL("../kernel.ptx", import.meta.url), "utf8"));
const job = siteJob(table, kernel.injection("func").operands);
const stubs = new StackCompiler(table);
const sampler = new ProgramSampler(table, {
  ...{ registers: job.registers, inputs: [1, 2], stacks: { F32: 1 }, length: { min: 16, max: 64 } },
  instructions: ({ name }) => Number(OPERATIONS.some((operation) => name === `${operation}.f32`)),
});
const random = new Random(8);
const draw = (count: number): StackProgram[] => Array.from({ length: count }, () => sampler.program(random));

/** The features of programs, as consecutive rows. */
function described(programs: readonly StackProgram[]): Float32Array {
  const width = CODE_FEATURES.length;
  const rows = new Float32Array(programs.length * width);
  programs.forEach((program, index) => {
    stubs.describeInto(program, job, rows.subarray(index * width, (index + 1) * width));
  });
  return rows;
}

using compiler = new PtxCompiler({ arch: "sm_90" });

/** What the compiler says: registers and machine instructions. */
async function compiled(programs: readonly StackProgram[]): Promise<Float32Array[]> {
  const results = await compiler.compileAll(
    programs.map((program) => kernel.fill({ func: stubs.compile(program, job) })),
  );
  const kernels = results.map((result) => {
    if (!result.ok) throw result.error;
    return inspectCubin(result.cubin).kernels[0]!;
  });
  const instructions = kernels.map(({ code }) => code.length / INSTRUCTION_BYTES);
  return [Float32Array.from(kernels, ({ registers }) => registers), Float32Array.from(instructions)];
}

const models = ["registers", "instructions"].map((name) => {
  const rows = new Table({ columns: CODE_FEATURES.length, capacity: 2000 });
  // What a compiler says has no noise.
  return { name, rows, trees: new Trees(rows, { sample: "all" }) };
});
console.log("compiled  rank correlation of predictions: registers  instructions");
for (let round = 0; round < ROUNDS; round++) {
  const programs = draw(PROGRAMS);
  const rows = described(programs);
  const costs = await compiled(programs);
  const found = models.map(({ trees }, index) => {
    if (!trees.fitted) return "-";
    const scores = new Float32Array(PROGRAMS);
    trees.predictInto(rows, scores);
    const watch = new Watch();
    scores.forEach((score, program) => {
      watch.add(score, costs[index]![program]!);
    });
    return watch.report().rho.toFixed(2);
  });
  models.forEach(({ rows: known, trees }, index) => {
    known.addAll(rows, costs[index]!);
    trees.fit();
  });
  console.log(
    `${String(round * PROGRAMS).padStart(8)}  ${found[0]!.padStart(43)}  ${found[1]!.padStart(12)}`,
  );
}

const candidates = draw(CANDIDATES);
const scores = new Float32Array(CANDIDATES);
models[1]!.trees.predictInto(described(candidates), scores);
const byScore = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
const mean = (values: Float32Array): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);
const largest = await compiled(byScore.slice(0, CHOSEN).map((index) => candidates[index]!));
const others = await compiled(candidates.slice(0, CHOSEN));
console.log(
  `of ${CANDIDATES} other programs, the ${CHOSEN} with the highest predictions have ${mean(largest[1]!)} instructions on average,`,
);
console.log(`and ${CHOSEN} that were chosen at random have ${mean(others[1]!)}`);
