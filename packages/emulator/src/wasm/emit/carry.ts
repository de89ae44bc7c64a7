// Arithmetic with the carry flag (PTX ISA, Extended-Precision Integer Arithmetic Instructions). The flag is a register
// of the graph. Subtractions add the complement and a carry, as hardware does: after them, the flag is 0 where they
// borrowed.

import { CARRY } from "../../control/registers.js";
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import { pushHighProduct } from "./bits.js";
import { type Emitter, isSigned } from "./emitter.js";
import type { Emit, Select } from "./select.js";

/** Pushes the two terms of a sum or a difference. */
type Terms = (emitter: Emitter, step: Step) => void;

const plainTerms: Terms = (emitter, step) => {
  emitter.push(step, 1);
  emitter.push(step, 2);
};

const productTerms: Terms = (emitter, step) => {
  const { code } = emitter;
  const type = step.operation.types[0]!;
  const high = step.operation.words.has("hi");
  if (TYPES[type].bits === 64) {
    if (high) pushHighProduct(emitter, step);
    else {
      emitter.push(step, 1);
      emitter.push(step, 2);
      code.op("i64.mul");
    }
  } else {
    for (const source of [1, 2]) {
      emitter.push(step, source);
      code.op(isSigned(type) ? "i64.extend_i32_s" : "i64.extend_i32_u");
    }
    code.op("i64.mul");
    if (high) code.i64(32n).op("i64.shr_u");
    code.op("i32.wrap_i64");
  }
  emitter.push(step, 3);
};

const carrying =
  (terms: Terms, subtracts: boolean): Select =>
  (step) => {
    const { takesCarry: takes, givesCarry: gives } = step.operation.traits;
    if (!takes && !gives) return undefined;
    return TYPES[step.operation.types[0]!].bits === 64
      ? of64(terms, subtracts, takes, gives)
      : of32(terms, subtracts, takes, gives);
  };

/** Pushes the carry that a sum begins with. */
function pushCarryIn(emitter: Emitter, takes: boolean, subtracts: boolean): void {
  if (takes) emitter.getRegister(CARRY);
  else emitter.code.i32(subtracts ? 1 : 0);
}

/** Computes in 64 bits: the carry is the part above the word. */
function of32(terms: Terms, subtracts: boolean, takes: boolean, gives: boolean): Emit {
  return (emitter, step) => {
    const { code } = emitter;
    code.scratch("i64", (exact) => {
      code.scratch("i32", (b) => {
        terms(emitter, step);
        if (subtracts) code.i32(-1).op("i32.xor");
        code.set(b).op("i64.extend_i32_u").get(b).op("i64.extend_i32_u").op("i64.add");
        if (takes || subtracts) {
          pushCarryIn(emitter, takes, subtracts);
          code.op("i64.extend_i32_u").op("i64.add");
        }
        code.set(exact);
      });
      emitter.assign(step, 0, "i32", () => code.get(exact).op("i32.wrap_i64"));
      if (!gives) return;
      emitter.setRegister(CARRY, () => code.get(exact).i64(32n).op("i64.shr_u").op("i32.wrap_i64"));
    });
  };
}

/** Computes in two steps, each of which may carry. */
function of64(terms: Terms, subtracts: boolean, takes: boolean, gives: boolean): Emit {
  return (emitter, step) => {
    const { code } = emitter;
    code.scratch("i64", (a) => {
      code.scratch("i64", (result) => {
        code.scratch("i32", (carry) => {
          terms(emitter, step);
          if (subtracts) code.i64(-1n).op("i64.xor");
          code.set(result).tee(a).get(result).op("i64.add").tee(result);
          // A sum that overflowed is less than its terms.
          code.get(a).op("i64.lt_u").set(carry);
          if (takes || subtracts) {
            code.get(result).tee(a);
            pushCarryIn(emitter, takes, subtracts);
            code.op("i64.extend_i32_u").op("i64.add").tee(result);
            code.get(a).op("i64.lt_u").get(carry).op("i32.or").set(carry);
          }
          emitter.assign(step, 0, "i64", () => code.get(result));
          if (gives) emitter.setRegister(CARRY, () => code.get(carry));
        });
      });
    });
  };
}

/** Instructions that read or set the flag, by name. */
export const CARRYING: Readonly<Record<string, Select>> = {
  add: carrying(plainTerms, false),
  addc: carrying(plainTerms, false),
  sub: carrying(plainTerms, true),
  subc: carrying(plainTerms, true),
  mad: carrying(productTerms, false),
  madc: carrying(productTerms, false),
};
