// Calls of built-in functions in translated code. Arguments and results are variables of the caller.
import { BUILT_INS, type BuiltInHost, bitsOf, writeBits } from "../built-ins/index.js";
import { placeOf } from "../control/graph.js";
import type { Step } from "../control/step.js";
import type { Operand } from "../program/operand.js";

/**
 * Carries out a call.
 * @param local where the frame of the calling thread begins
 */
export function callBuiltIn({ source, context }: Step, host: BuiltInHost, local: number): void {
  const { callee, args, results } = source.call!;
  const { memory } = host.launch.loaded.memory;
  const bytesOf = (operand: Operand) => {
    if (operand.kind !== "variable") throw host.trap("its arguments are not variables");
    const place = placeOf(context, operand.variable);
    const { offset, bytes: size } = place.context.body.variables[place.variable]!;
    return new Uint8Array(memory.buffer, local + place.context.frameBase + offset, size);
  };
  const values = args.map((operand) => bitsOf(bytesOf(operand)));
  const value = BUILT_INS.get(callee.kind === "builtin" ? callee.name : "")!(host, values);
  if (results[0] !== undefined) writeBits(bytesOf(results[0]), value);
}
