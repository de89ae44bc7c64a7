// Arrivals at barrier objects. Unusual ones are left to the procedure, which also reports mistakes.
import type { Step } from "../../control/step.js";
import { BARRIER_LAYOUT } from "../../procedures/barrier-object.js";
import type { Emitter } from "./emitter.js";
import { withAddress } from "./memory.js";

const { bytes, count: most, open, expected, phase, mark, valid } = BARRIER_LAYOUT;

/** Whether an instruction only arrives at an object in shared memory. */
export function isPlainArrival({ operation: { traits, words, space, results } }: Step): boolean {
  const isSpecial = words.has("expect_tx") || words.has("noComplete");
  return traits.procedure && results === 1 && space === "shared" && words.has("arrive") && !isSpecial;
}

/** @param slowly calls the procedure, which leaves the result on the stack */
export function arrive(emitter: Emitter, step: Step, slowly: () => void): void {
  const { code } = emitter;
  const [result, address, count] = step.source.operands;
  const [before, after, given] = [code.take("i64"), code.take("i64"), code.take("i64")];
  const access = { kind: "atomic", space: step.operation.space, bytes } as const;
  withAddress(emitter, step, address!, access, (place) => {
    place.push();
    code.memory("i64.load", place.offset).set(before);
    if (count === undefined || count.kind === "sink") code.i64(1n);
    else emitter.pushBits(step, count, "i64", true);
    code.set(given);
    code.get(before).i64(mark).op("i64.shr_u").i64(valid).op("i64.eq");
    code.get(given).i64(1n).op("i64.sub").get(before).i64(most).op("i64.and").op("i64.lt_u");
    code.op("i32.and").if();
    code.get(before).get(given).op("i64.sub").tee(after).i64(open).op("i64.and").op("i64.eqz").if();
    // The next phase begins, for which all arrivals are expected again.
    code.get(after).i64(expected).op("i64.shr_u").i64(most).op("i64.and");
    code
      .get(after)
      .op("i64.or")
      .i64(1n << phase)
      .op("i64.xor")
      .set(after);
    code.end();
    place.push();
    code.get(after).memory("i64.store", place.offset).else();
    slowly();
    code.set(before).end();
  });
  emitter.assignOperand(step, result!, step.operation.operandTypes[0]!, "i64", () => void code.get(before));
  for (const local of [before, after, given]) code.release("i64", local);
}
