// Exact sums of doubles, as integers in units of 2^-1074: what losses are compared with.

/** The number in units of 2^-1074. */
export function exact(value: number): bigint {
  const [bits] = new BigInt64Array(Float64Array.of(value).buffer);
  const exponent = BigInt.asUintN(11, bits! >> 52n);
  const fraction = BigInt.asUintN(52, bits!);
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits! < 0n ? -magnitude : magnitude;
}

/** The quotient of two integers, rounded to about 60 bits. */
export function quotient(numerator: bigint, denominator: bigint): number {
  const shift = 1200n;
  const scaled = (numerator << shift) / denominator;
  const length = scaled.toString(2).length;
  const cut = BigInt(Math.max(0, length - 64));
  return Number(scaled >> cut) * 2 ** (Number(cut) - 600) * 2 ** -600;
}

export const absolute = (a: bigint): bigint => (a < 0n ? -a : a);
