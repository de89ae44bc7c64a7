// Stack PTX: compiling programs with 100 live instructions to bytes and to flat strings, compared with a C
// loop of 100 snprintf calls that is built and run in the same benchmark. They alternate, and medians are
// compared.

import { StackCompiler } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { median, medians } from "./lib/measure.mjs";
import { withSnprintf } from "./lib/snprintf.mjs";
import { JOB, LIVE, programsOf } from "./lib/stack-programs.mjs";

const CALLS = 256;
const BYTES_BUDGET = 0.8;
const STRING_BUDGET = 1;
/** Microseconds of mm-ptx 1.1.1 in C, including its measuring pass. */
const C_REFERENCE = { random: 15.4, chain: 37.7 };

export function run() {
  return withSnprintf(async (snprintf) => [
    ...(await rows("random", snprintf)),
    ...(await rows("chain", snprintf)),
  ]);
}

async function rows(kind, snprintf) {
  const programs = programsOf(kind);
  const compiler = new StackCompiler(table);
  const bytes = new Uint8Array(65536);
  for (const program of programs) {
    const lines = compiler.compile(program, JOB).split("\n").length;
    if (lines !== LIVE + 4) throw new Error(`expected ${LIVE} live instructions, found ${lines - 4}`);
  }
  const measures = {
    bytes: (program) => compiler.compileInto(program, JOB, bytes),
    // Reading a character makes V8 flatten the string, if it is a rope.
    "a flat string": (program) => compiler.compile(program, JOB).charCodeAt(100),
  };
  const theirs = [];
  const ours = await medians(
    Object.values(measures).map((compile) => (call) => compile(programs[call % programs.length])),
    {
      calls: CALLS,
      between: () => {
        theirs.push(...snprintf());
      },
    },
  );
  return Object.keys(measures).map((as, i) => {
    const budget = as === "bytes" ? BYTES_BUDGET : STRING_BUDGET;
    const ratio = ours[i] / median(theirs);
    return {
      name: `Stack PTX, ${LIVE} live instructions (${kind}) as ${as} (yardstick: ${LIVE} snprintf in C)`,
      ours: ours[i],
      yardstick: median(theirs),
      ratio,
      budget,
      reference: C_REFERENCE[kind],
      unit: "us",
      pass: ratio <= budget,
      hard: true,
    };
  });
}
