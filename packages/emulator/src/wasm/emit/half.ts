// f16 arithmetic rounded to nearest, one or two values in a register (PTX ISA, Half Precision Floating-Point
// Instructions). It is computed in f32, which has enough bits that rounding sums and products twice is harmless. The
// fused operation has a separate function.
import type { Step } from "../../control/step.js";
import type { Emitter } from "./emitter.js";
import type { Select } from "./select.js";

const UNUSUAL = ["ftz", "sat", "relu", "satfinite", "oob", "rz", "rm", "rp"] as const;

const isPlain = ({ operation: { words } }: Step): boolean => !UNUSUAL.some((word) => words.has(word));

/** Computes the f16 on the stack from the values in locals. */
type Compute = (emitter: Emitter, values: readonly number[]) => void;

const inSingle =
  (op: "f32.add" | "f32.sub" | "f32.mul"): Compute =>
  ({ code, facts }, values) => {
    for (const value of values) code.get(value).call(facts.module.halfToFloat());
    code.op(op).call(facts.module.floatToHalf());
  };

const fused: Compute = ({ code, facts }, values) => {
  for (const value of values) code.get(value);
  code.call(facts.module.fmaHalf());
};

const HALF_BITS = 16;

const arithmetic =
  (sources: number, compute: Compute): Select =>
  (step) => {
    const { operands } = step.source;
    const { types } = step.operation;
    const isPair = types[0] === "f16x2";
    if ((!isPair && types[0] !== "f16") || types.length > 1 || operands.length !== sources + 1)
      return undefined;
    if (!isPlain(step)) return undefined;
    return (emitter, it) => {
      const { code } = emitter;
      const half = (shift: number) =>
        withLocals(emitter, sources, (values) => {
          values.forEach((value, i) => {
            emitter.push(it, i + 1);
            if (shift > 0) code.i32(shift).op("i32.shr_u");
            if (isPair) code.i32(0xffff).op("i32.and");
            code.set(value);
          });
          compute(emitter, values);
        });
      emitter.assign(it, 0, "i32", () => {
        half(0);
        if (!isPair) return;
        half(HALF_BITS);
        code.i32(HALF_BITS).op("i32.shl").op("i32.or");
      });
    };
  };

function withLocals({ code }: Emitter, count: number, use: (locals: readonly number[]) => void): void {
  const take = (locals: readonly number[]): void => {
    if (locals.length === count) use(locals);
    else code.scratch("i32", (local) => take([...locals, local]));
  };
  take([]);
}

const convert: Select = (step) => {
  const [to, from] = step.operation.types;
  if (!isPlain(step) || step.operation.types.length !== 2) return undefined;
  if (to === "f32" && from === "f16") {
    return (emitter, it) =>
      emitter.assignFloat(it, 0, () => {
        emitter.push(it, 1);
        emitter.code.call(emitter.facts.module.halfToFloat());
      });
  }
  if (from !== "f32" || (to !== "f16" && to !== "f16x2") || !step.operation.words.has("rn")) return undefined;
  return (emitter, it) => {
    const { code, facts } = emitter;
    const pushHalf = (source: number) => {
      emitter.push(it, source);
      code.call(facts.module.floatToHalf());
    };
    emitter.assign(it, 0, "i32", () => {
      pushHalf(1);
      if (to === "f16") return;
      // The first source becomes the upper half.
      code.i32(HALF_BITS).op("i32.shl");
      pushHalf(2);
      code.op("i32.or");
    });
  };
};

/** Instructions on f16 by name. */
export const HALF: Readonly<Record<string, Select>> = {
  add: arithmetic(2, inSingle("f32.add")),
  sub: arithmetic(2, inSingle("f32.sub")),
  mul: arithmetic(2, inSingle("f32.mul")),
  fma: arithmetic(3, fused),
  cvt: convert,
};
