// Garbage collections caused by `compileInto`: in a million compiles of 200 instructions, compared with a
// million compiles of 20. If the counts are equal, garbage is made per call and not per instruction.

import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { AstCompiler, AstProgram } from "@mm-ptx/ast";
import { ptx as ast, input as astInput, table as astTable } from "@mm-ptx/ast/f32";
import { input, register, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { ptx, stacks, table } from "@mm-ptx/stack/default";

const CALLS = 1_000_000;
const [FEW, MANY] = [20, 200];
/** Allows for a few collections that happen by chance. */
const BUDGET = 1.2;

export async function run() {
  const bytes = new Uint8Array(65536);
  const stackCompiler = new StackCompiler(table);
  const stackJob = { registers: [register("x", stacks.F32)], requests: [0] };
  const astCompiler = new AstCompiler(astTable);
  const astJob = { inputs: ["x"], output: "z" };
  return [
    await row("Stack PTX", (length) => {
      const program = StackProgram.of(input(0), ...chain(length, input(0), ptx.addFtzF32));
      return () => stackCompiler.compileInto(program, stackJob, bytes);
    }),
    await row("AST PTX", (length) => {
      const program = AstProgram.of(astInput(0), ...chain(length, astInput(0), ast.addFtzF32));
      return () => astCompiler.compileInto(program, astJob, bytes);
    }),
  ];
}

function chain(length, operand, operation) {
  return Array.from({ length }, () => [operand, operation]).flat();
}

async function row(what, compilerOf) {
  const [few, many] = [await collections(compilerOf(FEW)), await collections(compilerOf(MANY))];
  const ratio = (many + 1) / (few + 1);
  return {
    name: `${what}, collections in ${CALLS.toLocaleString("en")} compiles of ${MANY} instructions (yardstick: of ${FEW})`,
    ours: many,
    yardstick: few,
    ratio,
    budget: BUDGET,
    unit: "",
    pass: ratio <= BUDGET,
    hard: false,
  };
}

/** The number of collections during a million calls. */
async function collections(call) {
  for (let i = 0; i < 10_000; i++) call();
  await setImmediate();
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().length;
  });
  observer.observe({ entryTypes: ["gc"] });
  for (let i = 0; i < CALLS; i++) call();
  // Entries are delivered in a later turn of the event loop.
  await setImmediate();
  await setImmediate();
  observer.disconnect();
  return count;
}
