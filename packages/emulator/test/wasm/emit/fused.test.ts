// `fma` of f32 and f64 on machines without a relaxed operation that rounds once: in vectors, thread by thread and one
// by one, on values that are prone to double rounding.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, smoke } from "../../../../../tests/support/counts.js";
import { Interpreter } from "../../../src/interpreter/index.js";
import type { Engine } from "../../../src/run/launch.js";
import { Translator } from "../../../src/wasm/index.js";
import { type LoadedText, loadText } from "../../support/launching.js";

const THREADS = 64;
const BYTES = 8;

const kernelOf = (opcode: string, type: "f32" | "f64") => `.version 8.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data) {
.reg .b32 %r<2>; .reg .${type} %f<5>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [data];
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd2, %r1, ${BYTES}, %rd1;
ld.global.${type} %f1, [%rd2];
ld.global.${type} %f2, [%rd2+${THREADS * BYTES}];
ld.global.${type} %f3, [%rd2+${2 * THREADS * BYTES}];
${opcode} %f4, %f1, %f2${/^(fma|mad)/.test(opcode) ? ", %f3" : ""};
st.global.${type} [%rd2+${3 * THREADS * BYTES}], %f4;
ret;
}`;

/** Runs the kernel of a text on a number of threads. Engines keep what they make of a text for the next run. */
async function run(
  engine: Engine,
  text: LoadedText,
  threads: number,
  input: BigUint64Array,
): Promise<string[]> {
  const words = new BigUint64Array(4 * THREADS);
  words.set(input);
  const { fault, buffers } = await text.launch(engine, {
    block: [threads, 1, 1],
    args: [{ buffer: words }],
  });
  expect(fault).toBeUndefined();
  const after = new BigUint64Array(buffers[0]!.buffer);
  return [...after.subarray(3 * THREADS, 3 * THREADS + threads)].map((word) => word.toString(16));
}

const bits32 = (value: number): bigint => BigInt(new Uint32Array(new Float32Array([value]).buffer)[0]!);
const bits64 = (value: number): bigint => new BigUint64Array(new Float64Array([value]).buffer)[0]!;

/**
 * Products near the midpoint of two f32 values, where a small third number decides. In other formats, these
 * values are harmless.
 */
const NEAR_MIDDLES = fc
  .record({
    a: fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
    power: fc.integer({ min: -140, max: 80 }),
    tail: fc.integer({ min: -90, max: 0 }),
    sign: fc.constantFrom(-1, 1),
  })
  .map(({ a, power, tail, sign }) => {
    // (a + 1/2) * 2^power is a midpoint: the product of an odd 25-bit number and a power of two, split into two
    // factors.
    const odd = 2 * a + 1;
    const factor = [3, 5, 7, 11, 13].find((prime) => odd % prime === 0) ?? 1;
    return [odd / factor / 2, factor * 2 ** power, sign * 2 ** (power + tail)] as const;
  });

const anyTriple = (any: fc.Arbitrary<number>) => fc.tuple(any, any, any);
const SMALL = fc.integer({ min: -9, max: 9 });
const SPECIAL = fc.constantFrom(0, -0, Infinity, -Infinity, NaN, 2 ** -149, 2 ** -126, 3.4028234663852886e38);

const triples = (any: fc.Arbitrary<number>) =>
  fc.array(fc.oneof(NEAR_MIDDLES, anyTriple(any), anyTriple(SMALL), anyTriple(fc.oneof(SPECIAL, any))), {
    minLength: THREADS,
    maxLength: THREADS,
  });

describe("rounded in a direction", () => {
  it.each([
    ...[
      "fma.rz.f32",
      "fma.rm.f32",
      "fma.rp.f32",
      "fma.rm.ftz.f32",
      "fma.rp.sat.f32",
      "add.rz.f32",
      "add.rm.f32",
    ],
    ...[
      "add.rp.ftz.f32",
      "sub.rm.f32",
      "sub.rp.f32",
      "mul.rz.f32",
      "mul.rm.f32",
      "mul.rp.f32",
      "mul.rm.ftz.f32",
    ],
  ])("%s", async (opcode) => {
    const text = loadText(kernelOf(opcode, "f32"));
    const [interpreter, translator] = [new Interpreter(), new Translator()];
    await fc.assert(
      fc.asyncProperty(triples(fc.float()), async (values) => {
        const input = new BigUint64Array(3 * THREADS);
        values.forEach((triple, thread) => {
          triple.forEach((value, i) => {
            input[i * THREADS + thread] = bits32(value);
          });
        });
        const expected = await run(interpreter, text, THREADS, input);
        expect(await run(translator, text, THREADS, input)).toEqual(expected);
        expect(await run(translator, text, 3, input)).toEqual(expected.slice(0, 3));
      }),
      { numRuns: smoke(100) },
    );
  });
});

describe("without a relaxed operation that rounds once", () => {
  it.each([
    ["fma.rn.f32", "f32"],
    ["fma.rn.ftz.f32", "f32"],
    ["fma.rn.sat.f32", "f32"],
    ["fma.rn.f64", "f64"],
  ] as const)("%s", async (opcode, type) => {
    const text = loadText(kernelOf(opcode, type));
    const interpreter = new Interpreter();
    const translator = new Translator({ compiles: true, fusedMultiplyAdd: false });
    const toBits = type === "f32" ? bits32 : bits64;
    await fc.assert(
      fc.asyncProperty(triples(type === "f32" ? fc.float() : fc.double()), async (values) => {
        const input = new BigUint64Array(3 * THREADS);
        values.forEach((triple, thread) => {
          triple.forEach((value, i) => {
            input[i * THREADS + thread] = toBits(value);
          });
        });
        const expected = await run(interpreter, text, THREADS, input);
        expect(await run(translator, text, THREADS, input)).toEqual(expected);
        expect(await run(translator, text, 3, input)).toEqual(expected.slice(0, 3));
      }),
      { numRuns: cases(80) },
    );
  });
});
