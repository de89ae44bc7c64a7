// compileInto allocates nothing per instruction, whether the loops or the general code run it.
import { describe, expect, it } from "vitest";
import { bytesPerCall } from "../../../tests/support/heap.js";
import {
  AstCompiler,
  AstProgram,
  constant,
  type Instruction,
  input,
  ptxInstruction,
  routine,
  routineArgument,
} from "../src/index.js";
import { add, neg, SMALL_TABLE } from "./support/small-table.js";

const TABLE = {
  ...SMALL_TABLE,
  instructions: [
    ...SMALL_TABLE.instructions,
    { ptx: "four.f32", name: "four", args: 4 },
    { ptx: "longer.than.the.loop.holds.f32", name: "long", args: 2 },
  ],
};
const routines = [AstProgram.of(routineArgument(0), routineArgument(1), add)];
const [x, y] = [input(0), input(1)];

/** The instructions of one link of a chain. */
const LINKS: [string, readonly Instruction[], string[]][] = [
  ["in the loop", [x, add, neg, constant(2), add], ["x", "y"]],
  ["in routines", [x, routine(0, 2)], ["x", "y"]],
  ["with four arguments", [x, y, x, ptxInstruction(4, 4)], ["x", "y"]],
  ["with long mnemonics", [x, ptxInstruction(5, 2)], ["x", "y"]],
  ["with long names", [x, add, y, ptxInstruction(5, 2)], ["x".repeat(300), "y".repeat(20)]],
];

/** Compares what a short and a long program allocate for each call. */
async function check(link: readonly Instruction[], inputs: string[], webAssembly: boolean): Promise<void> {
  const compiler = new AstCompiler(TABLE, { routines, webAssembly });
  const job = { inputs, output: "z" };
  const bytes = new Uint8Array(1 << 20);
  const [short, long] = [10, 1000].map((count) =>
    AstProgram.of(x, ...Array.from({ length: count }, () => link).flat()),
  );
  const few = await bytesPerCall(() => compiler.compileInto(short!, job, bytes));
  const many = await bytesPerCall(() => compiler.compileInto(long!, job, bytes), { long: true });
  expect(few).toBeLessThan(4096);
  // The long program has 990 links more, each of which would allocate at least 12 bytes.
  expect(Math.abs(many - few)).toBeLessThan(990 * 4);
}

describe("compileInto allocates as much for 10 links as for 1,000", () => {
  it.each(LINKS)("%s", { timeout: 60_000 }, async (_, link, inputs) => {
    await check(link, inputs, true);
  });

  it("in the loop without WebAssembly", { timeout: 60_000 }, async () => {
    const [, link, inputs] = LINKS[0]!;
    await check(link, inputs, false);
  });
});
