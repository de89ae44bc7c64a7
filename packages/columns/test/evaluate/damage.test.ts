// Damaged batches are refused with an error that says where, or run to the end; WebAssembly and JavaScript agree about which.
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { type BatchResult, ColumnsError, evaluateBatch } from "../../src/index.js";
import { batchOf, bitsOf, copies } from "../support/codes.js";
import { randomCode, randomColumns } from "../support/random-codes.js";

const ROWS = 5;
const COLUMNS = randomColumns(ROWS, 3);
const TARGET = Float64Array.of(1, 2, 3, 4, 5);

interface Words {
  readonly words: Uint32Array;
  readonly offsets: Uint32Array;
}

/** What became of a batch: its losses and outputs, or its error. Anything else than a `ColumnsError` is thrown. */
async function outcome(batch: Words, webAssembly: boolean): Promise<unknown> {
  let result: BatchResult;
  try {
    const loss = { kind: "mse", target: TARGET } as const;
    result = await evaluateBatch(batch, COLUMNS, { loss, outputs: true, webAssembly });
  } catch (error) {
    if (!(error instanceof ColumnsError)) throw error;
    return { code: error.code, message: error.message };
  }
  const { status, loss, outputs } = result;
  return {
    status: Array.from(status),
    loss: bitsOf(loss),
    outputs: Buffer.from(outputs!.buffer).toString("hex"),
  };
}

async function expectRefusedOrHarmless(batch: Words): Promise<void> {
  expect(await outcome(batch, true)).toEqual(await outcome(batch, false));
  // The machine that met it goes on with others.
  const good = await evaluateBatch(batchOf(copies("f32")), [COLUMNS[0]], { outputs: true });
  expect(good.outputs!.column(0)).toEqual(COLUMNS[0]);
}

const batchesOfCodes = fc.array(randomCode, { minLength: 1, maxLength: 3 });

it("every single bit of the words of codes", async () => {
  await fc.assert(
    fc.asyncProperty(batchesOfCodes, fc.nat(), fc.nat(31), async (codes, at, bit) => {
      const { words, offsets } = batchOf(...codes);
      const damaged = words.slice();
      damaged[at % words.length]! ^= 1 << bit;
      await expectRefusedOrHarmless({ words: damaged, offsets });
    }),
    { numRuns: smoke(20_000) },
  );
});

it("several words of codes", async () => {
  await fc.assert(
    fc.asyncProperty(
      batchesOfCodes,
      fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(40), fc.integer())), { minLength: 1, maxLength: 4 }),
      async (codes, changes) => {
        const { words, offsets } = batchOf(...codes);
        const damaged = words.slice();
        for (const [at, word] of changes) damaged[at % words.length] = word;
        await expectRefusedOrHarmless({ words: damaged, offsets });
      },
    ),
    { numRuns: smoke(5000) },
  );
});

it("offsets", async () => {
  await fc.assert(
    fc.asyncProperty(batchesOfCodes, fc.nat(), fc.nat(31), async (codes, at, bit) => {
      const { words, offsets } = batchOf(...codes);
      const damaged = offsets.slice();
      damaged[at % offsets.length]! ^= 1 << bit;
      await expectRefusedOrHarmless({ words, offsets: damaged });
    }),
    { numRuns: smoke(5000) },
  );
});

it("words that end early", async () => {
  await fc.assert(
    fc.asyncProperty(randomCode, fc.nat(), async (code, cut) => {
      const length = cut % code.length;
      const words = Uint32Array.from(code.slice(0, length));
      const batch = { words, offsets: Uint32Array.of(0, length) };
      expect(await outcome(batch, true)).toMatchObject({ code: "BAD_CODE" });
      await expectRefusedOrHarmless(batch);
    }),
    { numRuns: smoke(2000) },
  );
});
