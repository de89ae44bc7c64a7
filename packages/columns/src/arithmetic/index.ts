// The results of instructions without memory access, warp communication or control flow, one value at a time. The
// packages of mm-ptx share this entry. It is published because they import it, but nothing here is part of the public
// interface: any release may change or remove it.
export { multiplyAdd64 } from "./double.js";
export { type Evaluator, evaluatorOf } from "./evaluator.js";
export {
  BF16,
  bitsOfFloat64,
  decode,
  E4M3,
  E5M2,
  encode,
  F16,
  F32,
  type FloatFormat,
  FORMATS,
  float64OfBits,
  type Rounding,
  roundingOf,
  roundTo,
} from "./formats.js";
export { clamp, type IntegerType, wrap } from "./integer.js";
export { integerType } from "./integer-operations.js";
export { nan64 } from "./nan.js";
export {
  bitsOf,
  type Evaluate,
  type Kind,
  type Mnemonic,
  mnemonicOf,
  readMnemonic,
  type ScalarOperation,
  type Value,
} from "./operation.js";
export { scalarOperation } from "./scalar.js";
