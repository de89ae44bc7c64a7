// Stack PTX: analyzing and signing programs with 100 live instructions, and compiling them to straight-line
// code, compared with a C loop of 100 snprintf calls that is built and run in the same benchmark. Both
// alternate, and medians are compared.

import { StackCompiler } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";
import { median, medians } from "./lib/measure.mjs";
import { withSnprintf } from "./lib/snprintf.mjs";
import { expressions, JOB, LIVE, programsOf } from "./lib/stack-programs.mjs";

const CALLS = 256;
/** 2 us on a machine where the yardstick takes 4.9 us. */
const BUDGET = 0.4;
const SHORT = 11;
/** 1 us there. */
const CODE_BUDGET = 0.2;

export function run() {
  return withSnprintf(async (snprintf) => [
    ...(await rows("random", snprintf)),
    ...(await rows("chain", snprintf)),
    await codeRow(snprintf),
  ]);
}

/** What a code of about 24 values takes beyond running the program. */
async function codeRow(snprintf) {
  const programs = expressions(SHORT);
  const compiler = new StackCompiler(table);
  const codes = new CodeBuffer();
  const compile = (job) => (call) => {
    codes.clear();
    compiler.compileToCode(programs[call % programs.length], job, codes);
  };
  const theirs = [];
  const [full, run] = await medians([compile(JOB), compile({ ...JOB, requests: [] })], {
    calls: CALLS,
    between: () => theirs.push(...snprintf()),
  });
  const ratio = (full - run) / median(theirs);
  return {
    name: `Stack PTX, ${SHORT} live instructions as straight-line code, beyond running the program (yardstick: ${LIVE} snprintf in C)`,
    ours: full - run,
    yardstick: median(theirs),
    ratio,
    budget: CODE_BUDGET,
    unit: "us",
    pass: ratio <= CODE_BUDGET,
    hard: false,
  };
}

async function rows(kind, snprintf) {
  const programs = programsOf(kind);
  const compiler = new StackCompiler(table);
  for (const program of programs) {
    const { lines } = compiler.analyze(program, JOB);
    if (lines !== LIVE) throw new Error(`expected ${LIVE} live instructions, found ${lines}`);
  }
  const hash = new Uint32Array(4);
  const codes = new CodeBuffer();
  const measures = {
    analyzed: (program) => compiler.analyze(program, JOB),
    "signed as words": (program) => compiler.signatureInto(program, JOB, hash),
    "signed as text": (program) => compiler.signature(program, JOB),
    "as straight-line code": (program) => {
      codes.clear();
      compiler.compileToCode(program, JOB, codes);
    },
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
