// PTX instructions on 32-bit words, written independently of the emulator: models of kernels and of their
// stubs use them. f32 arithmetic is that of the AST interpreter.

import { float32Function } from "../../../packages/ast/dist/index.js";

/** An instruction on the bits of its operands. */
export type WordOperation = (...words: number[]) => number;

const view = new DataView(new ArrayBuffer(4));

/** The bits of a value's nearest f32; of a NaN, the canonical one. */
export function wordOf(value: number): number {
  if (Number.isNaN(value)) return 0x7fffffff;
  view.setFloat32(0, value);
  return view.getUint32(0);
}

/** The f32 of some bits. */
export function floatOf(word: number): number {
  view.setUint32(0, word);
  return view.getFloat32(0);
}

const ON_WORDS: Readonly<Record<string, WordOperation>> = {
  "mov.f32": (a = 0) => a,
  "mov.u32": (a = 0) => a,
  "mov.s32": (a = 0) => a,
  "mov.b32": (a = 0) => a,
  "mov.b16": (a = 0) => a,
  "copysign.f32": (a = 0, b = 0) => ((a & 0x80000000) | (b & 0x7fffffff)) >>> 0,
  "add.u32": (a = 0, b = 0) => (a + b) >>> 0,
  "add.s32": (a = 0, b = 0) => (a + b) >>> 0,
  "sub.u32": (a = 0, b = 0) => (a - b) >>> 0,
  "sub.s32": (a = 0, b = 0) => (a - b) >>> 0,
  "mul.lo.u32": (a = 0, b = 0) => Math.imul(a, b) >>> 0,
  "mul.lo.s32": (a = 0, b = 0) => Math.imul(a, b) >>> 0,
  "mul.hi.u32": (a = 0, b = 0) => Number((BigInt(a) * BigInt(b)) >> 32n),
  "min.u32": (a = 0, b = 0) => Math.min(a, b),
  "max.s32": (a = 0, b = 0) => Math.max(a | 0, b | 0) >>> 0,
  "and.b32": (a = 0, b = 0) => (a & b) >>> 0,
  "or.b32": (a = 0, b = 0) => (a | b) >>> 0,
  "xor.b32": (a = 0, b = 0) => (a ^ b) >>> 0,
  "not.b32": (a = 0) => ~a >>> 0,
  "cvt.rn.f32.u32": (a = 0) => wordOf(a),
  "cvt.rn.f32.s32": (a = 0) => wordOf(a | 0),
  // For halves that are not NaN.
  "neg.f16x2": (a = 0) => (a ^ 0x80008000) >>> 0,
  "abs.f16x2": (a = 0) => a & 0x7fff7fff,
  "neg.f16": (a = 0) => a ^ 0x8000,
  "abs.f16": (a = 0) => a & 0x7fff,
};

const found = new Map<string, WordOperation | undefined>();

/** The operation of an instruction that works on words; `undefined` for all others. */
export function wordOperation(ptx: string): WordOperation | undefined {
  if (!found.has(ptx)) found.set(ptx, ON_WORDS[ptx] ?? onFloats(ptx));
  return found.get(ptx);
}

function onFloats(ptx: string): WordOperation | undefined {
  try {
    const compute = float32Function(ptx);
    return (...words) => wordOf(compute(...words.map(floatOf)));
  } catch {
    return undefined;
  }
}

/** The instructions of the kernels themselves besides their sites. */
export const f32 = {
  add: wordOperation("add.f32")!,
  sub: wordOperation("sub.f32")!,
  mul: wordOperation("mul.f32")!,
  fma: wordOperation("fma.rn.f32")!,
};
