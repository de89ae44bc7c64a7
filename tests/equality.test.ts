// Equality of long arrays, which tests/support/equality.ts makes fast, is still equality.

import { describe, expect, it } from "vitest";

const LENGTH = 1_000;
const counted = () => Float32Array.from({ length: LENGTH }, (_, i) => i);

/** The same numbers with another one at some index. */
function changed(index: number, value: number): Float32Array {
  const array = counted();
  array[index] = value;
  return array;
}

describe.each([
  ["typed arrays", (array: Float32Array): unknown => array],
  ["arrays", (array: Float32Array): unknown => [...array]],
  ["properties", (array: Float32Array): unknown => ({ array, others: [array] })],
])("%s", (_, given) => {
  it("of the same numbers are equal", () => {
    expect(given(counted())).toEqual(given(counted()));
    expect(given(changed(7, Number.NaN))).toStrictEqual(given(changed(7, Number.NaN)));
  });

  it.each([
    ["first number", changed(0, 1)],
    ["last number", changed(LENGTH - 1, 0)],
    ["sign of a zero", changed(0, -0)],
    ["NaN", changed(5, Number.NaN)],
    ["length", counted().subarray(1)],
  ])("with another %s differ", (_, other) => {
    expect(given(counted())).not.toEqual(given(other));
    expect(given(other)).not.toStrictEqual(given(counted()));
  });
});

it("arrays of different types, and with holes, differ", () => {
  expect(new Uint8Array(100)).not.toEqual(new Int8Array(100));
  expect(new Uint8Array(100)).not.toEqual(Buffer.alloc(100));
  expect(Array.from({ length: 100 }, () => undefined)).not.toStrictEqual(new Array(100));
});

it("views of a part compare that part", () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i % 50);
  expect(bytes.subarray(0, 50)).toEqual(bytes.subarray(50));
  expect(bytes.subarray(0, 50)).not.toEqual(bytes.subarray(49, 99));
});
