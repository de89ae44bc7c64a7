// The kernels in JavaScript, for where WebAssembly is not allowed: the same steps in the same memory, and the same
// results bit for bit. The commonest have loops of their own; the others call their formula for each row. What copies
// or makes NaNs does it on words, because an engine may change the encoding of a NaN that it reads as a number.
import { FORMULAS } from "../float32.js";
import { multiplyAdd } from "./elementary.js";
import { Kernel, Step } from "./kernel.js";
import type { Kernels } from "./workspace.js";

const SIGN = 0x80000000;
const CANONICAL_NAN = 0x7fffffff;

export function javaScriptKernels(): Kernels {
  let floats = new Float32Array(0);
  let words = new Uint32Array(0);
  return {
    backend: "javascript",
    firstFree: 0,
    get buffer() {
      return floats.buffer;
    },
    reserve(bytes) {
      if (bytes <= floats.byteLength) return;
      const grown = new Float32Array(Math.ceil(bytes / 4));
      grown.set(floats);
      floats = grown;
      words = new Uint32Array(grown.buffer);
    },
    run(start, stop, bytes) {
      for (let step = start / 4; step < stop / 4; step += Step.bytes / 4)
        runStep(floats, words, step, bytes / 4);
    },
  };
}

/** Runs the step at an index of words on `count` rows. */
function runStep(floats: Float32Array, words: Uint32Array, step: number, count: number): void {
  const kernel: Kernel = words[step + Step.kernel / 4]!;
  const least = floats[step + Step.least / 4]!;
  let at = words[step + Step.target / 4]! >>> 2;
  const end = at + count;
  let a = words[step + Step.a / 4]! >>> 2;
  let b = words[step + Step.b / 4]! >>> 2;
  let c = words[step + Step.c / 4]! >>> 2;
  // A constant stands still.
  const aStep = words[step + Step.aStride / 4]! >>> 4;
  const bStep = words[step + Step.bStride / 4]! >>> 4;
  const cStep = words[step + Step.cStride / 4]! >>> 4;
  switch (kernel) {
    case Kernel.add:
      for (; at < end; at++, a += aStep, b += bStep) floats[at] = round(floats[a]! + floats[b]!, least);
      return;
    case Kernel.sub:
      for (; at < end; at++, a += aStep, b += bStep) floats[at] = round(floats[a]! - floats[b]!, least);
      return;
    case Kernel.mul:
      for (; at < end; at++, a += aStep, b += bStep) floats[at] = round(floats[a]! * floats[b]!, least);
      return;
    case Kernel.fma:
      for (; at < end; at++, a += aStep, b += bStep, c += cStep) {
        floats[at] = round(multiplyAdd(floats[a]!, floats[b]!, floats[c]!), least);
      }
      return;
    case Kernel.abs:
      for (; at < end; at++, a += aStep) words[at] = words[a]! & ~SIGN;
      return;
    case Kernel.neg:
      for (; at < end; at++, a += aStep) words[at] = words[a]! ^ SIGN;
      return;
    case Kernel.copysign:
      for (; at < end; at++, a += aStep, b += bStep) words[at] = (words[a]! & SIGN) | (words[b]! & ~SIGN);
      return;
    case Kernel.canonicalize:
      for (; at < end; at++, a += aStep) words[at] = Number.isNaN(floats[a]!) ? CANONICAL_NAN : words[a]!;
      return;
  }
  const formula = FORMULAS[kernel];
  for (; at < end; at++, a += aStep, b += bStep, c += cStep) {
    floats[at] = round(formula(floats[a]!, floats[b]!, floats[c]!), least);
  }
}

/** Rounds to f32, and what is smaller than `least` to a zero of its sign. */
function round(x: number, least: number): number {
  const rounded = Math.fround(x);
  return rounded < least && rounded > -least ? rounded * 0 : rounded;
}
