// The promise of AST PTX: any expression in postorder makes a stub that assembles, whatever its constants and routines.

import { describe, expect, it } from "vitest";
import { ptx, table } from "../packages/ast/dist/generated/f32.js";
import {
  AstCompiler,
  AstProgram,
  constantBits,
  type Instruction,
  input,
  routine,
  routineArgument,
} from "../packages/ast/dist/index.js";
import { capabilities } from "../packages/cuda/dist/index.js";
import { Random, runSeed } from "../packages/stack/test/support/random.js";
import { smoke } from "./support/counts.js";
import { NEWEST_VERSION } from "./support/isa.js";
import { type Stub, StubKernel } from "./support/stub-kernel.js";

const HAS_COMPILER = capabilities().backends.some(({ available }) => available);
const INPUTS = 4;
const ROUTINES = 3;
const ROUTINE_ARGS = 2;
/** Zeros, a subnormal, the largest, infinities, NaNs. */
const edges = [0, 0x80000000, 1, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff];
const instructions: readonly Instruction[] = Object.values(ptx);
const argsOf = ({ head }: Instruction): number => head >>> 16;
const kernel = new StubKernel({
  kind: "stack",
  fingerprint: "",
  bases: [],
  stackTypes: [{ name: "F32", literalPrefix: "f32" }],
  argTypes: [],
  instructions: [],
  specialRegisters: [],
});
const nameOf = (index: number): string => kernel.registers[index]!.name;

/** An expression of about `size` instructions. @param level the number of routines so far */
function expression(random: Random, size: number, level: number, inRoutine: boolean): Instruction[] {
  if (size <= 0) {
    if (inRoutine && random.once(2)) return [routineArgument(random.below(ROUTINE_ARGS))];
    return [
      random.once(3)
        ? constantBits(random.once(2) ? random.pick(edges) : random.word())
        : input(random.below(INPUTS)),
    ];
  }
  const chosen =
    level > 0 && random.once(8) ? routine(random.below(level), ROUTINE_ARGS) : random.pick(instructions);
  const count = argsOf(chosen);
  const parts = random.list(count, () => random.below(size));
  const scale =
    size /
    Math.max(
      size,
      parts.reduce((sum, part) => sum + part, 1),
    );
  const operands = parts.flatMap((part) => expression(random, Math.floor(part * scale), level, inRoutine));
  return [...operands, chosen];
}

function stubs(random: Random): Stub[] {
  const routines = random.list(ROUTINES, (level) =>
    AstProgram.of(...expression(random, random.below(6), level, true)),
  );
  const compiler = new AstCompiler(table, { routines });
  const inputs = random.list(INPUTS, (n) => nameOf(kernel.readable(0, n)));
  return random.list(10, (number) => {
    const output = kernel.writable(0, number);
    const program = AstProgram.of(...expression(random, random.below(60), ROUTINES, false));
    const text = compiler.compile(program, { inputs, output: nameOf(output) });
    return { what: `program ${number}`, text, writes: [output] };
  });
}

describe.skipIf(!HAS_COMPILER)("stubs of the f32 catalogue", () => {
  it.each(["sm_75", "sm_120"])("assemble on %s for any program", { timeout: 900_000 }, async (target) => {
    const seed = runSeed();
    const random = new Random(seed);
    const count = smoke(10_000);
    let lines = 0;
    for (let done = 0; done < count; done += 100) {
      const batch = random.list(10, () => stubs(random)).flat();
      lines += batch.reduce((sum, { text }) => sum + text.split("\n").length - 3, 0);
      const refused = await kernel.refused(batch, { target, version: NEWEST_VERSION });
      const failures = [...refused].map(([{ text }, message]) => `${message}\n${text}`);
      expect(failures.slice(0, 3), `seed ${seed}`).toEqual([]);
    }
    // The test means something only if the average stub has this many lines.
    expect(lines / count).toBeGreaterThan(5);
  });
});
