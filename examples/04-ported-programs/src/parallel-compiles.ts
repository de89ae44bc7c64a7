// Port of a C program that compiles many variants of a kernel with OpenMP: the pool of `PtxCompiler` takes the loop's place.

import { readFileSync } from "node:fs";
import { CudaDevice, PtxCompiler } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, input, ptx, table } from "@mm-ptx/stack/default";
import { type Device, u32 } from "@mm-ptx/types/device";

const device: Device = CudaDevice.count() > 0 ? CudaDevice.open() : EmulatedDevice.open();
const annotatedPtx = readFileSync(new URL("../../01-one-program/kernel.ptx", import.meta.url), "utf8");
// Program i computes z = x * y + i.
const programs = Array.from({ length: 32 }, (_, i) =>
  StackProgram.of(input(1), input(2), ptx.mulFtzF32, f32(i), ptx.addFtzF32),
);

const kernel = parsePtx(annotatedPtx);
const job = siteJob(table, kernel.injection("func").operands);
const compiler = new StackCompiler(table);

function* variants() {
  for (const program of programs) yield kernel.fill({ func: compiler.compile(program, job) });
}

await using pool = new PtxCompiler({ arch: device.arch });
const modules: ReturnType<Device["load"]>[] = [];
for await (const result of pool.stream(variants())) {
  if (result.ok) modules[result.index] = device.load(result);
  else console.error(`program ${result.index}: ${result.error.message}`);
}

const x = device.allocateFloat32(1);
const y = device.allocateFloat32(1);
const z = device.allocateFloat32(modules.length);
await x.copyFrom(Float32Array.of(2));
await y.copyFrom(Float32Array.of(3));
for (const [i, module] of modules.entries()) {
  const args = [x, y, z.part(4 * i), u32(1)];
  device.stream.launch(module.kernel("apply"), { grid: 1, block: 32 }, args);
}
console.log(`${modules.length} kernels, z = ${(await z.read()).join(" ")}`);
device.dispose();
