// The kernels in JavaScript, for where WebAssembly is not allowed: the same steps in the same memory, and the same
// results bit for bit. The commonest have loops of their own; the others call their formula for each row. What copies
// or makes NaNs does it on words, because an engine may change the encoding of a NaN that it reads as a number.
import { FORMULAS, round } from "../float32.js";
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
      floats = grown;
      words = new Uint32Array(grown.buffer);
    },
    run(start, stop, bytes) {
      for (let step = start / 4; step < stop / 4; step += Step.bytes / 4) {
        const columns = columnsOf(floats, words, step, bytes / 4);
        const kernel: Kernel = words[step + Step.kernel / 4]!;
        const loop = LOOPS[kernel];
        if (loop === undefined) runFormula(columns, FORMULAS[kernel]);
        else loop(columns);
      }
    },
  };
}

/** What a step works on; indices count floats and words. */
interface Columns {
  readonly floats: Float32Array;
  readonly words: Uint32Array;
  /** Where results go. */
  readonly target: number;
  readonly end: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** 1, or 0 for a constant. */
  readonly aStep: number;
  readonly bStep: number;
  readonly cStep: number;
  /** Results whose size is below become zeros. */
  readonly least: number;
}

/** The step at an index of words, for so many rows. */
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

/** Kernels with a loop of their own, each a function, so that engines optimize each for itself. */
const LOOPS: Readonly<Partial<Record<Kernel, (columns: Columns) => void>>> = {
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
  [Kernel.canonicalize]({ floats, words, target, end, a, aStep }) {
    for (let at = target, i = a; at < end; at++, i += aStep) {
      words[at] = Number.isNaN(floats[i]!) ? CANONICAL_NAN : words[i]!;
    }
  },
};

/** The other kernels, row by row. */
function runFormula(columns: Columns, formula: (a: number, b: number, c: number) => number): void {
  const { floats, target, end, a, b, c, aStep, bStep, cStep, least } = columns;
  for (let at = target, i = a, j = b, k = c; at < end; at++, i += aStep, j += bStep, k += cStep) {
    floats[at] = round(formula(floats[i]!, floats[j]!, floats[k]!), least);
  }
}
