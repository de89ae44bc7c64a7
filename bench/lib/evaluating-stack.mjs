// Measures what a new program of Stack PTX with ten live lines costs on columns of data, in a process of its own, and prints the
// microseconds, the least of some rounds, as JSON.
//   node evaluating-stack.mjs f32|u32 ROWS

import { evaluateBatch } from "@mm-ptx/columns";
import { StackCompiler } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";
import { stackPrograms } from "./data-programs.mjs";
import { median } from "./measure.mjs";
import { generator } from "./random.mjs";

const [, , set, rowsText] = process.argv;
const rows = Number(rowsText);
const ROUNDS = 7;
const PROGRAMS = 10_000;

const random = generator(13);
const { programs, job } = stackPrograms(PROGRAMS, set, random);
const isFloat = set === "f32";
const Column = isFloat ? Float32Array : Uint32Array;
const value = () => (isFloat ? 4 * random() - 2 : Math.floor(random() * 2 ** 32));
const columns = job.registers.map(() => Column.from({ length: rows }, value));
const target = Column.from({ length: rows }, value);
const compiler = new StackCompiler(table);
const codes = new CodeBuffer();
const times = [];
for (let round = -2; round < ROUNDS; round++) {
  const start = performance.now();
  codes.clear();
  for (const program of programs) compiler.compileToCode(program, job, codes);
  await evaluateBatch(codes, columns, { loss: { kind: isFloat ? "mse" : "hamming", target } });
  if (round >= 0) times.push(((performance.now() - start) / PROGRAMS) * 1000);
}
console.log(JSON.stringify({ microseconds: Math.min(...times), median: median(times) }));
