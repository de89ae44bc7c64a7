// Measures what a new program costs on columns of data, in a process of its own: from the words of the program to its loss. It
// prints JSON: microseconds a program and nodes a second, the least of some rounds.
//   node evaluating.mjs SET ROWS

import { AstCompiler } from "@mm-ptx/ast";
import { table } from "@mm-ptx/ast/f32";
import { evaluateBatch } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { dataPrograms, INPUTS, JOB } from "./data-programs.mjs";
import { median } from "./measure.mjs";
import { generator } from "./random.mjs";

const [, , set, rowsText] = process.argv;
const rows = Number(rowsText);
const ROUNDS = 7;
const PROGRAMS = 20_000;

const random = generator(11);
const made = dataPrograms(PROGRAMS, set, random);
const programs = made.map(({ program }) => program);
const nodes = made.reduce((sum, each) => sum + each.nodes, 0);
const columns = Array.from({ length: INPUTS }, () =>
  Float32Array.from({ length: rows }, () => 4 * random() - 2),
);
const target = Float32Array.from({ length: rows }, random);
const compiler = new AstCompiler(table);
const codes = new CodeBuffer();
const times = [];
for (let round = -2; round < ROUNDS; round++) {
  const start = performance.now();
  codes.clear();
  for (const program of programs) compiler.compileToCode(program, JOB, codes);
  await evaluateBatch(codes, columns, { loss: { kind: "mse", target } });
  if (round >= 0) times.push(((performance.now() - start) / PROGRAMS) * 1000);
}
const microseconds = Math.min(...times);
console.log(
  JSON.stringify({
    microseconds,
    median: median(times),
    nodes: nodes / PROGRAMS,
    nodesPerSecond: (nodes / PROGRAMS / microseconds) * rows * 1e6,
  }),
);
