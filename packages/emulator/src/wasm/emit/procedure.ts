// Calls of procedures, which JavaScript carries out. All values are passed as 64 bits.
import type { Step } from "../../control/step.js";
import { itemsOf, type Operand } from "../../program/operand.js";
import { procedureShape } from "../frame.js";
import { isFetch, isSurfaceAccess } from "../images/forms.js";
import { arrive, isPlainArrival } from "./barrier-object.js";
import type { Emitter } from "./emitter.js";
import { fetch, surfaceAccess } from "./image.js";
import { pushSum } from "./memory.js";

/** Emits a call of the procedure of an instruction. */
export function procedure(emitter: Emitter, step: Step): void {
  const { code } = emitter;
  const { operands } = step.source;
  const { results, operandTypes } = step.operation;
  const usual = isPlainArrival(step)
    ? arrive
    : isFetch(step)
      ? fetch
      : isSurfaceAccess(step)
        ? surfaceAccess
        : undefined;
  if (usual !== undefined) {
    usual(emitter, step, () => pushResults(emitter, step));
    return;
  }
  pushResults(emitter, step);
  const targets = operands
    .slice(0, results)
    .flatMap((operand, i) => itemsOf(operand).map((item) => ({ item, type: operandTypes[i]! })));
  const values = targets.map(() => code.take("i64"));
  for (const value of values.toReversed()) code.set(value);
  targets.forEach(({ item, type }, i) => {
    emitter.assignOperand(step, item, type, "i64", () => void code.get(values[i]!));
  });
  for (const value of values) code.release("i64", value);
}

/** Calls the procedure, which leaves its results on the stack. */
function pushResults(emitter: Emitter, step: Step): void {
  const { code, facts } = emitter;
  code.i32(emitter.site({ step }));
  emitter.threadNumber();
  for (const operand of step.source.operands.slice(step.operation.results))
    for (const item of itemsOf(operand)) push(emitter, step, item);
  code.call(facts.module.procedures.get(procedureShape(step).key)!);
}

function push(emitter: Emitter, step: Step, operand: Operand): void {
  const { code } = emitter;
  if (operand.kind === "sink") code.i64(0n);
  else if (operand.kind !== "address") emitter.pushBits(step, operand, "i64", true);
  else {
    const { base, offset } = operand;
    if (base.kind === "register") pushSum(emitter, step, base, offset);
    else if (base.kind === "immediate") code.i64(base.bits + BigInt(offset));
    else emitter.addressOf(step.context, base, offset, "i64");
  }
}
