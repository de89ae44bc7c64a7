import { PtxCompiler } from "@mm-ptx/cuda";
import { readFileSync } from "node:fs";
import { parsePtx, expandSites } from "@mm-ptx/inject";
const { programStub, SMALL_KERNEL } = await import("../../bench/lib/site-kernels.mjs");
const text = readFileSync("apps/quickstart/kernel.ptx", "utf8");
const mk = (stubs, t = text) => expandSites(parsePtx(t), "func", stubs.length, { select: "%ctaid.y" }).render(Object.fromEntries(stubs.map((s, i) => [`func_${i}`, s])));
const c = Object.fromEntries(["draft", "final", "balanced"].map((effort) => [effort, new PtxCompiler({ arch: process.env.ARCH ?? "sm_90", effort, workers: 1, backend: "in-process", cache: false })]));
async function time(name, effort, texts, n) { let least = 1e9; for (let r = 0; r < 5; r++) { const b = process.cpuUsage(); for (const t of texts) await c[effort].compile(t); const { user, system } = process.cpuUsage(b); least = Math.min(least, (user + system) / 1000 / n); } console.log(name.padEnd(40), effort, least.toFixed(4)); return least; }
const S = (n, k, f = 0) => Array.from({ length: k }, (_, i) => programStub(i + f, n));
const alone = await time("alone 30", "final", S(30, 10).map((func) => parsePtx(text).render({ func })), 10);
for (const n of [1, 10, 20, 30, 60]) for (const k of [50, 100, 200]) await time(`lines ${n} K ${k}`, "draft", [mk(S(n, k))], k);
for (const x of Object.values(c)) x.dispose();
