// Instructions as functions of bits, for callers that have no faster path.
import { NAN_32 } from "@mm-ptx/types/internal/floats";
import { bitsOfFloat32, bitsOfFloat64, float32OfBits, float64OfBits } from "./formats.js";
import { nan64 } from "./nan.js";
import type { Evaluate, Kind, Mnemonic, Value } from "./operation.js";
import { scalarOperation } from "./scalar.js";

/** Maps the bits of the source operands to the bits of the results. */
export type Evaluator = (operands: readonly bigint[]) => readonly bigint[];

const READ: Readonly<Record<Kind, (bits: bigint) => Value>> = {
  i32: (bits) => Number(BigInt.asUintN(32, bits)),
  i64: (bits) => bits,
  f32: (bits) => float32OfBits(Number(BigInt.asUintN(32, bits))),
  f64: float64OfBits,
};

/**
 * The function that an instruction without memory access, warp communication or control flow computes, for the given
 * numbers of source operands and results; undefined for other instructions. Results are as wide as the instruction's
 * type.
 */
export function evaluatorOf(mnemonic: Mnemonic, sources: number, results: number): Evaluator | undefined {
  const operation = scalarOperation(mnemonic, sources);
  if (operation === undefined) return undefined;
  const { args, result, bits, evaluate, second } = operation;
  const reads = args.map((kind) => READ[kind]);
  const write = (operands: readonly bigint[], apply: Evaluate): bigint => {
    const [a = 0, b = 0, c = 0, d = 0] = reads.map((read, index) => read(operands[index]!));
    const value = apply(a, b, c, d);
    if (typeof value === "bigint") return BigInt.asUintN(bits, value);
    if (result === "f32") return BigInt(Number.isNaN(value) ? NAN_32 : bitsOfFloat32(value));
    if (result !== "f64") return BigInt.asUintN(bits, BigInt(value));
    return Number.isNaN(value)
      ? nan64(operands.filter((_, index) => args[index] === "f64"))
      : bitsOfFloat64(value);
  };
  return (operands) =>
    results === 2 && second !== undefined
      ? [write(operands, evaluate), write(operands, second)]
      : [write(operands, evaluate)];
}
