// The scores computed in JavaScript, with the same operations in the same order as the kernels.
import type { TypedArray } from "@mm-ptx/types/device";
import type { ErrorReading } from "../../../src/index.js";

const THREADS = 128;
const PART = 65_536;

const added = (a: number, b: number): number => a + b;
const larger = (a: number, b: number): number => Math.max(a, b);

type Kind = ErrorReading["kind"];

/** The score of an output against a target, both as f64. */
export function expectedError(kind: Kind, values: Float64Array, target: Float64Array): number {
  const combine = kind === "maximumError" ? larger : added;
  const terms = values.map((value, i) => {
    const difference = value - target[i]!;
    return kind === "squaredError" ? difference * difference : Math.abs(difference);
  });
  const parts = Array.from({ length: Math.ceil(terms.length / PART) }, (_, part) =>
    reducedPart(terms.subarray(part * PART, (part + 1) * PART), combine),
  );
  return parts.reduce((a, b) => combine(a, b));
}

function reducedPart(terms: Float64Array, combine: (a: number, b: number) => number): number {
  const results = new Float64Array(THREADS);
  terms.forEach((term, i) => {
    results[i % THREADS] = combine(results[i % THREADS]!, term);
  });
  for (let stride = THREADS / 2; stride >= 1; stride /= 2)
    for (let thread = 0; thread < stride; thread++)
      results[thread] = combine(results[thread]!, results[thread + stride]!);
  return results[0]!;
}

const BITS = 64;

/** The hash of all outputs of one program. */
export function expectedHash(outputs: readonly TypedArray[]): string {
  let [total, position] = [0n, 0n];
  for (const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } of outputs) {
    const view = new DataView(buffer, byteOffset, byteLength);
    const size = Math.min(4, BYTES_PER_ELEMENT);
    for (let at = 0; at < byteLength; at += size) {
      position += 1n;
      let bits = 0n;
      for (let byte = size - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(view.getUint8(at + byte));
      total += mixed((position << 32n) | bits);
    }
  }
  return BigInt.asUintN(BITS, total).toString(16).padStart(16, "0");
}

function mixed(key: bigint): bigint {
  let bits = key;
  bits = BigInt.asUintN(BITS, (bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n);
  bits = BigInt.asUintN(BITS, (bits ^ (bits >> 27n)) * 0x94d049bb133111ebn);
  return bits ^ (bits >> 31n);
}

/** The number with these bits in a 16-bit floating-point format. */
export function numberOf16(format: "f16" | "bf16", bits: number): number {
  if (format === "bf16") return new Float32Array(Uint32Array.of(bits << 16).buffer)[0]!;
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
