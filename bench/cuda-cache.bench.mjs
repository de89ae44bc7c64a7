// The cost of a result of compiling CUDA from the cache, in a new compiler that reads it from disk: for a kernel that
// includes nothing, and for a GEMM on CuTe, which includes hundreds of headers. It is skipped without NVRTC, and the GEMM without CUTLASS; to fetch them:
//   npm run setup -- --with nvrtc,cutlass

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Nvrtc } from "@mm-ptx/cuda";
import { cuteGemm, findNvrtc } from "./lib/cuda.mjs";

const ROUNDS = 50;

export async function run() {
  const nvrtc = findNvrtc();
  nvrtc?.dispose();
  if (nvrtc === undefined) {
    console.error("bench: cuda-cache: skipped; to run it: npm run setup -- --with nvrtc,cutlass");
    return [];
  }
  const plain = 'extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n';
  const gemm = cuteGemm();
  const rows = [await row("a kernel without headers", plain, { arch: "sm_80" }, 1)];
  if (gemm !== undefined) rows.push(await row("a CuTe GEMM", gemm.source, gemm.options, 20));
  return rows;
}

/** @param {number} budget milliseconds */
async function row(what, source, options, budget) {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-bench-"));
  try {
    const yardstick = await once(folder, source, options, "compiled");
    let ours = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++)
      ours = Math.min(ours, await once(folder, source, options, "cache"));
    return {
      name: `the PTX of ${what} from the cache (yardstick: compiling it with NVRTC)`,
      ours,
      yardstick,
      ratio: ours / yardstick,
      budget,
      unit: "ms",
      pass: ours <= budget,
      hard: true,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of one compile by a new compiler. */
async function once(folder, source, options, expected) {
  const compiler = new Nvrtc({ workers: 1, cache: { folder } });
  const start = performance.now();
  const { from } = await compiler.compile(source, options);
  const spent = performance.now() - start;
  await compiler.disposeAsync();
  if (from !== expected) throw new Error(`expected a result that is \`${expected}\`, found \`${from}\``);
  return spent;
}
