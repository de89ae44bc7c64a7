// The kernels in JavaScript, for where WebAssembly is not allowed: the same steps in the same memory, and the same
// results bit for bit. The commonest have loops of their own; the others call their formula for each row. What copies
// or makes NaNs does it on words, because an engine may change the encoding of a NaN that it reads as a number.
import { FORMULAS, flush } from "../float32.js";
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
  const flushes = floats[step + Step.least / 4]! > 0;
  const target = words[step + Step.target / 4]! / 4;
  const end = target + count;
  let a = words[step + Step.a / 4]! / 4;
  let b = words[step + Step.b / 4]! / 4;
  let c = words[step + Step.c / 4]! / 4;
  // A constant stands still.
  const aStep = Math.sign(words[step + Step.aStride / 4]!);
  const bStep = Math.sign(words[step + Step.bStride / 4]!);
  const cStep = Math.sign(words[step + Step.cStride / 4]!);
  switch (kernel) {
    case Kernel.abs:
      for (let at = target; at < end; at++, a += aStep) words[at] = words[a]! & ~SIGN;
      return;
    case Kernel.neg:
      for (let at = target; at < end; at++, a += aStep) words[at] = words[a]! ^ SIGN;
      return;
    case Kernel.copysign:
      for (let at = target; at < end; at++, a += aStep, b += bStep) {
        words[at] = (words[a]! & SIGN) | (words[b]! & ~SIGN);
      }
      return;
    case Kernel.canonicalize:
      for (let at = target; at < end; at++, a += aStep) {
        words[at] = Number.isNaN(floats[a]!) ? CANONICAL_NAN : words[a]!;
      }
      return;
    case Kernel.flush:
      for (let at = target; at < end; at++, a += aStep) floats[at] = flush(floats[a]!);
      return;
  }
  const formula = FORMULAS[kernel];
  for (let at = target; at < end; at++, a += aStep, b += bStep, c += cStep) {
    const result = Math.fround(formula(floats[a]!, floats[b]!, floats[c]!));
    floats[at] = flushes ? flush(result) : result;
  }
}
