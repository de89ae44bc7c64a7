// The fast functions on integers against those on bigints, on random and edge values.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { INTEGER_FUNCTIONS, wrap } from "../../src/arithmetic/integer.js";
import { integerType, QUICK } from "../../src/arithmetic/integer-operations.js";
import { bitsOf, type Value } from "../../src/arithmetic/operation.js";

const EDGES = [
  0n,
  1n,
  31n,
  32n,
  33n,
  63n,
  64n,
  0x7fffffffn,
  0x80000000n,
  0xffffffffn,
  2n ** 63n,
  2n ** 64n - 1n,
];
const value = fc.oneof(fc.constantFrom(...EDGES), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));

/** The type of an operand, which may differ from that of the instruction. */
const argumentType = (key: string, type: string, index: number): string =>
  key.startsWith("sh") && index === 1 ? "u32" : type;

describe("fast functions", () => {
  it.each(Object.keys(QUICK))("%s returns the same as on bigints", (name) => {
    const at = name.lastIndexOf(".");
    const key = name.slice(0, at);
    const type = name.slice(at + 1);
    const slow = INTEGER_FUNCTIONS[key]!;
    const resultBits = key.endsWith("wide") ? 64 : type === "pred" ? 1 : bitsOf(type);
    const travelling = (bits: bigint, index: number): Value => {
      const unsigned = BigInt.asUintN(bitsOf(argumentType(key, type, index)), bits);
      return bitsOf(argumentType(key, type, index)) === 64 ? unsigned : Number(unsigned);
    };
    fc.assert(
      fc.property(value, value, value, value, (...given) => {
        const [a = 0, b = 0, c = 0, d = 0] = given.map(travelling);
        const exact = given.map((bits, index) => wrap(integerType(argumentType(key, type, index)), bits));
        const expected = slow(integerType(type), exact[0]!, exact[1]!, exact[2]!, exact[3]!);
        const found = BigInt.asUintN(resultBits, BigInt(QUICK[name]!(a, b, c, d)));
        expect(found).toBe(BigInt.asUintN(resultBits, expected));
      }),
      { numRuns: smoke(20_000) },
    );
  });
});
