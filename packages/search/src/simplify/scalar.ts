// Single operations on single values, which are the 32 bits of an i32 (those of an f32 as well; predicates are 0 or 1).
import type { ScalarOperation, Value } from "@mm-ptx/columns/arithmetic";
import type { WordOperation } from "./operations.js";

/** Instructions that `evaluate` computes without a call, by the number of their case. */
export const FAST_TEXTS: readonly string[] = (
  "add.u32 sub.u32 and.b32 or.b32 xor.b32 not.b32 neg.s32 shl.b32 shr.u32 shr.s32 mul.lo.u32 min.u32 max.u32 min.s32 max.s32 " +
  "set.eq.u32.u32 set.ne.u32.u32 set.lt.u32.u32 set.le.u32.u32 set.gt.u32.u32 set.ge.u32.u32 set.lt.u32.s32 set.le.u32.s32 " +
  "set.gt.u32.s32 set.ge.u32.s32 div.u32 clz.b32 mad.lo.u32 setp.eq.u32 setp.ne.u32 setp.lt.u32 setp.le.u32 setp.gt.u32 setp.ge.u32 " +
  "setp.lt.s32 setp.le.s32 setp.gt.s32 setp.ge.s32 selp.u32 selp.b32 add.s32 sub.s32 abs.s32 shr.b32"
).split(" ");

const word = new Int32Array(1);
const float = new Float32Array(word.buffer);
/** The bits of NaN results. */
const NAN = 0x7fffffff;

/** The result of an operation. Operands that it does not have are ignored. */
export function evaluate(operation: WordOperation, a: number, b: number, c: number, d: number): number {
  switch (operation.fast) {
    case 0:
    case 40:
      return (a + b) | 0;
    case 1:
    case 41:
      return (a - b) | 0;
    case 2:
      return a & b;
    case 3:
      return a | b;
    case 4:
      return a ^ b;
    case 5:
      return ~a;
    case 6:
      return -a | 0;
    case 7:
      return b >>> 0 > 31 ? 0 : a << b;
    case 8:
    case 43:
      return b >>> 0 > 31 ? 0 : (a >>> b) | 0;
    case 9:
      return a >> (b >>> 0 > 31 ? 31 : b);
    case 10:
      return Math.imul(a, b);
    case 11:
      return a >>> 0 < b >>> 0 ? a : b;
    case 12:
      return a >>> 0 > b >>> 0 ? a : b;
    case 13:
      return Math.min(a, b);
    case 14:
      return Math.max(a, b);
    case 15:
      return a === b ? -1 : 0;
    case 16:
      return a !== b ? -1 : 0;
    case 17:
      return a >>> 0 < b >>> 0 ? -1 : 0;
    case 18:
      return a >>> 0 <= b >>> 0 ? -1 : 0;
    case 19:
      return a >>> 0 > b >>> 0 ? -1 : 0;
    case 20:
      return a >>> 0 >= b >>> 0 ? -1 : 0;
    case 21:
      return a < b ? -1 : 0;
    case 22:
      return a <= b ? -1 : 0;
    case 23:
      return a > b ? -1 : 0;
    case 24:
      return a >= b ? -1 : 0;
    case 25:
      return b === 0 ? -1 : ((a >>> 0) / (b >>> 0)) | 0;
    case 26:
      return Math.clz32(a);
    case 27:
      return (Math.imul(a, b) + c) | 0;
    case 28:
      return a === b ? 1 : 0;
    case 29:
      return a !== b ? 1 : 0;
    case 30:
      return a >>> 0 < b >>> 0 ? 1 : 0;
    case 31:
      return a >>> 0 <= b >>> 0 ? 1 : 0;
    case 32:
      return a >>> 0 > b >>> 0 ? 1 : 0;
    case 33:
      return a >>> 0 >= b >>> 0 ? 1 : 0;
    case 34:
      return a < b ? 1 : 0;
    case 35:
      return a <= b ? 1 : 0;
    case 36:
      return a > b ? 1 : 0;
    case 37:
      return a >= b ? 1 : 0;
    case 38:
    case 39:
      return c !== 0 ? a : b;
    case 42:
      return a < 0 ? -a | 0 : a;
    default:
      return slow(operation.scalar, a, b, c, d);
  }
}

function slow(
  { args, result, evaluate: apply }: ScalarOperation,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  const value = apply(
    operandOf(args[0], a),
    operandOf(args[1], b),
    operandOf(args[2], c),
    operandOf(args[3], d),
  ) as number;
  if (result !== "f32") return value | 0;
  if (Number.isNaN(value)) return NAN;
  float[0] = value;
  return word[0]!;
}

function operandOf(kind: string | undefined, bits: number): Value {
  if (kind !== "f32") return bits >>> 0;
  word[0] = bits;
  return float[0]!;
}
