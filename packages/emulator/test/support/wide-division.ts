// Inputs and results of test/kernels/wide-division: quotients and remainders of 128-bit integers, computed with BigInt.
import { numbers } from "./kernel-case.js";

/** A dividend and a divisor. */
export type Pair = readonly [bigint, bigint];

const EDGES = [0n, 1n, 2n, 3n, 7n, 10n, 1000n, 0xffffn, 0xffffffffn]
  .flatMap((low) => [0n, 32n, 63n, 64n, 96n, 127n].map((by) => low << by))
  .flatMap((value) => [value, value - 1n, value + 1n, -value, ~value])
  .map((value) => BigInt.asUintN(128, value));

const LEAST = 1n << 127n;
const MINUS_ONE = (1n << 128n) - 1n;

/** `count` pairs for which C++ defines signed and unsigned quotients: edge values, and numbers of all lengths. */
export function divisionPairs(count: number, seed: number): readonly Pair[] {
  const next = numbers(seed);
  const random = () => {
    let value = 0n;
    for (let word = 0; word < 4; word++) value = (value << 32n) | BigInt(next(2 ** 32));
    value >>= BigInt(next(128));
    return next(4) === 0 ? BigInt.asUintN(128, -value) : value;
  };
  const operand = () => (next(4) === 0 ? EDGES[next(EDGES.length)]! : random());
  const pairs: Pair[] = [];
  while (pairs.length < count) {
    const divisor = operand();
    let dividend = operand();
    // Products and their neighbours have remainders at both ends of their range.
    if (next(4) === 0) dividend = BigInt.asUintN(128, divisor * operand() + BigInt(next(3)) - 1n);
    if (divisor !== 0n && !(dividend === LEAST && divisor === MINUS_ONE)) pairs.push([dividend, divisor]);
  }
  return pairs;
}

/** Numbers of 128 bits as the kernel reads them. */
export function toWords(values: readonly bigint[]): BigUint64Array<ArrayBuffer> {
  return BigUint64Array.from(
    values.flatMap((value) => [BigInt.asUintN(64, value), BigInt.asUintN(64, value >> 64n)]),
  );
}

/** The unsigned quotient and remainder, then the signed ones. */
export function divided([a, b]: Pair): readonly bigint[] {
  const [x, y] = [BigInt.asIntN(128, a), BigInt.asIntN(128, b)];
  return [a / b, a % b, x / y, x % y];
}
