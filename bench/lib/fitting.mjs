// Measures what it costs to fit the constants of a new program to data by five iterations of Levenberg and Marquardt's method, in a
// process of its own: from the words of the program to its constants. It prints JSON: microseconds a program, the least of some rounds,
// and the part of the programs whose loss fell.
//   node fitting.mjs ROWS KIND

import { AstCompiler } from "@mm-ptx/ast";
import { table } from "@mm-ptx/ast/f32";
import { fitConstants } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import { dataPrograms, INPUTS, JOB } from "./data-programs.mjs";
import { generator } from "./random.mjs";

const [, , rowsText, kind] = process.argv;
const rows = Number(rowsText);
const ROUNDS = 5;
const PROGRAMS = 5000;
const ITERATIONS = 5;

const random = generator(11);
const programs = dataPrograms(PROGRAMS, "division", random).map(({ program }) => program);
const columns = Array.from({ length: INPUTS }, () =>
  Float32Array.from({ length: rows }, () => 4 * random() - 2),
);
const [a, b, c] = columns;
const target = Float64Array.from({ length: rows }, (_, row) => Math.sin(a[row]) * 2 + b[row] * c[row]);
const compiler = new AstCompiler(table);
const codes = new CodeBuffer();
const times = [];
let improved = 0;
for (let round = -1; round < ROUNDS; round++) {
  const start = performance.now();
  codes.clear();
  for (const program of programs) compiler.compileToCode(program, JOB, codes);
  const options = { loss: { kind, target }, method: "lm", iterations: ITERATIONS };
  const { loss, lossBefore } = await fitConstants(codes, columns, options);
  if (round >= 0) times.push(((performance.now() - start) / PROGRAMS) * 1000);
  improved = loss.filter((value, code) => value < lossBefore[code]).length / PROGRAMS;
}
console.log(JSON.stringify({ microseconds: Math.min(...times), improved }));
