// Control flow: for any graph and any places where threads wait, the translated kernel does exactly what the
// interpreter does, bit for bit, and both stop for the same reason. This also holds where other CPU threads might share
// the memory.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { Interpreter } from "../../src/interpreter/index.js";
import type { Fault } from "../../src/run/fault.js";
import type { Engine } from "../../src/run/launch.js";
import { Translator } from "../../src/wasm/index.js";
import { FUNCTIONS, flowBody, flows, ROW_WORDS, SHARED_WORDS } from "../support/control-flow.js";
import { kernelText, launch } from "../support/launching.js";

/** Threads and blocks: less than a warp, several warps, an incomplete last warp. */
const shape = fc.constantFrom([1, 3], [7, 2], [32, 2], [33, 1], [64, 2], [100, 1]) as fc.Arbitrary<
  readonly [threads: number, blocks: number]
>;

async function run(
  engine: Engine,
  ptx: string,
  [threads, blocks]: readonly [number, number],
  shared = false,
) {
  const words = new Uint32Array(SHARED_WORDS + ROW_WORDS * threads * blocks);
  const { buffers, fault } = await launch(engine, {
    ptx,
    grid: [blocks, 1, 1],
    block: [threads, 1, 1],
    args: [{ buffer: words }],
    shared,
  });
  return { fault: told(fault), words: [...new Uint32Array(buffers[0]!.slice().buffer)] };
}

/** What both engines report of a fault. For a deadlock, this includes which thread waits where. */
function told(fault: Fault | undefined) {
  if (fault?.kind !== "DEADLOCK") return fault?.kind;
  return fault.waiting.map(({ block, thread, instruction }) => `${block} ${thread} ${instruction}`);
}

describe("the engines agree on", () => {
  it.each(Object.entries(flows))("%s", async (_, flow) => {
    await fc.assert(
      fc.asyncProperty(flow, shape, fc.boolean(), async (lines, size, shared) => {
        const ptx = kernelText(flowBody(lines), { target: "sm_80", before: FUNCTIONS });
        const translated = await run(new Translator(), ptx, size, shared);
        expect(translated).toEqual(await run(new Interpreter(), ptx, size));
      }),
      { numRuns: smoke(1000) },
    );
  });
});

it("the engines agree on a kernel of 5,000 lines and 500 blocks", async () => {
  const file = new URL("../../../../bench/lib/large-kernel.mjs", import.meta.url);
  const { largeKernel } = (await import(file.href)) as {
    largeKernel: (size: { lines: number; blocks: number }) => string;
  };
  const launching = {
    ptx: largeKernel({ lines: 5000, blocks: 500 }),
    grid: [2, 1, 1],
    block: [48, 1, 1],
    args: [{ buffer: new Uint32Array(48 * 96) }, { value: Uint32Array.of(7) }],
  } as const;
  const [interpreted, translated] = [
    await launch(new Interpreter(), launching),
    await launch(new Translator(), launching),
  ];
  expect([interpreted.fault, translated.fault]).toEqual([undefined, undefined]);
  expect(new Uint32Array(interpreted.buffers[0]!.buffer).filter((word) => word !== 0).length).toBeGreaterThan(
    1000,
  );
  expect(translated.buffers[0]).toEqual(interpreted.buffers[0]);
});
