// Stack PTX: analyzing and signing programs with 100 live instructions, compared with a C loop of 100
// snprintf calls that is built and run in the same benchmark. Both alternate, and medians are compared.

import { StackCompiler } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { median, medians } from "./lib/measure.mjs";
import { withSnprintf } from "./lib/snprintf.mjs";
import { JOB, LIVE, programsOf } from "./lib/stack-programs.mjs";

const CALLS = 256;
/** 2 us on a machine where the yardstick takes 4.9 us. */
const BUDGET = 0.4;

export function run() {
  return withSnprintf(async (snprintf) => [
    ...(await rows("random", snprintf)),
    ...(await rows("chain", snprintf)),
  ]);
}

async function rows(kind, snprintf) {
  const programs = programsOf(kind);
  const compiler = new StackCompiler(table);
  for (const program of programs) {
    const { lines } = compiler.analyze(program, JOB);
    if (lines !== LIVE) throw new Error(`expected ${LIVE} live instructions, found ${lines}`);
  }
  const hash = new Uint32Array(4);
  const measures = {
    analyzed: (program) => compiler.analyze(program, JOB),
    "signed as words": (program) => compiler.signatureInto(program, JOB, hash),
    "signed as text": (program) => compiler.signature(program, JOB),
  };
  const theirs = [];
  const ours = await medians(
    Object.values(measures).map((measure) => (call) => measure(programs[call % programs.length])),
    { calls: CALLS, between: () => theirs.push(...snprintf()) },
  );
  return Object.keys(measures).map((how, i) => {
    const ratio = ours[i] / median(theirs);
    return {
      name: `Stack PTX, ${LIVE} live instructions (${kind}) ${how} (yardstick: ${LIVE} snprintf in C)`,
      ours: ours[i],
      yardstick: median(theirs),
      ratio,
      budget: BUDGET,
      unit: "us",
      pass: ratio <= BUDGET,
      hard: false,
    };
  });
}
