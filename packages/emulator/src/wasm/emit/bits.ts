// Bit fields, bit permutations, sums of absolute differences and byte dot products (PTX ISA, Integer Arithmetic
// Instructions; Logic and Shift Instructions).
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import type { Opcode } from "../binary/opcodes.js";
import { type Emitter, isSigned, stackType } from "./emitter.js";
import type { Select } from "./select.js";

type Integer = "i32" | "i64";

const opcode = (type: Integer, name: string): Opcode => `${type}.${name}` as Opcode;
const typeOf = ({ operation }: Step): Integer => stackType(operation.types[0]!) as Integer;

/** Pushes the low byte of a source, which is a position or a length, clamped to `most`. */
function pushByte(emitter: Emitter, step: Step, i: number, most: number, type: Integer): void {
  const { code } = emitter;
  const operand = step.source.operands[i]!;
  if (operand.kind === "immediate") {
    emitter.constant(BigInt(Math.min(Number(operand.bits & 0xffn), most)), type);
    return;
  }
  code.scratch("i32", (byte) => {
    emitter.push(step, i);
    code.i32(0xff).op("i32.and").tee(byte).i32(most).get(byte).i32(most).op("i32.lt_u").op("select");
  });
  if (type === "i64") code.op("i64.extend_i32_u");
}

/** Shifts the value on the stack by a source's low byte, which may be the whole width. */
function shiftByByte(emitter: Emitter, step: Step, i: number, name: "shl" | "shr_u", type: Integer): void {
  const { code } = emitter;
  const width = type === "i64" ? 64 : 32;
  code.scratch(type, (count) => {
    pushByte(emitter, step, i, width, type);
    code.tee(count).op(opcode(type, name));
    emitter.constant(0n, type);
    code.get(count);
    emitter.constant(BigInt(width), type);
    code.op(opcode(type, "lt_u")).op("select");
  });
}

/** Pushes a mask whose number of low ones is given by a source. */
function pushOnes(emitter: Emitter, step: Step, i: number, type: Integer): void {
  emitter.constant(-1n, type);
  shiftByByte(emitter, step, i, "shl", type);
  emitter.constant(-1n, type);
  emitter.code.op(opcode(type, "xor"));
}

/** `bfe`: extracts a field, and sign-extends it if the type is signed. */
const extractField: Select = (step) => {
  const type = typeOf(step);
  const width = type === "i64" ? 64 : 32;
  const signed = isSigned(step.operation.types[0]!);
  return (emitter, it) => {
    const { code } = emitter;
    emitter.assign(it, 0, type, () => {
      emitter.push(it, 1);
      if (!signed) {
        shiftByByte(emitter, it, 2, "shr_u", type);
        pushOnes(emitter, it, 3, type);
        code.op(opcode(type, "and"));
        return;
      }
      // Positions above the highest bit hold copies of it. A field of no bits is 0.
      code.scratch(type, (unused) => {
        pushByte(emitter, it, 2, width - 1, type);
        code.op(opcode(type, "shr_s"));
        emitter.constant(BigInt(width), type);
        pushByte(emitter, it, 3, width, type);
        code
          .op(opcode(type, "sub"))
          .tee(unused)
          .op(opcode(type, "shl"))
          .get(unused)
          .op(opcode(type, "shr_s"));
        emitter.constant(0n, type);
        code.get(unused);
        emitter.constant(BigInt(width), type);
        code.op(opcode(type, "lt_u")).op("select");
      });
    });
  };
};

/** `bfi`: inserts a field of one number into another. */
const insertField: Select = (step) => {
  const type = typeOf(step);
  return (emitter, it) => {
    const { code } = emitter;
    emitter.assign(it, 0, type, () => {
      code.scratch(type, (mask) => {
        pushOnes(emitter, it, 4, type);
        shiftByByte(emitter, it, 3, "shl", type);
        code.set(mask);
        emitter.push(it, 1);
        shiftByByte(emitter, it, 3, "shl", type);
        code.get(mask).op(opcode(type, "and"));
        emitter.push(it, 2);
        code.get(mask);
        emitter.constant(-1n, type);
        code.op(opcode(type, "xor")).op(opcode(type, "and")).op(opcode(type, "or"));
      });
    });
  };
};

/** The neighbours that are swapped to reverse the bits: single bits, pairs and nibbles. */
const SWAPS = [
  [1, 0x55555555],
  [2, 0x33333333],
  [4, 0x0f0f0f0f],
] as const;

const reverseBits: Select = (step) => {
  if (typeOf(step) !== "i32") return undefined;
  return (emitter, it) => {
    const { code } = emitter;
    emitter.assign(it, 0, "i32", () => {
      code.scratch("i32", (value) => {
        emitter.push(it, 1);
        code.set(value);
        for (const [distance, mask] of SWAPS) {
          code.get(value).i32(distance).op("i32.shr_u").i32(mask).op("i32.and");
          code.get(value).i32(mask).op("i32.and").i32(distance).op("i32.shl").op("i32.or").set(value);
        }
        code.get(value).i32(8).op("i32.rotl").i32(0x00ff00ff).op("i32.and");
        code.get(value).i32(8).op("i32.rotr").i32(-0xff0100).op("i32.and").op("i32.or");
      });
    });
  };
};

/** `bfind`: the highest bit that differs from the sign, as its position or as its distance from the top. */
const findBit: Select = (step) => {
  const type = typeOf(step);
  const width = type === "i64" ? 64 : 32;
  const fromTop = step.operation.words.has("shiftamt");
  return (emitter, it) => {
    const { code } = emitter;
    emitter.assign(it, 0, "i32", () => {
      code.scratch(type, (value) => {
        emitter.push(it, 1);
        if (isSigned(it.operation.types[0]!)) {
          emitter.push(it, 1);
          emitter.constant(BigInt(width - 1), type);
          code.op(opcode(type, "shr_s")).op(opcode(type, "xor"));
        }
        code.set(value);
        if (fromTop) code.i32(-1);
        else code.i32(width - 1);
        code.get(value).op(opcode(type, "clz"));
        if (type === "i64") code.op("i32.wrap_i64");
        if (fromTop) code.get(value).op(opcode(type, "eqz")).op("select");
        else code.op("i32.sub");
      });
    });
  };
};

/** `prmt`: each nibble of the selector selects one of eight bytes, or replicates its sign. */
const permute: Select = ({ operation: { words } }) => {
  if (words.size > 0) return undefined;
  return (emitter, it) => {
    const { code } = emitter;
    const selector = it.source.operands[3]!;
    emitter.assign(it, 0, "i32", () => {
      code.scratch("i64", (all) => {
        emitter.push(it, 2);
        code.op("i64.extend_i32_u").i64(32n).op("i64.shl");
        emitter.push(it, 1);
        code.op("i64.extend_i32_u").op("i64.or").set(all);
        for (let byte = 0; byte < 4; byte++) {
          if (selector.kind === "immediate")
            pushKnownByte(emitter, all, Number((selector.bits >> BigInt(4 * byte)) & 15n));
          else pushByteOf(emitter, it, all, byte);
          if (byte > 0)
            code
              .i32(8 * byte)
              .op("i32.shl")
              .op("i32.or");
        }
      });
    });
  };
};

function pushKnownByte({ code }: Emitter, all: number, nibble: number): void {
  code
    .get(all)
    .i64(BigInt(8 * (nibble & 7)))
    .op("i64.shr_u")
    .op("i32.wrap_i64");
  if (nibble & 8) code.op("i32.extend8_s").i32(7).op("i32.shr_s");
  code.i32(0xff).op("i32.and");
}

function pushByteOf(emitter: Emitter, step: Step, all: number, byte: number): void {
  const { code } = emitter;
  code.scratch("i32", (value) => {
    code.get(all);
    emitter.push(step, 3);
    code
      .i32(4 * byte)
      .op("i32.shr_u")
      .i32(7)
      .op("i32.and")
      .i32(3)
      .op("i32.shl");
    code.op("i64.extend_i32_u").op("i64.shr_u").op("i32.wrap_i64").op("i32.extend8_s").set(value);
    code.get(value).i32(7).op("i32.shr_s").get(value);
    emitter.push(step, 3);
    code
      .i32(4 * byte + 3)
      .op("i32.shr_u")
      .i32(1)
      .op("i32.and")
      .op("select")
      .i32(0xff)
      .op("i32.and");
  });
}

/** `sad`: the absolute difference of two numbers plus a third. */
const differences: Select = (step) => {
  const type = typeOf(step);
  const less = opcode(type, isSigned(step.operation.types[0]!) ? "lt_s" : "lt_u");
  return (emitter, it) => {
    const { code } = emitter;
    const difference = (a: number, b: number) => {
      emitter.push(it, a);
      emitter.push(it, b);
      code.op(opcode(type, "sub"));
    };
    emitter.assign(it, 0, type, () => {
      difference(2, 1);
      difference(1, 2);
      emitter.push(it, 1);
      emitter.push(it, 2);
      code.op(less).op("select");
      emitter.push(it, 3);
      code.op(opcode(type, "add"));
    });
  };
};

/** `mul24` and `mad24`: multiply the low 24 bits. */
const multiply24 =
  (adds: boolean): Select =>
  (step) => {
    if (step.operation.words.has("sat")) return undefined;
    const signed = isSigned(step.operation.types[0]!);
    return (emitter, it) => {
      const { code } = emitter;
      emitter.assign(it, 0, "i32", () => {
        for (const source of [1, 2]) {
          emitter.push(it, source);
          code
            .i32(8)
            .op("i32.shl")
            .i32(8)
            .op(signed ? "i32.shr_s" : "i32.shr_u");
          code.op(signed ? "i64.extend_i32_s" : "i64.extend_i32_u");
        }
        code.op("i64.mul");
        if (it.operation.words.has("hi")) code.i64(16n).op("i64.shr_u");
        code.op("i32.wrap_i64");
        if (!adds) return;
        emitter.push(it, 3);
        code.op("i32.add");
      });
    };
  };

/** `dp4a`: the dot product of four bytes, plus a word. */
const bytesProduct: Select = ({ operation }) => {
  const [a, b] = operation.types;
  return (emitter, it) => {
    const { code } = emitter;
    const pushPart = (operand: number, byte: number, signed: boolean) => {
      emitter.push(it, operand);
      code
        .i32(24 - 8 * byte)
        .op("i32.shl")
        .i32(24)
        .op(signed ? "i32.shr_s" : "i32.shr_u");
    };
    emitter.assign(it, 0, "i32", () => {
      emitter.push(it, 3);
      for (let byte = 0; byte < 4; byte++) {
        pushPart(1, byte, isSigned(a!));
        pushPart(2, byte, isSigned(b!));
        code.op("i32.mul").op("i32.add");
      }
    });
  };
};

const isZero: Select = (step) => {
  const type = typeOf(step);
  return (emitter, it) => {
    emitter.assign(it, 0, type, () => {
      emitter.push(it, 1);
      emitter.code.op(opcode(type, "eqz"));
      if (type === "i64") emitter.code.op("i64.extend_i32_u");
    });
  };
};

/** 32-bit `add.sat` and `sub.sat`. */
const saturating =
  (name: "add" | "sub"): Select =>
  (step) => {
    if (step.operation.types[0] !== "s32" || !step.operation.words.has("sat")) return undefined;
    return (emitter, it) => {
      const { code } = emitter;
      emitter.assign(it, 0, "i32", () => {
        code.scratch("i64", (exact) => {
          for (const source of [1, 2]) {
            emitter.push(it, source);
            code.op("i64.extend_i32_s");
          }
          code.op(`i64.${name}`).set(exact);
          code.get(exact).i64(MOST).get(exact).i64(MOST).op("i64.lt_s").op("select").set(exact);
          code.get(exact).i64(LEAST).get(exact).i64(LEAST).op("i64.gt_s").op("select").op("i32.wrap_i64");
        });
      });
    };
  };

const MOST = 2n ** 31n - 1n;
const LEAST = -(2n ** 31n);

/** Pushes the upper half of the product of two 64-bit sources, computed from 32-bit parts. */
export function pushHighProduct(emitter: Emitter, step: Step): void {
  const { code, facts } = emitter;
  emitter.push(step, 1);
  emitter.push(step, 2);
  code.call(facts.module.multiplyHigh());
  if (!isSigned(step.operation.types[0]!)) return;
  for (const [a, b] of [[1, 2] as const, [2, 1] as const]) {
    emitter.push(step, a);
    code.i64(63n).op("i64.shr_s");
    emitter.push(step, b);
    code.op("i64.and").op("i64.sub");
  }
}

/** 64-bit `mul.hi` and `mad.hi`. */
const multiplyHigh =
  (adds: boolean): Select =>
  (step) => {
    if (TYPES[step.operation.types[0]!].bits !== 64 || !step.operation.words.has("hi")) return undefined;
    return (emitter, it) => {
      emitter.assign(it, 0, "i64", () => {
        pushHighProduct(emitter, it);
        if (!adds) return;
        emitter.push(it, 3);
        emitter.code.op("i64.add");
      });
    };
  };

/** Bit instructions by name. */
export const BITS: Readonly<Record<string, Select>> = {
  bfe: extractField,
  bfi: insertField,
  brev: reverseBits,
  bfind: findBit,
  prmt: permute,
  sad: (step) => (TYPES[step.operation.types[0]!].bits < 32 ? undefined : differences(step)),
  mul24: multiply24(false),
  mad24: multiply24(true),
  dp4a: bytesProduct,
  cnot: (step) => (TYPES[step.operation.types[0]!].bits < 32 ? undefined : isZero(step)),
  add: saturating("add"),
  sub: saturating("sub"),
  mul: multiplyHigh(false),
  mad: multiplyHigh(true),
};
