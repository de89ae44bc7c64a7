// Random kernels of all instructions, in threads whose values differ: each is translated to valid WebAssembly, and leaves
// the same bytes as in the interpreter.
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import { Interpreter } from "../../src/interpreter/index.js";
import type { Engine } from "../../src/run/launch.js";
import { Translator } from "../../src/wasm/index.js";
import { type Launched, launch } from "../support/launching.js";
import { ROWS } from "../support/random-instructions.js";
import { BYTES, type RandomKernel, randomBytes, randomKernel } from "../support/random-kernels.js";

const INPUT = randomBytes(BYTES.in, 1);
const MEMORY = randomBytes(BYTES.memory, 2);
const COMMON = randomBytes(BYTES.common, 3);
const PARAMETER = randomBytes(64, 4);

function run(engine: Engine, { text, grid, block }: RandomKernel): Promise<Launched> {
  return launch(engine, {
    ptx: text,
    grid: [grid, 1, 1],
    block: [...block, 1],
    limits: { instructions: 2_000_000 },
    args: [
      { buffer: INPUT },
      { buffer: new Uint8Array(BYTES.out) },
      { buffer: MEMORY },
      { buffer: COMMON },
      { value: PARAMETER },
    ],
  });
}

/** Where a translated kernel leaves other bytes than the interpreter; its failure if there is one. */
async function difference(kernel: RandomKernel): Promise<string | undefined> {
  const expected = await run(new Interpreter(), kernel);
  const found = await run(new Translator(), kernel);
  for (const { fault } of [expected, found]) if (fault !== undefined) return `a fault: ${fault.kind}`;
  for (const [buffer, bytes] of found.buffers.entries()) {
    const wanted = expected.buffers[buffer]!;
    if (Buffer.compare(bytes, wanted) === 0) continue;
    return `byte ${bytes.findIndex((byte, at) => byte !== wanted[at])} of buffer ${buffer}`;
  }
  return undefined;
}

const seen = new Set<string>();

describe("random kernels", () => {
  it("are translated, and leave the same bytes in both engines", () =>
    fc.assert(
      fc.asyncProperty(randomKernel, async (kernel) => {
        for (const row of kernel.rows) seen.add(row);
        expect(await difference(kernel)).toBeUndefined();
      }),
      { numRuns: SOAK ? 4000 : 10 },
    ));
});

afterAll(() => {
  if (SOAK) expect(ROWS.filter((row) => !seen.has(row))).toEqual([]);
});
