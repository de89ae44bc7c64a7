// Which operation an instruction is: the one way into this folder for instructions without memory, warps and control.
import { COMPARING } from "./compare-operations.js";
import { convertOperation } from "./convert-operations.js";
import { floatOperation } from "./float-operations.js";
import { integerOperation } from "./integer-operations.js";
import { type ScalarOperation, splitMnemonic } from "./operation.js";
import { videoOperation } from "./video-operations.js";

/**
 * What an instruction computes, or undefined when it is no function of its operands.
 *
 * @param opcode the mnemonic with its modifiers: `fma.rn.ftz.f32`
 * @param sources how many source operands it is written with, which tells forms of `min` and `max` apart
 */
export function scalarOperation(opcode: string, sources?: number): ScalarOperation | undefined {
  const mnemonic = splitMnemonic(opcode);
  if (mnemonic.name === "cvt") return convertOperation(mnemonic);
  const comparing = COMPARING[mnemonic.name];
  if (comparing !== undefined) return comparing(mnemonic);
  return integerOperation(mnemonic) ?? floatOperation(mnemonic, sources) ?? videoOperation(mnemonic);
}
