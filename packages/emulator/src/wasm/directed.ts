// a * b + c of four f32, rounded towards zero or an infinity. Products are exact in f64. The result is the f32 that is
// nearest to the f64 sum, or its neighbor if it is on the wrong side of the exact sum. The exact sum is the f64 sum
// plus its rounding error (Knuth, The Art of Computer Programming, volume 2, 4.2.2).
import { Code } from "./binary/code.js";
import type { ModuleBuilder } from "./binary/module.js";

/** Towards zero, minus infinity, or plus infinity. */
export const DIRECTED = ["rz", "rm", "rp"] as const;
export type Directed = (typeof DIRECTED)[number];
/** Operations that are multiply-adds. */
export type Multiplied = "fma" | "add" | "sub" | "mul";

/** Byte indices of the lower halves of two vectors, and of the upper half of one. */
const LOWER = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** Byte indices of the lower words of four double words in two vectors. */
const LOWER_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const SIGNS = [1n << 63n, 1n << 63n];
const SIGNS_32 = Array<bigint>(4).fill(0x80000000n);

const ONES_32 = Array<bigint>(4).fill(0x3f800000n);

/** Replaces two or three vectors of f32 on the stack by the result of an operation, which the function computes. */
export function multiplyAddDirected(code: Code, directed: number, operation: Multiplied): void {
  const [a, b] = [code.take("v128"), code.take("v128")];
  if (operation === "add" || operation === "sub") {
    code.set(b).v128(ONES_32, 32).get(b);
    if (operation === "sub") code.op("f32x4.neg");
  }
  // The zero that is added to a product has its sign.
  if (operation === "mul") {
    code.set(b).tee(a).get(b).get(a).get(b).op("v128.xor").v128(SIGNS_32, 32).op("v128.and");
  }
  code.call(directed);
  code.release("v128", b);
  code.release("v128", a);
}

/** Adds a function of three vectors of four f32. */
export function directedFunction(builder: ModuleBuilder, mode: Directed): number {
  const code = new Code(3);
  const [a, b, c] = [0, 1, 2];
  const locals = () => code.local("v128");
  const [product, sum, part, error, near, third, bits] = Array.from({ length: 7 }, locals) as [
    ...[number, number, number, number, number, number, number],
  ];
  const halves = [0, 1].map(() => ({ near: locals(), wrong: locals() }));
  halves.forEach((half, i) => {
    const wide = (value: number) => {
      code.get(value);
      if (i === 1) code.get(value).shuffle(UPPER);
      return code.op("f64x2.promote_low_f32x4");
    };
    wide(a);
    wide(b).op("f64x2.mul").tee(product);
    wide(c).tee(third);
    // Towards minus infinity, the sum of opposite numbers is -0.
    if (mode === "rm") code.set(part).op("f64x2.neg").get(part).op("f64x2.sub").op("f64x2.neg");
    else code.op("f64x2.add");
    code.tee(sum).get(product).op("f64x2.sub").set(part);
    code.get(product).get(sum).get(part).op("f64x2.sub").op("f64x2.sub");
    code.get(third).get(part).op("f64x2.sub").op("f64x2.add").set(error);
    code.get(sum).op("f32x4.demote_f64x2_zero").tee(half.near).op("f64x2.promote_low_f32x4").set(near);
    if (mode !== "rm") {
      // The same question for the negated numbers: for all of them, or for those below zero.
      code.v128(SIGNS, 64);
      if (mode === "rz") code.get(sum).op("v128.and");
      code.set(part);
      for (const value of [near, error]) code.get(value).get(part).op("v128.xor").set(value);
      code.get(sum).get(part).op("v128.xor").set(sum);
    }
    // This difference of close numbers is exact. The comparison is false where infinities produce a NaN.
    code.get(near).get(sum).op("f64x2.sub").get(error).op("f64x2.gt").set(half.wrong);
  });
  for (const [key, order] of [
    ["near", LOWER],
    ["wrong", LOWER_WORDS],
  ] as const) {
    code.get(halves[0]![key]).get(halves[1]![key]).shuffle(order);
    code.set(key === "near" ? bits : near);
  }
  // The masks are -1. The number below a positive one has the bits minus 1; the one below a negative one, plus 1.
  if (mode === "rp") code.get(bits).v128(SIGNS_32, 32).op("v128.xor").set(bits);
  code.get(bits).get(near);
  if (mode !== "rz") {
    code.get(bits).i32(31).op("i32x4.shr_s").tee(part).op("v128.xor").get(part).op("i32x4.sub");
  }
  code.op("i32x4.add");
  if (mode === "rp") code.v128(SIGNS_32, 32).op("v128.xor");
  const index = builder.function({ parameters: ["v128", "v128", "v128"], results: ["v128"] });
  builder.define(index, code);
  return index;
}
