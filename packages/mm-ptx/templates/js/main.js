// Runs every program in the kernel and prints what it computes. The PTX of the kernel with each program is written to out/.
import { mkdirSync, writeFileSync } from "node:fs";
import { evaluate, ptxOf, stubOf } from "./kernel.js";
import { programs } from "./programs.js";

const xs = [-2, -1, -0.5, 0, 0.5, 1, 2];
const columns = [["x", xs]];
mkdirSync("out", { recursive: true });
for (const [name, program] of Object.entries(programs)) {
  columns.push([name, await evaluate(program, xs)]);
  writeFileSync(`out/program${columns.length - 1}.ptx`, ptxOf(program));
}

const name = "x * x + 1";
console.log(`${name} as a stub:\n${stubOf(programs[name])}`);

console.log(columns.map(([title]) => title.padStart(12)).join(""));
for (const row of xs.keys()) {
  console.log(columns.map(([, values]) => values[row].toFixed(3).padStart(12)).join(""));
}
