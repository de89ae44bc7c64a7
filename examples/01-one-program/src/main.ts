// One program from a site to its results: it becomes a stub, is filled into the kernel, compiled and launched.

import { readFileSync } from "node:fs";
import { CudaDevice, PtxCompiler } from "@mm-ptx/cuda";
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, input, ptx, table } from "@mm-ptx/stack/default";
import { type Device, u32 } from "@mm-ptx/types/device";

// nvcc compiled kernel.cu to this PTX once. No CUDA compiler is needed from here on.
const kernel = parsePtx(readFileSync(new URL("../kernel.ptx", import.meta.url), "utf8"));
const func = kernel.injection("func");
const [x, y] = [func.operand("x"), func.operand("y")];

// z = x * y + 1, in postfix order. `input(i)` reads operand i of the site.
const program = StackProgram.of(input(x.index), input(y.index), ptx.mulFtzF32, f32(1), ptx.addFtzF32);
const stub = new StackCompiler(table).compile(program, siteJob(table, func.operands));
console.log(`the stub:\n${stub}`);

const filled = kernel.fill({ func: stub });

// Without a GPU, the emulator runs the PTX that the result was compiled from.
const device: Device = CudaDevice.count() > 0 ? CudaDevice.open() : EmulatedDevice.open();
using compiler = new PtxCompiler({ arch: device.arch });
const compiled = await compiler.compile(filled);
const module = device.load(compiled);
console.error(`on ${device.name}`);
const xs = device.allocateFloat32(4);
const ys = device.allocateFloat32(4);
const zs = device.allocateFloat32(4);
await xs.copyFrom(Float32Array.of(1, 2, 3, 4));
await ys.copyFrom(Float32Array.of(10, 20, 30, 40));
device.stream.launch(module.kernel("apply"), { grid: 1, block: 32 }, [xs, ys, zs, u32(4)]);
console.log(`the results: ${(await zs.read()).join(" ")}`);
device.dispose();
