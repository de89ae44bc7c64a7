// Rewriting annotated CUDA sources of a megabyte: with few annotations, with as many as in the guide's
// example, and full of strings and comments. The budget corresponds to 100 MB/s, as a multiple of the time of
// a loop that looks at each character once, which runs at 670 MB/s on the machine where budgets were set.

import { annotateCuda } from "@mm-ptx/inject";
import { medians } from "./lib/measure.mjs";

const SIZE = 1_000_000;
const BUDGET = 6.7;

const kernel = (i) => `
// Kernel ${i} scales and adds.
extern "C" __global__ void kernel${i}(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return; /* nothing to do */
  float sum = 0.f;
  for (int k = 0; k < 1'000; k++) sum = fmaf(in[i + k], 0.5f, sum);
  out[i] = sum;
}
`;

const example = (i) => `
__global__ void kernel${i}() {
    float x = 5;
    float y = 3;
    float z;
    /* PTX_INJECT func${i}
        in  f32 x
        mod f32 y
        out f32 z
    */
    printf("in: %f, mod: %f, out: %f", x, y, z);
}
`;

const prose = (i) => `
  printf("line %d: \\"%s\\" // not a comment\\n", ${i}, 'x', "it's"); // a remark's end
  /* prints what it is told, ${i} times */ x = '"' + 1'000; /* and more */
`;

/** A flat text of about a megabyte. */
function repeated(piece) {
  let text = "";
  for (let i = 0; text.length < SIZE; i++) text += piece(i);
  return Buffer.from(text, "latin1").latin1Slice();
}

const SOURCES = {
  "few annotations": repeated((i) => (i % 500 === 0 ? example(i) : kernel(i))),
  "the guide's example, again and again": repeated(example),
  "strings and comments": repeated(prose),
};

export async function run() {
  const rows = [];
  for (const [what, text] of Object.entries(SOURCES)) {
    const [ours, yardstick] = await medians([() => annotateCuda(text), () => lookAtAll(text)], { calls: 1 });
    const ratio = ours / yardstick;
    const name = `annotateCuda, ${what}: ${Math.round(text.length / ours)} MB/s (yardstick: looking at each character)`;
    rows.push({ name, ours, yardstick, ratio, budget: BUDGET, unit: "us", pass: ratio <= BUDGET });
  }
  return rows;
}

/** The number of line ends, counted without the engine's own search functions. */
function lookAtAll(text) {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}
