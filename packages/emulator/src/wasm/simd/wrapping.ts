// Neighbours with a constant stride whose values wrap around in 32 bits, so that wider values have no constant stride.
import type { Step } from "../../control/step.js";
import type { Label } from "../binary/code.js";
import type { Emitter } from "../emit/emitter.js";
import type { Shapes } from "./shapes.js";
import { LANES } from "./vectors.js";

/** Branches away when the values of a group's neighbours wrap around in 32 bits. */
export function leaveIfWrapping(scalar: Emitter, step: Step, shapes: Shapes, away: Label): void {
  const { code } = scalar;
  const isSigned = step.operation.types.at(-1)!.startsWith("s");
  for (let i = step.operation.results; i < step.source.operands.length; i++) {
    const stride = shapes.ofOperand(step, step.source.operands[i]!);
    if (stride === undefined || stride === 0 || step.operation.operandTypes[i]!.endsWith("64")) continue;
    scalar.push(step, i);
    code.i32(stride * (LANES - 1)).op("i32.add");
    scalar.push(step, i);
    code.op(`i32.${stride > 0 ? "lt" : "gt"}_${isSigned ? "s" : "u"}`).brIf(away);
  }
}
