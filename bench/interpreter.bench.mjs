// AST PTX on the CPU: expressions of 99 instructions on columns of 65,536 rows, in WebAssembly and in
// JavaScript, compared with a plain loop that adds two Float32Arrays. Inputs and constants do not count as
// nodes. 10 ns per node means 100 M node evaluations per second.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BUDGETS = {
  webassembly: { arithmetic: 1, functions: 3, catalogue: 8, sines: 20 },
  javascript: { arithmetic: 10, functions: 20, catalogue: 25, sines: 60 },
};
/** The expressions whose budgets are hard. */
const HARD = ["arithmetic", "functions"];
const NAMES = {
  arithmetic: "add, mul and fma",
  functions: "10 % sin, cos, ex2, tanh and sqrt",
  catalogue: "the whole catalogue alike",
  sines: "a chain of sin",
};
const BACKENDS = { webassembly: "WebAssembly", javascript: "JavaScript" };

export async function run() {
  const script = fileURLToPath(new URL("lib/interpreting.mjs", import.meta.url));
  return Object.entries(BUDGETS).flatMap(([backend, budgets]) => {
    const measured = JSON.parse(execFileSync(process.execPath, [script, backend], { encoding: "utf8" }));
    return Object.entries(budgets).map(([name, budget]) => {
      const ours = measured[name];
      const yardstick = measured.loop;
      const ratio = ours / yardstick;
      const speed = Math.round(1000 / ours).toLocaleString("en");
      return {
        name: `AST PTX interpreter, ${BACKENDS[backend]}, ${NAMES[name]}: ${speed} M nodes/s (yardstick: a + b in a JavaScript loop)`,
        ours,
        yardstick,
        ratio,
        budget,
        unit: "ns",
        pass: ratio <= budget,
        hard: HARD.includes(name),
      };
    });
  });
}
