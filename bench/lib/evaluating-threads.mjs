// Measures a batch of new programs of 24 nodes on one thread and on two, and each kind of loss on one, in a process of its own. It prints
// JSON: milliseconds of the batch for each number of threads, the medians of some rounds, and microseconds a program for each loss.
//   node evaluating-threads.mjs ROWS

import { AstCompiler } from "@mm-ptx/ast";
import { table } from "@mm-ptx/ast/f32";
import { evaluateBatch } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { dataPrograms, INPUTS, JOB } from "./data-programs.mjs";
import { median } from "./measure.mjs";
import { generator } from "./random.mjs";

const rows = Number(process.argv[2]);
const ROUNDS = 7;
/** The batch takes at least half a second on one thread. */
const PROGRAMS = 200_000;
const LOSS_PROGRAMS = 10_000;

const random = generator(12);
const columns = Array.from({ length: INPUTS }, () =>
  Float32Array.from({ length: rows }, () => 4 * random() - 2),
);
const target = Float32Array.from({ length: rows }, random);
const weights = Float32Array.from({ length: rows }, () => 1 + random());
const compiler = new AstCompiler(table);

/** @param {number} count */
function batchOf(count) {
  const codes = new CodeBuffer();
  for (const { program } of dataPrograms(count, "division", random))
    compiler.compileToCode(program, JOB, codes);
  return { words: codes.words.slice(), offsets: codes.offsets.slice() };
}

/** @param {() => Promise<unknown>} run */
async function millisecondsOf(run) {
  await run();
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}

const large = batchOf(PROGRAMS);
const threads = [];
for (const workers of [1, 2]) {
  threads.push(
    await millisecondsOf(() => evaluateBatch(large, columns, { loss: { kind: "mse", target }, workers })),
  );
}

const small = batchOf(LOSS_PROGRAMS);
/** @type {Record<string, object>} */
const options = {
  mse: { loss: { kind: "mse", target } },
  "mse with weights": { loss: { kind: "mse", target, weights } },
  "mse with cases": { loss: { kind: "mse", target }, cases: true },
  mae: { loss: { kind: "mae", target } },
  max: { loss: { kind: "max", target } },
  misses: { loss: { kind: "misses", target, tolerance: 0.1 } },
  nmse: { loss: { kind: "nmse", target } },
};
const losses = [];
for (const [name, each] of Object.entries(options)) {
  const milliseconds = await millisecondsOf(() => evaluateBatch(small, columns, each));
  losses.push({ name, microseconds: (milliseconds / LOSS_PROGRAMS) * 1000 });
}
console.log(JSON.stringify({ threads, losses }));
