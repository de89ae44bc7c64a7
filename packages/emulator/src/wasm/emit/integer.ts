// Integer arithmetic, logic and shifts (PTX ISA, Integer Arithmetic Instructions; Logic and Shift Instructions). 16-bit
// values are on the stack as 32-bit integers, and are truncated when they are written.
import type { Step } from "../../control/step.js";
import { TYPES, type ValueType } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import type { Emit, Select } from "./select.js";

const integerType = ({ operation }: Step): "i32" | "i64" | undefined => {
  const type = operation.types[0]!;
  const facts = TYPES[type];
  if (facts.class === "float" || facts.lanes === 2 || facts.bits === 128) return undefined;
  return facts.bits === 64 ? "i64" : "i32";
};

const opcode = (type: "i32" | "i64", name: string): Opcode => `${type}.${name}` as Opcode;

/** Computes a result from the sources, which are pushed once each, in order. */
const plain =
  (type: ValueType, sources: number, ...ops: Opcode[]): Emit =>
  (emitter, step) => {
    emitter.assign(step, 0, type, () => {
      for (let i = 0; i < sources; i++) emitter.push(step, 1 + i);
      for (const op of ops) emitter.code.op(op);
    });
  };

/** Instructions that map to one WebAssembly opcode, by their number of sources. */
const simple =
  (sources: number, name: string, ...refused: string[]): Select =>
  (step) => {
    const type = integerType(step);
    const has = step.operation.words;
    if (type === undefined || refused.some((word) => has.has(word))) return undefined;
    return plain(type, sources, opcode(type, name));
  };

const signedName = (step: Step, name: string) => `${name}_${isSigned(step.operation.types[0]!) ? "s" : "u"}`;

/** mul and mad: the low half of the product, its high half, or all of it. */
const multiply =
  (adds: boolean): Select =>
  (step) => {
    const type = integerType(step);
    const has = step.operation.words;
    if (type === undefined || has.has("sat") || has.has("cc")) return undefined;
    const { bits } = TYPES[step.operation.types[0]!];
    const signed = isSigned(step.operation.types[0]!);
    const extend: Opcode = signed ? "i64.extend_i32_s" : "i64.extend_i32_u";
    if (has.has("lo") || bits === 16) {
      const shift = has.has("hi") ? 16 : 0;
      return (emitter, it) => {
        emitter.assign(it, 0, type, () => {
          emitter.push(it, 1);
          emitter.push(it, 2);
          emitter.code.op(opcode(type, "mul"));
          if (shift > 0) emitter.code.i32(shift).op("i32.shr_s");
          if (!adds) return;
          emitter.push(it, 3);
          emitter.code.op(opcode(type, "add"));
        });
      };
    }
    if (type === "i64") return undefined;
    const high = has.has("hi");
    return (emitter, it) => {
      emitter.assign(it, 0, high ? "i32" : "i64", () => {
        const { code } = emitter;
        emitter.push(it, 1);
        code.op(extend);
        emitter.push(it, 2);
        code.op(extend).op("i64.mul");
        if (high) code.i64(32n).op("i64.shr_u").op("i32.wrap_i64");
        if (!adds) return;
        emitter.push(it, 3);
        code.op(high ? "i32.add" : "i64.add");
      });
    };
  };

/** Division by zero yields all ones. The least number divided by -1 is unchanged. */
const divide =
  (name: "div" | "rem"): Select =>
  (step) => {
    const type = integerType(step);
    if (type === undefined) return undefined;
    const op = opcode(type, signedName(step, name));
    const constant = (emitter: Emitter, value: number) => emitter.constant(BigInt(value), type);
    return (emitter, it) => {
      const { code } = emitter;
      emitter.assign(it, 0, type, () => {
        code.scratch(type, (divisor) => {
          emitter.push(it, 2);
          code.tee(divisor).op(opcode(type, "eqz")).if(type);
          constant(emitter, -1);
          code.else();
          if (op.endsWith("_s") && name === "div") {
            code.get(divisor);
            constant(emitter, -1);
            code.op(opcode(type, "eq")).if(type);
            constant(emitter, 0);
            emitter.push(it, 1);
            code.op(opcode(type, "sub")).else();
          }
          emitter.push(it, 1);
          code.get(divisor).op(op);
          if (op.endsWith("_s") && name === "div") code.end();
          code.end();
        });
      });
    };
  };

const extremum =
  (name: "lt" | "gt"): Select =>
  (step) => {
    const type = integerType(step);
    if (type === undefined || step.operation.words.has("relu")) return undefined;
    const op = opcode(type, signedName(step, name));
    return (emitter, it) => {
      emitter.assign(it, 0, type, () => {
        for (const source of [1, 2, 1, 2]) emitter.push(it, source);
        emitter.code.op(op).op("select");
      });
    };
  };

const negate: Select = (step) => {
  const type = integerType(step);
  return (
    type &&
    ((emitter, it) => {
      emitter.assign(it, 0, type, () => {
        emitter.constant(0n, type);
        emitter.push(it, 1);
        emitter.code.op(opcode(type, "sub"));
      });
    })
  );
};

const absolute: Select = (step) => {
  const type = integerType(step);
  return (
    type &&
    ((emitter, it) => {
      const { code } = emitter;
      emitter.assign(it, 0, type, () => {
        emitter.constant(0n, type);
        emitter.push(it, 1);
        code.op(opcode(type, "sub"));
        emitter.push(it, 1);
        emitter.push(it, 1);
        emitter.constant(0n, type);
        code.op(opcode(type, "lt_s")).op("select");
      });
    })
  );
};

/** A shift count of at least the width shifts everything out. */
const shift =
  (name: "shl" | "shr"): Select =>
  (step) => {
    const type = integerType(step);
    if (type === undefined) return undefined;
    const { bits } = TYPES[step.operation.types[0]!];
    const signed = isSigned(step.operation.types[0]!);
    const op = opcode(type, name === "shl" ? "shl" : signed ? "shr_s" : "shr_u");
    return (emitter, it) => {
      const { code } = emitter;
      const count = it.source.operands[2]!;
      emitter.assign(it, 0, type, () => {
        if (count.kind === "immediate") {
          const by = Math.min(Number(count.bits), bits);
          if (by === bits && !(signed && name === "shr")) {
            emitter.constant(0n, type);
            return;
          }
          emitter.push(it, 1);
          emitter.constant(BigInt(Math.min(by, bits - 1)), type);
          code.op(op);
          return;
        }
        const pushCount = () => {
          emitter.push(it, 2);
          if (type === "i64") code.op("i64.extend_i32_u");
        };
        emitter.push(it, 1);
        if (signed && name === "shr") {
          pushCount();
          emitter.constant(BigInt(bits - 1), type);
          emitter.push(it, 2);
          code.i32(bits).op("i32.lt_u").op("select").op(op);
          return;
        }
        pushCount();
        code.op(op);
        emitter.constant(0n, type);
        emitter.push(it, 2);
        code.i32(bits).op("i32.lt_u").op("select");
      });
    };
  };

/** Shifts two words by a number of bits: `shf.l` returns the upper word, `shf.r` the lower. */
const funnel: Select = (step) => {
  const has = step.operation.words;
  const left = has.has("l");
  return (emitter, it) => {
    const { code } = emitter;
    emitter.assign(it, 0, "i32", () => {
      emitter.push(it, 2);
      code.op("i64.extend_i32_u").i64(32n).op("i64.shl");
      emitter.push(it, 1);
      code.op("i64.extend_i32_u").op("i64.or");
      const pushCount = () => emitter.push(it, 3);
      if (has.has("wrap")) {
        pushCount();
        code.i32(31).op("i32.and");
      } else {
        pushCount();
        code.i32(32);
        pushCount();
        code.i32(32).op("i32.lt_u").op("select");
      }
      code.op("i64.extend_i32_u");
      if (left) code.op("i64.shl").i64(32n).op("i64.shr_u");
      else code.op("i64.shr_u");
      code.op("i32.wrap_i64");
    });
  };
};

const logic =
  (name: "and" | "or" | "xor"): Select =>
  (step) =>
    simple(2, name)(step);

const not: Select = (step) => {
  const type = integerType(step);
  if (type === undefined) return undefined;
  if (step.operation.types[0] === "pred") return plain("i32", 1, "i32.eqz");
  return (emitter, it) => {
    emitter.assign(it, 0, type, () => {
      emitter.push(it, 1);
      emitter.constant(-1n, type);
      emitter.code.op(opcode(type, "xor"));
    });
  };
};

/** Bit counts, as 32-bit numbers. */
const counted =
  (name: "popcnt" | "clz"): Select =>
  (step) => {
    const type = stackType(step.operation.types[0]!);
    return plain(
      "i32",
      1,
      `${type}.${name}` as Opcode,
      ...(type === "i64" ? (["i32.wrap_i64"] as const) : []),
    );
  };

/** Computes any function of three bits as a sum of products. Functions that most kernels use take fewer operations. */
const lop3: Select = ({ source, operation: { results, words } }) => {
  const [a, b, c] = [results, results + 1, results + 2] as const;
  const table = source.operands[results + 3];
  if (table?.kind !== "immediate") return undefined;
  const rows = Number(table.bits);
  return (emitter, it) => {
    const { code } = emitter;
    const inverted = (source: number, is: boolean) => {
      emitter.push(it, source);
      if (!is) code.i32(-1).op("i32.xor");
    };
    // Split by a: where it is 1, the upper half of the table applies, and where it is 0, the lower half.
    const half = (bits: number) => {
      const byB = (row: number) => {
        const pair = (bits >> row) & 3;
        if (pair === 0) code.i32(0);
        else if (pair === 3) code.i32(-1);
        else inverted(c, pair === 2);
      };
      if ((bits & 3) === bits >> 2) {
        byB(0);
        return;
      }
      byB(2);
      emitter.push(it, b);
      code.op("i32.and");
      byB(0);
      inverted(b, false);
      code.op("i32.and").op("i32.or");
    };
    const push = () => {
      const upper = rows >> 4;
      const lower = rows & 15;
      if (upper === lower) {
        half(upper);
        return;
      }
      half(upper);
      emitter.push(it, a);
      code.op("i32.and");
      half(lower);
      inverted(a, false);
      code.op("i32.and").op("i32.or");
    };
    if (it.operation.results === 1) {
      emitter.assign(it, 0, "i32", push);
      return;
    }
    // Whether any bit is set, combined with another predicate.
    code.scratch("i32", (value) => {
      code.scratch("i32", (holds) => {
        push();
        code.tee(value).i32(0).op("i32.ne");
        emitter.push(it, a + 4);
        code.op(words.has("or") ? "i32.or" : "i32.and").set(holds);
        emitter.assign(it, 0, "i32", () => code.get(value));
        emitter.assign(it, 1, "i32", () => code.get(holds));
      });
    });
  };
};

/** Integer instructions by name. */
export const INTEGER: Readonly<Record<string, Select>> = {
  add: simple(2, "add", "sat", "cc"),
  sub: simple(2, "sub", "sat", "cc"),
  mul: multiply(false),
  mad: multiply(true),
  div: divide("div"),
  rem: divide("rem"),
  min: extremum("lt"),
  max: extremum("gt"),
  neg: negate,
  abs: absolute,
  shl: shift("shl"),
  shr: shift("shr"),
  shf: funnel,
  and: logic("and"),
  or: logic("or"),
  xor: logic("xor"),
  not,
  popc: counted("popcnt"),
  clz: counted("clz"),
  lop3,
};
