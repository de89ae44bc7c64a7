// Finds the operation of an instruction: the single entry point of this folder for instructions without memory access,
// warp communication or control flow.
import { COMPARING } from "./compare-operations.js";
import { convertOperation } from "./convert-operations.js";
import { floatOperation } from "./float-operations.js";
import { integerOperation } from "./integer-operations.js";
import type { Mnemonic, ScalarOperation } from "./operation.js";
import { videoOperation } from "./video-operations.js";

/**
 * The operation of an instruction, or undefined if its result is not a function of its operands alone.
 *
 * @param sources the number of source operands, which distinguishes forms of `min` and `max`
 */
export function scalarOperation(mnemonic: Mnemonic, sources?: number): ScalarOperation | undefined {
  if (mnemonic.name === "cvt") return convertOperation(mnemonic);
  const comparing = COMPARING[mnemonic.name];
  if (comparing !== undefined) return comparing(mnemonic);
  return integerOperation(mnemonic) ?? floatOperation(mnemonic, sources) ?? videoOperation(mnemonic);
}
