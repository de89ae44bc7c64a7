// Stack PTX: programs of which 100 instructions are alive, compiled to bytes and to flat strings, against a C loop of
// 100 snprintf calls that is built and run beside it. Both take turns, and medians are compared.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { input, ptxInstruction, register, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { f32, stacks, table } from "@mm-ptx/stack/default";
import { median, medians } from "./lib/measure.mjs";
import { generator } from "./lib/random.mjs";

const LIVE = 100;
const PROGRAMS = 64;
const CALLS = 256;
const BYTES_BUDGET = 0.8;
const STRING_BUDGET = 1;
/** The table begins with as many ordinary ones on F32, which keep their indices: what is measured stays the same. */
const F32_INSTRUCTIONS = 22;
/** Microseconds of mm-ptx 1.1.1 in C, its measuring pass included. */
const C_REFERENCE = { random: 15.4, chain: 37.7 };

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const yardstick = join(folder, "snprintf");
    execFileSync("cc", ["-O2", "-o", yardstick, fileURLToPath(new URL("lib/snprintf.c", import.meta.url))]);
    return [...(await rows("random", yardstick)), ...(await rows("chain", yardstick))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rows(kind, yardstick) {
  const programs =
    kind === "chain" ? [chain()] : Array.from({ length: PROGRAMS }, (_, seed) => tree(seed + 1));
  const compiler = new StackCompiler(table);
  const job = { registers: ["_x0", "_x1", "_x2"].map((name) => register(name, stacks.F32)), requests: [2] };
  const bytes = new Uint8Array(65536);
  for (const program of programs) {
    const lines = compiler.compile(program, job).split("\n").length;
    if (lines !== LIVE + 4) throw new Error(`expected ${LIVE} live instructions, found ${lines - 4}`);
  }
  const measures = {
    bytes: (program) => compiler.compileInto(program, job, bytes),
    // A character of the text: a rope would have to be flattened for it.
    "a flat string": (program) => compiler.compile(program, job).charCodeAt(100),
  };
  const theirs = [];
  const ours = await medians(
    Object.values(measures).map((compile) => (call) => compile(programs[call % programs.length])),
    {
      calls: CALLS,
      between: () => {
        theirs.push(...JSON.parse(execFileSync(yardstick, ["1"], { encoding: "utf8" })));
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

/** One value run through 100 instructions. */
function chain() {
  const binary = operations(2);
  const steps = Array.from({ length: LIVE }, (_, i) => [input(1), ptxInstruction(binary[i % binary.length])]);
  return StackProgram.of(input(0), ...steps.flat());
}

/** A random expression of 100 instructions, in postorder. */
function tree(seed) {
  const random = generator(seed);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const [unary, binary, ternary] = [operations(1), operations(2), operations(3)];
  const grow = (size) => {
    if (size === 0) return [random() < 0.7 ? input(Math.floor(random() * 3)) : f32(random())];
    const shape = random();
    const rest = size - 1;
    if (shape < 0.3) return [...grow(rest), ptxInstruction(pick(unary))];
    const first = Math.floor(random() * size);
    if (shape < 0.85) return [...grow(first), ...grow(rest - first), ptxInstruction(pick(binary))];
    const second = Math.floor(random() * (size - first));
    return [...grow(first), ...grow(second), ...grow(rest - first - second), ptxInstruction(pick(ternary))];
  };
  return StackProgram.of(...grow(LIVE));
}

/** Those of the first instructions that take so many arguments. */
function operations(args) {
  const first = table.instructions.slice(0, F32_INSTRUCTIONS);
  return first.flatMap((instruction, index) => (instruction.args.length === args ? [index] : []));
}
