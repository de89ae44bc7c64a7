// Instructions as functions of bits, for who has nothing quicker.
import { bitsOfFloat32, bitsOfFloat64, float32OfBits, float64OfBits } from "./formats.js";
import { NAN_32, nan64 } from "./nan.js";
import type { Evaluate, Kind, Value } from "./operation.js";
import { scalarOperation } from "./scalar.js";

/** From the bits of the source operands to those of the results. */
export type Evaluator = (operands: readonly bigint[]) => readonly bigint[];

const READ: Readonly<Record<Kind, (bits: bigint) => Value>> = {
  i32: (bits) => Number(BigInt.asUintN(32, bits)),
  i64: (bits) => bits,
  f32: (bits) => float32OfBits(Number(BigInt.asUintN(32, bits))),
  f64: float64OfBits,
};

/**
 * What an instruction without memory, warps and control computes, with so many source operands and results; undefined for
 * others. Results are as wide as the instruction's type.
 *
 * @param opcode the mnemonic with its modifiers
 */
export function evaluatorOf(opcode: string, sources: number, results: number): Evaluator | undefined {
  const operation = scalarOperation(opcode, sources);
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
