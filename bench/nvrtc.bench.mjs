// From CUDA to machine code with NVRTC, compared with from PTX to machine code, for a GEMM on CuTe whose
// epilogue is a site: the cost of a new variant with and without a CUDA compiler. It is skipped without NVRTC
// or CUTLASS; to fetch them:
//   npm run setup -- --with nvrtc,cutlass

import { parsePtx } from "@mm-ptx/inject";
import { uncached } from "./lib/compiling.mjs";
import { cuteGemm, findNvrtc } from "./lib/cuda.mjs";

const CUDA_ROUNDS = 2;
const PTX_ROUNDS = 9;
const BUDGET = 50;

export async function run() {
  const gemm = cuteGemm();
  const nvrtc = findNvrtc();
  if (nvrtc === undefined || gemm === undefined) {
    console.error("bench: nvrtc: skipped; to run it: npm run setup -- --with nvrtc,cutlass");
    return [];
  }
  const { source, options } = gemm;
  const compiler = uncached({ arch: options.arch, backend: "in-process", workers: 1 });
  try {
    const annotated = parsePtx((await nvrtc.compile(source, options)).ptx);
    const ours = await least(PTX_ROUNDS, (round) => compiler.compile(variant(annotated, round)));
    const yardstick = await least(CUDA_ROUNDS, () => nvrtc.compile(source, { ...options, output: "cubin" }));
    const ratio = yardstick / ours;
    return [
      {
        name: "a variant of a CuTe GEMM by injection (yardstick: NVRTC, from CUDA; ratio: speed-up)",
        ours,
        yardstick,
        ratio,
        budget: BUDGET,
        unit: "ms",
        pass: ratio >= BUDGET,
      },
    ];
  } finally {
    compiler.dispose();
    nvrtc.dispose();
  }
}

/** The kernel with another constant in its epilogue. */
function variant(annotated, number) {
  const operand = (name) => `%${annotated.injection("epilogue").operand(name).register}`;
  const constant = `0f3F8000${number.toString(16).padStart(2, "0")}`;
  return { ptx: annotated.render({ epilogue: `\tmul.f32 ${operand("z")}, ${operand("x")}, ${constant};` }) };
}

/** Milliseconds, of some rounds the least. */
async function least(rounds, work) {
  let found = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    found = Math.min(found, performance.now() - start);
  }
  return found;
}
