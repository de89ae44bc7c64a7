// Measures the AST interpreter in a process of its own, so that no other use affects how the engine optimizes
// its loops. It prints nanoseconds as JSON: for a node evaluation of each expression, and for an addition in
// a plain loop over Float32Arrays. They alternate, and the minimum of many rounds counts.
//   node interpreting.mjs webassembly|javascript

import { readFileSync } from "node:fs";
import { AstInterpreter, AstProgram, constant, input, ptxInstruction } from "@mm-ptx/ast";
import { parseAstDescription } from "@mm-ptx/types";
import { generator } from "./random.mjs";

const NODES = 99;
const ROWS = 65536;
const ROUNDS = 25;
const INPUTS = 4;
const MIXTURES = 8;
/** The rows of the plain loop. Its arrays fit into the first-level cache, like the interpreter's blocks. */
const LOOP_ROWS = 2048;

const backend = process.argv[2];
const description = new URL("../../type_descriptions/ast_instructions.json", import.meta.url);
const table = parseAstDescription(JSON.parse(readFileSync(description, "utf8")));
const random = generator(7);

/** The instruction whose mnemonic begins with `name`. */
function instruction(name) {
  const index = table.instructions.findIndex(({ ptx }) => ptx.startsWith(`${name}.`));
  return ptxInstruction(index, table.instructions[index].args);
}

/**
 * A random expression of `NODES` PTX instructions: additions, multiplications and fma, and one in ten of
 * `functions`.
 */
function expression(functions) {
  let made = 0;
  const leaf = () => (random() < 0.7 ? input(Math.floor(random() * INPUTS)) : constant(random()));
  const grow = (size) => {
    if (size === 0) return [leaf()];
    made++;
    const rest = size - 1;
    if (functions.length > 0 && made % 10 === 0) {
      const name = functions[(made / 10) % functions.length];
      return [...grow(rest), instruction(name)];
    }
    const first = Math.floor(random() * (rest + 1));
    if (random() < 0.34) {
      const second = Math.floor(random() * (rest - first + 1));
      return [...grow(first), ...grow(second), ...grow(rest - first - second), instruction("fma")];
    }
    return [...grow(first), ...grow(rest - first), instruction(random() < 0.5 ? "add" : "mul")];
  };
  return AstProgram.of(...grow(NODES));
}

/**
 * A random expression of `NODES` PTX instructions, in which all instructions of the catalogue are equally
 * frequent.
 */
function mixture() {
  const grow = (size) => {
    if (size === 0) return [random() < 0.7 ? input(Math.floor(random() * INPUTS)) : constant(random())];
    const index = Math.floor(random() * table.instructions.length);
    const { args } = table.instructions[index];
    let rest = size - 1;
    const operands = Array.from({ length: args }, (_, arg) => {
      const share = arg === args - 1 ? rest : Math.floor(random() * (rest + 1));
      rest -= share;
      return grow(share);
    });
    return [...operands.flat(), ptxInstruction(index, args)];
  };
  return AstProgram.of(...grow(NODES));
}

const interpreter = new AstInterpreter(table, { webAssembly: backend === "webassembly" });
if (interpreter.backend !== backend) throw new Error(`expected ${backend}, found ${interpreter.backend}`);
const columns = Array.from({ length: INPUTS }, () => Float32Array.from({ length: ROWS }, () => random()));
const output = new Float32Array(ROWS);
const programs = {
  arithmetic: [expression([])],
  functions: [expression(["sin", "cos", "ex2", "tanh", "sqrt"])],
  catalogue: Array.from({ length: MIXTURES }, () => mixture()),
  sines: [AstProgram.of(input(0), ...Array.from({ length: NODES }, () => instruction("sin")))],
};

const [a, b, sum] = Array.from({ length: 3 }, () => Float32Array.from({ length: LOOP_ROWS }, () => random()));
function loop() {
  for (let i = 0; i < LOOP_ROWS; i++) sum[i] = a[i] + b[i];
}

const measures = {
  ...Object.fromEntries(
    Object.entries(programs).map(([name, list]) => [
      name,
      {
        run: () => {
          for (const program of list) interpreter.evaluateColumns(program, columns, output);
        },
        count: list.length * NODES * ROWS,
      },
    ]),
  ),
  loop: {
    run: () => {
      for (let i = 0; i < 500; i++) loop();
    },
    count: 500 * LOOP_ROWS,
  },
};
const least = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { run, count }] of Object.entries(measures)) {
    const start = performance.now();
    run();
    const nanoseconds = ((performance.now() - start) * 1e6) / count;
    least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, nanoseconds);
  }
}
if (!output.every(Number.isFinite)) throw new Error("expected finite results");
console.log(JSON.stringify(least));
