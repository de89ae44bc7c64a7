import { CudaCompiler } from "@mm-ptx/cuda";
import { readFileSync } from "node:fs";
const [,, backend, what] = process.argv;
const c = new CudaCompiler({ backend, cache: { folder: "/tmp/nvi/fresh" } });
const gemm = readFileSync("/tmp/hD/bench/lib/cute-gemm.cu","utf8");
const K=`extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n`;
const o = what==="gemm" ? {includes:["/tmp/hD/.deps/cutlass-4.2.0.0/include"], ...(backend==="nvrtc"?{deviceByDefault:true}:{})} : {};
const s = what==="gemm" ? gemm : K;
const out=[];
for (let i=0;i<5;i++){ const t=performance.now(); const r=await c.compile(s,{arch:"sm_80",...o}); out.push(r.from+" "+(performance.now()-t).toFixed(2)); }
console.log(backend, what, out.join(", "));
await c.disposeAsync();
