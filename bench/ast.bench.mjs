// AST PTX: compiling programs of 99 instructions, not counting inputs and constants, to bytes and to flat
// strings, in WebAssembly and in JavaScript, compared with a C loop of 100 snprintf calls that is built and
// run in the same benchmark. They alternate, and medians are compared. Then the cost per instruction of
// chains of up to a million instructions is compared with that of short ones.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AstCompiler, AstProgram } from "@mm-ptx/ast";
import { constant, input, ptx, table } from "@mm-ptx/ast/f32";
import { median, medians } from "./lib/measure.mjs";
import { generator } from "./lib/random.mjs";

const LIVE = 99;
const PROGRAMS = 64;
const CALLS = 256;
/** 2 us on a machine where the yardstick takes 4.9 us. */
const BUDGET = 0.4;
/** The budget in JavaScript is that of Stack PTX as a flat string. */
const JAVASCRIPT_BUDGET = 1;
/** Microseconds of mm-ptx 1.1.1 in C. */
const C_REFERENCE = 8.8;
const JOB = { inputs: ["_x0", "_x1", "_x2"], output: "_x3" };
const LENGTHS = [10_000, 100_000, 1_000_000];

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const yardstick = join(folder, "snprintf");
    execFileSync("cc", ["-O2", "-o", yardstick, fileURLToPath(new URL("lib/snprintf.c", import.meta.url))]);
    const small = [];
    for (const kind of ["random", "chain"]) small.push(...(await smallRows(kind, yardstick)));
    return [...small, ...(await longRows())];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function smallRows(kind, yardstick) {
  const programs =
    kind === "chain" ? [chain(LIVE)] : Array.from({ length: PROGRAMS }, (_, seed) => tree(seed + 1));
  const compiler = new AstCompiler(table);
  const inJavaScript = new AstCompiler(table, { webAssembly: false });
  const bytes = new Uint8Array(65536);
  for (const program of programs) {
    const lines = compiler.compile(program, JOB).split("\n").length;
    if (lines !== LIVE + 4) throw new Error(`expected ${LIVE} instructions, found ${lines - 4}`);
  }
  const measures = [
    { as: "bytes", budget: BUDGET, compile: (program) => compiler.compileInto(program, JOB, bytes) },
    // Reading a character makes V8 flatten the string, if it is a rope.
    {
      as: "a flat string",
      budget: BUDGET,
      compile: (program) => compiler.compile(program, JOB).charCodeAt(100),
    },
    {
      as: "bytes without WebAssembly",
      budget: JAVASCRIPT_BUDGET,
      compile: (program) => inJavaScript.compileInto(program, JOB, bytes),
    },
  ];
  const theirs = [];
  const ours = await medians(
    measures.map(
      ({ compile }) =>
        (call) =>
          compile(programs[call % programs.length]),
    ),
    {
      calls: CALLS,
      between: () => {
        theirs.push(...JSON.parse(execFileSync(yardstick, ["1"], { encoding: "utf8" })));
      },
    },
  );
  return measures.map(({ as, budget }, i) => {
    const ratio = ours[i] / median(theirs);
    return {
      name: `AST PTX, ${LIVE} instructions (${kind}) as ${as} (yardstick: 100 snprintf in C)`,
      ours: ours[i],
      yardstick: median(theirs),
      ratio,
      budget,
      reference: C_REFERENCE,
      unit: "us",
      pass: ratio <= budget,
      hard: true,
    };
  });
}

/** Nanoseconds per instruction of long chains, compared with a chain of 1,000. */
async function longRows() {
  const compiler = new AstCompiler(table);
  const bytes = new Uint8Array(60 * LENGTHS.at(-1));
  const each = (length) => {
    const program = chain(length);
    const times = Array.from({ length: 7 }, () => {
      const start = performance.now();
      compiler.compileInto(program, JOB, bytes);
      return (performance.now() - start) * (1e6 / length);
    });
    return Math.min(...times);
  };
  each(1000);
  const yardstick = each(1000);
  return LENGTHS.map((length) => {
    const ours = each(length);
    const ratio = ours / yardstick;
    return {
      name: `AST PTX, a chain of ${length.toLocaleString("en")}, for each instruction (yardstick: a chain of 1,000)`,
      ours,
      yardstick,
      ratio,
      budget: 4,
      unit: "ns",
      pass: ratio <= 4,
      hard: false,
    };
  });
}

/** A program that passes one value through `length` instructions. */
function chain(length) {
  const binary = operations(2);
  const words = new Uint32Array(2 + 4 * length);
  words.set(wordsOf(input(0)));
  for (let i = 0; i < length; i++) {
    words.set([...wordsOf(input(1)), ...wordsOf(binary[i % binary.length])], 2 + 4 * i);
  }
  return AstProgram.fromWords(words);
}

const wordsOf = ({ head, payload }) => [head, payload];

/** A random expression of `LIVE` instructions. */
function tree(seed) {
  const random = generator(seed);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const [unary, binary, ternary] = [operations(1), operations(2), operations(3)];
  const grow = (size) => {
    if (size === 0) return [random() < 0.7 ? input(Math.floor(random() * 3)) : constant(random())];
    const shape = random();
    const rest = size - 1;
    if (shape < 0.3) return [...grow(rest), pick(unary)];
    const first = Math.floor(random() * size);
    if (shape < 0.85) return [...grow(first), ...grow(rest - first), pick(binary)];
    const second = Math.floor(random() * (size - first));
    return [...grow(first), ...grow(second), ...grow(rest - first - second), pick(ternary)];
  };
  return AstProgram.of(...grow(LIVE));
}

/** The instructions with this number of arguments. */
function operations(args) {
  return Object.values(ptx).filter(({ head }) => head >>> 16 === args);
}
