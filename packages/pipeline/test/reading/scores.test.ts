// Scores of the built-in readings on both engines of the emulator, against the same sums in JavaScript.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { type TypedArray, type TypedArrayClass, u32 } from "@mm-ptx/types/device";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import {
  absoluteError,
  type ErrorReading,
  maximumError,
  outputHash,
  outputs,
  reduction,
  squaredError,
} from "../../src/index.js";
import { openReduction } from "../../src/reading/open.js";
import { expectedError, expectedHash, numberOf16 } from "./support/reference.js";
import { CLASSES, memoryOf, planOf, scoresOf } from "./support/scores.js";

/** The interpreter also checks that no thread reads what another may not have written yet. */
const DEVICES = new Map([
  ["webassembly", EmulatedDevice.open({ engine: "webassembly" })],
  [
    "interpreter",
    EmulatedDevice.open({ engine: "interpreter", check: { races: true, uninitialized: true } }),
  ],
]);
afterAll(() => {
  expect(DEVICES.get("interpreter")!.findings).toEqual([]);
  for (const device of DEVICES.values()) device.dispose();
});

const ERRORS = { squaredError, absoluteError, maximumError } as const;
const KINDS = Object.keys(ERRORS) as (keyof typeof ERRORS)[];
const asNumbers = (data: TypedArray): Float64Array => Float64Array.from(data as ArrayLike<number>, Number);

const anyLength = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 400 }));
const anyCount = fc.integer({ min: 1, max: 4 });

/** Arrays of a class with any bits: NaNs, infinities and subnormal numbers are among the elements. */
function anyBits(elements: TypedArrayClass<TypedArray>, length: number): fc.Arbitrary<TypedArray> {
  const bytes = length * elements.BYTES_PER_ELEMENT;
  return fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((all) => new elements(all.slice().buffer, 0, length));
}

/** The same without the highest bit of the exponent: floating-point numbers between -2 and 2, none of which hides the others in a sum. */
const withSmallExponents = (data: TypedArray): TypedArray => {
  const copy = data.slice();
  const bytes = new Uint8Array(copy.buffer);
  for (let at = copy.BYTES_PER_ELEMENT - 1; at < bytes.length; at += copy.BYTES_PER_ELEMENT)
    bytes[at] = bytes[at]! & 0xbf;
  return copy;
};

const finite = { noNaN: true, noDefaultInfinity: true };
const anyFinite = fc.oneof(fc.double(finite), fc.float(finite), fc.integer());
const small = fc.integer({ min: -32, max: 32 }).map((eighths) => eighths / 8);

/** Outputs of programs, and a target for them. */
const anyPrograms = (elements: TypedArrayClass<TypedArray>) =>
  fc
    .record({
      length: anyLength,
      count: anyCount,
      areSmall: fc.boolean(),
      targets: fc.constantFrom(small, anyFinite),
    })
    .chain(({ length, count, areSmall, targets }) => {
      const output = anyBits(elements, length).map((data) => (areSmall ? withSmallExponents(data) : data));
      return fc.record({
        programs: fc.array(output, { minLength: count, maxLength: count }),
        target: fc.array(targets, { minLength: length, maxLength: length }),
      });
    });

const anyOutputs = fc
  .array(fc.record({ elements: fc.constantFrom(...CLASSES), length: fc.integer({ min: 1, max: 300 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((layout) =>
    fc.array(fc.tuple(...layout.map(({ elements, length }) => anyBits(elements, length))), {
      minLength: 1,
      maxLength: 3,
    }),
  );

/** A kernel that writes the sum of two elements of the outputs of each program, one thread for each. */
const USER_PTX = `.version 6.4
.target sm_75
.address_size 64
.visible .entry ends(.param .u64 a, .param .u64 b, .param .u64 scores, .param .u32 a_stride, .param .u32 b_stride, .param .u32 n)
{
	.reg .pred %p;
	.reg .b32 %i, %n, %s, %t;
	.reg .f32 %x, %y;
	.reg .b64 %a, %b, %o;
	mov.u32 %i, %tid.x;
	mov.u32 %s, %ctaid.x;
	mad.lo.u32 %i, %s, 32, %i;
	ld.param.u32 %n, [n];
	setp.ge.u32 %p, %i, %n;
	@%p bra $done;
	ld.param.u64 %a, [a];
	ld.param.u64 %b, [b];
	ld.param.u32 %s, [a_stride];
	ld.param.u32 %t, [b_stride];
	mad.wide.u32 %a, %i, %s, %a;
	mad.wide.u32 %b, %i, %t, %b;
	ld.global.f32 %x, [%a];
	ld.global.u32 %s, [%b];
	cvt.rn.f32.u32 %y, %s;
	add.f32 %x, %x, %y;
	ld.param.u64 %o, [scores];
	mad.wide.u32 %o, %i, 4, %o;
	red.global.add.f32 [%o], %x;
$done:
	ret;
}
`;

const SUMS = reduction({
  ptx: USER_PTX,
  kernel: "ends",
  grid: (alternatives) => Math.ceil(alternatives / 32),
  block: 32,
  args: ({ outputs: [a, b], strides: [aStride, bStride], scores, alternatives }) => [
    a!,
    b!,
    scores,
    u32(aStride!),
    u32(bStride!),
    u32(alternatives),
  ],
  scores: Float32Array,
});

describe.each([...DEVICES.keys()])("scores in %s", (engine) => {
  const device = () => DEVICES.get(engine)!;

  it.each(CLASSES.map((elements) => [elements.name, elements] as const))(
    "of outputs in any %s are those of the same sums in JavaScript",
    async (_, elements) => {
      const property = fc.asyncProperty(
        anyPrograms(elements),
        fc.constantFrom(...KINDS),
        fc.integer({ min: 0, max: 3 }),
        async ({ programs, target }, kind, padding) => {
          const alone = programs.map((data) => [data]);
          const targets = Float64Array.from(target);
          const expected = programs.map((data) => expectedError(kind, asNumbers(data), targets));
          expect(await scoresOf(device(), ERRORS[kind](targets), alone, padding)).toEqual(expected);
        },
      );
      await fc.assert(property, { numRuns: smoke(150) });
    },
  );

  it.each(["f16", "bf16"] as const)(
    "of outputs that contain %s are those of their values",
    async (format) => {
      const property = fc.asyncProperty(
        anyPrograms(CLASSES[2]!),
        fc.constantFrom(...KINDS),
        async ({ programs, target }, kind) => {
          const alone = programs.map((data) => [data]);
          const targets = Float64Array.from(target);
          const expected = programs.map((data) => {
            const values = asNumbers(data).map((bits) => numberOf16(format, bits));
            return expectedError(kind, values, targets);
          });
          expect(await scoresOf(device(), ERRORS[kind](targets, { format }), alone)).toEqual(expected);
        },
      );
      await fc.assert(property, { numRuns: smoke(250) });
    },
  );

  it("of several outputs are hashes of all bytes and their positions", async () => {
    const property = fc.asyncProperty(anyOutputs, async (programs) => {
      expect(await scoresOf(device(), outputHash(), programs, 1)).toEqual(programs.map(expectedHash));
    });
    await fc.assert(property, { numRuns: smoke(500) });
  });

  it("come from the output that the reading names", async () => {
    const programs = [
      [Float32Array.of(1, 2), Int32Array.of(3)],
      [Float32Array.of(4, 5), Int32Array.of(9)],
    ];
    expect(await scoresOf(device(), squaredError(Int8Array.of(1), { output: 1 }), programs)).toEqual([4, 64]);
  });

  it("come from a kernel of the caller's, whose memory contains zeros", async () => {
    using open = await openReduction(SUMS, device(), planOf([Float32Array.of(0), Uint32Array.of(0)]));
    const programs = Array.from({ length: 70 }, (_, i) => [Float32Array.of(i / 2), Uint32Array.of(i)]);
    const memory = await memoryOf(device(), programs, 2);
    const expected = programs.map((_, i) => 1.5 * i);
    expect(await open.scores(memory, 70)).toEqual(expected);
    expect(await Promise.all([open.scores(memory, 3), open.scores(memory, 70)])).toEqual([
      expected.slice(0, 3),
      expected,
    ]);
  });
});

describe("scores", () => {
  const device = () => DEVICES.get("webassembly")!;

  it.each([65_536, 65_537, 140_000])("of outputs with %i elements are summed in parts", async (length) => {
    const target = Float64Array.from({ length }, (_, i) => Math.sin(i));
    const programs = [3, 7].map((factor) => Float32Array.from({ length }, (_, i) => Math.cos(factor * i)));
    const alone = programs.map((data) => [data]);
    for (const kind of KINDS) {
      const expected = programs.map((data) => expectedError(kind, asNumbers(data), target));
      expect(await scoresOf(device(), ERRORS[kind](target), alone)).toEqual(expected);
    }
    const twice = programs.map((data) => [data, data]);
    expect(await scoresOf(device(), outputHash(), twice)).toEqual(twice.map(expectedHash));
  });

  it.each<[keyof typeof ERRORS, number[], number]>([
    ["squaredError", [1, NaN], NaN],
    ["squaredError", [Infinity, 0], Infinity],
    ["squaredError", [-Infinity, NaN], NaN],
    ["squaredError", [1e200, 0], Infinity],
    ["absoluteError", [1, NaN], NaN],
    ["absoluteError", [Infinity, -Infinity], Infinity],
    ["absoluteError", [1e200, 0], 1e200],
    ["maximumError", [NaN, Infinity], NaN],
    ["maximumError", [-Infinity, 5], Infinity],
    ["maximumError", [-3, 2], 3],
    ["maximumError", [-0, 0], 0],
  ])("%s of %j is %d", async (kind, values, expected) => {
    const [score] = await scoresOf(device(), ERRORS[kind](new Float64Array(2)), [
      [Float64Array.from(values)],
    ]);
    expect(score).toBe(expected);
  });

  it("do not depend on what is between the parts of programs, or after the target is changed", async () => {
    const target = Float32Array.of(1, 2, 3);
    const reading = squaredError(target);
    target.fill(NaN);
    expect(await scoresOf(device(), reading, [[Float32Array.of(1, 2, 5)]], 3)).toEqual([4]);
  });

  it("of calls that overlap are those of the memory at the time of the call", async () => {
    const programs = Array.from({ length: 50 }, (_, i) => [Int32Array.of(i)]);
    using open = await openReduction(absoluteError(Int32Array.of(-1)), device(), planOf(programs[0]!));
    const memory = await memoryOf(device(), programs);
    const calls = [1, 50, 7].map((count) => open.scores(memory, count));
    const cleared = memory[0]!.buffer.fill(0);
    calls.push(open.scores(memory, 2));
    await cleared;
    const lists = await Promise.all(calls);
    expect(lists.map(({ length }) => length)).toEqual([1, 50, 7, 2]);
    for (const list of lists.slice(0, 3))
      expect(list).toEqual(programs.slice(0, list.length).map((_, i) => i + 1));
    expect(lists[3]).toEqual([1, 1]);
  });

  it("of clones of readings are those of the readings", async () => {
    const readings = [
      outputHash(),
      maximumError(Float32Array.of(1)),
      absoluteError(Uint8Array.of(1), { output: 0, format: "bf16" }) as ErrorReading,
    ];
    for (const reading of readings) {
      const data = [[reading.kind === "absoluteError" ? Uint16Array.of(0x4000) : Float32Array.of(2)]];
      const clone = structuredClone(reading);
      expect(await scoresOf(device(), clone, data)).toEqual(await scoresOf(device(), reading, data));
    }
    expect(structuredClone(outputs())).toEqual(outputs());
  });

  it("do not count towards the limits that a device has for programs", async () => {
    using limited = EmulatedDevice.open({ limits: { instructions: 100, timeoutMs: 0.001 } });
    const data = Float32Array.from({ length: 2000 }, (_, i) => i);
    expect(await scoresOf(limited, maximumError(new Float32Array(2000)), [[data]])).toEqual([1999]);
  });

  it("leave no memory behind on the device", async () => {
    const before = device().memoryInfo().free;
    await scoresOf(device(), squaredError(Float32Array.of(1)), [[Float32Array.of(2)], [Float32Array.of(3)]]);
    await scoresOf(device(), outputHash(), [[Float32Array.of(2), Float64Array.of(3)]]);
    await scoresOf(device(), SUMS, [[Float32Array.of(2), Uint32Array.of(3)]]);
    expect(device().memoryInfo().free).toBe(before);
  });
});
