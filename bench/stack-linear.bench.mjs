// Stack PTX: the CPU time per instruction in programs with 100 to 1,000,000 live instructions, in one chain
// and in random expressions. Each row compares a size with the cheapest one. Only cache misses may make large
// programs more expensive.

import { input, ptxInstruction, register, StackCompiler, StackProgram } from "@mm-ptx/stack";
import { f32, stacks, table } from "@mm-ptx/stack/default";
import { generator } from "./lib/random.mjs";

const SIZES = [100, 1_000, 10_000, 100_000, 1_000_000];
const ROUNDS = 15;
/** Instructions compiled in each round, in as many calls as needed. */
const ROUND_INSTRUCTIONS = 1_000_000;
/** The most bytes of a line. */
const LINE_BYTES = 80;
/**
 * The most that the largest size may cost relative to the cheapest, because large programs exceed the caches.
 */
const BUDGET = 3;
/** The most values that a random expression has on its stack. */
const MOST_VALUES = 100;

export async function run() {
  return [...rows("one chain", chain), ...rows("random", expression)];
}

function rows(kind, make) {
  const compiler = new StackCompiler(table);
  const job = { registers: ["_x0", "_x1", "_x2"].map((name) => register(name, stacks.F32)), requests: [2] };
  const bytes = new Uint8Array(LINE_BYTES * (Math.max(...SIZES) + 10));
  // Different programs are compiled, because a processor would learn the branches of a single short one,
  // which is unrealistic.
  const programs = SIZES.map((size) =>
    Array.from({ length: Math.min(64, ROUND_INSTRUCTIONS / size) }, (_, seed) => make(size, seed + 1)),
  );
  programs.forEach(([program], i) => {
    const text = bytes.subarray(0, compiler.compileInto(program, job, bytes));
    const live = text.filter((byte) => byte === 0x0a).length - 3;
    if (live !== SIZES[i]) throw new Error(`expected ${SIZES[i]} live instructions, found ${live}`);
  });
  const costs = SIZES.map(() => Number.POSITIVE_INFINITY);
  // The first rounds only warm up the engine.
  for (let round = -2; round < ROUNDS; round++) {
    SIZES.forEach((size, i) => {
      const calls = ROUND_INSTRUCTIONS / size;
      const start = process.cpuUsage();
      for (let call = 0; call < calls; call++) {
        compiler.compileInto(programs[i][call % programs[i].length], job, bytes);
      }
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) costs[i] = Math.min(costs[i], ((user + system) * 1000) / ROUND_INSTRUCTIONS);
    });
  }
  const cheapest = Math.min(...costs);
  return SIZES.map((size, i) => ({
    name: `Stack PTX, an instruction of ${size.toLocaleString("en")} live ones (${kind}) (yardstick: the cheapest size)`,
    ours: costs[i],
    yardstick: cheapest,
    ratio: costs[i] / cheapest,
    budget: BUDGET,
    reference: null,
    unit: "ns",
    pass: costs[i] / cheapest <= BUDGET,
    hard: true,
  }));
}

/** A program that passes one value through `size` instructions. */
function chain(size) {
  const [binary] = operations(2);
  return encode(size * 2 + 1, (push) => {
    push(input(0));
    for (let i = 0; i < size; i++) {
      push(input(1));
      push(ptxInstruction(binary));
    }
  });
}

/** A random expression of `size` instructions in postorder, with no more values than fit on a stack. */
function expression(size, seed) {
  const random = generator(seed);
  const byArguments = [1, 2, 3].map(operations);
  return encode(size * 4, (push) => {
    let values = 0;
    for (let left = size; left > 0; left--) {
      // The last instructions combine all values.
      const args = values > left ? 2 : 1 + Math.floor(random() * 3);
      const grows = random() < 0.3 && values < Math.min(left, MOST_VALUES);
      const fresh = values > left ? 0 : grows ? args : Math.max(0, args - values);
      for (let i = 0; i < fresh; i++) push(random() < 0.7 ? input(Math.floor(random() * 3)) : f32(random()));
      const choice = byArguments[args - 1];
      push(ptxInstruction(choice[Math.floor(random() * choice.length)]));
      values += fresh - args + 1;
    }
  });
}

/** The program of the instructions that `write` pushes, at most `most`. */
function encode(most, write) {
  const words = new Uint32Array(2 * most);
  let end = 0;
  write(({ head, payload }) => {
    words[end++] = head;
    words[end++] = payload;
  });
  return StackProgram.fromWords(words.subarray(0, end));
}

/** The instructions that take this number of values, all on F32. */
function operations(args) {
  return table.instructions.flatMap((instruction, index) =>
    instruction.args.length === args &&
    [...instruction.args, ...instruction.results].every(
      (type) => table.argTypes[type].stackIndex === stacks.F32 && table.argTypes[type].vectorElements === 0,
    )
      ? [index]
      : [],
  );
}
