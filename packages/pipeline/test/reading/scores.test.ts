// Scores of the built-in readings on both engines of the emulator, against the same sums in JavaScript.
import { EmulatedDevice } from "@mm-ptx/emulator";
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { absoluteError, maximumError, output, outputHash, squaredError } from "../../src/index.js";
import { openReduction } from "../../src/reading/open.js";
import type { ScoreReading } from "../../src/reading/reading.js";
import { expectedError, expectedHash } from "./reference.js";

const ENGINES = ["webassembly", "interpreter"] as const;
const DEVICES = new Map(ENGINES.map((engine) => [engine, EmulatedDevice.open({ engine })]));
afterAll(() => {
  for (const device of DEVICES.values()) device.dispose();
});

const ERRORS = { squaredError, absoluteError, maximumError } as const;
const KINDS = Object.keys(ERRORS) as (keyof typeof ERRORS)[];
const CLASSES = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  BigUint64Array,
  BigInt64Array,
  Float32Array,
  Float64Array,
] as unknown as readonly TypedArrayClass<TypedArray>[];

/** The scores of programs with these outputs: `programs[i][j]` is output j of program i. */
async function scoresOf(
  device: EmulatedDevice,
  reading: ScoreReading,
  programs: readonly (readonly TypedArray[])[],
  padding = 0,
): Promise<readonly (number | string)[]> {
  const plan = programs[0]!.map((data) =>
    output(data.constructor as unknown as TypedArrayClass<TypedArray>, data.length),
  );
  using reduction = await openReduction(reading, device, plan);
  const memory = await Promise.all(
    plan.map(async ({ bytes }, index) => {
      const stride = Math.ceil(bytes / 8 + padding) * 8;
      const buffer = device.allocate(stride * programs.length);
      // What is between the parts must not count.
      await buffer.fill(0xff);
      for (const [at, program] of programs.entries())
        await buffer.copyFrom(program[index]!, { offset: at * stride });
      return { buffer, stride };
    }),
  );
  const scores = await reduction.scores(memory, programs.length);
  for (const { buffer } of memory) buffer.dispose();
  return scores;
}

const asNumbers = (data: TypedArray): Float64Array => Float64Array.from(data as ArrayLike<number>, Number);

/** An array of any class whose bits are any: NaNs, infinities and subnormal numbers among them. */
const bitsOf = (elements: TypedArrayClass<TypedArray>, length: number) =>
  fc
    .uint8Array({
      minLength: length * elements.BYTES_PER_ELEMENT,
      maxLength: length * elements.BYTES_PER_ELEMENT,
    })
    .map((bytes) => new elements(bytes.slice().buffer, 0, length));

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
);

const errorCase = fc
  .record({
    elements: fc.constantFrom(...CLASSES),
    length: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 400 })),
    count: fc.integer({ min: 1, max: 4 }),
    padding: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom(...KINDS),
  })
  .chain(({ elements, length, count, ...rest }) =>
    fc.record({
      programs: fc.array(bitsOf(elements, length), { minLength: count, maxLength: count }),
      target: fc.array(finite, { minLength: length, maxLength: length }).map((all) => Float64Array.from(all)),
      rest: fc.constant(rest),
    }),
  );

describe.each(ENGINES)("scores in %s", (engine) => {
  const device = () => DEVICES.get(engine)!;

  it("of any output against any target are those of the same sums in JavaScript", async () => {
    await fc.assert(
      fc.asyncProperty(errorCase, async ({ programs, target, rest: { kind, padding } }) => {
        const reading = ERRORS[kind](target);
        const scores = await scoresOf(
          device(),
          reading,
          programs.map((one) => [one]),
          padding,
        );
        expect(scores).toEqual(programs.map((one) => expectedError(kind, asNumbers(one), target)));
      }),
      { numRuns: cases(500) },
    );
  });

  it("of several outputs are hashes of all bytes and their positions", async () => {
    const layouts = fc
      .array(fc.record({ elements: fc.constantFrom(...CLASSES), length: fc.integer({ min: 1, max: 300 }) }), {
        minLength: 1,
        maxLength: 3,
      })
      .chain((layout) =>
        fc.array(fc.tuple(...layout.map(({ elements, length }) => bitsOf(elements, length))), {
          minLength: 1,
          maxLength: 3,
        }),
      );
    await fc.assert(
      fc.asyncProperty(layouts, async (programs) => {
        const scores = await scoresOf(device(), outputHash(), programs, 1);
        expect(scores).toEqual(programs.map(expectedHash));
      }),
      { numRuns: cases(300) },
    );
  });
});
