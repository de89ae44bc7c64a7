// Features of codes that are written by hand, and of random ones against a simple reference.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  CODE_FEATURES,
  codeType,
  constantOperation,
  describeCode,
  encodeOperation,
  inputOperation,
} from "../../src/code/index.js";
import { CodeWord } from "../../src/code/layout.js";

const F32 = codeType("f32");
const F64 = codeType("f64");

/** The words of a code. */
function codeOf(
  inputs: number,
  items: readonly (readonly number[])[],
  outputs: readonly number[],
): Uint32Array {
  const head = [CodeWord.magic, items.length, inputs | (outputs.length << CodeWord.outputShift)];
  return Uint32Array.from([...head, ...items.flat(), ...outputs.map((value) => value | (F32 << 24))]);
}

/** The features that are not 0. */
function featuresOf(words: Uint32Array, start = 0): Record<string, number> {
  const features = new Float32Array(CODE_FEATURES.length).fill(Number.NaN);
  describeCode(words, start, features);
  return Object.fromEntries(
    CODE_FEATURES.map((name, index) => [name, features[index]!]).filter(([, value]) => value !== 0),
  );
}

const operation = (text: string, operands: number): number => {
  const word = encodeOperation(text, operands);
  expect(word, text).toBeGreaterThan(0);
  return word;
};

it("has a name for each feature, and each name once", () => {
  expect(new Set(CODE_FEATURES).size).toBe(CODE_FEATURES.length);
});

it("counts what is live, and not what no output needs", () => {
  const words = codeOf(
    3,
    [
      [inputOperation(F32), 0],
      [inputOperation(F32), 2],
      [constantOperation(F32), 0x3f800000],
      [operation("fma.rn.ftz.f32", 3), 0, 1, 2],
      [operation("sin.approx.f32", 1), 3],
      [operation("mul.f32", 2), 3, 4],
      [operation("neg.f32", 1), 5],
    ],
    [5],
  );
  expect(featuresOf(words)).toEqual({
    ...{
      instructions: 3,
      computed: 3,
      inputs: 2,
      constants: 1,
      outputs: 1,
      depth: 3,
      registers: 2,
      reads: 6,
    },
    shared: 1,
    ...{ fused: 1, transcendental: 1, multiply: 1, single: 3, flushed: 1, approximate: 1 },
  });
  const shifted = new Uint32Array(words.length + 5);
  shifted.set(words, 5);
  expect(featuresOf(shifted, 5)).toEqual(featuresOf(words));
});

it("counts registers of 32 bits: two for 64 bits, none for predicates and constants", () => {
  const words = codeOf(
    2,
    [
      [inputOperation(F64), 0],
      [inputOperation(F64), 1],
      [constantOperation(F64), 0, 0x3ff00000],
      [operation("setp.lt.f64", 2), 0, 2],
      [operation("selp.f64", 3), 0, 1, 3],
    ],
    [4],
  );
  expect(featuresOf(words)).toEqual({
    ...{
      instructions: 2,
      computed: 2,
      inputs: 2,
      constants: 1,
      outputs: 1,
      depth: 2,
      registers: 4,
      reads: 5,
    },
    shared: 1,
    ...{ compare: 1, select: 1, double: 2 },
  });
});

it("does not count as computed what depends on constants alone", () => {
  const words = codeOf(
    1,
    [
      [inputOperation(F32), 0],
      [constantOperation(F32), 0x3f800000],
      [operation("neg.f32", 1), 1],
      [operation("ex2.approx.ftz.f32", 1), 2],
      [operation("neg.f32", 1), 0],
      [operation("add.f32", 2), 4, 3],
      [operation("add.f32", 2), 3, 4],
    ],
    [5, 6],
  );
  expect(featuresOf(words)).toMatchObject({ instructions: 5, computed: 3, depth: 3 });
});

it("describes codes without instructions and with equal outputs", () => {
  expect(featuresOf(codeOf(1, [[inputOperation(F32), 0]], [0, 0]))).toEqual({
    ...{ inputs: 1, outputs: 2, registers: 1, shared: 1 },
  });
  expect(featuresOf(codeOf(0, [[constantOperation(F32), 7]], [0]))).toEqual({ constants: 1, outputs: 1 });
});

it("agrees with a reference for random codes", () => {
  const kinds = ["add.f32", "mul.f32", "fma.rn.f32", "neg.f32", "ex2.approx.ftz.f32"] as const;
  const operands = [2, 2, 3, 1, 1];
  const item = fc.tuple(fc.nat(kinds.length - 1), fc.array(fc.nat(), { minLength: 3, maxLength: 3 }));
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 400 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (drawn, ends, isConstant) => {
        const items = drawn.map(([kind, values], index): number[] => [
          operation(kinds[kind]!, operands[kind]!),
          ...values.slice(0, operands[kind]).map((value) => value % (index + 1)),
        ]);
        // An input first, or a constant, which is in no register.
        items.unshift([isConstant ? constantOperation(F32) : inputOperation(F32), 0]);
        const outputs = ends.map((end) => end % items.length);
        const readersOf = items.map(() => 0);
        for (const output of outputs) readersOf[output]!++;
        for (let index = items.length - 1; index > 0; index--) {
          if (readersOf[index] !== 0) for (const value of items[index]!.slice(1)) readersOf[value]!++;
        }
        const live = items.slice(1).filter((_, index) => readersOf[index + 1] !== 0);
        const depths: number[] = [0];
        for (const [, ...values] of items.slice(1))
          depths.push(1 + Math.max(...values.map((value) => depths[value]!)));
        const lastRead = items.map((_, value) =>
          outputs.includes(value)
            ? items.length
            : items.findLastIndex(
                (one, index) => index > 0 && readersOf[index] !== 0 && one.slice(1).includes(value),
              ),
        );
        let registers = 0;
        for (let place = 0; place < items.length; place++) {
          const inUse = items.filter(
            (_, value) =>
              readersOf[value] !== 0 &&
              value <= place &&
              lastRead[value]! > place &&
              !(isConstant && value === 0),
          );
          registers = Math.max(registers, inUse.length);
        }
        const features = featuresOf(codeOf(isConstant ? 0 : 1, items, outputs));
        expect(features.instructions ?? 0).toBe(live.length);
        expect(features.computed ?? 0).toBe(isConstant ? 0 : live.length);
        expect(features.reads ?? 0).toBe(live.reduce((sum, one) => sum + one.length - 1, 0));
        expect(features.shared ?? 0).toBe(readersOf.filter((count) => count > 1).length);
        expect(features.depth ?? 0).toBe(Math.max(...outputs.map((output) => depths[output]!)));
        expect(features.registers ?? 0).toBe(registers);
      },
    ),
  );
});
