// Random and evolved Stack PTX programs for models to rank: their features, what they compute on a few rows, and how well they fit targets.

import { evaluateBatch } from "@mm-ptx/columns";
import { register, StackCompiler } from "@mm-ptx/stack";
import { stacks, table } from "@mm-ptx/stack/default";
import { crossover, ProgramSampler, Random, replaceInstructions } from "@mm-ptx/stack/random";
import { CODE_FEATURES, CodeBuffer, describeCode } from "@mm-ptx/types/code";
import { F32_OPERATIONS, INPUTS, ROWS, TARGETS, valuesOf } from "./program-targets.mjs";

export const PROGRAMS = 10_000;
export const FEATURES = CODE_FEATURES.length;
/** The rows on which outputs are features, and those on which fitness is estimated without a model. */
export const PROBES = 16;
export const ESTIMATES = [16, 64, 256];
const BATCH = 100;
/** Evolution: the programs that can become parents, how many of them compete, and the share of crossovers; other children are mutants. */
const POPULATION = 500;
const TOURNAMENT = 5;
const CROSSOVERS = 0.6;

const job = { registers: ["x", "y", "z"].map((name) => register(name, stacks.F32)), requests: [2] };
const sampler = new ProgramSampler(table, {
  ...{ registers: job.registers, inputs: [0, 1, 2], stacks: { F32: 1 }, length: { min: 16, max: 64 } },
  instructions: ({ name }) => Number(F32_OPERATIONS.includes(name)),
});

const probes = INPUTS.map((column) => column.slice(0, PROBES));

/** Values minus their mean, and the sum of their squares. */
function centred(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const differences = values.map((value) => value - mean);
  return { differences, squares: differences.reduce((sum, value) => sum + value * value, 0) };
}

/** Each target on all rows, and on the first ones. */
const targets = TARGETS.map((target) => {
  const values = valuesOf(target);
  return [ROWS, ...ESTIMATES].map((rows) => centred(values.subarray(0, rows)));
});

/** The digits of 1 - r2 between outputs and a target, from 0 to 4; 0 for outputs that are not finite or all equal. */
function fitness(outputs, { differences, squares }) {
  const rows = differences.length;
  let [sum, sumOfSquares, products] = [0, 0, 0];
  for (let row = 0; row < rows; row++) {
    const value = outputs[row];
    sum += value;
    sumOfSquares += value * value;
    products += value * differences[row];
  }
  const spread = sumOfSquares - (sum * sum) / rows;
  // Outputs whose deviation is only rounding have none.
  if (!(spread > 1e-12 * sumOfSquares && spread < Number.POSITIVE_INFINITY)) return 0;
  return Math.max(0, -Math.log10(Math.max(0, 1 - (products * products) / (spread * squares)) + 1e-4));
}

/** Outputs with the mean 0, the deviation 1 and a positive first value; zeros if that is impossible. */
function standardize(outputs, into) {
  const { differences, squares } = centred(Float64Array.from(outputs.subarray(0, into.length)));
  const scale = (differences[0] < 0 ? -1 : 1) / Math.sqrt(squares / into.length);
  if (!Number.isFinite(scale)) return;
  for (let row = 0; row < into.length; row++) into[row] = differences[row] * scale;
}

/** Programs in the order of their evaluation for some of the targets. */
class ProgramSet {
  static = new Float32Array(PROGRAMS * FEATURES);
  probes = new Float32Array(PROGRAMS * PROBES);
  count = 0;
  programs = [];
  /** For each target the fitness on all rows, and on the first ones. */
  fitness;
  #compiler = new StackCompiler(table);
  #codes = new CodeBuffer();
  #seen = new Set();
  #targets;

  constructor(targets) {
    this.#targets = targets;
    this.fitness = targets.map((sizes) => sizes.map(() => new Float32Array(PROGRAMS)));
  }

  /** Evaluates programs that compute something new, until the set is full. */
  async add(programs) {
    const codes = this.#codes;
    codes.clear();
    for (const program of programs) this.#compiler.compileToCode(program, job, codes);
    const probed = await evaluateBatch(codes, probes, { outputs: true });
    const isNew = programs.map((_, index) => {
      const text = probed.outputs.column(index).join();
      return !this.#seen.has(text) && this.#seen.add(text).size <= PROGRAMS;
    });
    codes.retain(isNew);
    this.programs.push(...programs.filter((_, index) => isNew[index]));
    if (codes.count === 0) return;
    const { outputs } = await evaluateBatch(codes, INPUTS, { outputs: true });
    for (let code = 0; code < codes.count; code++, this.count++) {
      const values = outputs.column(code);
      const place = this.count;
      describeCode(
        codes.room,
        codes.offsets[code],
        this.static.subarray(place * FEATURES, (place + 1) * FEATURES),
      );
      standardize(values, this.probes.subarray(place * PROBES, (place + 1) * PROBES));
      this.#targets.forEach((sizes, target) => {
        sizes.forEach((size, index) => {
          this.fitness[target][index][place] = fitness(values, size);
        });
      });
    }
  }
}

/** Programs that were drawn at random, evaluated for all targets. */
export async function randomPrograms(seed) {
  const set = new ProgramSet(targets);
  const random = new Random(seed);
  while (set.count < PROGRAMS) await set.add(Array.from({ length: BATCH }, () => sampler.program(random)));
  return set;
}

/** The programs of a search for one target. */
export async function evolvedPrograms(target, seed) {
  const set = new ProgramSet([targets[target]]);
  const random = new Random(seed);
  const scores = set.fitness[0][0];
  /** Places in the set. */
  const population = [];
  const winner = () => {
    let best = population[random.below(population.length)];
    for (let rival = 1; rival < TOURNAMENT; rival++) {
      const other = population[random.below(population.length)];
      if (scores[other] > scores[best]) best = other;
    }
    return set.programs[best];
  };
  const child = () => {
    if (population.length < POPULATION) return sampler.program(random);
    if (random.fraction() < CROSSOVERS) return crossover(winner(), winner(), random);
    return replaceInstructions(winner(), sampler, random, 1 + random.below(3));
  };
  while (set.count < PROGRAMS) {
    const first = set.count;
    await set.add(Array.from({ length: BATCH }, child));
    for (let place = first; place < set.count; place++) {
      if (population.length < POPULATION) {
        population.push(place);
        continue;
      }
      // It replaces the worst of a few, if it is no worse.
      let worst = random.below(POPULATION);
      for (let rival = 1; rival < TOURNAMENT; rival++) {
        const other = random.below(POPULATION);
        if (scores[population[other]] < scores[population[worst]]) worst = other;
      }
      if (scores[place] >= scores[population[worst]]) population[worst] = place;
    }
  }
  return set;
}
