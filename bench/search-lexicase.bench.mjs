// Epsilon-lexicase selection: 1,000 parents of 1,000 programs with errors in 1,000 cases. A figure is the processor time of a whole batch:
// errors are read from the archive, their median absolute deviation is computed for each case, and parents are selected.

import { Draws, lexicase } from "@mm-ptx/search";
import { generator } from "./lib/random.mjs";

const PROGRAMS = 1000;
const CASES = 1000;
const PARENTS = 1000;
const ROUNDS = 40;
/** Milliseconds. */
const BAR = 30;

/** Errors of polynomials of degree 3 with random coefficients, against sin 3x in [-1, 1]. */
function polynomials(random) {
  return Array.from({ length: PROGRAMS }, () => {
    const [a, b, c, d] = Array.from({ length: 4 }, () => 4 * random() - 2);
    return Float64Array.from({ length: CASES }, (_, index) => {
      const x = (2 * index) / (CASES - 1) - 1;
      return Math.abs(a + x * (b + x * (c + x * d)) - Math.sin(3 * x));
    });
  });
}

/** Errors of programs that are nearly the same: those of one polynomial, each changed by up to 1 %. */
function converged(random) {
  const [base] = polynomials(random);
  return Array.from({ length: PROGRAMS }, () => {
    const factor = 1 + 0.01 * random();
    return base.map((error) => error * factor * (1 + 0.0001 * random()));
  });
}

/** The first tenth of programs, ten times each. */
const repeated = (programs) => programs.map((_, index) => programs[index % (PROGRAMS / 10)]);

/** Each error is 0 or 1, and programs pass between none and nine tenths of the cases. */
const passed = (random) =>
  Array.from({ length: PROGRAMS }, () => {
    const part = 0.9 * random();
    return Float64Array.from({ length: CASES }, () => (random() < part ? 0 : 1));
  });

/** Milliseconds of a batch: the least of all rounds, because other processes share the caches. */
function time(programs, options) {
  const archive = { count: PROGRAMS, cases: (elite) => programs[elite] };
  const selection = lexicase({ downSample: 1, ...options });
  const [draws, batchDraws] = [new Draws(), new Draws()];
  let least = Number.POSITIVE_INFINITY;
  // The first rounds only warm up the engine.
  for (let round = -5; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    batchDraws.start(1, round + 5, 0);
    selection.begin(PARENTS, { archive, batchDraws });
    for (let parent = 0; parent < PARENTS; parent++) {
      draws.start(1, round + 5, parent);
      selection.select(archive, draws);
    }
    const { user, system } = process.cpuUsage(start);
    if (round >= 0) least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

export function run() {
  const random = generator(1);
  const different = polynomials(random);
  const near = converged(random);
  const binary = passed(random);
  const same = repeated(different);
  const barred = (name, ours) => ({
    ...{ name: `lexicase, 1,000 parents of 1,000 programs x 1,000 cases, ${name}`, ours, unit: "ms" },
    ...{ yardstick: BAR, ratio: ours / BAR, budget: 1, pass: ours <= BAR },
  });
  const plain = (name, ours) => ({ name: `the same, ${name}`, ours, unit: "ms" });
  return [
    barred("MAD included", time(different, {})),
    plain("epsilon given", time(different, { epsilon: 0.1 })),
    plain("programs that are nearly the same", time(near, {})),
    plain("errors 0 or 1", time(binary, {})),
    plain("100 programs ten times each", time(same, {})),
    plain("100 programs ten times each, without preselection", time(same, { preselect: false })),
    plain("a tenth of the cases, informed", time(different, { downSample: 0.1 })),
    plain("a tenth of the cases at random", time(different, { downSample: 0.1, informed: false })),
  ];
}
