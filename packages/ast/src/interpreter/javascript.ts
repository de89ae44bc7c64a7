// The kernels in JavaScript, for when WebAssembly is not allowed: the same steps on the same memory, with the same
// results bit for bit. Steps that copy or make NaNs work on words, because an engine may change the encoding of a NaN
// that it reads as a number.
import {
  approximateQuotient,
  cosine,
  exp2,
  greater,
  lesser,
  log2,
  multiplyAdd,
  NAN_32,
  sine,
  tanh,
} from "@mm-ptx/types/internal";
import { round } from "../float32.js";
import { Kernel, Step } from "./kernel.js";
import type { Kernels } from "./workspace.js";

const SIGN = 0x80000000;

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
      floats = grown;
      words = new Uint32Array(grown.buffer);
    },
    run(start, stop, bytes) {
      for (let step = start / 4; step < stop / 4; step += Step.bytes / 4) {
        const columns = columnsOf(floats, words, step, bytes / 4);
        const kernel: Kernel = words[step + Step.kernel / 4]!;
        LOOPS[kernel](columns);
      }
    },
  };
}

/** What a step works on; indices count floats and words. */
interface Columns {
  readonly floats: Float32Array;
  readonly words: Uint32Array;
  /** Where the results go. */
  readonly target: number;
  readonly end: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** 1, or 0 for a constant. */
  readonly aStep: number;
  readonly bStep: number;
  readonly cStep: number;
  /** Results of smaller magnitude become zeros. */
  readonly least: number;
}

/** Decodes the step at an index of words. */
function columnsOf(floats: Float32Array, words: Uint32Array, step: number, rows: number): Columns {
  const field = (offset: Step, shift: number): number => words[step + offset / 4]! >>> shift;
  const target = field(Step.target, 2);
  return {
    floats,
    words,
    target,
    end: target + rows,
    a: field(Step.a, 2),
    b: field(Step.b, 2),
    c: field(Step.c, 2),
    aStep: field(Step.aStride, 4),
    bStep: field(Step.bStride, 4),
    cStep: field(Step.cStride, 4),
    least: floats[step + Step.least / 4]!,
  };
}

/**
 * A loop for each kernel. A single loop that calls the kernel would take twice as long, because engines optimize a loop
 * for the functions that it has called, and that loop would have called all of them.
 */
const LOOPS: Readonly<Record<Kernel, (columns: Columns) => void>> = {
  [Kernel.add]({ floats, target, end, a, b, aStep, bStep, least }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      floats[at] = round(floats[i]! + floats[j]!, least);
    }
  },
  [Kernel.sub]({ floats, target, end, a, b, aStep, bStep, least }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      floats[at] = round(floats[i]! - floats[j]!, least);
    }
  },
  [Kernel.mul]({ floats, target, end, a, b, aStep, bStep, least }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      floats[at] = round(floats[i]! * floats[j]!, least);
    }
  },
  [Kernel.fma]({ floats, target, end, a, b, c, aStep, bStep, cStep, least }) {
    for (let at = target, i = a, j = b, k = c; at < end; at++, i += aStep, j += bStep, k += cStep) {
      floats[at] = round(multiplyAdd(floats[i]!, floats[j]!, floats[k]!), least);
    }
  },
  [Kernel.abs]({ words, target, end, a, aStep }) {
    for (let at = target, i = a; at < end; at++, i += aStep) words[at] = words[i]! & ~SIGN;
  },
  [Kernel.neg]({ words, target, end, a, aStep }) {
    for (let at = target, i = a; at < end; at++, i += aStep) words[at] = words[i]! ^ SIGN;
  },
  [Kernel.copysign]({ words, target, end, a, b, aStep, bStep }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      words[at] = (words[i]! & SIGN) | (words[j]! & ~SIGN);
    }
  },
  [Kernel.div]({ floats, target, end, a, b, aStep, bStep, least }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      floats[at] = round(approximateQuotient(floats[i]!, floats[j]!), least);
    }
  },
  [Kernel.min]({ floats, target, end, a, b, aStep, bStep, least }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      floats[at] = round(lesser(floats[i]!, floats[j]!), least);
    }
  },
  [Kernel.max]({ floats, target, end, a, b, aStep, bStep, least }) {
    for (let at = target, i = a, j = b; at < end; at++, i += aStep, j += bStep) {
      floats[at] = round(greater(floats[i]!, floats[j]!), least);
    }
  },
  [Kernel.rcp]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(1 / floats[i]!, least);
  },
  [Kernel.sqrt]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(Math.sqrt(floats[i]!), least);
  },
  [Kernel.rsqrt]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep)
      floats[at] = round(1 / Math.sqrt(floats[i]!), least);
  },
  [Kernel.sin]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(sine(floats[i]!), least);
  },
  [Kernel.cos]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(cosine(floats[i]!), least);
  },
  [Kernel.lg2]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(log2(floats[i]!), least);
  },
  [Kernel.ex2]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(exp2(floats[i]!), least);
  },
  [Kernel.tanh]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(tanh(floats[i]!), least);
  },
  [Kernel.flush]({ floats, target, end, a, aStep, least }) {
    for (let at = target, i = a; at < end; at++, i += aStep) floats[at] = round(floats[i]!, least);
  },
  [Kernel.canonicalize]({ floats, words, target, end, a, aStep }) {
    for (let at = target, i = a; at < end; at++, i += aStep) {
      words[at] = Number.isNaN(floats[i]!) ? NAN_32 : words[i]!;
    }
  },
};
