import { readFileSync } from "node:fs";
import { PtxCompiler, u32 } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx, expandSites } from "@mm-ptx/inject";
import { StubMaker } from "./dist/stubs.js";
import { samplePrograms } from "./dist/programs.js";
import { table } from "@mm-ptx/stack/default";
const text = readFileSync("apps/quickstart/kernel.ptx", "utf8");
const kernel = parsePtx(text);
const site = kernel.injection("func");
const maker = new StubMaker(table, site);
const progs = [...samplePrograms(2000, 7, table, { registers: maker.registers, inputs: maker.inputs }, { target: "sm_75", ptxVersion: "9.0" })];
const { programStub } = await import("../../bench/lib/site-kernels.mjs");
const stubs = process.env.SIMPLE ? progs.map((_, i) => programStub(i, 30)) : progs.map((p) => maker.make(p));
const lines = stubs.map((s) => maker.liveInstructions(s)).sort((a, b) => a - b);
console.log("live lines median", lines[1000], "mean", lines.reduce((a, b) => a + b) / 2000);
const N = 1024;
const packText = (own) => {
  const t = text.replace("ld.param.u64 	%rd4, [evaluate_param_3];", "ld.param.u64 	%rd4, [evaluate_param_3];\n\t.reg .u32 %alt;\n\t.reg .u64 %off;\n\tmov.u32 %alt, %ctaid.y;\n\tmul.wide.u32 %off, %alt, 4096;\n\tadd.u64 %rd4, %rd4, %off;");
  const e = expandSites(parsePtx(t), "func", own.length, { select: "%ctaid.y" });
  return e.fill(Object.fromEntries(own.map((s, i) => [`func_${i}`, s])));
};
const mode = process.argv[2], K = Number(process.argv[3] ?? 100), total = Number(process.argv[4] ?? 1000);
if (mode === "emu") {
  const device = EmulatedDevice.open({ engine: process.env.ENGINE ?? "auto" });
  const [x, y, w] = [1, 2, 3].map(() => device.allocateFloat32(N));
  for (const b of [x, y, w]) await b.copyFrom(Float32Array.from({ length: N }, Math.random));
  const z = device.allocateFloat32(N * K);
  for (let r = 0; r < 3; r++) {
    let t0 = performance.now(), pack = 0, load = 0, run = 0, read = 0;
    for (let i = 0; i < total; i += K) {
      const a = performance.now();
      const f = packText(stubs.slice(i, i + K));
      const b = performance.now();
      const m = device.load(f);
      const c = performance.now();
      device.stream.launch(m.kernel("evaluate"), { grid: [8, Math.min(K, total - i)], block: 128 }, [x, y, w, z, u32(N)]);
      await device.synchronize();
      const d = performance.now();
      await z.read();
      m.dispose();
      const e = performance.now();
      pack += b - a; load += c - b; run += d - c; read += e - d;
    }
    const s = (v) => (v / total).toFixed(3);
    console.log(`K=${K} ms each ${s(performance.now() - t0)} pack ${s(pack)} load ${s(load)} run ${s(run)} read ${s(read)}`);
  }
  device.dispose();
} else {
  for (const effort of ["draft", "final"]) {
    const c = new PtxCompiler({ arch: "sm_90", effort, workers: Number(process.env.W ?? 1), cache: false });
    for (let r = 0; r < 2; r++) {
    let t0 = performance.now();
    const jobs = []; for (let i = 0; i < total; i += K) jobs.push(K === 1 ? kernel.fill({ func: stubs[i] }) : packText(stubs.slice(i, i + K)));
    const t1 = performance.now();
    const res = await c.compileAll(jobs);
    console.log(effort, `K=${K}`, ((performance.now() - t0) / total).toFixed(3), "ms each; prep", ((t1 - t0) / total).toFixed(4), res.every((r) => r.ok), res[0].error?.message);
    }
    c.dispose();
  }
}
