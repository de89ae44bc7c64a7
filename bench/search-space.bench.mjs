// Spaces of programs: what it costs to draw, vary, compare and compile a program of 24 instructions, in CPU time of one thread.
// Search adds the cost of an evaluation to this, which is about 5 us on 1,000 rows.

import { table } from "@mm-ptx/ast/f32";
import { astSpace, Draws, stackSpace } from "@mm-ptx/search";
import { table as stackTable } from "@mm-ptx/stack/default";
import { CodeBuffer } from "@mm-ptx/types/code";

const LENGTH = 24;
const PARENTS = 2000;
const CALLS = 200_000;
const ROUNDS = 5;
const INPUTS = ["x0", "x1", "x2", "x3", "x4"];
const OPERATORS = ["+", "-", "*", "/", "sin", "cos", "exp", "log"];
const CONSTRAINTS = {
  maxDepth: 10,
  nesting: [
    { outer: ["sin", "cos"], inner: ["sin", "cos"] },
    { outer: ["exp", "log"], inner: ["exp", "log"] },
  ],
};
/** The most nanoseconds of each call. */
const BARS = { sample: 1000, vary: 1000, signature: 500, compile: 300 };
/** Stack PTX programs are run by a stack machine for their signature, code, and the check of random ones. */
const STACK_BARS = { sample: 4000, vary: 1000, signature: 2000, compile: 2000 };
const STACK_OPERANDS = [...INPUTS, "y"].map((name) => ({
  ...{ name, register: name, registerType: "f32", type: "F32" },
  direction: name === "y" ? "out" : "in",
}));
const STACK_OPTIONS = {
  operands: STACK_OPERANDS,
  instructions: [
    "add.f32",
    "sub.f32",
    "mul.f32",
    "div.rn.f32",
    "sin.approx.f32",
    "ex2.approx.f32",
    "lg2.approx.f32",
  ],
  length: LENGTH,
  maxLength: 40,
};

export async function run() {
  const options = { inputs: INPUTS, operators: OPERATORS, maxLength: 40 };
  return [
    ...rows("AST", astSpace(table, options)),
    ...rows("AST with constraints", astSpace(table, { ...options, constraints: CONSTRAINTS })),
    ...rows("stack", stackSpace(stackTable, STACK_OPTIONS), STACK_BARS),
  ];
}

/** The rows of one space. */
function rows(name, space, bars = BARS) {
  const genomes = programs(space);
  const out = new CodeBuffer();
  const draws = new Draws();
  const hash = new Uint32Array(4);
  const emptied = (index) => {
    if (index % 1024 === 0) out.clear();
    draws.start(1, 1, index);
  };
  const measured = (what, call, bar) => row(`${name}: ${what}`, nanoseconds(call), bar);
  return [
    measured(
      "draw a program of up to 40 instructions",
      (index) => {
        emptied(index);
        space.sample(draws, out);
      },
      bars.sample,
    ),
    ...space.operators.map((operator, number) =>
      measured(
        operator.name,
        (index) => {
          emptied(index);
          const other = genomes[(7 * index + 3) % PARENTS];
          space.vary(number, genomes[index % PARENTS], other, draws, out);
        },
        bars.vary,
      ),
    ),
    measured("signature", (index) => space.signature(genomes[index % PARENTS], hash), bars.signature),
    measured(
      "code",
      (index) => {
        emptied(index);
        space.compile(genomes[index % PARENTS], out);
      },
      bars.compile,
    ),
  ];
}

function row(name, ours, bar) {
  return {
    name,
    ours,
    yardstick: bar,
    ratio: ours / bar,
    budget: 1,
    unit: "ns",
    pass: ours <= bar,
    hard: false,
  };
}

/** Random programs of the same length. */
function programs(space) {
  const out = new CodeBuffer();
  const draws = new Draws();
  const found = [];
  for (let index = 0; found.length < PARENTS; index++) {
    out.clear();
    draws.start(2, 0, index);
    space.sample(draws, out);
    const words = out.words.slice();
    const length = words.length / 2;
    if (length === LENGTH) found.push({ words, start: 0, end: words.length });
  }
  return found;
}

/** The CPU time of a call, in the fastest round. */
function nanoseconds(call) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let index = 0; index < CALLS; index++) call(index);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, ((user + system) * 1000) / CALLS);
  }
  return least;
}
